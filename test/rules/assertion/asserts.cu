// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %verdicts %s --rules=assertion | FileCheck %s
// Assertions under a contract.
#include <gpusafe.h>

// CHECK: RACE block_size {{.*}} assertion
GS_LAUNCH_CONTRACT(block.x <= 256)
__global__ void block_size(int *o) {
  assert(blockDim.x == 256);
  o[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
// CHECK: PROVED block_size_stated
GS_LAUNCH_CONTRACT(block.x == 256)
__global__ void block_size_stated(int *o) {
  assert(blockDim.x == 256);
  o[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

// CHECK: RACE multiple {{.*}} assertion
GS_LAUNCH_CONTRACT(n >= 0)
__global__ void multiple(int *o, int n) {
  assert(n % 4 == 0);
  o[0] = n;
}
// CHECK: PROVED multiple_stated
GS_LAUNCH_CONTRACT(n >= 0, n % 4 == 0)
__global__ void multiple_stated(int *o, int n) {
  assert(n % 4 == 0);
  o[0] = n;
}

// CHECK: RACE index {{.*}} assertion
GS_LAUNCH_CONTRACT(block.x == 64)
__global__ void index(int *o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  assert(i < n);
  o[i] = 1;
}
// CHECK: PROVED index_guarded
GS_LAUNCH_CONTRACT(block.x == 64)
__global__ void index_guarded(int *o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  assert(i < n);
  o[i] = 1;
}

// CHECK: POSSIBLE in_loop {{.*}} assertion
GS_LAUNCH_CONTRACT(n >= 0)
__global__ void in_loop(int *o, int n) {
  for (int i = 0; i < n; i++) {
    assert(i < 10);
    o[i] = i;
  }
}
// CHECK: PROVED in_loop_bounded
GS_LAUNCH_CONTRACT(n >= 0, n <= 10)
__global__ void in_loop_bounded(int *o, int n) {
  for (int i = 0; i < n; i++) {
    assert(i < 10);
    o[i] = i;
  }
}

__device__ int checked(int v, int limit) {
  assert(v <= limit);
  return v;
}
// CHECK: RACE in_callee {{.*}} assertion
GS_LAUNCH_CONTRACT(block.x <= 128)
__global__ void in_callee(int *o) {
  o[checked(threadIdx.x, 100)] = 1;
}
// CHECK: PROVED in_callee_holds
GS_LAUNCH_CONTRACT(block.x <= 128)
__global__ void in_callee_holds(int *o) {
  o[checked(threadIdx.x, 127)] = 1;
}

// What memory contains is nobody's promise.
// CHECK: POSSIBLE data {{.*}} assertion
// CHECK-NEXT: the contents of memory, of which the contract says nothing
GS_LAUNCH_CONTRACT(n >= 0)
__global__ void data(int *o, const int *idx, int n) {
  assert(idx[0] < n);
  o[idx[0]] = 1;
}
