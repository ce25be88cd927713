// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The part of CUDA that kernels use, declared without a CUDA toolkit:
///
///     clang++ -x cuda --cuda-gpu-arch=sm_90 -nocudainc -nocudalib
///       -Xclang -target-sdk-version=12.9 -include gpusafe_cuda_min.h kernel.cu
///
/// Device functions go through the same clang builtins and libdevice names as
/// clang's own wrappers around the toolkit, so the analysis sees the same IR. Host
/// functions are declared and not defined: what includes this can be analysed and
/// compiled to PTX, not linked. gpusafe_cuda_min_math.h has the arithmetic,
/// gpusafe_cuda_min_intrinsics.h what is an instruction of its own.
#ifndef GPUSAFE_CUDA_MIN_H
#define GPUSAFE_CUDA_MIN_H
#if defined(__CUDA__) && !defined(CUDA_VERSION)

#define CUDA_VERSION 12090
#define CUDART_VERSION 12090
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __cluster_dims__(...) __attribute__((cluster_dims(__VA_ARGS__)))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __grid_constant__ __attribute__((grid_constant))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(n) __attribute__((aligned(n)))
#define __restrict __restrict__

#if __cplusplus >= 201103L
#define GS_MIN_NOTHROW noexcept(true) // as the C library declares it
#else
#define GS_MIN_NOTHROW throw()
#endif
#define GS_MIN_DEVICE static __inline__ __device__ __attribute__((always_inline))
#define GS_MIN_BOTH static __inline__ __host__ __device__ __attribute__((always_inline))

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __INTPTR_TYPE__ intptr_t;
typedef __UINTPTR_TYPE__ uintptr_t;
typedef __INT8_TYPE__ int8_t;
typedef __INT16_TYPE__ int16_t;
typedef __INT32_TYPE__ int32_t;
typedef __INT64_TYPE__ int64_t;
typedef __UINT8_TYPE__ uint8_t;
typedef __UINT16_TYPE__ uint16_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __UINT64_TYPE__ uint64_t;
#ifndef NULL
#define NULL __null
#endif
#ifndef INFINITY // as <math.h> has them
#define INFINITY (__builtin_inff())
#define NAN (__builtin_nanf(""))
#endif

// ---------------------------------------------------------- vector types ----

#define GS_MIN_VECTOR(type, name, align1, align2, align4)                                      \
  struct name##1 {                                                                             \
    type x;                                                                                    \
  };                                                                                           \
  struct __attribute__((aligned(align2))) name##2 {                                            \
    type x, y;                                                                                 \
  };                                                                                           \
  struct name##3 {                                                                             \
    type x, y, z;                                                                              \
  };                                                                                           \
  struct __attribute__((aligned(align4))) name##4 {                                            \
    type x, y, z, w;                                                                           \
  };                                                                                           \
  GS_MIN_BOTH name##1 make_##name##1(type x) { return {x}; }                                   \
  GS_MIN_BOTH name##2 make_##name##2(type x, type y) { return {x, y}; }                        \
  GS_MIN_BOTH name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; }             \
  GS_MIN_BOTH name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }

GS_MIN_VECTOR(signed char, char, 1, 2, 4)
GS_MIN_VECTOR(unsigned char, uchar, 1, 2, 4)
GS_MIN_VECTOR(short, short, 2, 4, 8)
GS_MIN_VECTOR(unsigned short, ushort, 2, 4, 8)
GS_MIN_VECTOR(int, int, 4, 8, 16)
GS_MIN_VECTOR(unsigned int, uint, 4, 8, 16)
GS_MIN_VECTOR(long, long, 8, 16, 16)
GS_MIN_VECTOR(unsigned long, ulong, 8, 16, 16)
GS_MIN_VECTOR(long long, longlong, 8, 16, 16)
GS_MIN_VECTOR(unsigned long long, ulonglong, 8, 16, 16)
GS_MIN_VECTOR(float, float, 4, 8, 16)
GS_MIN_VECTOR(double, double, 8, 16, 16)

struct dim3 {
  unsigned int x, y, z;
  __host__ __device__ constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
      : x(vx), y(vy), z(vz) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
};

#include <__clang_cuda_builtin_vars.h>
#define GS_MIN_INDEX(type)                                                                     \
  __device__ inline type::operator uint3() const { return uint3{x, y, z}; }                    \
  __device__ inline type::operator dim3() const { return dim3(x, y, z); }
GS_MIN_INDEX(__cuda_builtin_threadIdx_t)
GS_MIN_INDEX(__cuda_builtin_blockIdx_t)
GS_MIN_INDEX(__cuda_builtin_blockDim_t)
GS_MIN_INDEX(__cuda_builtin_gridDim_t)
#undef GS_MIN_INDEX

