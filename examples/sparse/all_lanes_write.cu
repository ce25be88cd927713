// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sparse.cu where all lanes of a warp write the row's sum; only lane 0 has it.
#include <gpusafe.h>

GS_LAUNCH_CONTRACT(block.x % 32 == 0, rows >= 0, in_range(row, rows + 1, 0, entries + 1),
                   in_range(col, entries, 0, cols))
__global__ void csr_product(const int *row GS_EXTENT(rows + 1), const int *col GS_EXTENT(entries),
                            const float *value GS_EXTENT(entries), const float *x GS_EXTENT(cols),
                            float *y GS_DISJOINT(rows), int rows, int cols, int entries)
{
    int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (r >= rows)
        return;
    float sum = 0;
    for (int j = row[r] + lane; j < row[r + 1]; j += 32)
        sum += value[j] * x[col[j]];
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, d);
    y[r] = sum;
}
