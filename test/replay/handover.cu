// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %module %s -o %t.ll
// What blocks hand over to each other by a fence of the device and a counter.
#define t threadIdx.x

// RUN: %run %t.ll last --grid=4 --block=64 --order=random buf:1024 buf:1024 buf:4 | FileCheck %s --check-prefix=DONE
// RUN: %run %t.ll last_of_all --grid=4 --block=64 --order=random buf:1024 buf:1024 buf:4 | FileCheck %s --check-prefix=DONE
// RUN: %run %t.ll last_one --grid=4 --block=64 --order=random buf:1024 buf:1024 buf:4 | FileCheck %s --check-prefix=DONE
// RUN: %run %t.ll last_by_asm --grid=4 --block=64 --order=random buf:1024 buf:1024 buf:4 | FileCheck %s --check-prefix=DONE
// RUN: %run %t.ll last_warp --grid=4 --block=32 --order=random buf:1024 buf:1024 buf:4 | FileCheck %s --check-prefix=DONE
// RUN: %run %t.ll last_resets --grid=4 --block=64 --order=random buf:1024 buf:1024 buf:4 | FileCheck %s --check-prefix=DONE
// DONE: end: done
__global__ void last(float *part, float *out, unsigned *count) {
  __shared__ bool last;
  if (t == 0) {
    part[blockIdx.x] = 1;
    __threadfence();
    last = atomicAdd(count, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (last)
    out[t] = part[t % gridDim.x];
}
__global__ void last_of_all(float *part, float *out, unsigned *count) {
  __shared__ bool last;
  part[blockIdx.x * blockDim.x + t] = 1;
  __threadfence();
  __syncthreads();
  if (t == 0)
    last = atomicAdd(count, 1u) == gridDim.x - 1;
  __syncthreads();
  for (unsigned i = t; last && i < gridDim.x * blockDim.x; i += blockDim.x)
    out[i] = part[i];
}
__global__ void last_resets(float *part, float *out, unsigned *count) {
  if (t == 0 && atomicInc(count, gridDim.x) == gridDim.x - 1)
    *count = 0;
  __threadfence();
}
__global__ void resets(float *part, float *out, unsigned *count) {
  if (t == 0 && atomicInc(count, gridDim.x) == gridDim.x - 2)
    *count = 0;
  __threadfence();
}
__global__ void last_one(float *part, float *out, unsigned *count) {
  part[blockIdx.x * blockDim.x + t] = 1;
  __syncthreads();
  if (t)
    return;
  __threadfence();
  if (atomicInc(count, gridDim.x) == gridDim.x - 1)
    for (unsigned i = 0; i < gridDim.x * blockDim.x; i++)
      out[i] = part[i];
}
__global__ void last_by_asm(float *part, float *out, unsigned *count) {
  if (t)
    return;
  part[blockIdx.x] = 1;
  asm volatile("fence.acq_rel.gpu;" ::: "memory");
  if (atomicAdd(count, 1u) == gridDim.x - 1)
    out[0] = part[0];
}
__global__ void last_warp(float *part, float *out, unsigned *count) {
  unsigned ticket = 0;
  if (t == 0) {
    part[blockIdx.x] = 1;
    __threadfence();
    ticket = atomicAdd(count, 1u);
  }
  __syncwarp();
  ticket = __shfl_sync(0xffffffffu, ticket, 0);
  if (ticket == gridDim.x - 1)
    out[t] = part[t % gridDim.x];
}

// RUN: %run %t.ll no_fence --grid=4 --block=64 buf:1024 buf:1024 buf:4 | FileCheck %s --check-prefix=MEET
// RUN: %run %t.ll block_fence --grid=4 --block=64 buf:1024 buf:1024 buf:4 | FileCheck %s --check-prefix=MEET
// RUN: %run %t.ll early_fence --grid=4 --block=64 buf:1024 buf:1024 buf:4 | FileCheck %s --check-prefix=MEET
// RUN: %run %t.ll late_fence --grid=4 --block=64 buf:1024 buf:1024 buf:4 | FileCheck %s --check-prefix=MEET
// RUN: %run %t.ll no_barrier --grid=4 --block=64 buf:1024 buf:1024 buf:4 | FileCheck %s --check-prefix=MEET
// RUN: %run %t.ll one_early --grid=4 --block=64 buf:1024 buf:1024 buf:4 | FileCheck %s --check-prefix=MEET
// RUN: %run %t.ll other_counter --grid=4 --block=64 buf:1024 buf:1024 buf:16 | FileCheck %s --check-prefix=MEET
// RUN: %run %t.ll block_counter --grid=4 --block=64 buf:1024 buf:1024 buf:16 | FileCheck %s --check-prefix=MEET
// RUN: %run %t.ll no_barrier_behind --grid=4 --block=64 buf:1024 buf:1024 buf:16 | FileCheck %s --check-prefix=MEET
// RUN: %run %t.ll overwritten --grid=4 --block=64 buf:1024 buf:1024 buf:16 | FileCheck %s --check-prefix=MEET
// RUN: %run %t.ll resets --grid=4 --block=64 buf:1024 buf:1024 buf:16 | FileCheck %s --check-prefix=MEET
// MEET: race of
#define LAST(NAME, BEFORE, BEHIND, COUNTER, WHEN)                                                                      \
  __global__ void NAME(float *part, float *out, unsigned *count) {                                                     \
    __shared__ bool last;                                                                                              \
    if (t == 0) {                                                                                                      \
      BEFORE;                                                                                                          \
      last = COUNTER == gridDim.x - WHEN;                                                                              \
      BEHIND;                                                                                                          \
    }                                                                                                                  \
    __syncthreads();                                                                                                   \
    if (last)                                                                                                          \
      out[t] = part[t % gridDim.x];                                                                                    \
  }
#define PART part[blockIdx.x] = 1
LAST(no_fence, PART, , atomicAdd(count, 1u), 1)
LAST(block_fence, PART; __threadfence_block(), , atomicAdd(count, 1u), 1)
LAST(early_fence, __threadfence(); PART, , atomicAdd(count, 1u), 1)
LAST(late_fence, PART, __threadfence(), atomicAdd(count, 1u), 1)
LAST(one_early, PART; __threadfence(), , atomicAdd(count, 1u), 2)
LAST(other_counter, PART; __threadfence(); atomicAdd(count + 1 + blockIdx.x % 2, 1u), , blockIdx.x, 1)
LAST(block_counter, PART; __threadfence(), , atomicAdd_block(count, 1u), 1)
LAST(overwritten, PART; __threadfence(), atomicExch(count + 1, 0u); *(volatile unsigned *)count = blockIdx.x + 1,
     atomicAdd(count, 1u), 1)
__global__ void no_barrier(float *part, float *out, unsigned *count) {
  part[blockIdx.x * blockDim.x + t] = 1;
  __threadfence();
  if (t == 0 && atomicAdd(count, 1u) == gridDim.x - 1)
    for (unsigned i = 0; i < gridDim.x * blockDim.x; i++)
      out[i] = part[i];
}
__global__ void no_barrier_behind(float *part, float *out, unsigned *count) {
  __shared__ unsigned volatile last;
  last = 0;
  __syncthreads();
  if (t == 63) {
    part[blockIdx.x] = 1;
    __threadfence();
    last = atomicAdd(count, 1u) == gridDim.x - 1;
  }
  if (t < 32 && blockIdx.x == 3)
    out[t] = part[t % gridDim.x];
}

// Threads of one block, by a lock in global or shared memory.
// RUN: %run %t.ll global_lock --grid=2 --block=64 buf:1024 buf:4 | FileCheck %s --check-prefix=DONE
// RUN: %run %t.ll lock_in_shared --grid=2 --block=64 buf:1024 | FileCheck %s --check-prefix=DONE
// RUN: %run %t.ll bare --grid=1 --block=64 buf:1024 buf:4 | FileCheck %s --check-prefix=MEET
// RUN: %run %t.ll narrow --grid=2 --block=1 buf:1024 buf:4 | FileCheck %s --check-prefix=MEET
// RUN: %run %t.ll shared_elsewhere --grid=2 --block=64 buf:1024 | FileCheck %s --check-prefix=MEET
#define LOCKED(L, V, FENCE) if (atomicCAS(L, 0, 1) == 0) { FENCE; V += 1; FENCE; atomicExch(L, 0); }
__global__ void global_lock(int *v, int *l) { LOCKED(l, *v, __threadfence()) }
__global__ void lock_in_shared(int *v) {
  __shared__ int l, s;
  if (t == 0)
    l = s = 0;
  __syncthreads();
  LOCKED(&l, s, __threadfence_block())
  __syncthreads();
  v[blockIdx.x * 64 + t] = s;
}
__global__ void bare(int *v, int *l) { __threadfence(); LOCKED(l, *v, ) }
__global__ void narrow(int *v, int *l) { LOCKED(l, *v, __threadfence_block()) }
__global__ void shared_elsewhere(int *v) {
  __shared__ int l;
  if (t == 0)
    l = 0;
  __syncthreads();
  LOCKED(&l, *v, __threadfence())
}
