// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %verdicts %s | FileCheck %s
// Loops of all shapes without barriers: counters, chunks, strides, exits.
#include <gpusafe.h>

// CHECK: PROVED chunks
__global__ void chunks(float *a, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int j = 0; j < m; j++)
      a[i * m + j] = j;
}
// CHECK: PROVED strided_chunks
__global__ void strided_chunks(float *a, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int j = 0; j < m; j++)
      a[j * n + i] = j;
}
// CHECK: PROVED nested_chunks
__global__ void nested_chunks(float *a, int n, int m, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int x = 0; x < m; x++)
      for (int y = 0; y < k; y++)
        a[(i * m + x) * k + y] = 1;
}
// CHECK: RACE chunk_too_long {{.*}} data-race
__global__ void chunk_too_long(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int j = 0; j <= 8; j++)
      a[i * 8 + j] = i;
}

// CHECK: PROVED while_loop
__global__ void while_loop(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  while (i < n) {
    a[i] = 1;
    i += gridDim.x * blockDim.x;
  }
}
// CHECK: PROVED do_loop
__global__ void do_loop(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  do {
    a[i] = 1;
    i += gridDim.x * blockDim.x;
  } while (i < n);
}
// CHECK: PROVED counts_down
__global__ void counts_down(float *a, int n) {
  for (int i = n - 1 - (int)(blockIdx.x * blockDim.x + threadIdx.x); i >= 0;
       i -= (int)(gridDim.x * blockDim.x))
    a[i] = 1;
}
// CHECK: RACE counts_down_by_block {{.*}} data-race
__global__ void counts_down_by_block(float *a, int n) {
  for (int i = n - 1 - (int)(blockIdx.x * blockDim.x + threadIdx.x); i >= 0; i -= (int)blockDim.x)
    a[i] = threadIdx.x;
}
// CHECK: PROVED two_dimensions
__global__ void two_dimensions(float *a, int w, int h) {
  for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < h; y += gridDim.y * blockDim.y)
    for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < w; x += gridDim.x * blockDim.x)
      a[y * w + x] = 1;
}
// CHECK: PROVED triangle
__global__ void triangle(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int j = 0; j <= i; j++)
      a[i * n + j] = 1;
}

// CHECK: PROVED breaks
__global__ void breaks(float *a, const int *stop, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int j = 0; j < m; j++) {
      if (stop[j])
        break;
      a[i * m + j] = 1;
    }
}
// CHECK: PROVED continues
__global__ void continues(float *a, const int *skip, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int j = 0; j < m; j++) {
      if (skip[j])
        continue;
      a[i * m + j] = 1;
    }
}
// CHECK: PROVED returns_inside
__global__ void returns_inside(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < n; k++) {
    if (k != i)
      continue;
    a[k] = i;
    return;
  }
}
// CHECK: RACE returns_late {{.*}} data-race
__global__ void returns_late(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < n; k++) {
    if (k == i)
      return;
    a[k] = i;
  }
}
// The value after the loop.
// CHECK: PROVED searched
__global__ void searched(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, k = 0;
  while (k < n && k != i)
    k++;
  if (k < n)
    a[k] = i;
}
// CHECK: RACE searched_unchecked {{.*}} data-race
__global__ void searched_unchecked(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, k = 0;
  while (k < n && k != i)
    k++;
  a[k] = i;
}
// An 8-bit counter comes round.
// CHECK: RACE small_counter {{.*}} data-race
GS_LAUNCH_CONTRACT(block.x == 128, grid.x == 2)
__global__ void small_counter(int *a) {
  for (unsigned char i = threadIdx.x; i < 250; i += 100)
    a[i] = blockIdx.x;
}
// CHECK: PROVED accumulated
__global__ void accumulated(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, k = 0;
  for (int j = 0; j < n; j++)
    k += i;
  if (n > 0)
    a[k] = i;
}
// CHECK: RACE accumulated_nothing {{.*}} data-race
__global__ void accumulated_nothing(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, k = 0;
  for (int j = 0; j < n; j++)
    k += i;
  a[k] = i;
}
// CHECK: 19 kernels: 13 proved, 6 race
