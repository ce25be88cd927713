// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// Where a condition in front would not be certain to be right, none is offered.

// RUN: not %clang_gs -fsyntax-only -ferror-limit=0 -fdiagnostics-parseable-fixits %s 2>&1 | FileCheck %s --implicit-check-not="this condition"
// CHECK: errors generated
#include <gpusafe.h>

__global__ void declares(const int *a GS_EXTENT(n), int *o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = a[i];
  if (i < n)
    o[i] = v;
}
__global__ void assigns(const int *a GS_EXTENT(n), int *o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, v = 0;
  v = a[i];
  if (i < n)
    o[i] = v;
}
__global__ void steps(int *c GS_DISJOINT(n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  c[i++] = i;
}
__global__ void dangling(int *c GS_DISJOINT(n), int *o, int n, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (k)
    c[i] = 1;
  else
    o[i] = 2;
}
__global__ void walks(int *c GS_DISJOINT(n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  c += 1;
  c[i] = 1;
}
__global__ void other_bound(int *c GS_DISJOINT(n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  n = n + 1;
  if (i < n)
    c[i] = 1;
}
__global__ void hidden_bound(int *c GS_DISJOINT(n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  {
    int n = 1000;
    if (i < n)
      c[i] = 1;
  }
}
__device__ void put(int *c, int i) { c[i] = 1; }
__global__ void inlined(int *c GS_DISJOINT(n), int n) { put(c, blockIdx.x * blockDim.x + threadIdx.x); }
#define PUT(i) c[i] = 1
__global__ void from_macro(int *c GS_DISJOINT(n), int n) { PUT(blockIdx.x * blockDim.x + threadIdx.x); }
__global__ void rows(int *c GS_DISJOINT(n), int n) {
  int *row = c + blockIdx.x * blockDim.x;
  row[threadIdx.x] = 1;
}
__device__ int meet() {
  __syncthreads();
  return 1;
}
__global__ void meets(int *c GS_DISJOINT(n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  c[i] = meet();
}
// The product may be below 0 twice over.
__global__ void negative(int *c GS_DISJOINT(rows * ld), int rows, int ld) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  c[i] = 1;
}
GS_LAUNCH_CONTRACT(n >= 0)
__global__ void wide(int *c GS_EXTENT(n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  reinterpret_cast<int2 *>(c)[i] = make_int2(1, 2);
}
