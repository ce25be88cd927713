// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// scatter.cu whose contract does not say that no place is given twice.
#include <gpusafe.h>

GS_LAUNCH_CONTRACT(n >= 0, in_range(to, n, 0, n))
__global__ void scatter(const float *in GS_EXTENT(n), const int *to GS_EXTENT(n),
                        float *out GS_DISJOINT(n), int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[to[i]] = in[i];
}
