// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// transpose.cu without the barrier: a thread reads what another has not written yet.
#include <gpusafe.h>

GS_LAUNCH_CONTRACT(block == dim(32, 8), rows >= 0, cols >= 0, rows * cols <= 0x7fffffff)
__global__ void transpose(const float *in GS_EXTENT(rows * cols), float *out GS_DISJOINT(rows * cols),
                          int rows, int cols)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < cols && y + j < rows)
            tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * cols + x];
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < rows && y + j < cols)
            out[(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];
}
