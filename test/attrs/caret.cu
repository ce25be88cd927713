// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %exits 1 %clang_gs -fsyntax-only %s 2>&1 | FileCheck %s
// Carets point into the clause, also through stringised macro arguments.
#include <gpusafe.h>
#define BLOCK 256

// CHECK: caret.cu:[[@LINE+1]]:60: error: unknown name 'm'
GS_LAUNCH_CONTRACT(block.x == 256,   grid.x  *  block.x >= m, n >= 0)
__global__ void blanks(int n);

// CHECK: caret.cu:[[@LINE+2]]:20: error: unknown name 'm'
GS_LAUNCH_CONTRACT(block.x == BLOCK,
                   m >= 0)
__global__ void behind_a_macro(int n);

// In the clause with the macro itself only its beginning is known.
// CHECK: caret.cu:[[@LINE+2]]:20: error: unknown name 'm'
// CHECK: caret.cu:[[@LINE+1]]:20: note: in the text 'block.x == 256 + m', at 'm'
GS_LAUNCH_CONTRACT(block.x == BLOCK + m)
__global__ void with_a_macro(int n);

// CHECK: caret.cu:[[@LINE+1]]:67: error: unknown name 'q'
__global__ void literal(float *c __attribute__((disjoint("n * " " q"))), int n);
// CHECK: caret.cu:[[@LINE+1]]:63: error: unknown name 'q'
__global__ void name(float *c __attribute__((gpusafe_disjoint(q))), int n);
// CHECK: caret.cu:[[@LINE+1]]:64: error: unknown name 'q'
__global__ void second(float *c GS_EXCLUSIVE(scope=block, n +  q), int n);
