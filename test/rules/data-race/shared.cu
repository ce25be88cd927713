// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %verdicts %s --block=256 | FileCheck %s
// Shared memory: what a barrier orders, and what one barrier too few does not.

// CHECK: RACE mirror {{.*}} data-race
__global__ void mirror(int *o) {
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t] = t;
  o[blockIdx.x * 256 + t] = s[255 - t];
}
// CHECK: PROVED mirror_fixed
__global__ void mirror_fixed(int *o) {
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  o[blockIdx.x * 256 + t] = s[255 - t];
}

// A tile refilled in a loop: without the second barrier a fast thread writes what a
// slow one still reads.
// CHECK: RACE refill {{.*}} data-race
__global__ void refill(const int *a, int *o, int n) {
  __shared__ int s[256];
  int t = threadIdx.x, sum = 0;
  for (int i = 0; i < n; i++) {
    s[t] = a[i * 256 + t];
    __syncthreads();
    sum += s[255 - t];
  }
  o[blockIdx.x * 256 + t] = sum;
}
// CHECK: PROVED refill_fixed
__global__ void refill_fixed(const int *a, int *o, int n) {
  __shared__ int s[256];
  int t = threadIdx.x, sum = 0;
  for (int i = 0; i < n; i++) {
    s[t] = a[i * 256 + t];
    __syncthreads();
    sum += s[255 - t];
    __syncthreads();
  }
  o[blockIdx.x * 256 + t] = sum;
}
// Two buffers in turn need one barrier an iteration.
// CHECK: PROVED refill_double
__global__ void refill_double(const int *a, int *o, int n) {
  __shared__ int s[2][256];
  int t = threadIdx.x, sum = 0;
  for (int i = 0; i < n; i++) {
    s[i & 1][t] = a[i * 256 + t];
    __syncthreads();
    sum += s[i & 1][255 - t];
  }
  o[blockIdx.x * 256 + t] = sum;
}
// CHECK: PROVED refill_swapped
__global__ void refill_swapped(const int *a, int *o, int n) {
  __shared__ int x[256], y[256];
  int *p = x, *q = y;
  int t = threadIdx.x, sum = 0;
  for (int i = 0; i < n; i++) {
    p[t] = a[i * 256 + t];
    __syncthreads();
    sum += p[255 - t];
    int *r = p;
    p = q;
    q = r;
  }
  o[blockIdx.x * 256 + t] = sum;
}

// One thread reads for all.
// CHECK: RACE broadcast {{.*}} data-race
__global__ void broadcast(const int *a, int *o) {
  __shared__ int v;
  for (int i = 0; i < 10; i++) {
    if (threadIdx.x == 0)
      v = a[i];
    __syncthreads();
    o[(blockIdx.x * 10 + i) * 256 + threadIdx.x] = v;
  }
}
// CHECK: PROVED broadcast_fixed
__global__ void broadcast_fixed(const int *a, int *o) {
  __shared__ int v;
  for (int i = 0; i < 10; i++) {
    if (threadIdx.x == 0)
      v = a[i];
    __syncthreads();
    o[(blockIdx.x * 10 + i) * 256 + threadIdx.x] = v;
    __syncthreads();
  }
}

// A barrier inside of functions; a shared variable of a function that is called twice.
__device__ __noinline__ void fence() { __syncthreads(); }
__device__ int turned(int v) {
  __shared__ int s[256];
  s[threadIdx.x] = v;
  fence();
  return s[255 - threadIdx.x];
}
// CHECK: RACE twice {{.*}} data-race
__global__ void twice(int *o) {
  int a = turned(threadIdx.x);
  o[blockIdx.x * 256 + threadIdx.x] = turned(a);
}
// CHECK: PROVED twice_fixed
__global__ void twice_fixed(int *o) {
  int a = turned(threadIdx.x);
  fence();
  o[blockIdx.x * 256 + threadIdx.x] = turned(a);
}

extern __shared__ int dynamic[];
// CHECK: RACE carved {{.*}} data-race
__global__ void carved(int *o) {
  int *x = dynamic, *y = dynamic + blockDim.x / 2;
  int t = threadIdx.x;
  x[t] = t;
  y[t] = -t;
  __syncthreads();
  o[blockIdx.x * 256 + t] = x[255 - t] + y[t];
}
// CHECK: PROVED carved_fixed
__global__ void carved_fixed(int *o) {
  int *x = dynamic, *y = dynamic + blockDim.x;
  int t = threadIdx.x;
  x[t] = t;
  y[t] = -t;
  __syncthreads();
  o[blockIdx.x * 256 + t] = x[255 - t] + y[t];
}
// All extern __shared__ arrays of a kernel start at one address.
extern __shared__ float other[];
// CHECK: RACE two_names {{.*}} data-race
__global__ void two_names() {
  dynamic[threadIdx.x] = 1;
  other[threadIdx.x + 1] = 2;
}
// CHECK: 13 kernels: 7 proved, 6 race
