// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %clang_gs -fsyntax-only -fplugin-arg-gpusafe-block=64 -Xclang -verify %s
// An access that starts inside of an array and ends behind it says how wide it is.

__global__ void view(long *o) {
  __shared__ int words[2 * 64 + 4];
  volatile long *result = (volatile long *)&words[2 * 64 + 3];
  if (threadIdx.x == 0)
    *result = -1; // expected-warning-re {{out of bounds of 'words': thread (0,0,0) of block 0 writes 8 bytes at 'words[131]', past its 132 elements, when launched with grid {{.*}} [gpusafe-out-of-bounds]}}
    // expected-note@-1 {{guard the access by its bound}}
  __syncthreads();
  o[blockIdx.x * blockDim.x + threadIdx.x] = words[threadIdx.x];
}
__global__ void view_inside(long *o) {
  __shared__ int words[2 * 64 + 4];
  volatile long *result = (volatile long *)&words[2 * 64 + 2];
  if (threadIdx.x == 0)
    *result = -1;
  __syncthreads();
  o[blockIdx.x * blockDim.x + threadIdx.x] = words[threadIdx.x];
}
