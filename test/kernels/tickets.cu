// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results of atomic operations: slots taken from a counter are owned, and a flag has one
// winner; each with the twins in which that is not so. checkers/flow/tickets.md.
// REQUIRES: clang
// RUN: %python %S/verdicts.py %s %gpusafe --verify

#define T (blockIdx.x * blockDim.x + threadIdx.x)

// ---- stream compaction: a slot for each element that is kept
__global__ void proved_compact(int *o, int *count, const int *a, int n) { int i = T; if (i < n && a[i] > 0) { int s = atomicAdd(count, 1); o[s] = a[i]; } }
__global__ void proved_compact_unsigned(float *o, unsigned *count, const float *a, unsigned n) { for (unsigned i = T; i < n; i += gridDim.x * blockDim.x) if (a[i] > 0) o[atomicAdd(count, 1u)] = a[i]; }
__global__ void proved_compact_long(int *o, unsigned long long *count, const int *a, int n) { int i = T; if (i < n && a[i] > 0) o[atomicAdd(count, 1ull)] = a[i]; }
__global__ void proved_compact_inc(int *o, unsigned *count) { o[atomicInc(count, 0xffffffffu)] = T; }
__global__ void refused_compact_inc_limit(int *o, unsigned *count) { o[atomicInc(count, 15u)] = T; }
__global__ void refused_add_nothing(int *o, int *count) { o[atomicAdd(count, 0)] = T; }
__global__ void refused_add_something(int *o, int *count, int x) { o[atomicAdd(count, x)] = T; }
__global__ void refused_subtract(int *o, int *count) { o[atomicAdd(count, -1)] = T; }
__global__ void refused_add_and_subtract(int *o, int *count) { if (T & 1) o[atomicAdd(count, 1)] = T; else atomicSub(count, 1); }
__global__ void refused_block_scope(int *o, int *count) { o[atomicAdd_block(count, 1)] = T; }
__global__ void refused_plain_reset(int *o, int *count) { o[atomicAdd(count, 1)] = T; if (T == 0) *count = 0; }
__global__ void refused_exchange_reset(int *o, int *count) { o[atomicAdd(count, 1)] = T; if (T == 0) atomicExch(count, 0); }
__global__ void refused_two_counters(int *o, int *c, int *d) { if (T & 1) o[atomicAdd(c, 1)] = T; else o[atomicAdd(d, 1)] = T; }
__global__ void refused_two_places(int *o, int *c) { o[atomicAdd(c + (T & 1), 1)] = T; }
__global__ void proved_two_places(int *o, int *c) { int b = T & 1, s = atomicAdd(c + b, 1); o[2 * s + b] = T; }
__global__ void proved_two_adds(int *o, int *c) { if (T & 1) o[atomicAdd(c, 1)] = T; else o[atomicAdd(c, 1)] = T + 1; }
__global__ void refused_narrow(int *o, int *count) { o[(unsigned char)atomicAdd(count, 1)] = T; }
__global__ void refused_same_slot_plus(int *o, int *count) { int s = atomicAdd(count, 1); o[s] = T; o[s + 1] = T; }
__global__ void proved_two_slots(int *o, int *count) { int s = atomicAdd(count, 2); o[s] = T; o[s + 1] = T; }
__global__ void refused_two_of_one(int *o, int *count) { int s = atomicAdd(count, 1); o[s] = T; o[s + 1] = T; }
__global__ void proved_mixed_amounts(int *o, int *count) { if (T & 1) { int s = atomicAdd(count, 3); o[s + 2] = T; } else { o[atomicAdd(count, 1)] = T; } }
__global__ void refused_mixed_amounts(int *o, int *count) { if (T & 1) { int s = atomicAdd(count, 2); o[s + 2] = T; } else { o[atomicAdd(count, 1)] = T; } }
__global__ void proved_counted_amount(int *o, int *count, const unsigned *a) { unsigned m = a[T]; int n = __popc(m), s = atomicAdd(count, n); for (int i = 0; i < n; i++) o[s + i] = T; }
__global__ void proved_counted_amount_long(int *o, int *count, const unsigned long long *a) { int n = __popcll(a[T]), s = atomicAdd(count, n); for (int i = 0; i < n; i++) o[s + i] = T; }
// Many results in one guard: the latest are compared.
__global__ void proved_many_results(int *o, int *count, int *c, int n) { int s = 0;
#pragma unroll
  for (int i = 0; i < 24; i++) if (atomicAdd(c + i, 1) > n) s++;
  if (s == 24) { int slot = atomicAdd(count, 1); o[slot] = T; } }
