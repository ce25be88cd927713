// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// gpusafe-module: one .ll or .bc file to one report. Run by `gpusafe check`.
#ifndef GS_MODULE_H
#define GS_MODULE_H

#include "options.h"

#include <llvm-c/Core.h>

/// Reads and verifies a file. \param error receives a message (of the mem).
/// \returns NULL when it is no NVPTX module. The caller disposes of it.
LLVMModuleRef gs_module_read(gs_mem *mem, LLVMContextRef context, const char *file,
                             const char **error);

/// "sm_90": what the kernels of the module were made for; NULL when they do not say.
const char *gs_module_target(gs_mem *mem, LLVMModuleRef module);

/// Describes every kernel with what the module tells: names from debug information,
/// the types of parameters, and the clauses of the command line that apply.
/// \param problem receives why an --assume applies to no kernel, or NULL.
/// \returns an array of *count descriptions, in module order.
gs_kernel_desc *gs_module_describe(gs_mem *mem, LLVMModuleRef module,
                                   const gs_module_options *options, uint32_t *count,
                                   const char **problem);

/// Frees the clauses of the descriptions; the rest is the mem's.
void gs_module_describe_free(gs_kernel_desc *kernels, uint32_t count);

#endif
