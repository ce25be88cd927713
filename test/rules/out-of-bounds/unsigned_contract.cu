// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %verdicts %s | FileCheck %s
// An unsigned 64-bit value above the signed range violates every clause that evaluates
// it, and only those.
#include <gpusafe.h>

// CHECK: PROVED evaluated
GS_LAUNCH_CONTRACT(n < 100)
__global__ void evaluated(unsigned long long n) {
  __shared__ int s[100];
  if (threadIdx.x == 0)
    s[n] = 0;
}
// CHECK: RACE skipped {{.*}} out-of-bounds
GS_LAUNCH_CONTRACT(block.x == 32 || n < 100)
__global__ void skipped(unsigned long long n) {
  __shared__ int s[100];
  if (threadIdx.x == 0)
    s[n] = 0;
}
// CHECK: PROVED both_evaluated
GS_LAUNCH_CONTRACT(block.x == 32 && !(n >= 100))
__global__ void both_evaluated(unsigned long long n) {
  __shared__ int s[100];
  if (threadIdx.x == 0)
    s[n] = 0;
}
