// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %clang_gs -fsyntax-only -Xclang -verify %s
// Clang drops the arguments of scoped attributes that a plugin defines. Without
// arguments they work (accept.cu).
#include <gpusafe.h>

__global__ void k(float *p [[gpusafe::disjoint("n")]], // expected-error {{clang drops the arguments of '[[gpusafe::disjoint(...)]]'; write GS_DISJOINT(count) or __attribute__((gpusafe_disjoint("..."))) [gpusafe-contract]}}
                  float *q [[gpusafe::extent("n")]], // expected-error {{clang drops the arguments of '[[gpusafe::extent(...)]]'; write GS_EXTENT(count) or __attribute__((gpusafe_extent("..."))) [gpusafe-contract]}}
                  float *r [[using gpusafe : exclusive("n")]], // expected-error {{clang drops the arguments of '[[gpusafe::exclusive(...)]]'; write GS_EXCLUSIVE(count, scope=block) or __attribute__((gpusafe_exclusive("..."))) [gpusafe-contract]}}
                  float *s [[gpusafe::extent]], // expected-error {{'extent' takes 1 argument, not 0; write GS_EXTENT(count) [gpusafe-contract]}}
                  int n);
[[gpusafe::launch_contract("n > 0")]] // expected-error {{clang drops the arguments of '[[gpusafe::launch_contract(...)]]'; write GS_LAUNCH_CONTRACT(clause, ...) or __attribute__((gpusafe_launch_contract("..."))) [gpusafe-contract]}}
__global__ void l(int n);
#define OWN(x) [[gpusafe::x]]
__global__ void m(float *p OWN(disjoint("n")), int n); // expected-error {{clang drops the arguments of '[[gpusafe::disjoint(...)]]'; write GS_DISJOINT(count) or __attribute__((gpusafe_disjoint("..."))) [gpusafe-contract]}}