// --------------------------------------------------------------- runtime ----

typedef enum cudaError { cudaSuccess = 0, cudaErrorInvalidValue = 1 } cudaError_t;
typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
enum cudaMemcpyKind {
  cudaMemcpyHostToHost,
  cudaMemcpyHostToDevice,
  cudaMemcpyDeviceToHost,
  cudaMemcpyDeviceToDevice,
  cudaMemcpyDefault
};

/// Of launch attributes only those that contracts speak of.
typedef enum cudaLaunchAttributeID {
  cudaLaunchAttributeIgnore = 0,
  cudaLaunchAttributeCooperative = 2,
  cudaLaunchAttributeClusterDimension = 4,
  cudaLaunchAttributeProgrammaticStreamSerialization = 6,
  cudaLaunchAttributePriority = 8
} cudaLaunchAttributeID;
typedef union cudaLaunchAttributeValue {
  char pad[64];
  int cooperative;
  struct {
    unsigned int x, y, z;
  } clusterDim;
  int programmaticStreamSerializationAllowed;
  int priority;
} cudaLaunchAttributeValue;
typedef struct cudaLaunchAttribute_st {
  cudaLaunchAttributeID id;
  char pad[8 - sizeof(cudaLaunchAttributeID)];
  cudaLaunchAttributeValue val;
} cudaLaunchAttribute;
typedef struct cudaLaunchConfig_st {
  dim3 gridDim, blockDim;
  size_t dynamicSmemBytes;
  cudaStream_t stream;
  cudaLaunchAttribute *attrs;
  unsigned int numAttrs;
} cudaLaunchConfig_t;

extern "C" {
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *kernel, void **args);
cudaError_t cudaConfigureCall(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = 0);
unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0,
                                         void *stream = 0);
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream);
cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **args, size_t shared,
                             cudaStream_t stream);
cudaError_t cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block, void **args,
                                        size_t shared, cudaStream_t stream);
cudaError_t cudaMalloc(void **p, size_t bytes);
cudaError_t cudaMallocManaged(void **p, size_t bytes, unsigned int flags);
cudaError_t cudaMallocHost(void **p, size_t bytes);
cudaError_t cudaFree(void *p);
cudaError_t cudaFreeHost(void *p);
cudaError_t cudaMemcpy(void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream);
cudaError_t cudaMemset(void *p, int value, size_t bytes);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);
const char *cudaGetErrorString(cudaError_t error);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaStreamCreate(cudaStream_t *stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaEventCreate(cudaEvent_t *event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = 0);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t begin, cudaEvent_t end);
cudaError_t cudaEventDestroy(cudaEvent_t event);

__device__ int vprintf(const char *format, const char *args);
__device__ int printf(const char *format, ...);
__host__ int printf(const char *format, ...);
__attribute__((noreturn)) __device__ void __assertfail(const char *text, const char *file,
                                                       unsigned int line, const char *function,
                                                       size_t size);
__host__ void *malloc(size_t bytes) GS_MIN_NOTHROW;
__host__ void free(void *p) GS_MIN_NOTHROW;
__device__ void *malloc(size_t bytes);
__device__ void free(void *p);
}
template <class... Wanted, class... Given>
static inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config,
                                             void (*kernel)(Wanted...), Given &&...given) {
  return [&](Wanted... wanted) {
    void *args[] = {(void *)&wanted..., nullptr};
    return cudaLaunchKernelExC(config, (const void *)kernel, args);
  }((Given &&)given...);
}

template <class T> static inline cudaError_t cudaMalloc(T **p, size_t bytes) {
  return cudaMalloc((void **)(void *)p, bytes);
}

GS_MIN_DEVICE void *memcpy(void *d, const void *s, size_t n) { return __builtin_memcpy(d, s, n); }
GS_MIN_DEVICE void *memset(void *d, int c, size_t n) { return __builtin_memset(d, c, n); }
extern "C" __host__ void *memcpy(void *d, const void *s, size_t n) GS_MIN_NOTHROW;
extern "C" __host__ void *memset(void *d, int c, size_t n) GS_MIN_NOTHROW;
// What the C library's assert calls.
extern "C" __host__ void __assert_fail(const char *text, const char *file, unsigned int line,
                                       const char *function) GS_MIN_NOTHROW
    __attribute__((noreturn));
extern "C" {
__attribute__((noreturn)) GS_MIN_DEVICE void __assert_fail(const char *text, const char *file,
                                                           unsigned int line,
                                                           const char *function) {
  __assertfail(text, file, line, function, 1);
}
}

#ifndef assert
#ifdef NDEBUG
#define assert(e) ((void)0)
#else
#ifdef __CUDA_ARCH__
#define assert(e) ((e) ? (void)0 : __assertfail(#e, __FILE__, __LINE__, __func__, 1))
#else
#define assert(e) ((void)(e))
#endif
#endif
#endif

