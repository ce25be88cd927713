// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %clang_gs -fsyntax-only -Xclang -verify %s
// RUN: %verdicts %s | FileCheck %s
// A trust turns a finding of its rule into TRUSTED, is listed, and covers nothing else.
#include <gpusafe.h>

// CHECK: TRUSTED permuted
GS_LAUNCH_CONTRACT(block.x == 64, grid.x == 2)
__global__ void permuted(int *c GS_DISJOINT(n) GS_TRUSTED(disjoint, "to is a permutation")
                             GS_TRUSTED(data-race, "to is one") GS_TRUSTED(out-of-bounds, "of 0 to n - 1"),
                         const int *to GS_EXTENT(n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[to[i]] = i;
}
// CHECK: TRUSTED statement
GS_LAUNCH_CONTRACT(block.x == 64, grid.x == 2)
__global__ void statement(int *c, const int *to) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  GS_TRUSTED(data-race, "to is a permutation") c[to[i]] = i;
}
// The other statement is not covered.
// CHECK: RACE other_statement {{.*}} data-race
// expected-error@+7 {{data race on 'c'}}
// expected-note@+6 0+ {{}}
GS_LAUNCH_CONTRACT(block.x == 64, grid.x == 2)
__global__ void other_statement(int *c, int *d, const int *to) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  GS_TRUSTED(data-race, "to is a permutation") d[to[i]] = i;
  if (i < 5)
    c[to[i]] = i;
}
// A trust that nothing needs leaves the verdict alone.
// CHECK: PROVED needless
__global__ void needless(int *c GS_DISJOINT(n) GS_TRUSTED(disjoint, "obvious"), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = i;
}
// Nor does one of another rule help.
// CHECK: RACE wrong_rule {{.*}} disjoint
// expected-error@+2 {{disjointness is broken on 'c'}}
// expected-note@+1 0+ {{}}
__global__ void wrong_rule(int *c GS_DISJOINT() GS_TRUSTED(out-of-bounds, "small")) {
  c[0] = threadIdx.x; // expected-note 0-2 {{is here}}
}
// CHECK: unchecked trusted(disjoint): to is a permutation
