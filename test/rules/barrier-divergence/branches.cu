// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %verdicts %s --rules=barrier-divergence --block=256 | FileCheck %s
// A condition on the thread around a barrier, and the twin where the block agrees.

// CHECK: RACE lower_half {{.*}} barrier-divergence
__global__ void lower_half(int *o) {
  __shared__ int s[256];
  s[threadIdx.x] = threadIdx.x;
  if (threadIdx.x < 128)
    __syncthreads();
  o[blockIdx.x * 256 + threadIdx.x] = s[threadIdx.x];
}
// CHECK: PROVED lower_blocks
__global__ void lower_blocks(int *o) {
  __shared__ int s[256];
  s[threadIdx.x] = threadIdx.x;
  if (blockIdx.x < 128)
    __syncthreads();
  o[blockIdx.x * 256 + threadIdx.x] = s[threadIdx.x];
}

// Nothing follows the condition: still no return.
// CHECK: RACE to_the_end {{.*}} barrier-divergence
__global__ void to_the_end(int *o, int n) {
  __shared__ int s[256];
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) {
    s[threadIdx.x] = i;
    __syncthreads();
    o[i] = s[255 - threadIdx.x];
  }
}
// CHECK: PROVED guarded_work
__global__ void guarded_work(int *o, int n) {
  __shared__ int s[256];
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n)
    s[threadIdx.x] = i;
  __syncthreads();
  if (i < n)
    o[i] = s[255 - threadIdx.x];
}

// CHECK: RACE odd_lanes {{.*}} barrier-divergence
__global__ void odd_lanes(int *o) {
  if (threadIdx.x & 1) {
    __syncthreads();
    o[threadIdx.x] = 1;
  }
  o[threadIdx.x + 256] = 1;
}
// CHECK: PROVED odd_blocks
__global__ void odd_blocks(int *o) {
  if (blockIdx.x & 1) {
    __syncthreads();
    o[threadIdx.x] = 1;
  }
  o[threadIdx.x + 256] = 1;
}

// The condition is data of the thread.
// CHECK: RACE by_data {{.*}} barrier-divergence
__global__ void by_data(const int *flags, int *o) {
  if (flags[threadIdx.x] > 0)
    __syncthreads();
  o[threadIdx.x] = 1;
}
// CHECK: PROVED by_block_data
__global__ void by_block_data(const int *flags, int *o) {
  if (flags[blockIdx.x] > 0)
    __syncthreads();
  o[threadIdx.x] = 1;
}
// CHECK: PROVED by_vote
__global__ void by_vote(const int *flags, int *o) {
  if (__syncthreads_or(flags[threadIdx.x] > 0))
    __syncthreads();
  o[threadIdx.x] = 1;
}

// Two dimensions, conjunctions, short circuits, switches.
// CHECK: RACE corner {{.*}} barrier-divergence
__global__ void corner(int *o, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h)
    __syncthreads();
  o[threadIdx.x] = x + y;
}
// CHECK: PROVED corner_block
__global__ void corner_block(int *o, int w, int h) {
  int x = blockIdx.x * blockDim.x, y = blockIdx.y * blockDim.y;
  if (x < w && y < h)
    __syncthreads();
  o[threadIdx.x] = x + y;
}
// CHECK: RACE switched {{.*}} barrier-divergence
__global__ void switched(int *o, int mode) {
  switch (mode + threadIdx.x % 3) {
  case 0: __syncthreads(); break;
  case 1: o[1] = 1; break;
  default: break;
  }
  o[threadIdx.x] = 1;
}
// CHECK: PROVED switched_mode
__global__ void switched_mode(int *o, int mode) {
  switch (mode + blockIdx.x % 3) {
  case 0: __syncthreads(); break;
  case 1: o[1] = 1; break;
  default: break;
  }
  o[threadIdx.x] = 1;
}

// A condition on the thread that holds of every thread is none.
// CHECK: PROVED always
__global__ void always(int *o) {
  if (threadIdx.x < 256)
    __syncthreads();
  o[threadIdx.x] = 1;
}
// CHECK: PROVED same_for_all
__global__ void same_for_all(int *o, int n) {
  if ((threadIdx.x + blockIdx.x * 256) / 256 < n)
    __syncthreads();
  o[threadIdx.x] = 1;
}

// Inside of a function, called under a condition.
__device__ int sum(int *s) {
  __syncthreads();
  return s[0] + s[1];
}
template <class F> __device__ int apply(F f) { return f(); }
// CHECK: RACE in_callee {{.*}} barrier-divergence
__global__ void in_callee(int *o) {
  __shared__ int s[256];
  s[threadIdx.x] = 1;
  if (threadIdx.x < 32)
    o[threadIdx.x] = sum(s);
}
// CHECK: PROVED before_callee
__global__ void before_callee(int *o) {
  __shared__ int s[256];
  s[threadIdx.x] = 1;
  int all = sum(s);
  if (threadIdx.x < 32)
    o[threadIdx.x] = all;
}
// CHECK: RACE in_lambda {{.*}} barrier-divergence
__global__ void in_lambda(int *o, int n) {
  __shared__ int s[256];
  s[threadIdx.x] = 1;
  o[threadIdx.x] = threadIdx.x < n ? apply([&] { return sum(s); }) : 0;
}
// CHECK: PROVED in_lambda_of_block
__global__ void in_lambda_of_block(int *o, int n) {
  __shared__ int s[256];
  s[threadIdx.x] = 1;
  o[threadIdx.x] = blockIdx.x < n ? apply([&] { return sum(s); }) : 0;
}

// Both branches wait, at different barriers. Lanes of one warp must not; of whole warps
// the hardware makes one barrier of it, and CUDA promises nothing.
// CHECK: RACE both_ways {{.*}} barrier-divergence
__global__ void both_ways(int *o) {
  if (threadIdx.x & 1)
    __syncthreads();
  else
    __syncthreads();
  o[threadIdx.x] = 1;
}
// CHECK: POSSIBLE both_ways_by_warp {{.*}} barrier-divergence
// CHECK-NEXT: whether the two barriers count as one
__global__ void both_ways_by_warp(int *o) {
  if (threadIdx.x / 32 == 0)
    __syncthreads();
  else
    __syncthreads();
  o[threadIdx.x] = 1;
}
// CHECK: PROVED one_way
__global__ void one_way(int *o) {
  if (threadIdx.x & 1)
    o[256 + threadIdx.x] = 1;
  __syncthreads();
  o[threadIdx.x] = 1;
}
