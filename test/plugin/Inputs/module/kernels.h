// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <gpusafe_cuda_min.h>
#include <gpusafe.h>
template <int N> __global__ void in_module(float *p GS_DISJOINT(n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] = N;
}
#ifdef WRONG
__global__ void wrong(float *p GS_DISJOINT(m), int n);
#endif
