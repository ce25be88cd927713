// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// -w and -Werror apply to what is said of kernels that claim nothing; a broken claim is an
// error in any case.
// RUN: %clang_gs -fsyntax-only %s 2>&1 | grep -c 'warning: .*gpusafe' | grep -x 2
// RUN: %clang_gs -fsyntax-only -w %s 2>&1 | count 0
// RUN: not %clang_gs -fsyntax-only -Werror %s 2>&1 | FileCheck --implicit-check-not=warning: %s
// RUN: not %clang_gs -fsyntax-only -w -DCLAIM %s 2>&1 | FileCheck --check-prefix=CLAIM %s
// CHECK-DAG: error: {{.*}} [gpusafe-data-race]
// CHECK-DAG: error: {{.*}} [gpusafe-launch-contract]
// CLAIM: error: {{.*}} [gpusafe-disjoint]
#include <gpusafe.h>
__global__ void racy(int *p) { p[1] = threadIdx.x; }
__global__ void fine(int *p) {}
void host(int *p) {
  racy<<<1, 32>>>(p);
  fine<<<1, 2048>>>(p);
}
#ifdef CLAIM
__global__ void claimed(int *p GS_DISJOINT(n), int n) { p[0] = threadIdx.x; }
#endif
