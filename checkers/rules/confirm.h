// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Running the witness of a finding before it is called definite.
#ifndef GS_CONFIRM_H
#define GS_CONFIRM_H

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

/// What a refuted violation hangs on.
extern const char gs_refuted_reason[];

#endif
