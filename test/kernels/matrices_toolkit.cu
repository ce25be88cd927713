// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The toolkit's mma.h.
// REQUIRES: clang, cuda
// RUN: %python %S/verdicts.py %s %gpusafe --cuda-path=%toolkit --verify
#include <gpusafe.h>
#include <mma.h>
using namespace nvcuda;
using A = wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major>;
using B = wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major>;
using C = wmma::fragment<wmma::accumulator, 16, 16, 16, float>;

/// A 16 by 16 tile of the result for each warp; m, n and k are multiples of 16.
template <int SHIFT> static __device__ void product(const half *a, const half *b, float *c, int m, int n, int k) {
  int warp_m = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize, warp_n = blockIdx.y;
  A fa;
  B fb;
  C fc;
  wmma::fill_fragment(fc, 0.0f);
  if (warp_m * 16 >= m || warp_n * 16 >= n)
    return;
  for (int i = 0; i < k; i += 16) {
    wmma::load_matrix_sync(fa, a + warp_m * 16 * k + i, k);
    wmma::load_matrix_sync(fb, b + warp_n * 16 * k + i, k);
    wmma::mma_sync(fc, fa, fb, fc);
  }
  wmma::store_matrix_sync(c + warp_m * (16 - SHIFT) * n + warp_n * 16, fc, n, wmma::mem_row_major);
}
GS_LAUNCH_CONTRACT(block.x == 128, block.y == 1, m > 0, n > 0, k > 0, m % 16 == 0, n % 16 == 0, k % 16 == 0)
__global__ void proved_product(const half *a, const half *b, float *c, int m, int n, int k) { product<0>(a, b, c, m, n, k); }
GS_LAUNCH_CONTRACT(block.x == 128, block.y == 1, m > 0, n > 0, k > 0, m % 16 == 0, n % 16 == 0, k % 16 == 0)
__global__ void race_product(const half *a, const half *b, float *c, int m, int n, int k) { product<1>(a, b, c, m, n, k); }

/// alpha * A * B + beta * C in place: a lane loads and stores the same elements.
GS_LAUNCH_CONTRACT(block.x == 128, block.y == 1)
__global__ void proved_scaled(float *c, float beta) {
  C f;
  float *tile = c + (blockIdx.x * 4 + threadIdx.x / 32) * 256;
  wmma::load_matrix_sync(f, tile, 16, wmma::mem_row_major);
  for (int i = 0; i < f.num_elements; i++)
    f.x[i] *= beta;
  wmma::store_matrix_sync(tile, f, 16, wmma::mem_row_major);
}
GS_LAUNCH_CONTRACT(block.x == 128, block.y == 1)
__global__ void race_scaled_moved(float *c, float beta) {
  C f;
  float *tile = c + (blockIdx.x * 4 + threadIdx.x / 32) * 256;
  wmma::load_matrix_sync(f, tile + 16, 16, wmma::mem_row_major);
  for (int i = 0; i < f.num_elements; i++)
    f.x[i] *= beta;
  wmma::store_matrix_sync(tile, f, 16, wmma::mem_row_major);
}
