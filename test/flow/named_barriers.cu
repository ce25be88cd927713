// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %python %source/test/kernels/verdicts.py %s %gpusafe --verify --block=256
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
__global__ void possible_half(int *o) {
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
