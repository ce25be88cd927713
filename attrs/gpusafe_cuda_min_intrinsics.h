// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Device intrinsics of gpusafe_cuda_min.h, which includes this; not for use alone. The list
/// is that of the CUDA C++ Programming Guide and of the integer, SIMD and type casting
/// intrinsics of the CUDA Math API; floating-point ones are in gpusafe_cuda_min_math.h.
#ifndef GPUSAFE_CUDA_MIN_INTRINSICS_H
#define GPUSAFE_CUDA_MIN_INTRINSICS_H

// ------------------------------------------------------------------ warps ----

#define GS_MIN_MATCH(type, bits, as)                                                           \
  GS_MIN_DEVICE unsigned __match_any_sync(unsigned mask, type v) {                             \
    return __nvvm_match_any_sync_i##bits(mask, as);                                            \
  }                                                                                            \
  GS_MIN_DEVICE unsigned __match_all_sync(unsigned mask, type v, int *same) {                  \
    return __nvvm_match_all_sync_i##bits##p(mask, as, same);                                   \
  }
GS_MIN_MATCH(int, 32, (unsigned)v)
GS_MIN_MATCH(unsigned, 32, v)
GS_MIN_MATCH(long, 64, (unsigned long long)v)
GS_MIN_MATCH(unsigned long, 64, (unsigned long long)v)
GS_MIN_MATCH(long long, 64, (unsigned long long)v)
GS_MIN_MATCH(unsigned long long, 64, v)
GS_MIN_MATCH(float, 32, __builtin_bit_cast(unsigned, v))
GS_MIN_MATCH(double, 64, __builtin_bit_cast(unsigned long long, v))
#undef GS_MIN_MATCH

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define GS_MIN_REDUCE(name, type, op)                                                          \
  GS_MIN_DEVICE type __reduce_##name##_sync(unsigned mask, type v) {                           \
    return (type)__nvvm_redux_sync_##op((int)v, (int)mask);                                    \
  }
GS_MIN_REDUCE(add, int, add)
GS_MIN_REDUCE(add, unsigned, add)
GS_MIN_REDUCE(min, int, min)
GS_MIN_REDUCE(min, unsigned, umin)
GS_MIN_REDUCE(max, int, max)
GS_MIN_REDUCE(max, unsigned, umax)
GS_MIN_REDUCE(and, unsigned, and)
GS_MIN_REDUCE(or, unsigned, or)
GS_MIN_REDUCE(xor, unsigned, xor)
#undef GS_MIN_REDUCE
#endif

GS_MIN_DEVICE unsigned __fns(unsigned mask, unsigned base, int offset) {
  return __nvvm_fns(mask, base, offset);
}
GS_MIN_DEVICE void __barrier_sync(unsigned id) { __nvvm_barrier_sync(id); }
GS_MIN_DEVICE void __barrier_sync_count(unsigned id, unsigned count) {
  __nvvm_barrier_sync_cnt(id, count);
}

// ------------------------------------------------------------- the thread ----

GS_MIN_DEVICE void __trap(void) { asm volatile("trap;"); }
GS_MIN_DEVICE void __brkpt(void) { asm volatile("brkpt;"); }
GS_MIN_DEVICE void __exit(void) { __nvvm_exit(); }
GS_MIN_DEVICE void __nanosleep(unsigned ns) { __nvvm_nanosleep(ns); }
GS_MIN_DEVICE long clock(void) { return __nvvm_read_ptx_sreg_clock(); }
GS_MIN_DEVICE long long clock64(void) { return __nvvm_read_ptx_sreg_clock64(); }
#define __prof_trigger(n) asm volatile("pmevent \t%0;" ::"i"(n))

// -------------------------------------------------------- address spaces ----

GS_MIN_DEVICE unsigned __isGlobal(const void *p) { return __nvvm_isspacep_global(p); }
GS_MIN_DEVICE unsigned __isShared(const void *p) { return __nvvm_isspacep_shared(p); }
GS_MIN_DEVICE unsigned __isConstant(const void *p) { return __nvvm_isspacep_const(p); }
GS_MIN_DEVICE unsigned __isLocal(const void *p) { return __nvvm_isspacep_local(p); }

#define GS_MIN_SPACE(name, number)                                                             \
  GS_MIN_DEVICE size_t __cvta_generic_to_##name(const void *p) {                               \
    return (size_t)(void __attribute__((address_space(number))) *)p;                           \
  }                                                                                            \
  GS_MIN_DEVICE void *__cvta_##name##_to_generic(size_t p) {                                   \
    return (void *)(void __attribute__((address_space(number))) *)p;                           \
  }
