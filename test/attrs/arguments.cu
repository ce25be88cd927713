// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %clang_gs -fsyntax-only -ferror-limit=0 -Xclang -verify %s
// The number and the form of arguments.
#include <gpusafe.h>

__global__ void counts(float *a GS_DISJOINT(n, m), // expected-error {{'disjoint' takes at most 1 argument, not 2; write GS_DISJOINT(count) [gpusafe-contract]}}
                       float *b GS_EXTENT(), // expected-error {{'extent' takes 1 argument, not 0; write GS_EXTENT(count) [gpusafe-contract]}}
                       float *c __attribute__((gpusafe_extent)), // expected-error {{'extent' takes 1 argument, not 0; write GS_EXTENT(count) [gpusafe-contract]}}
                       float *d __attribute__((gpusafe_extent("n", "m"))), // expected-error {{'extent' takes 1 argument, not 2; write GS_EXTENT(count) [gpusafe-contract]}}
                       float *e GS_EXCLUSIVE(n, scope=warp, m), // expected-error {{'exclusive' takes at most 2 arguments, not 3; write GS_EXCLUSIVE(count, scope=block) [gpusafe-contract]}}
                       float *f GS_EXCLUSIVE(n, m), // expected-error {{a second count; write GS_EXCLUSIVE(count, scope=block) [gpusafe-contract]}}
                       float *g GS_EXCLUSIVE(n, scope=wrap), // expected-error {{no scope 'wrap'; there are warp, block, cluster and grid [gpusafe-contract]}}
                       float *h __attribute__((trusted("data-race"))), // expected-error {{'trusted' takes 2 arguments, not 1; write GS_TRUSTED(rule, "reason") [gpusafe-contract]}}
                       float *i GS_TRUSTED(data-race, ""), // expected-error {{a trust needs a reason: say why 'data-race' holds here [gpusafe-contract]}}
                       float *j __attribute__((disjoint(L"n"))), // expected-error {{'disjoint' takes an ordinary string literal [gpusafe-contract]}}
                       float *k GS_DISJOINT(1.5f), // expected-error {{contracts compute with integers; a floating-point number has no meaning here [gpusafe-contract]}}
                       int n, int m);

GS_LAUNCH_CONTRACT() // expected-error {{'launch_contract' takes at least 1 argument, not 0; write GS_LAUNCH_CONTRACT(clause, ...) [gpusafe-contract]}}
__global__ void no_clause(int n);

// Each clause is checked; one that is malformed hides no other.
GS_LAUNCH_CONTRACT(n >, n > 0, n ++ m, n = 1)
__global__ void malformed(int n, int m);
// expected-error@-2 {{the clause ends where a value is expected [gpusafe-contract]}}
// expected-error@-3 {{'++' and '--' change a value; a contract only reads [gpusafe-contract]}}
// expected-error@-4 {{'=' assigns; write '==' to compare [gpusafe-contract]}}
