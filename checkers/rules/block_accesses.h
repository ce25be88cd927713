// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// All accesses of one block in one launch, from the terms: which thread touches which
/// bytes, as far as that is a matter of indices, sizes and loop counters.
#ifndef GS_BLOCK_ACCESSES_H
#define GS_BLOCK_ACCESSES_H

#include "rule.h"

typedef struct gs_block_run gs_block_run;

/// How large the integer parameters are where the contract leaves them open.
typedef enum gs_run_size {
  GS_RUN_SMALL, ///< 100: less than a block, and no multiple of anything
  GS_RUN_LARGE, ///< 2^20
  GS_RUN_SIZES
} gs_run_size;

/// Block 0 of a launch that the contract and the listed facts allow. The block size is what
/// they say, and an ordinary one where a kernel with claims leaves it open.
/// \returns NULL when there is none of this kind, or memory is short.
gs_block_run *gs_block_run_new(gs_kernel *kernel, gs_run_size size);
void gs_block_run_free(gs_block_run *run);

/// From here on only the first iterations of each loop are visited: a part of what there is.
/// \param rounds how many; 0: all
void gs_block_run_limit(gs_block_run *run, uint64_t rounds);

/// Fills in grid, block and the values of the parameters, also for a run of it.
void gs_block_run_launch(const gs_block_run *run, gs_witness *witness);

/// Threads of the block that execute an access in one iteration, up to 64 in a row.
typedef struct gs_lane_bytes {
  uint32_t first;         ///< number in the block of the thread of lane 0; a multiple of 64
  uint64_t lanes;         ///< bit l: that lane executes it
  const uint64_t *offset; ///< by lane: where in the object
  uint32_t size;          ///< bytes
} gs_lane_bytes;

/// \returns false when enough has been seen.
typedef bool (*gs_visit_lanes_fn)(void *user, const gs_lane_bytes *bytes);

/// Visits what every thread of the block touches through one target of an access.
/// \param widely true: conditions that are not known count as true, and the visits are at
///               least all there are; false: they count as false, and all visits happen
/// \returns false when not even that is known, or it is too much work; then visits are of no
///          use where `widely` is set. True when a visit ended it.
bool gs_block_run_access(gs_block_run *run, uint32_t access, uint32_t target, bool widely,
                         gs_visit_lanes_fn visit, void *user);

/// threadIdx of a thread by its number in the block.
gs_dim gs_block_run_thread(const gs_block_run *run, uint32_t number);

#endif
