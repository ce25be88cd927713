// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %verdicts %s --rules=uninitialized-shared | FileCheck %s
// Shared memory that nobody fills, whole or in part, and twins where somebody does.
#include <gpusafe.h>

// CHECK: RACE never {{.*}} uninitialized-shared
GS_LAUNCH_CONTRACT(block.x == 256)
__global__ void never(float *o) {
  __shared__ float s[256];
  o[blockIdx.x * 256 + threadIdx.x] = s[threadIdx.x];
}
// CHECK: PROVED filled
GS_LAUNCH_CONTRACT(block.x == 256)
__global__ void filled(float *o) {
  __shared__ float s[256];
  s[threadIdx.x] = 0;
  o[blockIdx.x * 256 + threadIdx.x] = s[threadIdx.x];
}
// CHECK: RACE never_dynamic {{.*}} uninitialized-shared
GS_LAUNCH_CONTRACT(block.x == 256, dynamic_smem == 1024)
__global__ void never_dynamic(float *o) {
  extern __shared__ float d[];
  o[blockIdx.x * 256 + threadIdx.x] = d[threadIdx.x];
}
// CHECK: PROVED filled_dynamic
GS_LAUNCH_CONTRACT(block.x == 256, dynamic_smem == 1024)
__global__ void filled_dynamic(float *o) {
  extern __shared__ float d[];
  d[threadIdx.x] = 1;
  o[blockIdx.x * 256 + threadIdx.x] = d[threadIdx.x];
}

// A halo that nobody loads.
// CHECK: RACE halo {{.*}} uninitialized-shared
GS_LAUNCH_CONTRACT(block.x == 256)
__global__ void halo(float *o, const float *a) {
  __shared__ float s[258];
  s[threadIdx.x + 1] = a[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  o[blockIdx.x * 256 + threadIdx.x] = s[threadIdx.x] + s[threadIdx.x + 1] + s[threadIdx.x + 2];
}
// CHECK: PROVED halo_loaded
GS_LAUNCH_CONTRACT(block.x == 256)
__global__ void halo_loaded(float *o, const float *a, int n) {
  __shared__ float s[258];
  int i = blockIdx.x * 256 + threadIdx.x;
  s[threadIdx.x + 1] = a[i];
  if (threadIdx.x == 0)
    s[0] = i > 0 ? a[i - 1] : 0;
  if (threadIdx.x == 255)
    s[257] = i + 1 < n ? a[i + 1] : 0;
  __syncthreads();
  o[i] = s[threadIdx.x] + s[threadIdx.x + 1] + s[threadIdx.x + 2];
}

// The tail of a tile.
// CHECK: RACE tail {{.*}} uninitialized-shared
GS_LAUNCH_CONTRACT(block.x == 256, n >= 0)
__global__ void tail(float *o, const float *a, int n) {
  __shared__ float s[256];
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n)
    s[threadIdx.x] = a[i];
  __syncthreads();
  o[i] = s[255 - threadIdx.x];
}
// CHECK: PROVED tail_zero
GS_LAUNCH_CONTRACT(block.x == 256, n >= 0)
__global__ void tail_zero(float *o, const float *a, int n) {
  __shared__ float s[256];
  int i = blockIdx.x * 256 + threadIdx.x;
  s[threadIdx.x] = i < n ? a[i] : 0;
  __syncthreads();
  o[i] = s[255 - threadIdx.x];
}

// Two dimensions, filled by a loop with a row too few.
// CHECK: RACE rows {{.*}} uninitialized-shared
GS_LAUNCH_CONTRACT(block == dim(32, 8))
__global__ void rows(float *o) {
  __shared__ float t[33][32];
  for (int y = threadIdx.y; y < 32; y += 8)
    t[y][threadIdx.x] = 1;
  __syncthreads();
  for (int y = threadIdx.y; y < 33; y += 8)
    o[y * 32 + threadIdx.x] = t[y][threadIdx.x];
}
// CHECK: PROVED rows_all
GS_LAUNCH_CONTRACT(block == dim(32, 8))
__global__ void rows_all(float *o) {
  __shared__ float t[33][32];
  for (int y = threadIdx.y; y < 33; y += 8)
    t[y][threadIdx.x] = 1;
  __syncthreads();
  for (int y = threadIdx.y; y < 33; y += 8)
    o[y * 32 + threadIdx.x] = t[y][threadIdx.x];
}

// One thread's value for all, under the wrong condition.
// CHECK: RACE leader {{.*}} uninitialized-shared
GS_LAUNCH_CONTRACT(block.x == 64)
__global__ void leader(int *o) {
  __shared__ int first;
  if (threadIdx.x == 64)
    first = o[blockIdx.x];
  __syncthreads();
  o[1000 + threadIdx.x] = first;
}
// CHECK: PROVED leader_right
GS_LAUNCH_CONTRACT(block.x == 64)
__global__ void leader_right(int *o) {
  __shared__ int first;
  if (threadIdx.x == 0)
    first = o[blockIdx.x];
  __syncthreads();
  o[1000 + threadIdx.x] = first;
}

// Every second element, wide writes, structs.
// CHECK: RACE stride_two {{.*}} uninitialized-shared
GS_LAUNCH_CONTRACT(block.x == 64)
__global__ void stride_two(int *o) {
  __shared__ int s[128];
  s[2 * threadIdx.x] = 1;
  __syncthreads();
  o[threadIdx.x] = s[2 * threadIdx.x] + s[2 * threadIdx.x + 1];
}
// CHECK: PROVED pairs
GS_LAUNCH_CONTRACT(block.x == 64)
__global__ void pairs(int *o) {
  __shared__ int2 s[64];
  s[threadIdx.x] = make_int2(1, 2);
  __syncthreads();
  const int *p = (const int *)s;
  o[threadIdx.x] = p[2 * threadIdx.x] + p[2 * threadIdx.x + 1];
}

// What depends on data may be written: nothing is said.
// CHECK: PROVED scattered
GS_LAUNCH_CONTRACT(block.x == 64)
__global__ void scattered(int *o, const int *where) {
  __shared__ int s[64];
  s[where[threadIdx.x] & 63] = 1;
  __syncthreads();
  o[threadIdx.x] = s[threadIdx.x];
}
// CHECK: PROVED written_if
GS_LAUNCH_CONTRACT(block.x == 64)
__global__ void written_if(int *o, const int *flag) {
  __shared__ int s[64];
  if (flag[threadIdx.x])
    s[threadIdx.x] = 1;
  __syncthreads();
  o[threadIdx.x] = s[threadIdx.x];
}
// CHECK: PROVED counted
GS_LAUNCH_CONTRACT(block.x == 64)
__global__ void counted(int *o) {
  __shared__ int n;
  atomicExch(&n, 0);
  __syncthreads();
  o[threadIdx.x] = n;
}