__global__ void refused_counted_amount(int *o, int *count, const unsigned *a) { unsigned m = a[T]; int n = __popc(m), s = atomicAdd(count, n); for (int i = 0; i <= n; i++) o[s + i] = T; }
__global__ void proved_fields(int *o, int2 *c) { o[atomicAdd(&c->x, 1)] = T; if (T == 0) c->y = 0; }
__global__ void refused_fields(int *o, int2 *c) { o[atomicAdd(&c->x, 1)] = T; if (T == 0) c->x = 0; }
__device__ int the_count;
__global__ void proved_device_counter(int *o) { o[atomicAdd(&the_count, 1)] = T; }
__global__ void refused_many_steps(int *o, int *count, int n) { int s = 0; for (int i = 0; i < n; i++) s = atomicAdd(count, 1); o[s] = T; }
__global__ void proved_many(int *o, int *count, int n) { for (int i = 0; i < n; i++) { int s = atomicAdd(count, 1); o[s] = T; } }
__global__ void proved_work_queue(int *o, int *head, int n) { for (;;) { int i = atomicAdd(head, 1); if (i >= n) break; o[i] = T; } }
__global__ void refused_work_queue(int *o, int *head, int n) { for (;;) { int i = atomicAdd(head, 1); if (i >= n) break; o[i / 2] = T; } }
__global__ void refused_through_pointer(int *o, int **c) { o[atomicAdd(*c, 1)] = T; }
__global__ void refused_unknown_write(int *o, int *count, int **p) { o[atomicAdd(count, 1)] = T; *p[T] = 0; }

// ---- buckets
__global__ void proved_buckets(int *o, int *count, const int *key, int n) { int i = T; if (i < n) { int b = key[i] & 15, s = atomicAdd(&count[b], 1); if (s < 64) o[b * 64 + s] = i; } }
__global__ void refused_buckets(int *o, int *count, const int *key, int n) { int i = T; if (i < n) { int b = key[i] & 15, s = atomicAdd(&count[b], 1); if (s < 65) o[b * 64 + s] = i; } }

// ---- a counter of the block: cleared by one thread, then a barrier
__global__ void proved_block(int *o) { __shared__ int c, list[1024]; if (threadIdx.x == 0) c = 0; __syncthreads(); int s = atomicAdd(&c, 1); if ((unsigned)s < 1024) list[s] = T; o[T] = 0; }
__global__ void refused_block_unordered(int *o) { __shared__ int c, list[1024]; if (threadIdx.x == 0) c = 0; int s = atomicAdd(&c, 1); if ((unsigned)s < 1024) list[s] = T; o[T] = 0; }
__global__ void refused_block_late(int *o) { __shared__ int c, list[4096]; int s = atomicAdd(&c, 1); if ((unsigned)s < 4096) list[s] = T; __syncthreads(); if (threadIdx.x == 0) c = 0; __syncthreads(); s = atomicAdd(&c, 1); if ((unsigned)s < 4096) list[s] = T; o[T] = 0; }
__global__ void refused_block_global(int *o) { __shared__ int c; if (threadIdx.x == 0) c = 0; __syncthreads(); int s = atomicAdd(&c, 1); o[s] = T; }
__global__ void proved_block_own(int *o) { __shared__ int c; if (threadIdx.x == 0) c = 0; __syncthreads(); unsigned s = atomicAdd(&c, 1); if (s < blockDim.x) o[blockIdx.x * blockDim.x + s] = T; }
__global__ void proved_rounds(int *o, int n) { __shared__ int c, list[4096]; for (int i = 0; i < n; i++) { if (threadIdx.x == 0) c = 0; __syncthreads(); int s = atomicAdd(&c, 1); if ((unsigned)s < 4096) list[s] = T; __syncthreads(); } o[T] = 0; }
__global__ void refused_rounds(int *o, int n) { __shared__ int c, list[4096]; for (int i = 0; i < n; i++) { if (threadIdx.x == 0) c = 0; __syncthreads(); int s = atomicAdd(&c, 1); __syncthreads(); if (i == n - 1) if ((unsigned)s < 4096) list[s] = T; } o[T] = list[threadIdx.x]; }
__global__ void refused_rounds_late(int *o, int n) { __shared__ int c, list[4096]; int s = 0; for (int i = 0; i < n; i++) { if (threadIdx.x == 0) c = 0; __syncthreads(); if ((int)threadIdx.x % n == i) s = atomicAdd(&c, 1); __syncthreads(); } if ((unsigned)s < 4096) list[s] = T; o[T] = 0; }
__global__ void refused_rounds_exchange(int *o, int n) { __shared__ int c, list[4096]; for (int i = 0; i < n; i++) { if (threadIdx.x == 0) atomicExch(&c, 0); int s = atomicAdd(&c, 1); if ((unsigned)s < 4096) list[s] = T; __syncthreads(); } o[T] = 0; }

