// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %python %source/test/kernels/verdicts.py %s %gpusafe --block=64
// A kernel that claims nothing is not told what its author knows: what the memory holds that an
// index is read from, and that sizes fit into an array. What no launch avoids is certain.
#include <gpusafe.h>

#define T (blockIdx.x * 64 + threadIdx.x)

// ---- an index that is read
__global__ void possible_gather(float *o, const int *at) {
  float l[8];
  for (int i = 0; i < 8; i++) l[i] = i;
  o[T] = l[at[T]];
}
__global__ void possible_previous(float *o, const int *at) {
  float l[8];
  for (int i = 0; i < 8; i++) l[i] = i;
  o[T] = l[at[T] - 1];
}
__global__ void possible_bins(int *o, const unsigned char *a) {
  __shared__ int bins[64];
  bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[a[T]], 1);
  __syncthreads();
  o[T] = bins[threadIdx.x];
}
GS_LAUNCH_CONTRACT(block.x == 64)
__global__ void race_claimed_gather(float *o GS_DISJOINT(64 * grid.x), const int *at) {
  float l[8];
  for (int i = 0; i < 8; i++) l[i] = i;
  o[T] = l[at[T]];
}

// ---- a loop as long as a parameter says
__global__ void possible_sizes(float *o, const float *a, int n) {
  __shared__ float s[128];
  for (int i = threadIdx.x; i < n; i += 64) s[i] = a[i];
  __syncthreads();
  o[T] = s[threadIdx.x];
}
__global__ void possible_product(float *o, const float *a, int g, int k) {
  __shared__ float s[128];
  const int n = g * k;
  for (int i = threadIdx.x; i < n; i += blockDim.x) s[i] = a[i];
  __syncthreads();
  o[T] = s[threadIdx.x];
}
__global__ void possible_local(float *o, int n) {
  float l[8] = {0};
  for (int i = 0; i < n; i++) l[i] = i;
  o[T] = l[0];
}
GS_LAUNCH_CONTRACT(block.x == 64)
__global__ void race_claimed_sizes(float *o GS_DISJOINT(64 * grid.x), const float *a, int n) {
  __shared__ float s[128];
  for (int i = threadIdx.x; i < n; i += 64) s[i] = a[i];
  __syncthreads();
  o[T] = s[threadIdx.x];
}

__global__ void possible_offset(float *o, const float *a, int half) {
  __shared__ float s[128];
  s[threadIdx.x + half] = a[T];
  __syncthreads();
  o[T] = s[threadIdx.x + half];
}
__global__ void possible_doubled(float *o, const float *a, int rounds) {
  extern __shared__ float s[];
  s[threadIdx.x] = a[T];
  float sum = 0;
  for (int i = 0, d = 1; i < rounds; i++, d *= 2) {
    __syncthreads();
    sum += s[(int)threadIdx.x - d];
  }
  o[T] = sum;
}

// ---- what happens whatever is in memory and however large the sizes are
__global__ void race_constant_loop(float *o) {
  float l[8];
  for (int i = 0; i <= 8; i++) l[i] = i;
  o[T] = l[0];
}
__global__ void race_thread(float *o, const int *on, int n) {
  __shared__ float s[32];
  if (on[0] > n) s[threadIdx.x] = n;
  __syncthreads();
  o[T] = s[threadIdx.x & 31];
}
__global__ void race_neighbour(float *o) {
  __shared__ float s[64];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  o[T] = s[threadIdx.x + 1];
}
