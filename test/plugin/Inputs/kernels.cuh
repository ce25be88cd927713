// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A header that is precompiled, with kernels, declarations and a trusted statement.
#include <gpusafe.h>
constexpr int width = 5;
template <int N> GS_LAUNCH_CONTRACT(n >= 0, block.x == width)
__global__ void from_template(float *p GS_DISJOINT(n * N), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    GS_TRUSTED(data-race, "said in the header") p[i] = N;
}
__global__ void from_header(float *p GS_DISJOINT(n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] = 1;
}
__global__ void only_declared(float *p GS_DISJOINT(n), int n);