GS_MIN_SPACE(global, 1)
GS_MIN_SPACE(shared, 3)
GS_MIN_SPACE(constant, 4)
GS_MIN_SPACE(local, 5)
#undef GS_MIN_SPACE

// ------------------------------------------------------- blocks of a cluster ----

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
GS_MIN_DEVICE dim3 __clusterDim(void) {
  return dim3(__nvvm_read_ptx_sreg_cluster_nctaid_x(), __nvvm_read_ptx_sreg_cluster_nctaid_y(),
              __nvvm_read_ptx_sreg_cluster_nctaid_z());
}
GS_MIN_DEVICE dim3 __clusterRelativeBlockIdx(void) {
  return dim3(__nvvm_read_ptx_sreg_cluster_ctaid_x(), __nvvm_read_ptx_sreg_cluster_ctaid_y(),
              __nvvm_read_ptx_sreg_cluster_ctaid_z());
}
GS_MIN_DEVICE dim3 __clusterGridDimInClusters(void) {
  return dim3(__nvvm_read_ptx_sreg_nclusterid_x(), __nvvm_read_ptx_sreg_nclusterid_y(),
              __nvvm_read_ptx_sreg_nclusterid_z());
}
GS_MIN_DEVICE dim3 __clusterIdx(void) {
  return dim3(__nvvm_read_ptx_sreg_clusterid_x(), __nvvm_read_ptx_sreg_clusterid_y(),
              __nvvm_read_ptx_sreg_clusterid_z());
}
GS_MIN_DEVICE unsigned __clusterRelativeBlockRank(void) { return __nvvm_read_ptx_sreg_cluster_ctarank(); }
GS_MIN_DEVICE unsigned __clusterSizeInBlocks(void) { return __nvvm_read_ptx_sreg_cluster_nctarank(); }
GS_MIN_DEVICE unsigned __clusterDimIsSpecified(void) { return __nvvm_is_explicit_cluster(); }
GS_MIN_DEVICE void __cluster_barrier_arrive(void) { __nvvm_barrier_cluster_arrive(); }
GS_MIN_DEVICE void __cluster_barrier_arrive_relaxed(void) { __nvvm_barrier_cluster_arrive_relaxed(); }
GS_MIN_DEVICE void __cluster_barrier_wait(void) { __nvvm_barrier_cluster_wait(); }
GS_MIN_DEVICE void *__cluster_map_shared_rank(const void *p, unsigned rank) {
  return __nvvm_mapa((void *)p, (int)rank);
}
GS_MIN_DEVICE unsigned __cluster_query_shared_rank(const void *p) {
  return (unsigned)__nvvm_getctarank((void *)p);
}
GS_MIN_DEVICE void __threadfence_cluster(void) { __nvvm_fence_sc_cluster(); }
#endif

// --------------------------------------------------------------- integers ----

GS_MIN_DEVICE unsigned __byte_perm(unsigned a, unsigned b, unsigned s) {
  return __nvvm_prmt(a, b, s);
}
GS_MIN_DEVICE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned n) {
  n &= 31;
  return n ? high << n | low >> (32 - n) : high;
}
GS_MIN_DEVICE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned n) {
  n &= 31;
  return n ? low >> n | high << (32 - n) : low;
}
GS_MIN_DEVICE unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned n) {
  return n >= 32 ? low : __funnelshift_l(low, high, n);
}
GS_MIN_DEVICE unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned n) {
  return n >= 32 ? high : __funnelshift_r(low, high, n);
}
GS_MIN_DEVICE int __hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
GS_MIN_DEVICE int __rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
GS_MIN_DEVICE unsigned __uhadd(unsigned a, unsigned b) {
  return (unsigned)(((unsigned long long)a + b) >> 1);
}
GS_MIN_DEVICE unsigned __urhadd(unsigned a, unsigned b) {
  return (unsigned)(((unsigned long long)a + b + 1) >> 1);
}
GS_MIN_DEVICE unsigned __sad(int a, int b, unsigned c) {
  return (a > b ? (unsigned)a - (unsigned)b : (unsigned)b - (unsigned)a) + c;
}
GS_MIN_DEVICE unsigned __usad(unsigned a, unsigned b, unsigned c) {
  return (a > b ? a - b : b - a) + c;
}
GS_MIN_DEVICE long long __mul64hi(long long a, long long b) {
  return (long long)(((__int128)a * b) >> 64);
}
GS_MIN_DEVICE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return (unsigned long long)(((unsigned __int128)a * b) >> 64);
}
GS_MIN_DEVICE unsigned __float_as_uint(float a) { return __builtin_bit_cast(unsigned, a); }
GS_MIN_DEVICE float __uint_as_float(unsigned a) { return __builtin_bit_cast(float, a); }
GS_MIN_DEVICE long long __double_as_longlong(double a) { return __builtin_bit_cast(long long, a); }
GS_MIN_DEVICE double __longlong_as_double(long long a) { return __builtin_bit_cast(double, a); }
GS_MIN_DEVICE int __double2hiint(double a) { return (int)(__double_as_longlong(a) >> 32); }
GS_MIN_DEVICE int __double2loint(double a) { return (int)__double_as_longlong(a); }
GS_MIN_DEVICE double __hiloint2double(int high, int low) {
  return __longlong_as_double((long long)((unsigned long long)(unsigned)high << 32 | (unsigned)low));
}

