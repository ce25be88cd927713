// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inline PTX: what its opcodes do to memory, and index registers.
// REQUIRES: clang
// RUN: %python %S/verdicts.py %s %gpusafe --verify

#define T (blockIdx.x * blockDim.x + threadIdx.x)
static __device__ unsigned shared_address(const void *p) {
  return (unsigned)(size_t)(const void __attribute__((address_space(3))) *)p;
}

// Loads and stores have the size of their type.
__global__ void proved_store(float *o) { asm volatile("st.global.f32 [%0], %1;" ::"l"(o + T), "f"(1.0f) : "memory"); }
__global__ void race_store(float *o) { asm volatile("st.global.f32 [%0], %1;" ::"l"(o + T / 2), "f"((float)T) : "memory"); }
__global__ void race_store_wide(float *o) { asm volatile("st.global.v2.f32 [%0], {%1, %1};" ::"l"(o + 2 * (T / 2) + T % 2), "f"((float)T) : "memory"); }
__global__ void proved_store_wide(float *o) { asm volatile("st.global.v2.f32 [%0], {%1, %1};" ::"l"(o + 2 * T), "f"((float)T) : "memory"); }
__global__ void race_store_offset(int *o) { asm volatile("st.global.b32 [%0+4], %1;\n st.global.b32 [%0], %1;" ::"l"(o + T), "r"(T) : "memory"); }
__global__ void proved_store_offset(int *o) { asm volatile("{ st.global.b32 [%0 + 4], %1;\n\t st.global.b32 [%0], %1; }" ::"l"(o + 2 * T), "r"(T) : "memory"); }
__global__ void race_store_short(short *o) { asm volatile("st.global.u32 [%0], %1;" ::"l"(o + T), "r"(T) : "memory"); }
__global__ void proved_load(const float *a, float *o) { float v; asm("ld.global.nc.f32 %0, [%1];" : "=f"(v) : "l"(a + T + 1)); o[T] = v; }
__global__ void race_load(float *a) { float v; asm volatile("ld.global.cg.f32 %0, [%1];" : "=f"(v) : "l"(a + T + 1)); a[T] = v; }
__global__ void race_load_vector(float *a) { float x, y; asm volatile("ld.global.L1::no_allocate.L2::128B.v2.f32 {%0, %1}, [%2];" : "=f"(x), "=f"(y) : "l"(a + T)); a[T] = x + y; }
__global__ void proved_load_vector(const float *a, float *o) { float x, y; asm volatile("ld.global.L1::no_allocate.L2::128B.v2.f32 {%0, %1}, [%2];" : "=f"(x), "=f"(y) : "l"(a + T)); o[T] = x + y; }
// An index that is loaded so is a value like any other.
__global__ void proved_gather(const int *at, const float *a, float *o) { int i; asm("ld.global.nc.b32 %0, [%1];" : "=r"(i) : "l"(at + T)); o[T] = a[i]; }
__global__ void refused_scatter(const int *at, float *o) { int i; asm("ld.global.nc.b32 %0, [%1];" : "=r"(i) : "l"(at + T)); o[i] = T; }

// Atomics, by scope.
__global__ void proved_red(int *o) { asm volatile("red.global.add.u32 [%0], %1;" ::"l"(o), "r"(1) : "memory"); }
__global__ void proved_red_gpu(int *o) { asm volatile("red.relaxed.gpu.global.add.s32 [%0], %1;" ::"l"(o), "r"(1) : "memory"); }
__global__ void race_red_cta(int *o) { asm volatile("red.relaxed.cta.global.add.s32 [%0], %1;" ::"l"(o), "r"(1) : "memory"); }
__global__ void proved_red_cta_shared(int *o) { __shared__ int s; asm volatile("red.relaxed.cta.shared.add.s32 [%0], %1;" ::"r"(shared_address(&s)), "r"(1) : "memory"); o[T] = 1; }
__global__ void race_red_plain(int *o) { asm volatile("red.global.add.u32 [%0], %1;" ::"l"(o), "r"(1) : "memory"); if (T == 0) o[0] = 1; }
__global__ void proved_atom(int *o) { int old; asm volatile("atom.global.cas.b32 %0, [%1], %2, %3;" : "=r"(old) : "l"(o + T / 2), "r"(0), "r"(1) : "memory"); }
__global__ void race_atom_sizes(int *o) { asm volatile("red.global.add.u64 [%0], %1;" ::"l"(o), "l"(1ull) : "memory"); asm volatile("red.global.add.u32 [%0], %1;" ::"l"(o), "r"(1) : "memory"); }

