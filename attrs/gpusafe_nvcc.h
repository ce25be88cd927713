// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What nvcc accepts and clang with the CUDA toolkit's headers does not declare:
///
///     clang++ -x cuda --cuda-path=<toolkit> -include gpusafe_nvcc.h kernel.cu
///
/// For analysis, not for code: cache hints become plain loads and stores, managed
/// variables device variables, texture references values that nobody knows.
/// `gpusafe check` includes it by itself (`--dialect=clang` does not). It may stand in
/// front of anything, and does nothing in a compiler other than clang or in C.
#ifndef GPUSAFE_NVCC_H
#define GPUSAFE_NVCC_H
#if defined(__CUDA__) && defined(__clang__) && defined(CUDA_VERSION) && defined(__cplusplus)

#pragma clang system_header

// nvcc's own first header brings these with it.
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <utility>

// clang leaves it empty, and `#if __CUDACC__` then is an error.
#undef __CUDACC__
#define __CUDACC__ 1

// nvcc tells its version, and sources ask it what they have to define themselves.
#ifndef __CUDACC_VER_MAJOR__
#define __CUDACC_VER_MAJOR__ (CUDA_VERSION / 1000)
#define __CUDACC_VER_MINOR__ (CUDA_VERSION % 1000 / 10)
#define __CUDACC_VER_BUILD__ 0
#endif

// clang's headers have what cg::this_cluster() is made of.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define _CG_CLUSTER_INTRINSICS_AVAILABLE 1
#endif

// To the analysis a managed variable is a device variable; the host may name both.
#undef __managed__
#define __managed__ __attribute__((device))

#pragma push_macro("GS_NVCC_HOST")
#pragma push_macro("GS_NVCC_DEVICE")
#define GS_NVCC_HOST static inline __attribute__((host, always_inline, unused))
#define GS_NVCC_DEVICE static inline __attribute__((device, always_inline, unused))

// ------------------------------------------------------ minimum, maximum ----
// For device code clang declares them.

#pragma push_macro("GS_NVCC_MINMAX")
#define GS_NVCC_MINMAX(result, first, second)                                                  \
  GS_NVCC_HOST constexpr result min(first a, second b) {                                       \
    return (result)a < (result)b ? (result)a : (result)b;                                      \
  }                                                                                            \
  GS_NVCC_HOST constexpr result max(first a, second b) {                                       \
    return (result)a < (result)b ? (result)b : (result)a;                                      \
  }
GS_NVCC_MINMAX(int, int, int)
GS_NVCC_MINMAX(unsigned, unsigned, unsigned)
GS_NVCC_MINMAX(unsigned, int, unsigned)
GS_NVCC_MINMAX(unsigned, unsigned, int)
GS_NVCC_MINMAX(long, long, long)
GS_NVCC_MINMAX(unsigned long, unsigned long, unsigned long)
GS_NVCC_MINMAX(unsigned long, long, unsigned long)
GS_NVCC_MINMAX(unsigned long, unsigned long, long)
GS_NVCC_MINMAX(long long, long long, long long)
GS_NVCC_MINMAX(unsigned long long, unsigned long long, unsigned long long)
GS_NVCC_MINMAX(unsigned long long, long long, unsigned long long)
GS_NVCC_MINMAX(unsigned long long, unsigned long long, long long)
GS_NVCC_MINMAX(float, float, float)
GS_NVCC_MINMAX(double, double, double)
GS_NVCC_MINMAX(double, float, double)
GS_NVCC_MINMAX(double, double, float)
#pragma pop_macro("GS_NVCC_MINMAX")

// ------------------------------------------------------------ cache hints ----
// A hint says where the caches keep the data, not which data it is.

#pragma push_macro("GS_NVCC_HINTS")
#define GS_NVCC_HINTS(type)                                                                    \
  GS_NVCC_DEVICE type __ldca(const type *p) { return *p; }                                     \
  GS_NVCC_DEVICE type __ldlu(const type *p) { return *p; }                                     \
  GS_NVCC_DEVICE void __stwb(type *p, type v) { *p = v; }                                      \
  GS_NVCC_DEVICE void __stcg(type *p, type v) { *p = v; }                                      \
  GS_NVCC_DEVICE void __stcs(type *p, type v) { *p = v; }
