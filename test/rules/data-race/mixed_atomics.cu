// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %verdicts %s --block=64 | FileCheck %s
// Atomics order each other where they overlap completely.

// CHECK: RACE halves {{.*}} atomic-mix
__global__ void halves(unsigned long long *c) {
  if (threadIdx.x & 1)
    atomicAdd((unsigned *)c, 1u);
  else
    atomicAdd(c, 1ull);
}
// CHECK: PROVED wholes
__global__ void wholes(unsigned long long *c) {
  if (threadIdx.x & 1)
    atomicAdd(c, 2ull);
  else
    atomicAdd(c, 1ull);
}

// What is called unreachable is an assumption, not a proof.
// CHECK: PROVED promised {{.*}} assumes
__global__ void promised(int *o) {
  if (threadIdx.x != 0)
    __builtin_unreachable();
  o[blockIdx.x] = threadIdx.x;
}
// CHECK: RACE not_promised {{.*}} data-race
__global__ void not_promised(int *o) {
  o[blockIdx.x] = threadIdx.x;
}
// CHECK: code that the source calls unreachable is not reached (line {{[0-9]+}})
