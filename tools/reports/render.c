// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "render.h"

#include "report.h"

#include <errno.h>
#include <string.h>

static const char *const names[GS_FORMATS] = {"text", "json", "html", "sarif", "plist"};

bool gs_format_by_name(const char *name, gs_format *out) {
  for (size_t i = 0; i < GS_FORMATS; i++) {
    if (strcmp(name, names[i]))
      continue;
    *out = (gs_format)i;
    return true;
  }
  return false;
}

const char *gs_format_name(gs_format format) { return names[format]; }

const char *gs_access_text(gs_mem *mem, const json_t *finding, const json_t *access) {
  const char *object = gs_report_text(finding, "object");
  return gs_mem_printf(mem, "%s%s%s%s%s",
                       json_is_true(json_object_get(access, "atomic")) ? "atomic " : "",
                       json_is_true(json_object_get(access, "write")) ? "write" : "read",
                       *object ? " of '" : "", object, *object ? "'" : "");
}

static const char *triple(gs_mem *mem, const json_t *array, bool is_size) {
  json_int_t v[3];
  for (size_t i = 0; i < 3; i++)
    v[i] = json_integer_value(json_array_get(array, i));
  if (is_size && v[1] == 1 && v[2] == 1)
    return gs_mem_printf(mem, "%lld", (long long)v[0]);
  return gs_mem_printf(mem, is_size ? "%lldx%lldx%lld" : "(%lld,%lld,%lld)", (long long)v[0],
                       (long long)v[1], (long long)v[2]);
}

const char *gs_witness_text(gs_mem *mem, const json_t *finding) {
  const json_t *witness = json_object_get(finding, "witness"), *item;
  if (!json_is_object(witness))
    return "";
  const char *text =
      gs_mem_printf(mem, "grid %s, block %s", triple(mem, json_object_get(witness, "grid"), true),
                    triple(mem, json_object_get(witness, "block"), true));
  size_t i;
  json_array_foreach(json_object_get(witness, "threads"), i, item) {
    text = gs_mem_printf(mem, "%s%s thread %s of block %s", text, i ? " and" : ":",
                         triple(mem, json_object_get(item, "thread"), false),
                         triple(mem, json_object_get(item, "block"), false));
  }
  json_array_foreach(json_object_get(witness, "values"), i, item) {
    text = gs_mem_printf(mem, "%s%s %s = %lld", text, i ? "," : ";", gs_report_text(item, "name"),
                         (long long)json_integer_value(json_object_get(item, "value")));
  }
  return text;
}

const char *gs_rule_text(const char *rule) {
  static const struct {
    const char *name, *text;
  } others[] = {
#define HOST_RULE(id, name, package, model, summary) {name, summary},
#include "host/host_rules.def"
  };
  for (unsigned i = 0; i < GS_RULE_COUNT; i++)
    if (!strcmp(rule, gs_rule_name((gs_rule)i)))
      return gs_rule_summary((gs_rule)i);
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (!strcmp(rule, others[i].name))
      return others[i].text;
  return "A rule of gpusafe.";
}

static void write_as(gs_mem *mem, const json_t *report, gs_format format, FILE *file) {
  switch (format) {
  case GS_FORMAT_TEXT:
    gs_render_text(mem, report, file);
    return;
  case GS_FORMAT_JSON:
    json_dumpf(report, file, JSON_INDENT(1));
    fputc('\n', file);
    return;
  case GS_FORMAT_HTML:
    gs_render_html(mem, report, file);
    return;
  case GS_FORMAT_SARIF:
    gs_render_sarif(mem, report, file);
    return;
  case GS_FORMAT_PLIST:
    gs_render_plist(mem, report, file);
    return;
  case GS_FORMATS:
    return;
  }
}

int gs_render(gs_mem *mem, const json_t *report, gs_format format, const char *path) {
  bool to_stdout = !strcmp(path, "-");
  FILE *file = to_stdout ? stdout : fopen(path, "w");
  if (!file)
    return gs_fail(GS_EXIT_INPUT, "cannot write '%s': %s", path, strerror(errno));
  write_as(mem, report, format, file);
  bool good = !ferror(file);
  if (!to_stdout && fclose(file) != 0)
    good = false;
  return good ? GS_EXIT_OK : gs_fail(GS_EXIT_INPUT, "cannot write '%s'", path);
}
