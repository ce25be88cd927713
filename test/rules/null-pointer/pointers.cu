// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %verdicts %s --rules=null-pointer --block=64 -- -Wno-null-dereference | FileCheck %s
// Pointers that are null where they are used, and twins that are not.

struct node { int pad, value; };

// CHECK: RACE forgotten {{.*}} null-pointer
__global__ void forgotten(float *a, float *o, int n) {
  float *p = nullptr;
  if (n > 100)
    p = a;
  o[threadIdx.x] = p[threadIdx.x];
}
// CHECK: PROVED chosen
__global__ void chosen(float *a, float *b, float *o, int n) {
  float *p = nullptr;
  if (n > 100)
    p = a;
  else
    p = b;
  o[threadIdx.x] = p[threadIdx.x];
}

// CHECK: RACE wrong_test {{.*}} null-pointer
__global__ void wrong_test(float *a) {
  if (!a)
    a[threadIdx.x] = 0;
}
// CHECK: PROVED right_test
__global__ void right_test(float *a) {
  if (a)
    a[threadIdx.x] = 0;
}
// CHECK: RACE equal_null {{.*}} null-pointer
__global__ void equal_null(const float *a, float *o) {
  if (a == nullptr)
    o[threadIdx.x] = *a;
}
// CHECK: PROVED either
__global__ void either(const float *a, const float *b, float *o) {
  o[threadIdx.x] = a == nullptr ? b[threadIdx.x] : a[threadIdx.x];
}

// CHECK: RACE member {{.*}} null-pointer
__global__ void member(node *n, int *o, int which) {
  node *p = which ? n : nullptr;
  o[threadIdx.x] = p->value;
}
// CHECK: PROVED member_checked
__global__ void member_checked(node *n, int *o, int which) {
  node *p = which ? n : nullptr;
  if (p)
    o[threadIdx.x] = p->value;
}

__device__ int *find(int *a, int i, int n) { return i < n ? a + i : nullptr; }
// CHECK: RACE from_function {{.*}} null-pointer
__global__ void from_function(int *a, int n) {
  *find(a, threadIdx.x, n) = 1;
}
// CHECK: PROVED from_function_checked
__global__ void from_function_checked(int *a, int n) {
  int *p = find(a, threadIdx.x, n);
  if (p)
    *p = 1;
}

// CHECK: RACE atomically {{.*}} null-pointer
__global__ void atomically(int n) {
  int *p = 0;
  if (threadIdx.x < n)
    atomicAdd(p, 1);
}
// CHECK: PROVED unreachable
__global__ void unreachable(int n) {
  int *p = 0;
  if (threadIdx.x > 64)
    atomicAdd(p, 1);
}
