// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %verdicts %s --rules=const-write --block=64 | FileCheck %s
// Writes to constant memory and through pointers to const, and twins that may.

__constant__ float table[64];
__device__ const int limits[4] = {1, 2, 3, 4};
__device__ float scratch[64];

// CHECK: RACE cast_away {{.*}} const-write
__global__ void cast_away(int i) {
  const_cast<float *>(table)[i] = 1;
}
// CHECK: PROVED into_scratch
__global__ void into_scratch(int i) {
  scratch[i] = table[i];
}

__device__ void fill(float *p, int i) { p[i] = 1; }
// CHECK: RACE in_helper {{.*}} const-write
__global__ void in_helper(int i) {
  fill((float *)table, i);
}
// CHECK: PROVED in_helper_scratch
__global__ void in_helper_scratch(int i) {
  fill(scratch, i);
}

// CHECK: RACE const_variable {{.*}} const-write
__global__ void const_variable() {
  *(int *)&limits[threadIdx.x & 3] = 0;
}
// CHECK: PROVED const_variable_read
__global__ void const_variable_read(int *o) {
  o[threadIdx.x] = limits[threadIdx.x & 3];
}

// One of two targets is constant.
// CHECK: RACE chosen {{.*}} const-write
__global__ void chosen(int n) {
  float *p = n > 8 ? (float *)table : scratch;
  p[threadIdx.x] = 1;
}
// CHECK: PROVED chosen_never
__global__ void chosen_never(int n) {
  float *p = threadIdx.x > 64 ? (float *)table : scratch;
  p[threadIdx.x] = n;
}

// CHECK: RACE atomically {{.*}} const-write
__global__ void atomically() {
  atomicAdd((float *)&table[threadIdx.x], 1.0f);
}
// CHECK: PROVED atomically_scratch
__global__ void atomically_scratch() {
  atomicAdd(&scratch[threadIdx.x], 1.0f);
}

// What a parameter promises.
// CHECK: RACE restricted {{.*}} const-write
__global__ void restricted(const float *__restrict__ a) {
  ((float *)a)[threadIdx.x] = 1;
}
// CHECK: POSSIBLE plain_const {{.*}} const-write
// CHECK-NEXT: whether the memory behind the pointer is const
__global__ void plain_const(const float *a) {
  ((float *)a)[threadIdx.x] = 1;
}
// CHECK: PROVED no_const
__global__ void no_const(float *__restrict__ a) {
  a[threadIdx.x] = 1;
}
// CHECK: PROVED own_copy
struct pair_of { int a, b; };
__global__ void own_copy(pair_of p, int *o) {
  p.a += threadIdx.x;
  o[threadIdx.x] = p.a + p.b;
}
