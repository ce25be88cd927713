// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ten launches of launches.c through <<<>>>: nothing but the contract is written, the
// checks come with -fplugin=libgpusafe.so. The messages are the runtime's, on stderr; what
// is refused shows in cudaGetLastError as well.
#include <gpusafe.h>
#include <stdio.h>

GS_LAUNCH_CONTRACT(block.x % 32 == 0, grid.x * block.x >= n)
__global__ void vector_add(const float *a GS_EXTENT(n), const float *b GS_EXTENT(n),
                           float *c GS_DISJOINT(n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}

static const int N = 1000;
static int refused;

// A function of its own, so that the compiler does not see the values: what it sees to be
// wrong is an error already when this file is compiled.
static void launch(const char *what, dim3 grid, dim3 block, size_t smem, const float *a,
                   const float *b, float *c, int n) {
  fprintf(stderr, "%s\n", what);
  vector_add<<<grid, block, smem>>>(a, b, c, n);
  refused += cudaGetLastError() != cudaSuccess;
}

int main() {
  float *a = nullptr, *b = nullptr, *c = nullptr;
  if (cudaMalloc(&a, N * sizeof *a) != cudaSuccess || cudaMalloc(&b, N * sizeof *b) != cudaSuccess ||
      cudaMalloc(&c, N * sizeof *c) != cudaSuccess)
    return fprintf(stderr, "no memory on the device\n"), 2;
  launch("1. the grid does not cover the data", 3, 256, 0, a, b, c, N);
  launch("2. a block of broken warps", 11, 100, 0, a, b, c, N);
  launch("3. a block of too many threads", 1, 2048, 0, a, b, c, N);
  launch("4. an empty grid for empty input", 0, 256, 0, a, b, c, 0);
  launch("5. grid and block swapped", 256, 4, 0, a, b, c, N);
  launch("6. shared memory without opting in", 4, 256, 64 * 1024, a, b, c, N);
  launch("7. more elements than the buffers have", 5, 256, 0, a, b, c, N + 1);
  launch("8. an input that was never allocated", 4, 256, 0, nullptr, b, c, N);
  launch("9. the result over an input", 4, 256, 0, a, b, a, N);
  launch("10. a negative size", 4, 256, 0, a, b, c, -1);
  fprintf(stderr, "%d of 10 were refused\n", refused);
  vector_add<<<4, 256>>>(a, b, c, N);
  bool good = cudaGetLastError() == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess;
  fprintf(stderr, "and a launch that is right: %s\n", good ? "made" : "refused");
  cudaFree(a), cudaFree(b), cudaFree(c);
  return refused == 10 && good ? 0 : 1;
}
