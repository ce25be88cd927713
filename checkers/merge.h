// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Several ways to launch a kernel, one result.
#ifndef GS_MERGE_H
#define GS_MERGE_H

#include "result.h"

/// One analysis of the kernel with the facts of `desc`, which may be NULL. `cheap`:
/// another one follows if it proves nothing.
typedef gs_status (*gs_analyse_fn)(void *user, const gs_kernel_desc *desc, bool cheap,
                                   gs_result *result);

/// Checks a kernel for every launch, and if that fails for each way in which the unit
/// launches it. Then the kernel is proved if it is proved for all of them, and a finding
/// names the launch that it is about. A proof that needs no launch has no launch among
/// its assumptions; a launch that hands one buffer to two parameters is always looked at.
/// \param desc NULL when the source told nothing
gs_status gs_check_launches(const gs_kernel_desc *desc, gs_analyse_fn analyse, void *user,
                            gs_result *result);

#endif
