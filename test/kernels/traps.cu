// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A trap ends its thread wherever it stands: what follows in the IR is not reached by it.
// REQUIRES: clang
// RUN: %python %S/verdicts.py %s %gpusafe --verify
#define T (blockIdx.x * blockDim.x + threadIdx.x)
__global__ void proved_a(int *o, const int *a, int n) { for (int i = T; i < n; i += gridDim.x * blockDim.x) { if (a[i] < 0) __builtin_trap(); o[i] = a[i]; } }
__global__ void proved_b(int *o, const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) { if (a[i] < 0) { __builtin_trap(); } else s += i; } o[T] = s; }
__global__ void proved_c(int *o, const int *a, int n) { int s = 0, i = 0; while (i < n) { if (a[i] == 7) { __builtin_trap(); i = 0; continue; } i++; s += a[i]; } o[T + (s & 0)] = s; }
__global__ void proved_d(int *o, int n) { if (n < 0) { __builtin_trap(); for (;;) o[0] = T; } o[T] = 1; }
__global__ void proved_e(int *o, int n) { int v = n < 0 ? (__builtin_trap(), 5) : 6; __shared__ int s[1024]; s[threadIdx.x * (v == 6)] = 1 + T; __syncthreads(); o[T] = s[threadIdx.x]; }
__global__ void proved_f(int *o, int n) { __shared__ int s[1024]; s[threadIdx.x] = T; if (n < 0) { asm volatile("trap;"); } __syncthreads(); o[T] = s[blockDim.x - 1 - threadIdx.x]; }
__global__ void proved_g(int *o, int n) { __shared__ int s[1024]; s[threadIdx.x] = T; if (threadIdx.x == 5 && n == 3) asm volatile("trap;"); __syncthreads(); o[T] = s[blockDim.x - 1 - threadIdx.x]; }
__global__ void proved_h(int *o, int n) { do { if (n > 5) __builtin_trap(); n++; } while (n < 3); switch (n) { case 1: __builtin_trap(); case 2: o[T] = 1; break; default: o[T] = 2; } }
__global__ void proved_all(int *o) { __builtin_trap(); o[0] = T; }
__global__ void proved_i(int *o, int n) { for (int i = 0;; i++) { if (i == n) { __builtin_trap(); } o[T] = i; } }
__global__ void race_j(int *o, int n) { for (int i = 0; i < n; i++) { if (i == 4) __builtin_trap(); o[i] = T; } }
__global__ void proved_exit(int *o, int n) { __shared__ int s[1024]; s[threadIdx.x] = T; if (threadIdx.x > 7) asm volatile("exit;"); __syncthreads(); o[T] = s[threadIdx.x ^ 1]; }
