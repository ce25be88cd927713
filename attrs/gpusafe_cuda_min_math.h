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
GS_MIN_REAL2(atan2)
GS_MIN_REAL2(fmax)
GS_MIN_REAL2(fmin)
GS_MIN_REAL2(fmod)
GS_MIN_REAL2(hypot)
GS_MIN_REAL2(pow)

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

GS_MIN_UNARY(int, abs, __nv_abs, int)
GS_MIN_UNARY(long long, llabs, __nv_llabs, long long)
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
