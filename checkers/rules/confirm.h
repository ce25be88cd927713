// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Running the witness of a finding before it is called definite.
#ifndef GS_CONFIRM_H
#define GS_CONFIRM_H

#include "rerun.h"
#include "rule.h"

/// Adds to a witness what a run of it needs: arguments, contents of memory, the array.
void gs_witness_complete(gs_kernel *kernel, const gs_violation *violation, gs_witness *witness);

/// Runs the witness of a violation whose model is exact. Does nothing when nobody hears of
/// the finding (gs_kernel.cheap).
/// \param barriers_order accesses that barriers order are no conflict (not so for `disjoint`)
/// \param replay receives what gs_finding.replay is to say
/// \returns false when the run refutes the violation: it is at most possible.
bool gs_violation_confirmed(gs_kernel *kernel, const gs_violation *violation,
                            const gs_witness *witness, bool barriers_order, const char **replay);

/// The same of a violation about no byte: its thread comes to the place, or its two threads do
/// not come to it alike.
bool gs_visit_confirmed(gs_kernel *kernel, const gs_witness *witness, const gs_rerun_place *place,
                        const char **replay);

/// The same of two accesses of one thread, which makes both, to the byte.
bool gs_both_confirmed(gs_kernel *kernel, const gs_violation *violation, const gs_witness *witness,
                       const char **replay);

/// The same of a read at the line of a byte that nobody in the block writes.
bool gs_unwritten_confirmed(gs_kernel *kernel, const gs_witness *witness, uint32_t line, const char **replay);

/// What a run of a witness that was not made from a violation needs to know of the array.
void gs_witness_array(gs_kernel *kernel, const gs_object *object, gs_witness *witness);

/// What a refuted violation hangs on.
extern const char gs_refuted_reason[];
/// The same of one that is not about two accesses that meet.
extern const char gs_refuted_visit[];

#endif
