// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops whose trips depend on nothing else: what they leave behind is known.
// REQUIRES: clang
// RUN: %python %S/verdicts.py %s %gpusafe --verify --block=64

#define t threadIdx.x
#define N 128

// Blelloch's scan without a barrier behind: in the last step each thread writes what it reads later.
template <int LAST, bool BARRIER> __device__ void scan(int *out, const int *in, long blocks) {
  __shared__ int s[N];
  for (long b = blockIdx.x; b < blocks; b += gridDim.x) {
    int offset = 1;
    s[2 * t] = in[b * N + 2 * t];
    s[2 * t + 1] = in[b * N + 2 * t + 1];
    for (int d = N >> 1; d > 0; d >>= 1) {
      __syncthreads();
      if (t < d)
        s[offset * (2 * t + 2) - 1] += s[offset * (2 * t + 1) - 1];
      offset *= 2;
    }
    if (t == 0)
      s[N - 1] = 0;
    for (int d = 1; d < LAST; d *= 2) {
      offset >>= 1;
      __syncthreads();
      if (t < d) {
        int i = offset * (2 * t + 1) - 1, j = offset * (2 * t + 2) - 1, x = s[i];
        s[i] = s[j];
        s[j] += x;
      }
    }
    if (BARRIER)
      __syncthreads();
    out[b * N + 2 * t] = s[2 * t];
    out[b * N + 2 * t + 1] = s[2 * t + 1];
  }
}
__global__ void proved_scan(int *out, const int *in, long blocks) { scan<N, false>(out, in, blocks); }
__global__ void proved_scan_barrier(int *out, const int *in, long blocks) { scan<N, true>(out, in, blocks); }
__global__ void refused_scan_short(int *out, const int *in, long blocks) { scan<N / 2, false>(out, in, blocks); }

// Where a counter ends.
__global__ void proved_ends_at(int *o) { int i = 0; for (; i < 10; i += 3) ; o[(blockIdx.x * 64 + t) * 12 + i] = 1; }
__global__ void race_ends_at(int *o) { int i = 0; for (; i < 10; i += 3) ; o[blockIdx.x * 64 + (t & ~1u) * i / 12] = t; }
__global__ void proved_power(int *o) { int m = 1; while (m < 64) m <<= 1; o[blockIdx.x * m + t] = 1; }
__global__ void race_power(int *o) { int m = 1; while (m < 63) m <<= 1; o[blockIdx.x * (m - 1) + t] = t; }
__global__ void proved_halves(int *o) { __shared__ int s[64]; int d = 64; s[t] = t; do { __syncthreads(); if (t < d / 2) s[t] += s[t + d / 2]; d /= 2; } while (d > 1); if (t < d) o[blockIdx.x] = s[t]; }
__global__ void refused_halves(int *o) { __shared__ int s[64]; int d = 64; s[t] = t; do { __syncthreads(); if (t < d / 2) s[t] += s[t + d / 2]; d /= 2; } while (d > 2); if (t < d) o[blockIdx.x] = s[t]; }
// A break that hangs on data makes the end unknown.
__global__ void refused_breaks(int *o, const int *a) { int m = 1; while (m < 64) { if (a[m]) break; m <<= 1; } o[blockIdx.x * m + t] = t; }
