// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %python %source/test/kernels/verdicts.py %s %gpusafe --verify --rules=-warp-mask,-barrier-divergence
// A warp is 32 threads in a row, x fastest, whatever the shape of the block.
#include <gpusafe.h>

#define SHAPE(...) GS_LAUNCH_CONTRACT(__VA_ARGS__)

SHAPE(block == dim(16, 16))
__global__ void proved_two_rows(int *o) {
  __shared__ int s[16][16];
  s[threadIdx.y][threadIdx.x] = threadIdx.x;
  __syncwarp();
  o[blockIdx.x * 256 + threadIdx.y * 16 + threadIdx.x] = s[threadIdx.y ^ 1][15 - threadIdx.x];
}
SHAPE(block == dim(16, 16))
__global__ void race_third_row(int *o) {
  __shared__ int s[16][16];
  s[threadIdx.y][threadIdx.x] = threadIdx.x;
  __syncwarp();
  o[blockIdx.x * 256 + threadIdx.y * 16 + threadIdx.x] = s[threadIdx.y ^ 2][15 - threadIdx.x];
}
SHAPE(block == dim(16, 16))
__global__ void proved_pairs_of_rows(int *o) {
  __shared__ int s[16][16];
  s[threadIdx.y][threadIdx.x] = threadIdx.x;
  if (threadIdx.y < 6)
    __syncwarp();
  else
    __syncwarp();
  o[blockIdx.x * 256 + threadIdx.y * 16 + threadIdx.x] = s[threadIdx.y ^ 1][15 - threadIdx.x];
}
SHAPE(block == dim(16, 16))
__global__ void possible_within_a_pair(int *o) {
  __shared__ int s[16][16];
  s[threadIdx.y][threadIdx.x] = threadIdx.x;
  if (threadIdx.y < 5)
    __syncwarp();
  o[blockIdx.x * 256 + threadIdx.y * 16 + threadIdx.x] = s[threadIdx.y ^ 1][15 - threadIdx.x];
}
SHAPE(block == dim(32, 8))
__global__ void proved_row_is_a_warp(int *o, const int *n) {
  __shared__ int s[8][32];
  for (int i = 0; i < n[threadIdx.y]; i++) {
    s[threadIdx.y][threadIdx.x] = threadIdx.x + i;
    __syncwarp();
    o[blockIdx.x * 256 + threadIdx.y * 32 + threadIdx.x] += s[threadIdx.y][31 - threadIdx.x];
    __syncwarp();
  }
}
// 24 columns: a warp is a row and a third.
SHAPE(block == dim(24, 8))
__global__ void refused_row_is_no_warp(int *o) {
  __shared__ int s[8][24];
  s[threadIdx.y][threadIdx.x] = threadIdx.x;
  __syncwarp();
  o[blockIdx.x * 192 + threadIdx.y * 24 + threadIdx.x] = s[threadIdx.y][23 - threadIdx.x];
}
// The last warp is not whole: its lanes are still one warp.
SHAPE(block.x == 80)
__global__ void proved_odd_block(int *o) {
  __shared__ int s[96];
  s[threadIdx.x] = threadIdx.x;
  __syncwarp();
  o[blockIdx.x * 80 + threadIdx.x] = s[threadIdx.x ^ 1];
}
// Any block.
__global__ void proved_any_block(int *o, int n) {
  __shared__ int s[1024];
  int w = threadIdx.x / 32, l = threadIdx.x % 32, i = blockIdx.x * blockDim.x + threadIdx.x;
  s[w * 32 + l] = l;
  __syncwarp();
  if (i < n && threadIdx.x < blockDim.x - 31)
    o[i] = s[w * 32 + (31 - l)];
}
// A row of the grid is a warp only where blocks are made of whole ones.
__global__ void refused_rows_of_any_block(int *o, int rows) {
  __shared__ int s[1024];
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  s[threadIdx.x] = row;
  if (row < rows)
    __syncwarp();
  o[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x ^ 1];
}
// Lanes that have returned are not waited for, in any block.
__global__ void proved_rows_that_return(int *o, int rows) {
  __shared__ int s[1024];
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (row >= rows)
    return;
  s[threadIdx.x] = row;
  __syncwarp();
  o[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x ^ 1];
}
SHAPE(block.x % 32 == 0)
__global__ void proved_rows_of_whole_warps(int *o, int rows) {
  __shared__ int s[1024];
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  s[threadIdx.x] = row;
  if (row < rows)
    __syncwarp();
  else
    __syncwarp();
  o[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x ^ 1];
}
SHAPE(block.x % 16 == 0)
__global__ void refused_rows_of_half_warps(int *o, int rows) {
  __shared__ int s[1024];
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  s[threadIdx.x] = row;
  if (row < rows)
    __syncwarp();
  o[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x ^ 1];
}
