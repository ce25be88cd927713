// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %clang_gs -fsyntax-only -Xclang -verify -fplugin-arg-gpusafe-rules=assertion %s
#include <gpusafe.h>

// An assertion of a kernel without a contract is its contract.
__global__ void no_contract(int *o, int n) {
  assert(n > 0);
  o[0] = n;
}
GS_LAUNCH_CONTRACT(n <= 7)
__global__ void claimed(int *o, int n) {
  assert(n > 0); // expected-error {{failed assertion: it does not hold for thread (0,0,0) of block 0, when launched with}} \
  // expected-note {{state in GS_LAUNCH_CONTRACT(...) what makes it hold, or handle the case}}
  o[0] = n;
}
GS_TRUSTED(assertion, "the caller sees to it")
GS_LAUNCH_CONTRACT(n <= 7)
__global__ void vouched(int *o, int n) {
  assert(n > 0);
  o[0] = n;
}
