// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %verdicts %s --rules=-uninitialized-shared | FileCheck %s
// Arrays whose size the module knows need no annotation.
#include <gpusafe.h>

// CHECK: RACE small_tile {{.*}} out-of-bounds
GS_LAUNCH_CONTRACT(block.x == 512)
__global__ void small_tile(float *o) {
  __shared__ float s[256];
  s[threadIdx.x] = 1;
  o[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x];
}
// Nothing says how large a block may be: blocks of 256 are common, larger ones possible.
// CHECK: POSSIBLE any_block {{.*}} out-of-bounds
// CHECK-NEXT: the size of the block, which no launch contract, option or visible launch fixes
__global__ void any_block(float *o) {
  __shared__ float s[256];
  s[threadIdx.x] = 1;
  o[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x];
}
// CHECK: PROVED large_tile
__global__ void large_tile(float *o) {
  __shared__ float s[1024];
  s[threadIdx.x] = 1;
  o[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x];
}
// CHECK: PROVED bounded_launch
__global__ void __launch_bounds__(256) bounded_launch(float *o) {
  __shared__ float s[256];
  s[threadIdx.x] = 1;
  o[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x];
}

// The value of a load that leaves the array is not used: it is an access all the same.
// CHECK: RACE unused_load {{.*}} out-of-bounds
__global__ void unused_load() {
  __shared__ int s[32];
  if (threadIdx.x < 32)
    s[threadIdx.x] = 1;
  int v = s[threadIdx.x + 32];
  (void)v;
}
// CHECK: PROVED used_load
__global__ void used_load() {
  __shared__ int s[32];
  if (threadIdx.x < 32) {
    s[threadIdx.x] = 1;
    int v = s[threadIdx.x];
    (void)v;
  }
}

// CHECK: RACE below {{.*}} out-of-bounds
__global__ void below(int *o) {
  __shared__ int s[1024];
  s[threadIdx.x] = 1;
  __syncthreads();
  o[blockIdx.x * blockDim.x + threadIdx.x] = s[(int)threadIdx.x - 1];
}
// CHECK: PROVED below_guarded
__global__ void below_guarded(int *o) {
  __shared__ int s[1024];
  s[threadIdx.x] = 1;
  __syncthreads();
  o[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x > 0 ? s[(int)threadIdx.x - 1] : 0;
}

// The last element of a wider type sticks out.
// CHECK: RACE wider {{.*}} out-of-bounds
GS_LAUNCH_CONTRACT(block.x == 1024)
__global__ void wider(float4 *o) {
  __shared__ float s[1024];
  if (threadIdx.x < 1022)
    o[blockIdx.x * blockDim.x + threadIdx.x] = *(float4 *)&s[threadIdx.x];
}
// CHECK: PROVED wider_fits
__global__ void wider_fits(float4 *o) {
  __shared__ float s[1024];
  if (threadIdx.x < 1021)
    o[blockIdx.x * blockDim.x + threadIdx.x] = *(float4 *)&s[threadIdx.x];
}

// CHECK: RACE local_array {{.*}} out-of-bounds
__global__ void local_array(float *o) {
  float t[8];
  for (int k = 0; k <= 8; k++)
    t[k] = k;
  o[blockIdx.x * blockDim.x + threadIdx.x] = t[threadIdx.x & 7];
}
// CHECK: PROVED local_array_fits
__global__ void local_array_fits(float *o) {
  float t[8];
  for (int k = 0; k < 8; k++)
    t[k] = k;
  o[blockIdx.x * blockDim.x + threadIdx.x] = t[threadIdx.x & 7];
}
// CHECK: 12 kernels: 6 proved, 5 race, 1 possible
