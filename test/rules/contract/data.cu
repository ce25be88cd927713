// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %verdicts %s | FileCheck %s
// Facts about data in clauses that say more; kernels that need them are in kernels/data_facts.cu.
#include <gpusafe.h>

// CHECK: PROVED permuted
GS_LAUNCH_CONTRACT(injective(to, n), in_range(to, n, 0, n))
__global__ void permuted(int *c GS_DISJOINT(n), const int *to GS_EXTENT(n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[to[i]] = i;
}
// CHECK: PROVED conjunct
GS_LAUNCH_CONTRACT(injective(to, n) && block.x == 64 && aligned(c, 16))
__global__ void conjunct(int *c, const int *to, int n) {
  __shared__ int s[64];
  s[threadIdx.x] = 1;
}
// What stands in a disjunction with such a fact proves nothing.
// CHECK: {{RACE|POSSIBLE}} disjunct {{.*}} out-of-bounds
GS_LAUNCH_CONTRACT(injective(to, n) || block.x == 64)
__global__ void disjunct(int *c, const int *to, int n) {
  __shared__ int s[64];
  s[threadIdx.x] = 1;
}
