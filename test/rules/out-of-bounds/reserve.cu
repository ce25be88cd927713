// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: not %gpusafe check --cuda-path=none --quiet %s 2>&1 | FileCheck %s
// A question about data races that is not decided leaves the rules behind it their share.
#include <gpusafe.h>

// CHECK: cannot prove absence of data races on 'y'
// CHECK-NOT: 'ptr'
// CHECK-NOT: 'col'
// CHECK-NOT: 'val'
// CHECK-NOT: 'x'
GS_LAUNCH_CONTRACT(rows >= 0, monotone(ptr, rows + 1), in_range(ptr, rows + 1, 0, nnz + 1), in_range(col, nnz, 0, cols))
__global__ void refused_csc(const int *ptr GS_EXTENT(rows + 1), const int *col GS_EXTENT(nnz),
                            const float *val GS_EXTENT(nnz), const float *x GS_EXTENT(rows),
                            float *y GS_EXCLUSIVE(cols, scope = grid), int rows, int cols, int nnz) {
  for (int r = blockIdx.x * blockDim.x + threadIdx.x; r < rows; r += gridDim.x * blockDim.x)
    for (int j = ptr[r]; j < ptr[r + 1]; j++) y[col[j]] += val[j] * x[r];
}
