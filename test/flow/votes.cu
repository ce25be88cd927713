// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %python %source/test/kernels/verdicts.py %s %gpusafe --verify --block=256
// RUN: %gpusafe check --cuda-path=none --block=256 --dump=accesses %s > %t.gs
// RUN: %gpusafe check --dump=accesses %t.gs | diff %t.gs -
// Votes, reductions and shuffles from one lane give a warp one value, if the whole warp
// comes to them. All other results differ from thread to thread.
#define ALL 0xffffffffu

__global__ void proved_rounds_by_vote(int *o, const int *a) {
  __shared__ int s[256];
  int left = a[threadIdx.x];
  while (__any_sync(ALL, left > 0)) {
    s[threadIdx.x] = left--;
    __syncwarp();
    o[blockIdx.x * 256 + threadIdx.x] += s[threadIdx.x ^ 1];
    __syncwarp();
  }
}
__global__ void possible_rounds_by_vote_one_barrier(int *o, const int *a) {
  __shared__ int s[256];
  int left = a[threadIdx.x];
  while (__any_sync(ALL, left > 0)) {
    s[threadIdx.x] = left--;
    __syncwarp();
    o[blockIdx.x * 256 + threadIdx.x] += s[threadIdx.x ^ 1];
  }
}
// The vote's warp is not the block.
__global__ void refused_block_barrier(int *o, const int *a) {
  __shared__ int s[256];
  int left = a[threadIdx.x];
  while (__any_sync(ALL, left > 0)) {
    s[threadIdx.x] = left--;
    __syncthreads();
    o[blockIdx.x * 256 + threadIdx.x] += s[threadIdx.x ^ 32];
    __syncthreads();
  }
}
// Half a warp votes: the other half may have another opinion.
__global__ void refused_half_votes(int *o, const int *a) {
  __shared__ int s[256];
  int left = a[threadIdx.x];
  unsigned half = threadIdx.x & 16 ? 0xffff0000u : 0xffffu;
  while (__any_sync(half, left > 0)) {
    s[threadIdx.x] = left--;
    __syncwarp();
    o[blockIdx.x * 256 + threadIdx.x] += s[threadIdx.x ^ 16];
    __syncwarp();
  }
}
// Not all come to the vote: nothing is known of any vote.
__global__ void refused_some_vote(int *o, const int *a) {
  __shared__ int s[256];
  int left = a[threadIdx.x];
  if (threadIdx.x % 32 < 5)
    left += __any_sync(ALL, left > 3);
  while (__any_sync(ALL, left > 0)) {
    s[threadIdx.x] = left--;
    __syncwarp();
    o[blockIdx.x * 256 + threadIdx.x] += s[threadIdx.x ^ 1];
    __syncwarp();
  }
}
__global__ void refused_each_its_own(int *o, const int *a) {
  __shared__ int s[256];
  int left = a[threadIdx.x];
  while (left > 0) {
    s[threadIdx.x] = left--;
    __syncwarp();
    o[blockIdx.x * 256 + threadIdx.x] += s[threadIdx.x ^ 1];
    __syncwarp();
  }
}
// From lane 0 to all, or from each lane's own choice.
__global__ void proved_from_lane_0(int *o, const int *a) {
  __shared__ int s[256];
  int rounds = __shfl_sync(ALL, a[threadIdx.x], 0);
  for (int i = 0; i < rounds; i++) {
    s[threadIdx.x] = i;
    __syncwarp();
    o[blockIdx.x * 256 + threadIdx.x] += s[threadIdx.x ^ 1];
    __syncwarp();
  }
}
__global__ void refused_from_a_neighbour(int *o, const int *a) {
  __shared__ int s[256];
  int rounds = __shfl_sync(ALL, a[threadIdx.x], threadIdx.x ^ 1);
  for (int i = 0; i < rounds; i++) {
    s[threadIdx.x] = i;
    __syncwarp();
    o[blockIdx.x * 256 + threadIdx.x] += s[threadIdx.x ^ 1];
    __syncwarp();
  }
}
__global__ void refused_from_half_a_warp(int *o, const int *a) {
  __shared__ int s[256];
  int rounds = __shfl_sync(ALL, a[threadIdx.x], 0, 16);
  for (int i = 0; i < rounds; i++) {
    s[threadIdx.x] = i;
    __syncwarp();
    o[blockIdx.x * 256 + threadIdx.x] += s[threadIdx.x ^ 16];
    __syncwarp();
  }
}
// A ballot's bits, one after another: each warp its own list.
__global__ void proved_bits_of_a_ballot(int *o, const int *a) {
  __shared__ int s[256];
  unsigned bits = __ballot_sync(ALL, a[threadIdx.x] > 0);
  while (bits) {
    s[threadIdx.x] = __popc(bits);
    __syncwarp();
    o[blockIdx.x * 256 + threadIdx.x] += s[threadIdx.x ^ 1];
    __syncwarp();
    bits &= bits - 1;
  }
}
// One value for the warp in an address: the places of its lanes differ, those of other
// warps may not.
__global__ void refused_place_by_vote(int *o, const int *a) {
  __shared__ int s[1024];
  int base = __shfl_sync(ALL, a[threadIdx.x] & 255, 0);
  s[base + threadIdx.x] = 1;
  __syncwarp();
  o[blockIdx.x * 256 + threadIdx.x] = s[base + threadIdx.x];
}

