// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Broken: the index forgets the block, so all blocks write the same elements.
#include <gpusafe.h>

GS_LAUNCH_CONTRACT(grid.x * block.x >= n, n >= 0)
__global__ void vector_add(const float *a GS_EXTENT(n), const float *b GS_EXTENT(n),
                           float *c GS_DISJOINT(n), int n)
{
    int i = threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}
