// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %verdicts %s --assume='grid.y == 1' | FileCheck %s
// A size is taken to be 1 only in axes that the kernel does not read, whatever it does
// with what it read: a float, the operand of an atomic, inline PTX.

// CHECK: POSSIBLE as_float {{.*}} data-race
__global__ void as_float(float *a) {
  a[blockIdx.x * blockDim.x + threadIdx.x] = (float)threadIdx.y;
}
// CHECK: PROVED x_as_float
__global__ void x_as_float(float *a) {
  a[blockIdx.x * blockDim.x + threadIdx.x] = (float)threadIdx.x;
}
// CHECK: POSSIBLE as_operand {{.*}} data-race
__global__ void as_operand(int *a, int *c) {
  int v = atomicAdd(c, (int)threadIdx.y);
  a[blockIdx.x * blockDim.x + threadIdx.x] = v;
}
// CHECK: POSSIBLE in_ptx {{.*}} data-race
__global__ void in_ptx(int *a) {
  int v;
  asm("mov.u32 %0, %%tid.y;" : "=r"(v));
  a[blockIdx.x * blockDim.x + threadIdx.x] = v;
}
// CHECK: POSSIBLE size_only {{.*}} data-race
__global__ void size_only(float *a) {
  a[blockIdx.x * blockDim.x + threadIdx.x] = 1.0f / (float)blockDim.y + (float)threadIdx.x;
}
// CHECK: RACE grid_z {{.*}} data-race
__global__ void grid_z(float *a) {
  a[blockIdx.x * blockDim.x + threadIdx.x] = (float)blockIdx.z;
}
// CHECK: PROVED all_of_them
__global__ void all_of_them(float *a) {
  size_t row = threadIdx.y + (size_t)blockDim.y * (blockIdx.x * blockDim.x + threadIdx.x);
  a[row] = (float)threadIdx.y;
}
