// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Control-flow graph, dominators and natural loops of one function.
#ifndef GS_CFG_H
#define GS_CFG_H

#include "ir_private.h"

typedef struct gs_cfg_loop {
  uint32_t header; ///< block
  uint32_t parent; ///< loop, GS_NONE = outermost
  uint32_t depth;  ///< 1 = outermost
} gs_cfg_loop;

/// Blocks are numbered in reverse post-order; 0 is the entry. Only reachable
/// blocks are numbered.
typedef struct gs_cfg {
  LLVMBasicBlockRef *bbs;
  uint32_t count;
  uint32_t **succ, *succ_count;
  uint32_t **pred, *pred_count; ///< each predecessor once per edge
  uint32_t *idom;
  uint32_t *loop; ///< innermost loop of each block, GS_NONE = none
  gs_cfg_loop *loops; ///< a parent comes before its children
  uint32_t loop_count;
  bool irreducible;
  // pointer -> block number
  void **keys;
  uint32_t *values;
  uint32_t table_size;
} gs_cfg;

bool gs_cfg_build(LLVMValueRef function, gs_cfg *cfg);
void gs_cfg_free(gs_cfg *cfg);
/// GS_NONE when the block is unreachable.
uint32_t gs_cfg_block(const gs_cfg *cfg, LLVMBasicBlockRef bb);
/// The call at which a thread ends for good (a trap), in front of the block's end; else NULL.
LLVMValueRef gs_cfg_stop(LLVMBasicBlockRef bb);
bool gs_cfg_has_edge(const gs_cfg *cfg, uint32_t from, uint32_t to);
bool gs_cfg_dominates(const gs_cfg *cfg, uint32_t a, uint32_t b);
/// True when loop `inner` is `outer` or inside it (GS_NONE contains all).
bool gs_cfg_loop_contains(const gs_cfg *cfg, uint32_t outer, uint32_t inner);

#endif