#define GS_MIN_DOT(name, op, type)                                                             \
  GS_MIN_DEVICE type name(type a, type b, type c) {                                            \
    type r;                                                                                    \
    asm(op " %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));                             \
    return r;                                                                                  \
  }
GS_MIN_DOT(__dp4a, "dp4a.s32.s32", int)
GS_MIN_DOT(__dp4a, "dp4a.u32.u32", unsigned)
GS_MIN_DOT(__dp2a_lo, "dp2a.lo.s32.s32", int)
GS_MIN_DOT(__dp2a_lo, "dp2a.lo.u32.u32", unsigned)
GS_MIN_DOT(__dp2a_hi, "dp2a.hi.s32.s32", int)
GS_MIN_DOT(__dp2a_hi, "dp2a.hi.u32.u32", unsigned)
#undef GS_MIN_DOT
GS_MIN_DEVICE int __dp4a(char4 a, char4 b, int c) {
  return __dp4a(__builtin_bit_cast(int, a), __builtin_bit_cast(int, b), c);
}
GS_MIN_DEVICE unsigned __dp4a(uchar4 a, uchar4 b, unsigned c) {
  return __dp4a(__builtin_bit_cast(unsigned, a), __builtin_bit_cast(unsigned, b), c);
}

// ---------------------------------------------------------- words of lanes ----
// Halves and bytes of a word. What they compute is not followed, only that they touch no memory.

#define GS_MIN_SIMD2(name, op)                                                                 \
  GS_MIN_DEVICE unsigned name(unsigned a, unsigned b) {                                        \
    unsigned r;                                                                                \
    asm(op " %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(0));                             \
    return r;                                                                                  \
  }
#define GS_MIN_SIMD(n)                                                                         \
  GS_MIN_SIMD2(__vadd##n, "vadd" #n ".u32.u32.u32")                                            \
  GS_MIN_SIMD2(__vaddss##n, "vadd" #n ".s32.s32.s32.sat")                                      \
  GS_MIN_SIMD2(__vaddus##n, "vadd" #n ".u32.u32.u32.sat")                                      \
  GS_MIN_SIMD2(__vsub##n, "vsub" #n ".u32.u32.u32")                                            \
  GS_MIN_SIMD2(__vsubss##n, "vsub" #n ".s32.s32.s32.sat")                                      \
  GS_MIN_SIMD2(__vsubus##n, "vsub" #n ".u32.u32.u32.sat")                                      \
  GS_MIN_SIMD2(__vabsdiffs##n, "vabsdiff" #n ".s32.s32.s32")                                   \
  GS_MIN_SIMD2(__vabsdiffu##n, "vabsdiff" #n ".u32.u32.u32")                                   \
  GS_MIN_SIMD2(__vavgs##n, "vavrg" #n ".s32.s32.s32")                                          \
  GS_MIN_SIMD2(__vavgu##n, "vavrg" #n ".u32.u32.u32")                                          \
  GS_MIN_SIMD2(__vhaddu##n, "vavrg" #n ".u32.u32.u32")                                         \
  GS_MIN_SIMD2(__vmaxs##n, "vmax" #n ".s32.s32.s32")                                           \
  GS_MIN_SIMD2(__vmaxu##n, "vmax" #n ".u32.u32.u32")                                           \
  GS_MIN_SIMD2(__vmins##n, "vmin" #n ".s32.s32.s32")                                           \
  GS_MIN_SIMD2(__vminu##n, "vmin" #n ".u32.u32.u32")                                           \
  GS_MIN_SIMD2(__vsads##n, "vabsdiff" #n ".s32.s32.s32.add")                                   \
  GS_MIN_SIMD2(__vsadu##n, "vabsdiff" #n ".u32.u32.u32.add")                                   \
  GS_MIN_COMPARE(n, eq, "u32.u32.eq")                                                          \
  GS_MIN_COMPARE(n, ne, "u32.u32.ne")                                                          \
  GS_MIN_COMPARE(n, ges, "s32.s32.ge")                                                         \
  GS_MIN_COMPARE(n, geu, "u32.u32.ge")                                                         \
  GS_MIN_COMPARE(n, gts, "s32.s32.gt")                                                         \
  GS_MIN_COMPARE(n, gtu, "u32.u32.gt")                                                         \
  GS_MIN_COMPARE(n, les, "s32.s32.le")                                                         \
  GS_MIN_COMPARE(n, leu, "u32.u32.le")                                                         \
  GS_MIN_COMPARE(n, lts, "s32.s32.lt")                                                         \
  GS_MIN_COMPARE(n, ltu, "u32.u32.lt")                                                         \
  GS_MIN_DEVICE unsigned __vabs##n(unsigned a) { return __vabsdiffs##n(a, 0); }                \
  GS_MIN_DEVICE unsigned __vabsss##n(unsigned a) { return __vabsdiffs##n(a, 0); }              \
  GS_MIN_DEVICE unsigned __vneg##n(unsigned a) { return __vsub##n(0, a); }                     \
  GS_MIN_DEVICE unsigned __vnegss##n(unsigned a) { return __vsubss##n(0, a); }
#define GS_MIN_COMPARE(n, name, op)                                                            \
  GS_MIN_SIMD2(__vset##name##n, "vset" #n "." op)                                              \
  GS_MIN_DEVICE unsigned __vcmp##name##n(unsigned a, unsigned b) {                             \
    return __vset##name##n(a, b) * (n == 2 ? 0xffffu : 0xffu);                                 \
  }
GS_MIN_SIMD(2)
GS_MIN_SIMD(4)
#undef GS_MIN_COMPARE
#undef GS_MIN_SIMD
#undef GS_MIN_SIMD2

// ------------------------------------------------- loads and stores with hints ----
// Hints for caches: to the analysis plain loads and stores.

#define GS_MIN_HINTS(type)                                                                     \
  GS_MIN_LOADS(type)                                                                           \
  GS_MIN_DEVICE void __stwb(type *p, type v) { *p = v; }                                       \
  GS_MIN_DEVICE void __stcg(type *p, type v) { *p = v; }                                       \
  GS_MIN_DEVICE void __stcs(type *p, type v) { *p = v; }                                       \
  GS_MIN_DEVICE void __stwt(type *p, type v) { *p = v; }
#define GS_MIN_LOADS(type)                                                                     \
  GS_MIN_DEVICE type __ldca(const type *p) { return *p; }                                      \
  GS_MIN_DEVICE type __ldcg(const type *p) { return *p; }                                      \
  GS_MIN_DEVICE type __ldcs(const type *p) { return *p; }                                      \
  GS_MIN_DEVICE type __ldlu(const type *p) { return *p; }                                      \
  GS_MIN_DEVICE type __ldcv(const type *p) { return *p; }
#define GS_MIN_VECTORS(name)                                                                   \
  GS_MIN_HINTS(name##2)                                                                        \
  GS_MIN_HINTS(name##4)                                                                        \
  GS_MIN_DEVICE name##2 __ldg(const name##2 *p) { return *p; }                                 \
  GS_MIN_DEVICE name##4 __ldg(const name##4 *p) { return *p; }
#define GS_MIN_PAIRS(name)                                                                     \
  GS_MIN_HINTS(name##2)                                                                        \
  GS_MIN_DEVICE name##2 __ldg(const name##2 *p) { return *p; }
GS_MIN_HINTS(char)
GS_MIN_HINTS(signed char)
GS_MIN_HINTS(short)
GS_MIN_HINTS(int)
GS_MIN_HINTS(long)
GS_MIN_HINTS(long long)
GS_MIN_HINTS(unsigned char)
GS_MIN_HINTS(unsigned short)
GS_MIN_HINTS(unsigned int)
GS_MIN_HINTS(unsigned long)
GS_MIN_HINTS(unsigned long long)
GS_MIN_HINTS(float)
GS_MIN_HINTS(double)
GS_MIN_VECTORS(char)
GS_MIN_VECTORS(short)
GS_MIN_VECTORS(int)
GS_MIN_VECTORS(uchar)
GS_MIN_VECTORS(ushort)
GS_MIN_VECTORS(uint)
GS_MIN_VECTORS(float)
GS_MIN_PAIRS(longlong)
GS_MIN_PAIRS(ulonglong)
GS_MIN_PAIRS(double)
GS_MIN_DEVICE signed char __ldg(const signed char *p) { return *p; }
#undef GS_MIN_PAIRS
#undef GS_MIN_VECTORS
#undef GS_MIN_LOADS
#undef GS_MIN_HINTS

#endif
