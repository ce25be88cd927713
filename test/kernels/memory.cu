// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The forms in which kernels touch memory, and each row of the model table that does.
// REQUIRES: clang
// RUN: %python %S/verdicts.py %s %gpusafe --verify --rules=-assertion

#define T (blockIdx.x * blockDim.x + threadIdx.x)
#define t threadIdx.x

// ---- copies and fills, of a size that is constant or not
struct big { int v[20]; };
__global__ void proved_copy(big *o, const big *a) { memcpy(o + T, a + T, sizeof(big)); }
__global__ void race_copy(int *o, const int *a) { memcpy(o + T * 19, a + T * 20, 80); }
__global__ void proved_copy_struct(big *o, const big *a) { o[T] = a[T]; }
__global__ void race_copy_struct(big *o, const big *a) { o[T / 2] = a[T]; }
__global__ void proved_copy_n(char *o, const char *a, int n) { if (n > 0 && n <= 64) memcpy(o + T * 64, a, n); }
__global__ void race_copy_n(char *o, const char *a, int n) { if (n > 0 && n <= 65) memcpy(o + T * 64, a, n); }
__global__ void proved_copy_none(char *o, const char *a, int n) { memcpy(o, a, 0); }
__global__ void race_copy_reads(char *o, int n) { memcpy(o + T * 64, o + T * 64 + 64, 64); }
__global__ void proved_fill(float4 *o) { memset(o + T, 0, 16); }
__global__ void race_fill(char *o, int n) { memset(o + T, T, 2); }
__global__ void proved_fill_n(int *o, int n) { if (T == 0) memset(o, 0, n); }
__global__ void race_fill_n(int *o, int n) { if (T == 0) memset(o, 0, n); else if (n > 8) o[1] = T; }
__global__ void proved_move(int *o) { __builtin_memmove(o + 4 * T, o + 4 * T + 1, 12); }
__global__ void race_move(int *o) { __builtin_memmove(o + 4 * T, o + 4 * T + 1, 20); }

// ---- read-only loads
__global__ void proved_ldg(float *o, const float *a) { o[T] = __nvvm_ldg_f(a + T + 1); }
__global__ void race_ldg(float *a) { a[T] = __nvvm_ldg_f(a + T + 1); }

// ---- bit-fields share their unit, union members their bytes
struct bits { unsigned a : 3, b : 5; };
__global__ void proved_bits(bits *o) { o[T].a = 1; o[T].b = 2; }
__global__ void race_bits(bits *o) { if (T & 1) o[T / 2].a = 1; else o[T / 2].b = 2; }
struct spaced { unsigned a : 3; unsigned : 0; unsigned b : 5; };
__global__ void proved_bits_apart(spaced *o) { if (T & 1) o[T / 2].a = 1; else o[T / 2].b = 2; }
union either { int i; float f; char c[8]; };
__global__ void proved_union(either *o) { o[T].f = 1; o[T].c[7] = 2; }
__global__ void race_union(either *o) { if (T & 1) o[T / 2].f = T; else o[T / 2].c[3] = 2; }
__global__ void proved_union_apart(either *o) { if (T & 1) o[T / 2].f = T; else o[T / 2].c[4] = 2; }
struct __attribute__((packed)) packed_pair { char a; int b; };
__global__ void proved_packed(packed_pair *o) { o[T].b = T; }
__global__ void race_packed(packed_pair *o) { *(int *)((char *)o + 3 * T) = T; }
__global__ void proved_flags(bool *o) { o[T] = T & 1; }

// ---- vectors
__global__ void proved_vector(float4 *o) { o[T].y = T; }
__global__ void race_vector(float4 *o) { o[T / 2] = make_float4(T, 0, 0, 0); }
__global__ void proved_vector_lanes(float4 *o) { if (T & 1) o[T / 2].x = T; else o[T / 2].w = T; }
__global__ void race_vector_lanes(float4 *o) { if (T & 1) o[T / 2].x = T; else o[T / 2] = make_float4(T, 0, 0, 0); }
__global__ void proved_cast(float *o) { ((float4 *)o)[T] = make_float4(0, 0, 0, T); }
__global__ void race_cast(float *o) { ((float4 *)o)[T] = make_float4(0, 0, 0, T); o[T] = T; }

