// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Locks and tickets of blocks order accesses; whose an element is they do not say.
// REQUIRES: clang
// RUN: %python %S/../../kernels/verdicts.py %s %gpusafe --verify
#include "gpusafe.h"
#define t threadIdx.x
#define F __threadfence()

__global__ void refused_lock(int *l, int *v GS_DISJOINT(1)) { while (atomicCAS(l, 0, 1) != 0) ; F; *v += 1; F; atomicExch(l, 0); }
__global__ void proved_lock(int *l, int *v) { while (atomicCAS(l, 0, 1) != 0) ; F; *v += 1; F; atomicExch(l, 0); }
__global__ void refused_lock_warp(int *l, int *v GS_EXCLUSIVE(1, scope=warp)) { while (atomicCAS(l, 0, 1) != 0) ; F; *v += 1; F; atomicExch(l, 0); }
__global__ void refused_lock_block(int *l, int *v GS_EXCLUSIVE(1, scope=block)) { while (atomicCAS(l, 0, 1) != 0) ; F; *v += 1; F; atomicExch(l, 0); }
__global__ void proved_lock_grid(int *l, int *v GS_EXCLUSIVE(1, scope=grid)) { while (atomicCAS(l, 0, 1) != 0) ; F; *v += 1; F; atomicExch(l, 0); }
__global__ void refused_try(int *l, int *v GS_DISJOINT()) { if (atomicCAS(l, 0, 1) == 0) { F; *v += 1; F; atomicExch(l, 0); } }
__global__ void refused_shared_lock(int *v GS_DISJOINT()) { __shared__ int s; if (t == 0) s = 0; __syncthreads(); while (atomicCAS(&s, 0, 1)) ; F; v[blockIdx.x] += 1; F; atomicExch(&s, 0); }
__global__ void proved_shared_lock_block(int *v GS_EXCLUSIVE(scope=block)) { __shared__ int s; if (t == 0) s = 0; __syncthreads(); while (atomicCAS(&s, 0, 1)) ; F; v[blockIdx.x] += 1; F; atomicExch(&s, 0); }

#define LAST __shared__ bool last; if (t == 0) { p[blockIdx.x] = 5; F; last = atomicInc(c, gridDim.x) == gridDim.x - 1; } __syncthreads(); if (last && t == 0) { int s = 0; for (int k = 0; k < gridDim.x; k++) s += p[k]; o[0] = s; }
__global__ void refused_last(int *p GS_DISJOINT(), unsigned *c, int *o) { LAST }
__global__ void refused_last_block(int *p GS_EXCLUSIVE(scope=block), unsigned *c, int *o) { LAST }
__global__ void proved_last_grid(int *p GS_EXCLUSIVE(scope=grid), unsigned *c, int *o) { LAST }
__global__ void proved_last(int *p, unsigned *c, int *o) { LAST }
