// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %verdicts %s | FileCheck %s
// An index that is the distance to another array leads into that array.

// CHECK: UNKNOWN into_the_other {{.*}} data-race
// CHECK-NEXT: an address is computed from the difference of two pointers
__global__ void into_the_other(int *a, int *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[(b - a) + i] = i;
  b[i + 1] = 5;
}
// A distance inside of one array, and one that is no part of an address.
// CHECK: PROVED inside
__global__ void inside(int *a, int n, long *d) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int *p = a + i;
  if (p - a < n)
    a[i] = i;
  d[i] = p - a;
}
