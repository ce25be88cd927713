// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %verdicts %s --block=64 | FileCheck %s
// Loads of memory that the kernel does not write: one value for one address.

// CHECK: PROVED uniform_offset
__global__ void uniform_offset(int *p, const int *offset) {
  p[(long)offset[0] + blockIdx.x * 64 + threadIdx.x] = 1;
}
// The value is the same in each iteration, and after a barrier.
// CHECK: PROVED bound_in_memory
__global__ void bound_in_memory(int *p, const int *n) {
  __shared__ int s[64];
  for (int i = 0; i < *n; i++) {
    s[threadIdx.x] = i;
    __syncthreads();
    p[blockIdx.x * 64ul + threadIdx.x] = s[63 - threadIdx.x];
    __syncthreads();
  }
}
// A volatile read is a value of its own.
// CHECK: {{RACE|POSSIBLE}} bound_volatile {{.*}} data-race
__global__ void bound_volatile(int *p, const volatile int *n) {
  __shared__ int s[64];
  for (int i = 0; i < *n; i++) {
    s[threadIdx.x] = i;
    __syncthreads();
    p[blockIdx.x * 64ul + threadIdx.x] = s[63 - threadIdx.x];
    __syncthreads();
  }
}
// An index from memory may be anything.
// CHECK: RACE indirect {{.*}} data-race
__global__ void indirect(int *p, const int *at) {
  p[at[blockIdx.x * 64ul + threadIdx.x]] = threadIdx.x;
}
// But it is one thing: the same index twice is the same element.
// CHECK: PROVED indirect_for_one
__global__ void indirect_for_one(int *p, const int *at) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    p[at[0]] = 1;
    p[at[0]] += 1;
  }
}
__constant__ int width;
// CHECK: PROVED constant_width
__global__ void constant_width(int *p, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x < width && y < h)
    p[y * width + x] = 1;
}
