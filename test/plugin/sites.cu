// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// How many launches keep a contract, hang on values, and break it: in the report.
// RUN: rm -f %t.json && not %clang_gs -fsyntax-only %s -fplugin-arg-gpusafe-report=%t.json 2>&1 | FileCheck --check-prefix=ERRORS %s
// RUN: FileCheck %s < %t.json
// ERRORS-COUNT-2: error: launch of 'checked' breaks its contract
// ERRORS-NOT: error:
#include <gpusafe.h>
extern "C" int input();
// CHECK-LABEL: "name": "checked"
// CHECK: "launch_sites": {
// CHECK-NEXT: "proved": 2,
// CHECK-NEXT: "depends": 1,
// CHECK-NEXT: "violated": 2
GS_LAUNCH_CONTRACT(block.x == 64, n >= 0) __global__ void checked(int n) {}
// CHECK-LABEL: "name": "plain"
// CHECK: "launch_sites": {
// CHECK-NEXT: "proved": 1,
// CHECK-NEXT: "depends": 0,
// CHECK-NEXT: "violated": 0
__global__ void plain(int n) {}
// CHECK-LABEL: "name": "never"
// CHECK: "proved": 0,
// CHECK-NEXT: "depends": 0,
// CHECK-NEXT: "violated": 0
__global__ void never(int n) {}
void host(int n) {
  checked<<<1, 64>>>(1);
  checked<<<1, 64>>>(0);
  checked<<<1, 64>>>(n);
  checked<<<1, 32>>>(n);
  checked<<<1, 64>>>(-1);
  plain<<<1, input()>>>(n);
}
