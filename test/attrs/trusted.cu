// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %clang_gs -fsyntax-only -Xclang -verify %s
// RUN: %clang_gs -fsyntax-only -DDUMP -fplugin-arg-gpusafe-off -fplugin-arg-gpusafe-dump %s 2>&1 | FileCheck %s
// What a trust covers, and what it may not stand on.
#include <gpusafe.h>

#ifdef DUMP
__device__ void called(int *p) {
  GS_TRUSTED(data-race, "in a callee") *p = 1;
}
__device__ void not_called(int *p) {
  GS_TRUSTED(data-race, "never reached") *p = 1;
}
template <int N> __device__ void instance(int *p) {
  GS_TRUSTED(disjoint, "in an instance") { p[N] = 1; }
}
// CHECK: kernel 'user'
// CHECK: trusted param 0 disjoint (a parameter), at
// CHECK-SAME: trusted.cu:[[@LINE+7]]:
// CHECK: trusted data-race (one store), at {{.*}}:[[@LINE+7]]:3, from {{.*}}:[[@LINE+7]]:43 to {{.*}}:[[@LINE+7]]:60
// CHECK: trusted data-race (in a callee), at
// CHECK: trusted disjoint (in an instance), at
// CHECK-NOT: never reached
// CHECK: kernel 'other'
// CHECK-NOT: {{^}}  trusted
__global__ void user(int *p GS_TRUSTED(disjoint, "a parameter")) {
  GS_TRUSTED(data-race, "one store")      p[threadIdx.x] = 1;
  called(p + threadIdx.x);
  instance<3>(p);
}
__global__ void other(int *p) { p[0] + 1; }
#else
__global__ void rules(int *p GS_TRUSTED(data-rce, "x"), // expected-error {{no rule 'data-rce' to trust; there are data-race, disjoint, exclusive, out-of-bounds, }}
                      int *q __attribute__((trusted(data_race, "x")))); // expected-error {{no rule 'data_race' to trust; there are data-race, disjoint, exclusive, out-of-bounds, }}

void host(int *p) {
  GS_TRUSTED(data-race, "x") *p = 1; // expected-error {{'trusted' in a function that does not run on the device means nothing [gpusafe-contract]}}
}

__global__ void empty(int *p) {
  GS_TRUSTED(data-race, "x"); // expected-error {{'trusted' on an empty statement means nothing; put it before the statement that it is about [gpusafe-contract]}}
}

#define STORE(p) GS_TRUSTED(data-race, "x") p = 1
__global__ void macro(int *p) {
  STORE(p[0]); // expected-error {{a trusted statement inside a macro covers every use of the macro at once; write GS_TRUSTED(rule, "reason") outside of it [gpusafe-contract]}}
}
#endif
