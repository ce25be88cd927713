// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %clang_gs -fsyntax-only -Xclang -verify -fplugin-arg-gpusafe-rules=bank-conflict %s
// Requests to one bank, and the layouts that spread them.
#include <gpusafe.h>

GS_LAUNCH_CONTRACT(block == dim(32, 32))
__global__ void transpose(float *o, const float *a) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = a[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  o[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y]; // expected-remark {{bank conflict: this read of 'tile' is 32-way for the warp of thread 0 of a block}} \
  // expected-note {{pad each row of 32 elements by 4 bytes (tile[...][32 + 1]): then it is 1-way}}
}
GS_LAUNCH_CONTRACT(block == dim(32, 32))
__global__ void padded(float *o, const float *a) {
  __shared__ float tile[32][33];
  tile[threadIdx.y][threadIdx.x] = a[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  o[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
GS_LAUNCH_CONTRACT(block == dim(32, 32))
__global__ void swizzled(float *o, const float *a) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x ^ threadIdx.y] = a[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  o[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y ^ threadIdx.x];
}

GS_LAUNCH_CONTRACT(block.x == 128)
__global__ void every_second(int *o) {
  __shared__ int s[256];
  s[2 * threadIdx.x] = 1; // expected-remark {{this write of 's' is 2-way}} expected-note {{}}
  s[threadIdx.x] = 1;
}
// Lanes that read one word share it; neighbours are in neighbouring banks.
GS_LAUNCH_CONTRACT(block.x == 128)
__global__ void broadcast(int *o) {
  __shared__ int s[256];
  s[threadIdx.x] = 1;
  o[threadIdx.x] = s[threadIdx.x / 32] + s[7] + s[255 - threadIdx.x];
}
// Wide accesses take halves and quarters of a warp at a time.
GS_LAUNCH_CONTRACT(block.x == 128)
__global__ void wide(float4 *o) {
  __shared__ float4 s[128];
  __shared__ double d[128];
  s[threadIdx.x] = o[threadIdx.x];
  d[threadIdx.x] = 1;
}
GS_LAUNCH_CONTRACT(block.x == 128)
__global__ void wide_apart(float4 *o) {
  __shared__ float4 s[256];
  s[2 * threadIdx.x] = o[threadIdx.x]; // expected-remark {{this write of 's' is 2-way}} expected-note {{}}
}
// Structs of an even size, and of an odd one.
struct two { int a, b; };
struct three { int a, b, c; };
GS_LAUNCH_CONTRACT(block.x == 128)
__global__ void structs(int *o) {
  __shared__ two e[128];
  __shared__ three u[128];
  e[threadIdx.x].a = 1; // expected-remark {{this write of 'e' is 2-way}} expected-note {{}}
  u[threadIdx.x].a = 1;
}
// The worst iteration counts.
GS_LAUNCH_CONTRACT(block.x == 256)
__global__ void tree(int *o) {
  __shared__ int s[256];
  for (int d = 1; d < 256; d *= 2) {
    int i = 2 * d * threadIdx.x;
    if (i < 256)
      s[i] = 1; // expected-remark {{this write of 's' is 8-way}} expected-note {{}}
    __syncthreads();
  }
}
