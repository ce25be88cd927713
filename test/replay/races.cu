// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %module %s -o %t.ll
// What the shadow finds, whatever the order, and what it must not take for a conflict.

// RUN: %run %t.ll neighbour --block=4 buf:64 | FileCheck %s --check-prefix=NEIGHBOUR
// RUN: %run %t.ll neighbour --block=4 --order=backward buf:64 | FileCheck %s --check-prefix=BACKWARD
// RUN: %run %t.ll neighbour --block=40 --order=random --seed=4 buf:640 | FileCheck %s --check-prefix=RANDOM
// NEIGHBOUR: end: stopped
// NEIGHBOUR-NEXT: race of buffer 0 at byte 4:
// NEIGHBOUR-NEXT: thread 1 of block 0 writes at line [[#@LINE+5]]
// NEIGHBOUR-NEXT: thread 0 of block 0 reads at line [[#@LINE+4]]
// BACKWARD: thread 2 of block 0 reads at line [[#@LINE+3]]
// BACKWARD-NEXT: thread 3 of block 0 writes at line [[#@LINE+2]]
// RANDOM: end: stopped
__global__ void neighbour(int *a) { a[threadIdx.x] = a[threadIdx.x + 1]; }

// RUN: %run %t.ll ordered --block=64 --grid=2 --order=random buf:1024 | FileCheck %s --check-prefix=ORDERED
// ORDERED: end: done
__global__ void ordered(int *a) {
  __shared__ int s[64];
  for (int i = 0; i < 3; i++) {
    s[threadIdx.x] = i;
    __syncthreads();
    a[blockIdx.x * 64 + threadIdx.x] = s[63 - threadIdx.x];
    __syncthreads();
  }
}

// One barrier too few: the next fill meets the last read.
// RUN: %run %t.ll refilled --block=64 --order=random buf:1024 | FileCheck %s --check-prefix=REFILLED
// REFILLED: end: stopped
// REFILLED-NEXT: race of {{.*}}refilled
__global__ void refilled(int *a) {
  __shared__ int s[64];
  for (int i = 0; i < 3; i++) {
    s[threadIdx.x] = i;
    __syncthreads();
    a[threadIdx.x] = s[63 - threadIdx.x];
  }
}

// Shared memory is each block's own; global memory is not, and no barrier orders blocks.
// RUN: %run %t.ll blocks --block=1 --grid=2 buf:8 | FileCheck %s --check-prefix=BLOCKS
// BLOCKS: race of buffer 0 at byte 0:
// BLOCKS-NEXT: thread 0 of block 1 writes
// BLOCKS-NEXT: thread 0 of block 0 writes
__global__ void blocks(int *a) {
  __shared__ int s;
  s = 1;
  __syncthreads();
  a[0] = s;
}

// RUN: %run %t.ll scopes --block=2 --grid=1 buf:8 | FileCheck %s --check-prefix=SCOPE1
// RUN: %run %t.ll scopes --block=2 --grid=2 buf:8 | FileCheck %s --check-prefix=SCOPE2
// SCOPE1: end: done
// SCOPE2: race of buffer 0
// SCOPE2-NEXT: thread 0 of block 1 atomically writes
__global__ void scopes(int *a) { atomicAdd_block(a, 1); }

// RUN: %run %t.ll mixed --block=2 buf:8 | FileCheck %s --check-prefix=MIXED
// MIXED: race of buffer 0
__global__ void mixed(int *a) {
  atomicAdd(a, 1);
  if (a[0] < 0)
    a[1] = 1;
}

// Bytes, not elements.
// RUN: %run %t.ll bytes --block=8 buf:8 | FileCheck %s --check-prefix=BYTES
// RUN: %run %t.ll halves --block=8 buf:64 | FileCheck %s --check-prefix=HALVES
// BYTES: end: done
// HALVES: race of buffer 0 at byte 2:
__global__ void bytes(char *a) { a[threadIdx.x] = 1; }
__global__ void halves(short *a) { *(int *)(a + threadIdx.x) = 1; }

// RUN: %run %t.ll warps --block=64 buf:256 | FileCheck %s --check-prefix=WARPS
// RUN: %run %t.ll apart --block=64 buf:256 | FileCheck %s --check-prefix=APART
// WARPS: end: done
// APART: race of {{.*}}apart
__global__ void warps(int *a) {
  __shared__ int s[64];
  s[threadIdx.x] = 1;
  __syncwarp();
  a[threadIdx.x] = s[threadIdx.x ^ 31];
}
__global__ void apart(int *a) {
  __shared__ int s[64];
  s[threadIdx.x] = 1;
  __syncwarp();
  a[threadIdx.x] = s[threadIdx.x ^ 32];
}

// RUN: %run %t.ll outside --block=9 buf:64 | FileCheck %s --check-prefix=OUTSIDE
// OUTSIDE: end: out of bounds
// OUTSIDE-NEXT: outside of {{.*}}outside
// OUTSIDE-NEXT: thread 8 of block 0 writes at line [[#@LINE+3]]
__global__ void outside(int *a) {
  __shared__ int s[8];
  s[threadIdx.x] = 1;
}

// RUN: %run %t.ll diverged --block=4 buf:64 | FileCheck %s --check-prefix=DIVERGED
// DIVERGED: end: diverged
__global__ void diverged(int *a) {
  if (threadIdx.x == 1)
    __syncthreads();
  else
    __syncthreads();
}

// A thread that has returned counts as arrived.
// RUN: %run %t.ll returned --block=4 --show=4 buf:64 | FileCheck %s --check-prefix=RETURNED
// RETURNED: end: done
// RETURNED: buffer 0: 3 3 3 3
__global__ void returned(int *a) {
  a[threadIdx.x] = 3;
  if (threadIdx.x == 3)
    return;
  int k = __syncthreads_count(threadIdx.x < 9);
  a[threadIdx.x] = k;
}

// RUN: %run %t.ll stuck --block=32 buf:64 | FileCheck %s --check-prefix=STUCK
// STUCK: end: stuck
__global__ void stuck(int *a) {
  if (threadIdx.x < 16)
    __syncwarp();
  else
    __syncthreads();
}
