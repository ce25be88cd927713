// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `gpusafe report`: any reports in, one report out, in any form.
#include "collect.h"
#include "report.h"
#include "scan_options.h"

#include <string.h>

typedef struct gs_converter {
  gs_mem *mem;
  gs_sources sources;
  gs_collector *collector; ///< of the reports of the analysis itself
  bool collected;
  json_t *scans; ///< scan reports, as they came
} gs_converter;

/// An object has these fields, of these types. \returns the first that is missing, or NULL.
static const char *missing(const json_t *object, const char *const *arrays,
                           const char *const *texts) {
  for (; *arrays; arrays++)
    if (!json_is_array(json_object_get(object, *arrays)))
      return *arrays;
  for (; *texts; texts++)
    if (!json_is_string(json_object_get(object, *texts)))
      return *texts;
  return NULL;
}

static const char *scan_problem(gs_mem *mem, const json_t *scan) {
  static const char *const parts[] = {"units", "kernels", "findings", "trusts", "sources", NULL};
  static const char *const none[] = {NULL}, *const lists[] = {"accesses", "notes", NULL};
  static const char *const texts[] = {"id", "rule", "severity", "verdict", "message", NULL};
  static const char *const unit_lists[] = {"targets", "remarks", NULL};
  static const char *const unit_texts[] = {"file", "status", NULL};
  static const char *const kernel_texts[] = {"name", "verdict", NULL};
  static const char *const code_lists[] = {"lines", NULL}, *const code_texts[] = {"file", NULL};
  const struct {
    const char *part;
    const char *const *lists;
    const char *const *texts;
  } shapes[] = {{"findings", lists, texts},
                {"units", unit_lists, unit_texts},
                {"kernels", none, kernel_texts},
                {"sources", code_lists, code_texts}};
  const char *field = missing(scan, parts, none);
  if (field)
    return gs_mem_printf(mem, "it has no '%s'", field);
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
    size_t i;
    const json_t *item;
    json_array_foreach(json_object_get(scan, shapes[s].part), i, item) {
      field = missing(item, shapes[s].lists, shapes[s].texts);
      if (field)
        return gs_mem_printf(mem, "'%s' of an entry of '%s' is missing or of the wrong type", field,
                             shapes[s].part);
    }
  }
  return NULL;
}

/// Adds one report of the analysis, or one failure of the tool.
static void collect(gs_converter *c, const char *file, json_t *report, json_t *failure) {
  json_t *merged = json_pack("{s:[],s:[]}", "reports", "failures");
  if (report)
    json_array_append(json_object_get(merged, "reports"), report);
  if (failure)
    json_array_append(json_object_get(merged, "failures"), failure);
  gs_result result = {.file = file, .merged = merged, .errors = ""};
  gs_collector_add(c->collector, &result);
  json_decref(merged);
  c->collected = true;
}

static const char *take_reports(gs_converter *c, const json_t *input) {
  size_t i;
  json_t *item;
  json_array_foreach(json_object_get(input, "reports"), i, item) {
    const char *problem = gs_report_problem(c->mem, item);
    if (problem)
      return problem;
    collect(c, gs_report_text(item, "file"), item, NULL);
  }
  json_array_foreach(json_object_get(input, "failures"), i, item) {
    collect(c, gs_report_text(item, "file"), NULL, item);
  }
  return NULL;
}

/// \returns what is wrong with an input, or NULL.
static const char *take_input(gs_converter *c, json_t *input) {
  if (!strcmp(gs_report_text(input, "kind"), "scan")) {
    const char *problem = scan_problem(c->mem, input);
    if (!problem)
      json_array_append(c->scans, input);
    return problem;
  }
  if (json_is_array(json_object_get(input, "reports")))
    return take_reports(c, input);
  const char *problem = gs_report_problem(c->mem, input);
  if (!problem)
    collect(c, gs_report_text(input, "file"), input, NULL);
  return problem;
}

/// The entry of `array` that has the same text under `key`; NULL: none.
static json_t *same(const json_t *array, const json_t *item, const char *key) {
  size_t i;
  json_t *old;
  json_array_foreach(array, i, old) {
    if (!strcmp(gs_report_text(old, key), gs_report_text(item, key)))
      return old;
  }
  return NULL;
}

