// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// "32-bit index arithmetic does not wrap" is no excuse where a contract makes it wrap, in shared
// memory, in conditions, and for products that are shifted back. checkers/README.md, assumptions.
// REQUIRES: clang
// RUN: %python %S/../../kernels/verdicts.py %s %gpusafe --verify
#include "gpusafe.h"
#define t threadIdx.x
#define T (blockIdx.x * blockDim.x + threadIdx.x)

// ---- the contract against the assumption
__global__ void GS_LAUNCH_CONTRACT(block.x == 64, s == 2147483648) race_halves(int *h, unsigned s) { unsigned j = t * s; if (j < 64) h[j + 64 * blockIdx.x] = t; }
__global__ void GS_LAUNCH_CONTRACT(block.x == 64, s == 2147483648) race_halves_plain(int *h, unsigned s) { h[t * s] = t; }
__global__ void GS_LAUNCH_CONTRACT(block.x == 64, grid.x == 8, w == 1073741824) race_rows(int *h, unsigned w) { h[blockIdx.x * w + t] = blockIdx.x; }
__global__ void GS_LAUNCH_CONTRACT(block.x == 64, grid.x == 4, w == 1073741824) proved_rows(int *h, unsigned w) { h[blockIdx.x * w + t] = blockIdx.x; }
__global__ void GS_LAUNCH_CONTRACT(block.x == 64, grid.x == 1, s >= 1073741824) refused_range(int *h, unsigned s) { h[t * s] = t; }
__global__ void GS_LAUNCH_CONTRACT(block.x == 64, grid.x == 1, s > 0, s < 67108864) proved_range(int *h, unsigned s) { h[t * s] = t; }
__global__ void GS_LAUNCH_CONTRACT(block.x == 64, grid.x == 1, s == 67108864) proved_largest(int *h, unsigned s) { h[t * s] = t; }
// No launch fits, though each operation alone would in some.
__global__ void GS_LAUNCH_CONTRACT(block.x >= 2, grid.x >= 2, ld == 4294967295) refused_together(int *o, unsigned ld) { o[blockIdx.x * ld + t] = t; }
__global__ void GS_LAUNCH_CONTRACT(block.x == 256, grid.x >= 2, ld >= 4294967200) refused_together_range(int *o, unsigned ld) { o[blockIdx.x * ld + t] = t; }
// The threads that would wrap do not come here.
__global__ void GS_LAUNCH_CONTRACT(block.x == 64, grid.x == 1, s == 1073741824) proved_few(int *h, unsigned s) { if (t < 4) h[t * s] = t; }
__global__ void GS_LAUNCH_CONTRACT(block.x == 64, grid.x == 1, s == 1073741824) race_few(int *h, unsigned s) { if (t < 5) h[t * s] = t; }
// It wraps, and all is different.
__global__ void GS_LAUNCH_CONTRACT(block.x == 64, grid.x == 1, s == 2654435761) proved_odd(int *h, unsigned s) { h[t * s] = t; }
__global__ void GS_LAUNCH_CONTRACT(block.x == 64, grid.x == 1, s > 0) proved_stride(int *h, unsigned s) { h[t * s] = t; }

// ---- shared memory
__global__ void GS_LAUNCH_CONTRACT(block.x == 64, grid.x == 1, s > 0) race_shared(int *h, unsigned s) { __shared__ int q[64]; q[t] = 0; __syncthreads(); unsigned j = t * s; if (j < 64) q[j] = t; __syncthreads(); h[t] = q[t]; }
__global__ void GS_LAUNCH_CONTRACT(block.x == 64, grid.x == 1, s > 0, s <= 4096) proved_shared(int *h, unsigned s) { __shared__ int q[64]; q[t] = 0; __syncthreads(); unsigned j = t * s; if (j < 64) q[j] = t; __syncthreads(); h[t] = q[t]; }

// ---- conditions of barriers
__global__ void GS_LAUNCH_CONTRACT(block.x == 64, grid.x == 1) race_condition(int *h, unsigned s) { if (t * s / s == t) __syncthreads(); h[t] = 1; }
__global__ void GS_LAUNCH_CONTRACT(block.x == 64, grid.x == 1, s > 0, s <= 4096) proved_condition(int *h, unsigned s) { if (t * s / s == t) __syncthreads(); h[t] = 1; }

// ---- wraps on purpose
__global__ void GS_LAUNCH_CONTRACT(block.x == 1024, grid.x == 2048) race_mixed(int *h) { h[(T * 4096u) >> 12] = T; }
__global__ void GS_LAUNCH_CONTRACT(block.x == 1024, grid.x == 2048) race_shifted(int *h) { h[(T << 12) >> 12] = T; }
__global__ void GS_LAUNCH_CONTRACT(block.x == 1024, grid.x == 1024) proved_mixed(int *h) { h[(T * 4096u) >> 12] = T; }
__global__ void GS_LAUNCH_CONTRACT(block.x == 1024, grid.x == 1024) proved_shifted(int *h) { h[(T << 12) >> 12] = T; }
