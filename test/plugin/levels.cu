// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// The same is found whatever the compile produces.
// RUN: sh %S/Inputs/levels.sh "%clang_gs %s" %t
#include <gpusafe.h>
__global__ void racy(int *p) { p[0] = threadIdx.x; }
__global__ void fill(int *p GS_DISJOINT(n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] = 1;
}
