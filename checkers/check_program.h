// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Private to the core: one lowered kernel to its result. Who lowered it, or whether
/// it was read as text, makes no difference; nothing here knows LLVM.
#ifndef GS_CHECK_PROGRAM_H
#define GS_CHECK_PROGRAM_H

#include "program.h"
#include "rule.h"

/// How closely a kernel is looked at.
typedef enum gs_look {
  GS_LOOK_WELL,
  GS_LOOK_FIRST, ///< another look follows if this one proves nothing: spend little
  GS_LOOK_TRIAL, ///< what if it had another contract? Only a proof counts
  GS_LOOK_PROOF  ///< the same, and all ends with the first question that is not refuted
} gs_look;

/// Runs all rules that are on over one lowered kernel, with the facts of its description.
/// \param runner   for runs of witnesses; NULL: none are run
/// \param counters receives what was spent, added to what is there
gs_status gs_check_once(gs_program *program, const gs_options *options, gs_look look,
                        const gs_runner *runner, gs_result *result, gs_counters *counters);
/// Which reads of shared memory were taken for one value of the block, and are not shown to be
/// one: to be doubted when the kernel is lowered again.
/// Sets program->reads_hold when there are none.
/// \param keys receives gs_access.read of each. \returns their number, at most `capacity`.
uint32_t gs_find_doubtful_reads(gs_program *program, const gs_options *options, uint64_t *keys,
                                uint32_t capacity);

/// Fills `out` but for the counters.
/// \param desc NULL when the source told nothing
void gs_check_finish(const char *mangled, const gs_kernel_desc *desc, const gs_options *options,
                     gs_result *result, gs_kernel_result *out);

/// Runs all rules that are on, whatever launches there are. `program` gets new terms and symbols.
/// \param arena receives everything that `out` points to.
gs_status gs_check_program(gs_program *program, const gs_options *options, gs_pool *arena,
                           gs_kernel_result *out);

/// A report for `kernel_count` kernels, which are all zero and to be filled.
/// \param arena owned by the report.
gs_status gs_report_new(const gs_input *input, uint32_t kernel_count, gs_report **out,
                        gs_pool **arena, gs_kernel_result **kernels);
/// Ends the filling: frees the report, and sets it to NULL, unless all went well.
gs_status gs_report_close(gs_status status, gs_report **report);

/// The thread's processor time, for gs_kernel_result.time_us.
uint64_t gs_now_us(void);

#endif
