// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Barriers as they are called: intrinsics, functions of the toolkit, inline PTX.
#ifndef GS_BARRIER_CALL_H
#define GS_BARRIER_CALL_H

#include "ir_private.h"

/// One barrier instruction of PTX, as text (PTX ISA 8.8, 9.7.13.1 to 9.7.13.4).
typedef struct gs_ptx_barrier {
  bool is_warp, is_cluster, arrives; ///< arrives: does not wait
  bool relaxed;                      ///< an arrival that orders nothing before it
  uint32_t count;                    ///< operands: 0 to 2
  bool is_operand[2];                ///< `$n`, else a number
  uint64_t value[2];                 ///< the number, or n
} gs_ptx_barrier;

/// Reads the statement at `text`. \returns false when it is no barrier that is known, or
/// has a predicate.
bool gs_ptx_read_barrier(const char *text, const char *end, gs_ptx_barrier *out);

/// The statement of inline PTX that is a barrier: gs_model_of_ptx has found exactly one.
/// \returns false when it is not understood.
bool gs_ptx_find_barrier(LLVMValueRef call, gs_ptx_barrier *out);
/// Operand i of a barrier in inline PTX that has no results: a value, or NULL for a number.
LLVMValueRef gs_ptx_barrier_value(LLVMValueRef call, const gs_ptx_barrier *barrier, uint32_t i);

/// What a call of one of the model's SYNC kinds waits for.
typedef struct gs_sync_call {
  gs_barrier_kind kind;
  uint32_t id;        ///< see gs_barrier
  bool arrives;       ///< the first half of a barrier
  LLVMValueRef mask;  ///< WARP: lanes; NAMED: threads; NULL: `number`
  uint64_t number;
} gs_sync_call;

gs_sync_call gs_ir_sync_call(LLVMValueRef call);

#endif
