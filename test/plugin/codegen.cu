// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// UNSUPPORTED: sanitized
// codegen=on: what is proved, and enforced at launch, may be used by the code; without the
// option the code stays what it is (ptx_identity.cu).
// RUN: %clang_gs -O2 -S %s -o %t.off.ptx && %without_contracts %t.off.ptx > %t.off.plain
// RUN: %clang -O2 -S %s -o %t.plain.ptx && cmp %t.off.plain %t.plain.ptx
// RUN: %clang_gs -O2 -S %s -o %t.ptx -fplugin-arg-gpusafe-codegen=on 2>&1 | FileCheck --check-prefix=WARN %s
// RUN: FileCheck %s < %t.ptx
// RUN: not %clang_gs -S %s -o %t.none -fplugin-arg-gpusafe-codegen=on -fplugin-arg-gpusafe-runtime=off 2>&1 | FileCheck --check-prefix=AGREE %s
// AGREE: error: -fplugin-arg-gpusafe-codegen=on: needs the checks at launch that runtime=off leaves out
//
// Whatever the policy, such a kernel is not launched against its contract; another is.
// RUN: %clang_launches -O2 -w %s -fplugin-arg-gpusafe-codegen=on -o %t.s
// RUN: %link_launches %t.s -o %t.program
// RUN: env GPUSAFE_POLICY=off LD_LIBRARY_PATH=%build/runtime/fake %t.program 2>&1 | FileCheck --check-prefix=LAUNCH %s
// RUN: env GPUSAFE_POLICY=warn LD_LIBRARY_PATH=%build/runtime/fake %t.program 2>&1 | FileCheck --check-prefix=LAUNCH %s
// LAUNCH: kernel 'exact'
// LAUNCH: {{^}}exact: 0 made, 1 refused
// LAUNCH: {{^}}vouched: 1 made, 0 refused
#include "../runtime/Inputs/guarded.h"

// CHECK-LABEL: .entry _Z5exactPKfPfi(
// CHECK: .reqntid 128, 1, 1
// CHECK: ld.global.nc
GS_LAUNCH_CONTRACT(block.x == 4 * 32, grid.x * block.x >= n, n >= 0)
__global__ void exact(const float *a GS_EXTENT(n), float *b GS_DISJOINT(n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = a[i];
}
// CHECK-LABEL: .entry _Z4mostPfi(
// CHECK: .maxntid 64
GS_LAUNCH_CONTRACT(block.x * block.y < 33, 2 >= block.z)
__global__ void most(float *b GS_DISJOINT(n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && threadIdx.y == 0 && threadIdx.z == 0 && blockIdx.y == 0 && blockIdx.z == 0)
    b[i] = 1;
}
// A bound that is there and smaller stays.
// CHECK-LABEL: .entry _Z7boundedPfi(
// CHECK: .maxntid 32
GS_LAUNCH_CONTRACT(block.x <= 64)
__global__ void __launch_bounds__(32) bounded(float *b GS_DISJOINT(n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = 1;
}
// A pointer without a count may lead anywhere, as may one that is loaded, and a global.
// CHECK-LABEL: .entry _Z5looseP{{.*}}(
// CHECK-NOT: .nc
__global__ void loose(const float *a, float *b GS_DISJOINT(n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = a[i];
}
__device__ float table[1024];
// CHECK-LABEL: .entry _Z8reachingPKfPfi(
// CHECK: .maxntid 96
// CHECK-NOT: .nc
GS_LAUNCH_CONTRACT(n <= 1024, block.x <= 96)
__global__ void reaching(const float *a GS_EXTENT(n), float *b GS_DISJOINT(n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 0 && i < n)
    b[i] = a[i] + table[i];
}
// What is vouched for is not proved.
// WARN: codegen.cu:[[#@LINE+6]]:17: warning: codegen=on leaves the code of 'vouched' as it is: what is TRUSTED is no proof [gpusafe-contract]
// CHECK-LABEL: .entry _Z7vouchedPfi(
// CHECK-NOT: ntid
// CHECK: ret;
GS_TRUSTED(data-race, "one thread runs")
GS_LAUNCH_CONTRACT(block.x == 32)
__global__ void vouched(float *b, int n) {
  if (n > 0)
    b[0] = threadIdx.x;
}

#ifndef __CUDA_ARCH__
static int more(int value) {
  static volatile int one = 1;
  return value + one;
}
int main() {
  exact<<<1, more(63)>>>(nullptr, nullptr, 0);
  tell("exact");
  vouched<<<1, more(63)>>>(nullptr, 0);
  tell("vouched");
}
#endif
