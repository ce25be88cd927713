// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %clang_gs -fsyntax-only -Xclang -verify -fplugin-arg-gpusafe-rules=+redundant-barrier %s
// Barriers that can go, and those that cannot.
#include <gpusafe.h>

GS_LAUNCH_CONTRACT(block.x == 256)
__global__ void twice(int *o, const int *a) {
  __shared__ int s[256];
  int i = blockIdx.x * 256 + threadIdx.x;
  s[threadIdx.x] = a[i];
  __syncthreads(); // expected-remark {{redundant barrier: without this one}} expected-note {{take it away}}
  __syncthreads(); // expected-remark {{redundant barrier}} expected-note {{take it away}}
  o[i] = s[255 - threadIdx.x];
}
GS_LAUNCH_CONTRACT(block.x == 256)
__global__ void once(int *o, const int *a) {
  __shared__ int s[256];
  int i = blockIdx.x * 256 + threadIdx.x;
  s[threadIdx.x] = a[i];
  __syncthreads();
  o[i] = s[255 - threadIdx.x];
}
GS_LAUNCH_CONTRACT(block.x == 256)
__global__ void own_elements(int *o, const int *a) {
  __shared__ int s[256];
  int i = blockIdx.x * 256 + threadIdx.x;
  s[threadIdx.x] = a[i];
  __syncthreads(); // expected-remark {{redundant barrier}} expected-note {{take it away}}
  o[i] = s[threadIdx.x];
}
GS_LAUNCH_CONTRACT(block.x == 256)
__global__ void at_the_end(int *o, const int *a) {
  __shared__ int s[256];
  int i = blockIdx.x * 256 + threadIdx.x;
  s[threadIdx.x] = a[i];
  __syncthreads();
  o[i] = s[255 - threadIdx.x];
  __syncthreads(); // expected-remark {{redundant barrier}} expected-note {{take it away}}
}
GS_LAUNCH_CONTRACT(block.x == 256)
__global__ void refilled(int *o, const int *a, int n) {
  __shared__ int s[256];
  int sum = 0;
  for (int k = 0; k < n; k++) {
    s[threadIdx.x] = a[k * 256 + threadIdx.x];
    __syncthreads();
    sum += s[255 - threadIdx.x];
    __syncthreads();
  }
  o[blockIdx.x * 256 + threadIdx.x] = sum;
}
GS_LAUNCH_CONTRACT(block.x == 256)
__global__ void double_buffer(int *o, const int *a, int n) {
  __shared__ int s[2][256];
  int sum = 0;
  for (int k = 0; k < n; k++) {
    s[k & 1][threadIdx.x] = a[k * 256 + threadIdx.x];
    __syncthreads();
    sum += s[k & 1][255 - threadIdx.x];
    __syncthreads(); // expected-remark {{redundant barrier}} expected-note {{take it away}}
  }
  o[blockIdx.x * 256 + threadIdx.x] = sum;
}
