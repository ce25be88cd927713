// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %verdicts %s --rules=warp-mask --block=128 | FileCheck %s
// Masks that do not name the lanes, and twins that do.

// CHECK: RACE half {{.*}} warp-mask
__global__ void half(float *o, float v) {
  if (threadIdx.x % 32 < 16)
    v += __shfl_down_sync(0xffffffff, v, 8);
  o[threadIdx.x] = v;
}
// CHECK: PROVED half_named
__global__ void half_named(float *o, float v) {
  if (threadIdx.x % 32 < 16)
    v += __shfl_down_sync(0x0000ffff, v, 8);
  o[threadIdx.x] = v;
}
// CHECK: PROVED whole_warp
__global__ void whole_warp(float *o, float v) {
  if (threadIdx.x < 32)
    v += __shfl_down_sync(0xffffffff, v, 8);
  o[threadIdx.x] = v;
}
// CHECK: PROVED by_warp
__global__ void by_warp(float *o, float v) {
  if (threadIdx.x / 32 == 2 || (threadIdx.x >> 5) == 0)
    v += __shfl_down_sync(0xffffffff, v, 8);
  o[threadIdx.x] = v;
}

// CHECK: RACE odd {{.*}} warp-mask
__global__ void odd(int *o) {
  int all = 0;
  if (threadIdx.x & 1)
    all = __any_sync(0xffffffff, o[threadIdx.x]);
  o[threadIdx.x + 128] = all;
}
// CHECK: PROVED odd_named
__global__ void odd_named(int *o) {
  int all = 0;
  if (threadIdx.x & 1)
    all = __any_sync(0xaaaaaaaa, o[threadIdx.x]);
  o[threadIdx.x + 128] = all;
}

// A lane that is not named executes it.
// CHECK: RACE unnamed {{.*}} warp-mask
__global__ void unnamed(int *o) {
  __syncwarp(0x0000ffff);
  o[threadIdx.x] = 1;
}
// CHECK: PROVED all_named
__global__ void all_named(int *o) {
  __syncwarp(0xffffffff);
  o[threadIdx.x] = 1;
}
// CHECK: RACE first_lanes {{.*}} warp-mask
__global__ void first_lanes(int *o) {
  if (threadIdx.x % 32 <= 16)
    o[threadIdx.x] = __ballot_sync(0xffff, 1);
}
// CHECK: PROVED first_sixteen
__global__ void first_sixteen(int *o) {
  if (threadIdx.x % 32 <= 15)
    o[threadIdx.x] = __ballot_sync(0xffff, 1);
}

// Lanes leave a loop in different iterations.
// CHECK: RACE strided {{.*}} warp-mask
__global__ void strided(float *o, const float *a, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    o[i] = __shfl_xor_sync(0xffffffff, a[i], 1);
}
// CHECK: PROVED strided_by_warp
__global__ void strided_by_warp(float *o, const float *a, int n) {
  for (int base = 0; base < n; base += 128) {
    int i = base + threadIdx.x;
    float v = __shfl_xor_sync(0xffffffff, i < n ? a[i] : 0, 1);
    if (i < n)
      o[i] = v;
  }
}

// CHECK: RACE by_data {{.*}} warp-mask
__global__ void by_data(int *o, const int *a) {
  if (a[threadIdx.x] > 0)
    o[threadIdx.x] = __shfl_sync(0xffffffff, threadIdx.x, 0);
}
// CHECK: PROVED by_warp_data
__global__ void by_warp_data(int *o, const int *a) {
  if (a[blockIdx.x] > 0)
    o[threadIdx.x] = __shfl_sync(0xffffffff, threadIdx.x, 0);
}
// CHECK: PROVED by_ballot
__global__ void by_ballot(int *o, const int *a) {
  bool mine = a[threadIdx.x] > 0;
  unsigned mask = __ballot_sync(0xffffffff, mine);
  if (mine)
    o[threadIdx.x] = __shfl_sync(mask, threadIdx.x, 0);
}

// Lanes that have returned are not missed.
// CHECK: PROVED returned
__global__ void returned(float *o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  o[i] = __shfl_down_sync(0xffffffff, o[i], 1);
}
// Lanes of one warp may meet at different __syncwarp()s.
// CHECK: POSSIBLE both_ways {{.*}} warp-mask
__global__ void both_ways(int *o) {
  if (threadIdx.x & 1)
    __syncwarp();
  else
    __syncwarp();
  o[threadIdx.x] = 1;
}
