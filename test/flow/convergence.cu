// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %verdicts %s --block=256 --rules=-barrier-divergence | FileCheck %s
// A barrier orders accesses only where all threads of the block reach it alike.

// CHECK: PROVED uniform_branch
__global__ void uniform_branch(int *o, int twice) {
  __shared__ int s[256];
  s[threadIdx.x] = threadIdx.x;
  if (twice)
    __syncthreads();
  __syncthreads();
  o[blockIdx.x * 256 + threadIdx.x] = s[255 - threadIdx.x];
}
// CHECK: POSSIBLE divergent_branch {{.*}} data-race
// CHECK-NEXT: whether a barrier that is not modelled, not reached by all threads
__global__ void divergent_branch(int *o) {
  __shared__ int s[256];
  s[threadIdx.x] = threadIdx.x;
  if (threadIdx.x < 16)
    __syncthreads();
  o[blockIdx.x * 256 + threadIdx.x] = s[255 - threadIdx.x];
}
// CHECK: POSSIBLE divergent_loop {{.*}} data-race
__global__ void divergent_loop(int *o, const int *n) {
  __shared__ int s[256];
  for (int i = 0; i < n[threadIdx.x]; i++) {
    s[threadIdx.x] = i;
    __syncthreads();
    o[blockIdx.x * 256 + threadIdx.x] = s[255 - threadIdx.x];
    __syncthreads();
  }
}
// CHECK: PROVED uniform_loop
__global__ void uniform_loop(int *o, const int *n) {
  __shared__ int s[256];
  for (int i = 0; i < n[blockIdx.x]; i++) {
    s[threadIdx.x] = i;
    __syncthreads();
    o[blockIdx.x * 256 + threadIdx.x] = s[255 - threadIdx.x];
    __syncthreads();
  }
}
// A barrier with a vote gives all threads one value.
// CHECK: PROVED voted_loop
__global__ void voted_loop(int *o, const int *a) {
  __shared__ int s[256];
  int more = a[threadIdx.x];
  while (__syncthreads_or(more > 0)) {
    s[threadIdx.x] = more--;
    __syncthreads();
    o[blockIdx.x * 256 + threadIdx.x] = s[255 - threadIdx.x];
  }
}
// What is read from memory that the kernel writes is not taken for uniform.
// CHECK: {{RACE|POSSIBLE}} written_bound {{.*}} data-race
__global__ void written_bound(int *o, int *n) {
  __shared__ int s[256];
  if (threadIdx.x == 0)
    n[blockIdx.x]--;
  for (int i = 0; i < n[blockIdx.x]; i++) {
    s[threadIdx.x] = i;
    __syncthreads();
    o[blockIdx.x * 256 + threadIdx.x] = s[255 - threadIdx.x];
    __syncthreads();
  }
}

// Two barriers in the two arms of a branch: threads of one meet those of the other.
// CHECK-NOT: PROVED two_arms
// CHECK: {{RACE|POSSIBLE}} two_arms {{.*}} data-race
__global__ void two_arms(int *o) {
  __shared__ int s[256];
  if (threadIdx.x < 32) {
    __syncthreads();
    s[threadIdx.x] = 1;
  } else {
    __syncthreads();
    o[blockIdx.x * 256 + threadIdx.x] = s[threadIdx.x & 31];
  }
}
// CHECK: {{RACE|POSSIBLE}} early_arm {{.*}} data-race
__global__ void early_arm(int *o) {
  __shared__ int s[256];
  if (threadIdx.x < 32) {
    __syncthreads();
    s[threadIdx.x] = 1;
    return;
  }
  __syncthreads();
  o[blockIdx.x * 256 + threadIdx.x] = s[threadIdx.x & 31];
}
// CHECK: {{RACE|POSSIBLE}} two_cases {{.*}} data-race
__global__ void two_cases(int *o) {
  __shared__ int s[256];
  switch (threadIdx.x >> 5) {
  case 0:
    __syncthreads();
    s[threadIdx.x] = 1;
    break;
  case 1:
    __syncthreads();
    o[blockIdx.x * 256 + threadIdx.x] = s[threadIdx.x & 31];
    break;
  }
}
// Threads that return meet no barrier any more: they count as arrived, and that is said.
// CHECK: PROVED returned {{.*}} assumes {{.*}}[[RETURNED:[0-9]+]]{{$}}
__global__ void returned(const int *a, int *o, int n) {
  __shared__ int s[256];
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n)
    return;
  s[threadIdx.x] = a[i];
  __syncthreads();
  o[i] = s[threadIdx.x] + s[0];
}
// CHECK: PROVED one_arm
__global__ void one_arm(int *o) {
  __shared__ int s[256];
  if (threadIdx.x < 32) {
    __syncthreads();
    s[threadIdx.x] = 1;
  } else {
    o[blockIdx.x * 256 + threadIdx.x] = s[threadIdx.x & 31];
  }
}
// CHECK: [[RETURNED]] unchecked threads that have returned count as arrived at the barrier at line {{[0-9]+}}
