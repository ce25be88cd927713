// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %clang_gs -fsyntax-only -fplugin-arg-gpusafe-stats %s 2>&1 | FileCheck %s
// Clauses that a launch satisfies whatever its values: counted, and silent otherwise.
#include <gpusafe.h>
extern "C" int input();
inline int div_up(int a, int b) { return (a + b - 1) / b; }
// CHECK: launches of 'cover': 4 clauses proved, 0 left to the runtime
GS_LAUNCH_CONTRACT(grid.x * block.x >= n) __global__ void cover(float *p, int n) {}
void covers(float *p, int n) {
  cover<<<div_up(n, 256), 256>>>(p, n);
  cover<<<(n - 1) / 64 + 1, dim3(64)>>>(p, n);
  cover<<<n, 2>>>(p, n);
  cover<<<n + 1, 1>>>(p, n);
}
// CHECK: launches of 'short_by_one': 0 clauses proved, 2 left to the runtime
GS_LAUNCH_CONTRACT(grid.x * block.x >= n) __global__ void short_by_one(float *p, int n) {}
void shorts(float *p, int n) {
  short_by_one<<<div_up(n - 1, 256), 256>>>(p, n);
  short_by_one<<<n / 256, 256>>>(p, n);
}
// CHECK: launches of 'tiles': 3 clauses proved, 0 left to the runtime
GS_LAUNCH_CONTRACT(grid == dim(ceil_div(w, 16), ceil_div(h, block.y)), block.x * block.y <= 256, dynamic_smem == 4 * block.y * w)
__global__ void tiles(float *p, int w, int h) {}
void tiling(float *p, int w, int h) {
  dim3 block(16, 8), grid(div_up(w, block.x), div_up(h, block.y));
  tiles<<<grid, block, 32 * w>>>(p, w, h);
}
// CHECK: launches of 'counts': 3 clauses proved, 3 left to the runtime
GS_LAUNCH_CONTRACT(m == 2 * n, block.x <= 512, n > 0) __global__ void counts(float *p, int n, int m) {}
void counting(float *p, int n) {
  counts<<<n, n > 8 ? 512 : 128>>>(p, input(), 2);
  counts<<<1, 32>>>(p, n, n + n);
}
