// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// scan.cu as it is often written: one thread reads sums[t - step] while another writes it.
#include <gpusafe.h>

GS_LAUNCH_CONTRACT(block.x == 256, n >= 0)
__global__ void scan_blocks(const int *in GS_EXTENT(n), int *out GS_DISJOINT(n),
                            int *totals GS_DISJOINT(grid.x), int n)
{
    __shared__ int sums[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    sums[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int step = 1; step < 256; step *= 2) {
        if (t >= step)
            sums[t] += sums[t - step];
        __syncthreads();
    }
    if (i < n)
        out[i] = sums[t];
    if (t == 255)
        totals[blockIdx.x] = sums[t];
}
