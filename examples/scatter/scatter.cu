// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves each element to the place that a permutation gives it. That no two threads write one
// place is a fact about the data: the contract says it, and GPUSAFE_CHECK_DATA=1 verifies it.
#include <gpusafe.h>

GS_LAUNCH_CONTRACT(n >= 0, injective(to, n), in_range(to, n, 0, n))
__global__ void scatter(const float *in GS_EXTENT(n), const int *to GS_EXTENT(n),
                        float *out GS_DISJOINT(n), int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[to[i]] = in[i];
}
