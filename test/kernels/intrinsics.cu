// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device intrinsics without a toolkit: the bundled declarations have them, and the analysis
// knows what they touch.
// REQUIRES: clang
// RUN: %python %S/verdicts.py %s %gpusafe --verify

#define T (blockIdx.x * blockDim.x + threadIdx.x)
__global__ void proved_warp(unsigned *o, const int *a) {
  int same = 0;
  unsigned m = __match_any_sync(~0u, a[T]) + __match_any_sync(~0u, 2.0f);
  m += __match_all_sync(~0u, (long long)T, &same) + __match_all_sync(~0u, 1.0, &same);
  m += __reduce_add_sync(~0u, m) + __reduce_max_sync(~0u, a[T]) + __reduce_or_sync(~0u, m) + __fns(m, 0, 1);
  o[T] = m + same;
}
__global__ void race_warp(unsigned *o, const int *a) { o[T] = __reduce_add_sync(~0u, a[T]); o[T + 1] = 0; }
__global__ void proved_integers(unsigned *o, const unsigned *a) {
  unsigned m = a[T];
  m += __byte_perm(m, 1, 0x3210) + __funnelshift_l(m, 1, 3) + __funnelshift_r(m, 1, m) + __funnelshift_lc(m, 1, m) + __funnelshift_rc(m, 1, 40);
  m += __dp4a(1, 2, 3) + __dp2a_lo(1u, m, 3u) + __dp2a_hi(1, 2, 3) + __sad(1, 2, 3) + __usad(m, 2, 3);
  m += __hadd(1, 2) + __rhadd(1, 2) + __uhadd(m, 2) + __urhadd(1, 2) + __mul64hi(m, 2) + __umul64hi(m, 2);
  o[T] = m;
}
__global__ void proved_funnel_index(int *o) { o[__funnelshift_l(0, T, 2)] = T; }
__global__ void race_funnel_index(int *o) { o[__funnelshift_r(T, 0, 2)] = T; }
__global__ void proved_lanes(unsigned *o, const unsigned *a) {
  unsigned m = a[T], n = a[T + 1];
  m += __vadd2(m, n) + __vsub4(m, n) + __vabsdiffu4(m, n) + __vmaxs2(m, n) + __vminu4(m, n) + __vavgu2(m, n) + __vhaddu4(m, n);
  m += __vcmpeq4(m, n) + __vcmpgts2(m, n) + __vsetleu4(m, n) + __vsads2(m, n) + __vaddus4(m, n) + __vneg2(m) + __vabs4(m);
  o[T] = m;
}
__global__ void proved_casts(float *o, const float *a, const double *b) {
  unsigned m = __float_as_uint(a[T]) + __double2hiint(b[T]) + __double2loint(b[T]) + (unsigned)__double_as_longlong(b[T]);
  o[T] = __uint_as_float(m) + (float)__hiloint2double(1, m) + (float)__longlong_as_double(m);
}
__global__ void proved_floats(float *o, const float *a) {
  float x = a[T], s, c;
  double d = __fma_rn(x, x, x) + __dadd_rz(x, 1) + __int2double_rn(3) + __drcp_rn(x);
  sincosf(x, &s, &c);
  __sincosf(x, &s, &c);
  x += __fadd_rn(x, 1) + __fmaf_rz(x, x, x) + __frsqrt_rn(x) + __saturatef(x) + sinpif(x) + ldexpf(x, 2) + norm3df(1, 2, 3);
  x += __float2int_rn(x) + __double2uint_rz(d) + llroundf(x) + isnan(x) + isinf(d) + erfcf(x) + lgammaf(x) + copysignf(x, s);
  o[T] = x + s + c;
}
__global__ void race_floats(float *o) { sincosf(1, &o[T], &o[T + 1]); }
__global__ void proved_hints(float *o, const float *a, float4 *p, const float4 *q) { __stcs(o + T, __ldcg(a + T) + __ldca(a) + __ldcv(a + 1)); __stwt(p + T, __ldg(q + T)); }
__global__ void race_hints(float *o) { __stcg(o + T, __ldcs(o + T + 1)); }
__global__ void proved_trap(int *o, int n) { if (T >= n) __trap(); __nanosleep(10); __prof_trigger(1); o[T] = clock() + (int)clock64(); }
__global__ void proved_spaces(int *o) { __shared__ int s[1024]; s[threadIdx.x] = __isShared(s) + __isGlobal(o) + (int)__cvta_generic_to_shared(s); o[T] = s[threadIdx.x]; }
__global__ void proved_space_known(int *o) { if (__isGlobal(o)) o[T] = 1; else o[0] = T; }
__global__ void race_space_known(int *o) { if (__isShared(o)) o[T] = 1; else o[0] = T; }
__global__ void proved_numbered(int *o) { __shared__ int s[1024]; s[threadIdx.x] = 1; __barrier_sync(0); o[T] = s[threadIdx.x ^ 1]; }
__global__ void race_numbered(int *o) { __shared__ int s[1024]; s[threadIdx.x] = T; o[T] = s[threadIdx.x ^ 1]; __barrier_sync(0); }
__global__ void proved_cluster(int *o) { __shared__ int s[1024]; s[threadIdx.x] = __clusterRelativeBlockRank(); __cluster_barrier_arrive(); __cluster_barrier_wait(); o[T] = s[threadIdx.x ^ 1]; }
__global__ void race_cluster(int *o) { __shared__ int s[1024]; s[threadIdx.x] = T + __clusterDim().x; o[T] = s[threadIdx.x ^ 1]; __cluster_barrier_arrive(); __cluster_barrier_wait(); }
__global__ void proved_atomics(float *f, int *i, long long *l, unsigned short *h) { atomicExch_block(f + T, 1.f); atomicSub_system(i, 1); atomicOr(l, 1ll); atomicCAS(h, (unsigned short)0, (unsigned short)1); }
__global__ void race_atomics(int *i) { atomicSub_block(i, 1); i[T] = 1; }
