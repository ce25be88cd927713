// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %python %S/../../kernels/verdicts.py %s %gpusafe --verify
// What a block reads from shared memory at one address is one value for it, if no write is in
// the same phase: barriers under it are reached alike.
#include <gpusafe.h>

// ---- a flag that one thread sets
__global__ void proved_flag(int *o, const int *a, int n) {
  __shared__ int found;
  __shared__ int s[256];
  int t = threadIdx.x & 255;
  if (threadIdx.x == 0) found = a[blockIdx.x * n] > 0;
  __syncthreads();
  if (found) {
    if (threadIdx.x < 256) s[t] = a[t];
    __syncthreads();
    if (threadIdx.x < 256) o[blockIdx.x * 256 + t] = s[255 - t];
  }
}
// The flag may still be written while others read it.
__global__ void race_flag(int *o, const int *a, int n) {
  __shared__ int found;
  __shared__ int s[256];
  int t = threadIdx.x & 255;
  if (threadIdx.x == 0) found = a[blockIdx.x * n] > 0;
  if (found) {
    if (threadIdx.x < 256) s[t] = a[t];
    __syncthreads();
    if (threadIdx.x < 256) o[blockIdx.x * 256 + t] = s[255 - t];
  }
}
// Each thread looks at a flag of its own.
__global__ void refused_own_flag(int *o, const int *a) {
  __shared__ int found[256];
  __shared__ int s[256];
  int t = threadIdx.x;
  if (t >= 256) return;
  found[t] = a[t] > 0;
  __syncthreads();
  if (found[t]) {
    s[t] = a[t];
    __syncthreads();
    o[blockIdx.x * 256 + t] = s[255 - t];
  }
}
// Reset behind the barrier, before all have looked.
__global__ void refused_reset(int *o, const int *a, int n) {
  __shared__ int found;
  __shared__ int s[256];
  int t = threadIdx.x & 255;
  if (threadIdx.x == 0) found = a[blockIdx.x * n] > 0;
  __syncthreads();
  if (found) {
    if (threadIdx.x == 0) found = 0;
    if (threadIdx.x < 256) s[t] = a[t];
    __syncthreads();
    if (threadIdx.x < 256) o[blockIdx.x * 256 + t] = s[255 - t];
  }
}

// ---- a block fetches its work from a counter until there is none
__global__ void proved_persistent(int *o, int *next, int n) {
  __shared__ int tile;
  __shared__ int s[256];
  int t = threadIdx.x & 255;
  for (;;) {
    if (threadIdx.x == 0) tile = atomicAdd(next, 1);
    __syncthreads();
    int mine = tile;
    if (mine < 0 || mine >= n) break;
    if (threadIdx.x < 256) s[t] = mine + t;
    __syncthreads();
    if (threadIdx.x < 256) o[blockIdx.x * 256 + t] += s[255 - t];
    __syncthreads();
  }
}
// No barrier before the next tile is fetched.
__global__ void refused_persistent(int *o, int *next, int n) {
  __shared__ int tile;
  int t = threadIdx.x & 255;
  for (;;) {
    if (threadIdx.x == 0) tile = atomicAdd(next, 1);
    __syncthreads();
    int mine = tile;
    if (mine < 0 || mine >= n) break;
    if (threadIdx.x < 256) o[blockIdx.x * 256 + t] += t;
  }
}

