// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// Kernels of system headers are somebody else's.
// RUN: %clang_gs -isystem %S/Inputs/system -fsyntax-only -fplugin-arg-gpusafe-verify -fplugin-arg-gpusafe-report=%t.json %s
// RUN: FileCheck --input-file=%t.json %s
// CHECK-NOT: in_system
// CHECK: "name": "own"
// CHECK-NOT: in_system
#include <kernels.cuh>
template __global__ void racy_in_system<int>(int *);
__global__ void own(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] = 1;
}
