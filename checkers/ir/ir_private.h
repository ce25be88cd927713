// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Private to ir/.
#ifndef GS_IR_PRIVATE_H
#define GS_IR_PRIVATE_H

#include "function_text.h"
#include "ir.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>

struct gs_ir {
  LLVMModuleRef module; ///< the prepared clone
  LLVMTargetDataRef layout;
  LLVMValueRef *kernels;
  uint32_t kernel_count;
  bool optimised;
  gs_function_texts *texts; ///< NULL: not asked for yet
};

/// Functions that stand for an unknown value of one type or for unknown contents
/// of memory; inserted before sroa so that uninitialised is unknown, not undef.
#define GS_UNINIT_VALUE "gs.uninit.value"
#define GS_UNINIT_MEMORY "gs.uninit.memory"

/// Calling convention of kernels.
enum { GS_PTX_KERNEL = 71 };

/// Marks the calls that would make a kernel too large: they stay calls.
/// \returns false when memory is short.
bool gs_ir_bound_inlining(LLVMModuleRef module);

/// Puts what the source assumes into branches (assume.c).
void gs_ir_split_assumes(LLVMModuleRef module);

/// Runs the only passes allowed before extraction over `module`.
gs_status gs_ir_prepare(LLVMModuleRef module, char **error);

/// \returns true when `name` starts with `prefix`.
bool gs_has_prefix(const char *name, const char *prefix);
/// The callee of a direct call, else NULL.
LLVMValueRef gs_ir_callee(LLVMValueRef call);
/// The value's name (never NULL).
const char *gs_ir_name(LLVMValueRef value);

#endif
