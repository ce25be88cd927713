// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %clang_gs -fsyntax-only -Xclang -verify %s
// RUN: %clang_all -fplugin=%plugin --cuda-host-only -fsyntax-only -Xclang -verify %s
// RUN: %clang_gs -fsyntax-only -Xclang -verify=off -fplugin-arg-gpusafe-launches=off %s
// Launches against the contract of their kernel: what is certain is an error, in device
// and host passes alike. Each broken launch has a twin that is not.
// off-no-diagnostics
#include <gpusafe.h>
extern "C" int input();
inline int div_up(int a, int b) { return (a + b - 1) / b; }

GS_LAUNCH_CONTRACT(block.x == 256, grid.x * block.x >= n, n >= 0, dynamic_smem >= 4 * block.x) // #add
__global__ void add(const float *a, float *b, int n);
void run_add(float *a, float *b, int n) {
  add<<<div_up(n, 256), 256, 1024>>>(a, b, n);
  add<<<div_up(n, 128), 128, 1024>>>(a, b, n); // expected-error {{launch of 'add' breaks its contract: 'block.x == 256' does not hold, the left side is 128, the right side 256 [gpusafe-launch-contract]}}
  // expected-note@#add {{the contract is here}}
  add<<<div_up(n, 256), 256, 1000>>>(a, b, n); // expected-error {{'dynamic_smem >= 4 * block.x' does not hold, the left side is 1000, the right side 1024}}
  // expected-note@#add {{the contract is here}}
  add<<<4, 256, 1024>>>(a, b, 1024);
  add<<<4, 256, 1024>>>(a, b, 1025); // expected-error {{'grid.x * block.x >= n' does not hold, the left side is 1024, the right side 1025}}
  // expected-note@#add {{the contract is here}}
  add<<<4, 256, 1024>>>(a, b, -1); // expected-error {{'n >= 0' does not hold, the left side is -1, the right side 0}}
  // expected-note@#add {{the contract is here}}
  // What depends on a value is the runtime's business.
  add<<<n / 256, 256, 1024>>>(a, b, n);
  add<<<4, input(), input()>>>(a, b, input());
}

// A clause of several parts: the one that is wrong is shown.
GS_LAUNCH_CONTRACT(block == dim(16, 16) && n % 4 == 0) // #tile
__global__ void tile(float *p, int n);
void run_tile(float *p, int n) {
  dim3 block(16, 16), wide(32, 8);
  tile<<<n, block>>>(p, 4 * n);
  tile<<<n, wide>>>(p, 4 * n); // expected-error {{'block == dim(16, 16) && n % 4 == 0' does not hold, the left side is 32, the right side 16}}
  // expected-note@#tile {{the contract is here}}
  tile<<<n, block>>>(p, 6); // expected-error {{does not hold, the left side is 2, the right side 0}}
  // expected-note@#tile {{the contract is here}}
}

// Certain without a number for everything.
GS_LAUNCH_CONTRACT(m == 2 * n, grid.x < n) // #even
__global__ void even(float *p, int n, int m);
void run_even(float *p, int n) {
  even<<<1, 32>>>(p, n, 2 * n);
  even<<<1, 32>>>(p, n, 3); // expected-error {{'m == 2 * n' does not hold, the left side is 3, the right side n * 2}}
  // expected-note@#even {{the contract is here}}
  even<<<n, 32>>>(p, n, n + n); // expected-error {{'grid.x < n' does not hold, the left side is n, the right side n}}
  // expected-note@#even {{the contract is here}}
}

// Instances have contracts of their own, and a launch in a template is told once.
template <class T, int N>
GS_LAUNCH_CONTRACT(block.x == N, dynamic_smem == N * sizeof(T)) // #instance
__global__ void instance(T *p) {}
template <class T> void launch_it(T *p) {
  instance<T, 64><<<1, 64, 64 * sizeof(T)>>>(p);
  instance<T, 64><<<1, 64, 64 * sizeof(float)>>>(p); // expected-error {{launch of 'instance<double, 64>' breaks its contract: 'dynamic_smem == N * sizeof(T)' does not hold, the left side is 256, the right side 512}}
  // expected-note@#instance {{the contract is here}}
  instance<T, 64><<<1, 32, 64 * sizeof(T)>>>(p); // expected-error {{launch of 'instance<float, 64>' breaks its contract: 'block.x == N' does not hold, the left side is 32, the right side 64}} expected-error {{launch of 'instance<double, 64>' breaks its contract: 'block.x == N' does not hold, the left side is 32, the right side 64}}
  // expected-note@#instance 2 {{the contract is here}}
}
template void launch_it(float *);
template void launch_it(double *);

// One buffer for an exclusive parameter and another.
__global__ void own(float *a GS_EXCLUSIVE(n), const float *b, int n); // #own
void run_own(float *a, float *b, int n) {
  own<<<1, 32>>>(a, b, n);
  own<<<1, 32>>>(a, a + n, n);
  own<<<1, 32>>>(a, a, n); // expected-error {{launch of 'own' gives 'a', which is exclusive, the buffer that 'b' gets [gpusafe-launch-contract]}}
  // expected-note@#own {{it is declared exclusive here}}
  float *same = b;
  own<<<1, 32>>>(same, b, n); // expected-error {{launch of 'own' gives 'a', which is exclusive, the buffer that 'b' gets}}
  // expected-note@#own {{it is declared exclusive here}}
}

// Other ways to launch.
GS_LAUNCH_CONTRACT(cooperative, block.x == 32) // #coop
__global__ void coop(float *p);
void run_coop(float *p) {
  void *args[] = {&p};
  cudaLaunchCooperativeKernel((const void *)coop, dim3(4), dim3(32), args, 0, 0);
  cudaLaunchKernel((const void *)coop, dim3(4), dim3(64), args, 0, 0); // expected-error {{'cooperative' does not hold}} expected-error {{'block.x == 32' does not hold, the left side is 64, the right side 32}}
  // expected-note@#coop 2 {{the contract is here}}
}
