// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The code around what a report points at goes into the report, so that a page can be made of
// it on a machine that has no sources.
#include "collect.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>

enum { AROUND = 6, LONGEST = 400 };

/// Notes one place: in `wanted`, file -> array of line numbers.
static void want(json_t *wanted, const json_t *location) {
  const char *file = gs_report_text(location, "file");
  json_int_t line = json_integer_value(json_object_get(location, "line"));
  if (!*file || line <= 0)
    return;
  json_t *lines = json_object_get(wanted, file);
  if (!lines) {
    json_object_set_new(wanted, file, json_array());
    lines = json_object_get(wanted, file);
  }
  json_array_append_new(lines, json_integer(line));
}

/// All locations below a value.
static void want_all(json_t *wanted, const json_t *value) {
  size_t i;
  const json_t *item;
  if (json_is_array(value))
    json_array_foreach(value, i, item) { want_all(wanted, item); }
  if (!json_is_object(value))
    return;
  want(wanted, value);
  for (void *at = json_object_iter((json_t *)(uintptr_t)value); at;
       at = json_object_iter_next((json_t *)(uintptr_t)value, at))
    want_all(wanted, json_object_iter_value(at));
}

static int compare_numbers(const json_t *a, const json_t *b) {
  json_int_t x = json_integer_value(a), y = json_integer_value(b);
  return (x > y) - (x < y);
}

/// [[1, "text"], ...]: the lines around those that are wanted, each once.
static json_t *lines_of(gs_sources *sources, const char *file, json_t *wanted) {
  json_t *out = json_array();
  const json_t *number;
  json_int_t next = 1;
  size_t i;
  gs_json_sort(wanted, compare_numbers);
  json_array_foreach(wanted, i, number) {
    json_int_t line = json_integer_value(number);
    for (json_int_t n = line - AROUND > next ? line - AROUND : next; n <= line + AROUND; n++) {
      const char *text = gs_sources_line(sources, file, n);
      if (!text)
        break;
      if (strlen(text) > LONGEST)
        text = gs_mem_printf(sources->mem, "%.*s...", LONGEST, text);
      json_array_append_new(out, json_pack("[I,o]", n, gs_json_text(sources->mem, text)));
      next = n + 1;
    }
  }
  return out;
}

static int compare_files(const json_t *a, const json_t *b) {
  return strcmp(gs_report_text(a, "file"), gs_report_text(b, "file"));
}

void gs_collect_sources(gs_sources *sources, json_t *report) {
  json_t *wanted = json_object(), *all = json_array(), *lines;
  want_all(wanted, json_object_get(report, "findings"));
  const char *file;
  json_object_foreach(wanted, file, lines) {
    json_t *text = lines_of(sources, file, lines);
    if (json_array_size(text))
      json_array_append_new(all, json_pack("{s:s,s:O}", "file", file, "lines", text));
    json_decref(text);
  }
  gs_json_sort(all, compare_files);
  json_object_set_new(report, "sources", all);
  json_decref(wanted);
}
