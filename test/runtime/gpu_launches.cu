// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang, cuda
// UNSUPPORTED: sanitized
// Every launch form of the toolkit's headers, with its static runtime: built here, and run
// by hand on a machine with a GPU, where its last line must be "0 failures".
// RUN: %clang_toolkit -fplugin=%plugin -O2 -c %s -o %t.o 2>&1 | count 0
// RUN: llvm-nm -u %t.o | FileCheck --check-prefix=HOOKS --implicit-check-not=' cudaLaunch' --implicit-check-not=' cudaGetKernel' %s
// RUN: %clang_link %t.o %build/runtime/libgpusafe_cuda.a %build/runtime/libgpusafe_rt.a -L%toolkit/lib64 -lcudart_static -lpthread -ldl -lrt -o %t
// HOOKS-DAG: gsrt_cudaGetKernel
// HOOKS-DAG: gsrt_cudaLaunchCooperativeKernel{{$}}
// HOOKS-DAG: gsrt_cudaLaunchKernel{{$}}
// HOOKS-DAG: gsrt_cudaLaunchKernelExC{{$}}
//
// The same with a default stream for each thread.
// RUN: %clang_toolkit -fplugin=%plugin -DCUDA_API_PER_THREAD_DEFAULT_STREAM -O0 -c %s -o %t.o 2>&1 | count 0
// RUN: llvm-nm -u %t.o | FileCheck --check-prefix=STREAMS --implicit-check-not=' cudaLaunch' %s
// STREAMS-DAG: gsrt_cudaLaunchCooperativeKernel_ptsz
// STREAMS-DAG: gsrt_cudaLaunchKernelExC_ptsz
// STREAMS-DAG: gsrt_cudaLaunchKernel_ptsz
#include <cstdio>
#include <gpusafe.h>

GS_LAUNCH_CONTRACT(grid.x * block.x >= n, n >= 0)
__global__ void vector_add(const float *a GS_EXTENT(n), const float *b GS_EXTENT(n),
                           float *c GS_DISJOINT(n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}
template <class T>
GS_LAUNCH_CONTRACT(grid.x * block.x >= n, n >= 0)
__global__ void fill(T *p GS_DISJOINT(n), T v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] = v;
}
__global__ void free_one(int *p) { *p = 5; }

static int failures;
static void expect(const char *what, cudaError_t wanted) {
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess)
    error = cudaDeviceSynchronize();
  bool good = (error == cudaSuccess) == (wanted == cudaSuccess);
  printf("%s %s: %s\n", good ? "ok" : "FAILED", what, cudaGetErrorName(error));
  failures += !good;
}
static const cudaError_t Refused = cudaErrorInvalidValue;

const int n = 1000;
static float *a, *b, *c;
static volatile int two = 2, four = 4; // compile-time checks do not see through them

static void chevrons() {
  float host[n];
  fill<<<four, 256>>>(a, 1.0f, n);
  fill<<<four, 256>>>(b, 2.0f, n);
  vector_add<<<four, 256>>>(a, b, c, n);
  expect("good", cudaSuccess);
  cudaMemcpy(host, c, sizeof host, cudaMemcpyDeviceToHost);
  for (float x : host)
    failures += x != 3.0f;
  vector_add<<<two, 256>>>(a, b, c, n);
  expect("too few threads", Refused);
  vector_add<<<four, 512>>>(a, b, c + 1, n);
  expect("past the end", Refused);
  vector_add<<<four, 256>>>(a, b, a, n);
  expect("overlap", Refused);
  vector_add<<<four * 4, dim3(128, two)>>>(a, b, c, n);
  expect("axis", Refused);
  vector_add<<<four, 256>>>(a, host, c, n);
  expect("host pointer", Refused);
}

static void functions() {
  void *args[] = {&a, &b, &c, (void *)&n};
  const void *kernel = (const void *)vector_add;
  cudaLaunchKernel(kernel, dim3(four), dim3(256), args, 0, 0);
  expect("cudaLaunchKernel", cudaSuccess);
  cudaLaunchKernel(kernel, dim3(two), dim3(256), args, 0, 0);
  expect("cudaLaunchKernel, bad", Refused);
  cudaLaunchCooperativeKernel(kernel, dim3(four), dim3(256), args, 0, 0);
  expect("cooperative", cudaSuccess);
  cudaLaunchCooperativeKernel(kernel, dim3(two), dim3(256), args, 0, 0);
  expect("cooperative, bad", Refused);
  cudaLaunchConfig_t config = {};
  config.gridDim = four;
  config.blockDim = 256;
  cudaLaunchKernelEx(&config, vector_add, (const float *)a, (const float *)b, c, int(n));
  expect("cudaLaunchKernelEx", cudaSuccess);
  config.gridDim = two;
  cudaLaunchKernelEx(&config, vector_add, (const float *)a, (const float *)b, c, int(n));
  expect("cudaLaunchKernelEx, bad", Refused);
  cudaKernel_t handle;
  cudaGetKernel(&handle, kernel);
  cudaLaunchKernel((const void *)handle, dim3(four), dim3(256), args, 0, 0);
  expect("handle", cudaSuccess);
  cudaLaunchKernel((const void *)handle, dim3(two), dim3(256), args, 0, 0);
  expect("handle, bad", Refused);
}

static void captures() {
  cudaStream_t s;
  cudaGraph_t graph;
  cudaStreamCreate(&s);
  for (int blocks : {int(four), int(two)}) {
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    vector_add<<<blocks, 256, 0, s>>>(a, b, c, n);
    cudaGetLastError();
    bool captured = cudaStreamEndCapture(s, &graph) == cudaSuccess;
    printf("%s capture of %d blocks\n", captured == (blocks == four) ? "ok" : "FAILED", blocks);
    failures += captured != (blocks == four);
  }
  cudaGetLastError();
}

int main() {
  int *q;
  cudaMalloc(&a, n * sizeof *a);
  cudaMalloc(&b, n * sizeof *b);
  cudaMalloc(&c, n * sizeof *c);
  cudaMalloc(&q, sizeof *q);
  chevrons();
  free_one<<<1, 1>>>(q);
  expect("no contract", cudaSuccess);
  functions();
  captures();
  printf("%d failures\n", failures);
  return failures != 0;
}
