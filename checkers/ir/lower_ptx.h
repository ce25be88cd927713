// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Private to ir/: inline PTX in a kernel.
#ifndef GS_LOWER_PTX_H
#define GS_LOWER_PTX_H

#include "lower.h"
#include "ptx.h"

enum { GS_PTX_CONSTRAINTS = 64 };

/// The constraints of a piece of assembly: which call argument operand n is.
typedef struct gs_ptx_operands {
  LLVMValueRef call;
  unsigned outputs, inputs;
  int tied[GS_PTX_CONSTRAINTS]; ///< by output: the input that it starts with, or -1
  bool fine;
} gs_ptx_operands;

void gs_ptx_parse_call(LLVMValueRef call, gs_ptx_operands *operands, gs_ptx *out);
/// The value that an address is counted from; NULL when nobody knows it.
LLVMValueRef gs_ptx_address_value(const gs_ptx_operands *operands, gs_ptx_address address);
/// `mov.u32 $0, %laneid;` and the like. \returns the register's name, or NULL.
const char *gs_ptx_register_read(LLVMValueRef call, char *name, size_t size);

/// Accesses of a call of inline PTX (GS_MODEL_PTX).
void gs_lower_ptx_effects(gs_lowering *low, LLVMValueRef call, uint32_t block);
/// Result of inline PTX; GS_NO_TERM when nothing more is known than what the model says.
gs_term gs_lower_ptx_value(gs_lowering *low, LLVMValueRef call, uint32_t block);
/// The pointers that a call of inline PTX writes through.
/// \returns their number, or UINT32_MAX when it may write anything.
uint32_t gs_lower_ptx_writes(LLVMValueRef call, LLVMValueRef out[GS_PTX_EFFECTS]);

/// The same for the intrinsics that copy asynchronously (GS_MODEL_ASYNC).
void gs_lower_async_call(gs_lowering *low, LLVMValueRef call, uint32_t block);

/// An index register by its PTX name ("tid.x", "laneid", "lanemask_lt"); GS_NO_TERM when
/// its value is not known. In lower_call.c.
gs_term gs_lower_register(gs_lowering *low, const char *name);

#endif
