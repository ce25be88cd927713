// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %python %S/verdicts.py %s %gpusafe --verify
// Chunks whose ends are quotients, n*i/s .. n*(i+1)/s, of any sign of n; each with a
// broken twin.

__global__ void proved_constant(float *o) {
  int pos = blockIdx.x * blockDim.x + threadIdx.x, size = blockDim.x * gridDim.x;
  const int n = 6 * 24 * 24;
  for (int i = n * pos / size; i < n * (pos + 1) / size; ++i)
    o[i] += 1;
}
__global__ void race_constant(float *o) {
  int pos = blockIdx.x * blockDim.x + threadIdx.x, size = blockDim.x * gridDim.x;
  const int n = 6 * 24 * 24;
  for (int i = n * pos / size; i <= n * (pos + 1) / size; ++i)
    o[i] += 1;
}
__global__ void proved_symbolic(float *o, int n) {
  int pos = blockIdx.x * blockDim.x + threadIdx.x, size = blockDim.x * gridDim.x;
  for (int i = n * pos / size; i < n * (pos + 1) / size; ++i)
    o[i] += 1;
}
__global__ void race_symbolic(float *o, int n) {
  int pos = blockIdx.x * blockDim.x + threadIdx.x, size = blockDim.x * gridDim.x;
  for (int i = n * pos / size; i < n * (pos + 2) / size; ++i)
    o[i] += 1;
}
__global__ void proved_unsigned(float *o, unsigned n) {
  unsigned pos = blockIdx.x * blockDim.x + threadIdx.x, size = blockDim.x * gridDim.x;
  for (unsigned i = n * pos / size; i < n * (pos + 1) / size; ++i)
    o[i] += 1;
}
__global__ void proved_down(float *o, int n) {
  int pos = blockIdx.x * blockDim.x + threadIdx.x, size = blockDim.x * gridDim.x;
  for (int i = n * (pos + 1) / size - 1; i >= n * pos / size; --i)
    o[i] += 1;
}
__global__ void race_down(float *o, int n) {
  int pos = blockIdx.x * blockDim.x + threadIdx.x, size = blockDim.x * gridDim.x;
  for (int i = n * (pos + 1) / size; i >= n * pos / size; --i)
    o[i] += 1;
}
