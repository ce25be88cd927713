// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %clang_gs -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note -fplugin-arg-gpusafe-block=64 %s
// The bundled declarations wrap atomic operations: some messages stand in their file.
#include <gpusafe.h>

__global__ void reset(int *count) {
  if (threadIdx.x == 0)
    count[0] = 0; // expected-warning {{atomic and plain access without order on 'count': thread (0,0,0) of block 0 writes 'count[0]' and thread}}
  atomicAdd(&count[0], 1);
}
__global__ void scope(int *sum) {
  if (blockIdx.x < gridDim.x)
    atomicAdd_block(sum, 1); // expected-note {{called from here}}
}
// expected-warning@*:* {{atomics of too narrow a scope on 'sum': thread (0,0,0) of block 0 updates atomically 'sum[0]' and thread (0,0,0) of block 1 updates atomically it}}
// expected-note@*:* {{use the atomic whose scope holds both threads: atomicAdd, not atomicAdd_block}}
// expected-note@*:* {{an atomic orders nothing but atomics: make the plain access atomic as well}}

GS_TRUSTED(data-race, "the first block comes long before")
GS_LAUNCH_CONTRACT(block.x == 64)
__global__ void vouched(int *count) {
  if (threadIdx.x == 0)
    count[0] = 0;
  atomicAdd(&count[0], 1);
}
