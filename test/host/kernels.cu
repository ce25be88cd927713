// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// Findings about kernels as the analyzer's own reports: for scan-build, plists and CodeChecker.
// RUN: %clang_analyze --analyzer-output text -Xclang -analyzer-checker=gpusafe -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
// RUN: %clang_analyze -Xclang -analyzer-checker=gpusafe -Xclang -analyzer-output=plist -o %t.plist %s
// RUN: %python %S/Inputs/print_plist.py %t.plist | FileCheck %s
// One rule by its name, and the rules of host code, which have no kernels to tell of.
// RUN: %clang_analyze --analyzer-output text -Xclang -analyzer-checker=gpusafe.disjoint %s 2>&1 | FileCheck --check-prefix=ONE %s
// RUN: %clang_analyze --analyzer-output text -Xclang -analyzer-checker=gpusafe_extra.leak,gpusafe.copy-size %s 2>&1 | FileCheck --allow-empty --check-prefix=NONE %s
// Nothing is said without a checker of ours.
// RUN: %clang_analyze --analyzer-output text -Xclang -analyzer-checker=core %s 2>&1 | FileCheck --allow-empty --check-prefix=NONE %s
#include <gpusafe.h>

__global__ void shifted(float *p) {
  __shared__ float s[64];
  s[threadIdx.x & 63] = 0;
  __syncthreads();
  s[threadIdx.x & 63] = s[(threadIdx.x + 1) & 63]; // expected-warning {{data race on 's'}}
  p[threadIdx.x] = s[0];
}
GS_LAUNCH_CONTRACT(block.x == 64, grid.x == 1)
__global__ void all_write(float *p GS_DISJOINT(64)) { // expected-warning {{disjointness is broken on 'p': thread (0,0,0) of block 0 and thread (1,0,0) of block 0 both write 'p[0]'}}
  p[0] = threadIdx.x;
}
GS_LAUNCH_CONTRACT(block.x == 64, grid.x == 1)
__global__ void right(float *p GS_DISJOINT(64)) {
  p[threadIdx.x] = threadIdx.x;
}
// CHECK: 18:25 gpusafe.data-race: data race on 's':
// CHECK-NEXT: 18:25 read of 's' is here
// CHECK-NEXT: 18:23 write of 's' is here
// CHECK-NEXT: 18:25 no barrier between the read
// CHECK: 22:36 gpusafe.disjoint: disjointness is broken on 'p':
// CHECK-NEXT: 23:8 write of 'p' is here
// ONE-NOT: data-race
// ONE: warning: disjointness is broken on 'p': {{.*}} [gpusafe.disjoint]
// ONE-NOT: data-race
// NONE-NOT: gpusafe
