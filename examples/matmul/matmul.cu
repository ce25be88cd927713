// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// c = a * b for n x n matrices, in tiles of 16 x 16 that a block loads for all its threads.
#include <gpusafe.h>

GS_LAUNCH_CONTRACT(block == dim(16, 16), n >= 0, n * n <= 0x7fffffff)
__global__ void matmul(const float *a GS_EXTENT(n * n), const float *b GS_EXTENT(n * n),
                       float *c GS_DISJOINT(n * n), int n)
{
    __shared__ float as[16][16], bs[16][16];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
    float sum = 0;
    for (int m = 0; m < (n + 15) / 16; m++) {
        as[ty][tx] = row < n && m * 16 + tx < n ? a[row * n + m * 16 + tx] : 0;
        bs[ty][tx] = col < n && m * 16 + ty < n ? b[(m * 16 + ty) * n + col] : 0;
        __syncthreads();
        for (int k = 0; k < 16; k++)
            sum += as[ty][k] * bs[k][tx];
        __syncthreads();
    }
    if (row < n && col < n)
        c[row * n + col] = sum;
}
