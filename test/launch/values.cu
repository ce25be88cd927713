// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %facts %s | FileCheck --match-full-lines %s
// What expressions of host code are worth. Each kernel is launched once.
#include <gpusafe.h>
template <int I> __global__ void k(float *p, int n) {}
template <int I> __global__ void w(float *p, unsigned long n, bool flag) {}
template <int I> __global__ void area(float *p, int width, int height, int n) {}
extern "C" int input();
#define BLOCK 256
enum { ENUM = 96 };
const int Const = 4;
constexpr dim3 Whole(8, 4);
static const dim3 Fixed(Const, 2, 2);
inline int div_up(int a, int b) { return (a + b - 1) / b; }
template <class T> T ceil_of(T a, const T &b) { const T up = a + b - 1; return up / b; }
inline dim3 square(int n) { return dim3(n, n); }
struct Shape { dim3 grid, block; int n; };
template <class T, int N> void in_template(float *p) { k<N><<<1, sizeof(T) * N>>>(p, N); }

void f(float *p) {
  int n = input(), m = input();
  k<1><<<1, 32>>>(p, 5);
  // CHECK: k<1> @[[@LINE-1]]: block == (32, 1, 1); grid == (1, 1, 1); n == 5
  k<2><<<dim3(2, 3), dim3(ENUM, Const, 2), BLOCK * sizeof(float)>>>(p, 'a');
  // CHECK: k<2> @[[@LINE-1]]: block == (96, 4, 2); grid == (2, 3, 1); dynamic_smem == 1024; n == 97
  k<3><<<Whole, Fixed>>>(p, Const + 1);
  // CHECK: k<3> @[[@LINE-1]]: block == (4, 2, 2); grid == (8, 4, 1); n == 5
  k<4><<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(p, n);
  // CHECK: k<4> @[[@LINE-1]]: block == (256, 1, 1); grid.x == (n + 255) / 256, without overflow
  k<5><<<div_up(n, 128), 128>>>(p, n);
  // CHECK: k<5> @[[@LINE-1]]: block == (128, 1, 1); grid.x == (n + 127) / 128, without overflow
  k<6><<<ceil_of(n, 64), 64>>>(p, n);
  // CHECK: k<6> @[[@LINE-1]]: block == (64, 1, 1); grid.x == (n + 63) / 64, without overflow
  auto up = [](int a, int b) { return a / b + (a % b != 0); };
  k<7><<<up(n, 32), 32>>>(p, n);
  // CHECK: k<7> @[[@LINE-1]]: block == (32, 1, 1); grid.x == n / 32 + (n % 32 != 0)
  k<8><<<(n + 31) >> 5, 1 << 5>>>(p, n);
  // CHECK: k<8> @[[@LINE-1]]: block == (32, 1, 1); grid.x == (n + 31) / 32, without overflow
  k<9><<<(n & ~63) / 64, n & 63>>>(p, n);
  // CHECK: k<9> @[[@LINE-1]]: block.x == n % 64, without overflow; block.y == 1; block.z == 1; grid.x == n / 64, without overflow
  k<10><<<n, m>>>(p, n * m);
  // CHECK: k<10> @[[@LINE-1]]: block.y == 1; block.z == 1; n == grid.x * block.x, without overflow
  k<11><<<n > 1024 ? 1024 : n, n > 7 ? 64 : 128>>>(p, n);
  // CHECK: k<11> @[[@LINE-1]]: block.x == (n > 7 ? 64 : 128); block.y == 1; block.z == 1; grid.x == (n > 1024 ? 1024 : n)
  k<12><<<m, m > 7 ? 64 : 128>>>(p, n);
  // CHECK: k<12> @[[@LINE-1]]: block.x >= 64; block.x <= 128; block.y == 1; block.z == 1
  k<13><<<square(n), square(16)>>>(p, n);
  // CHECK: k<13> @[[@LINE-1]]: block == (16, 16, 1); grid.x == n; grid.y == n
  dim3 block(16, 8), grid(div_up(n, block.x), div_up(m, block.y));
  area<1><<<grid, block>>>(p, n, m, n * m);
  // CHECK: area<1> @[[@LINE-1]]: block == (16, 8, 1); grid.x == (width + 15) / 16, without overflow; grid.y == (height + 7) / 8, without overflow; n == width * height, without overflow
  area<2><<<4, 32>>>(p, n, n, n / 2);
  // CHECK: area<2> @[[@LINE-1]]: block == (32, 1, 1); grid == (4, 1, 1); height == width; n == width / 2
  dim3 threads, blocks;
  threads.x = 24;
  blocks.y = m;
  k<14><<<blocks, threads>>>(p, m);
  // CHECK: k<14> @[[@LINE-1]]: block == (24, 1, 1); grid.x == 1; grid.y == n
  dim3 copy = threads, assigned;
  assigned = dim3{2, 2, 2};
  k<15><<<copy, assigned>>>(p, 0);
  // CHECK: k<15> @[[@LINE-1]]: block == (2, 2, 2); grid == (24, 1, 1); n == 0
  Shape s;
  s.grid = dim3(n);
  s.block = 48;
  s.n = n;
  k<16><<<s.grid, s.block>>>(p, s.n);
  // CHECK: k<16> @[[@LINE-1]]: block == (48, 1, 1); grid.x == n
  w<1><<<n, 32>>>(p, n, true);
  // CHECK: w<1> @[[@LINE-1]]: block == (32, 1, 1); grid.x == n, without overflow; flag == 1
  unsigned long size = input();
  w<2><<<(size + 31) / 32, 32, size * 4>>>(p, size, size > 4);
  // CHECK: w<2> @[[@LINE-1]]: block == (32, 1, 1); grid.x == (n + 31) / 32, without overflow; dynamic_smem == n * 4, without overflow; flag == n > 4, without overflow
  in_template<double, 21>(p);
  // CHECK: k<21> @19: block == (168, 1, 1); grid == (1, 1, 1); n == 21
  k<23><<<input(), input()>>>(p, input());
  // CHECK: k<23> @[[@LINE-1]]: block.y == 1; block.z == 1
}
// A launch by hand, whose arguments are addresses.
void by_hand(float *p, int n) {
  const int same = n;
  void *args[] = {&p, (void *)&same};
  cudaLaunchKernel((const void *)k<24>, dim3(same), dim3(8), args, 16, 0);
  // CHECK: k<24> @[[@LINE-1]]: block == (8, 1, 1); grid.x == n; dynamic_smem == 16
  void *others[] = {&p, (void *)&same};
  cudaLaunchCooperativeKernel((const void *)k<25>, dim3(2), dim3(8), others, 0, 0);
  // CHECK: k<25> @[[@LINE-1]]: block == (8, 1, 1); grid == (2, 1, 1)
}
// Names that mean something else, or are not one parameter's.
template <int I> __global__ void names(float *p, int max, int dim, int block, int, int warp_size) {}
template <class... T> __global__ void pack(float *p, T... args) {}
void odd_names(float *p, int n, int m) {
  names<1><<<n, 32>>>(p, n, 2, 3, 4, 5);
  // CHECK: names<1> @[[@LINE-1]]: block == (32, 1, 1); grid.x == max; dim == 2
  pack<<<n, 32>>>(p, m, n);
  // CHECK: pack<int, int> @[[@LINE-1]]: block == (32, 1, 1)
}
// Outside of functions, in constructors, and in members.
float *nowhere;
int at_start = (k<31><<<1, 40>>>(nowhere, 3), 0);
// CHECK: k<31> @[[@LINE-1]]: block == (40, 1, 1); grid == (1, 1, 1); n == 3
struct Starter {
  int size;
  Starter(float *p, int n) : size((k<32><<<n, 16>>>(p, n), n)) {}
  // CHECK: k<32> @[[@LINE-1]]: block == (16, 1, 1); grid.x == n
  void again(float *p) { k<33><<<size, 16>>>(p, size); }
  // CHECK: k<33> @[[@LINE-1]]: block == (16, 1, 1); grid.x == n
};
