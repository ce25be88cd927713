// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// UNSUPPORTED: sanitized
// A program that clang and the plugin made: launches that keep the contract go through,
// others are refused with kernel, clause, line and values; at every level, and with
// sections that the linker may drop.
// RUN: %clang_launches -O0 %s -o %t.0.s
// RUN: %link_launches %t.0.s -o %t.0
// RUN: %run_launches %t.0 2>&1 | FileCheck %s
// RUN: %clang_launches -O3 -ffunction-sections -fdata-sections -g %s -o %t.3.s
// RUN: %link_launches %t.3.s -Wl,--gc-sections -o %t.3
// RUN: %run_launches %t.3 2>&1 | FileCheck %s
// RUN: %link_launches %t.3.s -fuse-ld=gold -Wl,--gc-sections -o %t.gold
// RUN: %run_launches %t.gold 2>&1 | FileCheck %s
//
// Without the plugin, and with runtime=off, it is an ordinary program.
// RUN: %clang_launches -fplugin-arg-gpusafe-runtime=off -O2 %s -o %t.off.s
// RUN: not grep -e gsrt_ -e gpusafe_ %t.off.s
//
// Who forgets the library is told its name.
// RUN: not %link_bare %t.0.s -o %t.none 2>&1 | FileCheck --check-prefix=MISSING %s
// MISSING-DAG: undefined reference to `gsrt_cudaLaunchKernel'
// MISSING-DAG: `gpusafe_link_libgpusafe_cuda_and_libgpusafe_rt'
#include "Inputs/guarded.h"

// 3 dimensions, a struct, an enumeration and a bool.
struct shape {
  short width;
  const float *data;
  bool wide;
};
enum mode { FORWARD = 1, BACKWARD };

GS_LAUNCH_CONTRACT(block.x == 64, grid.x * block.x >= n,
                   n >= 0)
__global__ void add(const float *a GS_EXTENT(n), float *c GS_DISJOINT(n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i];
}
GS_LAUNCH_CONTRACT(s.width > 0, m != BACKWARD, !s.wide || flag)
__global__ void fields(shape s, mode m, bool flag) {}

namespace {
GS_LAUNCH_CONTRACT(block.x == 1) __global__ void hidden() {}
}
GS_LAUNCH_CONTRACT(block.x == 2) static __global__ void local_one() {}
extern "C" GS_LAUNCH_CONTRACT(block.x == 3) __global__ void plain_name() {}
template <int N> struct holder {
  GS_LAUNCH_CONTRACT(block.x == N) static __global__ void member() {}
};
/// Reads blockIdx.y, so only threadIdx.y may be taken to be 0.
__global__ void rows(float *p GS_DISJOINT(n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (blockIdx.y == 0 && i < n)
    p[i] = 1;
}
__global__ void free_one(float *p) {}

/// One more, which the compiler does not see: a launch that is certain to be wrong is an
/// error when it is compiled.
static int more(int value) {
  static volatile int one = 1;
  return value + one;
}

int main() {
  // CHECK: {{^}}good: 1 made, 0 refused
  add<<<2, 64>>>(nullptr, nullptr, 0);
  tell("good");
  // CHECK: launches.cu:[[#CONTRACT:]]:20: gpusafe: kernel 'add': 'block.x == 64' does not hold: 32 == 64 is false (block.x = 32) [clause]
  // CHECK: {{^}}block: 0 made, 1 refused
  add<<<2, more(31)>>>(nullptr, nullptr, 0);
  tell("block");
  // CHECK: launches.cu:[[#CONTRACT]]:35: gpusafe: kernel 'add': 'grid.x * block.x >= n' does not hold: 128 >= 129 is false (grid.x = 2, block.x = 64, n = 129) [clause]
  // CHECK: launches.cu:[[#CONTRACT+2]]:36: gpusafe: kernel 'add': a is null, but has 129 elements [pointer-null]
  // CHECK: {{^}}size: 0 made, 1 refused
  add<<<2, 64>>>(nullptr, nullptr, more(128));
  tell("size");
  // CHECK: kernel 'fields': 's.width > 0' does not hold: 0 > 0 is false (s.width = 0)
  // CHECK: kernel 'fields': 'm != BACKWARD' does not hold: 2 != 2 is false
  // CHECK: kernel 'fields': '!s.wide || flag' does not hold
  // CHECK: {{^}}fields: 1 made, 1 refused
  fields<<<1, 1>>>(shape{short(more(-1)), nullptr, true}, mode(more(1)), more(-1));
  fields<<<1, 1>>>(shape{1, nullptr, true}, FORWARD, true);
  tell("fields");
  // CHECK: kernel '(anonymous namespace)::hidden': 'block.x == 1'
  // CHECK: kernel 'local_one': 'block.x == 2'
  // CHECK: kernel 'plain_name': 'block.x == 3'
  // CHECK: kernel 'holder<4>::member': 'block.x == N'
  // CHECK: {{^}}names: 4 made, 4 refused
  for (int i = 0; i < 2; i++) hidden<<<1, i ? more(1) : 1>>>();
  for (int i = 0; i < 2; i++) local_one<<<1, i ? more(2) : 2>>>();
  for (int i = 0; i < 2; i++) plain_name<<<1, i ? more(3) : 3>>>();
  for (int i = 0; i < 2; i++) holder<4>::member<<<1, i ? more(4) : 4>>>();
  tell("names");
  // CHECK: kernel 'fill<double>': {{'n >= sizeof.T.'}} does not hold: 7 >= 8 is false
  // CHECK: {{^}}template: 0 made, 1 refused
  fill<<<1, 32>>>((double *)nullptr, more(6));
  tell("template");
  // What the proof assumed comes from the device pass.
  // CHECK: kernel 'rows': block.y is 2; the kernel does not read that axis of the block
  // CHECK: {{^}}assumed: 1 made, 1 refused
  rows<<<dim3(1, 5), 32>>>(nullptr, 0);
  rows<<<dim3(1, 5), dim3(32, more(1))>>>(nullptr, 0);
  tell("assumed");
  // Not through the stub, and through a pointer.
  // CHECK: 65 == 64 is false
  // CHECK: 66 == 64 is false
  // CHECK: 67 == 64 is false
  // CHECK: {{^}}direct: 2 made, 3 refused
  int n = 0;
  const void *null = nullptr;
  void *args[] = {&null, &null, &n};
  cudaLaunchKernel((const void *)add, dim3(1), dim3(64), args, 0, nullptr);
  cudaLaunchKernel((const void *)add, dim3(1), dim3(more(64)), args, 0, nullptr);
  cudaLaunchCooperativeKernel((const void *)add, dim3(1), dim3(more(65)), args, 0, nullptr);
  auto *launch = cudaLaunchKernel;
  launch((const void *)add, dim3(1), dim3(more(66)), args, 0, nullptr);
  launch((const void *)free_one, dim3(1), dim3(67), args, 0, nullptr);
  tell("direct");
}
