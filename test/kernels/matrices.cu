// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices that a warp loads and stores as a whole: wmma, ldmatrix, stmatrix.
// REQUIRES: clang
// RUN: %python %S/verdicts.py %s %gpusafe --verify --block=128

#include <gpusafe.h>
typedef unsigned short half_bits;
struct frag_a { int x[8]; };
struct frag_c { float x[8]; };
#define W (threadIdx.x / 32)
#define L (threadIdx.x % 32)
static __device__ __attribute__((always_inline)) void load_a(frag_a &f, const half_bits *p, unsigned ld) { __hmma_m16n16k16_ld_a(f.x, (const int *)p, ld, 0); }
static __device__ __attribute__((always_inline)) void load_b(frag_a &f, const half_bits *p, unsigned ld) { __hmma_m16n16k16_ld_b(f.x, (const int *)p, ld, 1); }
static __device__ __attribute__((always_inline)) void load_c(frag_c &f, const float *p, unsigned ld) { __hmma_m16n16k16_ld_c_f32(f.x, p, ld, 0); }
static __device__ __attribute__((always_inline)) void store(float *p, const frag_c &f, unsigned ld) { __hmma_m16n16k16_st_c_f32(p, f.x, ld, 0); }
static __device__ __attribute__((always_inline)) void mma(frag_c &c, const frag_a &a, const frag_a &b) { __hmma_m16n16k16_mma_f32f32(c.x, a.x, b.x, c.x, 1, 0); }
static __device__ __attribute__((always_inline)) unsigned shared(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

// ---- a tile of the result for each warp
__global__ void proved_tiles(float *c, const half_bits *a, const half_bits *b) { frag_a fa, fb; frag_c fc = {}; int w = blockIdx.x * 4 + W; load_a(fa, a + w * 256, 16); load_b(fb, b, 16); mma(fc, fa, fb); store(c + w * 256, fc, 16); }
__global__ void race_tiles_overlap(float *c, const half_bits *a, const half_bits *b) { frag_a fa, fb; frag_c fc = {}; int w = blockIdx.x * 4 + W; load_a(fa, a + w * 256, 16); load_b(fb, b, 16); mma(fc, fa, fb); store(c + w * 240, fc, 16); }
__global__ void race_tiles_same(float *c, const half_bits *a, const half_bits *b) { frag_a fa, fb; frag_c fc = {}; load_a(fa, a, 16); load_b(fb, b, 16); mma(fc, fa, fb); store(c, fc, 16); }
__global__ void proved_columns(float *c) { frag_c fc = {}; store(c + blockIdx.x * 1024 + W * 16, fc, 64); }
__global__ void race_columns(float *c) { frag_c fc = {}; store(c + blockIdx.x * 1024 + W * 8, fc, 64); }
// The stride is a parameter.
GS_LAUNCH_CONTRACT(block.x == 128, n > 0, n % 16 == 0)
__global__ void proved_rows_of_matrix(float *c, int n) { frag_c fc = {}; int row = (blockIdx.x * 4 + W) * 16; for (int col = 0; col < n; col += 16) store(c + row * n + col, fc, n); }
GS_LAUNCH_CONTRACT(block.x == 128, n > 0, n % 16 == 0)
__global__ void race_rows_of_matrix(float *c, int n) { frag_c fc = {}; int row = (blockIdx.x * 4 + W) * 8; for (int col = 0; col < n; col += 16) store(c + row * n + col, fc, n); }
// Added to what is there: one lane loads and stores an element.
__global__ void proved_accumulate(float *c, const half_bits *a, const half_bits *b) { frag_a fa, fb; frag_c fc; int w = blockIdx.x * 4 + W; load_c(fc, c + w * 256, 16); load_a(fa, a, 16); load_b(fb, b, 16); mma(fc, fa, fb); store(c + w * 256, fc, 16); }
__global__ void race_accumulate_neighbour(float *c, const half_bits *a, const half_bits *b) { frag_a fa, fb; frag_c fc; int w = blockIdx.x * 4 + W; load_c(fc, c + (w + 1) * 256, 16); load_a(fa, a, 16); load_b(fb, b, 16); mma(fc, fa, fb); store(c + w * 256, fc, 16); }
// Through shared memory.
__global__ void proved_staged(float *c) { __shared__ float s[4][256]; frag_c fc = {}; store(s[W], fc, 16); __syncwarp(); for (int i = 0; i < 8; i++) c[blockIdx.x * 1024 + threadIdx.x + 128 * i] = s[W][L + 32 * i]; }
__global__ void race_staged(float *c) { __shared__ float s[4][256]; frag_c fc = {}; store(s[W], fc, 16); for (int i = 0; i < 8; i++) c[blockIdx.x * 1024 + threadIdx.x + 128 * i] = s[W][L + 32 * i]; }
__global__ void proved_filled(float *c, const half_bits *a) { __shared__ half_bits s[256]; frag_a f; s[threadIdx.x] = a[threadIdx.x]; s[threadIdx.x + 128] = a[threadIdx.x + 128]; __syncthreads(); load_a(f, s, 16); c[blockIdx.x * 128 + threadIdx.x] = f.x[0]; }
__global__ void race_filled(float *c, const half_bits *a) { __shared__ half_bits s[256]; frag_a f; s[threadIdx.x] = a[threadIdx.x]; s[threadIdx.x + 128] = a[threadIdx.x + 128]; load_a(f, s, 16); c[blockIdx.x * 128 + threadIdx.x] = f.x[0]; }
__global__ void race_filled_by_warp(float *c, const half_bits *a) { __shared__ half_bits s[4][256]; frag_a f; for (int i = 0; i < 8; i++) s[W][L + 32 * i] = a[L + 32 * i]; load_a(f, s[W], 16); c[blockIdx.x * 128 + threadIdx.x] = f.x[0]; }
__global__ void proved_filled_by_warp(float *c, const half_bits *a) { __shared__ half_bits s[4][256]; frag_a f; for (int i = 0; i < 8; i++) s[W][L + 32 * i] = a[L + 32 * i]; __syncwarp(); load_a(f, s[W], 16); c[blockIdx.x * 128 + threadIdx.x] = f.x[0]; }
__global__ void race_bounds(float *c) { __shared__ float s[255]; frag_c fc = {}; if (W == 0) store(s, fc, 16); c[blockIdx.x * 128 + threadIdx.x] = 0; }
__global__ void race_bounds_extent(float *c GS_EXTENT(n), int n) { frag_c fc = {}; int w = blockIdx.x * 4 + W; if (w * 256 < n) store(c + w * 256, fc, 16); }

// ---- rows that the lanes point to
__global__ void proved_ldmatrix(int *o) { __shared__ half_bits s[4][8 * 8 * 4]; for (int i = 0; i < 8; i++) s[W][L * 8 + i] = i; __syncwarp(); int r[4]; asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(shared(&s[W][L * 8]))); o[blockIdx.x * 128 + threadIdx.x] = r[0] + r[3]; }
// Each lane wrote its own row, and others read it.
__global__ void race_ldmatrix(int *o) { __shared__ half_bits s[4][8 * 8 * 4]; for (int i = 0; i < 8; i++) s[W][L * 8 + i] = i; int r[4]; asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(shared(&s[W][L * 8]))); o[blockIdx.x * 128 + threadIdx.x] = r[0] + r[3]; }
__global__ void proved_ldmatrix_two(int *o) { __shared__ half_bits s[4][8 * 8 * 2]; s[W][L] = 1; s[W][L + 32] = 1; s[W][L + 64] = 1; s[W][L + 96] = 2; __syncwarp(); int r[2]; asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];" : "=r"(r[0]), "=r"(r[1]) : "r"(shared(&s[W][L * 8]))); o[blockIdx.x * 128 + threadIdx.x] = r[0]; }
__global__ void race_ldmatrix_other_warp(int *o) { __shared__ half_bits s[4][8 * 8 * 4]; for (int i = 0; i < 8; i++) s[W][L * 8 + i] = i; __syncwarp(); int r[4]; asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(shared(&s[W ^ 1][L * 8]))); o[blockIdx.x * 128 + threadIdx.x] = r[0] + r[3]; }
__global__ void proved_stmatrix(int *o) { __shared__ half_bits s[4][8 * 8 * 4]; asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1,%2,%3,%4};" ::"r"(shared(&s[W][L * 8])), "r"(1), "r"(2), "r"(3), "r"(4) : "memory"); __syncwarp(); o[blockIdx.x * 128 + threadIdx.x] = s[W][L * 8]; }
__global__ void race_stmatrix(int *o) { __shared__ half_bits s[4][8 * 8 * 4]; asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1,%2,%3,%4};" ::"r"(shared(&s[W][L * 8])), "r"(1), "r"(2), "r"(3), "r"(4) : "memory"); o[blockIdx.x * 128 + threadIdx.x] = s[W][L * 8]; }
__global__ void race_stmatrix_overlaps(int *o) { __shared__ half_bits s[8 * 8 * 16]; asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1,%2,%3,%4};" ::"r"(shared(&s[W * 128 + L * 8])), "r"(1), "r"(2), "r"(3), "r"(4) : "memory"); o[blockIdx.x * 128 + threadIdx.x] = 0; }

