// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %verdicts %s | FileCheck %s
// Where bounds cannot be proved, and what is not claimed.
#include <gpusafe.h>

// The index is read from memory: a check in the code makes it a proof.
// CHECK: RACE gathered {{.*}} out-of-bounds
GS_LAUNCH_CONTRACT(block.x == 256)
__global__ void gathered(const float *a GS_EXTENT(n), const int *at GS_EXTENT(n), float *c GS_DISJOINT(n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[at[i]];
}
// CHECK: PROVED gathered_checked
__global__ void gathered_checked(const float *a GS_EXTENT(n), const int *at GS_EXTENT(n), float *c GS_DISJOINT(n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int k = at[i];
    if (k >= 0 && k < n)
      c[i] = a[k];
  }
}
// The same where the kernel writes the memory of the index: each read is a value of its own.
// CHECK: POSSIBLE rewritten {{.*}} out-of-bounds
// CHECK-NEXT: a value read from memory that the kernel writes
__global__ void rewritten(const float *a GS_EXTENT(n), int *at GS_DISJOINT(n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && at[i] >= 0 && at[i] < n)
    at[i] = a[at[i]];
}

// A pointer made from an integer may point into the parameter.
// CHECK: UNKNOWN origin {{.*}} out-of-bounds
__global__ void origin(float *c GS_DISJOINT(n), int n, size_t p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = *(float *)p;
}

// No extent, no claim.
// CHECK: PROVED no_extent
__global__ void no_extent(const float *a, float *c GS_DISJOINT(), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  c[i] = a[i + n];
}

// A count that the contract makes constant; a constant count.
// CHECK: PROVED constant_count
GS_LAUNCH_CONTRACT(n == 1024, grid.x * block.x == n)
__global__ void constant_count(float *c GS_DISJOINT(1024), int n) {
  c[blockIdx.x * blockDim.x + threadIdx.x] = n;
}

struct view {
  int width, height;
};
// CHECK: PROVED count_of_fields
__global__ void count_of_fields(float *c GS_DISJOINT(v.width * v.height), view v) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < v.width && y < v.height)
    c[y * v.width + x] = 1;
}

// A copy is one access of its length.
// CHECK: PROVED copied
__global__ void copied(char *to GS_DISJOINT(n * m), const char *from GS_EXTENT(n * m), int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && m >= 0)
    memcpy(to + (long)i * m, from + (long)i * m, m);
}
// CHECK: RACE copied_past {{.*}} out-of-bounds
GS_LAUNCH_CONTRACT(block.x == 64, grid.x == 1, m == 4)
__global__ void copied_past(char *to, const char *from GS_EXTENT(n * m), int n, int m) {
  int i = threadIdx.x;
  if (i < n)
    memcpy(to + i * 5, from + i * 4, 5);
}
