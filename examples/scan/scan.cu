// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Running sums: each block scans 256 elements and tells its total; a second kernel adds what
// the blocks before have in all.
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
        int before = t >= step ? sums[t - step] : 0;
        __syncthreads(); // all have read
        sums[t] += before;
        __syncthreads(); // all have written
    }
    if (i < n)
        out[i] = sums[t];
    if (t == 255)
        totals[blockIdx.x] = sums[t];
}

GS_LAUNCH_CONTRACT(n >= 0)
__global__ void add_offsets(int *out GS_DISJOINT(n), const int *offsets GS_EXTENT(grid.x), int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] += offsets[blockIdx.x];
}
