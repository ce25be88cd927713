// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One element a thread. vector_add.ptx is made from this file (README.md).
#include "gpusafe.h"

extern "C" GS_LAUNCH_CONTRACT(block.x % 32 == 0, grid.x * block.x >= n)
__global__ void vector_add(const float *a GS_EXTENT(n), const float *b GS_EXTENT(n),
                           float *c GS_EXCLUSIVE(n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}
