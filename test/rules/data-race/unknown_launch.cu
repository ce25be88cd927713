// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %exits 1 %gpusafe check --cuda-path=none --no-times %s 2>&1 | FileCheck %s
// Kernels that claim nothing, launched nobody knows how: a conflict is certain only
// if no usual launch avoids it.

// Speaks of no block but its own: may be meant for one.
// CHECK: POSSIBLE one_block {{.*}} data-race
// CHECK-NEXT: the number of blocks, which no launch contract, option or visible launch fixes
__global__ void one_block(float *a) { a[threadIdx.x] = threadIdx.x; }
// CHECK: RACE many_blocks {{.*}} data-race
__global__ void many_blocks(float *a) { a[threadIdx.x] = blockIdx.x; }
// CHECK: RACE any_block {{.*}} data-race
__global__ void any_block(float *a) { a[0] = threadIdx.x; }

// Right for 12 x 12 threads only.
// CHECK: POSSIBLE tile {{.*}} data-race
// CHECK-NEXT: the size of the block, which no launch contract, option or visible launch fixes
__global__ void tile(float *o, const float *a) {
  __shared__ float s[12][12];
  int x = threadIdx.x, y = threadIdx.y, i = blockIdx.x * 144 + y * 12 + x;
  s[y][x] = a[i];
  __syncthreads();
  o[i] = s[x][y];
}

// What is stored is read as well: two blocks that differ in y meet.
// CHECK: RACE stores_row {{.*}} data-race
__global__ void stores_row(float *a) {
  a[blockIdx.x * blockDim.x + threadIdx.x] = blockIdx.y;
}

// Threads meet when the size is negative, and only then.
// CHECK: POSSIBLE negative {{.*}} data-race
// CHECK-NEXT: a value of 'n' below 0
__global__ void negative(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[n < 0 ? 0 : i] = i;
}
// CHECK: RACE either_sign {{.*}} data-race
__global__ void either_sign(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[n < 10 ? 0 : i] = i;
}
// The table is as long as the grid may be.
// CHECK: POSSIBLE table {{.*}} out-of-bounds
// CHECK-NEXT: the number of blocks, which no launch contract, option or visible launch fixes
__global__ void table(float *a) {
  __shared__ int s[64];
  if (threadIdx.x == 0)
    s[blockIdx.x] = 1;
  __syncthreads();
  a[blockIdx.x * blockDim.x + threadIdx.x] = s[blockIdx.x];
}
// Only a block that no usual launch has shows it.
// CHECK: POSSIBLE odd_block {{.*}} data-race
// CHECK-NEXT: the size of the block, which no launch contract, option or visible launch fixes
__global__ void odd_block(int *o) {
  int t = threadIdx.x;
  o[blockDim.x == 33 ? 0 : blockIdx.x * blockDim.x + t] = t;
}
// CHECK: RACE other_blocks {{.*}} data-race
__global__ void other_blocks(int *o) {
  int t = threadIdx.x;
  o[blockDim.x != 33 ? 0 : blockIdx.x * blockDim.x + t] = t;
}
