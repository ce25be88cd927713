// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts bytes: each block counts in shared memory with atomic additions, and adds its counts
// to those of all.
#include <gpusafe.h>

GS_LAUNCH_CONTRACT(n >= 0)
__global__ void histogram(const unsigned char *in GS_EXTENT(n), unsigned *counts GS_EXTENT(256), int n)
{
    __shared__ unsigned mine[256];
    for (int bin = threadIdx.x; bin < 256; bin += blockDim.x)
        mine[bin] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&mine[in[i]], 1u);
    __syncthreads();
    for (int bin = threadIdx.x; bin < 256; bin += blockDim.x)
        atomicAdd(&counts[bin], mine[bin]);
}