// ---- volatile orders nothing
__global__ void proved_volatile(volatile int *o) { o[T] = T; o[T] = o[T] + 1; }
__global__ void race_volatile(volatile int *o) { o[T] = o[T + 1]; }

// ---- constants, device variables, by-value parameters, variables of a thread
__constant__ int weights[16];
__device__ int totals[1024];
__device__ int total;
__global__ void proved_constant(int *o) { o[T] = weights[T & 15]; }
__global__ void refused_constant(int *o) { o[weights[T & 15]] = T; }
__global__ void proved_global(int *o) { if (T < 1024) totals[T] = o[T]; }
__global__ void race_global(int *o) { total = T; }
__global__ void race_global_array(int *o) { if (T < 1024) totals[T / 2] = T; }
struct table { int *to; int n; int map[8]; };
__global__ void proved_by_value(table q) { if (T < q.n) q.to[T] = q.map[T & 7]; }
__global__ void race_by_value(table q) { q.to[T & 7] = T; }
__global__ void proved_local(int *o) { int v[8]; for (int i = 0; i < 8; i++) v[i] = i; o[T] = v[T & 7]; }
__global__ void race_local_bounds(int *o) { int v[8]; for (int i = 0; i <= 8; i++) v[i] = i; o[T] = v[T & 7]; }

// ---- results through pointers
extern "C" __device__ void sincosf(float, float *, float *);
__global__ void proved_sincos(float *s, float *c) { sincosf((float)T, s + T, c + T); }
__global__ void race_sincos(float *s, float *c) { sincosf((float)T, s + T / 2, c + T); }
extern "C" __device__ float modff(float, float *);
__global__ void proved_modf(float *o) { __shared__ float whole[1024]; o[T] = modff((float)T, whole + t); }
__global__ void refused_modf(float *o) { __shared__ float whole; o[T] = modff((float)T, &whole); }

// ---- what has no effect on memory
__global__ void proved_quiet(float *o) { printf("%f\n", o[T]); assert(o[T] > 0); o[T] = sinf(o[T]); __builtin_nontemporal_store(1.0f, o + T); }
__global__ void race_quiet(float *o) { printf("%f\n", o[T + 1]); o[T] = sinf(o[T]); }
__global__ void proved_trap(int *o, int n) { if (n > 4) __builtin_trap(); if (n <= 4) o[T] = 1; }
__global__ void proved_trap_guards(int *o, int n) { if (n < 4) __builtin_trap(); __shared__ int s[1024]; s[t * (n > 3)] = T; o[T] = 1; }
__global__ void race_trap(int *o, int n) { if (n < 3) __builtin_trap(); __shared__ int s[1024]; s[t * (n > 3)] = T; o[T] = 1; }
__global__ void possible_fence(int *f, int *d) { if (T == 0) { d[0] = 1; __threadfence(); atomicExch(f, 1); } else if (atomicAdd(f, 0)) { f[T] = d[0]; } }
__global__ void race_fence(int *d) { d[T] = 1; __threadfence(); d[T + 1] = 2; }

// ---- memory of the device's heap: of the thread as long as nobody else hears of it
__global__ void proved_heap(int *o) { int *p = (int *)malloc(32); p[0] = T; o[T] = p[0]; free(p); }
__global__ void proved_heap_n(int *o, int n) { int *p = (int *)malloc(n * 4); if (!p) return; for (int i = 0; i < n; i++) p[i] = T; o[T] = p[n - 1]; free(p); }
__global__ void race_heap_bounds(int *o) { int *p = (int *)malloc(32); p[8] = T; o[T] = 1; free(p); }
__global__ void unknown_heap_published(int **o) { int *p = (int *)malloc(32); o[T] = p; p[0] = T; }
__global__ void refused_heap_read_back(int **o) { o[T] = (int *)malloc(32); __syncthreads(); o[T ^ 1][0] = T; }
