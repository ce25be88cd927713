// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %verdicts %s --block=256 | FileCheck %s
// Block-wide algorithms of the textbooks, each with a broken twin.

// CHECK: PROVED tree
__global__ void tree(const float *a, float *o) {
  __shared__ float s[256];
  int t = threadIdx.x;
  s[t] = a[blockIdx.x * 256 + t];
  __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d >>= 1) {
    if (t < d)
      s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0)
    o[blockIdx.x] = s[0];
}
// CHECK: RACE tree_no_barrier {{.*}} data-race
__global__ void tree_no_barrier(const float *a, float *o) {
  __shared__ float s[256];
  int t = threadIdx.x;
  s[t] = a[blockIdx.x * 256 + t];
  __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d >>= 1)
    if (t < d)
      s[t] += s[t + d];
  __syncthreads();
  if (t == 0)
    o[blockIdx.x] = s[0];
}
// CHECK: RACE tree_no_first_barrier {{.*}} data-race
__global__ void tree_no_first_barrier(const float *a, float *o) {
  __shared__ float s[256];
  int t = threadIdx.x;
  s[t] = a[blockIdx.x * 256 + t];
  for (int d = blockDim.x / 2; d > 0; d >>= 1) {
    if (t < d)
      s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0)
    o[blockIdx.x] = s[0];
}
// Interleaved, as a modulo and with strides.
// CHECK: PROVED tree_modulo
__global__ void tree_modulo(const float *a, float *o) {
  __shared__ float s[256];
  unsigned t = threadIdx.x;
  s[t] = a[blockIdx.x * 256 + t];
  __syncthreads();
  for (unsigned d = 1; d < blockDim.x; d *= 2) {
    if (t % (2 * d) == 0)
      s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0)
    o[blockIdx.x] = s[0];
}
// CHECK: PROVED tree_strided
__global__ void tree_strided(const float *a, float *o) {
  __shared__ float s[256];
  unsigned t = threadIdx.x;
  s[t] = a[blockIdx.x * 256 + t];
  __syncthreads();
  for (unsigned d = 1; d < blockDim.x; d *= 2) {
    unsigned i = 2 * d * t;
    if (i < blockDim.x)
      s[i] += s[i + d];
    __syncthreads();
  }
  if (t == 0)
    o[blockIdx.x] = s[0];
}
// CHECK: RACE tree_wrong_stride {{.*}} data-race
__global__ void tree_wrong_stride(const float *a, float *o) {
  __shared__ float s[512];
  unsigned t = threadIdx.x;
  s[t] = a[blockIdx.x * 256 + t];
  __syncthreads();
  for (unsigned d = 1; d < blockDim.x; d *= 2) {
    unsigned i = d * t;
    if (i < blockDim.x)
      s[i] += s[i + d];
    __syncthreads();
  }
  if (t == 0)
    o[blockIdx.x] = s[0];
}

// Scans: in place with one barrier is racy, two phases or two buffers are not.
// CHECK: RACE scan_in_place {{.*}} data-race
__global__ void scan_in_place(const float *a, float *o) {
  __shared__ float s[256];
  int t = threadIdx.x;
  s[t] = a[t];
  __syncthreads();
  for (int d = 1; d < 256; d <<= 1) {
    if (t >= d)
      s[t] += s[t - d];
    __syncthreads();
  }
  o[blockIdx.x * 256 + t] = s[t];
}
// CHECK: PROVED scan_two_phases
__global__ void scan_two_phases(const float *a, float *o) {
  __shared__ float s[256];
  int t = threadIdx.x;
  s[t] = a[t];
  __syncthreads();
  for (int d = 1; d < 256; d <<= 1) {
    float v = 0;
    if (t >= d)
      v = s[t - d];
    __syncthreads();
    if (t >= d)
      s[t] += v;
    __syncthreads();
  }
  o[blockIdx.x * 256 + t] = s[t];
}
// CHECK: PROVED scan_two_buffers
__global__ void scan_two_buffers(const float *a, float *o) {
  __shared__ float s[512];
  int t = threadIdx.x, p = 0;
  s[t] = a[t];
  __syncthreads();
  for (int d = 1; d < 256; d <<= 1) {
    p = 1 - p;
    s[p * 256 + t] = s[(1 - p) * 256 + t];
    if (t >= d)
      s[p * 256 + t] += s[(1 - p) * 256 + t - d];
    __syncthreads();
  }
  o[blockIdx.x * 256 + t] = s[p * 256 + t];
}

// CHECK: PROVED bitonic
__global__ void bitonic(unsigned *g) {
  __shared__ unsigned s[256];
  unsigned t = threadIdx.x;
  s[t] = g[blockIdx.x * 256 + t];
  for (unsigned k = 2; k <= 256; k <<= 1)
    for (unsigned j = k >> 1; j > 0; j >>= 1) {
      __syncthreads();
      unsigned x = t ^ j;
      if (x > t) {
        unsigned a = s[t], b = s[x];
        if (((t & k) == 0) == (a > b)) {
          s[t] = b;
          s[x] = a;
        }
      }
    }
  __syncthreads();
  g[blockIdx.x * 256 + t] = s[t];
}
// CHECK: RACE bitonic_outer_barrier {{.*}} data-race
__global__ void bitonic_outer_barrier(unsigned *g) {
  __shared__ unsigned s[256];
  unsigned t = threadIdx.x;
  s[t] = g[blockIdx.x * 256 + t];
  for (unsigned k = 2; k <= 256; k <<= 1) {
    __syncthreads();
    for (unsigned j = k >> 1; j > 0; j >>= 1) {
      unsigned x = t ^ j;
      if (x > t) {
        unsigned a = s[t], b = s[x];
        s[t] = b;
        s[x] = a;
      }
    }
  }
  __syncthreads();
  g[blockIdx.x * 256 + t] = s[t];
}

// CHECK: PROVED histogram
__global__ void histogram(const unsigned char *d, unsigned *h, int n) {
  __shared__ unsigned s[256];
  s[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    atomicAdd(&s[d[i]], 1u);
  __syncthreads();
  atomicAdd(&h[threadIdx.x], s[threadIdx.x]);
}
// CHECK: RACE histogram_unready {{.*}} atomic-mix
__global__ void histogram_unready(const unsigned char *d, unsigned *h, int n) {
  __shared__ unsigned s[256];
  s[threadIdx.x] = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    atomicAdd(&s[d[i]], 1u);
  __syncthreads();
  atomicAdd(&h[threadIdx.x], s[threadIdx.x]);
}
// CHECK: 13 kernels: 7 proved, 6 race
