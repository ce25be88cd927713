// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Where in its object an access can be at all, as constants: most pairs of accesses
/// to different parts of one array need no prover.
#ifndef GS_OFFSET_RANGE_H
#define GS_OFFSET_RANGE_H

#include "rule.h"

typedef struct gs_offset_ranges gs_offset_ranges;

/// For the kernel's launch; ranges are found when they are asked for. NULL when memory is
/// short. Free with gs_offset_ranges_free.
gs_offset_ranges *gs_offset_ranges_new(gs_kernel *kernel);
void gs_offset_ranges_free(gs_offset_ranges *ranges);

/// Do target `ta` of access `a` and target `tb` of access `b`, of one object, never touch a
/// common byte, whichever threads execute them? False: not known. `ranges` may be NULL.
bool gs_offsets_apart(gs_offset_ranges *ranges, uint32_t a, uint32_t ta, uint32_t b, uint32_t tb);
/// Does the access stay inside of the first `size` bytes, whichever thread executes it?
/// False: not known.
bool gs_offset_inside(gs_offset_ranges *ranges, uint32_t access, uint32_t target, uint64_t size);

#endif
