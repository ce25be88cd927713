// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %gpusafe check --cuda-path=none --no-times --verify %s | FileCheck %s
// RUN: %gpusafe check --cuda-path=none --no-times --verify %s -- -std=c++20 | FileCheck %s
// The bundled declarations beside the C library's: what a program includes anyway.
#include <cassert>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

// CHECK: PROVED checked
__global__ void checked(float *a, int n) {
  __shared__ int s[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  assert(t < 64);
  s[t] = i;
  if (i < n) {
    a[i] = sqrtf(a[i]) + s[t];
    printf("%d\n", i);
  }
}

int main() {
  std::vector<float> v(3);
  float *d = nullptr;
  printf("%zu\n", v.size());
  checked<<<1, 64>>>(d, 3);
  free(malloc(1));
  return 0;
}
