// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the lanes of one warp ask of memory at once. Shared by the rules that advise.
#ifndef GS_WARP_REQUESTS_H
#define GS_WARP_REQUESTS_H

#include "block_accesses.h"

/// One request: the bytes that the lanes of a warp touch with one instruction.
typedef struct gs_request {
  uint32_t first;  ///< number in the block of the thread of lane 0
  uint32_t lanes;  ///< bit l: that lane takes part
  uint64_t offset[GS_WARP_LANES];
  uint32_t size;
} gs_request;

/// What a request costs, and the least that one of its kind can.
typedef uint32_t (*gs_cost_fn)(const gs_request *request);

typedef struct gs_costly {
  gs_request worst;
  uint32_t cost; ///< of it; 0 = no request was seen
} gs_costly;

/// The costliest request of one target of an access in block 0 of a launch.
/// \returns false when what the lanes touch is not known, or another access at the place
/// stands for this one.
bool gs_find_costly(gs_kernel *kernel, gs_block_run *run, uint32_t access, uint32_t target, gs_cost_fn cost,
                    gs_costly *out);

/// Adds a remark about it, with the launch and the first two lanes that take part.
void gs_report_costly(gs_kernel *kernel, gs_rule rule, const gs_block_run *run, uint32_t access,
                      const gs_object *object, const gs_costly *costly, const char *message,
                      const char *advice);

#endif