GS_NVCC_HINTS(char)
GS_NVCC_HINTS(signed char)
GS_NVCC_HINTS(unsigned char)
GS_NVCC_HINTS(short)
GS_NVCC_HINTS(unsigned short)
GS_NVCC_HINTS(int)
GS_NVCC_HINTS(unsigned)
GS_NVCC_HINTS(long)
GS_NVCC_HINTS(unsigned long)
GS_NVCC_HINTS(long long)
GS_NVCC_HINTS(unsigned long long)
GS_NVCC_HINTS(float)
GS_NVCC_HINTS(double)
GS_NVCC_HINTS(char2)
GS_NVCC_HINTS(char4)
GS_NVCC_HINTS(uchar2)
GS_NVCC_HINTS(uchar4)
GS_NVCC_HINTS(short2)
GS_NVCC_HINTS(short4)
GS_NVCC_HINTS(ushort2)
GS_NVCC_HINTS(ushort4)
GS_NVCC_HINTS(int2)
GS_NVCC_HINTS(int4)
GS_NVCC_HINTS(uint2)
GS_NVCC_HINTS(uint4)
GS_NVCC_HINTS(longlong2)
GS_NVCC_HINTS(ulonglong2)
GS_NVCC_HINTS(float2)
GS_NVCC_HINTS(float4)
GS_NVCC_HINTS(double2)
#pragma pop_macro("GS_NVCC_HINTS")

// ---------------------------------------------------------------- atomics ----
// nvcc's builtins (12.8 and later). Without a scope they hold for the system.

#define __NV_ATOMIC_RELAXED __ATOMIC_RELAXED
#define __NV_ATOMIC_CONSUME __ATOMIC_CONSUME
#define __NV_ATOMIC_ACQUIRE __ATOMIC_ACQUIRE
#define __NV_ATOMIC_RELEASE __ATOMIC_RELEASE
#define __NV_ATOMIC_ACQ_REL __ATOMIC_ACQ_REL
#define __NV_ATOMIC_SEQ_CST __ATOMIC_SEQ_CST
#define __NV_THREAD_SCOPE_THREAD __MEMORY_SCOPE_SINGLE
#define __NV_THREAD_SCOPE_BLOCK __MEMORY_SCOPE_WRKGRP
#define __NV_THREAD_SCOPE_CLUSTER 5 // __MEMORY_SCOPE_CLUSTR, which clang 22 has
#define __NV_THREAD_SCOPE_DEVICE __MEMORY_SCOPE_DEVICE
#define __NV_THREAD_SCOPE_SYSTEM __MEMORY_SCOPE_SYSTEM

// clang takes every scope for the system's. Narrower ones than the device go through PTX,
// whose scope the analysis sees: what is read is not computed then.
#define GS_NVCC_SCOPE(order, scope, ...) scope
#define GS_NVCC_ORDER(order, ...) order
#define GS_NVCC_HOW(...)                                                                       \
  GS_NVCC_ORDER(__VA_ARGS__, 0), GS_NVCC_SCOPE(__VA_ARGS__, __NV_THREAD_SCOPE_SYSTEM, 0)
#define GS_NVCC_WIDE(...)                                                                      \
  (GS_NVCC_SCOPE(__VA_ARGS__, __NV_THREAD_SCOPE_SYSTEM, 0) <= __NV_THREAD_SCOPE_DEVICE)
#define GS_NVCC_SCOPE2(order, failure, scope, ...) scope
#define GS_NVCC_FAILURE(order, failure, ...) failure
#define GS_NVCC_WIDE2(...)                                                                     \
  (GS_NVCC_SCOPE2(__VA_ARGS__, __NV_THREAD_SCOPE_SYSTEM, 0) <= __NV_THREAD_SCOPE_DEVICE)

