// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Broken: nothing makes the threads of a step wait for the sums of the step before.
#include <gpusafe.h>

GS_LAUNCH_CONTRACT(block.x == 256, n >= 0)
__global__ void reduce_sum(const float *input GS_EXTENT(n), float *output GS_DISJOINT(grid.x),
                           int n)
{
    __shared__ float sdata[256];
    unsigned tid = threadIdx.x;
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    sdata[tid] = i < n ? input[i] : 0;
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
        if (tid < half)
            sdata[tid] += sdata[tid + half];
    }
    if (tid == 0)
        output[blockIdx.x] = sdata[0];
}
