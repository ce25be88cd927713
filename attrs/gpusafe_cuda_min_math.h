// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Arithmetic of gpusafe_cuda_min.h, which includes this; not for use alone.
/// The device forms call libdevice by name, as clang's CUDA wrappers do.
#ifndef GPUSAFE_CUDA_MIN_MATH_H
#define GPUSAFE_CUDA_MIN_MATH_H

#define GS_MIN_UNARY(ret, name, nv, type)                                                      \
  extern "C" __device__ ret nv(type);                                                          \
  GS_MIN_DEVICE ret name(type a) { return nv(a); }
#define GS_MIN_BINARY(ret, name, nv, type)                                                     \
  extern "C" __device__ ret nv(type, type);                                                    \
  GS_MIN_DEVICE ret name(type a, type b) { return nv(a, b); }
#define GS_MIN_REAL1(name)                                                                     \
  GS_MIN_UNARY(float, name##f, __nv_##name##f, float)                                          \
  GS_MIN_UNARY(double, name, __nv_##name, double)                                              \
  GS_MIN_DEVICE float name(float a) { return __nv_##name##f(a); }
#define GS_MIN_REAL2(name)                                                                     \
  GS_MIN_BINARY(float, name##f, __nv_##name##f, float)                                         \
  GS_MIN_BINARY(double, name, __nv_##name, double)                                             \
  GS_MIN_DEVICE float name(float a, float b) { return __nv_##name##f(a, b); }

GS_MIN_REAL1(acos)
GS_MIN_REAL1(asin)
GS_MIN_REAL1(atan)
GS_MIN_REAL1(cbrt)
GS_MIN_REAL1(ceil)
GS_MIN_REAL1(cos)
GS_MIN_REAL1(cosh)
GS_MIN_REAL1(erf)
GS_MIN_REAL1(exp)
GS_MIN_REAL1(exp2)
GS_MIN_REAL1(fabs)
GS_MIN_REAL1(floor)
GS_MIN_REAL1(log)
GS_MIN_REAL1(log10)
GS_MIN_REAL1(log2)
GS_MIN_REAL1(rint)
GS_MIN_REAL1(round)
GS_MIN_REAL1(rsqrt)
GS_MIN_REAL1(sin)
GS_MIN_REAL1(sinh)
GS_MIN_REAL1(sqrt)
GS_MIN_REAL1(tan)
GS_MIN_REAL1(tanh)
GS_MIN_REAL1(trunc)
GS_MIN_REAL1(acosh)
GS_MIN_REAL1(asinh)
GS_MIN_REAL1(atanh)
GS_MIN_REAL1(cospi)
GS_MIN_REAL1(sinpi)
GS_MIN_REAL1(cyl_bessel_i0)
GS_MIN_REAL1(cyl_bessel_i1)
GS_MIN_REAL1(erfc)
GS_MIN_REAL1(erfcinv)
GS_MIN_REAL1(erfcx)
GS_MIN_REAL1(erfinv)
GS_MIN_REAL1(exp10)
GS_MIN_REAL1(expm1)
GS_MIN_REAL1(j0)
GS_MIN_REAL1(j1)
GS_MIN_REAL1(lgamma)
GS_MIN_REAL1(log1p)
GS_MIN_REAL1(logb)
GS_MIN_REAL1(nearbyint)
GS_MIN_REAL1(normcdf)
GS_MIN_REAL1(normcdfinv)
GS_MIN_REAL1(rcbrt)
GS_MIN_REAL1(tgamma)
GS_MIN_REAL1(y0)
GS_MIN_REAL1(y1)
GS_MIN_REAL2(atan2)
GS_MIN_REAL2(fmax)
GS_MIN_REAL2(fmin)
GS_MIN_REAL2(fmod)
GS_MIN_REAL2(hypot)
GS_MIN_REAL2(pow)
GS_MIN_REAL2(copysign)
GS_MIN_REAL2(fdim)
GS_MIN_REAL2(nextafter)
GS_MIN_REAL2(remainder)
GS_MIN_REAL2(rhypot)

// With an integer, or results through pointers.
#define GS_MIN_REAL_INT(ret, name)                                                             \
  extern "C" __device__ ret __nv_##name(double);                                               \
  extern "C" __device__ ret __nv_##name##f(float);                                             \
  GS_MIN_DEVICE ret name(double a) { return __nv_##name(a); }                                  \
  GS_MIN_DEVICE ret name##f(float a) { return __nv_##name##f(a); }                             \
  GS_MIN_DEVICE ret name(float a) { return __nv_##name##f(a); }
GS_MIN_REAL_INT(int, ilogb)
GS_MIN_REAL_INT(long long, llrint)
GS_MIN_REAL_INT(long long, llround)
#undef GS_MIN_REAL_INT
GS_MIN_DEVICE long lrint(double a) { return (long)__nv_llrint(a); }
GS_MIN_DEVICE long lrintf(float a) { return (long)__nv_llrintf(a); }
GS_MIN_DEVICE long lround(double a) { return (long)__nv_llround(a); }
GS_MIN_DEVICE long lroundf(float a) { return (long)__nv_llroundf(a); }
#define GS_MIN_REAL_BY(name, type, by)                                                         \
  extern "C" __device__ double __nv_##name(double, by);                                        \
  extern "C" __device__ float __nv_##name##f(float, by);                                       \
  GS_MIN_DEVICE double name(double a, type b) { return __nv_##name(a, (by)b); }                \
  GS_MIN_DEVICE float name##f(float a, type b) { return __nv_##name##f(a, (by)b); }            \
  GS_MIN_DEVICE float name(float a, type b) { return __nv_##name##f(a, (by)b); }
GS_MIN_REAL_BY(ldexp, int, int)
GS_MIN_REAL_BY(scalbn, int, int)
GS_MIN_REAL_BY(frexp, int *, int *)
#undef GS_MIN_REAL_BY
GS_MIN_DEVICE double scalbln(double a, long b) { return __nv_scalbn(a, (int)b); }
#define GS_MIN_REAL_TWO(name, nv)                                                              \
  extern "C" __device__ void nv(double, double *, double *);                                   \
  extern "C" __device__ void nv##f(float, float *, float *);                                   \
  GS_MIN_DEVICE void name(double a, double *b, double *c) { nv(a, b, c); }                     \
  GS_MIN_DEVICE void name##f(float a, float *b, float *c) { nv##f(a, b, c); }                  \
  GS_MIN_DEVICE void name(float a, float *b, float *c) { nv##f(a, b, c); }
GS_MIN_REAL_TWO(sincos, __nv_sincos)
GS_MIN_REAL_TWO(sincospi, __nv_sincospi)
#undef GS_MIN_REAL_TWO
extern "C" __device__ void __nv_fast_sincosf(float, float *, float *);
GS_MIN_DEVICE void __sincosf(float a, float *b, float *c) { __nv_fast_sincosf(a, b, c); }
extern "C" __device__ double __nv_modf(double, double *);
extern "C" __device__ float __nv_modff(float, float *);
GS_MIN_DEVICE double modf(double a, double *b) { return __nv_modf(a, b); }
GS_MIN_DEVICE float modff(float a, float *b) { return __nv_modff(a, b); }
extern "C" __device__ double __nv_remquo(double, double, int *);
extern "C" __device__ float __nv_remquof(float, float, int *);
GS_MIN_DEVICE double remquo(double a, double b, int *c) { return __nv_remquo(a, b, c); }
GS_MIN_DEVICE float remquof(float a, float b, int *c) { return __nv_remquof(a, b, c); }
#define GS_MIN_REAL_MANY(name)                                                                 \
  extern "C" __device__ double __nv_##name##3d(double, double, double);                        \
  extern "C" __device__ float __nv_##name##3df(float, float, float);                           \
  extern "C" __device__ double __nv_##name##4d(double, double, double, double);                \
  extern "C" __device__ float __nv_##name##4df(float, float, float, float);                    \
  GS_MIN_DEVICE double name##3d(double a, double b, double c) { return __nv_##name##3d(a, b, c); } \
  GS_MIN_DEVICE float name##3df(float a, float b, float c) { return __nv_##name##3df(a, b, c); } \
  GS_MIN_DEVICE double name##4d(double a, double b, double c, double d) {                      \
    return __nv_##name##4d(a, b, c, d);                                                        \
  }                                                                                            \
  GS_MIN_DEVICE float name##4df(float a, float b, float c, float d) {                          \
    return __nv_##name##4df(a, b, c, d);                                                       \
  }
GS_MIN_REAL_MANY(norm)
GS_MIN_REAL_MANY(rnorm)
#undef GS_MIN_REAL_MANY
// By libdevice's names: the builtins warn where -ffast-math says that there are none.
#define GS_MIN_CLASS(name, single, twice)                                                      \
  extern "C" __device__ int __nv_##single(float);                                              \
  extern "C" __device__ int __nv_##twice(double);                                              \
  GS_MIN_DEVICE bool name(double a) { return __nv_##twice(a) != 0; }                           \
  GS_MIN_DEVICE bool name(float a) { return __nv_##single(a) != 0; }
GS_MIN_CLASS(isnan, isnanf, isnand)
GS_MIN_CLASS(isinf, isinff, isinfd)
GS_MIN_CLASS(isfinite, finitef, isfinited)
GS_MIN_CLASS(signbit, signbitf, signbitd)
#undef GS_MIN_CLASS
GS_MIN_DEVICE float nanf(const char *) { return __builtin_bit_cast(float, 0x7fffffff); }
GS_MIN_DEVICE double nan(const char *) { return __builtin_bit_cast(double, 0x7ff8000000000000ll); }

extern "C" __device__ float __nv_fmaf(float, float, float);
extern "C" __device__ double __nv_fma(double, double, double);
GS_MIN_DEVICE float fmaf(float a, float b, float c) { return __nv_fmaf(a, b, c); }
GS_MIN_DEVICE double fma(double a, double b, double c) { return __nv_fma(a, b, c); }
GS_MIN_DEVICE float fma(float a, float b, float c) { return __nv_fmaf(a, b, c); }

GS_MIN_UNARY(float, __cosf, __nv_fast_cosf, float)
GS_MIN_UNARY(float, __expf, __nv_fast_expf, float)
GS_MIN_UNARY(float, __logf, __nv_fast_logf, float)
GS_MIN_UNARY(float, __sinf, __nv_fast_sinf, float)
GS_MIN_BINARY(float, __fdividef, __nv_fast_fdividef, float)
GS_MIN_BINARY(float, __powf, __nv_fast_powf, float)
GS_MIN_UNARY(float, __tanf, __nv_fast_tanf, float)
GS_MIN_UNARY(float, __log2f, __nv_fast_log2f, float)
GS_MIN_UNARY(float, __log10f, __nv_fast_log10f, float)
GS_MIN_UNARY(float, __exp10f, __nv_fast_exp10f, float)
GS_MIN_UNARY(float, __saturatef, __nv_saturatef, float)
GS_MIN_UNARY(float, __frsqrt_rn, __nv_frsqrt_rn, float)

// Rounding: to nearest, towards zero, up, down.
#define GS_MIN_ROUNDINGS(macro) macro(rn) macro(rz) macro(ru) macro(rd)
#define GS_MIN_TERNARY(ret, name, nv, type)                                                    \
  extern "C" __device__ ret nv(type, type, type);                                              \
  GS_MIN_DEVICE ret name(type a, type b, type c) { return nv(a, b, c); }
#define GS_MIN_ROUND_FLOAT(r)                                                                  \
  GS_MIN_BINARY(float, __fadd_##r, __nv_fadd_##r, float)                                       \
  GS_MIN_BINARY(float, __fsub_##r, __nv_fsub_##r, float)                                       \
  GS_MIN_BINARY(float, __fmul_##r, __nv_fmul_##r, float)                                       \
  GS_MIN_BINARY(float, __fdiv_##r, __nv_fdiv_##r, float)                                       \
  GS_MIN_UNARY(float, __frcp_##r, __nv_frcp_##r, float)                                        \
  GS_MIN_UNARY(float, __fsqrt_##r, __nv_fsqrt_##r, float)                                      \
  GS_MIN_TERNARY(float, __fmaf_##r, __nv_fmaf_##r, float)                                      \
  GS_MIN_TERNARY(float, __fmaf_ieee_##r, __nv_fmaf_ieee_##r, float)                            \
  GS_MIN_BINARY(double, __dadd_##r, __nv_dadd_##r, double)                                     \
  GS_MIN_BINARY(double, __dsub_##r, __nv_dsub_##r, double)                                     \
  GS_MIN_BINARY(double, __dmul_##r, __nv_dmul_##r, double)                                     \
  GS_MIN_BINARY(double, __ddiv_##r, __nv_ddiv_##r, double)                                     \
  GS_MIN_UNARY(double, __drcp_##r, __nv_drcp_##r, double)                                      \
  GS_MIN_UNARY(double, __dsqrt_##r, __nv_dsqrt_##r, double)                                    \
  GS_MIN_TERNARY(double, __fma_##r, __nv_fma_##r, double)
#define GS_MIN_ROUND_CONVERT(r)                                                                \
  GS_MIN_UNARY(int, __float2int_##r, __nv_float2int_##r, float)                                \
  GS_MIN_UNARY(unsigned, __float2uint_##r, __nv_float2uint_##r, float)                         \
  GS_MIN_UNARY(long long, __float2ll_##r, __nv_float2ll_##r, float)                            \
  GS_MIN_UNARY(unsigned long long, __float2ull_##r, __nv_float2ull_##r, float)                 \
  GS_MIN_UNARY(int, __double2int_##r, __nv_double2int_##r, double)                             \
  GS_MIN_UNARY(unsigned, __double2uint_##r, __nv_double2uint_##r, double)                      \
  GS_MIN_UNARY(long long, __double2ll_##r, __nv_double2ll_##r, double)                         \
  GS_MIN_UNARY(unsigned long long, __double2ull_##r, __nv_double2ull_##r, double)              \
  GS_MIN_UNARY(float, __double2float_##r, __nv_double2float_##r, double)                       \
  GS_MIN_UNARY(float, __int2float_##r, __nv_int2float_##r, int)                                \
  GS_MIN_UNARY(float, __uint2float_##r, __nv_uint2float_##r, unsigned)                         \
  GS_MIN_UNARY(float, __ll2float_##r, __nv_ll2float_##r, long long)                            \
  GS_MIN_UNARY(float, __ull2float_##r, __nv_ull2float_##r, unsigned long long)                 \
  GS_MIN_UNARY(double, __ll2double_##r, __nv_ll2double_##r, long long)                         \
  GS_MIN_UNARY(double, __ull2double_##r, __nv_ull2double_##r, unsigned long long)
GS_MIN_ROUNDINGS(GS_MIN_ROUND_FLOAT)
GS_MIN_ROUNDINGS(GS_MIN_ROUND_CONVERT)
GS_MIN_UNARY(double, __int2double_rn, __nv_int2double_rn, int)
GS_MIN_UNARY(double, __uint2double_rn, __nv_uint2double_rn, unsigned)
#undef GS_MIN_ROUND_CONVERT
#undef GS_MIN_ROUND_FLOAT
#undef GS_MIN_TERNARY
#undef GS_MIN_ROUNDINGS

GS_MIN_UNARY(int, abs, __nv_abs, int)
GS_MIN_UNARY(long long, llabs, __nv_llabs, long long)
GS_MIN_DEVICE long labs(long a) { return (long)__nv_llabs(a); }
GS_MIN_DEVICE long abs(long a) { return (long)__nv_llabs(a); }
GS_MIN_DEVICE long long abs(long long a) { return __nv_llabs(a); }
GS_MIN_DEVICE float abs(float a) { return __nv_fabsf(a); }
GS_MIN_DEVICE double abs(double a) { return __nv_fabs(a); }
GS_MIN_UNARY(int, __clz, __nv_clz, int)
GS_MIN_UNARY(int, __clzll, __nv_clzll, long long)
GS_MIN_UNARY(int, __ffs, __nv_ffs, int)
GS_MIN_UNARY(int, __ffsll, __nv_ffsll, long long)
GS_MIN_UNARY(unsigned, __brev, __nv_brev, unsigned)
GS_MIN_UNARY(unsigned long long, __brevll, __nv_brevll, unsigned long long)
extern "C" __device__ int __nv_popc(int);
extern "C" __device__ int __nv_popcll(long long);
GS_MIN_DEVICE int __popc(unsigned a) { return __nv_popc((int)a); }
GS_MIN_DEVICE int __popcll(unsigned long long a) { return __nv_popcll((long long)a); }
GS_MIN_BINARY(int, __mulhi, __nv_mulhi, int)
GS_MIN_BINARY(unsigned, __umulhi, __nv_umulhi, unsigned)
GS_MIN_BINARY(int, __mul24, __nv_mul24, int)
GS_MIN_BINARY(unsigned, __umul24, __nv_umul24, unsigned)
GS_MIN_UNARY(int, __float_as_int, __nv_float_as_int, float)
GS_MIN_UNARY(float, __int_as_float, __nv_int_as_float, int)

// Mixed operands convert as in the toolkit's overloads.
#define GS_MIN_ORDER(name, op)                                                                 \
  GS_MIN_BINARY(int, name, __nv_##name, int)                                                   \
  GS_MIN_BINARY(unsigned, name, __nv_u##name, unsigned)                                        \
  GS_MIN_BINARY(long long, name, __nv_ll##name, long long)                                     \
  GS_MIN_BINARY(unsigned long long, name, __nv_ull##name, unsigned long long)                  \
  GS_MIN_DEVICE long name(long a, long b) { return (long)__nv_ll##name(a, b); }                \
  GS_MIN_DEVICE unsigned long name(unsigned long a, unsigned long b) {                         \
    return (unsigned long)__nv_ull##name(a, b);                                                \
  }                                                                                            \
  GS_MIN_DEVICE unsigned name(int a, unsigned b) { return __nv_u##name((unsigned)a, b); }      \
  GS_MIN_DEVICE unsigned name(unsigned a, int b) { return __nv_u##name(a, (unsigned)b); }      \
  GS_MIN_DEVICE float name(float a, float b) { return __nv_f##name##f(a, b); }                 \
  GS_MIN_DEVICE double name(double a, double b) { return __nv_f##name(a, b); }                 \
  template <class T> static inline __host__ constexpr T name(T a, T b) { return a op b ? a : b; }
GS_MIN_ORDER(min, <)
GS_MIN_ORDER(max, >)
#undef GS_MIN_ORDER

#define GS_MIN_LDG(type, suffix)                                                               \
  GS_MIN_DEVICE type __ldg(const type *p) { return __nvvm_ldg_##suffix(p); }
GS_MIN_LDG(char, c)
GS_MIN_LDG(short, s)
GS_MIN_LDG(int, i)
GS_MIN_LDG(long, l)
GS_MIN_LDG(long long, ll)
GS_MIN_LDG(unsigned char, uc)
GS_MIN_LDG(unsigned short, us)
GS_MIN_LDG(unsigned int, ui)
GS_MIN_LDG(unsigned long, ul)
GS_MIN_LDG(unsigned long long, ull)
GS_MIN_LDG(float, f)
GS_MIN_LDG(double, d)
#undef GS_MIN_LDG

#undef GS_MIN_REAL2
#undef GS_MIN_REAL1
#undef GS_MIN_BINARY
#undef GS_MIN_UNARY
#endif
