// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %clang_gs -fsyntax-only -Xclang -verify %s
// Two attributes of one parameter that cannot both be meant.
#include <gpusafe.h>

__global__ void counts(float *p GS_DISJOINT(n) // expected-note {{the other one is here}}
                                GS_DISJOINT(m), // expected-error {{'disjoint' contradicts 'disjoint' on the same parameter; keep one count [gpusafe-contract]}}
                       float *q GS_DISJOINT(n) // expected-note {{the other one is here}}
                                GS_EXTENT(m), // expected-error {{'extent' contradicts 'disjoint' on the same parameter; keep one count [gpusafe-contract]}}
                       float *r GS_EXCLUSIVE(n, scope=warp) // expected-note {{the other one is here}}
                                GS_EXCLUSIVE(n, scope=block), // expected-error {{'exclusive' contradicts 'exclusive' on the same parameter; keep one count and one scope [gpusafe-contract]}}
                       int n, int m);

__global__ void fine(float *p GS_DISJOINT() GS_EXTENT(n), float *q GS_DISJOINT(n) GS_EXTENT( n ),
                     float *r GS_EXTENT(n) GS_EXCLUSIVE(n, scope=warp), int n);
