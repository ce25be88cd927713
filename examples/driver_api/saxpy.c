// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// y += a * x in plain C: clang's <gpuintrin.h> instead of CUDA. Its accessors speak of all axes, so the
// contract says that there is one.
#include <gpuintrin.h>
#include <gpusafe.h>

GS_LAUNCH_CONTRACT(grid == dim(grid.x), block == dim(block.x), grid.x * block.x >= n, n >= 0)
__gpu_kernel void saxpy(float a, const float *x GS_EXTENT(n), float *y GS_DISJOINT(n), int n)
{
    int i = (int)(__gpu_block_id(0) * __gpu_num_threads(0) + __gpu_thread_id(0));
    if (i < n)
        y[i] += a * x[i];
}
