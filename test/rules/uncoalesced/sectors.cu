// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %clang_gs -fsyntax-only -Xclang -verify -fplugin-arg-gpusafe-rules=uncoalesced %s
// Accesses of a warp that are far apart, and their neighbouring twins.
#include <gpusafe.h>

GS_LAUNCH_CONTRACT(block.x == 128, n >= 0)
__global__ void columns(float *o, const float *a, int n) {
  int row = blockIdx.x * 128 + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n && k < 4; k++)
    sum += a[row * n + k]; // expected-remark {{uncoalesced: this read of 'a' touches 32 sectors of 32 bytes for a warp, where 4 would do, when launched with}} \
    // expected-note {{let neighbouring threads (threadIdx.x) access neighbouring elements}}
  o[row] = sum;
}
GS_LAUNCH_CONTRACT(block.x == 128, n >= 0)
__global__ void rows(float *o, const float *a, int n) {
  int column = blockIdx.x * 128 + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n && k < 4; k++)
    sum += a[k * n + column];
  o[column] = sum;
}
struct point { float x, y, z, w; };
GS_LAUNCH_CONTRACT(block.x == 128)
__global__ void array_of_structs(point *p) {
  p[blockIdx.x * 128 + threadIdx.x].x = 1; // expected-remark {{touches 16 sectors of 32 bytes for a warp, where 4 would do}} \
  // expected-note {{a structure of arrays}}
}
GS_LAUNCH_CONTRACT(block.x == 128)
__global__ void structure_of_arrays(float *x) {
  x[blockIdx.x * 128 + threadIdx.x] = 1;
}
GS_LAUNCH_CONTRACT(block.x == 128)
__global__ void whole_structs(float4 *p) {
  p[blockIdx.x * 128 + threadIdx.x] = make_float4(1, 2, 3, 4);
}
GS_LAUNCH_CONTRACT(block == dim(16, 16), n >= 0)
__global__ void swapped(float *a, int n) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < n && y < n)
    a[x * n + y] = 1; // expected-remark {{touches 16 sectors of 32 bytes for a warp, where 4 would do}} \
    // expected-note {{let neighbouring threads}}
}
GS_LAUNCH_CONTRACT(block == dim(16, 16), n >= 0)
__global__ void not_swapped(float *a, int n) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < n && y < n)
    a[y * n + x] = 1;
}
// One more sector, where a row begins in the middle of one, is nobody's fault.
GS_LAUNCH_CONTRACT(block.x == 128)
__global__ void shifted(float *a) {
  a[blockIdx.x * 128 + threadIdx.x + 3] = 1;
}
GS_LAUNCH_CONTRACT(block.x == 128)
__global__ void reversed(float *a) {
  a[127 - threadIdx.x] = 1;
}
// Data decide: nothing is known.
GS_LAUNCH_CONTRACT(block.x == 128)
__global__ void gathered(float *o, const float *a, const int *where) {
  o[threadIdx.x] = a[where[threadIdx.x]];
}
