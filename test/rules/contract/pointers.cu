// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %verdicts %s | FileCheck %s
// aligned(p, n) and extent(p) are facts like others; what the source assumes, too.
#include <gpusafe.h>

// Vectors where the pointer is aligned, which it is: the plain loop is for others.
// CHECK: PROVED vectors
GS_LAUNCH_CONTRACT(block.x == 64, aligned(a, 16))
__global__ void vectors(float *a GS_DISJOINT()) {
  size_t i = blockIdx.x * 64 + threadIdx.x;
  if ((size_t)a % 16 == 0)
    reinterpret_cast<float4 *>(a)[i] = make_float4(0, 0, 0, 0);
  else
    a[0] = 1;
}
// CHECK: RACE unaligned {{.*}} disjoint
GS_LAUNCH_CONTRACT(block.x == 64, aligned(a, 4))
__global__ void unaligned(float *a GS_DISJOINT()) {
  size_t i = blockIdx.x * 64 + threadIdx.x;
  if ((size_t)a % 16 == 0)
    reinterpret_cast<float4 *>(a)[i] = make_float4(0, 0, 0, 0);
  else
    a[0] = 1;
}
// CHECK: PROVED by_extent
GS_LAUNCH_CONTRACT(extent(b) >= n, extent(a) >= 2 * extent(b), n >= 0)
__global__ void by_extent(const float *a GS_EXTENT(extent(a)), float *b GS_DISJOINT(n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[i] + a[n + i];
}
// CHECK: RACE past_extent {{.*}} out-of-bounds
GS_LAUNCH_CONTRACT(extent(b) >= n, extent(a) >= extent(b), n >= 0)
__global__ void past_extent(const float *a GS_EXTENT(extent(a)), float *b GS_DISJOINT(n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[i] + a[n + i];
}
// CHECK: RACE neighbour {{.*}} disjoint
GS_LAUNCH_CONTRACT(extent(a) > n, block.x == 64)
__global__ void neighbour(float *a GS_DISJOINT(), int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n) a[i] = a[i + 1];
}
// CHECK: PROVED assumed {{.*}} assumes
GS_LAUNCH_CONTRACT(block.x == 96)
__global__ void assumed(float *a GS_DISJOINT(), int st) {
  __builtin_assume(st >= 96);
  a[blockIdx.x * st + threadIdx.x] = 1;
}
// CHECK: PROVED unreached {{.*}} assumes
GS_LAUNCH_CONTRACT(block.x == 96)
__global__ void unreached(float *a GS_DISJOINT(), int st) {
  if (st < 96) __builtin_unreachable();
  a[blockIdx.x * st + threadIdx.x] = 1;
}
// CHECK: RACE assumed_little {{.*}} disjoint
GS_LAUNCH_CONTRACT(block.x == 96)
__global__ void assumed_little(float *a GS_DISJOINT(), int st) {
  __builtin_assume(st >= 95);
  a[blockIdx.x * st + threadIdx.x] = 1;
}
// CHECK: PROVED in_a_loop {{.*}} assumes
GS_LAUNCH_CONTRACT(block.x == 32, n >= 0)
__global__ void in_a_loop(float *a GS_DISJOINT(), int n) {
  for (int i = 0; i < n; i++) {
    __builtin_assume(i < 3);
    a[(blockIdx.x * 3 + i) * 32 + threadIdx.x] = i;
  }
}
// CHECK: code that the source calls unreachable is not reached (line 47)
