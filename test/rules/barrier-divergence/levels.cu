// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %python %S/../../kernels/verdicts.py %s %gpusafe --verify
// Loops whose trips hang on values that are not computed: who agrees on them?
#include <gpusafe.h>

// What is computed from a value of the thread is the thread's, also in a loop.
__global__ void refused_float_trip(float *o) {
  __shared__ float s[256];
  float x = threadIdx.x, sum = 0;
  int t = threadIdx.x & 255;
  do {
    x = x * 2.0f + 1;
    if (threadIdx.x < 256) s[t] = x;
    __syncthreads();
    sum += s[255 - t];
    __syncthreads();
  } while (x * 3.0f < 1000.f);
  o[threadIdx.x + blockIdx.x * blockDim.x] = sum;
}
__global__ void proved_float_trip(float *o, float x) {
  __shared__ float s[256];
  float sum = 0;
  int t = threadIdx.x & 255;
  do {
    x = x * 2.0f + 1;
    if (threadIdx.x < 256) s[t] = x;
    __syncthreads();
    sum += s[255 - t];
    __syncthreads();
  } while (x * 3.0f < 1000.f);
  o[threadIdx.x + blockIdx.x * blockDim.x] = sum;
}
// The inner loop begins with what the outer one changes.
__global__ void refused_inner_trip(float *o, int n) {
  float x = threadIdx.x;
  for (int i = 0; i < n; i++) {
    float y = x;
    do {
      y = y * 2.0f;
      __syncthreads();
    } while (y < 100.f);
    x = y + 1;
  }
  o[threadIdx.x + blockIdx.x * blockDim.x] = x;
}
__global__ void proved_inner_trip(float *o, float x, int n) {
  for (int i = 0; i < n; i++) {
    float y = x;
    do {
      y = y * 2.0f;
      __syncthreads();
    } while (y < 100.f);
    x = y + 1;
  }
  o[threadIdx.x + blockIdx.x * blockDim.x] = x;
}
