// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// With the toolkit, what nvcc accepts is accepted; --dialect=clang leaves it to clang.
// REQUIRES: clang, cuda
// RUN: %exits 1 %gpusafe check --cuda-path=%toolkit --verify --no-times %s -- -ferror-limit=0 2> %t.err | FileCheck %s
// RUN: %exits 2 %gpusafe check --cuda-path=%toolkit --dialect=clang %s 2>&1 | FileCheck --check-prefix=CLANG %s
// RUN: %exits 2 %gpusafe check --cuda-path=%toolkit --ptx=%t.ptx %s 2>&1 | FileCheck --check-prefix=CLANG %s
// RUN: %exits 1 %gpusafe check --cuda-path=%toolkit --ptx=%t.ptx --dialect=nvcc %s -- -fgpu-rdc 2> %t.err
// RUN: %exits 2 %gpusafe check --dialect=hip %s 2>&1 | FileCheck --check-prefix=HIP %s
// CLANG: error: use of undeclared identifier '__ldca'
// HIP: --dialect is nvcc or clang, not 'hip'

#if !__CUDACC__
#error "nvcc defines it as 1"
#endif
#if __CUDACC_VER_MAJOR__ < 11 || __CUDACC_VER_MAJOR__ * 1000 + __CUDACC_VER_MINOR__ * 10 != CUDA_VERSION
#error "nvcc defines them as its toolkit's"
#endif
#define T (blockIdx.x * blockDim.x + threadIdx.x)

__managed__ int counter;
template <class V> static __device__ V hints(V *o, const V *a) {
  __stwb(o, __ldca(a));
  __stcg(o, __ldcg(a));
  __stcs(o, __ldcs(a));
  __stwt(o, __ldcv(a));
  return __ldlu(a);
}
// CHECK: PROVED {{ *}}all_hints
__global__ void all_hints(float *a, const float *b, int4 *c, const int4 *d, double2 *e,
                          const double2 *f, unsigned char *g, const unsigned char *h) {
  a[T] = hints(a + T, b + T);
  c[T] = hints(c + T, d + T);
  e[T] = hints(e + T, f + T);
  g[T] = hints(g + T, h + T);
}
// CHECK: RACE {{ *}}hint_of_neighbour
__global__ void hint_of_neighbour(float *a) { __stcs(a + T, __ldca(a + T + 1)); }
// CHECK: PROVED {{ *}}builtins
__global__ void builtins(int *a) {
  int old = __nv_atomic_fetch_add(&counter, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  a[old] = __nv_atomic_load_n(&counter, __NV_ATOMIC_RELAXED);
}
// CHECK: PROVED {{ *}}builtins_of_many_kinds
__global__ void builtins_of_many_kinds(int *a, unsigned long long *b) {
  int expected = 0, old;
  __nv_atomic_compare_exchange_n(a, &expected, 1, false, __NV_ATOMIC_RELAXED, __NV_ATOMIC_RELAXED,
                                 __NV_THREAD_SCOPE_SYSTEM);
  __nv_atomic_compare_exchange_n(a, &expected, 1, false, __NV_ATOMIC_RELAXED, __NV_ATOMIC_RELAXED);
  __nv_atomic_exchange(a, &expected, &old, __NV_ATOMIC_RELAXED);
  __nv_atomic_store_n(a, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_max(a, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_or(b, 1ull, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
}
// The scope of a block is too narrow for the grid, and enough in shared memory.
// CHECK: {{POSSIBLE|RACE}} {{ *}}builtins_of_block
__global__ void builtins_of_block(int *a) {
  __nv_atomic_store_n(a, (int)T, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
}
// A launch in a kernel parses, and is not followed.
// CHECK: UNKNOWN {{ *}}parent
__global__ void child(int *a) { a[T] = 1; }
__global__ void parent(int *a) {
  if (T == 0)
    child<<<1, 32>>>(a);
}
// CHECK: PROVED {{ *}}builtins_of_block_in_shared
__global__ void builtins_of_block_in_shared(int *a) {
  __shared__ int s;
  __nv_atomic_fetch_add(&s, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
  __nv_atomic_store_n(&s, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
  a[T] = __nv_atomic_load_n(&s, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
}
texture<float, 1, cudaReadModeElementType> texels;
// CHECK: PROVED {{ *}}fetch
__global__ void fetch(float *a) { a[T] = tex1Dfetch(texels, T); }

int main() {
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  register size_t bytes = max(min(3, 4u), (unsigned)properties.clockRate);
  char narrowed[] = {counter, 1};
  cudaMemPrefetchAsync(&counter, bytes, 0, 0);
  cudaMemAdvise(&counter, bytes, cudaMemAdviseSetReadMostly, 0);
  cudaThreadSynchronize();
  counter = narrowed[0] + (int)min((size_t)1, bytes);
  return strlen("") + (clock() == 0);
}
