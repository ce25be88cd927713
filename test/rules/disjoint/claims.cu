// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %clang_gs -fsyntax-only -Xclang -verify %s
// RUN: %verdicts %s | FileCheck %s
// The claim that each thread has its own elements, proved and refuted.
#include <gpusafe.h>

// CHECK: PROVED own
__global__ void own(float *c GS_DISJOINT(n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = i;
}

// CHECK: RACE forgot_block {{.*}} disjoint
// expected-error-re@+2 {{disjointness is broken on 'c': thread ({{[0-9]+}},0,0) of block 0 and thread ({{[0-9]+}},0,0) of block 1 both write 'c[{{[0-9]+}}]' when launched with grid 2, block {{[0-9]+}}, n = {{[0-9]+}} [gpusafe-disjoint]}}
// expected-note@+1 {{the index does not depend on blockIdx, so every block uses the same elements of 'c'; index by block, or use an atomic operation}}
__global__ void forgot_block(float *c GS_DISJOINT(n), int n) {
  int i = threadIdx.x;
  if (i < n)
    c[i] = i; // expected-note {{write of 'c' is here}}
}

// A barrier orders the two, and still both touch the element.
// CHECK: RACE barrier_between {{.*}} disjoint
// expected-error-re@+2 {{disjointness is broken on 'c': thread ({{[0-9]+}},0,0) of block 0 {{writes|reads}} 'c[{{[0-9]+}}]' and thread ({{[0-9]+}},0,0) of block 0 {{writes|reads}} it when launched with grid {{[0-9]+}}, block {{[0-9]+}} [gpusafe-disjoint]}}
// expected-note@+1 {{give each thread its own elements, or use an atomic operation}}
__global__ void barrier_between(int *c GS_DISJOINT(), int *o) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  c[i] = i; // expected-note {{write of 'c' is here}}
  __syncthreads();
  o[i] = c[blockIdx.x * blockDim.x + (blockDim.x - 1 - threadIdx.x)]; // expected-note {{read of 'c' is here}}
}

// Reads alone never break it.
// CHECK: PROVED read_only
__global__ void read_only(const int *c GS_DISJOINT(n), int *o GS_DISJOINT(n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    o[i] = c[0] + c[n - 1];
}
// CHECK: 4 kernels: 2 proved, 2 race
