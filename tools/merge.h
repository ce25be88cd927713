// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The merged report of a run (checkers/report/README.md).
#ifndef GS_MERGE_H
#define GS_MERGE_H

#include "group.h"

/// \param with_times keep the fields time_us.
/// \returns a new reference; NULL when memory is short.
json_t *gs_merge(const gs_unit *units, size_t unit_count, const gs_groups *groups, int exit_code,
                 bool with_times);

/// Writes JSON to a file, or to standard output for "-". Prints a message on
/// failure. \returns an exit code.
int gs_json_write(const json_t *json, const char *path);

#endif
