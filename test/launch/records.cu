// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %clang_gs -fsyntax-only -Xclang -verify %s
// RUN: %facts %s | FileCheck --match-full-lines %s
// Structures that are passed by value, elements of arrays, and global variables that keep
// their first value.
#include <gpusafe.h>
extern "C" int input();
struct Inner { short tile; int unused; };
struct Shape { int width, height; Inner inner[2]; float *data; };
GS_LAUNCH_CONTRACT(s.width > 0, s.inner[1].tile == 16, grid.x * 16 >= s.width) // #shaped
__global__ void shaped(Shape s) {}
struct Flat { int width, height; float *data; };
template <int I> __global__ void free_one(Flat s, int n) {}
template <int I> GS_LAUNCH_CONTRACT(block.x == 64) // #fixed
__global__ void fixed(float *p) {}

void records(float *p, int w) {
  Shape s = {};
  s.width = 100;
  s.inner[1].tile = 16;
  s.data = p;
  shaped<<<7, 32>>>(s);
  shaped<<<6, 32>>>(s); // expected-error {{launch of 'shaped' breaks its contract: 'grid.x * 16 >= s.width' does not hold, the left side is 96, the right side 100}}
  // expected-note@#shaped {{the contract is here}}
  s.inner[1].tile = 8;
  shaped<<<7, 32>>>(s); // expected-error {{'s.inner[1].tile == 16' does not hold, the left side is 8, the right side 16}}
  // expected-note@#shaped {{the contract is here}}
  s.inner[input()].tile = 8;
  shaped<<<7, 32>>>(s);
  shaped<<<7, 32>>>(Shape{0, 1, {{1, 2}, {16, 3}}, p}); // expected-error {{'s.width > 0' does not hold, the left side is 0, the right side 0}}
  // expected-note@#shaped {{the contract is here}}
  Flat t = {w, 2 * w, p};
  free_one<1><<<(w + 15) / 16, 32>>>(t, w);
  // CHECK: free_one<1> @[[@LINE-1]]: block == (32, 1, 1); grid.x == (n + 15) / 16, without overflow; s.width == n; s.height == n * 2, without overflow
  free_one<2><<<(t.width + 15) / 16, 32>>>(t, 5);
  // CHECK: free_one<2> @[[@LINE-1]]: block == (32, 1, 1); grid.x == (s.width + 15) / 16, without overflow; n == 5
}
void unknown(float *p, int w) {
  Flat t = {w, 2 * w, p}, *q = &t;
  free_one<3><<<1, 32>>>(*q, 5);
  // CHECK: free_one<3> @[[@LINE-1]]: block == (32, 1, 1); grid == (1, 1, 1); n == 5
}

const int N = 64;
static int Size = 32, Grows = 32, Given = 32;
static const int Both[2] = {64, 32};
struct Config { dim3 block; int size; };
static const Config Fixed = {dim3(32, 2), 64}, *Pointer = &Fixed;
static Config Kept = {48, 48};
int Outside = 32;
static volatile int Odd = 32;
extern "C" void take(int *);
void globals(float *p) {
  fixed<1><<<1, N>>>(p);
  fixed<2><<<1, Size>>>(p); // expected-error {{'block.x == 64' does not hold, the left side is 32, the right side 64}}
  // expected-note@#fixed {{the contract is here}}
  fixed<3><<<1, Grows>>>(p);
  Grows++;
  fixed<4><<<1, Given>>>(p);
  take(&Given);
  fixed<5><<<1, Both[0]>>>(p);
  fixed<6><<<1, Both[1]>>>(p); // expected-error {{'block.x == 64' does not hold, the left side is 32, the right side 64}}
  // expected-note@#fixed {{the contract is here}}
  fixed<7><<<1, Fixed.block>>>(p); // expected-error {{'block.x == 64' does not hold, the left side is 32, the right side 64}}
  // expected-note@#fixed {{the contract is here}}
  fixed<8><<<1, Fixed.size>>>(p);
  fixed<9><<<1, Pointer->size>>>(p);
  fixed<10><<<1, Kept.block>>>(p); // expected-error {{'block.x == 64' does not hold, the left side is 48, the right side 64}}
  // expected-note@#fixed {{the contract is here}}
  fixed<11><<<1, Outside>>>(p);
  fixed<12><<<1, Odd>>>(p);
}
