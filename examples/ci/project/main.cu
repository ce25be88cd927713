// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels.h"

int main() {
  const int n = 1 << 20;
  float *a, *b;
  if (cudaMalloc(&a, n * sizeof(float)) != cudaSuccess ||
      cudaMalloc(&b, n * sizeof(float)) != cudaSuccess)
    return 1;
  run_scale(b, a, 2.0f, n);
  run_blur(a, b, n);
  run_row_sums(b, a, n / 1024, 1024);
  cudaError_t error = cudaDeviceSynchronize();
  cudaFree(a);
  cudaFree(b);
  return error != cudaSuccess;
}
