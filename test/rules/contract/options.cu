// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %verdicts %s | FileCheck --check-prefixes=CHECK,NONE %s
// RUN: %verdicts %s --block=256 | FileCheck --check-prefixes=CHECK,BLOCK %s
// RUN: %verdicts %s --assume='n <= 64' --assume='block.x == 64' | FileCheck --check-prefixes=CHECK,ASSUME %s
// RUN: %verdicts %s --assume='block.x > 2000' | FileCheck --check-prefix=NEVER %s
// Launch facts from options: for kernels without a contract, and listed as unchecked.
#include <gpusafe.h>

// NONE: POSSIBLE tile {{.*}} out-of-bounds
// BLOCK: PROVED tile
// ASSUME: PROVED tile
// NEVER: INVALID tile {{.*}} contract
__global__ void tile(int *c) {
  __shared__ int s[256];
  s[threadIdx.x] = 1;
  c[(size_t)blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x];
}
// NONE: RACE bounded {{.*}} out-of-bounds
// BLOCK: RACE bounded {{.*}} out-of-bounds
// ASSUME: PROVED bounded
__global__ void bounded(int *c, unsigned n) {
  __shared__ int s[64];
  if (threadIdx.x == 0 && blockIdx.x < n)
    s[blockIdx.x] = 1;
}
// CHECK: RACE contracted {{.*}} out-of-bounds
// NEVER: RACE contracted {{.*}} out-of-bounds
GS_LAUNCH_CONTRACT(block.x == 512)
__global__ void contracted(int *c, int n) {
  __shared__ int s[256];
  s[threadIdx.x] = n;
}
// BLOCK: unchecked block.x == 256 (from an option)
// ASSUME: unchecked n <= 64 (from an option)
