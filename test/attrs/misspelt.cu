// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %clang_gs -fsyntax-only -Xclang -verify=expected,loud %s
// RUN: %clang_gs -fsyntax-only -Wno-unknown-attributes -Xclang -verify %s
// Clang warns of an unknown attribute and goes on. A misspelt claim is an error.
__global__ void k(float *p __attribute__((gpusafe_disjont("n"))), int n); // loud-warning {{unknown attribute 'gpusafe_disjont' ignored}} expected-error {{unknown attribute 'gpusafe_disjont'; did you mean 'gpusafe_disjoint'? [gpusafe-contract]}}
__global__ void l(float *p [[gpusafe::extend]]); // loud-warning {{unknown attribute 'gpusafe::extend' ignored}} expected-error {{unknown attribute 'gpusafe::extend'; did you mean 'gpusafe::extent'? [gpusafe-contract]}}
__global__ void m(float *p __attribute__((aligned(4), __gpusafe_lunch_contract__))); // loud-warning {{unknown attribute '__gpusafe_lunch_contract__' ignored}} expected-error {{unknown attribute '__gpusafe_lunch_contract__'; did you mean 'gpusafe_launch_contract'? [gpusafe-contract]}}

// A name of the program's own, and what the preprocessor leaves out, are no attributes.
void gpusafe_helper(int);
#if __has_attribute(gpusafe_future)
__global__ void n(float *p __attribute__((gpusafe_future)));
#endif
