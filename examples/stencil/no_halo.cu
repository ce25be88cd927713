// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// stencil.cu whose tile has no room for the right halo.
#include <gpusafe.h>

#define RADIUS 4

GS_LAUNCH_CONTRACT(block.x == 256, n >= 0)
__global__ void stencil(const float *in GS_EXTENT(n), float *out GS_DISJOINT(n), int n)
{
    __shared__ float tile[256 + RADIUS];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    tile[t + RADIUS] = i < n ? in[i] : 0;
    if (t < RADIUS) {
        int left = i - RADIUS, right = i + 256;
        tile[t] = left >= 0 && left < n ? in[left] : 0;
        tile[t + 256 + RADIUS] = right < n ? in[right] : 0;
    }
    __syncthreads();
    float sum = 0;
    for (int d = 0; d <= 2 * RADIUS; d++)
        sum += tile[t + d];
    if (i < n)
        out[i] = sum / (2 * RADIUS + 1);
}
