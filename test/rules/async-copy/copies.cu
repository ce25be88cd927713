// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies that are complete before their memory is used, and those that are not.
// REQUIRES: clang
// RUN: %python %S/../../kernels/verdicts.py %s %gpusafe --verify

#define T (blockIdx.x * blockDim.x + threadIdx.x)
#define t threadIdx.x
#define SHARED(p) ((void __attribute__((address_space(3))) *)(p))
#define GLOBAL(p) ((const void __attribute__((address_space(1))) *)(p))
static __device__ __attribute__((always_inline)) void copy(float *to, const float *from) { __nvvm_cp_async_ca_shared_global_4(SHARED(to), GLOBAL(from)); }
static __device__ __attribute__((always_inline)) void copy16(float *to, const float *from) { __nvvm_cp_async_cg_shared_global_16(SHARED(to), GLOBAL(from)); }
static __device__ __attribute__((always_inline)) void copy_asm(float *to, const float *from) { asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"((unsigned)(size_t)SHARED(to)), "l"(from), "n"(4) : "memory"); }
#define COMMIT() __nvvm_cp_async_commit_group()
#define WAIT(n) __nvvm_cp_async_wait_group(n)
#define WAIT_ALL() __nvvm_cp_async_wait_all()

// Own element, used after the wait.
__global__ void proved_own(float *o, const float *a) { __shared__ float s[1024]; copy(s + t, a + T); COMMIT(); WAIT(0); o[T] = s[t]; }
__global__ void proved_own_all(float *o, const float *a) { __shared__ float s[1024]; copy(s + t, a + T); WAIT_ALL(); o[T] = s[t]; }
__global__ void proved_own_asm(float *o, const float *a) { __shared__ float s[1024]; copy_asm(s + t, a + T); asm volatile("cp.async.commit_group;" ::: "memory"); asm volatile("cp.async.wait_group %0;" ::"n"(0) : "memory"); o[T] = s[t]; }
__global__ void race_no_wait(float *o, const float *a) { __shared__ float s[1024]; copy(s + t, a + T); COMMIT(); o[T] = s[t]; }
__global__ void race_no_commit(float *o, const float *a) { __shared__ float s[1024]; copy(s + t, a + T); WAIT(0); o[T] = s[t]; }
__global__ void race_commit_first(float *o, const float *a) { __shared__ float s[1024]; COMMIT(); copy(s + t, a + T); WAIT(0); o[T] = s[t]; }
__global__ void race_wait_one(float *o, const float *a) { __shared__ float s[1024]; copy(s + t, a + T); COMMIT(); WAIT(1); o[T] = s[t]; }
__global__ void race_before_wait(float *o, const float *a) { __shared__ float s[1024]; copy(s + t, a + T); COMMIT(); o[T] = s[t]; WAIT(0); }
__global__ void possible_sometimes(float *o, const float *a, int n) { __shared__ float s[1024]; copy(s + t, a + T); COMMIT(); if (n > 4) WAIT(0); o[T] = s[t]; }
__global__ void proved_either(float *o, const float *a, int n) { __shared__ float s[1024]; copy(s + t, a + T); if (n > 4) { COMMIT(); WAIT(0); } else { WAIT_ALL(); } o[T] = s[t]; }
__global__ void proved_other_element(float *o, const float *a) { __shared__ float s[2048]; copy(s + t, a + T); s[t + 1024] = 1; COMMIT(); WAIT(0); o[T] = s[t]; }
__global__ void race_overwritten(float *o, const float *a) { __shared__ float s[1024]; copy(s + t, a + T); s[t] = T; COMMIT(); WAIT(0); o[T] = s[t]; }
__global__ void race_twice(float *o, const float *a) { __shared__ float s[1024]; copy(s + t, a + T); copy(s + t, a + T + 1); COMMIT(); WAIT(0); o[T] = s[t]; }
__global__ void race_source(float *o, float *a) { __shared__ float s[1024]; copy(s + t, a + T); a[T] = T; COMMIT(); WAIT(0); o[T] = s[t]; }
__global__ void proved_source_after(float *o, float *a) { __shared__ float s[1024]; copy(s + t, a + T); COMMIT(); WAIT(0); a[T] = 1; o[T] = s[t]; }
__global__ void race_wide(float *o, const float *a) { __shared__ __align__(16) float s[4096]; copy16(s + 4 * t, a + 4 * T); o[T] = s[4 * t + 3]; COMMIT(); WAIT(0); }
__global__ void proved_wide(float *o, const float *a) { __shared__ __align__(16) float s[4100]; copy16(s + 4 * t, a + 4 * T); s[4096] = 0; COMMIT(); WAIT(0); o[T] = s[4 * t + 3]; }

__global__ void possible_same_condition(float *o, const float *a, int n) { __shared__ float s[1024]; copy(s + t, a + T); COMMIT(); if (n > 4) WAIT(0); if (n > 4) o[T] = s[t]; }

// Others' elements: after the wait and a barrier.
__global__ void proved_block(float *o, const float *a) { __shared__ float s[1024]; copy(s + t, a + T); COMMIT(); WAIT(0); __syncthreads(); o[T] = s[blockDim.x - 1 - t]; }
__global__ void race_block_no_barrier(float *o, const float *a) { __shared__ float s[1024]; copy(s + t, a + T); COMMIT(); WAIT(0); o[T] = s[blockDim.x - 1 - t]; }
__global__ void race_barrier_first(float *o, const float *a) { __shared__ float s[1024]; copy(s + t, a + T); COMMIT(); __syncthreads(); WAIT(0); o[T] = s[blockDim.x - 1 - t]; }
__global__ void race_barrier_only(float *o, const float *a) { __shared__ float s[1024]; copy(s + t, a + T); __syncthreads(); o[T] = s[blockDim.x - 1 - t]; }
__global__ void race_same_place(float *o, const float *a) { __shared__ float s[1024]; copy(s + t / 2, a + T); COMMIT(); WAIT(0); __syncthreads(); o[T] = s[t / 2]; }

// Loops.
__global__ void proved_loop(float *o, const float *a, int n) { __shared__ float s[4096]; for (int i = t; i < 4096; i += blockDim.x) copy(s + i, a + i); COMMIT(); WAIT(0); __syncthreads(); o[T] = s[4095 - t]; }
__global__ void refused_loop_overlaps(float *o, const float *a, int n) { __shared__ float s[4096]; for (int i = 0; i < 4; i++) copy(s + t + i % 2 * 1024, a + i); COMMIT(); WAIT(0); __syncthreads(); o[T] = s[4095 - t]; }
__global__ void race_loop_carried(float *o, const float *a, int n) { __shared__ float s[1024]; float sum = 0; for (int i = 0; i < n; i++) { sum += s[t]; copy(s + t, a + i * 1024 + t); COMMIT(); } o[T] = sum; }
__global__ void proved_tiles(float *o, const float *a, int n) { __shared__ float s[1024]; float sum = 0; for (int i = 0; i < n; i++) { copy(s + t, a + i * 1024 + t); COMMIT(); WAIT(0); __syncthreads(); sum += s[blockDim.x - 1 - t]; __syncthreads(); } o[T] = sum; }
__global__ void race_tiles(float *o, const float *a, int n) { __shared__ float s[1024]; float sum = 0; for (int i = 0; i < n; i++) { copy(s + t, a + i * 1024 + t); COMMIT(); WAIT(0); __syncthreads(); sum += s[blockDim.x - 1 - t]; } o[T] = sum; }
// More stages: stages.cu.
__global__ void proved_stages(float *o, const float *a, int n) { __shared__ float s[2][1024]; float sum = 0; copy(s[0] + t, a + t); COMMIT(); for (int i = 0; i < n; i++) { copy(s[(i + 1) & 1] + t, a + (i + 1) * 1024 + t); COMMIT(); WAIT(1); __syncthreads(); sum += s[i & 1][blockDim.x - 1 - t]; __syncthreads(); } o[T] = sum; }
// A vote orders nothing, and hinders nothing.
__global__ void proved_vote(float *o, const float *a) { __shared__ float s[1024]; copy(s + t, a + T); COMMIT(); __shfl_sync(0xffffffffu, (int)t, 0); WAIT(0); o[T] = s[t]; }
__global__ void proved_warp_barrier(float *o, const float *a) { __shared__ float s[1024]; copy(s + t, a + T); COMMIT(); __syncwarp(); WAIT(0); o[T] = s[t]; }
// Fewer bytes of the source than of the destination.
#include <gpusafe.h>
static __device__ __attribute__((always_inline)) void copy_some(float *to, const float *from, int bytes) { asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"((unsigned)(size_t)SHARED(to)), "l"(from), "r"(bytes) : "memory"); }
__global__ void proved_tail(float *o, const float *a GS_EXTENT(n), int n) { __shared__ float s[1024]; copy_some(s + t, a + T, (int)T < n ? 4 : 0); COMMIT(); WAIT(0); o[T] = s[t]; }
__global__ void race_tail(float *o, const float *a GS_EXTENT(n), int n) { __shared__ float s[1024]; copy_some(s + t, a + T, (int)T <= n ? 4 : 0); COMMIT(); WAIT(0); o[T] = s[t]; }
__global__ void race_all_written(float *o, const float *a, int n) { __shared__ float s[1024]; copy_some(s + t, a + T, (int)T < n ? 4 : 0); o[T] = s[t]; COMMIT(); WAIT(0); }
__global__ void proved_none_read(float *o, const float *a GS_EXTENT(1)) { __shared__ float s[1024]; asm volatile("cp.async.ca.shared.global [%0], [%1], 4, 0;" ::"r"((unsigned)(size_t)SHARED(s + t)), "l"(a + T) : "memory"); COMMIT(); WAIT(0); o[T] = s[t]; }

// A thread that ends with a copy in flight: barriers count it as arrived, its copy goes on.
__global__ void unknown_returns(float *o, const float *a) { __shared__ float s[1024]; copy(s + t, a + T); if (t & 1) return; WAIT_ALL(); __syncthreads(); o[T] = s[t ^ 1]; }
__global__ void refused_falls_off(float *o, const float *a) { __shared__ float s[1024]; if (t >= 512) copy(s + t, a + T); else { __syncthreads(); o[T] = s[t + 512]; } }
__global__ void refused_overwritten(float *o, const float *a) { __shared__ float s[1024]; if (t >= 512) { copy(s + t, a + T); return; } __syncthreads(); s[1023 - t] = 4; o[T] = s[1023 - t]; }
__global__ void refused_source(float *a) { __shared__ float s[1024]; if (t >= 512) { copy(s + t, a + T); return; } __syncthreads(); a[blockIdx.x * blockDim.x + 1023 - t] = 1; }
__global__ void unknown_warp_returns(float *o, const float *a) { __shared__ float s[1024]; copy_asm(s + t, a + T); if (t & 1) return; WAIT_ALL(); __syncwarp(); o[T] = s[t ^ 1]; }
__global__ void proved_returns_complete(float *o, const float *a) { __shared__ float s[1024]; copy(s + t, a + T); WAIT_ALL(); if (t & 1) return; __syncthreads(); o[T] = s[t ^ 1]; }
__global__ void proved_no_barrier(float *o, const float *a) { __shared__ float s[1024]; copy(s + t, a + T); if (t & 1) return; WAIT_ALL(); o[T] = s[t]; }
