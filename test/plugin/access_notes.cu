// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: not %clang_gs -fsyntax-only %s 2>&1 | FileCheck %s
// Both accesses of a finding are shown, through the calls and macros that lead there.
#include <gpusafe.h>

// CHECK: access_notes.cu:[[@LINE+5]]:43: warning: {{.*}} [gpusafe-data-race]
// CHECK: access_notes.cu:[[@LINE+4]]:43: note: write of 'p' is here
// CHECK: access_notes.cu:[[@LINE+4]]:40: note: called from here
// CHECK: access_notes.cu:[[@LINE+4]]:35: note: called from here
// CHECK-NOT: is here
__device__ void put(int *p, int v) { p[0] = v; }
__device__ void outer(int *p, int v) { put(p, v); }
__global__ void inlined(int *p) { outer(p, threadIdx.x); }

// CHECK: access_notes.cu:[[@LINE+4]]:33: warning: {{.*}} [gpusafe-data-race]
// CHECK: access_notes.cu:[[@LINE+2]]:9: note: expanded from macro 'STORE'
// CHECK-NOT: is here
#define STORE(p, v) (p)[0] = (v)
__global__ void macro(int *p) { STORE(p, threadIdx.x); }

// CHECK: access_notes.cu:[[@LINE+6]]:{{[0-9]+}}: error: {{.*}} [gpusafe-data-race]
// CHECK: access_notes.cu:[[@LINE+5]]:{{[0-9]+}}: note: read of 'p' is here
// CHECK: access_notes.cu:[[@LINE+4]]:{{[0-9]+}}: note: write of 'p' is here
GS_LAUNCH_CONTRACT(n >= 2, grid.x * block.x >= n)
__global__ void two_accesses(int *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n) p[i] = p[i + 1];
}
