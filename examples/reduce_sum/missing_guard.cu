// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Broken: the last block reads past the end where n is no multiple of 256.
#include <gpusafe.h>

GS_LAUNCH_CONTRACT(block.x == 256, n >= 0)
__global__ void reduce_sum(const float *input GS_EXTENT(n), float *output GS_DISJOINT(grid.x),
                           int n)
{
    __shared__ float sdata[256];
    unsigned tid = threadIdx.x;
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    sdata[tid] = input[i];
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
        if (tid < half)
            sdata[tid] += sdata[tid + half];
        __syncthreads();
    }
    if (tid == 0)
        output[blockIdx.x] = sdata[0];
}
