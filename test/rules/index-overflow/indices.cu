// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %verdicts %s --rules=index-overflow --strict | FileCheck %s
// Sizes for which 32 bits are not enough. With --strict nothing excuses it.
#include <gpusafe.h>

// CHECK: RACE rows {{.*}} index-overflow
GS_LAUNCH_CONTRACT(block == dim(256), grid.x <= 8388607, w >= 0, h >= 0)
__global__ void rows(float *a GS_EXTENT(w * h), int w, int h) {
  int x = blockIdx.x * 256 + threadIdx.x, y = blockIdx.y;
  if (x < w && y < h)
    a[y * w + x] = 1;
}
// CHECK: PROVED rows_wide
GS_LAUNCH_CONTRACT(block == dim(256), grid.x <= 8388607, w >= 0, h >= 0)
__global__ void rows_wide(float *a GS_EXTENT(w * h), int w, int h) {
  int x = blockIdx.x * 256 + threadIdx.x, y = blockIdx.y;
  if (x < w && y < h)
    a[(long)y * w + x] = 1;
}
// CHECK: PROVED rows_bounded
GS_LAUNCH_CONTRACT(block == dim(256), grid.x <= 8388607, w >= 0, h >= 0, w <= 10000, h <= 10000)
__global__ void rows_bounded(float *a GS_EXTENT(w * h), int w, int h) {
  int x = blockIdx.x * 256 + threadIdx.x, y = blockIdx.y;
  if (x < w && y < h)
    a[y * w + x] = 1;
}

// CHECK: RACE triple {{.*}} index-overflow
GS_LAUNCH_CONTRACT(block == dim(256), grid.x <= 8388607, n >= 0)
__global__ void triple(float *a GS_EXTENT(3 * n), int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n)
    a[3 * i + 2] = 1;
}
// CHECK: PROVED triple_wide
GS_LAUNCH_CONTRACT(block == dim(256), grid.x <= 8388607, n >= 0)
__global__ void triple_wide(float *a GS_EXTENT(3 * n), int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n)
    a[3 * (size_t)i + 2] = 1;
}

// CHECK: RACE in_loop {{.*}} index-overflow
GS_LAUNCH_CONTRACT(block == dim(256), grid.x <= 8388607, n >= 0)
__global__ void in_loop(const double *a GS_EXTENT(n * 64), double *o, int n) {
  int row = blockIdx.x * 256 + threadIdx.x;
  double sum = 0;
  if (row < n)
    for (int k = 0; k < 64; k++)
      sum += a[row * 64 + k];
  o[0] = sum;
}
// CHECK: PROVED in_loop_bounded
GS_LAUNCH_CONTRACT(block == dim(256), grid.x <= 8388607, n >= 0, n * 64 <= 2147483647)
__global__ void in_loop_bounded(const double *a GS_EXTENT(n * 64), double *o, int n) {
  int row = blockIdx.x * 256 + threadIdx.x;
  double sum = 0;
  if (row < n)
    for (int k = 0; k < 64; k++)
      sum += a[row * 64 + k];
  o[0] = sum;
}

// CHECK: RACE planes {{.*}} index-overflow
GS_LAUNCH_CONTRACT(block == dim(256), grid.x <= 8388607, n >= 0, n <= 4096)
__global__ void planes(char *a GS_EXTENT(n * n * n), int n) {
  int x = blockIdx.x * 256 + threadIdx.x, y = blockIdx.y, z = blockIdx.z;
  if (x < n && y < n && z < n)
    a[(z * n + y) * n + x] = 1;
}
// CHECK: PROVED planes_small
GS_LAUNCH_CONTRACT(block == dim(256), grid.x <= 8388607, n >= 0, n <= 1024)
__global__ void planes_small(char *a GS_EXTENT(n * n * n), int n) {
  int x = blockIdx.x * 256 + threadIdx.x, y = blockIdx.y, z = blockIdx.z;
  if (x < n && y < n && z < n)
    a[(z * n + y) * n + x] = 1;
}
