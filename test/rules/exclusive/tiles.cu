// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %python %source/test/kernels/verdicts.py %s %gpusafe --verify
// Blocks that own tiles: of one, two and three dimensions, cut at the edges, in loops.
#include <gpusafe.h>

// A line of blockDim.x elements; threads exchange inside of it.
__global__ void proved_line(float *c GS_EXCLUSIVE(n), int n) {
  int first = blockIdx.x * blockDim.x, i = first + threadIdx.x;
  if (i < n) c[i] = i;
  __syncthreads();
  float other = 0;
  if (threadIdx.x > 0 && i < n) other = c[i - 1];
  __syncthreads();
  if (i < n) c[i] = other;
}
// The neighbour's last element: a halo.
__global__ void race_line(float *c GS_EXCLUSIVE(n), int n) {
  int first = blockIdx.x * blockDim.x, i = first + threadIdx.x;
  if (i < n) c[i] = i;
  __syncthreads();
  float other = 0;
  if (i > 0 && i < n) other = c[i - 1];
  __syncthreads();
  if (i < n) c[i] = other;
}
// One barrier too few inside of the block.
__global__ void race_line_inside(float *c GS_EXCLUSIVE(n), int n) {
  int first = blockIdx.x * blockDim.x, i = first + threadIdx.x;
  if (i < n) c[i] = i;
  __syncthreads();
  float other = 0;
  if (threadIdx.x > 0 && i < n) other = c[i - 1];
  if (i < n) c[i] = other;
}

// Tiles of 16 x 16, cut by the guards.
GS_LAUNCH_CONTRACT(block == dim(16, 16), ld >= w, w >= 0, h >= 0)
__global__ void proved_plane(float *c GS_EXCLUSIVE(h * ld), int w, int h, int ld) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  bool in = x < w && y < h;
  if (in) c[y * ld + x] = x + y;
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 16; k++) {
    int xx = blockIdx.x * 16 + k;
    if (xx < w && y < h) sum += c[y * ld + xx];
  }
  __syncthreads();
  if (in) c[y * ld + x] = sum;
}
// Without `ld >= w` rows overlap.
GS_LAUNCH_CONTRACT(block == dim(16, 16), w >= 0, h >= 0, ld >= 0)
__global__ void race_plane(float *c GS_EXCLUSIVE(), int w, int h, int ld) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < w && y < h) c[y * ld + x] = x + y;
}
// A stencil in place: the row above is another block's.
GS_LAUNCH_CONTRACT(block == dim(16, 16), h >= 0)
__global__ void race_plane_halo(float *c GS_EXCLUSIVE(h * 512), int h) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  float above = x < 512 && y > 0 && y < h ? c[(y - 1) * 512 + x] : 0;
  __syncthreads();
  if (x < 512 && y < h) c[y * 512 + x] = above;
}
GS_LAUNCH_CONTRACT(block == dim(16, 16), ld >= w, w >= 0, h >= 0)
__global__ void refused_plane_halo(float *c GS_EXCLUSIVE(h * ld), int w, int h, int ld) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  float above = x < w && y > 0 && y < h ? c[(y - 1) * ld + x] : 0;
  __syncthreads();
  if (x < w && y < h) c[y * ld + x] = above;
}

// Boxes of any size.
GS_LAUNCH_CONTRACT(w >= 0, h >= 0, d >= 0)
__global__ void proved_box(int *c GS_EXCLUSIVE(d * h * w), int w, int h, int d) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < w && y < h && z < d) c[(z * h + y) * w + x] = 1;
}
GS_LAUNCH_CONTRACT(w >= 0, h >= 0, d >= 0)
__global__ void race_box(int *c GS_EXCLUSIVE(), int w, int h, int d) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < w && y < h && z < d) c[(z * h + y) * h + x] = x;
}

// A block that comes back for more: rows, all of whose elements its threads share.
GS_LAUNCH_CONTRACT(rows >= 0, ld >= 0)
__global__ void proved_persistent(int *c GS_EXCLUSIVE(rows * ld), int rows, int ld) {
  for (int r = blockIdx.x; r < rows; r += gridDim.x) {
    for (int i = threadIdx.x; i < ld; i += blockDim.x) c[r * ld + i] = r;
    __syncthreads();
    int sum = 0;
    if (threadIdx.x == 0)
      for (int i = 0; i < ld; i++) sum += c[r * ld + i];
    __syncthreads();
    if (threadIdx.x == 0 && ld > 0) c[r * ld] = sum;
  }
}
GS_LAUNCH_CONTRACT(rows >= 0, ld >= 0)
__global__ void race_persistent(int *c GS_EXCLUSIVE(rows * ld), int rows, int ld) {
  for (int r = blockIdx.x; r < rows; r += gridDim.x) {
    for (int i = threadIdx.x; i < ld; i += blockDim.x) c[r * ld + i] = r;
    __syncthreads();
    int sum = 0;
    if (threadIdx.x == 0 && r + 1 < rows)
      for (int i = 0; i < ld; i++) sum += c[(r + 1) * ld + i];
    __syncthreads();
    if (threadIdx.x == 0 && ld > 0) c[r * ld] = sum;
  }
}

// A histogram of each block, by atomic operations among its threads.
GS_LAUNCH_CONTRACT(bins >= 0)
__global__ void proved_histogram(unsigned *h GS_EXCLUSIVE(bins * grid.x), const unsigned *in, int n, int bins) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    unsigned k = in[i];
    if (k < (unsigned)bins) atomicAdd(&h[(size_t)blockIdx.x * bins + k], 1u);
  }
}
// One for all: atomic operations do not make an owner.
GS_LAUNCH_CONTRACT(bins >= 0)
__global__ void race_histogram(unsigned *h GS_EXCLUSIVE(bins), const unsigned *in, int n, int bins) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    unsigned k = in[i];
    if (k < (unsigned)bins) atomicAdd(&h[k], 1u);
  }
}
// Through a walking pointer.
GS_LAUNCH_CONTRACT(chunk >= 0)
__global__ void proved_chunk(int *c GS_EXCLUSIVE(), int chunk) {
  int *mine = c + (size_t)blockIdx.x * chunk;
  for (int i = threadIdx.x; i < chunk; i += blockDim.x) mine[i] = i;
}
GS_LAUNCH_CONTRACT(chunk >= 0)
__global__ void race_chunk(int *c GS_EXCLUSIVE(), int chunk) {
  int *mine = c + (size_t)blockIdx.x * chunk;
  for (int i = threadIdx.x; i <= chunk; i += blockDim.x) mine[i] = i;
}