template <class T> GS_NVCC_DEVICE T gs_nvcc_load(const T *p) {
  unsigned long long bits;
  T value;
  if (sizeof(T) == 1)
    asm volatile("ld.acquire.cta.b8 %0, [%1];" : "=l"(bits) : "l"(p) : "memory");
  else if (sizeof(T) == 2)
    asm volatile("ld.acquire.cta.b16 %0, [%1];" : "=l"(bits) : "l"(p) : "memory");
  else if (sizeof(T) == 4)
    asm volatile("ld.acquire.cta.b32 %0, [%1];" : "=l"(bits) : "l"(p) : "memory");
  else
    asm volatile("ld.acquire.cta.b64 %0, [%1];" : "=l"(bits) : "l"(p) : "memory");
  __builtin_memcpy(&value, &bits, sizeof(T) < 8 ? sizeof(T) : 8);
  return value;
}
template <class T> GS_NVCC_DEVICE void gs_nvcc_store(T *p) {
  if (sizeof(T) == 1)
    asm volatile("st.release.cta.b8 [%0], 0;" ::"l"(p) : "memory");
  else if (sizeof(T) == 2)
    asm volatile("st.release.cta.b16 [%0], 0;" ::"l"(p) : "memory");
  else if (sizeof(T) == 4)
    asm volatile("st.release.cta.b32 [%0], 0;" ::"l"(p) : "memory");
  else
    asm volatile("st.release.cta.b64 [%0], 0;" ::"l"(p) : "memory");
}
template <class T> GS_NVCC_DEVICE T gs_nvcc_update(T *p) {
  unsigned long long bits;
  T value;
  if (sizeof(T) == 2)
    asm volatile("atom.acq_rel.cta.cas.b16 %0, [%1], 0, 0;" : "=l"(bits) : "l"(p) : "memory");
  else if (sizeof(T) == 4)
    asm volatile("atom.acq_rel.cta.exch.b32 %0, [%1], 0;" : "=l"(bits) : "l"(p) : "memory");
  else if (sizeof(T) == 8)
    asm volatile("atom.acq_rel.cta.exch.b64 %0, [%1], 0;" : "=l"(bits) : "l"(p) : "memory");
  else
    asm volatile("atom.acq_rel.cta.exch.b128 %0, [%1], 0;" : "=l"(bits) : "l"(p) : "memory");
  __builtin_memcpy(&value, &bits, sizeof(T) < 8 ? sizeof(T) : 8);
  return value;
}
template <class T> GS_NVCC_DEVICE bool gs_nvcc_swap(T *p, T *expected) {
  T old = gs_nvcc_update(p);
  bool same = __builtin_memcmp(&old, expected, sizeof(T)) == 0;
  if (!same)
    *expected = old;
  return same;
}

#define __nv_atomic_load_n(p, ...)                                                             \
  (GS_NVCC_WIDE(__VA_ARGS__) ? __scoped_atomic_load_n(p, GS_NVCC_HOW(__VA_ARGS__)) : gs_nvcc_load(p))
#define __nv_atomic_load(p, to, ...)                                                           \
  (GS_NVCC_WIDE(__VA_ARGS__) ? __scoped_atomic_load(p, to, GS_NVCC_HOW(__VA_ARGS__))           \
                             : (void)(*(to) = gs_nvcc_load(p)))
#define __nv_atomic_store_n(p, v, ...)                                                         \
  (GS_NVCC_WIDE(__VA_ARGS__) ? __scoped_atomic_store_n(p, v, GS_NVCC_HOW(__VA_ARGS__))         \
                             : gs_nvcc_store(p))
#define __nv_atomic_store(p, v, ...)                                                           \
  (GS_NVCC_WIDE(__VA_ARGS__) ? __scoped_atomic_store(p, v, GS_NVCC_HOW(__VA_ARGS__))           \
                             : gs_nvcc_store(p))
#define __nv_atomic_exchange(p, v, old, ...)                                                   \
  (GS_NVCC_WIDE(__VA_ARGS__) ? __scoped_atomic_exchange(p, v, old, GS_NVCC_HOW(__VA_ARGS__))   \
                             : (void)(*(old) = gs_nvcc_update(p)))
#define GS_NVCC_UPDATE(op, p, v, ...)                                                          \
  (GS_NVCC_WIDE(__VA_ARGS__) ? __scoped_atomic_##op(p, v, GS_NVCC_HOW(__VA_ARGS__))            \
                             : gs_nvcc_update(p))
