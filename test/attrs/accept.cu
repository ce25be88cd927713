// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %clang_gs -fsyntax-only -fplugin-arg-gpusafe-off -Xclang -verify %s
// RUN: %clang_gs -fsyntax-only -fplugin-arg-gpusafe-off --cuda-host-only -Xclang -verify %s
// RUN: %clang_gs -fsyntax-only -fplugin-arg-gpusafe-off -std=c++20 -Xclang -verify %s
// expected-no-diagnostics
// Every spelling of every attribute, where it means something.
#include <gpusafe.h>

#if !__has_attribute(gpusafe_disjoint) || !__has_attribute(disjoint) || !GPUSAFE_ACTIVE
#error "the plugin is not there"
#endif

#define BLOCK 256

__global__ void macros(float *p GS_DISJOINT(n), float *q GS_DISJOINT(),
                       float *r GS_EXCLUSIVE(n * 2, scope=warp), float *s GS_EXCLUSIVE(),
                       float *t GS_EXCLUSIVE(scope = grid), float *u GS_EXTENT(max(n, 4)),
                       float *v GS_TRUSTED(data-race, "a reason, with a comma"), int n);

GS_LAUNCH_CONTRACT(block.x == BLOCK, block.y * block.z == 1, grid.x * block.x >= n, n >= 0)
__global__ void contract(float *p, int n);

GS_TRUSTED(data-race, "the whole kernel") __global__ void trusted_kernel(float *p);

__global__ void gnu(float *p __attribute__((gpusafe_disjoint("n"))),
                    float *q __attribute__((gpusafe_disjoint)),
                    float *r __attribute__((__gpusafe_exclusive__("n", "scope=block"))),
                    float *s __attribute__((gpusafe_extent("n"))),
                    float *t __attribute__((gpusafe_trusted("data-race", "reason"))), int n)
    __attribute__((gpusafe_launch_contract("n > 0", "block.x == 32")));

__global__ void unprefixed(float *p __attribute__((disjoint("n"))), float *q __attribute__((disjoint)),
                           float *r __attribute__((exclusive("n, scope=block"))),
                           float *s __attribute__((extent("n"))),
                           float *t __attribute__((trusted("data-race", "reason"))), int n)
    __attribute__((launch_contract("n > 0")));

// A name or a constant needs no quotes.
constexpr int rows = 8;
__global__ void unquoted(float *p __attribute__((disjoint(n))), float *q __attribute__((extent(64))),
                         float *r __attribute__((extent(rows * 2))), int n);

__global__ void scoped(float *p [[gpusafe::disjoint]], [[gpusafe::exclusive]] float *q);

// Before the parameter, behind the star, on an array.
__global__ void places(GS_DISJOINT(n) float *p, float *GS_DISJOINT(n) q, float r[] GS_DISJOINT(n),
                       float *const s GS_DISJOINT(n), float *__restrict__ t GS_DISJOINT(n), int n);

// Attributes may be combined, and repeated when they agree.
__global__ void combined(float *p GS_DISJOINT(n) GS_EXCLUSIVE(n) GS_EXTENT(n),
                         float *q GS_EXTENT(n) GS_EXTENT(n), int n);

__device__ void helper(float *p) {
  GS_TRUSTED(data-race, "in a function that a kernel calls") *p = 1;
}

__global__ void statements(float *p) {
  GS_TRUSTED(data-race, "one store") p[0] = 1;
  GS_TRUSTED(disjoint, "a loop") for (int i = 0; i < 4; i++) p[i] = 1;
  GS_TRUSTED(out-of-bounds, "a block") { helper(p); }
  if (p[0] > 0)
    GS_TRUSTED(data-race, "a branch") p[1] = 2;
  __attribute__((trusted("data-race", "unprefixed"))) p[2] = 3;
}

namespace space {
template <class T, int N> GS_LAUNCH_CONTRACT(block.x == N)
__global__ void in_namespace(T *p GS_DISJOINT(n * N), int n);
extern "C" {
__global__ void in_linkage(int *p GS_DISJOINT(n), int n);
}
} // namespace space
