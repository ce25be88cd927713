// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %python %S/verdicts.py %s %gpusafe --verify --block=256
// The block-wide algorithms again, as textbooks and samples spell them.

#define N 256
__device__ float block_sum(float v, float *s) {
  int t = threadIdx.x;
  s[t] = v;
  __syncthreads();
  for (int d = blockDim.x >> 1; d; d >>= 1) { if (t < d) s[t] += s[t + d]; __syncthreads(); }
  float r = s[0];
  __syncthreads();
  return r;
}
__device__ float block_sum_bad(float v, float *s) {
  int t = threadIdx.x;
  s[t] = v;
  __syncthreads();
  for (int d = blockDim.x >> 1; d; d >>= 1) { if (t < d) s[t] += s[t + d]; __syncthreads(); }
  return s[0];
}
__global__ void proved_twice(const float *a, const float *b, float *o) {
  __shared__ float s[N];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = block_sum(a[i], s), y = block_sum(b[i], s);
  if (threadIdx.x == 0) o[blockIdx.x] = x + y;
}
__global__ void race_twice(const float *a, const float *b, float *o) {
  __shared__ float s[N];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = block_sum_bad(a[i], s), y = block_sum_bad(b[i], s);
  if (threadIdx.x == 0) o[blockIdx.x] = x + y;
}
template <unsigned B> __global__ void proved_reduce_tmpl(const float *in, float *out, unsigned n) {
  __shared__ float s[B];
  unsigned t = threadIdx.x, i = blockIdx.x * (B * 2) + t, g = B * 2 * gridDim.x;
  s[t] = 0;
  while (i < n) { s[t] += in[i]; if (i + B < n) s[t] += in[i + B]; i += g; }
  __syncthreads();
  if (B >= 512) { if (t < 256) s[t] += s[t + 256]; __syncthreads(); }
  if (B >= 256) { if (t < 128) s[t] += s[t + 128]; __syncthreads(); }
  if (B >= 128) { if (t < 64) s[t] += s[t + 64]; __syncthreads(); }
  if (t < 32) {
    if (B >= 64) s[t] += s[t + 32];
  }
  __syncthreads();
  for (unsigned d = 16; d >= 1; d /= 2) { if (t < d) s[t] += s[t + d]; __syncthreads(); }
  if (t == 0) out[blockIdx.x] = s[0];
}
template __global__ void proved_reduce_tmpl<256>(const float *, float *, unsigned);
__global__ void proved_scan_db(const int *in, int *out) {
  __shared__ int tmp[2 * N];
  int t = threadIdx.x, pout = 0, pin = 1;
  tmp[t] = t > 0 ? in[blockIdx.x * N + t - 1] : 0;
  __syncthreads();
  for (int off = 1; off < N; off *= 2) {
    pout = 1 - pout; pin = 1 - pout;
    if (t >= off) tmp[pout * N + t] = tmp[pin * N + t] + tmp[pin * N + t - off];
    else tmp[pout * N + t] = tmp[pin * N + t];
    __syncthreads();
  }
  out[blockIdx.x * N + t] = tmp[pout * N + t];
}
__global__ void race_scan_inplace(int *out) {
  __shared__ int tmp[N];
  int t = threadIdx.x;
  tmp[t] = out[blockIdx.x * N + t];
  __syncthreads();
  for (int off = 1; off < N; off <<= 1) {
    if (t >= off) tmp[t] += tmp[t - off];
    __syncthreads();
  }
  out[blockIdx.x * N + t] = tmp[t];
}
__global__ void proved_scan_two(int *out) {
  __shared__ int tmp[N];
  int t = threadIdx.x;
  tmp[t] = out[blockIdx.x * N + t];
  __syncthreads();
  for (int off = 1; off < N; off <<= 1) {
    int v = 0;
    if (t >= off) v = tmp[t - off];
    __syncthreads();
    if (t >= off) tmp[t] += v;
    __syncthreads();
  }
  out[blockIdx.x * N + t] = tmp[t];
}
__global__ void proved_blelloch2(int *g) {
  __shared__ int s[2 * N];
  int t = threadIdx.x, off = 1;
  s[2 * t] = g[blockIdx.x * 2 * N + 2 * t];
  s[2 * t + 1] = g[blockIdx.x * 2 * N + 2 * t + 1];
  for (int d = N; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) { int ai = off * (2 * t + 1) - 1, bi = off * (2 * t + 2) - 1; s[bi] += s[ai]; }
    off *= 2;
  }
  if (t == 0) s[2 * N - 1] = 0;
  for (int d = 1; d < 2 * N; d *= 2) {
    off >>= 1;
    __syncthreads();
    if (t < d) { int ai = off * (2 * t + 1) - 1, bi = off * (2 * t + 2) - 1; int x = s[ai]; s[ai] = s[bi]; s[bi] += x; }
  }
  __syncthreads();
  g[blockIdx.x * 2 * N + 2 * t] = s[2 * t];
  g[blockIdx.x * 2 * N + 2 * t + 1] = s[2 * t + 1];
}
__global__ void proved_bitonic2(int *g) {
  __shared__ int s[N];
  unsigned t = threadIdx.x;
  s[t] = g[blockIdx.x * N + t];
  __syncthreads();
  for (unsigned k = 2; k <= N; k *= 2)
    for (unsigned j = k / 2; j > 0; j /= 2) {
      unsigned p = t ^ j;
      if (p > t) {
        bool up = (t & k) == 0;
        if ((s[t] > s[p]) == up) { int x = s[t]; s[t] = s[p]; s[p] = x; }
      }
      __syncthreads();
    }
  g[blockIdx.x * N + t] = s[t];
}
__global__ void proved_oddeven(int *g) {
  __shared__ int s[N];
  int t = threadIdx.x;
  s[t] = g[blockIdx.x * N + t];
  __syncthreads();
  for (int r = 0; r < N; r++) {
    if ((t & 1) == (r & 1) && t + 1 < N) { if (s[t] > s[t + 1]) { int x = s[t]; s[t] = s[t + 1]; s[t + 1] = x; } }
    __syncthreads();
  }
  g[blockIdx.x * N + t] = s[t];
}
__global__ void possible_oddeven(int *g) {
  __shared__ int s[N];
  int t = threadIdx.x;
  s[t] = g[blockIdx.x * N + t];
  __syncthreads();
  for (int r = 0; r < N; r++) {
    if (t + 1 < N) { if (s[t] > s[t + 1]) { int x = s[t]; s[t] = s[t + 1]; s[t + 1] = x; } }
    __syncthreads();
  }
  g[blockIdx.x * N + t] = s[t];
}
__global__ void proved_wave(const int *a, int *o) {
  __shared__ int m[17][17];
  int t = threadIdx.x;
  if (t < 17) { m[t][0] = t; m[0][t] = t; }
  __syncthreads();
  for (int d = 0; d < 31; d++) {
    if (t < 16) { int x = t + 1, y = d - t + 1; if (y >= 1 && y <= 16) m[y][x] = max(m[y - 1][x - 1] + a[y * 16 + x], max(m[y][x - 1], m[y - 1][x])); }
    __syncthreads();
  }
  if (t < 16) o[blockIdx.x * 16 + t] = m[t + 1][16];
}
__global__ void proved_radix(const unsigned *in, unsigned *out, int bit) {
  __shared__ unsigned flags[N], pos[N];
  int t = threadIdx.x;
  unsigned v = in[blockIdx.x * N + t];
  flags[t] = (v >> bit) & 1;
  __syncthreads();
  for (int off = 1; off < N; off <<= 1) {
    unsigned x = t >= off ? flags[t - off] : 0;
    __syncthreads();
    flags[t] += x;
    __syncthreads();
  }
  pos[t] = flags[t];
  __syncthreads();
  out[blockIdx.x * N + t] = pos[N - 1 - t];
}
__global__ void proved_hist(const unsigned char *in, unsigned *out, int n) {
  __shared__ unsigned h[8][256];
  int t = threadIdx.x, w = t / 32;
  for (int i = t; i < 8 * 256; i += blockDim.x) ((unsigned *)h)[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) atomicAdd(&h[w][in[i]], 1u);
  __syncthreads();
  unsigned sum = 0;
  for (int k = 0; k < 8; k++) sum += h[k][t];
  atomicAdd(&out[t], sum);
}
__global__ void proved_b1(int *g) {
  __shared__ int s[N];
  unsigned t = threadIdx.x;
  s[t] = g[blockIdx.x * N + t];
  __syncthreads();
  for (unsigned k = 2; k <= N; k *= 2)
    for (unsigned j = k / 2; j > 0; j /= 2) {
      unsigned p = t ^ j;
      if (p > t) { int x = s[t]; s[t] = s[p]; s[p] = x; }
      __syncthreads();
    }
  g[blockIdx.x * N + t] = s[t];
}
__global__ void proved_b2(int *g) {
  __shared__ int s[N];
  unsigned t = threadIdx.x;
  s[t] = g[blockIdx.x * N + t];
  __syncthreads();
  for (unsigned k = 2; k <= N; k <<= 1)
    for (unsigned j = k >> 1; j > 0; j >>= 1) {
      unsigned p = t ^ j;
      if (p > t) { if (s[t] > s[p]) { int x = s[t]; s[t] = s[p]; s[p] = x; } }
      __syncthreads();
    }
  g[blockIdx.x * N + t] = s[t];
}
__global__ void possible_b3(int *g) { // inner loop may not run for odd k: barrier skipped
  __shared__ int s[N];
  unsigned t = threadIdx.x;
  s[t] = g[blockIdx.x * N + t];
  __syncthreads();
  for (unsigned k = 1; k <= N; k *= 2) {
    s[t ^ 1] += 1;
    for (unsigned j = k / 2; j > 0; j /= 2) { __syncthreads(); }
  }
  g[blockIdx.x * N + t] = s[t];
}
__global__ void possible_b4(int *g, int n, int m) {
  __shared__ int s[N];
  unsigned t = threadIdx.x;
  for (int i = 0; i < n; i++) {
    if (i & 1) s[t] = i; else s[255 - t] = i + t;
    for (int j = 0; j < m; j++) { __syncthreads(); }
  }
  g[blockIdx.x * N + t] = s[t];
}
__global__ void possible_b5(int *g, int n) {
  __shared__ int s[N];
  unsigned t = threadIdx.x;
  for (int i = 0; i < n; i++) {
    if (i & 1) s[t] = i; else s[255 - t] = i + t;
    for (int j = i; j < i + 3; j++) { __syncthreads(); }
  }
}
