// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// A loop body without braces gets them together with the barrier.

// RUN: not %clang_gs -fsyntax-only -fplugin-arg-gpusafe-verify -fplugin-arg-gpusafe-block=256 -ferror-limit=0 \
// RUN:   -fdiagnostics-parseable-fixits %s 2> %t.txt
// RUN: %python %source/test/rules/Inputs/fixed.py %s < %t.txt > %t.fixed.cu
// RUN: FileCheck --input-file=%t.txt --check-prefix=FIX %s
// RUN: %verdicts %t.fixed.cu --block=256 | FileCheck %s
// CHECK-NOT: RACE
// CHECK: 7 kernels: 7 proved

#define N 256
__global__ void tree(int *o) {
  __shared__ int s[N];
  int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  for (int d = N / 2; d > 0; d >>= 1)
    if (t < d)
      s[t] += s[t + d]; // two lines are one body
  if (t == 0)
    o[blockIdx.x] = s[0];
}
// FIX: " {\n    if (t < d)\n      s[t] += s[t + d];\n    __syncthreads();\n  }"
__global__ void one_line(int *o, int n) {
  __shared__ int s[N];
  int t = threadIdx.x;
  for (int i = 0; i < n; i++) s[(t + i) & (N - 1)] = t;
  __syncthreads();
  o[blockIdx.x * N + t] = s[N - 1 - t];
}
// FIX: " { s[(t + i) & (N - 1)] = t; __syncthreads(); }"
__global__ void by_while(int *o, int d) {
  __shared__ int s[N];
  int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  while (d-- > 0) // shifts to and fro
    s[t] = t < 1 ? 0 : t;
  o[blockIdx.x * N + t] = s[N - 1 - t];
}
// FIX: "__syncthreads();\n  "
__global__ void body_of_while(int *o, int n) {
  __shared__ int s[N];
  int t = threadIdx.x;
  while (n-- > 0)
    s[(t + n) & (N - 1)] = t;
  __syncthreads();
  o[blockIdx.x * N + t] = s[N - 1 - t];
}
// FIX: " {\n    s[(t + n) & (N - 1)] = t;\n    __syncthreads();\n  }"
__global__ void inner(int *o, int n) {
  __shared__ int s[N];
  int t = threadIdx.x;
  for (int k = 0; k < n; k++)
    for (int i = 0; i < 4; i++)
      s[(t + k + i) & (N - 1)] = t;
  __syncthreads();
  o[blockIdx.x * N + t] = s[N - 1 - t];
}
// FIX: " {\n      s[(t + k + i) & (N - 1)] = t;\n      __syncthreads();\n    }"
// Behind an inner loop, not in it.
__global__ void behind_inner(int *o, int n) {
  __shared__ int s[N];
  int t = threadIdx.x, sum = 0;
  for (int k = 0; k < n; k++) {
    s[t] = k;
    __syncthreads();
    for (int i = 0; i < N; i++)
      sum += s[i];
  }
  o[blockIdx.x * N + t] = sum;
}
// FIX: "  __syncthreads();\n  "
__global__ void behind_braced(int *o, int n) {
  __shared__ int s[N];
  int t = threadIdx.x, sum = 0;
  for (int k = 0; k < n; k++) {
    s[t] = k;
    __syncthreads();
    for (int i = 0; i < N; i++) {
      sum += s[i];
    }
  }
  o[blockIdx.x * N + t] = sum;
}
// FIX: "  __syncthreads();\n  "
