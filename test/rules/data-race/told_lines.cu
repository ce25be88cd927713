// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// A line that is named without its file is one of the kernel's own file, also where the
// access or the barrier stands in a header.
// RUN: %verdicts %s --block=32 | FileCheck %s
// CHECK: PROVED returns
// CHECK: threads that have returned count as arrived at the barrier at line 14
// CHECK-NOT: line 1{{[0-9][0-9]}}
__global__ void returns(int *o, int n) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = t;
  if (t >= 16) return;
  __syncwarp();
  o[blockIdx.x * 16 + t] = s[t ^ 1];
}
