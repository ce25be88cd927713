// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %python %source/test/kernels/verdicts.py %s %gpusafe --verify
// Loops and conditions that the lanes of a warp leave together, and twins where they do not.
#include <gpusafe.h>

#define T (blockIdx.x * blockDim.x + threadIdx.x)
#define SUM v += __shfl_down_sync(0xffffffffu, v, 1)

// ---- a number of elements that is one of whole warps
GS_LAUNCH_CONTRACT(block.x == 128, n % 32 == 0)
__global__ void proved_stride(int *o, int n) {
  int v = 0;
  for (int i = threadIdx.x; i < n; i += 128) SUM;
  o[T] = v;
}
GS_LAUNCH_CONTRACT(block.x == 128, n % 16 == 0)
__global__ void race_stride(int *o, int n) {
  int v = 0;
  for (int i = threadIdx.x; i < n; i += 128) SUM;
  o[T] = v;
}
GS_LAUNCH_CONTRACT(block.x % 32 == 0, n % 64 == 0, n >= 0)
__global__ void proved_block_stride(int *o, int n) {
  int v = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) SUM;
  o[T] = v;
}
GS_LAUNCH_CONTRACT(block.x == 128, n % 32 == 0, n >= 0)
__global__ void proved_guard(int *o, int n) {
  int v = 0;
  if (T < n) SUM;
  o[T] = v;
}
GS_LAUNCH_CONTRACT(block.x == 128, n >= 0)
__global__ void race_guard(int *o, int n) {
  int v = 0;
  if (T < n) SUM;
  o[T] = v;
}

// ---- rounded up
GS_LAUNCH_CONTRACT(block.x == 128)
__global__ void proved_round(int *o, int n) {
  int v = 0;
  for (int i = threadIdx.x; i < (n + 31) / 32 * 32; i += 128) SUM;
  o[T] = v;
}
GS_LAUNCH_CONTRACT(block.x == 128)
__global__ void race_round(int *o, int n) {
  int v = 0;
  for (int i = threadIdx.x; i < (n + 15) / 16 * 16; i += 128) SUM;
  o[T] = v;
}
GS_LAUNCH_CONTRACT(block.x == 128)
__global__ void proved_from_lane_0(int *o, int n) {
  int v = 0;
  for (int i = threadIdx.x & ~31; i < n; i += 128) SUM;
  o[T] = v;
}
GS_LAUNCH_CONTRACT(block.x % 32 == 0)
__global__ void proved_warp_a_row(int *o, int n) {
  int v = 0, w = T / 32;
  for (int i = w; i < n; i += gridDim.x * blockDim.x / 32) SUM;
  o[T] = v;
}
GS_LAUNCH_CONTRACT(block.x % 16 == 0)
__global__ void refused_half_a_row(int *o, int n) {
  int v = 0, w = T / 16;
  for (int i = w; i < n; i += gridDim.x * blockDim.x / 16) SUM;
  o[T] = v;
}
