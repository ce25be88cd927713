// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Locks: mutual exclusion by compare-and-swap or exchange, and its broken forms.
// checkers/flow/locks.md.
// REQUIRES: clang
// RUN: %python %S/verdicts.py %s %gpusafe --verify --block=256

#define t threadIdx.x
#define T (blockIdx.x * blockDim.x + threadIdx.x)
__device__ int mutex;
__device__ void lock(int *l) { while (atomicCAS(l, 0, 1) != 0) ; __threadfence(); }
__device__ void unlock(int *l) { __threadfence(); atomicExch(l, 0); }
struct Guard {
  int *l;
  __device__ Guard(int *p) : l(p) { while (atomicExch(l, 1)) ; __threadfence(); }
  __device__ ~Guard() { __threadfence(); atomicExch(l, 0); }
};

// ---- one lock
__global__ void proved_counter(int *l, int *v) { if (t == 0) { while (atomicCAS(l, 0, 1) != 0) ; __threadfence(); *v += 1; __threadfence(); atomicExch(l, 0); } }
__global__ void proved_calls(int *l, int *v, int *w) { if (t == 0) { lock(l); *v += 1; w[*v & 15] = 2; unlock(l); } }
__global__ void proved_exchange(int *l, int *v) { if (t == 0) { while (atomicExch(l, 1) == 1) ; __threadfence(); *v += 1; __threadfence(); atomicExch(l, 0); } }
__global__ void refused_exchange_other(int *l, int *v) { if (t == 0) { while (atomicExch(l, 1) != 1) ; __threadfence(); *v += 1; __threadfence(); atomicExch(l, 0); } }
__global__ void refused_exchange_mixed(int *l, int *v) { if (t == 0) { while (atomicExch(l, 1) == 1) ; __threadfence(); *v += 1; __threadfence(); atomicExch(l, 0); } if (t == 1) { while (atomicCAS(l, 0, 2) != 0) ; __threadfence(); *v += 1; __threadfence(); atomicExch(l, 0); } }
__global__ void proved_exchange_mixed(int *l, int *v) { if (t == 0) { while (atomicExch(l, 1) != 0) ; __threadfence(); *v += 1; __threadfence(); atomicExch(l, 0); } if (t == 32) { while (atomicCAS(l, 0, 1) != 0) ; __threadfence(); *v += 1; __threadfence(); atomicExch(l, 0); } }
__global__ void refused_exchange_steals(int *l, int *v) { if (t == 0) { while (atomicExch(l, 1) != 0) ; __threadfence(); *v += 1; __threadfence(); atomicExch(l, 0); } if (t == 32) { while (atomicCAS(l, 1, 2) != 1) ; __threadfence(); *v += 1; __threadfence(); atomicExch(l, 0); } }
__global__ void proved_guard(int *l, int *v) { if (t == 0) { Guard g(l); *v += 1; } }
__global__ void proved_device_mutex(int *v) { if (t == 0) { lock(&mutex); *v += 1; unlock(&mutex); } }
__global__ void proved_try(int *l, int *v) { bool done = t != 0; while (!done) { if (atomicCAS(l, 0, 1) == 0) { __threadfence(); *v += 1; __threadfence(); atomicExch(l, 0); done = true; } } }
__global__ void proved_all_threads(int *l, int *v) { bool done = false; while (!done) { if (atomicCAS(l, 0, 1) == 0) { __threadfence(); *v += t; __threadfence(); atomicExch(l, 0); done = true; } } }
__global__ void proved_do(int *l, int *v) { if (t == 0) { int old; do { old = atomicCAS(l, 0, 1); } while (old != 0); __threadfence(); *v += 1; __threadfence(); atomicExch(l, 0); } }
__global__ void proved_try_once(int *l, int *v) { if (atomicCAS(l, 0, 1) == 0) { __threadfence(); *v += 1; __threadfence(); atomicExch(l, 0); } }
__global__ void proved_swap_back(int *l, int *v) { if (t == 0) { lock(l); *v += 1; __threadfence(); atomicCAS(l, 1, 0); } }
__global__ void proved_other_values(int *l, int *v) { if (t == 0) { while (atomicCAS(l, -1, (int)7) != -1) ; __threadfence(); *v += 1; __threadfence(); atomicExch(l, -1); } }
__global__ void proved_loop(int *l, int *v, int n) { for (int i = t; i < n; i += blockDim.x) { bool done = false; while (!done) if (atomicCAS(l, 0, 1) == 0) { __threadfence(); v[i & 3] += i; __threadfence(); atomicExch(l, 0); done = true; } } }
__global__ void proved_two_regions(int *l, int *v) { if (t == 0) { lock(l); *v += 1; unlock(l); lock(l); *v += 2; unlock(l); } }
__global__ void proved_reads(int *l, int *v, int *o) { if (t == 0) { lock(l); int x = *v; *v = x + 1; unlock(l); o[blockIdx.x] = x; } }
__global__ void proved_shared(int *o) { __shared__ int l, v; if (t == 0) { l = 0; v = 0; } __syncthreads(); bool done = false; while (!done) if (atomicCAS(&l, 0, 1) == 0) { __threadfence_block(); v += t; __threadfence_block(); atomicExch(&l, 0); done = true; } __syncthreads(); o[T] = v; }

