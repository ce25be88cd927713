// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// Findings are placed in the source that #line and preprocessed output speak of.
// RUN: %clang_gs -fsyntax-only %s 2>&1 | FileCheck %s
// RUN: %clang -E %s -o %t.cui
// RUN: %clang_bare -fplugin=%plugin -fsyntax-only %t.cui 2>&1 | FileCheck %s
// CHECK: line_markers.cu:[[@LINE+1]]:{{[0-9]+}}: warning: {{.*}}[gpusafe-data-race]
__global__ void racy(int *p) { p[0] = threadIdx.x; }
#line 100
// CHECK: line_markers.cu:101:{{[0-9]+}}: warning: {{.*}}[gpusafe-data-race]
__global__ void racy_later(int *p) { p[0] = threadIdx.x; }
#line 7 "elsewhere.h"
// CHECK: elsewhere.h:8:{{[0-9]+}}: warning: {{.*}}[gpusafe-data-race]
__global__ void racy_elsewhere(int *p) { p[0] = threadIdx.x; }
