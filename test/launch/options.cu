// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %facts %s | FileCheck --check-prefixes=CHECK,PLAIN %s
// RUN: %facts %s -fplugin-arg-gpusafe-block=64 | FileCheck --check-prefixes=CHECK,BLOCK %s
// RUN: %facts %s -fplugin-arg-gpusafe-assume='n > 3' | FileCheck --check-prefixes=CHECK,ASSUME %s
// RUN: %facts %s -fplugin-arg-gpusafe-launches=off | count 0
// Whose facts count: a contract's alone, then an option's, then those of launches.
// That two parameters get one buffer is never left out.
#include <gpusafe.h>
// PLAIN: plain @{{[0-9]+}}: block == (32, 1, 1); grid == (1, 1, 1)
// BLOCK: plain @{{[0-9]+}}:{{$}}
// ASSUME: plain @{{[0-9]+}}: block == (32, 1, 1); grid == (1, 1, 1)
__global__ void plain(float *p) {}
// PLAIN-NEXT: counted @{{[0-9]+}}: block == (32, 1, 1); grid == (1, 1, 1); n == 5
// BLOCK: counted @{{[0-9]+}}:{{$}}
// ASSUME: counted @{{[0-9]+}}:{{$}}
__global__ void counted(float *p, int n) {}
// CHECK: contracted @{{[0-9]+}}:{{$}}
// CHECK: contracted @{{[0-9]+}}: parameters 0 and 1: one buffer{{$}}
GS_LAUNCH_CONTRACT(block.x == 32) __global__ void contracted(float *p, float *q) {}
// Launches that always fail tell nothing of the kernel.
// PLAIN: failing @{{[0-9]+}}: block == (512, 1, 1); grid == (1, 1, 1)
// CHECK-NOT: 2048
__global__ void failing(float *p) {}
// Up to eight configurations are looked at one by one.
// PLAIN: many @{{([0-9]+ ){8}[0-9]+}}: block.y == 1; grid.x == 1; n == 4; parameters 0 and 1: one buffer, at some distance{{$}}
// PLAIN-COUNT-8: eight<{{.*}}> @
// PLAIN-NOT: eight
template <int I> __global__ void eight(float *p, float *q, int n) {}
__global__ void many(float *p, float *q, int n) {}

void host(float *p, float *q) {
  plain<<<1, 32>>>(p);
  counted<<<1, 32>>>(p, 5);
  contracted<<<1, 32>>>(p, q);
  contracted<<<1, 32>>>(p, p);
  failing<<<1, 2048>>>(p);
  failing<<<1, 512>>>(p);
  failing<<<0, 64>>>(p);
#define EIGHT(K)                                                                               \
  K<<<1, 1>>>(p, q, 4), K<<<1, 2>>>(p, q, 4), K<<<1, 3>>>(p, q, 4), K<<<1, 4>>>(p, q, 4);      \
  K<<<1, 5>>>(p, q, 4), K<<<1, 6>>>(p, q, 4), K<<<1, 7>>>(p, q, 4), K<<<1, 8>>>(p, p, 4)
  EIGHT(eight<1>);
  EIGHT(many);
  many<<<1, dim3(9, 1, 2)>>>(p, q, 4);
}
