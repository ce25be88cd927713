// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %clang_gs -fsyntax-only -ferror-limit=0 -Xclang -verify %s
// RUN: %clang_gs -fsyntax-only -DDUMP -fplugin-arg-gpusafe-off -fplugin-arg-gpusafe-dump %s 2>&1 | FileCheck %s
// Names belong to the declaration that they are written on; redeclarations add to
// what is claimed and may not change it.
#include <gpusafe.h>

#ifdef DUMP
// CHECK: kernel 'renamed'
// CHECK: disjoint param 0: n * m [n = param 1+0:i32, m = param 2+0:i32], at {{.*}}:[[@LINE+5]]:
// CHECK-NOT: disjoint
// CHECK: contract: n > m [n = param 1+0:i32, m = param 2+0:i32], at
// CHECK-NOT: contract
GS_LAUNCH_CONTRACT(n > m)
__global__ void renamed(float *p GS_DISJOINT(n * m), int n, int m);
__global__ void renamed(float *q, int m, int n) { q[threadIdx.x] = 0; }

// CHECK: kernel 'repeated'
// CHECK: disjoint param 0: n [n = param 1+0:i32]
// CHECK-NOT: disjoint
// CHECK: contract: n > 0
// CHECK-NOT: contract
GS_LAUNCH_CONTRACT(n > 0) __global__ void repeated(float *p GS_DISJOINT(n), int n);
GS_LAUNCH_CONTRACT(k > 0) __global__ void repeated(float *p GS_DISJOINT(k), int k) { p[threadIdx.x] = 0; }

// A later declaration may add, and the definition need not be the last.
// CHECK: kernel 'added'
// CHECK: extent param 0: n [n = param 2+0:i32]
// CHECK: disjoint param 1: m [m = param 2+0:i32]
__global__ void added(float *p GS_EXTENT(n), float *q, int n);
__global__ void added(float *p, float *q, int k) { q[threadIdx.x] = p[threadIdx.x]; }
__global__ void added(float *, float *q GS_DISJOINT(m), int m);
#else
__global__ void count(float *p GS_DISJOINT(n), int n, int m); // expected-note {{the earlier one is here}}
__global__ void count(float *p GS_DISJOINT(n), int m, int n); // expected-error {{'disjoint' disagrees with an earlier declaration of 'count'; repeat it or leave it out [gpusafe-contract]}}

__global__ void kind(float *p GS_EXTENT(n), int n, int m); // expected-note {{the earlier one is here}}
__global__ void kind(float *p GS_DISJOINT(m), int n, int m); // expected-error {{'disjoint' disagrees with an earlier declaration of 'kind'; repeat it or leave it out [gpusafe-contract]}}

__global__ void scope(float *p GS_EXCLUSIVE(n), int n); // expected-note {{the earlier one is here}}
__global__ void scope(float *p GS_EXCLUSIVE(n, scope=grid), int n); // expected-error {{'exclusive' disagrees with an earlier declaration of 'scope'; repeat it or leave it out [gpusafe-contract]}}

// Not only with the one before.
__global__ void first(float *p GS_EXTENT(n), float *q, int n); // expected-note {{the earlier one is here}}
__global__ void first(float *p, float *q GS_EXTENT(n), int n);
__global__ void first(float *p GS_EXTENT(n + 1), float *q, int n); // expected-error {{'extent' disagrees with an earlier declaration of 'first'; repeat it or leave it out [gpusafe-contract]}}

GS_LAUNCH_CONTRACT(n > 0) __global__ void contract(int n); // expected-note {{the earlier one is here}}
GS_LAUNCH_CONTRACT(n > 0, block.x == 32) __global__ void contract(int n); // expected-error {{this launch contract disagrees with the one on an earlier declaration of 'contract'; repeat it or leave it out [gpusafe-contract]}}

template <class T> __global__ void pattern(T *p GS_DISJOINT(n), int n, int m); // expected-note {{the earlier one is here}}
template <class U> __global__ void pattern(U *p GS_DISJOINT(m), int n, int m); // expected-error {{'disjoint' disagrees with an earlier declaration of 'pattern'; repeat it or leave it out [gpusafe-contract]}}

// An overload is another kernel.
__global__ void overload(float *p GS_DISJOINT(n), int n);
__global__ void overload(double *p GS_DISJOINT(n + 1), int n);
#endif
