// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// Code that clang's parser takes and its CodeGen does not. A compile that generates code
// says so itself, once; under -fsyntax-only nobody else can say why a claim is unproved.
// RUN: not %clang_gs -S %s -o %t.ptx > %t.code.txt 2>&1
// RUN: grep -c error: %t.code.txt | grep -x 1
// RUN: FileCheck --check-prefix=CODE --input-file=%t.code.txt %s
// RUN: not %clang_gs -fsyntax-only %s 2>&1 | FileCheck --check-prefix=SYNTAX %s
// RUN: %clang_gs -fsyntax-only -DNO_CLAIM %s 2>&1 | count 0
// CODE: error: definition with same mangled name 'twice' as another definition
// SYNTAX: error: cannot check the kernels of this file: definition with same mangled name 'twice' as another definition [gpusafe-contract]
#include <gpusafe.h>
#ifdef NO_CLAIM
#undef GS_EXTENT
#define GS_EXTENT(n)
#endif
__device__ int one() asm("twice");
__device__ int one() { return 1; }
__device__ long two() asm("twice");
__device__ long two() { return 2; }
__global__ void k(int *p GS_EXTENT(1)) { p[0] = one() + (int)two(); }
