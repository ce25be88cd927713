// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What is known of a called function.
#ifndef GS_MODEL_H
#define GS_MODEL_H

#include "ir_private.h"

typedef enum gs_model_kind {
  GS_MODEL_UNKNOWN,
  GS_MODEL_PURE,
  GS_MODEL_LANE,
  GS_MODEL_VOTE,
  GS_MODEL_REDUCE,
  GS_MODEL_BROADCAST,
  GS_MODEL_BLOCK,
  GS_MODEL_SYNC,
  GS_MODEL_SYNC_ID,
  GS_MODEL_SYNC_N,
  GS_MODEL_SYNC_ARRIVE,
  GS_MODEL_SYNC_WARP,
  GS_MODEL_SYNC_GRID,
  GS_MODEL_CLUSTER_ARRIVE,
  GS_MODEL_CLUSTER_WAIT,
  GS_MODEL_SYNC_PTX, ///< a barrier in inline PTX (barrier_call.h), not that of __syncthreads
  GS_MODEL_FENCE,
  GS_MODEL_NOTHING,
  GS_MODEL_READ,
  GS_MODEL_ATOMIC,
  GS_MODEL_COPY,
  GS_MODEL_FILL,
  GS_MODEL_OUT4,
  GS_MODEL_OUT8,
  GS_MODEL_ALLOC,
  GS_MODEL_ASYNC,
  GS_MODEL_MATRIX,
  GS_MODEL_PTX, ///< inline PTX that touches memory (ptx.h)
  GS_MODEL_STOPS
} gs_model_kind;

static inline bool gs_model_synchronises(gs_model_kind kind) {
  return kind >= GS_MODEL_SYNC && kind <= GS_MODEL_SYNC_PTX;
}

/// Is a function of this name, though it has a body, known as a whole?
bool gs_model_is_unit(const char *name);

/// \param call a call instruction, indirect calls and inline assembly included.
gs_model_kind gs_model_of(LLVMValueRef call);
typedef enum gs_model_fence {
  GS_FENCE_NONE,  ///< no fence
  GS_FENCE_MAYBE, ///< of a scope or under a condition that is not told apart
  GS_FENCE_BLOCK, ///< of less than the device
  GS_FENCE_GRID   ///< of the device, or of more
} gs_model_fence;

/// Is a call, an intrinsic or inline PTX, a fence of memory?
/// \param kind what gs_model_of says of it
gs_model_fence gs_model_fence_of(LLVMValueRef call, gs_model_kind kind);
/// Inline PTX by its opcodes. \param what receives the first opcode that is not
/// understood (at least 32 bytes).
gs_model_kind gs_model_of_ptx(LLVMValueRef assembly, char *what, size_t size);

#endif
