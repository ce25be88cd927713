// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// The text form keeps the whole description, and gives the same findings.
// RUN: %gpusafe check --cuda-path=none --dump=accesses %s > %t.gs
// RUN: FileCheck %s < %t.gs
// RUN: %gpusafe check --dump=accesses %t.gs | diff %t.gs -
// RUN: not %gpusafe check --cuda-path=none --verify --no-times --json=%t.cu.json %s
// RUN: not %gpusafe check --verify --no-times --json=%t.gs.json %t.gs
// RUN: %python %source/test/flow/Inputs/same_kernels.py %t.cu.json %t.gs.json
// RUN: not %clang -fsyntax-only -fplugin=%plugin -fplugin-arg-gpusafe-dump=all %s 2>&1 \
// RUN:   | FileCheck --check-prefix=OPTION %s
// OPTION: error: -fplugin-arg-gpusafe-dump=all: 'all' cannot be dumped; write 'dump' or 'dump=accesses'
#include <gpusafe.h>

enum { TILE = 64 };
struct shape {
  int rows, columns;
  float *data;
};

// CHECK: kernel "_Z6scaled
// CHECK-NEXT: name "scaled" at "{{.*}}dump.cu":[[#@LINE+6]]:17
// CHECK: param "s" "struct shape" record 16
// CHECK-NEXT: field "rows" +0 int 32 signed
// CHECK: claim extent param 1 count "n" where "n" = param 2 +0 s32 at
// CHECK: fact contract "n <= TILE" where "n" = param 2 +0 s32, "TILE" = 64
GS_LAUNCH_CONTRACT(block.x == 128, n <= TILE)
__global__ void scaled(struct shape s, const float *a GS_EXTENT(n), int n) {
  __shared__ float tile[TILE];
  if (threadIdx.x < n)
    tile[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  if (blockIdx.x == 0 && threadIdx.x < n)
    s.data[threadIdx.x] = tile[n - 1 - threadIdx.x];
}
// CHECK: end
// CHECK: kernel "_Z6racing
__global__ void racing(float *out GS_DISJOINT(n), int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[i] = i;
}
GS_TRUSTED(data-race, "one block is launched")
__global__ void trusted(int *p) { p[threadIdx.x & 1] = threadIdx.x; }
