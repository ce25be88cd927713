// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %verdicts %s | FileCheck %s
// Pointers that are chosen, walked, swapped, kept in structs, or of unknown origin.

// CHECK: PROVED chosen_for_all
__global__ void chosen_for_all(int *a, int *b, int first) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int *p = first ? a : b;
  p[i] = i;
}
// CHECK: PROVED chosen_by_thread
__global__ void chosen_by_thread(int *a, int *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int *p = i & 1 ? a : b;
  p[i >> 1] = i;
}
// CHECK: RACE chosen_and_direct {{.*}} data-race
__global__ void chosen_and_direct(int *a, int *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int *p = i & 1 ? a : b;
  p[i >> 1] = i;
  a[i] = i + 1;
}

// CHECK: PROVED upper_half
__global__ void upper_half(int *a, int n) {
  int *b = a + n;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = a[i] = i;
}
// CHECK: RACE upper_half_meets {{.*}} data-race
__global__ void upper_half_meets(int *a, int n) {
  int *b = a + n;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n)
    b[i] = a[i] = i;
}

// CHECK: PROVED walked
__global__ void walked(float *a, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float *p = a + (size_t)i * m;
  for (float *end = p + m; p < end; ++p)
    *p = 0;
}
// CHECK: PROVED walked_down
__global__ void walked_down(float *a, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float *p = a + (size_t)(i + 1) * m;
  for (int k = 0; k < m; k++)
    *--p = 0;
}
// CHECK: RACE walked_too_far {{.*}} data-race
__global__ void walked_too_far(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float *p = a + (size_t)i * 8;
  for (int k = 0; k <= 8; k++)
    *p++ = i;
}

struct view {
  float *data;
  int width, height;
};
// CHECK: PROVED by_value
__global__ void by_value(view v) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < v.width && y < v.height)
    v.data[y * v.width + x] = 1;
}
// CHECK: RACE by_value_halved {{.*}} data-race
__global__ void by_value_halved(view v) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < v.width)
    v.data[x / 2] = x;
}
// CHECK: PROVED through_integer
__global__ void through_integer(int *a) {
  size_t p = (size_t)a;
  p += 4 * (size_t)(blockIdx.x * blockDim.x + threadIdx.x);
  *(int *)p = 1;
}

// What is not known is never taken for safe.
// CHECK: UNKNOWN from_memory {{.*}} data-race
// CHECK-NEXT: memory is reached through a pointer whose origin is not known
__global__ void from_memory(int **rows) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  rows[i][0] = i;
}
// CHECK: UNKNOWN from_integer {{.*}} data-race
// CHECK-NEXT: memory is reached through a pointer whose origin is not known
__global__ void from_integer(size_t a) { ((int *)a)[threadIdx.x] = blockIdx.x; }
__device__ int *kept;
// CHECK: UNKNOWN from_global {{.*}} data-race
// CHECK-NEXT: memory is reached through a pointer whose origin is not known
__global__ void from_global() { kept[threadIdx.x] = blockIdx.x; }
// CHECK: UNKNOWN rounded_by_bits {{.*}} data-race
// CHECK-NEXT: memory is reached through a pointer whose origin is not known
__global__ void rounded_by_bits(char *a) {
  size_t p = (size_t)a + 63 & ~(size_t)63;
  ((int *)p)[threadIdx.x] = blockIdx.x;
}
// CHECK: 15 kernels: 7 proved, 4 race, 4 unknown
