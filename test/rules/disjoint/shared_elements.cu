// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %clang_gs -fsyntax-only -Xclang -verify %s
// RUN: %verdicts %s | FileCheck %s
// Elements that threads share in turns or by atomics break the claim; the same kernels
// without it have no data race.
#include <gpusafe.h>

// CHECK: RACE counted {{.*}} disjoint
// expected-error-re@+3 {{disjointness is broken on 'c': thread (0,0,0) of block 0 updates atomically 'c[{{[0-9]+}}]' and thread ({{[0-9]+}},0,0) of block {{[0-9]+}} updates atomically it when launched with grid {{[0-9]+}}, block 32{{.*}} [gpusafe-disjoint]}}
// expected-note@+2 0+ {{}}
GS_LAUNCH_CONTRACT(block.x == 32)
__global__ void counted(int *c GS_DISJOINT(), const int *key) {
  atomicAdd(&c[key[threadIdx.x]], 1); // expected-note {{called from here}} expected-note@*:* {{atomic write of 'c' is here}}
}
// CHECK: PROVED counted_plain
__global__ void counted_plain(int *c, const int *key) { atomicAdd(&c[key[threadIdx.x]], 1); }

// CHECK: RACE in_turns {{.*}} disjoint
// expected-error@+3 {{disjointness is broken on 'c'}}
// expected-note@+2 0+ {{}}
GS_LAUNCH_CONTRACT(block.x == 32)
__global__ void in_turns(int *c GS_DISJOINT()) {
  int t = threadIdx.x, base = blockIdx.x * 32;
  c[base + t] = t; // expected-note 0-2 {{is here}}
  __syncthreads();
  c[base + 31 - t] += 1; // expected-note 0-2 {{is here}}
}
// CHECK: PROVED in_turns_plain
GS_LAUNCH_CONTRACT(block.x == 32)
__global__ void in_turns_plain(int *c) {
  int t = threadIdx.x, base = blockIdx.x * 32;
  c[base + t] = t;
  __syncthreads();
  c[base + 31 - t] += 1;
}

// One finding: what breaks the claim is not reported as a data race as well.
// CHECK: RACE once {{.*}} disjoint assumes
// expected-error@+2 {{disjointness is broken on 'c'}}
// expected-note@+1 0+ {{}}
__global__ void once(int *c GS_DISJOINT()) { c[0] = threadIdx.x; } // expected-note 0-2 {{is here}}

// CHECK: PROVED exclusive
__global__ void exclusive(int *c GS_EXCLUSIVE(n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = 1;
}
