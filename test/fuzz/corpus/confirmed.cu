// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Witnesses that a run once refuted because the launch was set up wrongly.
#include <gpusafe.h>

// A parameter that the contract makes constant is in no fact of the witness.
GS_LAUNCH_CONTRACT(block.x == 64, grid.x == 1, m == 4)
__global__ void chunk_and_next(float *c GS_DISJOINT(n * m), int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int j = 0; j <= m; j++)
      c[i * m + j] = 0;
}

// Atomic operations order each other only where they overlap completely.
__global__ void halves(unsigned long long *c) {
  if (threadIdx.x & 1)
    atomicAdd((unsigned *)c, 1u);
  else
    atomicAdd(c, 1ull);
}
