// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %verdicts %s | FileCheck %s
// Two-dimensional tiles.
#include <gpusafe.h>

// CHECK: PROVED product
GS_LAUNCH_CONTRACT(block == dim(16, 16), n % 16 == 0, grid.x * 16 == n, grid.y * 16 == n)
__global__ void product(const float *a, const float *b, float *c GS_DISJOINT(), int n) {
  __shared__ float A[16][16], B[16][16];
  int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, col = blockIdx.x * 16 + x;
  float s = 0;
  for (int m = 0; m < n / 16; m++) {
    A[y][x] = a[row * n + m * 16 + x];
    B[y][x] = b[(m * 16 + y) * n + col];
    __syncthreads();
    for (int k = 0; k < 16; k++)
      s += A[y][k] * B[k][x];
    __syncthreads();
  }
  c[row * n + col] = s;
}
// CHECK: RACE product_one_barrier {{.*}} data-race
GS_LAUNCH_CONTRACT(block == dim(16, 16), n % 16 == 0, grid.x * 16 == n, grid.y * 16 == n)
__global__ void product_one_barrier(const float *a, const float *b, float *c GS_DISJOINT(), int n) {
  __shared__ float A[16][16], B[16][16];
  int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, col = blockIdx.x * 16 + x;
  float s = 0;
  for (int m = 0; m < n / 16; m++) {
    A[y][x] = a[row * n + m * 16 + x];
    B[y][x] = b[(m * 16 + y) * n + col];
    __syncthreads();
    for (int k = 0; k < 16; k++)
      s += A[y][k] * B[k][x];
  }
  c[row * n + col] = s;
}

// CHECK: PROVED transpose
GS_LAUNCH_CONTRACT(block == dim(32, 8))
__global__ void transpose(const float *a, float *o GS_DISJOINT(), int n) {
  __shared__ float t[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < n && y + j < n)
      t[threadIdx.y + j][threadIdx.x] = a[(y + j) * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < n && y + j < n)
      o[(y + j) * n + x] = t[threadIdx.x][threadIdx.y + j];
}
// CHECK: RACE transpose_no_barrier {{.*}} data-race
GS_LAUNCH_CONTRACT(block == dim(32, 8))
__global__ void transpose_no_barrier(const float *a, float *o, int n) {
  __shared__ float t[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < n && y + j < n)
      t[threadIdx.y + j][threadIdx.x] = a[(y + j) * n + x];
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < n && y + j < n)
      o[(y + j) * n + x] = t[threadIdx.x][threadIdx.y + j];
}
// CHECK: RACE transpose_short_step {{.*}} data-race
GS_LAUNCH_CONTRACT(block == dim(32, 8))
__global__ void transpose_short_step(const float *a, int n) {
  __shared__ float t[64][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 4)
    t[threadIdx.y + j][threadIdx.x] = a[(y + j) * n + x];
}

// A xor swizzle is a permutation of a row.
// CHECK: PROVED swizzle
GS_LAUNCH_CONTRACT(block == dim(32, 32))
__global__ void swizzle(const float *a, float *o) {
  __shared__ float t[1024];
  int x = threadIdx.x, y = threadIdx.y, at = blockIdx.x * 1024 + y * 32 + x;
  t[y * 32 + (x ^ y)] = a[at];
  __syncthreads();
  o[at] = t[x * 32 + (y ^ x)];
}
// CHECK: RACE swizzle_or {{.*}} data-race
GS_LAUNCH_CONTRACT(block == dim(32, 32))
__global__ void swizzle_or(const float *a) {
  __shared__ float t[1024];
  int x = threadIdx.x, y = threadIdx.y;
  t[y * 32 + (x | y)] = a[x];
}

// CHECK: PROVED halo
GS_LAUNCH_CONTRACT(block.x == 256)
__global__ void halo(const float *a, float *o GS_DISJOINT(n), int n) {
  __shared__ float s[258];
  int t = threadIdx.x, i = blockIdx.x * 256 + t;
  s[t + 1] = i < n ? a[i] : 0;
  if (t == 0)
    s[0] = i > 0 ? a[i - 1] : 0;
  if (t == 255)
    s[257] = i + 1 < n ? a[i + 1] : 0;
  __syncthreads();
  if (i < n)
    o[i] = s[t] + s[t + 1] + s[t + 2];
}
// CHECK: RACE halo_overlaps {{.*}} data-race
GS_LAUNCH_CONTRACT(block.x == 256)
__global__ void halo_overlaps(const float *a, float *o GS_DISJOINT(n), int n) {
  __shared__ float s[258];
  int t = threadIdx.x, i = blockIdx.x * 256 + t;
  s[t + 1] = i < n ? a[i] : 0;
  if (t == 0)
    s[1] = i > 0 ? a[i - 1] : 0;
  if (t == 254)
    s[256] = i + 1 < n ? a[i + 1] : 0;
  __syncthreads();
  if (i < n)
    o[i] = s[t] + s[t + 1];
}
// CHECK: 9 kernels: 4 proved, 5 race
