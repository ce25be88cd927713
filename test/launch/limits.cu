// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %clang_gs -fsyntax-only -Xclang -verify %s
// RUN: not %clang_gs -fsyntax-only -fplugin-arg-gpusafe-verify %s 2>&1 | FileCheck %s
// Launches that no device takes: a warning where the kernel is not annotated.
#include <gpusafe.h>
// CHECK: error: launch of 'k' always fails: block.x is 1025
__global__ void k(float *p) {}
__global__ __launch_bounds__(128) void bounded(float *p) {}
void run(float *p, int n, bool big) {
  k<<<2147483647, 1024>>>(p);
  k<<<dim3(1, 65535, 65535), dim3(4, 4, 64)>>>(p);
  k<<<1, 1025>>>(p); // expected-warning {{launch of 'k' always fails: block.x is 1025, and no device takes more than 1024 [gpusafe-launch-contract]}}
  k<<<1, dim3(1, 1, 65)>>>(p); // expected-warning {{block.z is 65, and no device takes more than 64}}
  k<<<1, dim3(32, 33)>>>(p); // expected-warning {{the number of threads in a block is 1056, and no device takes more than 1024}}
  k<<<dim3(1, 65536), 1>>>(p); // expected-warning {{grid.y is 65536, and no device takes more than 65535}}
  k<<<dim3(n, n, 65536), 1>>>(p); // expected-warning {{grid.z is 65536}}
  k<<<1u << 31, 1>>>(p); // expected-warning {{grid.x is 2147483648, and no device takes more than 2147483647}}
  k<<<0, 32>>>(p); // expected-warning {{grid.x is 0, so that nothing is launched}}
  k<<<1, dim3(32, 0)>>>(p); // expected-warning {{block.y is 0, so that nothing is launched}}
  k<<<-1, 32>>>(p); // expected-warning {{grid.x is 4294967295}}
  k<<<1, big ? 2048 : 4096>>>(p); // expected-warning {{block.x is at least 2048, and no device takes more than 1024}}
  k<<<1, big ? 2048 : 256>>>(p);
  k<<<n, n>>>(p);
  bounded<<<1, 128>>>(p);
  bounded<<<1, dim3(16, 16)>>>(p); // expected-warning {{launch of 'bounded' always fails: the number of threads in a block is 256, and __launch_bounds__ promises at most 128}}
}
// A launch in a template that is not made is not looked at.
template <int N> void choose(float *p) {
  if constexpr (N <= 1024)
    k<<<1, N>>>(p);
  else
    k<<<N / 1024, 1024>>>(p);
}
template void choose<2048>(float *);