#define __nv_atomic_compare_exchange_n(p, expected, v, weak, ...)                              \
  (GS_NVCC_WIDE2(__VA_ARGS__)                                                                  \
       ? __scoped_atomic_compare_exchange_n(                                                   \
             p, expected, v, weak, GS_NVCC_ORDER(__VA_ARGS__, 0),                              \
             GS_NVCC_FAILURE(__VA_ARGS__, 0),                                                  \
             GS_NVCC_SCOPE2(__VA_ARGS__, __NV_THREAD_SCOPE_SYSTEM, 0))                         \
       : gs_nvcc_swap(p, expected))
#define __nv_atomic_compare_exchange(p, expected, v, weak, ...)                                \
  (GS_NVCC_WIDE2(__VA_ARGS__)                                                                  \
       ? __scoped_atomic_compare_exchange(                                                     \
             p, expected, v, weak, GS_NVCC_ORDER(__VA_ARGS__, 0),                              \
             GS_NVCC_FAILURE(__VA_ARGS__, 0),                                                  \
             GS_NVCC_SCOPE2(__VA_ARGS__, __NV_THREAD_SCOPE_SYSTEM, 0))                         \
       : gs_nvcc_swap(p, expected))
#define __nv_atomic_exchange_n(p, v, ...) GS_NVCC_UPDATE(exchange_n, p, v, __VA_ARGS__)
#define __nv_atomic_fetch_add(p, v, ...) GS_NVCC_UPDATE(fetch_add, p, v, __VA_ARGS__)
#define __nv_atomic_fetch_sub(p, v, ...) GS_NVCC_UPDATE(fetch_sub, p, v, __VA_ARGS__)
#define __nv_atomic_fetch_and(p, v, ...) GS_NVCC_UPDATE(fetch_and, p, v, __VA_ARGS__)
#define __nv_atomic_fetch_or(p, v, ...) GS_NVCC_UPDATE(fetch_or, p, v, __VA_ARGS__)
#define __nv_atomic_fetch_xor(p, v, ...) GS_NVCC_UPDATE(fetch_xor, p, v, __VA_ARGS__)
#define __nv_atomic_fetch_max(p, v, ...) GS_NVCC_UPDATE(fetch_max, p, v, __VA_ARGS__)
#define __nv_atomic_fetch_min(p, v, ...) GS_NVCC_UPDATE(fetch_min, p, v, __VA_ARGS__)
#define __nv_atomic_add(p, v, ...) ((void)__nv_atomic_fetch_add(p, v, __VA_ARGS__))
#define __nv_atomic_sub(p, v, ...) ((void)__nv_atomic_fetch_sub(p, v, __VA_ARGS__))
#define __nv_atomic_and(p, v, ...) ((void)__nv_atomic_fetch_and(p, v, __VA_ARGS__))
#define __nv_atomic_or(p, v, ...) ((void)__nv_atomic_fetch_or(p, v, __VA_ARGS__))
#define __nv_atomic_xor(p, v, ...) ((void)__nv_atomic_fetch_xor(p, v, __VA_ARGS__))
#define __nv_atomic_max(p, v, ...) ((void)__nv_atomic_fetch_max(p, v, __VA_ARGS__))
#define __nv_atomic_min(p, v, ...) ((void)__nv_atomic_fetch_min(p, v, __VA_ARGS__))
#define __nv_atomic_thread_fence(...) __scoped_atomic_thread_fence(GS_NVCC_HOW(__VA_ARGS__))

// ------------------------------------------------ what the runtime was ----

