// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What `gpusafe check` prints.
#ifndef GS_PRINT_H
#define GS_PRINT_H

#include "group.h"

typedef struct gs_print_options {
  bool color; ///< of the lines, on standard output
  bool times;
  bool stats;
} gs_print_options;

/// The lines: one for each group, the assumptions, a sum.
void gs_print_groups(gs_mem *mem, const gs_groups *groups, const gs_print_options *options);

/// A table: what was counted for each group, and in all.
void gs_print_stats(gs_mem *mem, const gs_groups *groups, bool times);

/// The findings of a report that no compiler has shown (a .ll or .bc file), in
/// the form of clang's diagnostics, to standard error.
void gs_print_findings(gs_mem *mem, const json_t *report, bool color);

#endif
