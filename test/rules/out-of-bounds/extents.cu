// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %clang_gs -fsyntax-only -fplugin-arg-gpusafe-rules=-index-overflow -Xclang -verify %s
// RUN: %verdicts %s | FileCheck %s
// Declared extents, proved and refuted, with the whole message.
#include <gpusafe.h>

// CHECK: PROVED guarded
__global__ void guarded(const float *a GS_EXTENT(n), float *c GS_DISJOINT(n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i];
}

// CHECK: RACE unguarded {{.*}} out-of-bounds
GS_LAUNCH_CONTRACT(block.x == 256)
__global__ void unguarded(float *c GS_DISJOINT(n), int n) { // expected-note {{the extent is declared here}}
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // expected-error-re@+2 {{out of bounds of 'c': thread ({{[0-9]+}},0,0) of block {{[0-9]+}} writes 'c[{{[0-9]+}}]', past the declared extent n, when launched with grid {{[0-9]+}}, block 256, n = {{[0-9]+}} [gpusafe-out-of-bounds]}}
  // expected-note@+1 {{this condition keeps the index inside}}
  c[i] = 1;
}
// CHECK: PROVED covered
GS_LAUNCH_CONTRACT(block.x == 256, grid.x * 256 <= n)
__global__ void covered(float *c GS_DISJOINT(n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  c[i] = 1;
}

// CHECK: RACE one_past {{.*}} out-of-bounds
GS_LAUNCH_CONTRACT(block.x == 256)
__global__ void one_past(const float *a GS_EXTENT(n), float *c GS_DISJOINT(n), int n) { // expected-note {{the extent is declared here}}
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + a[i + 1]; // expected-error {{past the declared extent n, when launched with}} expected-note {{this condition keeps the index inside}}
}
// CHECK: PROVED one_past_declared
__global__ void one_past_declared(const float *a GS_EXTENT(n + 1), float *c GS_DISJOINT(n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + a[i + 1];
}

// CHECK: RACE before {{.*}} out-of-bounds
GS_LAUNCH_CONTRACT(block.x == 256)
__global__ void before(const float *a GS_EXTENT(n), float *c GS_DISJOINT(n), int n) { // expected-note {{the extent is declared here}}
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // expected-error-re@+3 {{out of bounds of 'a': thread (0,0,0) of block 0 reads 'a[-1]', below the declared extent n, when launched with grid {{[0-9]+}}, block 256, n = {{[0-9]+}} [gpusafe-out-of-bounds]}}
  // expected-note@+2 {{this condition keeps the index inside}}
  if (i < n)
    c[i] = a[i - 1];
}

// A negative count is a violation of the claim, so n >= 0 may be used.
// CHECK: PROVED loop
__global__ void loop(float *c GS_DISJOINT(n), int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    c[i] = 1;
}
// CHECK: PROVED rows
__global__ void rows(float *c GS_DISJOINT(w * h), int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h)
    c[y * w + x] = 1;
}
// CHECK: PROVED backwards
__global__ void backwards(float *c GS_DISJOINT(n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[n - 1 - i] = 1;
}
// CHECK: RACE backwards_past {{.*}} out-of-bounds
GS_LAUNCH_CONTRACT(block.x == 256)
__global__ void backwards_past(float *c GS_DISJOINT(n), int n) { // expected-note {{the extent is declared here}}
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[n - i] = 1; // expected-error {{past the declared extent n, when launched with}} expected-note {{this condition keeps the index inside}}
}

// A clamp keeps reads inside.
// CHECK: PROVED clamped
__global__ void clamped(const float *a GS_EXTENT(n), float *c GS_DISJOINT(n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[max(i - 1, 0)] + a[min(i + 1, n - 1)];
}

// An extent is in elements of the pointee; a wider access sticks out.
// CHECK: PROVED as_pairs
GS_LAUNCH_CONTRACT(block.x == 256)
__global__ void as_pairs(float *c GS_DISJOINT(2 * n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    ((float2 *)c)[i] = make_float2(1, 2);
}
// CHECK: RACE as_pairs_short {{.*}} out-of-bounds
GS_LAUNCH_CONTRACT(block.x == 256)
__global__ void as_pairs_short(float *c GS_DISJOINT(2 * n - 1), int n) { // expected-note {{the extent is declared here}}
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    ((float2 *)c)[i] = make_float2(1, 2); // expected-error {{past the declared extent 2 * n - 1, when launched with}} expected-note {{guard the access by its bound}}
}

// Through a function and a walking pointer.
__device__ void put(float *p, int i) { p[i] = 1; }
// CHECK: PROVED in_callee
__global__ void in_callee(float *c GS_DISJOINT(n * 8), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int k = 0; k < 8; k++)
      put(c + i * 8, k);
}
