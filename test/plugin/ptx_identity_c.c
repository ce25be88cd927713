// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: sh %S/Inputs/same_ptx.sh "%clang_c %s" "%plugin" %t contracts
#include <gpuintrin.h>
#include <gpusafe.h>

// The accessors of gpuintrin.h mention all axes.
GS_LAUNCH_CONTRACT(block == dim(256), grid.y * grid.z == 1, n >= 0)
__gpu_kernel void scale(float *p GS_DISJOINT(n), int n) {
  int i = (int)(__gpu_block_id(0) * __gpu_num_threads(0) + __gpu_thread_id(0));
  if (i < n)
    GS_TRUSTED(data-race, "each thread has its own element") p[i] *= 2;
}
