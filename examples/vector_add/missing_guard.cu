// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Broken: the grid is rounded up to whole blocks, and nothing stops the threads past n.
#include <gpusafe.h>

GS_LAUNCH_CONTRACT(grid.x * block.x >= n, n >= 0)
__global__ void vector_add(const float *a GS_EXTENT(n), const float *b GS_EXTENT(n),
                           float *c GS_DISJOINT(n), int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    c[i] = a[i] + b[i];
}