// Sums of warps by shuffles, then of the block.
__global__ void proved_sum(int *o, const int *a) {
  __shared__ int s[8];
  int v = a[blockIdx.x * 256 + threadIdx.x], lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
  for (int d = 16; d > 0; d /= 2)
    v += __shfl_down_sync(ALL, v, d);
  if (lane == 0)
    s[warp] = v;
  __syncthreads();
  if (warp == 0) {
    v = lane < 8 ? s[lane] : 0;
    for (int d = 4; d > 0; d /= 2)
      v += __shfl_xor_sync(ALL, v, d);
    if (lane == 0)
      o[blockIdx.x] = v;
  }
}
__global__ void race_sum_without(int *o, const int *a) {
  __shared__ int s[8];
  int v = a[blockIdx.x * 256 + threadIdx.x], lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
  for (int d = 16; d > 0; d /= 2)
    v += __shfl_down_sync(ALL, v, d);
  if (lane == 0)
    s[warp] = v;
  if (warp == 0) {
    v = lane < 8 ? s[lane] : 0;
    for (int d = 4; d > 0; d /= 2)
      v += __shfl_xor_sync(ALL, v, d);
    if (lane == 0)
      o[blockIdx.x] = v;
  }
}
__global__ void race_sum_all_lanes_write(int *o, const int *a) {
  __shared__ int s[8];
  int v = a[blockIdx.x * 256 + threadIdx.x], warp = threadIdx.x / warpSize;
  for (int d = 16; d > 0; d /= 2)
    v += __shfl_down_sync(ALL, v, d);
  s[warp] = v;
  __syncthreads();
  if (threadIdx.x == 0)
    for (int w = 0; w < 8; w++)
      o[blockIdx.x * 8 + w] = s[w];
}
// Barriers of the block that vote.
__global__ void proved_block_votes(int *o, const int *a) {
  __shared__ int s[256];
  int left = a[threadIdx.x];
  while (__syncthreads_count(left > 0) > 3) {
    s[threadIdx.x] = left--;
    __syncthreads();
    o[blockIdx.x * 256 + threadIdx.x] += s[threadIdx.x ^ 32];
  }
}
// A divergent barrier: what later ones vote is nobody's common value.
__global__ void refused_block_votes_spoilt(int *o, const int *a) {
  __shared__ int s[512];
  if (threadIdx.x < 128)
    __syncthreads();
  int v = __syncthreads_or(a[threadIdx.x]) ? 1 : 0;
  s[threadIdx.x + 128 * v] = threadIdx.x;
  o[blockIdx.x * 256 + threadIdx.x] = v;
}
// A divergent barrier of one number spoils what its votes say of others.
__global__ void refused_spoilt_vote_decides(int *o, const int *a) {
  __shared__ int s[256];
  if (threadIdx.x < 128)
    __syncthreads();
  int v = __syncthreads_or(a[threadIdx.x]);
  s[threadIdx.x] = threadIdx.x;
  if (v)
    asm volatile("bar.sync 1;" ::: "memory");
  else
    asm volatile("bar.sync 1;" ::: "memory");
  o[blockIdx.x * 256 + threadIdx.x] = s[255 - threadIdx.x];
}
__global__ void proved_vote_decides(int *o, const int *a) {
  __shared__ int s[256];
  int v = __syncthreads_or(a[threadIdx.x]);
  s[threadIdx.x] = threadIdx.x;
  if (v)
    asm volatile("bar.sync 1;" ::: "memory");
  else
    asm volatile("bar.sync 2;" ::: "memory");
  o[blockIdx.x * 256 + threadIdx.x] = s[255 - threadIdx.x];
}
