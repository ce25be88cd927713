// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %clang_gs -fsyntax-only -Xclang -verify -fplugin-arg-gpusafe-rules=const-write %s
__constant__ float table[64];

__global__ void warned(int i) {
  const_cast<float *>(table)[i] = 1; // expected-warning {{write to 'table', which is constant memory or a const object: thread (0,0,0) of block 0 writes 'table[}} \
  // expected-note {{write to memory that is not const, or take the const off its declaration}}
}
// Only what is certain is said of a kernel that claims nothing.
__global__ void perhaps(const float *a) {
  ((float *)a)[threadIdx.x] = 1;
}
