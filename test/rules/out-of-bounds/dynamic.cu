// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %python %source/test/kernels/verdicts.py %s %gpusafe --verify
// Dynamic shared memory against what the contract, or a launch in the source, gives.
#include <gpusafe.h>

GS_LAUNCH_CONTRACT(dynamic_smem >= block.x * sizeof(float))
__global__ void proved_line(float *o) {
  extern __shared__ float s[];
  s[threadIdx.x] = 1;
}
GS_LAUNCH_CONTRACT(dynamic_smem >= block.x)
__global__ void race_line(float *o) {
  extern __shared__ float s[];
  s[threadIdx.x] = 1;
}
GS_LAUNCH_CONTRACT(block.x == 128, dynamic_smem == 512)
__global__ void proved_number(float *o) {
  extern __shared__ float s[];
  s[127 - threadIdx.x] = 1;
}
GS_LAUNCH_CONTRACT(block.x == 128, dynamic_smem == 511)
__global__ void race_number(float *o) {
  extern __shared__ float s[];
  s[127 - threadIdx.x] = 1;
}
GS_LAUNCH_CONTRACT(block.x == 128, dynamic_smem == 512)
__global__ void race_below(float *o) {
  extern __shared__ float s[];
  s[(int)threadIdx.x - 1] = 1;
}
// Without a number, what is below it still is outside.
__global__ void race_below_any(float *o) {
  extern __shared__ float s[];
  s[(int)threadIdx.x - 1] = 1;
}
// Nothing tells the size: an assumption.
__global__ void proved_untold(float *o) {
  extern __shared__ float s[];
  s[threadIdx.x] = 1;
}
// Two arrays in one.
GS_LAUNCH_CONTRACT(n >= 0, dynamic_smem == 8 * n + 4 * n, block.x == n)
__global__ void proved_two(float *o, int n) {
  extern __shared__ char all[];
  double *d = (double *)all;
  float *f = (float *)(d + n);
  d[threadIdx.x] = 1;
  f[threadIdx.x] = 2;
}
GS_LAUNCH_CONTRACT(n >= 0, dynamic_smem == 8 * n, block.x == n)
__global__ void race_two(float *o, int n) {
  extern __shared__ char all[];
  double *d = (double *)all;
  float *f = (float *)(d + n);
  d[threadIdx.x] = 1;
  f[threadIdx.x] = 2;
}
// A vector that straddles the end.
GS_LAUNCH_CONTRACT(block.x == 32, dynamic_smem == 510)
__global__ void race_straddle(float *o) {
  extern __shared__ float4 v[];
  v[threadIdx.x] = make_float4(1, 2, 3, 4);
}
// As launched.
__global__ void proved_launched(int n) {
  extern __shared__ int si[];
  si[threadIdx.x] = n;
}
__global__ void race_launched(int n) {
  extern __shared__ int si[];
  si[threadIdx.x + 1] = n;
}
__global__ void race_launched_bytes(int n) {
  extern __shared__ int si[];
  si[threadIdx.x] = n;
}
void launch(int n, int blocks) {
  proved_launched<<<blocks, 256, 256 * sizeof(int)>>>(n);
  proved_launched<<<blocks, n, n * sizeof(int)>>>(n);
  race_launched<<<blocks, 256, 256 * sizeof(int)>>>(n);
  race_launched_bytes<<<blocks, 256, 256>>>(n);
}
