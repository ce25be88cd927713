// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %python %source/test/kernels/verdicts.py %s %gpusafe --verify --block=256
// RUN: %gpusafe check --cuda-path=none --block=256 --dump=accesses %s > %t.gs
// RUN: %gpusafe check --dump=accesses %t.gs | diff %t.gs -
// Barriers with a number, of as many threads as they say, and those of clusters: in inline
// PTX. Those that wait for the whole block are barriers of the block; others order nothing.

__device__ void bar(int id, int n) { asm volatile("bar.sync %0, %1;" : : "r"(id), "r"(n) : "memory"); }
__device__ void arrive(int id, int n) { asm volatile("bar.arrive %0, %1;" : : "r"(id), "r"(n) : "memory"); }
__device__ void wsync(unsigned m) { asm volatile("bar.warp.sync %0;" : : "r"(m) : "memory"); }
__global__ void proved_whole(int *o) {
  __shared__ int s[256];
  s[threadIdx.x] = threadIdx.x;
  bar(1, 256);
  o[blockIdx.x * 256 + threadIdx.x] = s[255 - threadIdx.x];
}
__global__ void proved_whole_dim(int *o) {
  __shared__ int s[256];
  s[threadIdx.x] = threadIdx.x;
  bar(1, blockDim.x);
  o[blockIdx.x * 256 + threadIdx.x] = s[255 - threadIdx.x];
}
__global__ void proved_no_count(int *o) {
  __shared__ int s[256];
  s[threadIdx.x] = threadIdx.x;
  asm volatile("bar.sync 3;" ::: "memory");
  o[blockIdx.x * 256 + threadIdx.x] = s[255 - threadIdx.x];
}
__global__ void proved_half(int *o) {
  __shared__ int s[256];
  s[threadIdx.x] = threadIdx.x;
  if (threadIdx.x < 128) {
  bar(1, 128);
  o[blockIdx.x * 256 + threadIdx.x] = s[127 - threadIdx.x];
  }
}
__global__ void possible_arrive(int *o) {
  __shared__ int s[256];
  if (threadIdx.x < 128) {
    s[threadIdx.x] = threadIdx.x;
    arrive(1, 256);
  } else {
    bar(1, 256);
    o[blockIdx.x * 256 + threadIdx.x] = s[255 - threadIdx.x];
  }
}
__global__ void proved_other_ids(int *o) {
  __shared__ int s[256];
  if (threadIdx.x < 128) bar(2, 128); 
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  o[blockIdx.x * 256 + threadIdx.x] = s[255 - threadIdx.x];
}
__global__ void refused_zero_with_count(int *o) {
  __shared__ int s[256];
  if (threadIdx.x < 128) bar(0, 128); 
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  o[blockIdx.x * 256 + threadIdx.x] = s[255 - threadIdx.x];
}
__global__ void refused_unknown_id(int *o, int id) {
  __shared__ int s[256];
  s[threadIdx.x] = threadIdx.x;
  bar(id, 256);
  o[blockIdx.x * 256 + threadIdx.x] = s[255 - threadIdx.x];
}
__global__ void proved_warp_ptx(int *o) {
  __shared__ int s[256];
  s[threadIdx.x] = threadIdx.x;
  wsync(0xffffffff);
  o[blockIdx.x * 256 + threadIdx.x] = s[threadIdx.x ^ 1];
}
__global__ void race_warp_ptx(int *o) {
  __shared__ int s[256];
  s[threadIdx.x] = threadIdx.x;
  asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");
  o[blockIdx.x * 256 + threadIdx.x] = s[threadIdx.x ^ 32];
}
__global__ void proved_cluster(int *o) {
  __shared__ int s[256];
  s[threadIdx.x] = threadIdx.x;
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
  o[blockIdx.x * 256 + threadIdx.x] = s[255 - threadIdx.x];
}
__global__ void possible_cluster_relaxed(int *o) {
  __shared__ int s[256];
  s[threadIdx.x] = threadIdx.x;
  asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
  o[blockIdx.x * 256 + threadIdx.x] = s[255 - threadIdx.x];
}
__global__ void possible_cluster_between(int *o) {
  __shared__ int s[256];
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
  s[threadIdx.x] = threadIdx.x;
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
  o[blockIdx.x * 256 + threadIdx.x] = s[255 - threadIdx.x];
}
// One that is not reached by all spoils those of its own number.
__global__ void possible_spoilt(int *o) {
  __shared__ int s[256];
  if (threadIdx.x < 128)
    bar(1, 256);
  s[threadIdx.x] = threadIdx.x;
  bar(1, 256);
  o[blockIdx.x * 256 + threadIdx.x] = s[255 - threadIdx.x];
}
__global__ void possible_too_few(int *o) {
  __shared__ int s[256];
  s[threadIdx.x] = threadIdx.x;
  bar(1, 64);
  o[blockIdx.x * 256 + threadIdx.x] = s[255 - threadIdx.x];
}
// Blocks of one cluster are ordered by its barrier, others are not.
__global__ void possible_across_the_cluster(int *o) {
  o[blockIdx.x * 256 + threadIdx.x] = threadIdx.x;
  asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");
  asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
  o[(blockIdx.x ^ 1) * 256 + threadIdx.x]++;
}
__global__ void unknown_predicate(int *o, int n) {
  __shared__ int s[256];
  s[threadIdx.x] = threadIdx.x;
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %0, 0; @p bar.sync 0; }" : : "r"(n) : "memory");
  o[blockIdx.x * 256 + threadIdx.x] = s[255 - threadIdx.x];
}
__global__ void unknown_two_at_once(int *o) {
  o[blockIdx.x * 256 + threadIdx.x] = threadIdx.x;
  asm volatile("barrier.cluster.arrive.aligned;\n\tbarrier.cluster.wait.aligned;" ::: "memory");
  o[(blockIdx.x ^ 1) * 256 + threadIdx.x]++;
}

