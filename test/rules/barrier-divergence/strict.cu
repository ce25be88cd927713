// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %verdicts %s --rules=barrier-divergence | FileCheck --check-prefix=USUAL %s
// RUN: %verdicts %s --rules=barrier-divergence --strict | FileCheck --check-prefix=STRICT %s
// That threads which have returned count as arrived is an assumption.
#include <gpusafe.h>

// USUAL: PROVED returned
// STRICT: RACE returned {{.*}}barrier-divergence
GS_LAUNCH_CONTRACT(block == dim(64))
__global__ void returned(int *o, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= n)
    return;
  __syncthreads();
  o[i] = 1;
}
// USUAL: PROVED returned_with_work
// STRICT: RACE returned_with_work {{.*}}barrier-divergence
GS_LAUNCH_CONTRACT(block == dim(64))
__global__ void returned_with_work(int *o, int n) {
  if (threadIdx.x >= 32) {
    o[64 * blockIdx.x + threadIdx.x] = 0;
    return;
  }
  __syncthreads();
  o[64 * blockIdx.x + threadIdx.x] = 1;
}
// USUAL: PROVED together
// STRICT: PROVED together
GS_LAUNCH_CONTRACT(block == dim(64))
__global__ void together(int *o, int n) {
  if (blockIdx.x * 64 >= n)
    return;
  __syncthreads();
  o[64 * blockIdx.x + threadIdx.x] = 1;
}
// A function that returns early is no thread that returns: the kernel goes on.
__device__ int helper(int *o, int n) {
  if (threadIdx.x >= n)
    return 0;
  __syncthreads();
  return 1;
}
// USUAL: RACE goes_on {{.*}}barrier-divergence
// STRICT: RACE goes_on {{.*}}barrier-divergence
GS_LAUNCH_CONTRACT(block == dim(64))
__global__ void goes_on(int *o, int n) {
  int r = helper(o, n);
  o[64 * blockIdx.x + threadIdx.x] = r;
}
