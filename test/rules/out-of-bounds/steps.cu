// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %verdicts %s --block=32 | FileCheck %s
// A counter that stays in range although the sum of its steps does not, or the negative
// of its step.

// CHECK: RACE two_steps {{.*}} out-of-bounds
__global__ void two_steps(int *o, int a, int b) {
  __shared__ int s[64];
  int v = -2147483647 - 1;
  for (int k = 0; k < 2; k++) {
    if (threadIdx.x == 0 && v >= 0 && v < 100)
      s[v] = 1; // a and b of 2^30 + 40: v is 80
    v = v + a + b;
  }
}
// CHECK: PROVED two_steps_fit
__global__ void two_steps_fit(int *o, int a, int b) {
  __shared__ int s[100];
  int v = -2147483647 - 1;
  for (int k = 0; k < 2; k++) {
    if (threadIdx.x == 0 && v >= 0 && v < 100)
      s[v] = 1;
    v = v + a + b;
  }
}
// CHECK: RACE minus_least {{.*}} out-of-bounds
__global__ void minus_least(int *o, int n) {
  __shared__ int s[64];
  int v = -5;
  for (int k = 0; k < 2; k++) {
    if (threadIdx.x == 0 && v > 0)
      s[v >> 20] = 1; // n of -2^31: v is 2^31 - 5
    v -= n;
  }
}
// CHECK: PROVED minus_least_fits
__global__ void minus_least_fits(int *o, int n) {
  __shared__ int s[2048];
  int v = -5;
  for (int k = 0; k < 2; k++) {
    if (threadIdx.x == 0 && v > 0)
      s[v >> 20] = 1;
    v -= n;
  }
}
// Strides still come out even.
// CHECK: PROVED strides
__global__ void strides(int *o, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    o[i] = i;
}
// CHECK: PROVED strides_down
__global__ void strides_down(int *o, int n) {
  int stride = gridDim.x * blockDim.x;
  for (int i = n - 1 - (int)(blockIdx.x * blockDim.x + threadIdx.x); i >= 0; i -= stride)
    o[i] = i;
}
