// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %clang_gs -fsyntax-only -fplugin-arg-gpusafe-stats %s 2>&1 | FileCheck %s
// What is left when a budget is spent is UNKNOWN, never proved: these kernels claim
// nothing and so get the smallest one.

#define WRITE(k) o[(i * i + k * i) % n] = i;
#define EIGHT(k) WRITE(k) WRITE(k + 1) WRITE(k + 2) WRITE(k + 3) WRITE(k + 4) WRITE(k + 5) WRITE(k + 6) WRITE(k + 7)
#define MANY(k) EIGHT(k) EIGHT(k + 8) EIGHT(k + 16) EIGHT(k + 24) EIGHT(k + 32) EIGHT(k + 40) EIGHT(k + 48) EIGHT(k + 56)

// CHECK: 'hard': UNKNOWN
// CHECK-SAME: undecided {{[1-9]}}
__global__ void hard(int *o, unsigned n, unsigned m) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i * i % m == m - 1 && n * n == m * 7 + 5) {
    EIGHT(1)
  }
}
// CHECK: 'many_pairs': UNKNOWN
// CHECK-SAME: pairs 6000
__global__ void many_pairs(int *o, unsigned n, unsigned m) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i * i % m == m - 1 && n * n == m * 7 + 5) {
    MANY(1)
    MANY(70)
    MANY(140)
    MANY(210)
    MANY(280)
    MANY(350)
  }
}
