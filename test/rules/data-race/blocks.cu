// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %verdicts %s | FileCheck %s
// Threads of different blocks: no barrier orders them.

// CHECK: RACE forgot_block {{.*}} data-race
__global__ void forgot_block(int *a) { a[threadIdx.x] = blockIdx.x; }
// CHECK: PROVED first_block_only
__global__ void first_block_only(int *a) {
  if (blockIdx.x == 0)
    a[threadIdx.x] = 1;
}

// CHECK: RACE barrier_between {{.*}} data-race
__global__ void barrier_between(int *a, int *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
  __syncthreads();
  b[i] = a[i + 1];
}
// CHECK: PROVED barrier_between_own
__global__ void barrier_between_own(int *a, int *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
  __syncthreads();
  b[i] = a[blockIdx.x * blockDim.x + (blockDim.x - 1 - threadIdx.x)];
}

// CHECK: RACE one_result {{.*}} data-race
__global__ void one_result(int *sum, const int *part) {
  if (threadIdx.x == 0)
    *sum = part[blockIdx.x];
}
// CHECK: PROVED result_of_each_block
__global__ void result_of_each_block(int *sum, const int *part) {
  if (threadIdx.x == 0)
    sum[blockIdx.x] = part[blockIdx.x];
}

// CHECK: RACE stride_of_block {{.*}} data-race
__global__ void stride_of_block(float *a, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x)
    a[i] = threadIdx.x;
}
// CHECK: PROVED stride_of_grid
__global__ void stride_of_grid(float *a, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    a[i] = threadIdx.x;
}

// Each block has its own shared memory.
// CHECK: PROVED shared_is_per_block
__global__ void shared_is_per_block(int *a) {
  __shared__ int s[1024];
  s[threadIdx.x] = blockIdx.x;
  a[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x];
}

__device__ int counter;
__device__ int table[1024];
// CHECK: RACE device_global {{.*}} data-race
__global__ void device_global() { counter = threadIdx.x; }
// CHECK: RACE device_array {{.*}} data-race
__global__ void device_array() { table[threadIdx.x] = blockIdx.x; }
// CHECK: PROVED device_array_once
__global__ void device_array_once() {
  if (blockIdx.x == 3)
    table[threadIdx.x] = 3;
}
// CHECK: 12 kernels: 6 proved, 6 race
