// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// A fix is proved for the launch that shows the race; it is offered unless another launch
// asks for something else.

// RUN: %clang_gs -fsyntax-only -fdiagnostics-parseable-fixits %s 2>&1 | FileCheck --implicit-check-not=fix-it: %s

// CHECK: fix_launches.cu:[[@LINE+5]]:8: warning: data race on 's'
// CHECK: fix-it:{{.*}}:{[[@LINE+5]]:3-[[@LINE+5]]:3}:"__syncthreads();\n  "
__global__ void agreed(int *o) {
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t] = t;
  o[blockIdx.x * blockDim.x + t] = s[blockDim.x - 1 - t];
}
// One thread alone has no race.
// CHECK: fix_launches.cu:[[@LINE+5]]:8: warning: data race on 's'
// CHECK: fix-it:{{.*}}:{[[@LINE+5]]:3-[[@LINE+5]]:3}:"__syncthreads();\n  "
__global__ void by_one(int *o) {
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t] = t;
  o[blockIdx.x * blockDim.x + t] = s[t ^ 1];
}
// With 128 threads the loop runs once and one barrier will do; with 64 it takes two.
// CHECK: fix_launches.cu:[[@LINE+6]]:10: warning: data race on 's'
// CHECK: note: no barrier between
__global__ void refill(const int *a, int *o) {
  __shared__ int s[256];
  int t = threadIdx.x, sum = 0;
  for (int i = 0; i < 128; i += blockDim.x) {
    s[t] = a[i + t];
    sum += s[blockDim.x - 1 - t];
  }
  o[blockIdx.x * blockDim.x + t] = sum;
}
void run(int *p) {
  agreed<<<4, 128>>>(p);
  agreed<<<4, 64>>>(p);
  by_one<<<4, 1>>>(p);
  by_one<<<4, 128>>>(p);
  refill<<<4, 128>>>(p, p + 1024);
  refill<<<4, 64>>>(p, p + 1024);
}
