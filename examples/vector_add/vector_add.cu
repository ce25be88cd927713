// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpusafe.h>

GS_LAUNCH_CONTRACT(grid.x * block.x >= n, n >= 0)
__global__ void vector_add(const float *a GS_EXTENT(n), const float *b GS_EXTENT(n),
                           float *c GS_DISJOINT(n), int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}