// ---- until nothing changes
__global__ void proved_relax(int *o, const int *a, int n) {
  __shared__ int v[256];
  __shared__ bool changed;
  int t = threadIdx.x;
  if (blockDim.x != 256) return;
  v[t] = a[t];
  do {
    __syncthreads();
    if (t == 0) changed = false;
    __syncthreads();
    int left = v[t ? t - 1 : 0];
    __syncthreads();
    if (left < v[t]) {
      v[t] = left;
      changed = true;
    }
    __syncthreads();
  } while (changed);
  o[blockIdx.x * 256 + t] = v[t];
}
// The flag is cleared by one while another still looks at it.
__global__ void refused_relax(int *o, const int *a, int n) {
  __shared__ int v[256];
  __shared__ bool changed;
  int t = threadIdx.x;
  if (blockDim.x != 256) return;
  v[t] = a[t];
  do {
    if (t == 0) changed = false;
    __syncthreads();
    int left = v[t ? t - 1 : 0];
    __syncthreads();
    if (left < v[t]) {
      v[t] = left;
      changed = true;
    }
    __syncthreads();
  } while (changed);
  o[blockIdx.x * 256 + t] = v[t];
}
// while instead of do, volatile, the flag an int.
__global__ void proved_while(int *o, const int *a) {
  __shared__ volatile int again;
  __shared__ int v[128];
  int t = threadIdx.x;
  if (blockDim.x != 128) return;
  if (t == 0) again = 1;
  v[t] = a[t];
  __syncthreads();
  while (again) {
    __syncthreads();
    if (t == 0) again = 0;
    int other = v[t ^ 1];
    __syncthreads();
    if (other > v[t]) {
      v[t] = other;
      again = 1;
    }
    __syncthreads();
  }
  o[blockIdx.x * 128 + t] = v[t];
}
__global__ void refused_while(int *o, const int *a) {
  __shared__ volatile int again;
  __shared__ int v[128];
  int t = threadIdx.x;
  if (blockDim.x != 128) return;
  if (t == 0) again = 1;
  v[t] = a[t];
  __syncthreads();
  while (again) {
    if (t == 0) again = 0;
    int other = v[t ^ 1];
    __syncthreads();
    if (other > v[t]) {
      v[t] = other;
      again = 1;
    }
    __syncthreads();
  }
  o[blockIdx.x * 128 + t] = v[t];
}
// A residual in floating point, summed in a tree.
__global__ void proved_residual(float *o, const float *a, float eps) {
  __shared__ float r[64];
  int t = threadIdx.x;
  if (blockDim.x != 64) return;
  float x = a[t];
  for (int i = 0; i < 100; i++) {
    x *= 0.5f;
    r[t] = x;
    __syncthreads();
    for (int d = 32; d > 0; d >>= 1) {
      if (t < d) r[t] += r[t + d];
      __syncthreads();
    }
    if (r[0] < eps) break;
    __syncthreads();
  }
  o[blockIdx.x * 64 + t] = x;
}
__global__ void refused_residual(float *o, const float *a, float eps) {
  __shared__ float r[64];
  int t = threadIdx.x;
  if (blockDim.x != 64) return;
  float x = a[t];
  for (int i = 0; i < 100; i++) {
    x *= 0.5f;
    r[t] = x;
    __syncthreads();
    for (int d = 32; d > 0; d >>= 1) {
      if (t < d) r[t] += r[t + d];
      __syncthreads();
    }
    if (r[0] < eps) break;
  }
  o[blockIdx.x * 64 + t] = x;
}
// One thread alone decides what the barrier hangs on: not shared.
__global__ void refused_register(int *o, const int *a) {
  __shared__ int s[32];
  int t = threadIdx.x & 31, found = 0;
  if (t == 0) found = a[0];
  if (found) __syncthreads();
  o[blockIdx.x * blockDim.x + threadIdx.x] = s[t];
}
// Two values in one array; the one that is read is not the one that is written.
__global__ void proved_stack(int *o, const int *a, int n) {
  __shared__ int top, stack[64];
  int t = threadIdx.x;
  if (t == 0) {
    top = 1;
    stack[0] = n;
  }
  __syncthreads();
  while (top > 0) {
    int node = stack[0];
    __syncthreads();
    if (t == 0) {
      top = top - 1;
      if (node > 4) {
        stack[0] = node / 2;
        top = top + 1;
      }
    }
    __syncthreads();
  }
  o[blockIdx.x * blockDim.x + t] = a[t];
}
