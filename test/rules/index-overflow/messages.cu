// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %clang_gs -fsyntax-only -Xclang -verify %s
#include <gpusafe.h>

// The assumption is listed, and this is what breaks it.
GS_LAUNCH_CONTRACT(block.x == 256, n >= 0)
__global__ void triple(float *a GS_DISJOINT(3 * n), int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n)
    a[3 * i + 2] = 1; // expected-remark {{index overflow: this product is}} \
    // expected-note {{compute the index in 64 bits}}
}
// No claim is on the pointer.
GS_LAUNCH_CONTRACT(block.x == 256, n >= 0)
__global__ void no_claim(float *a, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n)
    a[3 * i + 2] = 1;
}
// Unsigned indices, and their twins in 64 bits.
GS_LAUNCH_CONTRACT(block.x == 256)
__global__ void unsigned_rows(char *a GS_DISJOINT(), unsigned w, unsigned h) {
  unsigned x = blockIdx.x * 256 + threadIdx.x, y = blockIdx.y;
  if (x < w && y < h)
    a[y * w + x] = 1; // expected-remark {{index overflow: this product is}} expected-note {{compute the index in 64 bits}}
}
GS_LAUNCH_CONTRACT(block.x == 256)
__global__ void unsigned_rows_wide(char *a GS_DISJOINT(), unsigned w, unsigned h) {
  unsigned x = blockIdx.x * 256 + threadIdx.x, y = blockIdx.y;
  if (x < w && y < h)
    a[(unsigned long long)y * w + x] = 1;
}
