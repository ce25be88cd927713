// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %python %S/verdicts.py %s %gpusafe --verify --block=16x16
// Tiles of 16 x 16.

__global__ void proved_matmul(const float *A, const float *B, float *C, int n) {
  __shared__ float As[16][16], Bs[16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  float acc = 0;
  for (int m = 0; m < (n + 15) / 16; m++) {
    As[ty][tx] = row < n && m * 16 + tx < n ? A[row * n + m * 16 + tx] : 0;
    Bs[ty][tx] = col < n && m * 16 + ty < n ? B[(m * 16 + ty) * n + col] : 0;
    __syncthreads();
    for (int k = 0; k < 16; k++) acc += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  if (row < n && col < n) C[row * n + col] = acc;
}
__global__ void race_matmul(const float *A, const float *B, float *C, int n) {
  __shared__ float As[16][16], Bs[16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  float acc = 0;
  for (int m = 0; m < n / 16; m++) {
    As[ty][tx] = A[row * n + m * 16 + tx];
    Bs[ty][tx] = B[(m * 16 + ty) * n + col];
    __syncthreads();
    for (int k = 0; k < 16; k++) acc += As[ty][k] * Bs[k][tx];
  }
  if (row < n && col < n) C[row * n + col] = acc;
}
