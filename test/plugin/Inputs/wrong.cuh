// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpusafe.h>
__global__ void from_header(float *p GS_DISJOINT( m), int n);