// ---- flags with one winner
__global__ void proved_exchange(int *o, int *f, const int *to, int n) { int i = T; if (i < n) { int v = to[i]; if (atomicExch(&f[v], 1) == 0) o[v] = i; } }
__global__ void refused_exchange(int *o, int *f, const int *to, int n) { int i = T; if (i < n) { int v = to[i]; if (atomicExch(&f[v], 1) == 1) o[v] = i; } }
__global__ void refused_exchange_values(int *o, int *f, const int *to) { int v = to[T]; if (atomicExch(&f[v], (int)T) == 0) o[v] = T; }
__global__ void refused_exchange_back(int *o, int *f, const int *to) { int v = to[T]; if (atomicExch(&f[v], 1) == 0) { o[v] = T; atomicExch(&f[v], 0); } }
__global__ void refused_exchange_elsewhere(int *o, int *f, const int *to) { int v = to[T]; if (atomicExch(&f[v], 1) == 0) o[v / 2] = T; }
__global__ void proved_cas(int *o, int *f, const int *to, int n) { int i = T; if (i < n) { int v = to[i]; if (atomicCAS(&f[v], 0, 1) == 0) o[v] = i; } }
__global__ void proved_cas_key(int *o, int *f, const int *to) { int i = T, v = to[i]; if (atomicCAS(&f[v], -1, i) == -1 && i >= 0) o[v] = i; }
__global__ void refused_cas_key(int *o, int *f, const int *to, const int *key) { int v = to[T]; if (atomicCAS(&f[v], -1, key[T]) == -1) o[v] = T; }
__global__ void refused_cas_loser(int *o, int *f, const int *to) { int v = to[T]; if (atomicCAS(&f[v], 0, 1) == 1) o[v] = T; }
__global__ void refused_cas_same(int *o, int *f, const int *to) { int v = to[T]; if (atomicCAS(&f[v], 0, 0) == 0) o[v] = T; }
__global__ void refused_cas_back(int *o, int *f, const int *to) { int v = to[T]; if (atomicCAS(&f[v], 0, 1) == 0) { o[v] = T; atomicCAS(&f[v], 1, 0); } }
__global__ void refused_cas_unlock(int *o, int *l) { while (atomicCAS(l, 0, 1) != 0) { } o[0] = T; atomicExch(l, 0); }
__global__ void refused_cas_block(int *o, int *f, const int *to) { int v = to[T]; if (atomicCAS_block(&f[v], 0, 1) == 0) o[v] = T; }
// Not proved yet: the bits are for the solver, which gives up.
__global__ void refused_visited_open(int *o, unsigned *seen, const unsigned *to, int n) { int i = T; if (i < n) { unsigned v = to[i], bit = 1u << (v & 31); if (!(atomicOr(&seen[v / 32], bit) & bit)) o[v] = i; } }
__global__ void refused_visited(int *o, unsigned *seen, const unsigned *to, int n) { int i = T; if (i < n) { unsigned v = to[i], bit = 1u << (v & 31); if (atomicOr(&seen[v / 32], bit) & bit) o[v] = i; } }
__global__ void refused_visited_cleared(int *o, unsigned *seen, const unsigned *to, int n) { int i = T; if (i < n) { unsigned v = to[i], bit = 1u << (v & 31); if (!(atomicOr(&seen[v / 32], bit) & bit)) o[v] = i; atomicAnd(&seen[v / 32], ~bit); } }
