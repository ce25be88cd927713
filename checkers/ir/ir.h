// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// From an NVPTX module to lowered kernels. This folder is the only one that
/// includes llvm-c.
#ifndef GS_IR_H
#define GS_IR_H

#include "gs.h"
#include "identity.h"
#include "program.h"

typedef struct gs_ir gs_ir;

/// Clones and prepares the module (see prepare.c).
/// \param error receives a message on failure; free with free().
gs_status gs_ir_open(struct LLVMOpaqueModule *module, gs_ir **out, char **error);
void gs_ir_close(gs_ir *ir);

/// Kernels in module order.
uint32_t gs_ir_kernel_count(const gs_ir *ir);
const char *gs_ir_kernel_name(const gs_ir *ir, uint32_t kernel);
/// True when the module looks as if optimisation passes had run.
bool gs_ir_is_optimised(const gs_ir *ir);

/// Adds the prepared code of a kernel, and what it refers to, to its identity.
gs_status gs_ir_identity(gs_ir *ir, uint32_t kernel, gs_sha256 *hash);

/// Among doubted reads: all of them.
#define GS_ALL_READS UINT64_MAX

typedef struct gs_lower_options {
  bool strict;  ///< no assumption that arguments do not overlap
  bool wraps;   ///< none that 32-bit index arithmetic does not wrap; strict implies it
  const uint64_t *doubted; ///< reads whose value is each thread's own (gs_access.read)
  uint32_t doubted_count;
} gs_lower_options;

/// Lowers one kernel. What is not understood becomes an opaque symbol, an
/// opaque access or a gap; GS_OK all the same.
/// \param out owned by the caller: gs_program_free.
gs_status gs_ir_lower(gs_ir *ir, uint32_t kernel, const gs_kernel_desc *desc,
                      const gs_lower_options *options, gs_program **out);

#endif
