// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %verdicts %s | FileCheck %s
// RUN: %verdicts %s -- -fplugin-arg-gpusafe-launches=off | FileCheck --check-prefix=OFF %s
// What launches prove, and what they do not.
#include <gpusafe.h>
extern "C" int input();

// Proved for the launch that there is, racy for others.
// CHECK: PROVED one_block
// OFF: RACE one_block
__global__ void one_block(int *p) { p[threadIdx.x] = 1 + threadIdx.x; }
// CHECK: RACE two_blocks {{.*}} data-race
// OFF: RACE two_blocks
__global__ void two_blocks(int *p) { p[threadIdx.x] = 1 + threadIdx.x; }

// A tile that fits the block, and one that does not.
// CHECK: PROVED tile
// OFF: POSSIBLE tile
__global__ void tile(int *c) {
  __shared__ int s[128];
  s[threadIdx.x] = 1;
  c[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x];
}
// CHECK: RACE tile_small {{.*}} out-of-bounds
__global__ void tile_small(int *c) {
  __shared__ int s[128];
  s[threadIdx.x] = 1;
  c[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x];
}

// The grid is tied to a parameter, so that no guard is needed.
// CHECK: PROVED tied
// OFF: RACE tied
__global__ void tied(int *c GS_EXTENT(n), int n) { c[blockIdx.x * blockDim.x + threadIdx.x] = 0; }
// CHECK: RACE tied_up {{.*}} out-of-bounds
__global__ void tied_up(int *c GS_EXTENT(n), int n) { c[blockIdx.x * blockDim.x + threadIdx.x] = 0; }

// All launches count: one of these breaks it.
// CHECK: RACE one_of_two {{.*}} data-race
// OFF: RACE one_of_two
__global__ void one_of_two(int *p) { p[threadIdx.x] = 1 + threadIdx.x; }
// One of these is not understood.
// CHECK: RACE one_unknown {{.*}} data-race
__global__ void one_unknown(int *p) { p[threadIdx.x] = 1 + threadIdx.x; }
// A value of an argument.
// CHECK: PROVED stride
// OFF: RACE stride
__global__ void stride(int *p, int step) { p[threadIdx.x * step] = 1 + threadIdx.x; }
// CHECK: RACE stride_zero {{.*}} data-race
__global__ void stride_zero(int *p, int step) { p[threadIdx.x * step] = 1 + threadIdx.x; }

// One buffer for two parameters.
// CHECK: RACE aliased {{.*}} data-race
// OFF: PROVED aliased
__global__ void aliased(const int *a, int *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = a[i + 1];
}
// The same elements: no race.
// CHECK: PROVED in_place
__global__ void in_place(const int *a, int *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = a[i] + 1;
}
// Where in the buffer is not looked at.
// CHECK: UNKNOWN halves
// CHECK-NEXT: a launch points 'a' and 'b' into one buffer, so they may overlap
// OFF: PROVED halves
__global__ void halves(const int *a, int *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = a[i];
}
// An index that is read from memory which the kernel writes, by another name.
// CHECK: POSSIBLE scatter
// OFF: PROVED scatter
__global__ void scatter(const int *at, int *p) { if (threadIdx.x == at[0]) p[blockIdx.x] = 1; }
// The claim is about its parameter, whatever name the access has.
// CHECK: {{RACE|POSSIBLE}} claimed {{.*}} disjoint
// OFF: PROVED claimed
__global__ void claimed(const int *a, int *b GS_DISJOINT()) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = a[i + 1];
}

// What a verdict rests on.
// CHECK: unchecked block and grid have size 1
// CHECK: unchecked as launched at line [[#ONE:]]: block == dim(64, 1, 1), grid == dim(1, 1, 1), dynamic_smem == 0
// CHECK: unchecked it is launched at line [[#ONE]] only
// CHECK: unchecked as launched at line {{[0-9]+}}: block == dim(64, 1, 1), grid.x == n / 64, grid.y == 1, grid.z == 1, dynamic_smem == 0
// CHECK: {{: block == dim\(64, 1, 1\), grid.x == \(n \+ 63\) / 64 \(computed without overflow\), grid.y}}
// CHECK: unchecked it is launched at lines {{[0-9]+ and [0-9]+}} only
void run(int *p, int *q) {
  int n = input();
  one_block<<<1, 64>>>(p);
  two_blocks<<<2, 64>>>(p);
  tile<<<n, 128>>>(p);
  tile_small<<<n, 256>>>(p);
  tied<<<n / 64, 64>>>(p, n);
  tied_up<<<(n + 63) / 64, 64>>>(p, n);
  one_of_two<<<1, 32>>>(p);
  one_of_two<<<4, 32>>>(p);
  one_unknown<<<1, 32>>>(p);
  one_unknown<<<n, 32>>>(p);
  stride<<<1, 32>>>(p, 3);
  stride_zero<<<1, 32>>>(p, 0);
  aliased<<<4, 32>>>(p, p);
  in_place<<<4, 32>>>(p, p);
  halves<<<4, 32>>>(p, p + 128);
  scatter<<<4, 32>>>(p, p);
  claimed<<<4, 32>>>(p, p);
}