/// Adds what `more` has to `into`: findings once by their id, the worse one; code by file.
static void merge_scans(json_t *into, const json_t *more) {
  static const char *const plain[] = {"units", "kernels", "trusts"};
  size_t i;
  json_t *item;
  for (size_t p = 0; p < sizeof plain / sizeof *plain; p++)
    json_array_extend(json_object_get(into, plain[p]), json_object_get(more, plain[p]));
  json_t *findings = json_object_get(into, "findings"), *code = json_object_get(into, "sources");
  json_array_foreach(json_object_get(more, "findings"), i, item) {
    json_t *old = same(findings, item, "id");
    if (!old)
      json_array_append(findings, item);
    else if (gs_verdict_badness(gs_report_verdict(item)) >
             gs_verdict_badness(gs_report_verdict(old)))
      json_object_update(old, item);
  }
  json_array_foreach(json_object_get(more, "sources"), i, item) {
    json_t *old = same(code, item, "file");
    if (!old)
      json_array_append(code, item);
    else
      json_array_extend(json_object_get(old, "lines"), json_object_get(item, "lines"));
  }
}

/// Line numbers of merged code, in order and each once.
static int by_number(const json_t *a, const json_t *b) {
  json_int_t x = json_integer_value(json_array_get(a, 0)), y = json_integer_value(json_array_get(b, 0));
  return (x > y) - (x < y);
}

static void tidy_code(json_t *report) {
  size_t i;
  json_t *item;
  json_array_foreach(json_object_get(report, "sources"), i, item) {
    json_t *lines = json_object_get(item, "lines");
    gs_json_sort(lines, by_number);
    for (size_t n = json_array_size(lines); n-- > 1;)
      if (!by_number(json_array_get(lines, n), json_array_get(lines, n - 1)))
        json_array_remove(lines, n);
  }
}

static json_t *merge(gs_converter *c) {
  json_t *all = gs_collector_finish(c->collector), *scan;
  size_t i;
  if (!c->collected && json_array_size(c->scans) == 1) {
    json_decref(all);
    return json_incref(json_array_get(c->scans, 0));
  }
  json_array_foreach(c->scans, i, scan) { merge_scans(all, scan); }
  if (json_array_size(c->scans)) {
    gs_json_sort(json_object_get(all, "findings"), gs_compare_places);
    tidy_code(all);
  }
  return all;
}

/// Sources are at hand where a line of code in the report is the one in the file.
static bool has_sources(gs_sources *sources, const json_t *report) {
  const json_t *code = json_array_get(json_object_get(report, "sources"), 0);
  const json_t *line = json_array_get(json_object_get(code, "lines"), 0);
  return line && gs_sources_line(sources, gs_report_text(code, "file"),
                                 json_integer_value(json_array_get(line, 0)));
}

/// Reads all inputs. \returns an exit code, with a message when it is not GS_EXIT_OK.
static int take_inputs(gs_converter *c, const gs_list *files) {
  for (size_t i = 0; i < files->count; i++) {
    json_error_t error;
    json_t *input = json_load_file(files->items[i], JSON_REJECT_DUPLICATES, &error);
    if (!input)
      return gs_fail(GS_EXIT_INPUT, "'%s' cannot be read: line %d: %s", files->items[i],
                     error.line, error.text);
    const char *problem = take_input(c, input);
    if (problem)
      gs_fail(GS_EXIT_INPUT, "'%s' is no report: %s", files->items[i], problem);
    json_decref(input);
    if (problem)
      return GS_EXIT_INPUT;
  }
  return GS_EXIT_OK;
}

int gs_convert_main(gs_mem *mem, int argc, char **argv) {
  gs_scan_options options;
  int code;
  if (!gs_scan_options_parse(mem, argc, argv, &options, &code))
    return code;
  gs_converter c = {.mem = mem, .scans = json_array()};
  gs_sources_init(mem, options.root, &c.sources);
  c.collector = gs_collector_create(mem, &c.sources);
  code = take_inputs(&c, &options.files);
  json_t *report = merge(&c);
  json_decref(c.scans);
  if (code == GS_EXIT_OK && !report)
    code = gs_fail(GS_EXIT_INTERNAL, "out of memory while making the report");
  if (code == GS_EXIT_OK) {
    bool sources = has_sources(&c.sources, report);
    code = gs_scan_publish(mem, &options, sources ? &c.sources : NULL, report);
  }
  json_decref(report);
  return code;
}
