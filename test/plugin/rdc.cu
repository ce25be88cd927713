// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// Relocatable device code: static kernels get other names, and functions may be defined
// elsewhere. (Without -cuid clang hashes its own command line into the names.)
// RUN: sh %S/Inputs/same_ptx.sh "%clang -fgpu-rdc -cuid=1 %s" "%plugin" %t contracts
// RUN: %clang_gs -fgpu-rdc -fsyntax-only -fplugin-arg-gpusafe-dump %s 2>&1 | FileCheck %s
#include <gpusafe.h>
extern __device__ float elsewhere(float);
// CHECK: kernel 'internal' {{_ZL8internalPfi.+}}, at
// CHECK: disjoint param 0: n
static __global__ void internal(float *p GS_DISJOINT(n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] = 1;
}
// CHECK: kernel 'external' _Z8externalPfi, at
__global__ void external(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] = elsewhere(1);
}
void host(float *p, int n) { internal<<<1, 1>>>(p, n); }
