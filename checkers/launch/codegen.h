// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a contract that the runtime enforces lets a code generator take for granted.
#ifndef GS_CODEGEN_H
#define GS_CODEGEN_H

#include "gs.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gs_codegen {
  uint32_t block[3];    ///< the only block size allowed; zeros: several are
  uint32_t max_threads; ///< per block at most; 0: nothing below what every device takes
} gs_codegen;

/// Block sizes that the kernel's contract allows, from its clauses that compare sizes with
/// constants (others are not understood, which only gives less), and from the axes that the
/// proof took to be 1.
/// \param assumed GS_DESC_ASSUME_…, which the runtime checks
gs_codegen gs_contract_codegen(const gs_kernel_desc *kernel, uint32_t assumed);

/// True when pointer parameters can be told not to alias: every access of the kernel was
/// proved to lie in the elements that some parameter declares, and the runtime compares all
/// these ranges at every launch. \param result a kernel whose accesses were all proved in bounds
bool gs_contract_no_alias(const gs_kernel_desc *kernel, const gs_kernel_result *result);

#ifdef __cplusplus
}
#endif
#endif
