// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warps at work: scans, private histograms, transposes, a row for each warp, leaders.
// REQUIRES: clang
// RUN: %python %S/verdicts.py %s %gpusafe --verify --block=256
#define FULL 0xffffffffu
__global__ void proved_scan(int *o, const int *a) {
  __shared__ int s[256];
  int t = threadIdx.x, lane = t & 31, w = t >> 5;
  int base = w << 5;
  s[t] = a[blockIdx.x * 256 + t];
  __syncwarp();
  for (int d = 1; d < 32; d <<= 1) {
    int v = lane >= d ? s[base + lane - d] : 0;
    __syncwarp();
    s[base + lane] += v;
    __syncwarp();
  }
  o[blockIdx.x * 256 + t] = s[t];
}
__global__ void race_scan(int *o, const int *a) {
  __shared__ int s[256];
  int t = threadIdx.x, lane = t & 31, w = t >> 5;
  int base = w << 5;
  s[t] = a[blockIdx.x * 256 + t];
  __syncwarp();
  for (int d = 1; d < 32; d <<= 1) {
    int v = lane >= d ? s[base + lane - d] : 0;
    s[base + lane] += v;
    __syncwarp();
  }
  o[blockIdx.x * 256 + t] = s[t];
}
__global__ void race_volatile(int *o, const int *a) {
  __shared__ volatile int s[256];
  int t = threadIdx.x;
  s[t] = a[blockIdx.x * 256 + t];
  __syncthreads();
  if (t < 32) { s[t] += s[t + 32]; s[t] += s[t + 16]; s[t] += s[t + 8]; }
  if (t == 0) o[blockIdx.x] = s[0];
}
__global__ void proved_hist(int *o, const unsigned char *a, int n) {
  __shared__ int h[8][64];
  int lane = threadIdx.x % 32, w = threadIdx.x / 32;
  for (int i = lane; i < 64; i += 32) h[w][i] = 0;
  __syncwarp();
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) atomicAdd(&h[w][a[i] & 63], 1);
  __syncthreads();
  for (int i = threadIdx.x; i < 64; i += 256) {
    int sum = 0;
    for (int k = 0; k < 8; k++) sum += h[k][i];
    atomicAdd(&o[i], sum);
  }
}
__global__ void refused_hist_loop(int *o, const unsigned char *a, int n) {
  __shared__ int h[8][64];
  int lane = threadIdx.x % 32, w = threadIdx.x / 32;
  for (int i = lane; i < 64; i += 32) h[w][i] = 0;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) atomicAdd(&h[w][a[i] & 63], 1);
  __syncthreads();
  if (threadIdx.x < 64) o[blockIdx.x * 64 + threadIdx.x] = h[0][threadIdx.x];
}
__global__ void proved_transpose(float *o, const float *a, int n) {
  __shared__ float tile[8][32][33];
  int lane = threadIdx.x & 31, w = threadIdx.x >> 5;
  for (int r = 0; r < 32; r++) tile[w][r][lane] = a[(blockIdx.x * 8 + w) * 1024 + r * 32 + lane];
  __syncwarp();
  for (int r = 0; r < 32; r++) o[(blockIdx.x * 8 + w) * 1024 + r * 32 + lane] = tile[w][lane][r];
}
__global__ void race_transpose(float *o, const float *a, int n) {
  __shared__ float tile[8][32][33];
  int lane = threadIdx.x & 31, w = threadIdx.x >> 5;
  for (int r = 0; r < 32; r++) tile[w][r][lane] = a[(blockIdx.x * 8 + w) * 1024 + r * 32 + lane];
  for (int r = 0; r < 32; r++) o[(blockIdx.x * 8 + w) * 1024 + r * 32 + lane] = tile[w][lane][r];
}
// csr: warp per row, sum by shuffle
__global__ void proved_csr(float *y, const int *ptr, const int *col, const float *v, const float *x, int rows) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
  if (row < rows) {
    float sum = 0;
    for (int j = ptr[row] + lane; j < ptr[row + 1]; j += 32) sum += v[j] * x[col[j]];
    for (int d = 16; d; d >>= 1) sum += __shfl_down_sync(FULL, sum, d);
    if (lane == 0) y[row] = sum;
  }
}
// csr with shared staging
__global__ void proved_csr_staged(float *y, const int *ptr, const int *col, const float *v, const float *x, int rows) {
  __shared__ float s[256];
  int lane = threadIdx.x & 31, w = threadIdx.x / 32;
  for (int row = blockIdx.x * 8 + w; row < rows; row += gridDim.x * 8) {
    float sum = 0;
    for (int j = ptr[row] + lane; j < ptr[row + 1]; j += 32) sum += v[j] * x[col[j]];
    s[threadIdx.x] = sum;
    __syncwarp();
    if (lane < 16) s[threadIdx.x] += s[threadIdx.x + 16];
    __syncwarp();
    if (lane < 8) s[threadIdx.x] += s[threadIdx.x + 8];
    __syncwarp();
    if (lane < 4) s[threadIdx.x] += s[threadIdx.x + 4];
    __syncwarp();
    if (lane == 0) y[row] = s[threadIdx.x] + s[threadIdx.x + 1] + s[threadIdx.x + 2] + s[threadIdx.x + 3];
    __syncwarp();
  }
}
__global__ void race_csr_staged(float *y, const int *ptr, const int *col, const float *v, const float *x, int rows) {
  __shared__ float s[256];
  int lane = threadIdx.x & 31, w = threadIdx.x / 32;
  for (int row = blockIdx.x * 8 + w; row < rows; row += gridDim.x * 8) {
    float sum = 0;
    s[threadIdx.x] = sum;
    __syncwarp();
    if (lane < 16) s[threadIdx.x] += s[threadIdx.x + 16];
    __syncwarp();
    if (lane == 0) y[row] = s[threadIdx.x] + s[threadIdx.x + 1] + s[threadIdx.x + 2] + s[threadIdx.x + 3];
  }
}
template <int N> __device__ void warp_reduce(volatile int *s, int t) {
  if (N >= 64) s[t] += s[t + 32]; __syncwarp();
  if (N >= 32) s[t] += s[t + 16]; __syncwarp();
}
template <int N> __global__ void race_template_reduce(int *o) {
  __shared__ int s[N];
  int t = threadIdx.x;
  s[t] = o[blockIdx.x * N + t];
  __syncthreads();
  if (t < 32) warp_reduce<N>(s, t);
}
template __global__ void race_template_reduce<256>(int *);
__global__ void proved_xor_swizzle(int *o) {
  __shared__ int s[256];
  int t = threadIdx.x, lane = t & 31, w = t >> 5;
  s[w * 32 + (lane ^ (lane >> 1))] = t;
  __syncwarp();
  o[blockIdx.x * 256 + t] = s[w * 32 + ((lane * 5 + 3) & 31)];
}
__global__ void race_xor_swizzle(int *o) {
  __shared__ int s[256];
  int t = threadIdx.x, lane = t & 31, w = t >> 5;
  s[w * 32 + (lane ^ (lane >> 1))] = t;
  __syncwarp();
  o[blockIdx.x * 256 + t] = s[((w * 32) ^ 32) + ((lane * 5 + 3) & 31)];
}
__global__ void proved_leader(int *o, int *count) {
  __shared__ int base[8];
  int lane = threadIdx.x & 31, w = threadIdx.x >> 5;
  if (lane == 0) base[w] = atomicAdd(count, 32);
  __syncwarp();
  int at = base[w] + lane;
  __syncwarp();
  o[blockIdx.x * 256 + threadIdx.x] = at;
}
__global__ void race_leader(int *o, int *count) {
  __shared__ int base[8];
  int lane = threadIdx.x & 31, w = threadIdx.x >> 5;
  if (lane == 0) base[w] = atomicAdd(count, 32);
  int at = base[w] + lane;
  o[blockIdx.x * 256 + threadIdx.x] = at;
}
__global__ void proved_do_while(int *o, int *work, int n) {
  __shared__ int item[8];
  int lane = threadIdx.x & 31, w = threadIdx.x >> 5, mine;
  do {
    if (lane == 0) item[w] = atomicAdd(work, 1);
    __syncwarp();
    mine = item[w];
    __syncwarp();
  } while (__shfl_sync(FULL, mine, 0) < n);
}
