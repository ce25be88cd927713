// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %verdicts %s | FileCheck %s
// Guards: early returns, switches, goto, conditions that exclude each other.
#include <gpusafe.h>

// CHECK: PROVED early
__global__ void early(float *a, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  a[y * w + x] = x;
}
// CHECK: RACE early_one_bound {{.*}} data-race
GS_LAUNCH_CONTRACT(block == dim(32, 8), grid == dim(2, 2))
__global__ void early_one_bound(float *a, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (y >= h)
    return;
  a[y * 20 + x] = x;
}
// CHECK: PROVED jumps
__global__ void jumps(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    goto end;
  a[i] = 1;
end:;
}
// CHECK: PROVED stops
__global__ void stops(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    __builtin_trap();
  a[i] = 1;
}

// CHECK: PROVED switch_on_parameter
__global__ void switch_on_parameter(int *a, int mode) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  switch (mode) {
  case 0: a[i] = 1; break;
  case 1: a[2 * i] = 1; break;
  default: a[3 * i + 1] = 2;
  }
}
// CHECK: RACE switch_on_thread {{.*}} data-race
GS_LAUNCH_CONTRACT(block.x == 64, grid.x == 2)
__global__ void switch_on_thread(int *a) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  switch (threadIdx.x & 3) {
  case 0: a[i] = 1; break;
  case 1: a[2 * i] = 1; break;
  default: a[3 * i + 1] = 2;
  }
}
// CHECK: RACE switch_falls {{.*}} data-race
__global__ void switch_falls(int *a) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  int k;
  switch (i & 3) {
  case 0: k = 3; break;
  case 1: k = 2; break;
  case 2: k = 1;
  default: k = 3;
  }
  a[(i & ~3) + k] = i;
}

// CHECK: PROVED last_of_warp
__global__ void last_of_warp(int *a) {
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (lane == 31)
    a[(size_t)blockIdx.x * 32 + warp] = lane;
}
// CHECK: RACE two_of_warp {{.*}} data-race
__global__ void two_of_warp(int *a) {
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (lane < 2)
    a[(size_t)blockIdx.x * 32 + warp] = lane;
}
// CHECK: PROVED either
__global__ void either(int *a) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  a[i & 1 ? i - 1 : i + 1] = i;
}
// CHECK: PROVED clamped_reads
__global__ void clamped_reads(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = a[max(i - 1, 0)] + a[min(i + 1, n - 1)];
}
// CHECK: RACE clamped_writes {{.*}} data-race
__global__ void clamped_writes(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[min(i, n - 1)] = i;
}
