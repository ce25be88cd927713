// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %exits 1 %gpusafe check --cuda-path=none --no-times %s 2>&1 | FileCheck %s
// RUN: %exits 2 %gpusafe check --cuda-path=none --no-times %s -- -DBROKEN 2>&1 | FileCheck --check-prefix=SOURCE %s
// A launch that breaks a contract is a finding, not an error of the input; the kernels
// are checked all the same.
#include <gpusafe.h>

// CHECK: error: launch of 'narrow' breaks its contract: {{.*}} [gpusafe-launch-contract]
// CHECK: PROVED narrow
GS_LAUNCH_CONTRACT(block.x <= 32)
__global__ void narrow(float *c GS_DISJOINT(64)) {
  if (blockIdx.x == 0)
    c[threadIdx.x] = 1;
}
void launch(float *c) { narrow<<<1, 64>>>(c); }

// SOURCE: error: use of undeclared identifier 'nothing'
#ifdef BROKEN
int error = nothing;
#endif
