// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// Nothing is said twice: not by the host pass, not for each architecture, not for
// each instance of a template.
// RUN: %clang_all -fplugin=%plugin -fsyntax-only %s > %t.txt 2>&1
// RUN: FileCheck --input-file=%t.txt %s
// RUN: grep -c 'warning: .*gpusafe-data-race' %t.txt | grep -x 2
// RUN: not %clang_all -fplugin=%plugin -fsyntax-only -DWRONG %s > %t.wrong.txt 2>&1
// RUN: grep -c 'gpusafe-contract' %t.wrong.txt | grep -x 1
// RUN: not %clang_all -fplugin=%plugin -fsyntax-only -fplugin-arg-gpusafe-nothing %s > %t.option.txt 2>&1
// RUN: grep -c 'no such option' %t.option.txt | grep -x 1
//
// Passes that no compile holds together speak for themselves.
// RUN: %clang_gs -fsyntax-only %s 2>&1 | FileCheck %s
// RUN: %clang_gs -fsyntax-only %s 2>&1 | FileCheck %s
#include <gpusafe.h>
#ifdef WRONG
__global__ void wrong(float *p GS_DISJOINT(m), int n);
#endif
// CHECK: warning: {{.*}}[gpusafe-data-race]
// CHECK: note: the same in 2 more template instances: 'racy_template<unsigned int>', 'racy_template<long>'
__global__ void racy(int *p) { p[1] = threadIdx.x; }
template <class T> __global__ void racy_template(T *p) { p[0] = threadIdx.x; }
void host(int *p, unsigned *q, long *d) {
  racy<<<1, 32>>>(p);
  racy_template<<<1, 32>>>(p);
  racy_template<<<1, 32>>>(q);
  racy_template<<<1, 32>>>(d);
}
