// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %clang_gs -fsyntax-only -fplugin-arg-gpusafe-off -fplugin-arg-gpusafe-dump %s 2>&1 | FileCheck %s
// Parameters as the core sees them: types, widths, the scalars of structures.
#include <gpusafe.h>

struct base { short s; };
struct point { float x, y; };
struct all : base {
  unsigned long long big;
  bool flag;
  point at;
  int grid[2][2];
  const double *table;
  int bits : 3;
  union { int either; float or_else; };
};
enum small : signed char { SMALL = 1 };
using index_t = long;

// CHECK: kernel 'types' _Z5types{{.*}}, at {{.*}}params.cu:[[@LINE+29]]:{{[0-9]+}}, at most 128 threads
// CHECK-NEXT: param 0 'p' 'const float *__restrict' pointer, 8 bytes, elements of 4, const, restrict, at
// CHECK-NEXT: param 1 'v' 'void *' pointer, 8 bytes, elements of 0, at
// CHECK-NEXT: param 2 'a' 'all' record, 64 bytes, at
// CHECK-NEXT: 's' at 0, 16 bits, signed integer
// CHECK-NEXT: 'big' at 8, 64 bits, unsigned integer
// CHECK-NEXT: 'flag' at 16, 8 bits, unsigned integer
// CHECK-NEXT: 'at.x' at 20, 32 bits, float
// CHECK-NEXT: 'at.y' at 24, 32 bits, float
// CHECK-NEXT: 'grid[0][0]' at 28, 32 bits, signed integer
// CHECK-NEXT: 'grid[0][1]' at 32, 32 bits, signed integer
// CHECK-NEXT: 'grid[1][0]' at 36, 32 bits, signed integer
// CHECK-NEXT: 'grid[1][1]' at 40, 32 bits, signed integer
// CHECK-NEXT: 'table' at 48, 64 bits, pointer, elements of 8
// CHECK-NEXT: 'bits' at 56, 32 bits, other
// CHECK-NEXT: 'either' at 60, 32 bits, signed integer
// CHECK-NEXT: 'or_else' at 60, 32 bits, float
// CHECK-NEXT: param 3 'e' 'small' integer, 1 bytes, at
// CHECK-NEXT: '' at 0, 8 bits, signed integer
// CHECK-NEXT: param 4 'b' 'bool' integer, 1 bytes, at
// CHECK-NEXT: '' at 0, 1 bits, unsigned integer
// CHECK-NEXT: param 5 'i' 'index_t' integer, 8 bytes, at
// CHECK-NEXT: '' at 0, 64 bits, signed integer
// CHECK-NEXT: param 6 '' 'double' float, 8 bytes, at
// CHECK-NEXT: param 7 'c' 'uchar4' record, 4 bytes, at
// CHECK: param 8 'w' '__int128' other, 16 bytes, at
// CHECK-NEXT: extent param 0: a.grid[1][0] * e [a.grid[1][0] = param 2+36:i32, e = param 3+0:i8]
// CHECK-NEXT: contract: a.s > b ? i : c.w
__global__ void GS_LAUNCH_CONTRACT(a.s > b ? i : c.w) __launch_bounds__(128)
types(const float *__restrict__ p GS_EXTENT(a.grid[1][0] * e), void *v, all a, small e, bool b,
      index_t i, double, uchar4 c, __int128 w) {}
