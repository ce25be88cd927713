// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The property list that Clang Static Analyzer writes (clang/lib/StaticAnalyzer/Core/
// PlistDiagnostics.cpp) and CodeChecker reads. Remarks and what is suppressed stay out.
#include "render.h"
#include "report.h"

#include <string.h>

typedef struct gs_plist {
  gs_mem *mem;
  FILE *file;
  gs_list files;
} gs_plist;

/// Text in XML 1.0: what XML does not allow at all becomes '?'.
static void put_text(FILE *file, const char *text) {
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    if (c == '<')
      fputs("&lt;", file);
    else if (c == '>')
      fputs("&gt;", file);
    else if (c == '&')
      fputs("&amp;", file);
    else if (c == '"')
      fputs("&quot;", file);
    else if (c == '\'')
      fputs("&apos;", file);
    else
      fputc(c < 0x20 && c != '\t' && c != '\n' && c != '\r' ? '?' : c, file);
  }
}

static void put_key(gs_plist *p, const char *key, const char *text) {
  fprintf(p->file, "<key>%s</key><string>", key);
  put_text(p->file, text);
  fputs("</string>\n", p->file);
}

static size_t file_index(gs_plist *p, const char *file) {
  for (size_t i = 0; i < p->files.count; i++)
    if (!strcmp(p->files.items[i], file))
      return i;
  gs_list_add(p->mem, &p->files, file);
  return p->files.count - 1;
}

static const json_t *place_of(const json_t *object, const json_t *fallback) {
  const json_t *location = json_object_get(object, "location");
  return json_is_object(location) && *gs_report_text(location, "file") ? location : fallback;
}

static void put_location(gs_plist *p, const char *key, const json_t *location) {
  json_int_t line = json_integer_value(json_object_get(location, "line"));
  json_int_t column = json_integer_value(json_object_get(location, "column"));
  fprintf(p->file, "<key>%s</key><dict><key>line</key><integer>%lld</integer>"
                   "<key>col</key><integer>%lld</integer><key>file</key><integer>%zu</integer>"
                   "</dict>\n",
          key, (long long)(line > 0 ? line : 1), (long long)(column > 0 ? column : 1),
          file_index(p, gs_report_text(location, "file")));
}

static void put_event(gs_plist *p, const json_t *location, const char *message) {
  fputs("<dict><key>kind</key><string>event</string>\n", p->file);
  put_location(p, "location", location);
  fputs("<key>depth</key><integer>0</integer>\n", p->file);
  put_key(p, "extended_message", message);
  put_key(p, "message", message);
  fputs("</dict>\n", p->file);
}

/// The accesses and notes, then the finding itself: the last event is where it is reported.
static void put_path(gs_plist *p, const json_t *finding, const json_t *place) {
  size_t i;
  const json_t *item;
  fputs("<key>path</key><array>\n", p->file);
  json_array_foreach(json_object_get(finding, "accesses"), i, item) {
    put_event(p, place_of(item, place), gs_access_text(p->mem, finding, item));
  }
  json_array_foreach(json_object_get(finding, "notes"), i, item) {
    put_event(p, place_of(item, place), gs_report_text(item, "text"));
  }
  put_event(p, place, gs_report_text(finding, "message"));
  fputs("</array>\n", p->file);
}

static void put_finding(gs_plist *p, const json_t *finding) {
  const json_t *place = place_of(finding, NULL);
  const char *rule = gs_report_text(finding, "rule"), *kernel = gs_report_text(finding, "kernel");
  if (!place || !strcmp(gs_report_text(finding, "severity"), "remark") ||
      json_is_object(json_object_get(finding, "suppression")))
    return;
  fputs("<dict>\n", p->file);
  put_path(p, finding, place);
  put_key(p, "description", gs_report_text(finding, "message"));
  put_key(p, "category", "CUDA");
  put_key(p, "type", gs_rule_text(rule));
  put_key(p, "check_name", gs_mem_printf(p->mem, "gpusafe.%s", rule));
  put_key(p, "issue_hash_content_of_line_in_context", gs_report_text(finding, "id"));
  if (*kernel) {
    put_key(p, "issue_context_kind", "function");
    put_key(p, "issue_context", kernel);
  }
  put_location(p, "location", place);
  fputs("</dict>\n", p->file);
}

void gs_render_plist(gs_mem *mem, const json_t *report, FILE *file) {
  gs_plist p = {.mem = mem, .file = file};
  fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<!DOCTYPE plist PUBLIC \"-//Apple Computer//DTD PLIST 1.0//EN\" "
        "\"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n"
        "<plist version=\"1.0\">\n<dict>\n",
        file);
  put_key(&p, "clang_version", "gpusafe " GPUSAFE_VERSION);
  fputs("<key>diagnostics</key><array>\n", file);
  size_t i;
  const json_t *finding;
  json_array_foreach(json_object_get(report, "findings"), i, finding) {
    put_finding(&p, finding);
  }
  fputs("</array>\n<key>files</key><array>\n", file);
  for (i = 0; i < p.files.count; i++) {
    fputs("<string>", file);
    put_text(file, p.files.items[i]);
    fputs("</string>\n", file);
  }
  fputs("</array>\n</dict>\n</plist>\n", file);
}
