// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// The identity of a proof: the same in the report, in the module and in the host object;
// the same when nothing changes that the proof is about, and another one when something does.
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s k.cu && cp %S/Inputs/identity.py .
// RUN: %clang_gs -S -O2 k.cu -o k.ptx -fplugin-arg-gpusafe-report=k.json
// RUN: env PATH=%source/test/runtime/Inputs/bin:$PATH %clang_launches k.cu -o k.s
// RUN: %python identity.py same k.json k.ptx k.s
//
// Other levels of optimisation, a moved source, other kernels, and what is asked besides.
// RUN: %clang_gs -fsyntax-only -O0 k.cu -fplugin-arg-gpusafe-report=level.json
// RUN: (echo; echo; cat k.cu) > moved.cu && %clang_gs -fsyntax-only moved.cu -fplugin-arg-gpusafe-report=moved.json
// RUN: %clang_gs -fsyntax-only -DMORE k.cu -fplugin-arg-gpusafe-report=more.json
// RUN: %clang_gs -fsyntax-only k.cu -fplugin-arg-gpusafe-verify -fplugin-arg-gpusafe-report=verify.json
// RUN: %python identity.py equal k.json level.json moved.json more.json verify.json
//
// Code, contract, claim, target, options.
// RUN: %clang_gs -fsyntax-only -DVALUE=2.0f k.cu -fplugin-arg-gpusafe-report=code.json
// RUN: %clang_gs -fsyntax-only -DLEAST=1 k.cu -fplugin-arg-gpusafe-report=clause.json
// RUN: %clang_gs -fsyntax-only -DCOUNT=n+0 k.cu -fplugin-arg-gpusafe-report=count.json
// RUN: %clang_gs -fsyntax-only --no-cuda-gpu-arch=sm_90 --cuda-gpu-arch=sm_80 k.cu -fplugin-arg-gpusafe-report=target.json
// RUN: %clang_gs -fsyntax-only k.cu -fplugin-arg-gpusafe-rules=-out-of-bounds -fplugin-arg-gpusafe-report=rules.json
// RUN: %clang_gs -fsyntax-only k.cu -fplugin-arg-gpusafe-same-value=off -fplugin-arg-gpusafe-report=value.json
// RUN: %python identity.py different k.json code.json clause.json count.json target.json rules.json value.json
#include <gpusafe.h>
#ifndef VALUE
#define VALUE 1.0f
#endif
#ifndef LEAST
#define LEAST 0
#endif
#ifndef COUNT
#define COUNT n
#endif
#ifdef MORE
__device__ int another[64];
template <int I> __global__ void more(float *p) { __shared__ float s[I]; s[threadIdx.x] = p[I]; another[I] = 1; }
template __global__ void more<7>(float *);
#endif
struct pair { float a, b; };
GS_LAUNCH_CONTRACT(n >= LEAST)
__global__ void k(pair *p GS_DISJOINT(COUNT), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i].b = VALUE;
}
