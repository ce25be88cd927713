// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %clang_gs -fsyntax-only -fplugin-arg-gpusafe-verify -Xclang -verify %s
// RUN: %clang_gs -fsyntax-only -fplugin-arg-gpusafe-verify -DLATE -Xclang -verify=late %s
// RUN: not %clang_gs -S -fplugin-arg-gpusafe-verify -fplugin-arg-gpusafe-dump -DLATE %s -o %t.ptx 2>&1 | FileCheck %s
// Where the source has errors clang's own stand alone, and nothing is analysed.
// CHECK-NOT: gpusafe
// CHECK: error: use of undeclared identifier 'nothing'
// CHECK-NOT: gpusafe
#include <gpusafe.h>
struct broken {
#ifndef LATE
  missing field; // expected-error {{unknown type name 'missing'}}
#endif
  int a;
};
__device__ int use(broken b) { return b.a; }
__global__ void racy(int *p GS_DISJOINT(1)) { p[0] = threadIdx.x + use(broken()); }
template <class T> struct templated { static __device__ int f() { return T::value; } };
#ifdef LATE
__global__ void racy_too(int *p GS_DISJOINT(1)) { p[0] = threadIdx.x; }
int after = nothing; // late-error {{use of undeclared identifier 'nothing'}}
#endif