// ---- as inline PTX; registers only; not known
__global__ void proved_wmma_asm(float *c, unsigned n) { int w = blockIdx.x * 4 + W; float r = 0; asm volatile("wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%0], {%1,%1,%1,%1,%1,%1,%1,%1}, %2;" ::"l"(c + w * 256), "f"(r), "r"(16) : "memory"); }
__global__ void race_wmma_asm(float *c, unsigned n) { int w = blockIdx.x * 4 + W; float r = 0; asm volatile("wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%0], {%1,%1,%1,%1,%1,%1,%1,%1}, %2;" ::"l"(c + w * 240), "f"(r), "r"(16) : "memory"); }
__global__ void proved_mma_asm(float *c) { float d[4] = {}; asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(1), "r"(2), "r"(3)); c[blockIdx.x * 128 + threadIdx.x] = d[0]; }
__global__ void unknown_wgmma(float *c, unsigned long long a, unsigned long long b) { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); c[blockIdx.x * 128 + threadIdx.x] = 0; }
__global__ void unknown_shape(int *o) { __shared__ half_bits s[1024]; int r = 0; asm volatile("ldmatrix.sync.aligned.m8n16.x1.shared.b8x16.b6x16_p32 {%0}, [%1];" : "=r"(r) : "r"(shared(s + L * 8))); o[blockIdx.x * 128 + threadIdx.x] = r; }
