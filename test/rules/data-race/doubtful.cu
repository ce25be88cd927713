// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %verdicts %s --block=256 | FileCheck %s
// A model that hangs on something abstracted is POSSIBLE and names it: neither proved
// nor called certain. Of a lock it does not.

// CHECK: POSSIBLE written_index {{.*}} data-race
// CHECK-NEXT: a value read from memory that the kernel writes
__global__ void written_index(int *a, int *where) {
  int i = blockIdx.x * 256 + threadIdx.x;
  where[i] = i;
  a[where[i]] = i;
}
// CHECK: POSSIBLE shuffled {{.*}} data-race
// CHECK-NEXT: the result of a warp operation or special register
__global__ void shuffled(int *a) {
  int i = __shfl_xor_sync(~0u, blockIdx.x * 256 + threadIdx.x, 1);
  a[i] = threadIdx.x;
}
// CHECK: POSSIBLE floating {{.*}} data-race
// CHECK-NEXT: a number computed in floating point
__global__ void floating(int *a) {
  int i = (int)((blockIdx.x * 256 + threadIdx.x) * 0.5f);
  a[i] = threadIdx.x;
}

// Which lanes wait is not known.
// CHECK: POSSIBLE warp_barrier {{.*}} data-race
// CHECK-NEXT: whether a barrier that is not modelled
__global__ void warp_barrier(int *a, unsigned lanes) {
  __shared__ int s[256];
  s[threadIdx.x] = threadIdx.x;
  __syncwarp(lanes);
  a[blockIdx.x * 256 + threadIdx.x] = s[threadIdx.x ^ 1];
}
// CHECK: PROVED lock {{.*}}
__global__ void lock(int *sum, int *taken) {
  if (threadIdx.x == 0) {
    while (atomicCAS(taken, 0, 1) != 0) {
    }
    __threadfence();
    *sum += blockIdx.x;
    __threadfence();
    atomicExch(taken, 0);
  }
}
// CHECK: RACE lock_without_fences {{.*}} data-race
__global__ void lock_without_fences(int *sum, int *taken) {
  if (threadIdx.x == 0) {
    while (atomicCAS(taken, 0, 1) != 0) {
    }
    *sum += blockIdx.x;
    atomicExch(taken, 0);
  }
}
// CHECK: POSSIBLE flag {{.*}} data-race
// CHECK-NEXT: whether the fences together with atomic or volatile accesses order the two
__global__ void flag(int *data, volatile int *ready) {
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    data[0] = 5;
    __threadfence();
    *ready = 1;
  } else {
    while (*ready == 0) {
    }
    __threadfence();
    data[blockIdx.x] = data[0];
  }
}
// Volatile orders nothing.
// CHECK: RACE volatile_flag {{.*}} data-race
__global__ void volatile_flag(int *data, volatile int *ready) {
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    data[0] = 5;
    *ready = 1;
  } else {
    while (*ready == 0) {
    }
    data[blockIdx.x] = data[0];
  }
}
// CHECK: 8 kernels: 1 proved, 2 race, 5 possible
