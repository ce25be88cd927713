// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Building the result of one kernel. Everything is kept in the report's arena.
#ifndef GS_RESULT_H
#define GS_RESULT_H

#include "gs.h"
#include "pool.h"

/// Where nothing tells the size of dynamic shared memory.
#define GS_DYNAMIC_IS_ENOUGH "dynamic shared memory is as large as the kernel uses it"

/// A kernel's result while it grows.
typedef struct gs_result {
  gs_pool *arena;
  gs_finding *findings;
  uint32_t finding_count, finding_capacity;
  gs_assumption *assumptions;
  uint32_t assumption_count, assumption_capacity;
  uint32_t assumed; ///< as in gs_kernel_result
  uint32_t trusted; ///< findings that a trust covered
  bool reaches_beyond; ///< as in gs_kernel_result
  bool has_gaps;    ///< the kernel has something that no launch makes known
  uint32_t hints[8]; ///< numbers that the kernel is written around, for proposals
  uint32_t hint_count;
  bool contradicted; ///< indices that are taken not to wrap do so in every launch: look without that
  bool has_launch;  ///< a launch that satisfies the contract is known
  bool wants_launches; ///< a rule can say more where the launches in the source are known
} gs_result;

/// Appends; the finding's own pointers must be in the arena. \returns the stored
/// finding (valid until the next call), NULL when memory is short.
gs_finding *gs_result_add(gs_result *result, const gs_finding *finding);
/// Adds an assumption unless the same text is there.
void gs_result_assume(gs_result *result, const char *text, bool checked, gs_loc loc);
/// "line 12" or "lines 12, 40 and 41". \param lines sorted here
const char *gs_result_lines(gs_pool *arena, uint32_t *lines, uint32_t count);
/// Appends a note to a finding.
void gs_result_note(gs_result *result, gs_finding *finding, gs_loc loc, const char *text);
/// Of two findings at one place the worse one is told.
bool gs_verdict_worse(gs_verdict a, gs_verdict b);
/// The verdict so far.
gs_verdict gs_result_verdict(const gs_result *result);
/// Sorts, drops the builder's own memory, fills `out`.
void gs_result_finish(gs_result *result, gs_kernel_result *out);

#endif
