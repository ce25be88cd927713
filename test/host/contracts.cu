// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %clang_host_rules -Xclang -analyzer-checker=gpusafe.launch-contract,gpusafe.exclusive-alias -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
// launch-contract and exclusive-alias along paths.
#include <gpusafe.h>
GS_LAUNCH_CONTRACT(block.x == 256, n >= 0, grid.x * block.x >= n)
__global__ void scale(float *p GS_DISJOINT(n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] *= 2;
}
GS_LAUNCH_CONTRACT(dynamic_smem >= 4 * block.x, is_pow2(block.x))
__global__ void sum(float *p) {
  extern __shared__ float s[];
  s[threadIdx.x] = p[threadIdx.x];
}
template <class T>
GS_LAUNCH_CONTRACT(block.x <= limit)
__global__ void copy(T *to GS_EXCLUSIVE(n), const T *from, int n, int limit) {
  int i = threadIdx.x;
  if (i < n)
    to[i] = from[i];
}
__global__ void move(float *to GS_EXCLUSIVE(n, scope=grid), const float *from, int n) {
  for (int i = 0; i < n && threadIdx.x + blockIdx.x == 0; i++)
    to[i] = from[i];
}
__global__ void plain(float *to, const float *from) { to[0] = from[0]; }

void on_one_path(float *d, int n) {
  int threads = 128;
  if (n > 1000)
    threads = 256;
  scale<<<n / 256 + 1, threads>>>(d, n); // expected-warning {{on this path this launch of 'scale' breaks its contract: 'block.x == 256' does not hold, the left side is 128, the right side 256}}
}
void negative(float *d, int n) {
  if (n < 0)
    scale<<<1, 256>>>(d, n); // expected-warning {{on this path this launch of 'scale' breaks its contract: 'n >= 0' does not hold}}
}
void too_few_blocks(float *d, int n) {
  if (n > 256)
    scale<<<1, 256>>>(d, n); // expected-warning {{'grid.x * block.x >= n' does not hold}}
}
static void launch(float *d, unsigned blocks, unsigned threads, int n) {
  scale<<<blocks, threads>>>(d, n); // expected-warning {{'block.x == 256' does not hold, the left side is 64, the right side 256}}
}
void by_helper(float *d) { launch(d, 4, 64, 100); }
void shared_too_small(float *d, bool large) {
  dim3 block(large ? 512 : 256);
  sum<<<1, block, 1024>>>(d); // expected-warning {{'dynamic_smem >= 4 * block.x' does not hold, the left side is 1024, the right side 2048}}
}
void in_a_template(float *d, const float *s, int n) {
  int limit = n > 3 ? 64 : 128;
  copy<float><<<1, 128>>>(d, s, n, limit); // expected-warning {{this launch of 'copy<float>' breaks its contract: 'block.x <= limit' does not hold}}
}
void through_the_runtime(float *d, int n) {
  int count = n > 10 ? 600 : 100;
  void *args[] = {&d, &count};
  cudaLaunchKernel((const void *)scale, dim3(2), dim3(256), args, 0, 0); // expected-warning {{'grid.x * block.x >= n' does not hold, the left side is 512, the right side 600}}
}

// --------------------------------------------------------- exclusive-alias ----
void one_buffer(float *d, float *other, int n) {
  float *target = n > 3 ? d : other;
  move<<<1, 1>>>(target, d, n); // expected-warning {{this launch of 'move' gives 'to', which is exclusive, memory that 'from' gets too}}
}
void behind_const(float *d, int n) {
  const float *s = d;
  move<<<1, 1>>>(d, s, n); // expected-warning {{gives 'to', which is exclusive, memory that 'from' gets too}}
}
void overlapping(float *d) {
  move<<<1, 1>>>(d, d + 5, 10); // expected-warning {{gives 'to', which is exclusive, memory that 'from' gets too}}
}
void allocated(int n) {
  float *d;
  cudaMalloc(&d, n);
  copy<float><<<1, 32>>>(d, d, n, 64); // expected-warning {{gives 'to', which is exclusive, memory that 'from' gets too}}
  cudaFree(d);
}
static void helper(float *a, float *b, int n) {
  move<<<1, 1>>>(a, b, n); // expected-warning {{gives 'to', which is exclusive, memory that 'from' gets too}}
}
void by_helper_alias(float *d, int n) { helper(d, d, n); }

// -------------------------------------------------------------------- right ----
void right(float *d, const float *s, float *e, int n) {
  if (n < 0)
    return;
  scale<<<(n + 255) / 256, 256>>>(d, n);
  sum<<<1, 256, 256 * sizeof(float)>>>(d);
  copy<float><<<1, 64>>>(d, s, n, 64);
  move<<<1, 1>>>(d, e, n);
  move<<<1, 1>>>(d, d + 10, 10);
  plain<<<1, 1>>>(d, d);
}
void unknown(float *d, unsigned blocks, unsigned threads, int n, int offset) {
  scale<<<blocks, threads>>>(d, n);
  move<<<1, 1>>>(d, d + offset, n);
}
void null_twice(int n) { move<<<1, 1>>>(nullptr, nullptr, n); }
