// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %verdicts %s --rules=disjoint | FileCheck %s
// The ways in which kernels divide an array among threads, each with a near miss.
#include <gpusafe.h>

// CHECK: PROVED grid_stride
__global__ void grid_stride(float *c GS_DISJOINT(n), int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    c[i] += 1;
}
// CHECK: RACE block_stride {{.*}} disjoint
__global__ void block_stride(float *c GS_DISJOINT(n), int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x)
    c[i] += 1;
}

// CHECK: PROVED chunk
__global__ void chunk(float *c GS_DISJOINT(n * m), int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int j = 0; j < m; j++)
      c[i * m + j] = 0;
}
// CHECK: RACE chunk_and_next {{.*}} disjoint
GS_LAUNCH_CONTRACT(block.x == 64, grid.x == 1, m == 4)
__global__ void chunk_and_next(float *c GS_DISJOINT(n * m), int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int j = 0; j <= m; j++)
      c[i * m + j] = 0;
}
// CHECK: PROVED interleaved
__global__ void interleaved(float *c GS_DISJOINT(n * m), int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int j = 0; j < m; j++)
      c[j * n + i] = 0;
}

// CHECK: PROVED rows
__global__ void rows(float *c GS_DISJOINT(w * h), int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h)
    c[y * w + x] = 1;
}
// CHECK: PROVED volume
__global__ void volume(float *c GS_DISJOINT(w * h * d), int w, int h, int d) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
      z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < w && y < h && z < d)
    c[(z * h + y) * w + x] = 1;
}
// Sizes that a caller may swap.
// CHECK: {{RACE|POSSIBLE}} rows_swapped {{.*}} disjoint
GS_LAUNCH_CONTRACT(block == dim(16, 16), grid == dim(2, 2))
__global__ void rows_swapped(float *c GS_DISJOINT(w * h), int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < h && y < w)
    c[y * w + x] = 1;
}

// A leading dimension: what the caller knows belongs into the contract.
// CHECK: PROVED column_major
GS_LAUNCH_CONTRACT(ld >= m)
__global__ void column_major(float *a GS_DISJOINT(ld * n), int m, int n, int ld) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < m && j < n)
    a[j * ld + i] = 0;
}
// CHECK: {{RACE|POSSIBLE}} column_major_any {{.*}} disjoint
GS_LAUNCH_CONTRACT(block == dim(16, 16), grid == dim(2, 2), ld >= 1)
__global__ void column_major_any(float *a GS_DISJOINT(), int m, int n, int ld) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < m && j < n)
    a[j * ld + i] = 0;
}

// CHECK: PROVED exact_cover
GS_LAUNCH_CONTRACT(n == grid.x * block.x, block.x == 256)
__global__ void exact_cover(float *c GS_DISJOINT(n), int n) {
  c[blockIdx.x * 256 + threadIdx.x] = 1;
}
// CHECK: RACE cover_by_128 {{.*}} disjoint
GS_LAUNCH_CONTRACT(n == grid.x * block.x, block.x == 256)
__global__ void cover_by_128(float *c GS_DISJOINT(n), int n) {
  c[blockIdx.x * 128 + threadIdx.x] = 1;
}

// Templates: each instance is checked, and the group has the worst verdict.
// CHECK: PROVED scaled<...> {{.*}} (2 instances)
template <class T, int FACTOR> __global__ void scaled(T *c GS_DISJOINT(n * FACTOR), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i * FACTOR] = i;
}
template __global__ void scaled<double, 1>(double *, int);
template __global__ void scaled<char, 3>(char *, int);
// CHECK: RACE divided<...> {{.*}} disjoint (2 instances)
// CHECK-NEXT: divided<char, 2> for sm_90: RACE
template <class T, int DIVISOR> __global__ void divided(T *c GS_DISJOINT(n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i / DIVISOR] = i;
}
template __global__ void divided<double, 1>(double *, int);
template __global__ void divided<char, 2>(char *, int);
