// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %clang_gs -fsyntax-only -Xclang -verify %s
// What the memory has to contain for a conflict is told with the launch.
#include <gpusafe.h>

__global__ void scatter(float *out, const float *in, const int *perm, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[perm[i]] = in[i]; // expected-warning {{both write 'out[0]' when launched with grid 2, block 256, n = 300, perm[0] = perm[1] = 0 [gpusafe-data-race]}} expected-note 0+ {{}}
}
struct Lists {
  const unsigned char *to;
  float *out;
  int n;
};
__global__ void in_struct(Lists s) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < s.n)
    s.out[s.to[i]] = i; // expected-warning {{s.n = 300, s.to[0] = s.to[1] = 0 [gpusafe-data-race]}} expected-note 0+ {{}}
}
// The bits of floating-point numbers would tell nobody anything.
__global__ void by_sign(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] <= 0.f)
    out[0] = i; // expected-warning {{when launched with grid 2, block 256, n = 300 [gpusafe-data-race]}} expected-note 0+ {{}}
}
