// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %verdicts %s | FileCheck %s
// RUN: %verdicts %s --strict | FileCheck --check-prefix=STRICT %s
// That arguments do not overlap is assumed, said, and given up under --strict.

// CHECK: PROVED copy {{.*}} assumes [[FLAT:[0-9]+]] [[GRID:[0-9]+]] [[ALIAS:[0-9]+]]
// STRICT: RACE copy {{.*}} data-race
__global__ void copy(const int *a, int *b) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = a[i + 1];
}
// CHECK: PROVED own {{.*}} assumes [[FLAT]] [[GRID]]{{$}}
// STRICT: RACE own {{.*}} data-race
__global__ void own(int *b) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = 1 + threadIdx.x;
}
// CHECK: assumptions:
// CHECK-NEXT: [[FLAT]] unchecked block and grid have size 1 in the axes that the kernel does not read
// CHECK-NEXT: [[GRID]] unchecked grid * block is at most 2^31 - 1 in each axis
// CHECK-NEXT: [[ALIAS]] unchecked pointer arguments do not overlap, nor point to device globals
// STRICT-NOT: assumptions
