// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// Annotations survive a precompiled header, and the PTX stays the same.
// RUN: %clang_gs -S -Xclang -emit-pch %S/Inputs/kernels.cuh -o %t.pch
// RUN: %clang_gs -S -Xclang -include-pch -Xclang %t.pch %s -o %t.ptx -fplugin-arg-gpusafe-dump 2>&1 | FileCheck %s
// RUN: %clang -S -Xclang -emit-pch %S/Inputs/kernels.cuh -o %t.plain.pch
// RUN: %clang -S -Xclang -include-pch -Xclang %t.plain.pch %s -o %t.plain.ptx
// RUN: %without_contracts %t.ptx | cmp - %t.plain.ptx
//
// Kernels are not analysed while a header is precompiled, but annotations are checked.
// RUN: %clang_gs -S -Xclang -emit-pch %S/Inputs/kernels.cuh -o %t.pch -fplugin-arg-gpusafe-verify -fplugin-arg-gpusafe-dump 2>&1 | count 0
// RUN: not %clang_gs -S -x cuda -Xclang -emit-pch %S/Inputs/wrong.cuh -o %t.wrong.pch 2>&1 | FileCheck --check-prefix=WRONG %s
// WRONG: wrong.cuh:3:51: error: unknown name 'm' [gpusafe-contract]
//
// A header that was precompiled without the plugin has lost them.
// RUN: not %clang_gs -fsyntax-only -Xclang -include-pch -Xclang %t.plain.pch %s 2>&1 | FileCheck --check-prefix=LOST %s
// LOST: gpusafe.h:{{.*}}: error: gpusafe.h was read without the plugin, by a precompiled header or module: its annotations are lost; make that with the plugin too [gpusafe-contract]

// CHECK: kernel 'from_header'
// CHECK: disjoint param 0: n [n = param 1+0:i32], at {{.*}}kernels.cuh:11:
// CHECK: kernel 'from_template<3>'
// CHECK: disjoint param 0: n * N [n = param 1+0:i32, N = 3], at {{.*}}kernels.cuh:6:
// CHECK: trusted data-race (said in the header), at {{.*}}kernels.cuh:9:5, from {{.*}}kernels.cuh:9:49 to
// CHECK: contract: block.x == width [width = 5], at {{.*}}kernels.cuh:5:
// CHECK: kernel 'only_declared'
// CHECK: disjoint param 0: n [n = param 1+0:i32], at {{.*}}kernels.cuh:16:
template __global__ void from_template<3>(float *, int);
__global__ void only_declared(float *q, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m)
    q[i] = 2;
}
