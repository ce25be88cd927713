// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// One target's report stands alone, several share the file; a report for another
// source, or what is no report, is replaced.
// RUN: rm -f %t.json
// RUN: %clang_all -fplugin=%plugin -fsyntax-only %s -fplugin-arg-gpusafe-report=%t.json
// RUN: %python %S/Inputs/targets.py %t.json report.cu several sm_80 sm_90
// RUN: %clang_gs -fsyntax-only %s -fplugin-arg-gpusafe-report=%t.json
// RUN: %python %S/Inputs/targets.py %t.json report.cu several sm_80 sm_90
//
// RUN: echo '{"version": 1, "file": ' > %t.json
// RUN: %clang_gs -fsyntax-only %s -fplugin-arg-gpusafe-report=%t.json
// RUN: %python %S/Inputs/targets.py %t.json report.cu one sm_90
// RUN: %clang_gs -fsyntax-only %S/rdc.cu -fplugin-arg-gpusafe-report=%t.json
// RUN: %python %S/Inputs/targets.py %t.json rdc.cu one sm_90
//
// RUN: not %clang_gs -fsyntax-only %s -fplugin-arg-gpusafe-report=%t.json.d/x 2>&1 | FileCheck %s
// CHECK: error: -fplugin-arg-gpusafe-report={{.*}}: cannot be written: No such file or directory
// RUN: %clang_gs -fsyntax-only %s -fplugin-arg-gpusafe-report=/dev/stdout | grep '"target": "sm_90"'
__global__ void fill(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] = 1;
}
