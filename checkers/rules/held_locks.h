// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GS_HELD_LOCKS_H
#define GS_HELD_LOCKS_H

#include "rule.h"

/// What holds of two threads that conflict: they do not hold one lock, which would order them.
/// About the scene's latest case; may be none.
gs_term gs_held_locks_fact(gs_kernel *kernel, const gs_meeting *meeting, uint32_t a, uint32_t b);

#endif
