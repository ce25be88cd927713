// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %clang_gs -fsyntax-only -Xclang -verify -fplugin-arg-gpusafe-rules=uninitialized-shared %s
#include <gpusafe.h>

__global__ void never(float *o) {
  __shared__ float s[1024];
  o[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x]; // expected-warning {{uninitialized shared memory: thread (0,0,0) of block 0 reads 's[0]', which no thread of the block writes (nothing in the kernel writes to this array), when launched with}} \
  // expected-note {{fill the element before the barrier}}
}
GS_LAUNCH_CONTRACT(block.x == 32)
__global__ void halo(float *o) {
  __shared__ float s[33];
  s[threadIdx.x] = 1;
  __syncthreads();
  o[blockIdx.x * 32 + threadIdx.x] = s[threadIdx.x + 1]; // expected-error {{uninitialized shared memory: thread (31,0,0) of block 0 reads 's[32]', which no thread of the block writes, when launched with}} \
  // expected-note {{fill the element before the barrier}}
}
// A launch that is not known shows nothing about elements.
__global__ void any_block(float *o) {
  __shared__ float s[33];
  s[threadIdx.x] = 1;
  __syncthreads();
  o[blockIdx.x * 32 + threadIdx.x] = s[threadIdx.x + 1];
}
