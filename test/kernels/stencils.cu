// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %python %S/verdicts.py %s %gpusafe
// Convolutions and stencils that read a halo around their tile: in bounds under four
// comparisons, clamped, or cut by a ternary, in 32 and 64 bits, signed and unsigned, over one
// to three dimensions. Each has a twin that is broken.
#include <gpusafe.h>

// ---- one dimension: a tile and its two rims
#define R 3
GS_LAUNCH_CONTRACT(block.x == 128, n >= 0)
__global__ void proved_line(const float *in GS_EXTENT(n), float *out GS_DISJOINT(n), int n) {
  __shared__ float s[128 + 2 * R];
  int first = blockIdx.x * 128 - R;
  for (int k = threadIdx.x; k < 128 + 2 * R; k += 128) {
    int g = first + k;
    s[k] = g >= 0 && g < n ? in[g] : 0;
  }
  __syncthreads();
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i < n) {
    float sum = 0;
    for (int k = 0; k <= 2 * R; k++) sum += s[threadIdx.x + k];
    out[i] = sum;
  }
}
GS_LAUNCH_CONTRACT(block.x == 128, n >= 0)
__global__ void race_line(const float *in GS_EXTENT(n), float *out GS_DISJOINT(n), int n) {
  __shared__ float s[128 + 2 * R];
  int first = blockIdx.x * 128 - R;
  for (int k = threadIdx.x; k < 128 + 2 * R; k += 128) {
    int g = first + k;
    s[k] = g >= 0 && g <= n ? in[g] : 0;
  }
  __syncthreads();
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i < n) {
    float sum = 0;
    for (int k = 0; k <= 2 * R; k++) sum += s[threadIdx.x + k];
    out[i] = sum;
  }
}
// The rims are loaded by the first threads; any block size.
GS_LAUNCH_CONTRACT(block.x >= R, dynamic_smem >= 4 * (block.x + 2 * R), n >= 0)
__global__ void proved_rims(const float *in GS_EXTENT(n), float *out GS_DISJOINT(n), int n) {
  extern __shared__ float rim[];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  rim[t + R] = i < n ? in[i] : 0;
  if (t < R) {
    int left = i - R, right = i + (int)blockDim.x;
    rim[t] = left >= 0 && left < n ? in[left] : 0;
    rim[t + R + blockDim.x] = right < n ? in[right] : 0;
  }
  __syncthreads();
  if (i < n) {
    float sum = 0;
    for (int k = -R; k <= R; k++) sum += rim[t + R + k];
    out[i] = sum;
  }
}
// Any block size, also one smaller than the rim: parts of it are never loaded by anybody, and
// the shared memory is one element short.
GS_LAUNCH_CONTRACT(block.x >= R, dynamic_smem >= 4 * (block.x + 2 * R - 1), n >= 0)
__global__ void race_rims(const float *in GS_EXTENT(n), float *out GS_DISJOINT(n), int n) {
  extern __shared__ float rim[];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  rim[t + R] = i < n ? in[i] : 0;
  if (t < R) {
    int left = i - R, right = i + (int)blockDim.x;
    rim[t] = left >= 0 && left < n ? in[left] : 0;
    rim[t + R + blockDim.x] = right < n ? in[right] : 0;
  }
  __syncthreads();
  if (i < n) {
    float sum = 0;
    for (int k = -R; k <= R; k++) sum += rim[t + R + k];
    out[i] = sum;
  }
}
// Clamped; 64 bits.
GS_LAUNCH_CONTRACT(n >= 1)
__global__ void proved_clamped_line(const float *in GS_EXTENT(n), float *out GS_DISJOINT(n), long n) {
  long i = (long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (long k = -R; k <= R; k++) {
    long j = i + k;
    j = j < 0 ? 0 : j > n - 1 ? n - 1 : j;
    sum += in[j];
  }
  out[i] = sum;
}
GS_LAUNCH_CONTRACT(n >= 1)
__global__ void race_clamped_line(const float *in GS_EXTENT(n), float *out GS_DISJOINT(n), long n) {
  long i = (long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (long k = -R; k <= R; k++) {
    long j = i + k;
    j = j < 0 ? 0 : j > n ? n : j;
    sum += in[j];
  }
  out[i] = sum;
}

// ---- two dimensions, straight from global memory
// Four comparisons in one condition.
GS_LAUNCH_CONTRACT(w >= 0, h >= 0)
__global__ void proved_direct(const float *in GS_EXTENT(h * w), const float *f GS_EXTENT(25),
                              float *out GS_DISJOINT(h * w), int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float sum = 0;
  for (int j = -2; j <= 2; j++)
    for (int i = -2; i <= 2; i++) {
      int u = x + i, v = y + j;
      if (u >= 0 && u < w && v >= 0 && v < h) sum += f[(j + 2) * 5 + i + 2] * in[v * w + u];
    }
  out[y * w + x] = sum;
}
GS_LAUNCH_CONTRACT(w >= 0, h >= 0)
__global__ void race_direct(const float *in GS_EXTENT(h * w), const float *f GS_EXTENT(25),
                            float *out GS_DISJOINT(h * w), int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float sum = 0;
  for (int j = -2; j <= 2; j++)
    for (int i = -2; i <= 2; i++) {
      int u = x + i, v = y + j;
      if (u >= 0 && u < w && v < h) sum += f[(j + 2) * 5 + i + 2] * in[v * w + u];
    }
  out[y * w + x] = sum;
}
// A filter of any radius, rows skipped by continue.
GS_LAUNCH_CONTRACT(w >= 0, h >= 0, r >= 0, r <= 16)
__global__ void proved_radius(const float *in GS_EXTENT(h * w), const float *f GS_EXTENT((2 * r + 1) * (2 * r + 1)),
                              float *out GS_DISJOINT(h * w), int w, int h, int r) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) {
    float sum = 0;
    for (int j = 0; j < 2 * r + 1; j++) {
      int v = y + j - r;
      if (v < 0 || v >= h) continue;
      for (int i = 0; i < 2 * r + 1; i++) {
        int u = x + i - r;
        if (u < 0 || u >= w) continue;
        sum += f[j * (2 * r + 1) + i] * in[v * w + u];
      }
    }
    out[y * w + x] = sum;
  }
}
GS_LAUNCH_CONTRACT(w >= 0, h >= 0, r >= 0, r <= 16)
__global__ void race_radius(const float *in GS_EXTENT(h * w), const float *f GS_EXTENT((2 * r + 1) * (2 * r + 1)),
                            float *out GS_DISJOINT(h * w), int w, int h, int r) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) {
    float sum = 0;
    for (int j = 0; j < 2 * r + 1; j++) {
      int v = y + j - r;
      if (v < 0 || v >= h) continue;
      for (int i = 0; i <= 2 * r + 1; i++) {
        int u = x + i - r;
        if (u < 0 || u >= w) continue;
        sum += f[j * (2 * r + 1) + i] * in[v * w + u];
      }
    }
    out[y * w + x] = sum;
  }
}
// Unsigned: below 0 is far above.
GS_LAUNCH_CONTRACT(w <= 65535, h <= 65535)
__global__ void proved_unsigned(const unsigned char *in GS_EXTENT(h * w), unsigned char *out GS_DISJOINT(h * w),
                                unsigned w, unsigned h) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  unsigned sum = 0;
  for (unsigned j = 0; j < 3; j++)
    for (unsigned i = 0; i < 3; i++) {
      unsigned u = x + i - 1, v = y + j - 1;
      if (u < w && v < h) sum += in[v * w + u];
    }
  out[y * w + x] = sum / 9;
}
GS_LAUNCH_CONTRACT(w <= 65535, h <= 65535)
__global__ void race_unsigned(const unsigned char *in GS_EXTENT(h * w), unsigned char *out GS_DISJOINT(h * w),
                              unsigned w, unsigned h) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  unsigned sum = 0;
  for (unsigned j = 0; j < 3; j++)
    for (unsigned i = 0; i < 3; i++) {
      unsigned u = x + i - 1, v = y + j - 1;
      if (u <= w && v < h) sum += in[v * w + u];
    }
  out[y * w + x] = sum / 9;
}
// Clamped by min and max; rows are padded to ld elements.
GS_LAUNCH_CONTRACT(w >= 1, h >= 1, ld >= w)
__global__ void proved_clamped(const float *in GS_EXTENT(h * ld), float *out GS_DISJOINT(h * ld), int w, int h,
                               int ld) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float sum = 0;
  for (int j = -1; j <= 1; j++)
    for (int i = -1; i <= 1; i++) {
      int u = min(max(x + i, 0), w - 1), v = min(max(y + j, 0), h - 1);
      sum += in[v * ld + u];
    }
  out[y * ld + x] = sum;
}
GS_LAUNCH_CONTRACT(w >= 1, h >= 1, ld >= w)
__global__ void race_clamped(const float *in GS_EXTENT(h * ld), float *out GS_DISJOINT(h * ld), int w, int h,
                             int ld) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float sum = 0;
  for (int j = -1; j <= 1; j++)
    for (int i = -1; i <= 1; i++) {
      int u = min(max(x + i, 0), w - 1), v = min(max(y + j, 0), h);
      sum += in[v * ld + u];
    }
  out[y * ld + x] = sum;
}

