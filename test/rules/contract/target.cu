// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %verdicts %s | FileCheck %s
// RUN: %clang_gs -fsyntax-only -Xclang -verify %s
// What the target does not have, and what it has just so.
#include <gpusafe.h>

// CHECK: INVALID too_much {{.*}} contract
// expected-error@+1 {{no launch can satisfy this contract: a block on sm_90 has at most 232448 bytes of shared memory, of which the kernel's own arrays take 0, so a proof would say nothing [gpusafe-contract]}}
GS_LAUNCH_CONTRACT(block.x == 32, dynamic_smem >= 232449)
__global__ void too_much(int *p GS_DISJOINT()) { p[blockIdx.x * 32 + threadIdx.x] = 1; }
// CHECK: PROVED just_enough
GS_LAUNCH_CONTRACT(block.x == 32, dynamic_smem >= 232448)
__global__ void just_enough(int *p GS_DISJOINT()) { p[blockIdx.x * 32 + threadIdx.x] = 1; }
// CHECK: INVALID with_arrays {{.*}} contract
// expected-error@+1 {{of which the kernel's own arrays take 256}}
GS_LAUNCH_CONTRACT(block.x == 32, dynamic_smem >= 232448)
__global__ void with_arrays(int *p GS_DISJOINT()) {
  __shared__ int s[64];
  s[threadIdx.x] = 1;
  p[blockIdx.x * 32 + threadIdx.x] = s[threadIdx.x];
}
// CHECK: INVALID large_cluster {{.*}} contract
// expected-error@+1 {{no launch can satisfy this contract: a cluster has at most 16 blocks}}
GS_LAUNCH_CONTRACT(block.x == 32, cluster.x == 8, cluster.y == 4)
__global__ void large_cluster(int *p GS_EXTENT(0)) {}
// CHECK: INVALID odd_grid {{.*}} contract
// expected-error@+1 {{no launch can satisfy this contract: the size of a cluster divides that of the grid}}
GS_LAUNCH_CONTRACT(cluster.x == 4, grid.x == 10)
__global__ void odd_grid(int *p GS_EXTENT(0)) {}
// CHECK: PROVED fair_grid
GS_LAUNCH_CONTRACT(cluster.x == 4, grid.x == 12)
__global__ void fair_grid(int *p GS_EXTENT(0)) {}
