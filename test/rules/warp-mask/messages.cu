// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %clang_gs -fsyntax-only -Xclang -verify -fplugin-arg-gpusafe-rules=warp-mask -fplugin-arg-gpusafe-block=128 %s

__global__ void half(float *o, float v) {
  if (threadIdx.x % 32 < 16) // expected-note {{the lanes part at this condition}}
    v += __shfl_down_sync(0xffffffff, v, 8); // expected-warning {{of block 0 of the same warp, which the mask 0xffffffff names, does not}} \
    // expected-note {{or take the mask before the condition: mask = __ballot_sync(0xffffffff, condition)}}
  o[threadIdx.x] = v;
}
__global__ void unnamed(int *o) {
  __syncwarp(0x0000ffff); // expected-warning {{executes it, and the mask 0xffff does not name its lane}} \
  // expected-note {{name every lane that executes the operation, and no other}}
  o[threadIdx.x] = 1;
}
