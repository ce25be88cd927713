// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is said about a copy in flight; the rule off; trust.
// REQUIRES: clang
// RUN: %clang_gs -fsyntax-only -Xclang -verify -fplugin-arg-gpusafe-verify %s
// RUN: %exits 1 %gpusafe check --cuda-path=none --verify --rules=-async-copy --no-times %s 2>&1 | FileCheck --check-prefix=OFF %s
#include <gpusafe.h>
#define SHARED(p) ((void __attribute__((address_space(3))) *)(p))
#define GLOBAL(p) ((const void __attribute__((address_space(1))) *)(p))

__global__ void used(float *o, const float *a) {
  __shared__ float s[1024];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __nvvm_cp_async_ca_shared_global_4(SHARED(s + threadIdx.x), GLOBAL(a + i)); // expected-note {{write of 's' is here}}
  __nvvm_cp_async_commit_group();
  o[i] = s[threadIdx.x]; // expected-error {{asynchronous copy in flight: thread (0,0,0) of block 0 reads 's[0]' while its copy of line 13 may still write it, when launched with}} expected-note {{wait first}} expected-note {{read of 's' is here}}
  __nvvm_cp_async_wait_group(0);
}

__global__ void in_flight(float *o, const float *a) {
  __shared__ float s[1024];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __nvvm_cp_async_ca_shared_global_4(SHARED(s + threadIdx.x), GLOBAL(a + i)); // expected-note {{write of 's' is here}}
  __syncthreads();
  o[i] = s[threadIdx.x ^ 1]; // expected-error {{asynchronous copy in flight: 's': thread (0,0,0) of block 0 reads 's[1]' and thread (1,0,0) of block 0 writes it when launched with}} expected-note {{read of 's' is here}} expected-note {{complete the copy before the barrier}}
  __nvvm_cp_async_wait_all();
}

__global__ void forgotten(float *o, const float *a) {
  __shared__ float s[1024];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __nvvm_cp_async_ca_shared_global_4(SHARED(s + threadIdx.x), GLOBAL(a + i)); // expected-error {{asynchronous copy that is never waited for: thread (0,0,0) of block 0 copies to 's[0]', when launched with}} expected-note {{wait for it}}
  __nvvm_cp_async_commit_group();
  o[i] = 1;
}
// OFF: it copies asynchronously, and the rule async-copy is off
