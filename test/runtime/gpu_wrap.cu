// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Kernels that nvcc compiled, with the static CUDA runtime: linked with --wrap and a
/// contract as C (block.x == 64), they are checked, and cudaGetLastError tells.
#include "gpusafe_rt.h"

#include <cstdio>
#include <cuda_runtime.h>

struct P {
  int width, pad;
  void *map;
};

extern "C" __global__ void k(const float *a, float *c, int n, P p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = 2 * a[i];
}

template <int N> __global__ void plain(float *c) { c[threadIdx.x] = N; }

static int failures, violations;

static void seen(void *, const gsrt_violation *v) {
  violations++;
  printf("  %s\n", v->message);
}

static void expect(const char *what, cudaError_t got, bool success) {
  printf("%s: %s, %d reported\n", what, cudaGetErrorName(got), violations);
  failures += (got == cudaSuccess) != success || violations != (success ? 0 : 1);
  violations = 0;
}

int main() {
  float *a, *c, out[64];
  gsrt_set_callback(seen, nullptr);
  if (cudaMalloc(&a, 256) != cudaSuccess || cudaMalloc(&c, 256) != cudaSuccess)
    return 2;
  cudaMemset(a, 0, 256);
  k<<<1, 64>>>(a, c, 64, P());
  expect("right", cudaGetLastError(), true);
  k<<<1, 32>>>(a, c, 64, P());
  expect("wrong block", cudaGetLastError(), false);
  expect("afterwards", cudaGetLastError(), true);
  plain<7><<<1, 64>>>(c);
  expect("without a contract", cudaGetLastError(), true);
  int n = 64;
  P p = P();
  void *args[] = {&a, &c, &n, &p};
  expect("cudaLaunchKernel", cudaLaunchKernel((const void *)k, dim3(1), dim3(65), args, 0, 0),
         false);
  cudaGetLastError();
  expect("cooperative",
         cudaLaunchCooperativeKernel((const void *)k, dim3(1), dim3(65), args, 0, 0),
         false);
  cudaGetLastError();
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(1);
  config.blockDim = dim3(65);
  expect("cudaLaunchKernelExC", cudaLaunchKernelExC(&config, (const void *)k, args),
         false);
  cudaGetLastError();
  config.blockDim = dim3(64);
  expect("cudaLaunchKernelEx", cudaLaunchKernelEx(&config, k, (const float *)a, c, n, p),
         true);
  // A refused launch in a capture must not give a graph with a kernel missing.
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  k<<<1, 64, 0, stream>>>(a, c, 64, P());
  expect("captured", cudaGetLastError(), true);
  k<<<1, 63, 0, stream>>>(a, c, 64, P());
  expect("captured, wrong", cudaGetLastError(), false);
  cudaError_t end = cudaStreamEndCapture(stream, &graph);
  printf("end of capture: %s\n", cudaGetErrorName(end));
  failures += end != cudaErrorStreamCaptureInvalidated;
  if (cudaMemcpy(out, c, 256, cudaMemcpyDeviceToHost) != cudaSuccess)
    return 1;
  return failures != 0;
}
