// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %python %source/test/kernels/verdicts.py %s %gpusafe --verify
// Warps, clusters and the whole grid as owners.
#include <gpusafe.h>

// ---- grid: race-free in the whole grid, whoever touches what
__global__ void proved_grid(int *c GS_EXCLUSIVE(n, scope=grid), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = i;
}
__global__ void proved_grid_atomic(int *c GS_EXCLUSIVE(1, scope=grid), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(c, 1);
}
__global__ void race_grid(int *c GS_EXCLUSIVE(n, scope=grid), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && n > 1) c[i] = c[(i + 1) % n];
}
__global__ void race_grid_mixed(int *c GS_EXCLUSIVE(1, scope=grid), int *o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(c, 1);
  if (i == 0) *o = *c;
}

// ---- warp
GS_LAUNCH_CONTRACT(block.x == 256)
__global__ void proved_warp(int *c GS_EXCLUSIVE(grid.x * block.x, scope=warp)) {
  c[blockIdx.x * 256 + threadIdx.x] = 1;
}
GS_LAUNCH_CONTRACT(block.x == 256)
__global__ void proved_warp_atomic(int *c GS_EXCLUSIVE(grid.x * 8, scope=warp)) {
  atomicAdd(&c[blockIdx.x * 8 + threadIdx.x / 32], 1);
}
GS_LAUNCH_CONTRACT(block.x == 256)
__global__ void race_warp_atomic(int *c GS_EXCLUSIVE(grid.x, scope=warp)) {
  atomicAdd(&c[blockIdx.x], 1);
}
GS_LAUNCH_CONTRACT(block.x == 256)
__global__ void race_warp_other(int *c GS_EXCLUSIVE(grid.x * 8, scope=warp)) {
  atomicAdd(&c[blockIdx.x * 8 + (threadIdx.x + 1) / 32 % 8], 1);
}
GS_LAUNCH_CONTRACT(block.x == 256)
__global__ void race_warp_block(int *c GS_EXCLUSIVE(8, scope=warp)) {
  atomicAdd(&c[threadIdx.x / 32], 1);
}
// Warps run through the block in x first: two rows of 16 threads are one.
GS_LAUNCH_CONTRACT(block == dim(16, 16))
__global__ void proved_warp_rows(int *c GS_EXCLUSIVE(grid.x * 8, scope=warp)) {
  atomicAdd(&c[blockIdx.x * 8 + threadIdx.y / 2], 1);
}
GS_LAUNCH_CONTRACT(block == dim(16, 16))
__global__ void race_warp_rows(int *c GS_EXCLUSIVE(grid.x * 8, scope=warp)) {
  atomicAdd(&c[blockIdx.x * 8 + threadIdx.x / 2], 1);
}
// A warp for each row.
GS_LAUNCH_CONTRACT(block.x % 32 == 0, rows >= 0, ld >= 0)
__global__ void proved_warp_row(int *c GS_EXCLUSIVE(rows * ld, scope=warp), int rows, int ld) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row < rows)
    for (int i = lane; i < ld; i += 32) c[row * ld + i] = i;
}
GS_LAUNCH_CONTRACT(block.x == 64, rows >= 0, ld >= 0)
__global__ void race_warp_row(int *c GS_EXCLUSIVE(rows * ld, scope=warp), int rows, int ld) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 64;
  if (row < rows)
    for (int i = 0; i < ld; i++) atomicAdd(&c[row * ld + i], i);
}

// ---- cluster
GS_LAUNCH_CONTRACT(cluster.x == 2, block.x == 128, grid.x % 4 == 0)
__global__ void proved_cluster(int *c GS_EXCLUSIVE(grid.x, scope=cluster)) {
  if (threadIdx.x < 2) atomicAdd(&c[blockIdx.x / 2 * 2 + threadIdx.x], 1);
}
GS_LAUNCH_CONTRACT(cluster.x == 2, block.x == 128, grid.x % 4 == 0)
__global__ void race_cluster(int *c GS_EXCLUSIVE(grid.x, scope=cluster)) {
  if (threadIdx.x < 2) atomicAdd(&c[blockIdx.x / 4 * 4 + threadIdx.x], 1);
}
GS_LAUNCH_CONTRACT(cluster.x == 2, block.x == 128, grid.x % 4 == 0)
__global__ void race_cluster_inside(int *c GS_EXCLUSIVE(grid.x, scope=cluster)) {
  if (threadIdx.x == 0) c[blockIdx.x / 2] = blockIdx.x;
}
// Whatever the cluster, a block's own is the cluster's own.
__global__ void proved_cluster_any(int *c GS_EXCLUSIVE(n, scope=cluster), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = i;
}
