// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// Contracts as C: the kernels' own names, all targets' proofs, what cannot be named is said.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %exits 0 %gpusafe emit-contracts --cuda-path=none --arch=sm_80,sm_90 %s > said 2>&1
// RUN: FileCheck --check-prefix=SAID %s < said && FileCheck %s < emit.contracts.c
// RUN: %clang_link -x c -std=c11 -Wall -Wextra -Werror -c emit.contracts.c -o emit.o
// RUN: llvm-readelf -S emit.o | FileCheck --check-prefix=SECTION %s
// SAID: emit.cu:[[#]]:24: warning: another object cannot name 'hidden', which has internal linkage: its launches stay unchecked [gpusafe-launch-contract]
// SAID-NOT: warning:
// CHECK: gpusafe_link_libgpusafe_cuda_and_libgpusafe_rt
// CHECK-NOT: L6hidden
// CHECK: // Contract of first.
// The magic number, the version, the size; what was assumed; the lowest target is 80.
// CHECK-NEXT: gpusafe_contract_0[] = {
// CHECK-NEXT: 0x44435347u, 0x00000001u, 0x{{[0-9a-f]+}}u, 0x0000003eu,
// CHECK-NEXT: 0x{{[0-9a-f]+}}u, 0x00000050u, 0x00000000u,
// CHECK: extern const char first[];
// CHECK: #pragma weak _Z6secondIfEvPT_i
// CHECK: extern const char _Z6secondIfEvPT_i[];
// SECTION: gpusafe_kernels {{.*}} 000030
//
// Nothing is written of what is not proved.
// RUN: %exits 2 %gpusafe emit-contracts --cuda-path=none -o wrong.c %s -- -DWRONG 2>&1 | FileCheck --check-prefix=WRONG %s
// RUN: test ! -e wrong.c
// WRONG: error: {{.*}} [gpusafe-disjoint]
// WRONG: gpusafe: error: {{.*}}emit.cu: no contracts are written
//
// RUN: %exits 2 %gpusafe emit-contracts --cuda-path=none -o none/x.c %s 2>&1 | FileCheck --check-prefix=PLACE %s
// PLACE: error: -fplugin-arg-gpusafe-contracts=none/x.c: cannot be written: No such file or directory
// RUN: %exits 2 %gpusafe emit-contracts %s %s 2>&1 | FileCheck --check-prefix=ONE %s
// ONE: emit-contracts takes one file
// RUN: %exits 2 %gpusafe emit-contracts %s -o 2>&1 | FileCheck --check-prefix=NAME %s
// NAME: -o needs the name of a file
// RUN: %exits 2 %gpusafe emit-contracts --json %s 2>&1 | FileCheck --check-prefix=JSON %s
// JSON: emit-contracts writes contracts only
// RUN: %exits 0 %gpusafe emit-contracts --help | FileCheck --check-prefix=HELP %s
// HELP: usage: gpusafe emit-contracts
#include <gpusafe.h>

extern "C" GS_LAUNCH_CONTRACT(n >= 0) __global__ void first(float *p GS_DISJOINT(n), int n) {
#ifdef WRONG
  int i = threadIdx.x;
#else
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#endif
  if (i < n)
    p[i] = 1;
}
template <class T> GS_LAUNCH_CONTRACT(n >= 0) __global__ void second(T *p GS_DISJOINT(n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] = 1;
}
static __global__ void hidden(float *p GS_DISJOINT(n), int n) {}
void host(float *p, int n) {
  first<<<1, 32>>>(p, n);
  second<<<1, 32>>>(p, n);
  hidden<<<1, 32>>>(p, n);
}
