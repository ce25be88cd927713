// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %facts %s | sort -V | FileCheck --match-full-lines %s
// When a value holds: between two readings of a variable nothing may change it.
#include <gpusafe.h>
extern "C" int rnd();
extern "C" void take(int &), look(const int &), ptr(int *);
template <int I> __global__ void k(float *p, int n) {}
int g = 4;
struct Cfg { dim3 grid, block; int n; };
template <class F> void each(F f) { f(39); f(78); }
// Others may change it, but not while one statement runs.
void t1(float *a) { int n = rnd(); take(n); k<1><<<n, 1>>>(a, n); }
// CHECK: k<1> @[[@LINE-1]]: block == (1, 1, 1); grid.x == n
// They may between two.
void t2(float *a) { int n = rnd(); ptr(&n); int b = n; k<2><<<b, 2>>>(a, n); }
// CHECK: k<2> @[[@LINE-1]]: block == (2, 1, 1)
// It changes between the two readings.
void t3(float *a) { int n = rnd(); int b = n; n = n / 2; k<3><<<b, 3>>>(a, n); }
// CHECK: k<3> @[[@LINE-1]]: block == (3, 1, 1); n == grid.x / 2
// It changes at the end of a loop that only one of them is in.
void t4(float *a) { int n = rnd(), b = n; for (int i = 0; i < 3; i++) { k<4><<<b, 4>>>(a, n); n /= 2; } }
// CHECK: k<4> @[[@LINE-1]]: block == (4, 1, 1)
// Each iteration starts anew.
void t5(float *a) { for (int i = 0; i < 3; i++) { int n = rnd(); int b = n + 1; k<5><<<b, 5>>>(a, n); n = 7; } }
// CHECK: k<5> @[[@LINE-1]]: block == (5, 1, 1); grid.x == n + 1, without overflow
// Two possible values: the same one for both.
void t6(float *a, int c) { int t = 6; if (c) t = 7; k<6><<<1, t>>>(a, t); }
// CHECK: k<6> @[[@LINE-1]]: block.x == n; block.y == 1; block.z == 1; grid == (1, 1, 1)
void t7(float *a, int c) { int t; if (c) t = 70; else t = 71; k<7><<<1, t>>>(a, 1); }
// CHECK: k<7> @[[@LINE-1]]: block.y == 1; block.z == 1; grid == (1, 1, 1); n == 1
// Cases of a switch.
void t8(float *a, int c) { switch (c) { case 1: { int t = 8; k<8><<<1, t>>>(a, 1); break; } default: k<8><<<1, 80>>>(a, 1); } }
// CHECK: k<8> @[[@LINE-1]]: block == (8, 1, 1); grid == (1, 1, 1); n == 1
// CHECK: k<8> @[[@LINE-2]]: block == (80, 1, 1); grid == (1, 1, 1); n == 1
// A jump back.
void t9(float *a, int c) { int t = 9; again: k<9><<<1, t>>>(a, 1); t = 90; if (c--) goto again; }
// CHECK: k<9> @[[@LINE-1]]: block.y == 1; block.z == 1; grid == (1, 1, 1); n == 1
// A lambda runs later: what it captured by reference may have changed,
void t10(float *a) { int t = 10; auto f = [&] { k<10><<<1, t>>>(a, 1); }; t = 100; f(); }
// CHECK: k<10> @[[@LINE-1]]: block.y == 1; block.z == 1; grid == (1, 1, 1); n == 1
// by value not,
void t11(float *a) { int t = 11; auto f = [=] { k<11><<<1, t>>>(a, 1); }; t = 110; f(); }
// CHECK: k<11> @[[@LINE-1]]: block == (11, 1, 1); grid == (1, 1, 1); n == 1
// and what never changes is known.
void t12(float *a) { int t = 12; auto f = [&] { k<12><<<1, t>>>(a, 1); }; f(); }
// CHECK: k<12> @[[@LINE-1]]: block == (12, 1, 1); grid == (1, 1, 1); n == 1
// One field is handed out, so all of it is.
void t15(float *a) { Cfg c; c.block = dim3(15, 2); ptr(&c.n); k<15><<<1, c.block>>>(a, c.n); }
// CHECK: k<15> @[[@LINE-1]]: grid == (1, 1, 1)
// One axis is certain.
void t17(float *a, int c) { dim3 b(17); if (c) b.y = 2; k<17><<<1, b>>>(a, 1); }
// CHECK: k<17> @[[@LINE-1]]: block.x == 17; block.z == 1; grid == (1, 1, 1); n == 1
// A global variable, in one statement
void t19(float *a) { k<19><<<g, 19>>>(a, g); }
// CHECK: k<19> @[[@LINE-1]]: block == (19, 1, 1); grid.x == n
// that calls nothing.
void t20(float *a) { k<20><<<rnd(), 20>>>(a, g); k<20><<<g, 20>>>(a, rnd()); }
// CHECK: k<20> @[[@LINE-1]] [[@LINE-1]]: block == (20, 1, 1)
// The statement itself changes it.
void t21(float *a) { int n = 5; k<21><<<n, 21>>>(a, n++); }
// CHECK: k<21> @[[@LINE-1]]: block == (21, 1, 1)
// A loop that may not run.
void t22(float *a, int n) { int b = 22; while (n > 0) { b = 220; n--; } k<22><<<1, b>>>(a, 1); }
// CHECK: k<22> @[[@LINE-1]]: block.y == 1; block.z == 1; grid == (1, 1, 1); n == 1
// Bounds of both values.
void t23(float *a, int n) { int b; do { b = n > 4 ? 23 : 46; k<23><<<1, b>>>(a, 1); } while (n--); }
// CHECK: k<23> @[[@LINE-1]]: block.x >= 23; block.x <= 46; block.y == 1; block.z == 1; grid == (1, 1, 1); n == 1
// Another name of it.
void t26(float *a) { int x = 26, &r = x; r = 260; k<26><<<1, x>>>(a, 1); }
// CHECK: k<26> @[[@LINE-1]]: block.y == 1; block.z == 1; grid == (1, 1, 1); n == 1
void t27(float *a) { volatile int v = 27; k<27><<<v, 27>>>(a, v); }
// CHECK: k<27> @[[@LINE-1]]: block == (27, 1, 1)
// A static variable keeps what an earlier call left.
void t28(float *a) { static int s = 28; k<28><<<1, s>>>(a, 1); s = 29; }
// CHECK: k<28> @[[@LINE-1]]: block.y == 1; block.z == 1; grid == (1, 1, 1); n == 1
// The end of each iteration comes after its body.
void t29(float *a, int n) { int b = 29; for (int i = 0; i < n; b = 290, i++) k<29><<<1, b>>>(a, 1); }
// CHECK: k<29> @[[@LINE-1]]: block.y == 1; block.z == 1; grid == (1, 1, 1); n == 1
void t30(float *a, int n) { for (int s = n; s > 1; s = s / 2) k<30><<<s, 30>>>(a, s); }
// CHECK: k<30> @[[@LINE-1]]: block == (30, 1, 1); grid.x == n
void t31(float *a, int n) { int b = n; int c = b; int d = c; k<31><<<d, 31>>>(a, n); }
// CHECK: k<31> @[[@LINE-1]]: block == (31, 1, 1); grid.x == n
// Another variable of the same name.
void t33(float *a, int n) { int b = 33; { int b = 330; (void)b; } k<33><<<1, b>>>(a, n); }
// CHECK: k<33> @[[@LINE-1]]: block == (33, 1, 1); grid == (1, 1, 1)
void t34(float *a, int n) { int b = 34; b *= 2; k<34><<<1, b>>>(a, n); }
// CHECK: k<34> @[[@LINE-1]]: block.y == 1; block.z == 1; grid == (1, 1, 1)
void t35(float *a, int n) { int b = 35; b = b + 1; k<35><<<1, b>>>(a, n); }
// CHECK: k<35> @[[@LINE-1]]: block == (36, 1, 1); grid == (1, 1, 1)
// Changed inside of an expression.
void t36(float *a, int n) { int b = (n = 4, 36); k<36><<<1, b>>>(a, n); }
// CHECK: k<36> @[[@LINE-1]]: block == (36, 1, 1); grid == (1, 1, 1)
void t37(float *a, int n) { const int &r = n; n = 3; k<37><<<r, 37>>>(a, n); }
// CHECK: k<37> @[[@LINE-1]]: block == (37, 1, 1); n == 3
// Changed through a pointer.
void t38(float *a, int n) { int b = 38; int *p = &b; *p = 380; k<38><<<1, b>>>(a, n); }
// CHECK: k<38> @[[@LINE-1]]: block.y == 1; block.z == 1; grid == (1, 1, 1)
// A parameter of a lambda.
void t39(float *a) { each([&](int b) { k<39><<<1, b>>>(a, 1); }); }
// CHECK: k<39> @[[@LINE-1]]: block.y == 1; block.z == 1; grid == (1, 1, 1); n == 1
// A generic lambda.
void t40(float *a) { auto f = [&](auto b) { k<40><<<1, b * 40>>>(a, 1); }; f(1); }
// CHECK: k<40> @[[@LINE-1]]: block.y == 1; block.z == 1; grid == (1, 1, 1); n == 1
// Changed in a condition.
void t42(float *a, int n) { if (n > 0 && (n = 7)) k<42><<<1, 42>>>(a, n); }
// CHECK: k<42> @[[@LINE-1]]: block == (42, 1, 1); grid == (1, 1, 1)
// Reading is no change.
void t43(float *a, int n) { int b = n; look(b); look(n); k<43><<<b, 43>>>(a, n); }
// CHECK: k<43> @[[@LINE-1]]: block == (43, 1, 1); grid.x == n
// Nor is a return in between.
void t44(float *a, int n) { int b = n; if (n > 4) return; k<44><<<b, 44>>>(a, n); }
// CHECK: k<44> @[[@LINE-1]]: block == (44, 1, 1); grid.x == n
// What the head of a loop defines is not looked for behind the loop.
void t45(float *a, int n) { int b; for (b = 45; n; n--) ; k<45><<<1, b>>>(a, n); }
// CHECK: k<45> @[[@LINE-1]]: block.y == 1; block.z == 1; grid == (1, 1, 1)
// A lambda with a variable of its own.
void t46(float *a, int n) { auto f = [n](float *p) mutable { n++; k<46><<<n, 46>>>(p, n); }; f(a); }
// CHECK: k<46> @[[@LINE-1]]: block == (46, 1, 1); grid.x == n
// What is const stays so.
void t47(float *a, int n) { const int b = n; ptr(const_cast<int *>(&b)); k<47><<<b, 47>>>(a, n); }
// CHECK: k<47> @[[@LINE-1]]: block == (47, 1, 1); grid.x == n
void t48(float *a, int n) { dim3 b(n); dim3 &r = b; r.x = 5; k<48><<<1, b>>>(a, 1); }
// CHECK: k<48> @[[@LINE-1]]: grid == (1, 1, 1); n == 1
// Memory that others see: one statement without calls,
void t49(float *a, int *s) { k<49><<<s[0], 49>>>(a, s[0]); }
// CHECK: k<49> @[[@LINE-1]]: block == (49, 1, 1); grid.x == n
// and one with a call.
void t50(float *a, int *s) { k<50><<<s[0], rnd()>>>(a, s[0]); }
// CHECK: k<50> @[[@LINE-1]]: block.y == 1; block.z == 1
