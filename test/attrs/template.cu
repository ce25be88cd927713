// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %clang_gs -fsyntax-only -ferror-limit=0 -Xclang -verify %s
// RUN: %clang_gs -fsyntax-only -DINSTANCE -Xclang -verify=instance %s
// RUN: %clang_gs -fsyntax-only -DDUMP -fplugin-arg-gpusafe-off -fplugin-arg-gpusafe-dump %s 2>&1 | FileCheck %s
// Templates are checked where they are written, instances where that is not enough.
#include <gpusafe.h>

struct size { int n; };
#ifdef DUMP
// CHECK: kernel 'values<float, 3, true>'
// CHECK: disjoint param 0: n * N * 4 [n = param 1+0:i64, N = 3]
// CHECK: contract: B ? block.x == N : block.x == 1 [B = 1, N = 3]
// CHECK: kernel 'values<double, 5, false>'
// CHECK: disjoint param 0: n * N * 8 [n = param 1+0:i64, N = 5]
// CHECK: contract: B ? block.x == N : block.x == 1 [B = 0, N = 5]
template <class T, int N, bool B> GS_LAUNCH_CONTRACT(B ? block.x == N : block.x == 1)
__global__ void values(T *p GS_DISJOINT(n * N * sizeof(T)), long n);
template <class U, int M, bool C> __global__ void values(U *q, long m) { q[threadIdx.x] = M; }
template __global__ void values<float, 3, true>(float *, long);
template __global__ void values<double, 5, false>(double *, long);

// The type of a parameter may come from the instance: so does a field.
// CHECK: kernel 'field<size>'
// CHECK: extent param 0: s.n [s.n = param 1+0:i32]
template <class T> __global__ void field(int *p GS_EXTENT(s.n), T s) { (void)p[0]; }
template __global__ void field<size>(int *, size);

// Parameters behind a pack.
// CHECK: kernel 'pack<int, float>'
// CHECK: extent param 2: m [m = param 3+0:i32]
template <class... Ts> __global__ void pack(Ts... ts, int *p GS_EXTENT(m), int m) {}
template __global__ void pack<int, float>(int, float, int *, int);

// A specialisation stands for itself.
// CHECK: kernel 'special<int>'
// CHECK: extent param 0: m [m = param 1+0:i32]
// CHECK-NOT: extent
// CHECK: kernel 'special<float>'
// CHECK: extent param 0: n * 2
template <class T> __global__ void special(T *p GS_EXTENT(n * 2), int n) {}
template <> __global__ void special<int>(int *p GS_EXTENT(m), int m) {}
template __global__ void special<float>(float *, int);

// Class templates lend their parameters and members.
// CHECK: kernel 'holder<4>::inside'
// CHECK: extent param 0: N + twice + n [N = 4, twice = 8, n = param 1+0:i32]
template <int N> struct holder {
  static constexpr int twice = N * 2;
  static __global__ void inside(int *p GS_EXTENT(N + twice + n), int n) {}
};
template struct holder<4>;
#elif !defined INSTANCE
template <int N> __global__ void unknown(int *p GS_DISJOINT(N * q), int n); // expected-error {{unknown name 'q' [gpusafe-contract]}}
template <class T> __global__ void is_type(T *p GS_DISJOINT(T * 2)); // expected-error {{'T' is not a value; write sizeof(T) for its size [gpusafe-contract]}}

#else
// instance-error@+1 {{'disjoint' belongs on a pointer to a complete type, and here the parameter is a 'int' [gpusafe-contract]}}
template <class T> __global__ void not_pointer(T p GS_DISJOINT(n), int n) {}
template __global__ void not_pointer<float *>(float *, int);
template __global__ void not_pointer<int>(int, int); // instance-note {{in the instantiation 'not_pointer<int>'}}

template <class T> __global__ void no_field(int *p GS_EXTENT(s.m), T s) {} // instance-error {{'m' is no scalar field of 'size' [gpusafe-contract]}}
template __global__ void no_field<size>(int *, size); // instance-note {{in the instantiation 'no_field<size>'}}

template <unsigned long long N> __global__ void too_big(int *p GS_EXTENT(N)) {} // instance-error {{'N' is 18446744073709551615, which does not fit into 64 signed bits [gpusafe-contract]}}
template __global__ void too_big<~0ull>(int *); // instance-note {{in the instantiation 'too_big<18446744073709551615}}
#endif