__global__ void refused_shared_reset(int *o) { __shared__ int l, v; if (t == 0) { l = 0; v = 0; } __syncthreads(); bool done = false; while (!done) if (atomicCAS(&l, 0, 1) == 0) { __threadfence_block(); v += t; if (t == 7) l = 0; v += t; __threadfence_block(); atomicExch(&l, 0); done = true; } __syncthreads(); o[T] = v; }
__global__ void refused_shared_reset_held(int *o) { __shared__ int l, v; if (t == 0) { l = 0; v = 0; } __syncthreads(); bool won = atomicCAS(&l, 0, 1) == 0; __syncthreads(); if (t == 0) l = 0; __syncthreads(); if (won || atomicCAS(&l, 0, 1) == 0) { __threadfence_block(); v += t; __threadfence_block(); atomicExch(&l, 0); } __syncthreads(); o[T] = v; }
__global__ void refused_shared_no_barrier(int *o) { __shared__ int l, v; if (t == 0) { l = 0; v = 0; } bool done = false; while (!done) if (atomicCAS(&l, 0, 1) == 0) { __threadfence_block(); v += t; __threadfence_block(); atomicExch(&l, 0); done = true; } __syncthreads(); o[T] = v; }

// ---- fences, ends and writes that break it
__global__ void refused_no_fence(int *l, int *v) { if (t == 0) { while (atomicCAS(l, 0, 1) != 0) ; *v += 1; atomicExch(l, 0); } }
__global__ void refused_no_fence_behind(int *l, int *v) { if (t == 0) { while (atomicCAS(l, 0, 1) != 0) ; __threadfence(); *v += 1; atomicExch(l, 0); } }
__global__ void refused_no_fence_before(int *l, int *v) { if (t == 0) { while (atomicCAS(l, 0, 1) != 0) ; *v += 1; __threadfence(); atomicExch(l, 0); } }
__global__ void refused_block_fence(int *l, int *v) { if (t == 0) { while (atomicCAS(l, 0, 1) != 0) ; __threadfence_block(); *v += 1; __threadfence_block(); atomicExch(l, 0); } }
__global__ void refused_block_scope(int *l, int *v) { if (t == 0) { while (atomicCAS_block(l, 0, 1) != 0) ; __threadfence(); *v += 1; __threadfence(); atomicExch(l, 0); } }
__global__ void refused_block_release(int *l, int *v) { if (t == 0) { lock(l); *v += 1; __threadfence(); atomicExch_block(l, 0); } }
__global__ void refused_after(int *l, int *v) { if (t == 0) { lock(l); unlock(l); __threadfence(); *v += 1; } }
__global__ void refused_before(int *l, int *v) { if (t == 0) { *v += 1; lock(l); unlock(l); } }
__global__ void refused_early_release(int *l, int *v, int n) { if (t == 0) { lock(l); if (n > 3) unlock(l); __threadfence(); *v += 1; __threadfence(); if (n <= 3) atomicExch(l, 0); } }
__global__ void refused_one_reader(int *l, int *v, int *o) { if (t == 0) { lock(l); *v += 1; unlock(l); } else if (t == 1) o[blockIdx.x] = *v; }
__global__ void refused_loser(int *l, int *v) { if (t == 0) { if (atomicCAS(l, 0, 1) != 0) { __threadfence(); *v += 1; __threadfence(); } else atomicExch(l, 0); } }
__global__ void refused_either(int *l, int *v) { if (t == 0) { bool got = atomicCAS(l, 0, 1) == 0; __threadfence(); *v += 1; __threadfence(); if (got) atomicExch(l, 0); } }
__global__ void refused_bounded(int *l, int *v) { if (t == 0) { for (int i = 0; i < 100 && atomicCAS(l, 0, 1) != 0; i++) ; __threadfence(); *v += 1; __threadfence(); atomicExch(l, 0); } }
__global__ void refused_twice_released(int *l, int *v) { if (t == 0) { lock(l); *v += 1; unlock(l); unlock(l); } }
__global__ void refused_stray_release(int *l, int *v) { if (t == 0) { lock(l); *v += 1; unlock(l); } if (t == 32) atomicExch(l, 0); }
__global__ void refused_added(int *l, int *v) { if (t == 0) { lock(l); *v += 1; __threadfence(); atomicSub(l, 1); } if (t == 1) atomicAdd(l, 0); }
__global__ void refused_retested(int *l, int *v) { if (t == 0) { int old = atomicCAS(l, 0, 1); if (old == 0) { __threadfence(); *v += 1; __threadfence(); atomicExch(l, 0); } if (old == 0) { __threadfence(); *v += 1; __threadfence(); } } }
__global__ void refused_retested_in_loop(int *l, int *v, int n) { if (t == 0) { int old = atomicCAS(l, 0, 1); for (int i = 0; i < n; i++) if (old == 0) { __threadfence(); *v += 1; __threadfence(); atomicExch(l, 0); } } }
__global__ void refused_same_value(int *l, int *v) { if (t == 0) { while (atomicCAS(l, 0, 0) != 0) ; __threadfence(); *v += 1; __threadfence(); atomicExch(l, 0); } }
__global__ void refused_all_of_block(int *l, int *v) { if (t == 0) lock(l); __syncthreads(); v[0] += t; __syncthreads(); if (t == 0) unlock(l); }
__global__ void refused_shared_lock(int *v) { __shared__ int l; if (t == 0) { l = 0; __threadfence(); lock(&l); *v += 1; unlock(&l); } }
__global__ void refused_half_overwritten(int *l, int *v) { if (t == 0) { lock(l); *v += 1; unlock(l); } if (t == 1) atomicCAS((unsigned long long *)(l - 1), 0ull, 1ull); }

