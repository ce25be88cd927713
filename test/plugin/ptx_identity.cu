// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// The plugin adds descriptors to the PTX of annotated kernels and changes nothing else (and
// nothing at all in that of others:
// ptx_identity_plain.cu).
// RUN: sh %S/Inputs/same_ptx.sh "%clang %s" "%plugin" %t contracts
#ifndef PLAIN
#include <gpusafe.h>
#else
#define GS_LAUNCH_CONTRACT(...)
#define GS_DISJOINT(...)
#define GS_EXTENT(...)
#define GS_TRUSTED(...)
#endif

static inline __device__ float twice(float x) { return x + x; }

GS_LAUNCH_CONTRACT(block.x == 256, n >= 0)
__global__ void vector_add(const float *a GS_EXTENT(n), const float *b GS_EXTENT(n),
                           float *c GS_DISJOINT(n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    GS_TRUSTED(data-race, "each thread has its own element") c[i] = twice(a[i] + b[i]);
}

template <class T, int N> __global__ void fill(T *p GS_DISJOINT(n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] = N;
}
template __global__ void fill<float, 1>(float *, int);
template __global__ void fill<double, 2>(double *, int);

namespace {
__device__ int counter = 3;
struct base { virtual __device__ int f() { return counter; } };
__global__ void in_anonymous_namespace(int *p) { base b; p[blockIdx.x * blockDim.x + threadIdx.x] = b.f(); }
}
static __global__ void internal(int *p) { auto f = [](int x) { return x + 1; }; p[blockIdx.x * blockDim.x + threadIdx.x] = f(3); }
void host(float *p, int *q, int n) {
  vector_add<<<1, 256>>>(p, p, p, n);
  in_anonymous_namespace<<<1, 1>>>(q);
  internal<<<1, 1>>>(q);
}
