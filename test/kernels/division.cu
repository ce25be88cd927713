// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %python %S/verdicts.py %s %gpusafe --verify
// Rows and columns by division, whatever the sign of the width; unrolled and
// displaced grid-stride loops. Each with a broken twin.

__global__ void proved_rows(float *o, int w, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int y = i / w, x = i % w;
    o[y * w + x] = i;
  }
}
__global__ void race_rows_too_short(float *o, int w, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int y = i / (w + 1), x = i % (w + 1);
    o[y * w + x] = i;
  }
}
__global__ void proved_unsigned_rows(float *o, unsigned w, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    o[(i / w) * w + i % w] = i;
}
__global__ void proved_wide_rows(float *o, long w, long n) {
  long i = (long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    o[(i / w) * w + i % w] = i;
}
__global__ void proved_volume(float *o, int w, int h, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int x = i % w, y = (i / w) % h, z = i / (w * h);
    o[(z * h + y) * w + x] = i;
  }
}
__global__ void race_volume_of_planes(float *o, int w, int h, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int x = i % w, y = (i / w) % h, z = i / (w * w);
    o[(z * h + y) * w + x] = i;
  }
}
__global__ void proved_digits_taken_off(float *o, int n, int m, int b) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < b * n * m; i += blockDim.x * gridDim.x) {
    int k = i % m;
    int j = (i - k) / m % n;
    int l = (i - m * j - k) / (n * m);
    o[n * m * l + m * j + k] = i;
  }
}
__global__ void race_digits_forgotten(float *o, int n, int m, int b) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < b * n * m; i += blockDim.x * gridDim.x) {
    int k = i % m;
    int j = (i - k) / m % n;
    o[m * j + k] = i;
  }
}

__global__ void proved_displaced(int *o, int n, int from) {
  int inc = blockDim.x * gridDim.x;
  int k = (from & -32) + threadIdx.x + blockIdx.x * blockDim.x;
  while (k < n) {
    o[k] = threadIdx.x;
    k += inc;
  }
}
__global__ void race_displaced_by_block(int *o, int n, int from) {
  int inc = blockDim.x;
  int k = (from & -32) + threadIdx.x + blockIdx.x * blockDim.x;
  while (k < n) {
    o[k] = threadIdx.x;
    k += inc;
  }
}
__global__ void proved_skips(int *o, int n, int from) {
  int inc = blockDim.x * gridDim.x;
  int k = threadIdx.x + blockIdx.x * blockDim.x;
  if (k < from)
    k += inc;
  while (k < n) {
    o[k] = threadIdx.x;
    k += inc;
  }
}
__global__ void proved_unrolled(float *o, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned l = i; l < n; l += gridDim.x * blockDim.x * 4)
    for (int u = 0; u < 4; u++)
      o[l + blockDim.x * gridDim.x * u] = i;
}
__global__ void race_unrolled_by_block(float *o, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned l = i; l < n; l += gridDim.x * blockDim.x * 4)
    for (int u = 0; u < 4; u++)
      o[l + blockDim.x * u] = i;
}
