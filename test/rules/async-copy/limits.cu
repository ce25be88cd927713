// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the walks from copies and the matrices give up on: UNKNOWN, never silence.
// REQUIRES: clang
// RUN: %python %S/../../kernels/verdicts.py %s %gpusafe --verify --block=128
// RUN: not %gpusafe check --cuda-path=none --verify --block=128 %s -- -ferror-limit=0 2>&1 | FileCheck %s
// CHECK-DAG: there are too many ways on which the copy of line 21 may be in flight
// CHECK-DAG: there are too many ways on which the copy of line 28 may be in flight
// CHECK-DAG: a pointer of unknown origin may point to what is being copied
// CHECK-DAG: loads or stores a matrix under a predicate

#define t threadIdx.x
#define SHARED(p) ((void __attribute__((address_space(3))) *)(p))
#define GLOBAL(p) ((const void __attribute__((address_space(1))) *)(p))
static __device__ __attribute__((always_inline)) void copy(float *to, const float *from) { __nvvm_cp_async_ca_shared_global_4(SHARED(to), GLOBAL(from)); }
#define COMMIT() __nvvm_cp_async_commit_group()
#define WAIT_ALL() __nvvm_cp_async_wait_all()

// Six loops around a copy are followed, a seventh is not.
#define LOOPS6 for (int a1 = 0; a1 < n; a1++) for (int a2 = 0; a2 < n; a2++) for (int a3 = 0; a3 < n; a3++) for (int a4 = 0; a4 < n; a4++) for (int a5 = 0; a5 < n; a5++) for (int a6 = 0; a6 < n; a6++)
__global__ void proved_six_deep(float *o, const float *a, int n) { __shared__ float s[128]; float sum = 0; LOOPS6 { copy(s + t, a + t); WAIT_ALL(); sum += s[t]; } o[blockIdx.x * 128 + t] = sum; }
__global__ void unknown_seven_deep(float *o, const float *a, int n) { __shared__ float s[128]; float sum = 0; LOOPS6 for (int a7 = 0; a7 < n; a7++) { copy(s + t, a + t); WAIT_ALL(); sum += s[t]; } o[blockIdx.x * 128 + t] = sum; }

// As many barriers while a copy is in flight as are looked at, and more.
#define B __syncthreads();
#define B10 B B B B B B B B B B
#define B100 B10 B10 B10 B10 B10 B10 B10 B10 B10 B10
__global__ void proved_many_places(float *o, const float *a) { __shared__ float s[128]; copy(s + t, a + t); B100 WAIT_ALL(); o[blockIdx.x * 128 + t] = s[t]; }
__global__ void unknown_too_many_places(float *o, const float *a) { __shared__ float s[128]; copy(s + t, a + t); B100 B100 B100 WAIT_ALL(); o[blockIdx.x * 128 + t] = s[t]; }

// What is written in the meantime may be anything.
__global__ void unknown_pointer(float *o, const float *a, float **p) { __shared__ float s[128]; copy(s + t, a + t); *p[0] = 1; WAIT_ALL(); o[blockIdx.x * 128 + t] = s[t]; }

__global__ void unknown_predicated_matrix(int *o, int n) { __shared__ unsigned short s[4][64]; int r = 0; asm volatile("{.reg .pred p; setp.ne.s32 p, %1, 0; @p ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%2];}" : "+r"(r) : "r"(n), "r"((unsigned)(unsigned long long)SHARED(&s[t / 32][t % 8 * 8]))); o[blockIdx.x * 128 + t] = r; }
