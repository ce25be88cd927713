// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The softmax of attention: a block for each row of scores. Two reductions share one array, so
// what the first leaves must be read by all before the second writes.
#include <gpusafe.h>

GS_LAUNCH_CONTRACT(block.x == 256, grid.x <= rows, cols >= 0, rows * cols <= 0x7fffffff)
__global__ void softmax(const float *scores GS_EXTENT(rows * cols), float *out GS_DISJOINT(rows * cols),
                        int rows, int cols, float scale)
{
    __shared__ float shared[256];
    int t = threadIdx.x, row = blockIdx.x;
    float most = -INFINITY, sum = 0;
    for (int j = t; j < cols; j += 256)
        most = fmaxf(most, scores[row * cols + j] * scale);
    shared[t] = most;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half)
            shared[t] = fmaxf(shared[t], shared[t + half]);
        __syncthreads();
    }
    most = shared[0];
    __syncthreads(); // all have read it
    for (int j = t; j < cols; j += 256)
        sum += expf(scores[row * cols + j] * scale - most);
    shared[t] = sum;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half)
            shared[t] += shared[t + half];
        __syncthreads();
    }
    sum = shared[0];
    for (int j = t; j < cols; j += 256)
        out[row * cols + j] = expf(scores[row * cols + j] * scale - most) / sum;
}
