// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang, cuda
// RUN: %python %source/test/kernels/verdicts.py %s %gpusafe --cuda-path=%toolkit --verify --block=256 --grid=4
// Cooperative groups as the toolkit's headers have them.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void proved_block(int *o) {
  __shared__ int s[256];
  cg::thread_block b = cg::this_thread_block();
  s[b.thread_rank()] = threadIdx.x;
  b.sync();
  o[blockIdx.x * 256 + threadIdx.x] = s[255 - b.thread_rank()];
}
__global__ void proved_block_by_function(int *o) {
  __shared__ int s[256];
  cg::thread_block b = cg::this_thread_block();
  s[threadIdx.x] = threadIdx.x;
  cg::sync(b);
  o[blockIdx.x * 256 + threadIdx.x] = s[255 - threadIdx.x];
}
__global__ void proved_tile_of_32(int *o) {
  __shared__ int s[256];
  auto w = cg::tiled_partition<32>(cg::this_thread_block());
  s[threadIdx.x] = w.thread_rank();
  w.sync();
  o[blockIdx.x * 256 + threadIdx.x] = s[threadIdx.x ^ 31];
}
__global__ void race_tile_of_32(int *o) {
  __shared__ int s[256];
  auto w = cg::tiled_partition<32>(cg::this_thread_block());
  s[threadIdx.x] = w.thread_rank();
  w.sync();
  o[blockIdx.x * 256 + threadIdx.x] = s[threadIdx.x ^ 32];
}
__global__ void proved_tile_of_8(int *o) {
  __shared__ int s[256];
  auto w = cg::tiled_partition<8>(cg::this_thread_block());
  s[threadIdx.x] = w.thread_rank();
  w.sync();
  o[blockIdx.x * 256 + threadIdx.x] = s[threadIdx.x ^ 7];
}
__global__ void race_tile_of_8(int *o) {
  __shared__ int s[256];
  auto w = cg::tiled_partition<8>(cg::this_thread_block());
  s[threadIdx.x] = w.thread_rank();
  w.sync();
  o[blockIdx.x * 256 + threadIdx.x] = s[threadIdx.x ^ 8];
}
__global__ void proved_warp_sums(int *o) {
  auto w = cg::tiled_partition<32>(cg::this_thread_block());
  int v = threadIdx.x;
  for (int d = 16; d > 0; d /= 2)
    v += w.shfl_down(v, d);
  if (w.thread_rank() == 0)
    o[blockIdx.x * 8 + w.meta_group_rank()] = v;
}
__global__ void proved_coalesced(int *o) {
  if (threadIdx.x & 1) {
    auto c = cg::coalesced_threads();
    int v = c.shfl((int)threadIdx.x, 0);
    c.sync();
    if (c.thread_rank() == 0)
      atomicAdd(o, v);
  }
}
__global__ void proved_grid(int *o, const int *a) {
  int i = blockIdx.x * 256 + threadIdx.x;
  o[i] = a[i];
  cg::this_grid().sync();
  int v = o[1023 - i];
  cg::this_grid().sync();
  o[i] = v;
}
__global__ void refused_grid(int *o, const int *a) {
  int i = blockIdx.x * 256 + threadIdx.x;
  o[i] = a[i];
  cg::this_grid().sync();
  o[i] = o[1023 - i];
}
__global__ void proved_cluster(int *o) {
  __shared__ int s[256];
  cg::cluster_group c = cg::this_cluster();
  s[threadIdx.x] = c.block_rank();
  c.sync();
  o[blockIdx.x * 256 + threadIdx.x] = s[255 - threadIdx.x];
}
__global__ void race_cluster_no_sync(int *o) {
  __shared__ int s[256];
  cg::cluster_group c = cg::this_cluster();
  s[threadIdx.x] = c.thread_rank();
  o[blockIdx.x * 256 + threadIdx.x] = s[255 - threadIdx.x];
}
__global__ void refused_cluster_arrive_only(int *o) {
  __shared__ int s[256];
  cg::cluster_group c = cg::this_cluster();
  s[threadIdx.x] = threadIdx.x;
  c.barrier_arrive();
  o[blockIdx.x * 256 + threadIdx.x] = s[255 - threadIdx.x];
  c.barrier_wait();
}
