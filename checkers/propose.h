// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Private to the core: the clause that a proof lacks.
#ifndef GS_PROPOSE_H
#define GS_PROPOSE_H

#include "merge.h"
#include "program.h"

/// Looks for a clause over the kernel's integers, launch sizes and arrays with which a
/// finding goes away, by checking the kernel again with it. The finding gets a note that
/// names the clause, with a fix-it where the source has a place for it.
/// \param analyse checks the kernel with the facts of the description that it is given
void gs_propose(const gs_kernel_desc *desc, gs_analyse_fn analyse, void *user, gs_result *result);

/// Numbers that the kernel is written around: elements of shared arrays, and what blockIdx
/// is multiplied with.
void gs_collect_hints(const gs_program *program, gs_result *result);

#endif
