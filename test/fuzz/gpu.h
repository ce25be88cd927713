// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Random kernels for runs on a device.
#ifndef FZ_GPU_H
#define FZ_GPU_H

#include "oracle.h"

/// Appends up to three launches of the kernel to a file that test/gpu/run.c reads.
/// \returns how many.
uint32_t fz_gpu_launches(FILE *f, const fz_kernel *k, const gs_kernel_desc *desc,
                         const gs_kernel_result *result, const gs_code *code);

#endif
