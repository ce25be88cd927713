// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// A proof that lacks a clause names it; with the fix-it each kernel is proved.

// RUN: not %clang_gs -fsyntax-only -ferror-limit=0 -fdiagnostics-parseable-fixits %s 2> %t.txt
// RUN: FileCheck --input-file=%t.txt --check-prefix=FIX %s
// RUN: %python %source/test/rules/Inputs/fixed.py %s < %t.txt > %t.fixed.cu
// RUN: %verdicts %t.fixed.cu | FileCheck %s
// CHECK-NOT: {{RACE|POSSIBLE|UNKNOWN}}
// CHECK: 9 kernels: 9 proved
#include <gpusafe.h>

// FIX: error: disjointness is broken on 'a'
// FIX: note: with GS_LAUNCH_CONTRACT(ld >= m) the kernel is proved
// FIX: fix-it:{{.*}}:"ld >= m, "
GS_LAUNCH_CONTRACT(m >= 0)
__global__ void rows(float *a GS_DISJOINT(), int m, int n, int ld) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < m && j < n)
    a[j * ld + i] = 1;
}
// Without a contract, one is made.
// FIX: error: disjointness is broken on 'a'
// FIX: note: with GS_LAUNCH_CONTRACT(ld >= m) the kernel is proved
// FIX: fix-it:{{.*}}:"GS_LAUNCH_CONTRACT(ld >= m) "
__global__ void no_contract(float *a GS_DISJOINT(), int m, int n, int ld) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < m && j < n)
    a[j * ld + i] = 1;
}
// The block size that the code is written for.
// FIX: note: with GS_LAUNCH_CONTRACT(block.x <= 256) the kernel is proved
__global__ void block_size(float *o GS_DISJOINT()) {
  __shared__ float s[256];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  o[blockIdx.x * blockDim.x + threadIdx.x] = s[0];
}
// FIX: note: with GS_LAUNCH_CONTRACT(block.x == 128) the kernel is proved
GS_LAUNCH_CONTRACT(n >= 0)
__global__ void factor(float *o GS_DISJOINT(n), int n) {
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i < n)
    o[i] = 1;
}
// The contents of an array.
// FIX: note: with GS_LAUNCH_CONTRACT(injective(to, n)) the kernel is proved
GS_LAUNCH_CONTRACT(in_range(to, n, 0, n))
__global__ void scatter(float *o GS_DISJOINT(n), const int *to GS_EXTENT(n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    o[to[i]] = i;
}
// FIX: note: with GS_LAUNCH_CONTRACT(in_range(from, n, 0, m)) the kernel is proved
__global__ void gather(float *o GS_DISJOINT(n), const float *in GS_EXTENT(m), const int *from GS_EXTENT(n), int n,
                       int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float v = in[from[i]];
    o[i] = v;
  }
}
// FIX: note: with GS_LAUNCH_CONTRACT(monotone(ptr, rows + 1)) the kernel is proved
GS_LAUNCH_CONTRACT(rows >= 0)
__global__ void segments(int *o GS_DISJOINT(), const int *ptr GS_EXTENT(rows + 1), int rows) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows)
    for (int j = ptr[r]; j < ptr[r + 1]; j++)
      o[j] = r;
}
// The size of the data.
// FIX: note: with GS_LAUNCH_CONTRACT(n >= 1) the kernel is proved
GS_LAUNCH_CONTRACT(block.x == 64)
__global__ void last(const int *a GS_EXTENT(n), int *o GS_DISJOINT(), int n) {
  int v = a[n - 1];
  o[blockIdx.x * 64 + threadIdx.x] = v;
}
// FIX: note: with GS_LAUNCH_CONTRACT(grid.x * block.x <= n) the kernel is proved
GS_LAUNCH_CONTRACT(block.x == 64)
__global__ void covers(const int *a GS_EXTENT(n), int *o GS_DISJOINT(), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, v = a[i];
  o[i] = v;
}
