// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Reads the JSON reports of plugin and module tool (checkers/report/README.md).
#ifndef GS_REPORT_H
#define GS_REPORT_H

#include "gs.h"
#include "tool.h"

#include <jansson.h>

/// Loads a report and checks that every field the tool uses is there with the
/// right type, so that the rest of the tool need not.
/// \param problem receives what is wrong, when NULL is returned.
/// \returns a new reference, or NULL.
json_t *gs_report_load(gs_mem *mem, const char *path, const char **problem);

/// Checks the same of a report that is loaded already. \returns what is wrong, or NULL.
const char *gs_report_problem(gs_mem *mem, const json_t *report);

/// Text of a field; "" when it is absent or null.
const char *gs_report_text(const json_t *object, const char *key);
/// \returns the verdict of a kernel or finding of a loaded report.
gs_verdict gs_report_verdict(const json_t *object);
/// "file:line:column" of the `location` of an object; "" when unknown.
const char *gs_report_place(gs_mem *mem, const json_t *object);

/// How bad a verdict is, when several are summed up in one: PROVED 0, TRUSTED,
/// UNKNOWN, POSSIBLE, RACE 4.
int gs_verdict_badness(gs_verdict verdict);
/// True for a finding that decides the exit code: a broken claim or a definite race.
bool gs_finding_counts(const json_t *finding);
/// Number of such findings of a report.
size_t gs_report_findings(const json_t *report);

#endif
