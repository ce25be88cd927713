// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// A guard that is missing is offered as a fix-it; each kernel is proved with it.

// RUN: not %clang_gs -fsyntax-only -ferror-limit=0 -fdiagnostics-parseable-fixits %s 2> %t.txt
// RUN: %python %source/test/rules/Inputs/fixed.py %s < %t.txt > %t.fixed.cu
// RUN: FileCheck --input-file=%t.txt --check-prefix=FIX %s
// RUN: %verdicts %t.fixed.cu | FileCheck %s
// CHECK-NOT: RACE
// CHECK: 11 kernels: 11 proved
#include <gpusafe.h>

// FIX: error: out of bounds of 'c': {{.*}} writes 'c[{{[0-9]+}}]', past the declared extent n
// FIX: note: this condition keeps the index inside
// FIX: fix-it:{{.*}}:"if (i < n) "
__global__ void plain(int *c GS_DISJOINT(n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  c[i] = i;
}
// FIX: fix-it:{{.*}}:"if (i + 1 < n) "
__global__ void shifted(int *c GS_DISJOINT(n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i + 1] = i;
}
// FIX: fix-it:{{.*}}:"if (i - 1 >= 0) "
__global__ void below(int *c GS_DISJOINT(n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    c[i - 1] = i;
  }
}
// FIX: fix-it:{{.*}}:"if (i - 1 >= 0 && i - 1 < n) "
__global__ void both(int *c GS_DISJOINT(n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  c[i - 1] = i;
}
// FIX: fix-it:{{.*}}:"if (threadIdx.x + 1 < 64) "
GS_LAUNCH_CONTRACT(block.x == 64)
__global__ void shared_array(int *c) {
  __shared__ int s[64];
  s[threadIdx.x + 1] = 1;
}
// FIX: fix-it:{{.*}}:"if (i < rows * ld) "
GS_LAUNCH_CONTRACT(rows >= 0, ld >= 0)
__global__ void product(int *c GS_DISJOINT(rows * ld), int rows, int ld) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  c[i] = i;
}
// FIX: fix-it:{{.*}}:"if (i < 2 * n + 1) "
GS_LAUNCH_CONTRACT(n >= 0)
__global__ void twice(int *c GS_DISJOINT(2 * n + 1), int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i <= n + n + 1; i += gridDim.x * blockDim.x)
    c[i] = i;
}
// FIX: fix-it:{{.*}}:"if ((i << 1 | 1) < n) "
__global__ void low_precedence(int *c GS_DISJOINT(n), unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  c[i << 1 | 1] = 1;
}
template <class T, int Extra>
GS_LAUNCH_CONTRACT(n >= 0)
__global__ void instance(T *c GS_DISJOINT(n + Extra), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  c[i] = 1;
}
// FIX: fix-it:{{.*}}:"if (i < n + Extra) "
template __global__ void instance<float, 3>(float *, int);
template __global__ void instance<double, 3>(double *, int);
// An else of its own.
// FIX: fix-it:{{.*}}:"if (i < n) "
__global__ void in_else(int *c GS_DISJOINT(n), int n, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == k)
    return;
  else
    c[i] = 1;
}
// FIX: fix-it:{{.*}}:"if (a[i] < n) "
GS_LAUNCH_CONTRACT(injective(a, m), in_range(a, m, 0, n + 1))
__global__ void looked_up(int *c GS_DISJOINT(n), const int *a GS_EXTENT(m), int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m)
    c[a[i]] = 1;
}
