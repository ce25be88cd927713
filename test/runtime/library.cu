// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// UNSUPPORTED: sanitized
// A shared library with annotated kernels brings its own checks, each time it is loaded.
// RUN: %clang_launches -O2 -fPIC %s -o %t.s
// RUN: %link_launches -shared %t.s -Wl,--gc-sections -o %t.so
// RUN: %clang_link %S/Inputs/load.c -o %t.load -ldl
// RUN: %run_launches %t.load %t.so 2>&1 | FileCheck %s
//
// Linked without the archive it would have to launch through another image's: refused.
// RUN: not %link_bare -shared %t.s -o %t.bare.so 2>&1 | FileCheck --check-prefix=BARE %s
// BARE: `gpusafe_link_libgpusafe_cuda_and_libgpusafe_rt' isn't defined
#include "Inputs/guarded.h"

template <int N> GS_LAUNCH_CONTRACT(block.x == N) __global__ void sized() {}

static volatile int three = 3;
extern "C" void run() {
  // CHECK: kernel 'sized<4>': 'block.x == N' does not hold: 3 == 4
  // CHECK: {{^}}library: 1 made, 1 refused
  // CHECK: kernel 'sized<4>': 'block.x == N' does not hold: 3 == 4
  // CHECK: {{^}}library: 1 made, 1 refused
  sized<4><<<1, three>>>();
  sized<4><<<1, three + 1>>>();
  tell("library");
}
