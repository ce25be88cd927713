// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %verdicts %s | FileCheck %s
// Clauses are facts for the prover: each pair of kernels differs in its contract alone.
#include <gpusafe.h>
#define PAIR(name, contract, weaker, ...)                                                      \
  GS_LAUNCH_CONTRACT contract __global__ void name(__VA_ARGS__) BODY                           \
  GS_LAUNCH_CONTRACT weaker __global__ void name##_weaker(__VA_ARGS__) BODY

// CHECK: PROVED fixed_block
// CHECK: RACE fixed_block_weaker {{.*}} out-of-bounds
#define BODY { __shared__ int s[256]; s[threadIdx.x] = 1; }
PAIR(fixed_block, (block.x == 256), (block.x == 512), )
#undef BODY
// CHECK: PROVED product_of_sizes
// CHECK: RACE product_of_sizes_weaker {{.*}} out-of-bounds
#define BODY { c[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
PAIR(product_of_sizes, (grid.x * block.x <= n), (block.x <= n, block.x == 64), int *c GS_DISJOINT(n), int n)
#undef BODY
// CHECK: PROVED rounded_up
// CHECK: RACE rounded_up_weaker {{.*}} out-of-bounds
#define BODY { if (threadIdx.x == 0) c[blockIdx.x] = 1; }
PAIR(rounded_up, (block.x == 128, grid.x == ceil_div(n, 128), m == (n + 127) / 128, n >= 1),
     (block.x == 128, grid.x == ceil_div(n, 128), m == n / 128, n >= 1), int *c GS_DISJOINT(m), int n, int m)
#undef BODY
// CHECK: PROVED multiple
// CHECK: RACE multiple_weaker {{.*}} out-of-bounds
#define BODY { int i = blockIdx.x * 32 + threadIdx.x; if (i / 4 * 4 < n) o[i] = c[i / 4 * 4 + 3]; }
PAIR(multiple, (block.x == 32, grid.x == 2, n % 4 == 0), (block.x == 32, grid.x == 2, n % 2 == 0), const int *c GS_EXTENT(n), int *o, int n)
#undef BODY
// Conditions, logic, minima: what the runtime evaluates is what the prover uses.
// CHECK: PROVED either_way
// CHECK: RACE either_way_weaker {{.*}} out-of-bounds
#define BODY { if (threadIdx.x < n) c[threadIdx.x] = 1; }
PAIR(either_way, (grid.x == 1, block.x == 64, wide ? n <= m : n <= min(m, 32)),
     (grid.x == 1, block.x == 64, wide ? n <= m : n <= max(m, 32)), int *c GS_DISJOINT(m), unsigned n, int m, bool wide)
#undef BODY
// CHECK: PROVED implied
// CHECK: RACE implied_weaker {{.*}} out-of-bounds
#define BODY { if (threadIdx.x < n) c[threadIdx.x] = 1; }
PAIR(implied, (grid.x == 1, block.x == 64, !(n > m)), (grid.x == 1, block.x == 64, !(n > m) || m == 3), int *c GS_DISJOINT(m), unsigned n, int m)
#undef BODY

struct shape { int width, stride; };
// CHECK: PROVED field
// CHECK: RACE field_weaker {{.*}} disjoint
#define BODY { int x = threadIdx.x, y = blockIdx.x; if (x < s.width) c[y * s.stride + x] = 1; }
PAIR(field, (s.stride >= s.width, block.x == 64), (s.stride >= 1, block.x == 64), int *c GS_DISJOINT(), shape s)
#undef BODY
