// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %clang_c -fsyntax-only -fplugin=%plugin -fplugin-arg-gpusafe-off -Xclang -verify %s
// RUN: %clang_c -fsyntax-only -std=gnu23 -fplugin=%plugin -fplugin-arg-gpusafe-off -fplugin-arg-gpusafe-dump %s 2>&1 | FileCheck %s
// expected-no-diagnostics
// Kernels in plain C, for the nvptx64 target. Constants are enumerators, macros and
// const variables; a structure is passed by value.
#include <gpuintrin.h>
#include <gpusafe.h>

enum { TILE = 16 };
static const int SLABS = 4;
struct size { int width; unsigned short height; };

// CHECK: kernel 'scale' scale
// CHECK: param 1 's' 'struct size' record, 8 bytes
// CHECK-NEXT: 'width' at 0, 32 bits, signed integer
// CHECK-NEXT: 'height' at 4, 16 bits, unsigned integer
// CHECK: disjoint param 0: s.width * s.height [s.width = param 1+0:i32, s.height = param 1+4:u16]
// CHECK: trusted data-race (shown elsewhere)
// CHECK: contract: block.x == TILE * SLABS [TILE = 16, SLABS = 4]
GS_LAUNCH_CONTRACT(block.x == TILE * SLABS, s.width >= 0)
__gpu_kernel void scale(float *p GS_DISJOINT(s.width * s.height), struct size s) {
  int i = (int)(__gpu_block_id(0) * __gpu_num_threads(0) + __gpu_thread_id(0));
  GS_TRUSTED(data-race, "shown elsewhere")
  if (i < s.width * s.height)
    p[i] *= 2;
}