#if CUDA_VERSION >= 13000
GS_NVCC_HOST cudaError_t cudaMemPrefetchAsync(const void *p, size_t bytes, int device,
                                              cudaStream_t stream = 0) {
  cudaMemLocation where = {};
  where.type = device < 0 ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
  where.id = device < 0 ? 0 : device;
  return cudaMemPrefetchAsync(p, bytes, where, 0, stream);
}
GS_NVCC_HOST cudaError_t cudaMemAdvise(const void *p, size_t bytes, cudaMemoryAdvise advice,
                                       int device) {
  cudaMemLocation where = {};
  where.type = device < 0 ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
  where.id = device < 0 ? 0 : device;
  return cudaMemAdvise(p, bytes, advice, where);
}
GS_NVCC_HOST cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
GS_NVCC_HOST cudaError_t cudaThreadExit() { return cudaDeviceReset(); }
#ifdef cuCtxCreate
GS_NVCC_HOST CUresult cuCtxCreate_v4(CUcontext *context, unsigned flags, CUdevice device) {
  return cuCtxCreate_v4(context, nullptr, flags, device);
}
#endif

/// With the members that CUDA 13 took away.
struct gs_nvcc_device_properties : cudaDeviceProp {
  int clockRate, deviceOverlap, computeMode, kernelExecTimeoutEnabled, memoryClockRate,
      singleToDoublePrecisionPerfRatio, maxTexture1DLinear, cooperativeMultiDeviceLaunch;
};
#define cudaDeviceProp gs_nvcc_device_properties
#endif

// ----------------------------------------------------- texture references ----

#if CUDA_VERSION >= 12000
struct textureReference {
  int normalized;
  cudaTextureFilterMode filterMode;
  cudaTextureAddressMode addressMode[3];
  cudaChannelFormatDesc channelDesc;
  int sRGB;
  unsigned maxAnisotropy;
  cudaTextureFilterMode mipmapFilterMode;
  float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
};
template <class T, int dimensions = 1, cudaTextureReadMode mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : textureReference {
  texture(int = 0, cudaTextureFilterMode = cudaFilterModePoint,
          cudaTextureAddressMode = cudaAddressModeClamp)
      : textureReference() {}
};

// What the host made the reference stand for is nothing that a kernel sees.
#pragma push_macro("GS_NVCC_FETCH")
#define GS_NVCC_FETCH(name, ...)                                                               \
  template <class T, int d, cudaTextureReadMode m>                                             \
  GS_NVCC_DEVICE T name(const texture<T, d, m> &, __VA_ARGS__) {                                       \
    T unknown;                                                                                 \
    return unknown;                                                                            \
  }
GS_NVCC_FETCH(tex1Dfetch, int)
GS_NVCC_FETCH(tex1D, float)
GS_NVCC_FETCH(tex2D, float, float)
GS_NVCC_FETCH(tex3D, float, float, float)
GS_NVCC_FETCH(tex1DLayered, float, int)
GS_NVCC_FETCH(tex2DLayered, float, float, int)
#pragma pop_macro("GS_NVCC_FETCH")

template <class T, int d, cudaTextureReadMode m>
static inline cudaError_t cudaBindTexture(size_t *, const texture<T, d, m> &, const void *,
                                          size_t = ~(size_t)0) {
  return cudaSuccess;
}
template <class T, int d, cudaTextureReadMode m>
static inline cudaError_t cudaBindTexture(size_t *, const texture<T, d, m> &, const void *,
                                          const cudaChannelFormatDesc &, size_t = ~(size_t)0) {
  return cudaSuccess;
}
template <class T, int d, cudaTextureReadMode m>
static inline cudaError_t cudaBindTexture2D(size_t *, const texture<T, d, m> &, const void *,
                                            const cudaChannelFormatDesc &, size_t, size_t, size_t) {
  return cudaSuccess;
}
template <class T, int d, cudaTextureReadMode m>
static inline cudaError_t cudaBindTextureToArray(const texture<T, d, m> &, cudaArray_const_t) {
  return cudaSuccess;
}
template <class T, int d, cudaTextureReadMode m>
static inline cudaError_t cudaBindTextureToArray(const texture<T, d, m> &, cudaArray_const_t,
                                                 const cudaChannelFormatDesc &) {
  return cudaSuccess;
}
template <class T, int d, cudaTextureReadMode m>
static inline cudaError_t cudaUnbindTexture(const texture<T, d, m> &) {
  return cudaSuccess;
}
#endif

#pragma pop_macro("GS_NVCC_HOST")
#pragma pop_macro("GS_NVCC_DEVICE")
#endif
#endif
