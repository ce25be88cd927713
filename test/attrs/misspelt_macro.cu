// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// A macro of gpusafe.h that is misspelt is one error, and not what the parser makes of it.
// RUN: rm -rf %t && split-file %s %t
// RUN: not %clang_gs -fsyntax-only %t/extend.cu 2>&1 | FileCheck --check-prefix=EXTEND --implicit-check-not=error: %s
// RUN: not %clang_gs -fsyntax-only %t/contract.cu 2>&1 | FileCheck --check-prefix=CONTRACT --implicit-check-not=error: %s
// RUN: %clang_gs -fsyntax-only -Xclang -verify %t/own.cu
//--- extend.cu
#include <gpusafe.h>
// EXTEND: extend.cu:3:35: fatal error: unknown annotation 'GS_EXTEND'; did you mean 'GS_EXTENT'? [gpusafe-contract]
__global__ void k(const float *p  GS_EXTEND(n), float *q GS_DISJONT(n), int n) { q[0] = p[0]; }
//--- contract.cu
#include <gpusafe.h>
// CONTRACT: contract.cu:3:1: fatal error: unknown annotation 'GS_LAUNCH_CONTRAKT'; did you mean 'GS_LAUNCH_CONTRACT'? [gpusafe-contract]
GS_LAUNCH_CONTRAKT(n >= 0) __global__ void k(float *p, int n) {}
//--- own.cu
// expected-no-diagnostics
int GS_EXTEND(int);
#include <gpusafe.h>
enum { GS_EXTENTS = 3, GS_OTHER_NAME };
void GS_something_else(int);
int use() { GS_something_else(GS_EXTENTS); return GS_EXTEND(GS_OTHER_NAME); }
