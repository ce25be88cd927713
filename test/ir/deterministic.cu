// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// Terms do not depend on where the compiler's values happen to lie.
// RUN: %gpusafe check --cuda-path=none --dump=accesses %s > %t.1 2> /dev/null
// RUN: %gpusafe check --cuda-path=none --dump=accesses %s > %t.2 2> /dev/null
// RUN: %gpusafe check --cuda-path=none --dump=accesses %s > %t.3 2> /dev/null
// RUN: %gpusafe check --cuda-path=none --dump=accesses %s > %t.4 2> /dev/null
// RUN: diff %t.1 %t.2
// RUN: diff %t.1 %t.3
// RUN: diff %t.1 %t.4
// RUN: FileCheck %s < %t.1
// CHECK: kernel {{.*}}tiles
__global__ void tiles(const float *in, float *out, int w, int h) {
  __shared__ float tile[20][20];
  int x0 = blockIdx.x * 16, y0 = blockIdx.y * 16;
  for (int y = threadIdx.y; y < 20; y += 16)
    for (int x = threadIdx.x; x < 20; x += 16) {
      int gx = x0 + x - 2, gy = y0 + y - 2;
      tile[y][x] = gx >= 0 && gx < w && gy >= 0 && gy < h ? in[gy * w + gx] : 0;
    }
  __syncthreads();
  int x = x0 + threadIdx.x, y = y0 + threadIdx.y;
  float sum = 0;
  for (int j = 0; j < 5; j++)
    for (int i = 0; i < 5; i++)
      sum += tile[threadIdx.y + j][threadIdx.x + i];
  for (int i = x; i < h; i += w)
    if (i > 3 && y < h)
      out[y * w + x] += sum;
}
