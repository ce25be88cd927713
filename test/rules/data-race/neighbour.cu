// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %verdicts %s | FileCheck %s
// One array that neighbours read and write; its twins write another one, or themselves.

// CHECK: RACE next {{.*}} data-race
__global__ void next(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n)
    a[i] = a[i + 1];
}
// CHECK: PROVED next_copied
__global__ void next_copied(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n)
    b[i] = a[i + 1];
}

// CHECK: RACE stencil_in_place {{.*}} data-race
__global__ void stencil_in_place(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    a[i] = a[i - 1] + a[i + 1];
}
// CHECK: PROVED stencil
__global__ void stencil(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    b[i] = a[i - 1] + a[i + 1];
}

// CHECK: RACE halves {{.*}} data-race
__global__ void halves(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i / 2] = i;
}
// CHECK: PROVED own
__global__ void own(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = i / 2;
}

// CHECK: RACE scatter {{.*}} data-race
__global__ void scatter(int *a, const int *where, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[where[i]] = i;
}
// CHECK: PROVED gather
__global__ void gather(int *a, const int *where, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = where[where[i]];
}

// CHECK: RACE swap_with_mirror {{.*}} data-race
__global__ void swap_with_mirror(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int t = a[i];
    a[i] = a[n - 1 - i];
    a[n - 1 - i] = t;
  }
}
// CHECK: PROVED swap_lower_half
__global__ void swap_lower_half(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 2) {
    int t = a[i];
    a[i] = a[n - 1 - i];
    a[n - 1 - i] = t;
  }
}

// CHECK: PROVED transpose_in_place
__global__ void transpose_in_place(float *a, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < y && y < n) {
    float t = a[y * n + x];
    a[y * n + x] = a[x * n + y];
    a[x * n + y] = t;
  }
}
// CHECK: RACE transpose_twice {{.*}} data-race
__global__ void transpose_twice(float *a) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 64 && y < 64) {
    float t = a[y * 64 + x];
    a[y * 64 + x] = a[x * 64 + y];
    a[x * 64 + y] = t;
  }
}
// CHECK: 12 kernels: 6 proved, 6 race