// ---- two dimensions, the tile in shared memory
// Guarded by ifs, one inside the other, in 64 bits.
GS_LAUNCH_CONTRACT(block == dim(16, 16), w >= 0, h >= 0)
__global__ void proved_tile_long(const float *in GS_EXTENT(h * w), float *out GS_DISJOINT(h * w), long w, long h) {
  __shared__ float tile[18][18];
  long x0 = (long)blockIdx.x * 16 - 1, y0 = (long)blockIdx.y * 16 - 1;
  for (int k = threadIdx.y * 16 + threadIdx.x; k < 18 * 18; k += 256) {
    int ty = k / 18, tx = k % 18;
    long gx = x0 + tx, gy = y0 + ty;
    float v = 0;
    if (gx >= 0 && gx < w)
      if (gy >= 0 && gy < h) v = in[gy * w + gx];
    tile[ty][tx] = v;
  }
  __syncthreads();
  long x = x0 + 1 + threadIdx.x, y = y0 + 1 + threadIdx.y;
  int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  if (x < w && y < h)
    out[y * w + x] = tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx];
}
GS_LAUNCH_CONTRACT(block == dim(16, 16), w >= 0, h >= 0)
__global__ void race_tile_long(const float *in GS_EXTENT(h * w), float *out GS_DISJOINT(h * w), long w, long h) {
  __shared__ float tile[18][18];
  long x0 = (long)blockIdx.x * 16 - 1, y0 = (long)blockIdx.y * 16 - 1;
  for (int k = threadIdx.y * 16 + threadIdx.x; k < 18 * 18; k += 256) {
    int ty = k / 18, tx = k % 18;
    long gx = x0 + tx, gy = y0 + ty;
    float v = 0;
    if (gx >= 0 && gx < w)
      if (gy >= -1 && gy < h) v = in[gy * w + gx];
    tile[ty][tx] = v;
  }
  __syncthreads();
  long x = x0 + 1 + threadIdx.x, y = y0 + 1 + threadIdx.y;
  int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  if (x < w && y < h)
    out[y * w + x] = tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx];
}
// Each block has more threads than results: the rim's threads only load.
GS_LAUNCH_CONTRACT(block == dim(32, 32), w >= 0, h >= 0)
__global__ void proved_wide_block(const float *in GS_EXTENT(h * w), float *out GS_DISJOINT(h * w), int w, int h) {
  __shared__ float tile[32][32];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * 28 + tx - 2, y = blockIdx.y * 28 + ty - 2;
  const bool inside = x >= 0 && y >= 0 && x < w && y < h;
  tile[ty][tx] = inside ? in[x + w * y] : 0.f;
  __syncthreads();
  if (inside && tx >= 2 && tx < 30 && ty >= 2 && ty < 30) {
    float sum = 0;
    for (int j = -2; j <= 2; j++)
      for (int i = -2; i <= 2; i++) sum += tile[ty + j][tx + i];
    out[x + w * y] = sum;
  }
}
GS_LAUNCH_CONTRACT(block == dim(32, 32), w >= 0, h >= 0)
__global__ void race_wide_block(const float *in GS_EXTENT(h * w), float *out GS_DISJOINT(h * w), int w, int h) {
  __shared__ float tile[32][32];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * 28 + tx - 2, y = blockIdx.y * 28 + ty - 2;
  const bool inside = x >= 0 && y >= 0 && x < w && y < h;
  tile[ty][tx] = inside ? in[x + w * y] : 0.f;
  __syncthreads();
  if (inside && tx >= 1 && tx < 30 && ty >= 2 && ty < 30) {
    float sum = 0;
    for (int j = -2; j <= 2; j++)
      for (int i = -2; i <= 2; i++) sum += tile[ty + j][tx + i];
    out[x + w * y] = sum;
  }
}
// Images in a batch, with channels.
GS_LAUNCH_CONTRACT(images >= 0, c >= 0, h >= 0, w >= 0)
__global__ void proved_batch(const float *in GS_EXTENT(images * c * h * w), float *out GS_DISJOINT(images * c * h * w),
                             int images, int c, int h, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
  if (z >= images * c || x >= w || y >= h) return;
  const float *image = in + (size_t)z * h * w;
  float sum = 0;
  for (int j = -1; j <= 1; j++)
    for (int i = -1; i <= 1; i++) {
      int u = x + i, v = y + j;
      sum += u < 0 || v < 0 || u >= w || v >= h ? 0 : image[(size_t)v * w + u];
    }
  out[((size_t)z * h + y) * w + x] = sum;
}
GS_LAUNCH_CONTRACT(images >= 0, c >= 0, h >= 0, w >= 0)
__global__ void race_batch(const float *in GS_EXTENT(images * c * h * w), float *out GS_DISJOINT(images * c * h * w),
                           int images, int c, int h, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
  if (z >= images * c || x >= w || y >= h) return;
  const float *image = in + (size_t)z * h * w;
  float sum = 0;
  for (int j = -1; j <= 1; j++)
    for (int i = -1; i <= 1; i++) {
      int u = x + i, v = y + j;
      sum += u < 0 || v < 0 || u >= w || v > h ? 0 : image[(size_t)v * w + u];
    }
  out[((size_t)z * h + y) * w + x] = sum;
}

