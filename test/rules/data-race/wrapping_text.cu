// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel in text form cannot be lowered again without the assumption that its contract
// contradicts: nothing is claimed of it.
// REQUIRES: clang
// RUN: %gpusafe check --cuda-path=none --dump=accesses %s > %t.gs
// RUN: not %gpusafe check --verify %t.gs > %t.out 2>&1
// RUN: FileCheck %s < %t.out
#include "gpusafe.h"

// CHECK-DAG: UNKNOWN {{ *}}halves
// CHECK-DAG: the assumption that 32-bit index arithmetic does not wrap contradicts the contract
__global__ void GS_LAUNCH_CONTRACT(block.x == 64, grid.x == 1, s == 2147483648) halves(int *h, unsigned s) {
  h[threadIdx.x * s] = threadIdx.x;
}
// CHECK-DAG: PROVED {{ *}}fits
__global__ void GS_LAUNCH_CONTRACT(block.x == 64, grid.x == 1, s == 1024) fits(int *h, unsigned s) {
  h[threadIdx.x * s] = threadIdx.x;
}
