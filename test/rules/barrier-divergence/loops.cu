// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %verdicts %s --rules=barrier-divergence --block=256 | FileCheck %s
// Threads that go round a loop with a barrier a different number of times.

// CHECK: RACE strided {{.*}} barrier-divergence
__global__ void strided(float *o, const float *a, int n) {
  __shared__ float s[256];
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    s[threadIdx.x] = a[i];
    __syncthreads();
    o[i] = s[255 - threadIdx.x];
    __syncthreads();
  }
}
// CHECK: PROVED strided_by_block
__global__ void strided_by_block(float *o, const float *a, int n) {
  __shared__ float s[256];
  for (int base = 0; base < n; base += blockDim.x) {
    int i = base + threadIdx.x;
    if (i < n)
      s[threadIdx.x] = a[i];
    __syncthreads();
    if (i < n)
      o[i] = s[255 - threadIdx.x];
    __syncthreads();
  }
}

// CHECK: RACE grid_stride {{.*}} barrier-divergence
__global__ void grid_stride(float *o, unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    o[i] = 1;
    __syncthreads();
  }
}
// CHECK: PROVED grid_stride_of_tiles
__global__ void grid_stride_of_tiles(float *o, unsigned n) {
  for (unsigned tile = blockIdx.x; tile < n; tile += gridDim.x) {
    o[tile * 256 + threadIdx.x] = 1;
    __syncthreads();
  }
}

// CHECK: RACE triangle {{.*}} barrier-divergence
__global__ void triangle(int *o) {
  for (int k = 0; k <= threadIdx.x; k++) {
    o[threadIdx.x] += k;
    __syncthreads();
  }
}
// CHECK: PROVED square
__global__ void square(int *o) {
  for (int k = 0; k <= 255; k++) {
    if (k <= threadIdx.x)
      o[threadIdx.x] += k;
    __syncthreads();
  }
}

// CHECK: RACE rows {{.*}} barrier-divergence
__global__ void rows(const int *start, int *o) {
  for (int j = start[threadIdx.x]; j < start[threadIdx.x + 1]; j++) {
    o[j] = 1;
    __syncthreads();
  }
}
// CHECK: PROVED rows_of_block
__global__ void rows_of_block(const int *start, int *o) {
  for (int j = start[blockIdx.x]; j < start[blockIdx.x + 1]; j++) {
    o[j] = 1;
    __syncthreads();
  }
}

// CHECK: RACE leaves {{.*}} barrier-divergence
__global__ void leaves(int *o, int n) {
  for (int k = 0; k < n; k++) {
    if (k == threadIdx.x)
      break;
    __syncthreads();
    o[threadIdx.x] = k;
  }
}
// CHECK: PROVED leaves_together
__global__ void leaves_together(int *o, int n) {
  for (int k = 0; k < n; k++) {
    if (k == blockIdx.x)
      break;
    __syncthreads();
    o[threadIdx.x] = k;
  }
}
// CHECK: RACE skips {{.*}} barrier-divergence
__global__ void skips(int *o, int n) {
  for (int k = 0; k < n; k++) {
    if ((k ^ threadIdx.x) & 1)
      continue;
    __syncthreads();
    o[threadIdx.x] = k;
  }
}
// CHECK: PROVED skips_together
__global__ void skips_together(int *o, int n) {
  for (int k = 0; k < n; k++) {
    if (k & 1)
      continue;
    __syncthreads();
    o[threadIdx.x] = k;
  }
}

// An inner loop, and a while with a condition at its end.
// CHECK: RACE nested {{.*}} barrier-divergence
__global__ void nested(int *o, int n) {
  for (int i = 0; i < n; i++)
    for (int j = threadIdx.x; j > 0; j /= 2) {
      o[threadIdx.x] = j;
      __syncthreads();
    }
}
// CHECK: PROVED nested_tree
__global__ void nested_tree(int *o, int n) {
  for (int i = 0; i < n; i++)
    for (int j = blockDim.x; j > 0; j /= 2) {
      if (threadIdx.x < j)
        o[threadIdx.x] = j;
      __syncthreads();
    }
}
// CHECK: RACE at_end {{.*}} barrier-divergence
__global__ void at_end(int *o, long n) {
  long i = threadIdx.x;
  do {
    __syncthreads();
    o[threadIdx.x] = i;
    i += 256;
  } while (i < n);
}
// CHECK: PROVED at_end_rounded
__global__ void at_end_rounded(int *o, long n) {
  long i = 0;
  do {
    __syncthreads();
    o[threadIdx.x] = i;
    i += 256;
  } while (i < n);
}

// A vote is one value for the block, a ballot or an atomic is not.
// CHECK: PROVED voted
__global__ void voted(int *o, const int *a) {
  int left = a[threadIdx.x];
  while (__syncthreads_count(left > 0)) {
    o[threadIdx.x] = left--;
    __syncthreads();
  }
}
// CHECK: POSSIBLE taken {{.*}} barrier-divergence
__global__ void taken(int *o, int *next, int n) {
  for (int t = atomicAdd(next, 1); t < n; t = atomicAdd(next, 1)) {
    o[t] = 1;
    __syncthreads();
  }
}