// ------------------------------------------------------- synchronisation ----
// __syncthreads() is a builtin.

GS_MIN_DEVICE int __syncthreads_count(int p) { return __nvvm_bar0_popc(p); }
GS_MIN_DEVICE int __syncthreads_and(int p) { return __nvvm_bar0_and(p); }
GS_MIN_DEVICE int __syncthreads_or(int p) { return __nvvm_bar0_or(p); }
GS_MIN_DEVICE void __syncwarp(unsigned mask = 0xffffffffu) { __nvvm_bar_warp_sync(mask); }
GS_MIN_DEVICE void __threadfence_block(void) { __nvvm_membar_cta(); }
GS_MIN_DEVICE void __threadfence(void) { __nvvm_membar_gl(); }
GS_MIN_DEVICE void __threadfence_system(void) { __nvvm_membar_sys(); }

GS_MIN_DEVICE int __all_sync(unsigned mask, int p) { return __nvvm_vote_all_sync(mask, p); }
GS_MIN_DEVICE int __any_sync(unsigned mask, int p) { return __nvvm_vote_any_sync(mask, p); }
GS_MIN_DEVICE int __uni_sync(unsigned mask, int p) { return __nvvm_vote_uni_sync(mask, p); }
GS_MIN_DEVICE unsigned __ballot_sync(unsigned mask, int p) {
  return __nvvm_vote_ballot_sync(mask, p);
}
GS_MIN_DEVICE unsigned __activemask(void) { return __nvvm_activemask(); }

#define GS_MIN_SHUFFLE(name, op, offset, edge)                                                 \
  GS_MIN_DEVICE int name(unsigned mask, int v, offset o, int width = 32) {                     \
    return __nvvm_shfl_sync_##op##_i32(mask, v, o, ((32 - width) << 8) | edge);                \
  }                                                                                            \
  GS_MIN_DEVICE unsigned name(unsigned mask, unsigned v, offset o, int width = 32) {           \
    return (unsigned)name(mask, (int)v, o, width);                                             \
  }                                                                                            \
  GS_MIN_DEVICE float name(unsigned mask, float v, offset o, int width = 32) {                 \
    return __nvvm_shfl_sync_##op##_f32(mask, v, o, ((32 - width) << 8) | edge);                \
  }                                                                                            \
  GS_MIN_DEVICE unsigned long long name(unsigned mask, unsigned long long v, offset o,         \
                                        int width = 32) {                                      \
    unsigned low = name(mask, (unsigned)v, o, width);                                          \
    unsigned high = name(mask, (unsigned)(v >> 32), o, width);                                 \
    return (unsigned long long)high << 32 | low;                                               \
  }                                                                                            \
  GS_MIN_DEVICE long long name(unsigned mask, long long v, offset o, int width = 32) {         \
    return (long long)name(mask, (unsigned long long)v, o, width);                             \
  }                                                                                            \
  GS_MIN_DEVICE unsigned long name(unsigned mask, unsigned long v, offset o, int width = 32) { \
    return name(mask, (unsigned long long)v, o, width);                                        \
  }                                                                                            \
  GS_MIN_DEVICE long name(unsigned mask, long v, offset o, int width = 32) {                   \
    return (long)name(mask, (unsigned long long)v, o, width);                                  \
  }                                                                                            \
  GS_MIN_DEVICE double name(unsigned mask, double v, offset o, int width = 32) {               \
    return __builtin_bit_cast(                                                                 \
        double, name(mask, __builtin_bit_cast(unsigned long long, v), o, width));              \
  }
GS_MIN_SHUFFLE(__shfl_sync, idx, int, 0x1f)
GS_MIN_SHUFFLE(__shfl_up_sync, up, unsigned, 0)
GS_MIN_SHUFFLE(__shfl_down_sync, down, unsigned, 0x1f)
GS_MIN_SHUFFLE(__shfl_xor_sync, bfly, int, 0x1f)
#undef GS_MIN_SHUFFLE

// --------------------------------------------------------------- atomics ----

// One atomic operation on one type, for the three scopes that CUDA names.
#define GS_MIN_ATOMIC(name, type, op, as, suffix)                                              \
  GS_MIN_DEVICE type name(type *p, type v) {                                                   \
    return (type)__nvvm_atom_##op##_gen_##suffix((as *)p, (as)v);                              \
  }                                                                                            \
  GS_MIN_DEVICE type name##_block(type *p, type v) {                                           \
    return (type)__nvvm_atom_cta_##op##_gen_##suffix((as *)p, (as)v);                          \
  }                                                                                            \
  GS_MIN_DEVICE type name##_system(type *p, type v) {                                          \
    return (type)__nvvm_atom_sys_##op##_gen_##suffix((as *)p, (as)v);                          \
  }
