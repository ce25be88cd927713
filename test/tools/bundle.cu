// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A bundle holds what a verdict came from, and one command checks and attacks it again.
// REQUIRES: clang
// RUN: rm -rf %t && mkdir %t && cp %s %t/k.cu && cd %t
// RUN: %exits 1 %gpusafe check --cuda-path=none --bundle=b k.cu > /dev/null 2>&1
// RUN: ls b | FileCheck --check-prefix=FILES %s
// FILES: bundle.json
// FILES-NEXT: kernels.gs
// FILES-NEXT: kernels.ll
// FILES-NEXT: report.json
// RUN: %exits 1 %gpusafe replay b --runs=40 | FileCheck %s
// RUN: %gpusafe replay b --runs=40 > one || true
// RUN: %gpusafe replay b --runs=40 > two || true
// RUN: cmp one two
// CHECK: sm_90 of k.cu, made by gpusafe {{.*}} with LLVM
// CHECK-NEXT: PROVED    scaled  holds: 40 launches, {{[0-9]+}} of them unclear
// CHECK-NEXT: RACE      racing  confirmed
// What the programmer vouches for is attacked as well.
// CHECK-NEXT: TRUSTED   vouched  breaks: {{[0-9]+}} launches, {{.*}} -- conflict in 'buffer 0'
//
// A bundle whose report says something else.
// RUN: sed -e 's/"verdict": "PROVED"/"verdict": "UNKNOWN"/' b/report.json > r && mv r b/report.json
// RUN: %exits 1 %gpusafe replay b --runs=3 --seed=7 | FileCheck --check-prefix=OTHER %s
// OTHER: PROVED    scaled  {{.*}} -- the report of the bundle says UNKNOWN
//
// RUN: mkdir empty && %exits 2 %gpusafe replay empty 2>&1 | FileCheck --check-prefix=EMPTY %s
// EMPTY: gpusafe: error: empty/bundle.json:
// RUN: echo 'kernel "' > b/kernels.gs && %exits 2 %gpusafe replay b 2>&1 | FileCheck --check-prefix=TEXT %s
// TEXT: b/kernels.gs:1:
// RUN: %exits 2 %gpusafe check --bundle=c k.cu k.cu 2>&1 | FileCheck --check-prefix=TWO %s
// TWO: --bundle takes one source
// RUN: %exits 2 %gpusafe check --bundle=c --arch=sm_80,sm_90 k.cu 2>&1 | FileCheck --check-prefix=ARCHS %s
// ARCHS: --bundle takes one architecture
#include <gpusafe.h>

GS_LAUNCH_CONTRACT(grid.x * block.x >= n, n >= 0)
__global__ void scaled(const float *a GS_EXTENT(n), float *c GS_DISJOINT(n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = 2 * a[i];
}

GS_LAUNCH_CONTRACT(block.x == 64)
__global__ void racing(float *c) {
  __shared__ float s[64];
  s[threadIdx.x] = c[threadIdx.x];
  c[blockIdx.x * 64 + threadIdx.x + 4096] = s[63 - threadIdx.x];
}

GS_TRUSTED(data-race, "one block is launched")
GS_LAUNCH_CONTRACT(block.x == 64)
__global__ void vouched(int *c) {
  c[threadIdx.x] = blockIdx.x;
}
