// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// Where contracts come into the code, and where it is said that they do not.
// (test/runtime has programs that run; the PTX is in ptx_identity.cu.)
//
// With -save-temps another process makes the code, from bitcode.
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d
// RUN: env PATH=%source/test/runtime/Inputs/bin:$PATH %clang_all -fplugin=%plugin -save-temps -S %s -o host.s
// RUN: FileCheck --check-prefix=HOST --implicit-check-not=cudaLaunchKernel@ %s < host.s
// RUN: grep -h __gpusafe_contract_ *sm_90.s *sm_80.s | FileCheck --check-prefix=DEVICE %s
// HOST-DAG: gsrt_cudaLaunchKernel
// HOST-DAG: .section gpusafe_kernels,"awR"
// HOST-DAG: {{^}}gpusafe_entry._Z20__device_stub__firstPfi:
// HOST-DAG: {{^}}gpusafe_entry._Z21__device_stub__secondIfEvPT_i:
// HOST-DAG: .quad gpusafe_link_libgpusafe_cuda_and_libgpusafe_rt
// DEVICE-COUNT-4: __gpusafe_contract_{{_Z5firstPfi|_Z6secondIfEvPT_i}}[
//
// RUN: %clang_gs -Xclang -disable-llvm-passes -S %s -o %t.ptx 2>&1 | FileCheck --check-prefix=NOPASSES %s
// RUN: %clang_gs -Xclang -disable-llvm-passes -S -w %s -o %t.ptx 2>&1 | count 0
// NOPASSES: warning: -disable-llvm-passes leaves contracts out of the code, and launches unchecked [gpusafe-launch-contract]
//
// A host pass alone does not know what the proofs assume; strict ones assume nothing.
// RUN: %clang_host_pass -fplugin=%plugin -S %s -o %t.s 2>&1 | FileCheck --check-prefix=ALONE %s
// RUN: %clang_host_pass -fplugin=%plugin -S %s -o %t.s -fplugin-arg-gpusafe-strict 2>&1 | count 0
// RUN: %clang_host_pass -fplugin=%plugin -S %s -o %t.s -w 2>&1 | count 0
// RUN: %clang_host_pass -fplugin=%plugin -fsyntax-only %s 2>&1 | count 0
// ALONE: contracts.cu:[[#FIRST:]]:17: warning: no device pass of this compile checked 'first': launches are checked against its contract, but not against what a proof assumes [gpusafe-launch-contract]
// ALONE: contracts.cu:[[#FIRST+7]]:17: warning: {{.*}} 'second<float>'
// ALONE: 2 warnings generated
//
// What is not checked at launches is not called so.
// RUN: %clang_gs -fsyntax-only %s -fplugin-arg-gpusafe-report=%t.json && grep -c '"checked": true' %t.json
// RUN: %clang_gs -fsyntax-only %s -fplugin-arg-gpusafe-runtime=off -fplugin-arg-gpusafe-report=%t.json && not grep '"checked": true' %t.json
//
// Sanitizers put nothing between entries.
// RUN: %clang_host_pass -fplugin=%plugin -fsanitize=address -w -c %s -o %t.o
// RUN: llvm-readelf -S %t.o | FileCheck --check-prefix=PLAIN %s
// PLAIN-COUNT-2: gpusafe_kernels PROGBITS {{[0-9a-f]+ [0-9a-f]+}} 000018
#include <gpusafe.h>

GS_LAUNCH_CONTRACT(n >= 0)
__global__ void first(float *p GS_DISJOINT(n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] = 1;
}
template <class T>
GS_LAUNCH_CONTRACT(n >= 0)
__global__ void second(T *p GS_DISJOINT(n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] = 1;
}
void host(float *p, int n) {
  first<<<1, 32>>>(p, n);
  second<<<1, 32>>>(p, n);
}
