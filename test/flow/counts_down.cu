// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %verdicts %s --block=64 | FileCheck %s
// Loops that end because an unsigned counter wraps: later iterations count, too.
#include <gpusafe.h>

// CHECK: RACE refill {{.*}} data-race
__global__ void refill(int *o, unsigned n) {
  __shared__ int s[64];
  int t = threadIdx.x, x = 0;
  for (unsigned k = n - 1; k < n; k--) {
    s[t] = k;
    __syncthreads();
    x += s[63 - t];
  }
  o[blockIdx.x * 64 + t] = x;
}
// CHECK: RACE refill_break {{.*}} data-race
__global__ void refill_break(int *o, unsigned n) {
  __shared__ int s[64];
  int t = threadIdx.x, x = 0;
  for (unsigned k = n - 1; k < n; k--) {
    s[t] = k;
    __syncthreads();
    x += s[63 - t];
    if (k == 0)
      break;
  }
  o[blockIdx.x * 64 + t] = x;
}
// CHECK: PROVED refill_ordered
__global__ void refill_ordered(int *o, unsigned n) {
  __shared__ int s[64];
  int t = threadIdx.x, x = 0;
  for (unsigned k = n - 1; k < n; k--) {
    s[t] = k;
    __syncthreads();
    x += s[63 - t];
    __syncthreads();
  }
  o[blockIdx.x * 64 + t] = x;
}
// CHECK: RACE outside {{.*}} out-of-bounds
__global__ void outside(int *o) {
  __shared__ int s[64];
  for (unsigned i = 63; i < 64; i--)
    if (threadIdx.x == 0)
      s[(63 - i) * 2] = i;
}
// CHECK: RACE narrow {{.*}} out-of-bounds
__global__ void narrow(int *o) {
  __shared__ int s[64];
  for (unsigned char i = 63; i < 64; i -= 2)
    if (threadIdx.x == 0)
      s[(63 - i) * 2] = i;
}
// CHECK: RACE by_size {{.*}} out-of-bounds
__global__ void by_size(int *o, size_t n) {
  __shared__ int s[64];
  for (size_t i = 63; i < 64; i += ~(size_t)0)
    if (threadIdx.x == 0)
      s[(63 - i) * 2] = i;
}
