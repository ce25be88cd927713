// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %python %source/test/kernels/verdicts.py %s %gpusafe --verify --block=256 '--assume=n == grid.x * block.x'
// The barrier of the whole launch orders threads of different blocks. As in the toolkit's
// headers, it is a function with a body of atomics and spinning that is known as a whole.

namespace cooperative_groups {
inline namespace __v1 {
namespace details {
namespace grid {
static __device__ __attribute__((always_inline)) void sync(unsigned *arrived) {
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned old = atomicAdd(arrived, blockIdx.x ? 1u : 0x80000000u - (gridDim.x - 1));
    while (((old ^ *(volatile unsigned *)arrived) & 0x80000000u) == 0) {
    }
  }
  __syncthreads();
}
} // namespace grid
} // namespace details
} // namespace __v1
} // namespace cooperative_groups
__device__ unsigned workspace;
__device__ void grid_sync() { cooperative_groups::details::grid::sync(&workspace); }

__global__ void proved_mirror(int *o, const int *a, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  o[i] = a[i];
  grid_sync();
  int v = o[n - 1 - i];
  grid_sync();
  o[i] = v;
}
__global__ void race_mirror_without(int *o, const int *a, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  o[i] = a[i];
  __syncthreads();
  int v = o[n - 1 - i];
  grid_sync();
  o[i] = v;
}
__global__ void race_mirror_one(int *o, const int *a, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  o[i] = a[i];
  grid_sync();
  o[i] = o[n - 1 - i];
}
// Rounds: two buffers in turn.
__global__ void proved_rounds(float *p, float *q, int n, int rounds) {
  int i = blockIdx.x * 256 + threadIdx.x;
  for (int r = 0; r < rounds; r++) {
    q[i] = p[i] + p[n - 1 - i];
    grid_sync();
    p[i] = q[i] + q[n - 1 - i];
    grid_sync();
  }
}
__global__ void race_rounds(float *p, float *q, int n, int rounds) {
  int i = blockIdx.x * 256 + threadIdx.x;
  for (int r = 0; r < rounds; r++) {
    q[i] = p[i] + p[n - 1 - i];
    grid_sync();
    p[i] = q[i] + q[n - 1 - i];
  }
}
// Inside of a block it is a barrier too.
__global__ void proved_inside(int *o) {
  __shared__ int s[256];
  s[threadIdx.x] = threadIdx.x;
  grid_sync();
  o[blockIdx.x * 256 + threadIdx.x] = s[255 - threadIdx.x];
}
// Not reached by all blocks.
__global__ void possible_some_blocks(int *o, const int *a, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  o[i] = a[i];
  if (blockIdx.x < 4)
    grid_sync();
  int v = o[n - 1 - i];
  grid_sync();
  o[i] = v;
}
__global__ void possible_some_threads(int *o, const int *a, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  o[i] = a[i];
  if (threadIdx.x < 32)
    grid_sync();
  int v = o[n - 1 - i];
  if (threadIdx.x >= 32)
    grid_sync();
  o[i] = v;
}
// The sum of each block, then of all: by the last step of block 0.
__global__ void proved_sum(int *o, const int *a, int n) {
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t] = a[blockIdx.x * 256 + t];
  __syncthreads();
  for (int d = 128; d > 0; d /= 2) {
    if (t < d)
      s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0)
    o[blockIdx.x] = s[0];
  grid_sync();
  if (blockIdx.x == 0 && t == 0)
    for (int b = 1; b < gridDim.x; b++)
      o[0] += o[b];
}
__global__ void race_sum_block_barrier(int *o, const int *a, int n) {
  int t = threadIdx.x;
  if (t == 0)
    o[blockIdx.x] = a[blockIdx.x];
  __syncthreads();
  if (blockIdx.x == 0 && t == 0)
    for (int b = 1; b < gridDim.x; b++)
      o[0] += o[b];
}
