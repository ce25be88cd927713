// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// UNSUPPORTED: sanitized
// A template in two units has one entry, with the stub that the linker keeps; a kernel that
// is only declared here is checked where it is defined, and at direct launches here.
// RUN: %clang_launches -DFIRST %s -o %t.1.s
// RUN: %clang_launches -O2 %s -o %t.2.s
// RUN: %link_launches %t.1.s %t.2.s -o %t
// RUN: %run_launches %t 2>&1 | FileCheck %s
// RUN: llvm-readelf -S %t | FileCheck --check-prefix=SECTION %s
// RUN: %link_launches -fuse-ld=lld %t.2.s %t.1.s -Wl,--gc-sections -Wl,--icf=safe -o %t.lld || test ! -x /usr/bin/ld.lld
// RUN: test ! -x %t.lld || %run_launches %t.lld 2>&1 | FileCheck %s
//
// Three entries of 24 bytes: fill<float>, fill<int>, elsewhere.
// SECTION: gpusafe_kernels PROGBITS {{[0-9a-f]+ [0-9a-f]+}} 000048
#include "Inputs/guarded.h"

GS_LAUNCH_CONTRACT(block.x <= 32) __global__ void elsewhere(int *p GS_DISJOINT(n), int n);
void second(int size);

#ifdef FIRST
static volatile int seven = 7;
int main() {
  // CHECK: kernel 'fill<float>': {{.*}} 3 >= 4
  // CHECK: {{^}}template: 0 made, 1 refused
  fill<<<1, 32>>>((float *)nullptr, seven - 4);
  tell("template");
  // CHECK: kernel 'elsewhere': 'block.x <= 32' does not hold: 33 <= 32
  // CHECK: kernel 'elsewhere': 'block.x <= 32' does not hold: 34 <= 32
  // CHECK: {{^}}elsewhere: 1 made, 2 refused
  int n = 0;
  void *null = nullptr, *args[] = {&null, &n};
  elsewhere<<<1, 32>>>(nullptr, 0);
  elsewhere<<<1, 26 + seven>>>(nullptr, 0);
  cudaLaunchKernel((const void *)elsewhere, dim3(1), dim3(27 + seven), args, 0, nullptr);
  tell("elsewhere");
  // CHECK: kernel 'fill<float>': {{.*}} 2 >= 4
  // CHECK: kernel 'fill<int>': {{.*}} 2 >= 4
  // CHECK: {{^}}second: 0 made, 2 refused
  second(seven - 5);
  tell("second");
}
#else
__global__ void elsewhere(int *p GS_DISJOINT(n), int n) {}
void second(int size) {
  fill<<<1, 32>>>((float *)nullptr, size);
  fill<<<1, 32>>>((int *)nullptr, size);
}
#endif