// ---- three dimensions: seven points, the inner ones only
GS_LAUNCH_CONTRACT(nx >= 0, ny >= 0, nz >= 0)
__global__ void proved_seven(const double *a GS_EXTENT(nx * ny * nz), double *b GS_DISJOINT(nx * ny * nz), int nx,
                             int ny, int nz) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i > 0 && j > 0 && i < nx - 1 && j < ny - 1)
    for (int k = 1; k < nz - 1; k++) {
      int at = i + nx * (j + ny * k);
      b[at] = a[at - 1] + a[at + 1] + a[at - nx] + a[at + nx] + a[at - nx * ny] + a[at + nx * ny];
    }
}
GS_LAUNCH_CONTRACT(nx >= 0, ny >= 0, nz >= 0)
__global__ void race_seven(const double *a GS_EXTENT(nx * ny * nz), double *b GS_DISJOINT(nx * ny * nz), int nx,
                           int ny, int nz) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i > 0 && j > 0 && i < nx - 1 && j < ny - 1)
    for (int k = 1; k < nz; k++) {
      int at = i + nx * (j + ny * k);
      b[at] = a[at - 1] + a[at + 1] + a[at - nx] + a[at + nx] + a[at - nx * ny] + a[at + nx * ny];
    }
}
// Any distance under six comparisons, in 64 bits.
GS_LAUNCH_CONTRACT(nx >= 0, ny >= 0, nz >= 0)
__global__ void proved_box(const float *a GS_EXTENT(nx * ny * nz), float *b GS_DISJOINT(nx * ny * nz), int nx, int ny,
                           int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= nx || y >= ny || z >= nz) return;
  float sum = 0;
  for (int dz = -1; dz <= 1; dz++)
    for (int dy = -1; dy <= 1; dy++)
      for (int dx = -1; dx <= 1; dx++) {
        int u = x + dx, v = y + dy, q = z + dz;
        if (u >= 0 && u < nx && v >= 0 && v < ny && q >= 0 && q < nz)
          sum += a[((size_t)q * ny + v) * nx + u];
      }
  b[((size_t)z * ny + y) * nx + x] = sum;
}
GS_LAUNCH_CONTRACT(nx >= 0, ny >= 0, nz >= 0)
__global__ void race_box(const float *a GS_EXTENT(nx * ny * nz), float *b GS_DISJOINT(nx * ny * nz), int nx, int ny,
                         int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= nx || y >= ny || z >= nz) return;
  float sum = 0;
  for (int dz = -1; dz <= 1; dz++)
    for (int dy = -1; dy <= 1; dy++)
      for (int dx = -1; dx <= 1; dx++) {
        int u = x + dx, v = y + dy, q = z + dz;
        if (u >= 0 && u < nx && v >= 0 && v < ny && q >= 0 && q <= nz)
          sum += a[((size_t)q * ny + v) * nx + u];
      }
  b[((size_t)z * ny + y) * nx + x] = sum;
}
