// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Makes one scan report of the reports of many units: each kernel and each finding once,
/// whatever number of files, architectures and template instances show it.
///
/// The scan report is JSON (README.md beside this file), and all that renders it takes it
/// as that.
#ifndef GS_REPORTS_COLLECT_H
#define GS_REPORTS_COLLECT_H

#include "sources.h"

/// What is known of one analysed source.
typedef struct gs_result {
  const char *file;      ///< as written
  const char *directory; ///< where relative names are meant; NULL: the root
  const json_t *merged;  ///< what `gpusafe check --json` wrote; NULL: nothing was written
  const char *errors;    ///< what it printed, for findings that are in no report and for the
                         ///< reason of a failure; may be ""
  const gs_list *remarks; ///< what the translation left out; may be NULL
} gs_result;

typedef struct gs_collector gs_collector;

gs_collector *gs_collector_create(gs_mem *mem, gs_sources *sources);

/// Adds a unit. Results may come in any order: the report does not show it.
void gs_collector_add(gs_collector *collector, const gs_result *result);

/// \returns the scan report, a new reference; NULL when memory is short.
json_t *gs_collector_finish(gs_collector *collector);

/// Looks for diagnostics in the text that a compile printed.
typedef struct gs_diagnostic {
  const char *file;
  json_int_t line, column;
  bool is_error, is_note;
  const char *message; ///< without the rule
  const char *rule;    ///< after "gpusafe-"; NULL: not one of ours
} gs_diagnostic;

/// Reads the next "file:line:column: kind: message" from *text, which moves on.
/// \returns false at the end.
bool gs_diagnostic_next(gs_mem *mem, const char **text, gs_diagnostic *out);

/// "definite", "claim", "path", "possible", "unknown" or "remark": what a policy calls a finding.
const char *gs_finding_severity(const json_t *finding);

/// Gives every finding its `id`: a hash of what does not move when lines above it do.
/// The findings are in order.
void gs_fingerprint_all(gs_sources *sources, json_t *findings);

/// Adds the lines around all places of all findings to the report.
void gs_collect_sources(gs_sources *sources, json_t *report);

/// Where a JSON array of objects is sorted by place; `location` may be null.
int gs_compare_places(const json_t *a, const json_t *b);
/// Replaces an array by a sorted copy of itself (stable).
void gs_json_sort(json_t *array, int (*compare)(const json_t *, const json_t *));

#endif
