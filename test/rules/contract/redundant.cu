// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %clang_gs -fsyntax-only -Xclang -verify %s
// RUN: %verdicts %s | FileCheck %s
// Clauses that no launch can violate are remarks, and change no verdict.
#include <gpusafe.h>

// CHECK: PROVED limit
// expected-remark@+1 {{no launch can violate 'block.x <= 1024': the limits of every device or the other clauses imply it [gpusafe-contract]}}
GS_LAUNCH_CONTRACT(block.x <= 1024, n >= 0)
__global__ void limit(int *p GS_DISJOINT(n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] = 1;
}
// CHECK: PROVED other_clause
// expected-remark@+1 {{no launch can violate 'n >= 1'}}
GS_LAUNCH_CONTRACT(n >= 1, n > 2)
__global__ void other_clause(int *p GS_DISJOINT(n), int n) { // either of two equal ones, not both
  if (blockIdx.x * blockDim.x + threadIdx.x == 0)
    p[0] = 1;
}
// CHECK: PROVED twice
// expected-remark@+1 {{no launch can violate '128 == block.x'}}
GS_LAUNCH_CONTRACT(block.x == 128, 128 == block.x)
__global__ void twice(int *p GS_DISJOINT(n), int n) {
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i < n)
    p[i] = 1;
}
// A remark is no verdict: what is broken is told.
// CHECK: RACE broken
// expected-remark@+1 {{no launch can violate 'grid.y <= 65535'}}
GS_LAUNCH_CONTRACT(grid.y <= 65535, block.x == 64)
__global__ void broken(int *p GS_DISJOINT(n), int n) { // expected-error {{disjointness is broken}} expected-note {{}}
  if (n > 0)
    p[0] = threadIdx.x; // expected-note {{}}
}
// What only the claims imply is what a caller reads: no remark.
// CHECK: PROVED counts
GS_LAUNCH_CONTRACT(n >= 0, monotone(q, n))
__global__ void counts(int *p GS_DISJOINT(n), const int *q GS_EXTENT(n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] = q[i];
}
// That axes which nobody reads have size 1 is an assumption, no limit.
// CHECK: PROVED flat
GS_LAUNCH_CONTRACT(block.y == 1, grid.y == 1, block.z == 1, grid.z == 1)
__global__ void flat(int *p GS_DISJOINT(n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] = 1;
}
