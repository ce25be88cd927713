// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %verdicts %s --block=64 | FileCheck %s
// RUN: %verdicts %s --block=64 --rules=-atomic-mix | FileCheck --check-prefix=ONE %s
// Races with an atomic operation in them. Without this rule data-race has them all.

// CHECK: RACE reset {{.*}} atomic-mix
// ONE: RACE reset {{.*}} data-race
__global__ void reset(int *count) {
  if (threadIdx.x == 0)
    count[0] = 0;
  atomicAdd(&count[0], 1);
}
// CHECK: PROVED no_reset
__global__ void no_reset(int *count) {
  atomicAdd(&count[0], 1);
}

// CHECK: RACE shared_reset {{.*}} atomic-mix
// ONE: RACE shared_reset {{.*}} data-race
__global__ void shared_reset(int *o) {
  __shared__ int n;
  if (threadIdx.x == 0)
    n = 0;
  atomicAdd(&n, 1);
  __syncthreads();
  o[blockIdx.x * 64 + threadIdx.x] = n;
}
// CHECK: PROVED shared_reset_ordered
__global__ void shared_reset_ordered(int *o) {
  __shared__ int n;
  if (threadIdx.x == 0)
    n = 0;
  __syncthreads();
  atomicAdd(&n, 1);
  __syncthreads();
  o[blockIdx.x * 64 + threadIdx.x] = n;
}

// CHECK: RACE polled {{.*}} atomic-mix
__global__ void polled(int *sum, int *o, const int *a) {
  atomicAdd(sum, a[threadIdx.x]);
  __syncthreads();
  o[blockIdx.x * 64 + threadIdx.x] = *sum;
}
// CHECK: PROVED read_elsewhere
__global__ void read_elsewhere(const int *sum, int *o) {
  o[blockIdx.x * 64 + threadIdx.x] = *sum;
}

// CHECK: RACE block_scope {{.*}} atomic-mix
__global__ void block_scope(int *sum) {
  atomicAdd_block(sum, 1);
}
// CHECK: PROVED block_scope_of_block
__global__ void block_scope_of_block(int *sum) {
  atomicAdd_block(&sum[blockIdx.x], 1);
}

// CHECK: RACE halves {{.*}} atomic-mix
__global__ void halves(unsigned long long *c) {
  if (threadIdx.x & 1)
    atomicAdd((unsigned *)c, 1u);
  else
    atomicAdd(c, 1ull);
}
// CHECK: PROVED wholes
__global__ void wholes(unsigned long long *c) {
  if (threadIdx.x & 1)
    atomicAdd(c, 2ull);
  else
    atomicAdd(c, 1ull);
}

// CHECK: RACE histogram {{.*}} atomic-mix
__global__ void histogram(int *bins, const int *a) {
  bins[threadIdx.x] = 0;
  atomicAdd(&bins[a[threadIdx.x] & 63], 1);
}
// CHECK: PROVED histogram_only
__global__ void histogram_only(int *bins, const int *a) {
  atomicAdd(&bins[a[threadIdx.x] & 63], 1);
}

// Without any atomic it is data-race's.
// CHECK: RACE plain {{.*}} data-race
__global__ void plain(int *sum) {
  *sum += 1;
}
