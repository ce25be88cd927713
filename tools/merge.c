// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "merge.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static void drop_times(json_t *report) {
  size_t i;
  json_t *kernel;
  json_array_foreach(json_object_get(report, "kernels"), i, kernel) {
    json_object_del(kernel, "time_us");
  }
}

static json_t *optional(const char *text) { return text ? json_string(text) : json_null(); }

static json_t *failure(const gs_unit *unit) {
  // File names need not be UTF-8, and jansson takes nothing else.
  json_t *file = json_string(unit->file);
  return json_pack("{s:o,s:o,s:i,s:o}", "file", file ? file : json_string("?"), "target",
                   optional(unit->target), "status", unit->status, "message",
                   optional(unit->message ? unit->message : "the source has errors"));
}

static json_t *summary(const gs_unit *units, size_t unit_count, const gs_groups *groups,
                       int exit_code) {
  json_int_t sums[GS_UNKNOWN + 1] = {0};
  size_t findings = 0;
  for (size_t i = 0; i < groups->count; i++)
    sums[groups->items[i].verdict]++;
  for (size_t i = 0; i < unit_count; i++)
    findings += gs_report_findings(units[i].report);
  json_t *object = json_object();
  json_object_set_new(object, "kernels", json_integer((json_int_t)groups->count));
  for (int v = GS_PROVED; v <= GS_UNKNOWN; v++)
    json_object_set_new(object, gs_verdict_name((gs_verdict)v), json_integer(sums[v]));
  json_object_set_new(object, "findings", json_integer((json_int_t)findings));
  json_object_set_new(object, "exit_code", json_integer(exit_code));
  return object;
}

json_t *gs_merge(const gs_unit *units, size_t unit_count, const gs_groups *groups, int exit_code,
                 bool with_times) {
  json_t *reports = json_array(), *failures = json_array();
  for (size_t i = 0; i < unit_count; i++) {
    if (!units[i].report) {
      json_array_append_new(failures, failure(&units[i]));
      continue;
    }
    if (!with_times)
      drop_times(units[i].report);
    json_array_append(reports, units[i].report);
  }
  return json_pack("{s:i,s:s,s:o,s:o,s:o}", "version", GS_REPORT_VERSION, "generator",
                   "gpusafe " GPUSAFE_VERSION, "reports", reports, "failures", failures, "summary",
                   summary(units, unit_count, groups, exit_code));
}

int gs_json_write(const json_t *json, const char *path) {
  if (!json)
    return gs_fail(GS_EXIT_INTERNAL, "out of memory while writing the report");
  bool to_stdout = !strcmp(path, "-");
  FILE *file = to_stdout ? stdout : fopen(path, "w");
  if (!file)
    return gs_fail(GS_EXIT_INPUT, "cannot write '%s': %s", path, strerror(errno));
  bool good = json_dumpf(json, file, JSON_INDENT(2)) == 0 && fputc('\n', file) != EOF;
  if (!to_stdout && fclose(file) != 0)
    good = false;
  return good ? GS_EXIT_OK : gs_fail(GS_EXIT_INPUT, "cannot write '%s'", path);
}
