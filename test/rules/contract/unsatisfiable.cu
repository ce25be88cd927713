// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %clang_gs -fsyntax-only -Xclang -verify %s
// RUN: %verdicts %s | FileCheck %s
// Contracts that no launch can satisfy prove nothing.
#include <gpusafe.h>

// CHECK: INVALID too_many_threads {{.*}} contract
// expected-error@+1 {{no launch can satisfy this contract: its clauses contradict each other or the limits of the device (1,024 threads per block, grid.y and grid.z up to 65,535), so a proof would say nothing [gpusafe-contract]}}
GS_LAUNCH_CONTRACT(block.x == 2048)
__global__ void too_many_threads(int *p GS_DISJOINT()) { p[0] = threadIdx.x; }

// CHECK: INVALID product {{.*}} contract
// expected-error@+1 {{no launch can satisfy this contract}}
GS_LAUNCH_CONTRACT(block == dim(64, 32))
__global__ void product(int *p GS_DISJOINT()) { p[0] = threadIdx.x + threadIdx.y; }

// CHECK: INVALID contradiction {{.*}} contract
// expected-error@+2 {{no launch can satisfy this contract}}
// expected-note@+1 {{'n < 5' cannot hold together with the clauses before it}}
GS_LAUNCH_CONTRACT(n > 10, block.x == 32, n < 5)
__global__ void contradiction(int *p GS_DISJOINT(n), int n) { p[0] = threadIdx.x; }

// The same clauses without the contradiction: now the claim is what is wrong.
// CHECK: RACE satisfiable {{.*}} disjoint
// expected-error@+3 {{disjointness is broken on 'p'}}
// expected-note@+2 0+ {{}}
GS_LAUNCH_CONTRACT(n > 2, block.x == 32, n < 5)
__global__ void satisfiable(int *p GS_DISJOINT(n), int n) { p[0] = threadIdx.x; }

// CHECK: PROVED rare
GS_LAUNCH_CONTRACT(block.x == 77, grid.x == 13, n == 1001)
__global__ void rare(int *p GS_DISJOINT(n), int n) { p[blockIdx.x * 77 + threadIdx.x] = 1; }
// CHECK: 5 kernels: 1 proved, 1 race, 3 invalid