// Some warps of a block wait for each other: two halves, each with its own barrier.
__global__ void proved_two_halves(int *o, int rounds) {
  __shared__ int s[256];
  int t = threadIdx.x, half = t & 128;
  for (int i = 0; i < rounds; i++) {
    s[t] = i;
    if (t < 128)
      bar(1, 128);
    else
      bar(2, 128);
    o[blockIdx.x * 256 + t] += s[half + 127 - (t & 127)];
    if (t < 128)
      bar(1, 128);
    else
      bar(2, 128);
  }
}
__global__ void race_two_halves_one_barrier(int *o, int rounds) {
  __shared__ int s[256];
  int t = threadIdx.x, half = t & 128;
  for (int i = 0; i < rounds; i++) {
    s[t] = i;
    if (t < 128)
      bar(1, 128);
    else
      bar(2, 128);
    o[blockIdx.x * 256 + t] += s[half + 127 - (t & 127)];
  }
}
__global__ void race_two_halves_cross(int *o) {
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t] = t;
  if (t < 128)
    bar(1, 128);
  else
    bar(2, 128);
  o[blockIdx.x * 256 + t] = s[255 - t];
}
// Both halves wait at one barrier for 128: whoever comes first.
__global__ void possible_halves_share_a_number(int *o) {
  __shared__ int s[256];
  int t = threadIdx.x, half = t & 128;
  s[t] = t;
  if (t < 128)
    bar(1, 128);
  else
    bar(1, 128);
  o[blockIdx.x * 256 + t] = s[half + 127 - (t & 127)];
}
__global__ void possible_wrong_count(int *o) {
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t] = t;
  if (t < 128) {
    bar(1, 96);
    o[blockIdx.x * 256 + t] = s[127 - t];
  }
}
__global__ void possible_not_whole_warps(int *o) {
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t] = t;
  if (t % 4 < 2) {
    bar(1, 128);
    o[blockIdx.x * 256 + t] = s[t ^ 64];
  }
}
__global__ void possible_some_rounds(int *o, const int *n) {
  __shared__ int s[256];
  int t = threadIdx.x;
  if (t < 128)
    for (int i = 0; i < n[t]; i++) {
      s[t] = i;
      bar(1, 128);
      o[blockIdx.x * 256 + t] = s[127 - t];
      bar(1, 128);
    }
}
__global__ void proved_some_rounds(int *o, const int *n) {
  __shared__ int s[256];
  int t = threadIdx.x;
  if (t >= 64 && t < 192)
    for (int i = 0; i < n[0]; i++) {
      s[t] = i;
      bar(1, 128);
      o[blockIdx.x * 256 + t] = s[255 - t];
      bar(1, 128);
    }
}
// With warps: the halves' barriers and those of their warps.
__global__ void proved_halves_and_warps(int *o) {
  __shared__ int s[256];
  int t = threadIdx.x, v;
  if (t < 128) {
    s[t] = t;
    bar(1, 128);
    v = s[127 - t];
    bar(1, 128);
    s[t] = v;
    __syncwarp();
    o[blockIdx.x * 256 + t] = s[t ^ 31];
  }
}
__global__ void race_halves_and_warps(int *o) {
  __shared__ int s[256];
  int t = threadIdx.x, v;
  if (t < 128) {
    s[t] = t;
    bar(1, 128);
    v = s[127 - t];
    __syncwarp();
    s[t] = v;
    __syncwarp();
    o[blockIdx.x * 256 + t] = s[t ^ 31];
  }
}
