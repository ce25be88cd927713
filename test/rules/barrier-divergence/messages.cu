// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %clang_gs -fsyntax-only -Xclang -verify -fplugin-arg-gpusafe-rules=barrier-divergence %s
// The words, and threads that return.
#include <gpusafe.h>

// No claim: what is certain is a warning.
__global__ void plain(float *o, const float *a, int n) {
  __shared__ float s[256];
  for (int i = threadIdx.x; i < n; i += blockDim.x) { // expected-note 2 {{the threads leave this loop in different iterations}}
    s[threadIdx.x] = a[i];
    __syncthreads(); // expected-warning {{barrier divergence: thread (0,0,0) of block 0 reaches the barrier and thread}} \
    // expected-note {{let all threads of the block go round the loop equally often}}
    o[i] = s[255 - threadIdx.x];
    __syncthreads(); // expected-warning {{has left the loop before}} expected-note {{round the number of iterations up}}
  }
}

__device__ void wait() {
  __syncthreads(); // expected-error {{barrier divergence: thread (0,0,0) of block 0 reaches the barrier and thread (32,0,0) of block 0 does not, when launched with grid 2, block 64 [gpusafe-barrier-divergence]}} \
  // expected-note {{put the barrier where all threads of the block pass, and only the work under the condition}}
}
GS_LAUNCH_CONTRACT(block.x == 64)
__global__ void claimed(int *o) {
  if (threadIdx.x < 32) // expected-note {{the threads part at this condition}}
    wait(); // expected-note {{the barrier is reached through this call}}
  o[threadIdx.x] = 1;
}

// A return before the barrier is an assumption, unless nothing is assumed.
GS_LAUNCH_CONTRACT(block.x == 64)
__global__ void returned(int *o, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= n)
    return;
  __syncthreads(); // expected-remark {{has returned before, when launched with}} \
  // expected-note {{threads that have returned count as arrived: a listed assumption}} expected-note {{let no thread return before the last barrier}}
  o[i] = 1;
}
GS_LAUNCH_CONTRACT(block.x == 64)
__global__ void stays(int *o, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  __syncthreads();
  if (i >= n)
    return;
  o[i] = 1;
}
// A whole block that returns misses nothing.
GS_LAUNCH_CONTRACT(block.x == 64)
__global__ void block_returned(int *o, int n) {
  if (blockIdx.x * 64 >= n)
    return;
  __syncthreads();
  o[blockIdx.x * 64 + threadIdx.x] = 1;
}

// Both happen: the condition is what is reported.
GS_LAUNCH_CONTRACT(block.x == 64)
__global__ void both(int *o, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= n)
    return;
  if (i & 1) // expected-note {{the threads part at this condition}}
    __syncthreads(); // expected-error {{barrier divergence: thread (1,0,0) of block 0 reaches the barrier and thread (0,0,0) of block 0 does not}} expected-note {{put the barrier where}}
  o[i] = 1;
}

// Vouched for.
GS_TRUSTED(barrier-divergence, "this block has one thread")
GS_LAUNCH_CONTRACT(block.x <= 64)
__global__ void vouched(int *o) {
  if (threadIdx.x < 32)
    __syncthreads();
  o[threadIdx.x] = 1;
}

// A return inside of a loop: the others go on to the next barrier.
GS_LAUNCH_CONTRACT(block.x == 64)
__global__ void returned_inside(int *o, int n) {
  o[blockIdx.x * 64 + threadIdx.x] = n;
  for (int i = 0; i < n; i++) {
    if (threadIdx.x == i) // expected-note {{the threads part at this condition}}
      return;
    __syncthreads(); // expected-error {{reaches the barrier and thread (0,0,0) of block 0 has returned before, when launched with}} expected-note {{let no thread return before the last barrier}}
  }
}
