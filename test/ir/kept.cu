// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %verdicts %s --block=64 --rules=-uninitialized-shared | FileCheck %s
// RUN: %verdicts %s --block=64 --rules=-uninitialized-shared -- -O3 -DNDEBUG | FileCheck %s
// What an optimiser would delete, merge or reorder is still seen.

// A racy store that a later one overwrites.
// CHECK: RACE dead_store {{.*}} data-race
__global__ void dead_store(int *p) {
  p[0] = threadIdx.x;
  p[0] = 2;
}
// CHECK: PROVED dead_store_fixed
__global__ void dead_store_fixed(int *p) {
  size_t i = blockIdx.x * 64ul + threadIdx.x;
  p[i] = threadIdx.x;
  p[i] = 2;
}
// A store of what was loaded.
// CHECK: RACE stored_back {{.*}} data-race
__global__ void stored_back(int *p) {
  int v = p[0];
  p[0] = v;
}
// CHECK: PROVED stored_back_fixed
__global__ void stored_back_fixed(int *p) {
  size_t i = blockIdx.x * 64ul + threadIdx.x;
  int v = p[i];
  p[i] = v;
}
// A load whose value nobody uses.
// CHECK: RACE unused_load {{.*}} data-race
__global__ void unused_load(int *p) {
  size_t i = blockIdx.x * 64ul + threadIdx.x;
  p[i] = 1;
  int v = p[i + 1];
  (void)v;
}
// CHECK: RACE unused_load_outside {{.*}} out-of-bounds
__global__ void unused_load_outside() {
  __shared__ int s[64];
  int v = s[threadIdx.x + 1];
  (void)v;
}
// CHECK: PROVED unused_load_inside
__global__ void unused_load_inside() {
  __shared__ int s[65];
  int v = s[threadIdx.x + 1];
  (void)v;
}
// A load that is guarded stays behind its guard.
// CHECK: PROVED guarded_load
__global__ void guarded_load(int *p) {
  __shared__ int s[32];
  int v = 0;
  if (threadIdx.x < 32)
    v = s[threadIdx.x];
  p[blockIdx.x * 64ul + threadIdx.x] = v;
}
// Two stores in two branches are two accesses, each with its line.
// CHECK: RACE either_store {{.*}} data-race
__global__ void either_store(int *p, int n) {
  if (n > 3)
    p[threadIdx.x / 2] = threadIdx.x;
  else
    p[blockIdx.x * 64ul + threadIdx.x] = threadIdx.x;
}

// A variable that may have no value when it is used as an index may have any.
// CHECK: POSSIBLE uninitialised {{.*}} data-race
// CHECK-NEXT: a variable that may be used before it has a value
__global__ void uninitialised(int *p, int n) {
  size_t i = blockIdx.x * 64ul + threadIdx.x;
  size_t v;
  if (i < n)
    v = i;
  p[v] = 1 + i;
}
// CHECK: PROVED initialised
__global__ void initialised(int *p, int n) {
  size_t i = blockIdx.x * 64ul + threadIdx.x;
  size_t v = n + i;
  if (i < n)
    v = i;
  p[v] = 1 + i;
}
// A variable of a loop's body dies with each iteration.
// CHECK: POSSIBLE uninitialised_later {{.*}} data-race
// CHECK-NEXT: a variable that may be used before it has a value
__global__ void uninitialised_later(int *p) {
  for (int k = 0; k < 2; k++) {
    size_t v;
    if (k == 0)
      v = blockIdx.x * 64ul + threadIdx.x;
    p[v] = k + threadIdx.x;
  }
}

// Branches that undefined behaviour would delete: PTX wraps, so x + 100 < x happens.
// CHECK: RACE overflow_check {{.*}} data-race
__global__ void overflow_check(int *p, int x) {
  if (x + 100 < x)
    p[0] = threadIdx.x;
}
// CHECK: RACE null_store {{.*}} data-race
__global__ void null_store(int *p) {
  int *q = nullptr;
  if (threadIdx.x == 3)
    *q = 1;
  p[blockIdx.x] = threadIdx.x;
}
// CHECK: RACE divides_by_zero {{.*}} data-race
__global__ void divides_by_zero(int *p, int n) {
  int q = 100 / n;
  p[n ? 0 : q] = threadIdx.x;
}