#define GS_MIN_ATOMIC_WORD(name, op)                                                           \
  GS_MIN_ATOMIC(name, int, op, int, i)                                                         \
  GS_MIN_ATOMIC(name, unsigned, op, int, i)                                                    \
  GS_MIN_ATOMIC(name, unsigned long long, op, long long, ll)
#define GS_MIN_ATOMIC_ORDER(name, op)                                                          \
  GS_MIN_ATOMIC(name, int, op, int, i)                                                         \
  GS_MIN_ATOMIC(name, long long, op, long long, ll)                                            \
  GS_MIN_ATOMIC(name, unsigned, op, unsigned, ui)                                              \
  GS_MIN_ATOMIC(name, unsigned long long, op, unsigned long long, ull)

GS_MIN_ATOMIC_WORD(atomicAdd, add)
GS_MIN_ATOMIC(atomicAdd, float, add, float, f)
GS_MIN_ATOMIC(atomicAdd, double, add, double, d)
GS_MIN_ATOMIC_WORD(atomicExch, xchg)
GS_MIN_ATOMIC_WORD(atomicAnd, and)
GS_MIN_ATOMIC_WORD(atomicOr, or)
GS_MIN_ATOMIC_WORD(atomicXor, xor)
GS_MIN_ATOMIC_ORDER(atomicMin, min)
GS_MIN_ATOMIC_ORDER(atomicMax, max)
GS_MIN_ATOMIC(atomicInc, unsigned, inc, unsigned, ui)
GS_MIN_ATOMIC(atomicDec, unsigned, dec, unsigned, ui)

#define GS_MIN_ATOMIC_MORE(scope)                                                              \
  GS_MIN_DEVICE int atomicSub##scope(int *p, int v) { return atomicAdd##scope(p, -v); }        \
  GS_MIN_DEVICE unsigned atomicSub##scope(unsigned *p, unsigned v) {                           \
    return atomicAdd##scope(p, 0u - v);                                                        \
  }                                                                                            \
  GS_MIN_DEVICE float atomicExch##scope(float *p, float v) {                                   \
    return __builtin_bit_cast(float, atomicExch##scope((int *)p, __builtin_bit_cast(int, v))); \
  }                                                                                            \
  GS_MIN_DEVICE long long atomicAnd##scope(long long *p, long long v) {                        \
    return (long long)atomicAnd##scope((unsigned long long *)p, (unsigned long long)v);        \
  }                                                                                            \
  GS_MIN_DEVICE long long atomicOr##scope(long long *p, long long v) {                         \
    return (long long)atomicOr##scope((unsigned long long *)p, (unsigned long long)v);         \
  }                                                                                            \
  GS_MIN_DEVICE long long atomicXor##scope(long long *p, long long v) {                        \
    return (long long)atomicXor##scope((unsigned long long *)p, (unsigned long long)v);        \
  }
GS_MIN_ATOMIC_MORE()
GS_MIN_ATOMIC_MORE(_block)
GS_MIN_ATOMIC_MORE(_system)
#undef GS_MIN_ATOMIC_MORE

#define GS_MIN_CAS(name, builtin)                                                              \
  GS_MIN_DEVICE int name(int *p, int c, int v) { return builtin##_i(p, c, v); }                \
  GS_MIN_DEVICE unsigned name(unsigned *p, unsigned c, unsigned v) {                           \
    return (unsigned)builtin##_i((int *)p, (int)c, (int)v);                                    \
  }                                                                                            \
  GS_MIN_DEVICE unsigned long long name(unsigned long long *p, unsigned long long c,           \
                                        unsigned long long v) {                                \
    return (unsigned long long)builtin##_ll((long long *)p, (long long)c, (long long)v);       \
  }                                                                                            \
  GS_MIN_DEVICE unsigned short name(unsigned short *p, unsigned short c, unsigned short v) {   \
    return builtin##_us(p, c, v);                                                              \
  }
GS_MIN_CAS(atomicCAS, __nvvm_atom_cas_gen)
GS_MIN_CAS(atomicCAS_block, __nvvm_atom_cta_cas_gen)
GS_MIN_CAS(atomicCAS_system, __nvvm_atom_sys_cas_gen)
#undef GS_MIN_CAS
#undef GS_MIN_ATOMIC_ORDER
#undef GS_MIN_ATOMIC_WORD
#undef GS_MIN_ATOMIC

#include "gpusafe_cuda_min_math.h"
#include "gpusafe_cuda_min_intrinsics.h"

#undef GS_MIN_VECTOR
#undef GS_MIN_BOTH
#undef GS_MIN_DEVICE
#endif
#endif