// Shared memory: 32-bit addresses, conversions inside and outside of the text.
__global__ void proved_shared(int *o) { __shared__ int s[1024]; asm volatile("st.shared.b32 [%0], %1;" ::"r"(shared_address(s + threadIdx.x)), "r"(T) : "memory"); __syncthreads(); o[T] = s[blockDim.x - 1 - threadIdx.x]; }
__global__ void race_shared(int *o) { __shared__ int s[1024]; asm volatile("st.shared.b32 [%0], %1;" ::"r"(shared_address(s + threadIdx.x)), "r"(T) : "memory"); o[T] = s[blockDim.x - 1 - threadIdx.x]; }
__global__ void proved_shared_sum(int *o) { __shared__ int s[1024]; unsigned base = shared_address(s); asm volatile("st.shared.b32 [%0], %1;" ::"r"(base + threadIdx.x * 4), "r"(T) : "memory"); __syncthreads(); o[T] = s[blockDim.x - 1 - threadIdx.x]; }
__global__ void race_shared_sum(int *o) { __shared__ int s[1024]; unsigned base = shared_address(s); asm volatile("st.shared.b32 [%0], %1;" ::"r"(base + threadIdx.x * 2), "r"(T) : "memory"); __syncthreads(); o[T] = s[blockDim.x - 1 - threadIdx.x]; }
__global__ void proved_shared_inside(int *o) { __shared__ int s[1024]; asm volatile("{ .reg .u64 t; .reg .u32 a; cvta.to.shared.u64 t, %0; cvt.u32.u64 a, t; st.shared.b32 [a], %1; }" ::"l"(s + threadIdx.x), "r"(T) : "memory"); __syncthreads(); o[T] = s[blockDim.x - 1 - threadIdx.x]; }
__global__ void race_shared_inside(int *o) { __shared__ int s[1024]; asm volatile("{ .reg .u64 t; cvta.to.shared.u64 t, %0; st.shared.b32 [t+4], %1; }" ::"l"(s + threadIdx.x), "r"(T) : "memory"); o[T] = s[threadIdx.x]; }
__global__ void unknown_computed(int *o) { asm volatile("{ .reg .u64 t; add.u64 t, %0, %0; st.global.b32 [t], 0; }" ::"l"(o + T) : "memory"); }
__global__ void unknown_split(int *o) { asm volatile("{ .reg .b32 a, b; .reg .b64 t; mov.b64 {a, b}, %0; mov.b64 t, {b, a}; st.global.b32 [t], a; }" ::"l"(o + T) : "memory"); }
// A register that was overwritten no longer holds the operand.
__global__ void unknown_overwritten(int *o, int *p) { asm volatile("{ .reg .u64 t; mov.u64 t, %0; ld.global.u64 t, [t]; st.global.b32 [t], 0; }" ::"l"(o + T) : "memory"); }
__global__ void proved_tied(int *o) { int *p = o + T; asm volatile("st.global.b32 [%0], 0;" : "+l"(p)::"memory"); }
__global__ void race_tied(int *o) { int *p = o + T / 2; asm volatile("st.global.b32 [%0], %1;" : "+l"(p) : "r"(T) : "memory"); }

// A predicate may keep an access from happening, and not more.
__global__ void proved_predicated(int *o, int n) { asm volatile("{ .reg .pred p; setp.lt.s32 p, %1, %2; @p st.global.b32 [%0], 0; }" ::"l"(o + T), "r"(T), "r"(n) : "memory"); }
__global__ void possible_predicated(int *o, int n) { asm volatile("{ .reg .pred p; setp.ne.b32 p, %1, 0; @!p st.global.b32 [%0], %2; }" ::"l"(o + T / 2), "r"(n), "r"(T) : "memory"); }

// Registers of the index.
__global__ void proved_tid(int *o) { unsigned t, b, n; asm("mov.u32 %0, %%tid.x;" : "=r"(t)); asm("mov.u32 %0, %%ctaid.x;" : "=r"(b)); asm("mov.u32 %0, %%ntid.x;" : "=r"(n)); o[b * n + t] = 1; }
__global__ void race_tid(int *o) { unsigned t; asm volatile("mov.u32 %0, %%tid.x;" : "=r"(t)); o[t] = blockIdx.x; }
__global__ void proved_lane(int *o) { unsigned lane; asm("mov.u32 %0, %%laneid;" : "=r"(lane)); o[blockIdx.x * blockDim.x + threadIdx.x / 32 * 32 + lane] = 1; }
__global__ void possible_lane(int *o) { __shared__ int s[32]; unsigned lane; asm("mov.u32 %0, %%laneid;" : "=r"(lane)); s[lane] = T; o[T] = 1; }
__global__ void possible_clock(int *o) { unsigned c; asm volatile("mov.u32 %0, %%clock;" : "=r"(c)); o[c] = T; }
__global__ void possible_smid(int *o) { unsigned s; asm volatile("mov.u32 %0, %%smid;" : "=r"(s)); o[s] = T; }

// Volatile and strong accesses.
__global__ void race_volatile(int *o) { asm volatile("st.volatile.global.b32 [%0], %1;" ::"l"(o), "r"(T) : "memory"); }
__global__ void proved_relaxed(int *o) { asm volatile("st.relaxed.gpu.global.b32 [%0], %1;" ::"l"(o), "r"(T) : "memory"); }
__global__ void race_relaxed_cta(int *o) { asm volatile("st.relaxed.cta.global.b32 [%0], %1;" ::"l"(o), "r"(T) : "memory"); }
__global__ void possible_release(int *f, int *d) { if (T == 0) { d[0] = 1; asm volatile("st.release.gpu.global.b32 [%0], 1;" ::"l"(f) : "memory"); } else { int v; asm volatile("ld.acquire.gpu.global.b32 %0, [%1];" : "=r"(v) : "l"(f) : "memory"); if (v) f[T] = d[0]; } }

// What is not understood is said.
__global__ void unknown_bulk(int *o) { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); o[T] = 1; }
__global__ void unknown_mbarrier(int *o) { __shared__ unsigned long long b; asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(shared_address(&b)) : "memory"); o[T] = 1; }
__global__ void unknown_jump(int *o) { asm volatile("{ L: bra L; }"); o[T] = 1; }
