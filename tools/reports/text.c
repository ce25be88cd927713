// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The report for a terminal or a log: clang's form of diagnostics, then what was not checked,
// what is taken on trust, and a sum.
#include "render.h"
#include "report.h"

#include <string.h>

static const char *place_or(gs_mem *mem, const json_t *object, const char *fallback) {
  const char *place = gs_report_place(mem, object);
  return *place ? place : fallback;
}

static bool is_suppressed(const json_t *finding) {
  return json_is_object(json_object_get(finding, "suppression"));
}

/// Accesses and notes, each place and text once.
static void print_notes(gs_mem *mem, const json_t *finding, const char *place, FILE *file) {
  size_t i;
  const json_t *item;
  gs_list said = {0};
  json_array_foreach(json_object_get(finding, "accesses"), i, item) {
    const char *line = gs_mem_printf(mem, "%s: note: %s is here", place_or(mem, item, place),
                                     gs_access_text(mem, finding, item));
    if (!gs_list_has(&said, line))
      fprintf(file, "%s\n", line);
    gs_list_add(mem, &said, line);
  }
  json_array_foreach(json_object_get(finding, "notes"), i, item) {
    fprintf(file, "%s: note: %s\n", place_or(mem, item, place), gs_report_text(item, "text"));
  }
}

/// "seen by 3 files, 2 architectures", when it is more than one.
static void print_breadth(const json_t *finding, const char *place, FILE *file) {
  size_t units = json_array_size(json_object_get(finding, "units"));
  size_t targets = json_array_size(json_object_get(finding, "targets"));
  if (units > 1 || targets > 1)
    fprintf(file, "%s: note: the same in %zu source%s, for %zu architecture%s\n", place, units,
            units == 1 ? "" : "s", targets, targets == 1 ? "" : "s");
}

static void print_finding(gs_mem *mem, const json_t *finding, FILE *file) {
  const char *severity = gs_report_text(finding, "severity");
  const char *place = place_or(mem, finding, "(no place)");
  bool known = !strcmp(gs_report_text(finding, "baseline"), "known");
  bool full = !strcmp(severity, "definite") || !strcmp(severity, "claim") ||
              !strcmp(severity, "path");
  fprintf(file, "%s: %s: %s [gpusafe-%s]%s\n", place,
          json_is_true(json_object_get(finding, "error")) ? "error" : full ? "warning" : severity,
          gs_report_text(finding, "message"), gs_report_text(finding, "rule"),
          known ? " (in the baseline)" : "");
  if (!full)
    return;
  print_notes(mem, finding, place, file);
  print_breadth(finding, place, file);
}

static void print_failed(const json_t *report, FILE *file) {
  size_t i, failed = 0;
  const json_t *unit;
  json_array_foreach(json_object_get(report, "units"), i, unit) {
    if (strcmp(gs_report_text(unit, "status"), "failed"))
      continue;
    if (!failed++)
      fputs("not analysed:\n", file);
    fprintf(file, "  %s: %s\n", gs_report_text(unit, "file"), gs_report_text(unit, "reason"));
  }
}

static void print_trusts(gs_mem *mem, const json_t *report, FILE *file) {
  size_t i;
  const json_t *trust, *trusts = json_object_get(report, "trusts");
  if (json_array_size(trusts))
    fputs("taken on trust:\n", file);
  json_array_foreach(trusts, i, trust) {
    fprintf(file, "  %s: %s: %s\n", place_or(mem, trust, "(no place)"),
            gs_report_text(trust, "rule"), gs_report_text(trust, "reason"));
  }
}

static long long number(const json_t *summary, const char *key) {
  return (long long)json_integer_value(json_object_get(summary, key));
}

static void print_sum(const json_t *report, FILE *file) {
  static const char *const verdicts[] = {"PROVED", "TRUSTED", "RACE", "POSSIBLE", "UNKNOWN"};
  static const char *const words[] = {"proved", "trusted", "race", "possible", "unknown"};
  static const char *const kinds[] = {"definite", "claim", "path", "possible", "unknown", "suppressed",
                                      "known"};
  static const char *const kind_words[] = {"definite", "unproved claim", "on a host path",
                                           "possible", "unknown", "suppressed",
                                           "in the baseline"};
  const json_t *summary = json_object_get(report, "summary");
  fprintf(file, "%lld source%s, %lld not analysed; %lld kernel%s", number(summary, "units"),
          number(summary, "units") == 1 ? "" : "s", number(summary, "failed"),
          number(summary, "kernels"), number(summary, "kernels") == 1 ? "" : "s");
  const char *separator = ": ";
  for (size_t i = 0; i < 5; i++)
    if (number(summary, verdicts[i])) {
      fprintf(file, "%s%lld %s", separator, number(summary, verdicts[i]), words[i]);
      separator = ", ";
    }
  separator = "; findings: ";
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (number(summary, kinds[i])) {
      fprintf(file, "%s%lld %s", separator, number(summary, kinds[i]), kind_words[i]);
      separator = ", ";
    }
  fputc('\n', file);
}

void gs_render_text(gs_mem *mem, const json_t *report, FILE *file) {
  size_t i;
  const json_t *finding;
  json_array_foreach(json_object_get(report, "findings"), i, finding) {
    if (!is_suppressed(finding) && strcmp(gs_report_text(finding, "severity"), "remark"))
      print_finding(mem, finding, file);
  }
  print_failed(report, file);
  print_trusts(mem, report, file);
  print_sum(report, file);
}