__global__ void refused_copy_in_flight(int *l, int *v, const int *a) { __shared__ int s[4]; if (t == 0) { lock(l); asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"((unsigned)__cvta_generic_to_shared(s)), "l"(v)); unlock(l); lock(l); *v += 1; unlock(l); asm volatile("cp.async.wait_all;"); a += s[0]; } }
__global__ void refused_block_asker(int *l, int *v) { if (t == 0) { lock(l); *v += 1; unlock(l); } if (t == 1 && atomicCAS_block(l, 0, 1) == 0) atomicExch(l, 0); }
__global__ void refused_may_overlap(int *l, int *v) { if (t == 0) { lock(l); v[blockIdx.x] += 1; v[0] += 1; unlock(l); } if (t == 1) v[5] = 0; }

// More exchanges and compare-and-swaps than are followed: each region has two.
#define REGION while (atomicCAS(l, 0, 1) != 0) ; __threadfence(); *v += 1; __threadfence(); atomicExch(l, 0);
__global__ void proved_four(int *l, int *v) { if (t == 0) { REGION REGION REGION REGION } }
__global__ void refused_five(int *l, int *v) { if (t == 0) { REGION REGION REGION REGION REGION } }

// ---- many locks
__global__ void proved_buckets(int *l, int *v, const int *key) { int k = key[T]; bool done = false; while (!done) if (atomicCAS(&l[k], 0, 1) == 0) { __threadfence(); v[k] += 1; __threadfence(); atomicExch(&l[k], 0); done = true; } }
__global__ void proved_striped(int *l, int *v, const unsigned *key) { unsigned k = key[T]; bool done = false; while (!done) if (atomicCAS(&l[k % 64], 0, 1) == 0) { __threadfence(); v[k] += 1; __threadfence(); atomicExch(&l[k % 64], 0); done = true; } }
__global__ void proved_in_order(int *l, int *v, int n) { if (t == 0) for (int i = 0; i < n; i++) { lock(&l[i]); v[i] += 1; unlock(&l[i]); } }
__global__ void refused_wrong_bucket(int *l, int *v, const int *key) { int k = key[T]; bool done = false; while (!done) if (atomicCAS(&l[k], 0, 1) == 0) { __threadfence(); v[k + 1] += v[k]; __threadfence(); atomicExch(&l[k], 0); done = true; } }
__global__ void refused_next_released(int *l, int *v, int n) { if (t == 0) for (int i = 0; i < n; i++) { lock(&l[i]); v[i] += 1; unlock(&l[i + 1]); } }
__global__ void refused_own_lock(int *l, int *v) { if (t == 0) { lock(&l[blockIdx.x]); *v += 1; unlock(&l[blockIdx.x]); } }
__global__ void refused_carried(int *l, int *v, int n) { if (t == 0) for (int i = 0; i < n; i++) { lock(&l[i]); __threadfence(); v[0] += 1; __threadfence(); atomicExch(&l[i], 0); } }
__global__ void refused_two_locks(int *l, int *m, int *v) { if (t == 0) { if (blockIdx.x & 1) { lock(l); *v += 1; unlock(l); } else { lock(m); *v += 1; unlock(m); } } }
__global__ void proved_both_locks(int *l, int *m, int *v) { if (t == 0) { lock(l); if (blockIdx.x & 1) { lock(m); *v += 1; unlock(m); } else *v += 2; unlock(l); } }
