// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %python %S/verdicts.py %s %gpusafe
// Sparse matrices, sorting, graphs: annotated as their authors might, each with a twin that
// is broken.
#include <gpusafe.h>

// ---- y = A x, compressed rows, one thread a row
GS_LAUNCH_CONTRACT(rows >= 0, in_range(ptr, rows + 1, 0, nnz + 1), in_range(col, nnz, 0, cols))
__global__ void proved_csr_scalar(const int *ptr GS_EXTENT(rows + 1), const int *col GS_EXTENT(nnz),
                                  const float *val GS_EXTENT(nnz), const float *x GS_EXTENT(cols),
                                  float *y GS_DISJOINT(rows), int rows, int cols, int nnz) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows) {
    float sum = 0;
    for (int j = ptr[r]; j < ptr[r + 1]; j++) sum += val[j] * x[col[j]];
    y[r] = sum;
  }
}
// No guard.
GS_LAUNCH_CONTRACT(rows >= 0, in_range(ptr, rows + 1, 0, nnz + 1), in_range(col, nnz, 0, cols))
__global__ void race_csr_scalar(const int *ptr GS_EXTENT(rows + 1), const int *col GS_EXTENT(nnz),
                                const float *val GS_EXTENT(nnz), const float *x GS_EXTENT(cols),
                                float *y GS_DISJOINT(rows), int rows, int cols, int nnz) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int j = ptr[r]; j < ptr[r + 1]; j++) sum += val[j] * x[col[j]];
  y[r] = sum;
}
// One element too many of each row.
GS_LAUNCH_CONTRACT(rows >= 0, in_range(ptr, rows + 1, 0, nnz + 1), in_range(col, nnz, 0, cols))
__global__ void race_csr_last(const int *ptr GS_EXTENT(rows + 1), const int *col GS_EXTENT(nnz),
                              const float *val GS_EXTENT(nnz), const float *x GS_EXTENT(cols),
                              float *y GS_DISJOINT(rows), int rows, int cols, int nnz) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows) {
    float sum = 0;
    for (int j = ptr[r]; j <= ptr[r + 1]; j++) sum += val[j] * x[col[j]];
    y[r] = sum;
  }
}

// ---- one warp a row
GS_LAUNCH_CONTRACT(block.x % 32 == 0, rows >= 0, in_range(ptr, rows + 1, 0, nnz + 1),
                   in_range(col, nnz, 0, cols))
__global__ void proved_csr_vector(const int *ptr GS_EXTENT(rows + 1), const int *col GS_EXTENT(nnz),
                                  const float *val GS_EXTENT(nnz), const float *x GS_EXTENT(cols),
                                  float *y GS_DISJOINT(rows), int rows, int cols, int nnz) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
  if (row < rows) {
    float sum = 0;
    for (int j = ptr[row] + lane; j < ptr[row + 1]; j += 32) sum += val[j] * x[col[j]];
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);
    if (lane == 0) y[row] = sum;
  }
}
GS_LAUNCH_CONTRACT(block.x % 32 == 0, rows >= 0, in_range(ptr, rows + 1, 0, nnz + 1),
                   in_range(col, nnz, 0, cols))
__global__ void race_csr_vector(const int *ptr GS_EXTENT(rows + 1), const int *col GS_EXTENT(nnz),
                                const float *val GS_EXTENT(nnz), const float *x GS_EXTENT(cols),
                                float *y GS_DISJOINT(rows), int rows, int cols, int nnz) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
  if (row < rows) {
    float sum = 0;
    for (int j = ptr[row] + lane; j < ptr[row + 1]; j += 32) sum += val[j] * x[col[j]];
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);
    y[row] = sum;
  }
}

// ---- padded rows, stored by columns (-1 fills)
GS_LAUNCH_CONTRACT(rows >= 0, width >= 0, in_range(col, rows * width, -1, cols))
__global__ void proved_ell(const int *col GS_EXTENT(rows * width), const float *val GS_EXTENT(rows * width),
                           const float *x GS_EXTENT(cols), float *y GS_DISJOINT(rows), int rows, int width,
                           int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float sum = 0;
  for (int k = 0; k < width; k++) {
    int c = col[k * rows + r];
    if (c >= 0) sum += val[k * rows + r] * x[c];
  }
  y[r] = sum;
}
GS_LAUNCH_CONTRACT(rows >= 0, width >= 0, in_range(col, rows * width, -1, cols))
__global__ void race_ell(const int *col GS_EXTENT(rows * width), const float *val GS_EXTENT(rows * width),
                         const float *x GS_EXTENT(cols), float *y GS_DISJOINT(rows), int rows, int width,
                         int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float sum = 0;
  for (int k = 0; k < width; k++) sum += val[k * rows + r] * x[col[k * rows + r]];
  y[r] = sum;
}

// ---- coordinates, with atomic sums
GS_LAUNCH_CONTRACT(in_range(row, nnz, 0, rows), in_range(col, nnz, 0, cols))
__global__ void proved_coo(const int *row GS_EXTENT(nnz), const int *col GS_EXTENT(nnz),
                           const float *val GS_EXTENT(nnz), const float *x GS_EXTENT(cols),
                           float *y GS_EXCLUSIVE(rows, scope = grid), int nnz, int rows, int cols) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < nnz) atomicAdd(&y[row[i]], val[i] * x[col[i]]);
}
GS_LAUNCH_CONTRACT(in_range(row, nnz, 0, rows), in_range(col, nnz, 0, cols))
__global__ void race_coo(const int *row GS_EXTENT(nnz), const int *col GS_EXTENT(nnz),
                         const float *val GS_EXTENT(nnz), const float *x GS_EXTENT(cols),
                         float *y GS_EXCLUSIVE(rows, scope = grid), int nnz, int rows, int cols) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < nnz) y[row[i]] += val[i] * x[col[i]];
}

// ---- sorting: the last step scatters to places that were computed before
GS_LAUNCH_CONTRACT(injective(rank, n), in_range(rank, n, 0, n))
__global__ void proved_sort_scatter(const unsigned *key GS_EXTENT(n), const int *rank GS_EXTENT(n),
                                    unsigned *out GS_DISJOINT(n), int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[rank[i]] = key[i];
}
GS_LAUNCH_CONTRACT(in_range(rank, n, 0, n))
__global__ void race_sort_scatter(const unsigned *key GS_EXTENT(n), const int *rank GS_EXTENT(n),
                                  unsigned *out GS_DISJOINT(n), int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[rank[i]] = key[i];
}
// Counting sort: a block writes the keys of one bucket, from where it begins.
GS_LAUNCH_CONTRACT(buckets >= 0, monotone(begin, buckets + 1), in_range(begin, buckets + 1, 0, n + 1))
__global__ void proved_counting_fill(const int *begin GS_EXTENT(buckets + 1), int *out GS_EXCLUSIVE(n),
                                     int buckets, int n) {
  int b = blockIdx.x;
  if (b < buckets)
    for (int i = begin[b] + threadIdx.x; i < begin[b + 1]; i += blockDim.x) out[i] = b;
}
GS_LAUNCH_CONTRACT(block.x == 128, buckets >= 0, in_range(begin, buckets + 1, 0, n + 1))
__global__ void refused_counting_fill(const int *begin GS_EXTENT(buckets + 1), int *out GS_EXCLUSIVE(n),
                                   int buckets, int n) {
  int b = blockIdx.x;
  if (b < buckets)
    for (int i = begin[b] + threadIdx.x; i < begin[b + 1]; i += blockDim.x) out[i] = b;
}
// The digits of a tile, counted by a block of its own.
GS_LAUNCH_CONTRACT(block.x == 256, n >= 0)
__global__ void proved_radix_count(const unsigned *key GS_EXTENT(n), int *count GS_EXCLUSIVE(16 * grid.x), int n,
                                   int shift) {
  __shared__ int digits[16];
  if (threadIdx.x < 16) digits[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&digits[key[i] >> (shift & 31) & 15], 1);
  __syncthreads();
  if (threadIdx.x < 16) count[threadIdx.x * gridDim.x + blockIdx.x] = digits[threadIdx.x];
}
GS_LAUNCH_CONTRACT(block.x == 256, n >= 0)
__global__ void race_radix_count(const unsigned *key GS_EXTENT(n), int *count GS_EXCLUSIVE(16 * grid.x), int n,
                                 int shift) {
  __shared__ int digits[16];
  if (threadIdx.x < 16) digits[threadIdx.x] = 0;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&digits[key[i] >> (shift & 31) & 15], 1);
  __syncthreads();
  if (threadIdx.x < 16) count[threadIdx.x * gridDim.x + blockIdx.x] = digits[threadIdx.x];
}

// ---- stream compaction: places from a scan of the flags
GS_LAUNCH_CONTRACT(n >= 0, monotone(place, n + 1), in_range(place, n + 1, 0, m + 1))
__global__ void proved_compact(const float *in GS_EXTENT(n), const int *place GS_EXTENT(n + 1),
                               float *out GS_DISJOINT(m), int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int to = place[i];
  if (place[i + 1] != to) out[to] = in[i];
}
GS_LAUNCH_CONTRACT(n >= 0, monotone(place, n + 1), in_range(place, n + 1, 0, m + 1))
__global__ void race_compact(const float *in GS_EXTENT(n), const int *place GS_EXTENT(n + 1),
                             float *out GS_DISJOINT(m), int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[place[i]] = in[i];
}

// ---- segmented scan: flags mark where a sum begins anew
GS_LAUNCH_CONTRACT(block.x == 256, n >= 0)
__global__ void proved_segmented_scan(const int *flag GS_EXTENT(n), const int *in GS_EXTENT(n),
                                      int *out GS_DISJOINT(n), int n) {
  __shared__ int sum[256], head[256];
  int t = threadIdx.x, i = blockIdx.x * 256 + t;
  sum[t] = i < n ? in[i] : 0;
  head[t] = i < n ? flag[i] : 1;
  __syncthreads();
  for (int d = 1; d < 256; d *= 2) {
    int s = 0, h = 0;
    if (t >= d) {
      s = sum[t - d];
      h = head[t - d];
    }
    __syncthreads();
    if (t >= d) {
      if (!head[t]) sum[t] += s;
      head[t] |= h;
    }
    __syncthreads();
  }
  if (i < n) out[i] = sum[t];
}
GS_LAUNCH_CONTRACT(block.x == 256, n >= 0)
__global__ void race_segmented_scan(const int *flag GS_EXTENT(n), const int *in GS_EXTENT(n),
                                    int *out GS_DISJOINT(n), int n) {
  __shared__ int sum[256], head[256];
  int t = threadIdx.x, i = blockIdx.x * 256 + t;
  sum[t] = i < n ? in[i] : 0;
  head[t] = i < n ? flag[i] : 1;
  __syncthreads();
  for (int d = 1; d < 256; d *= 2) {
    if (t >= d) {
      if (!head[t]) sum[t] += sum[t - d];
      head[t] |= head[t - d];
    }
    __syncthreads();
  }
  if (i < n) out[i] = sum[t];
}
// A sum for each segment, one thread a segment.
GS_LAUNCH_CONTRACT(segments >= 0, in_range(begin, segments + 1, 0, n + 1))
__global__ void proved_segment_sums(const int *begin GS_EXTENT(segments + 1), const float *in GS_EXTENT(n),
                                    float *out GS_DISJOINT(segments), int segments, int n) {
  int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s < segments) {
    float sum = 0;
    for (int i = begin[s]; i < begin[s + 1]; ++i) sum += in[i];
    out[s] = sum;
  }
}

// ---- breadth first: a level at a time
GS_LAUNCH_CONTRACT(vertices >= 0, in_range(ptr, vertices + 1, 0, edges + 1), in_range(to, edges, 0, vertices))
__global__ void proved_bfs(const int *ptr GS_EXTENT(vertices + 1), const int *to GS_EXTENT(edges),
                           const int *level GS_EXTENT(vertices), int *next GS_EXCLUSIVE(vertices, scope = grid),
                           int vertices, int edges, int depth) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < vertices && level[v] == depth)
    for (int e = ptr[v]; e < ptr[v + 1]; e++) atomicMin(&next[to[e]], depth + 1);
}
// Read and written in one array: a level may be seen while it is made.
GS_LAUNCH_CONTRACT(vertices >= 0, in_range(ptr, vertices + 1, 0, edges + 1), in_range(to, edges, 0, vertices))
__global__ void possible_bfs(const int *ptr GS_EXTENT(vertices + 1), const int *to GS_EXTENT(edges),
                         int *level GS_EXCLUSIVE(vertices, scope = grid), int vertices, int edges, int depth) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < vertices && level[v] == depth)
    for (int e = ptr[v]; e < ptr[v + 1]; e++) atomicMin(&level[to[e]], depth + 1);
}

// ---- batches of matrices
GS_LAUNCH_CONTRACT(block == dim(16, 16), m >= 0, k >= 0, batches >= 0)
__global__ void proved_batched(const float *a GS_EXTENT(batches * m * k), const float *b GS_EXTENT(batches * k * m),
                               float *c GS_DISJOINT(batches * m * m), int m, int k, int batches) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  for (int z = blockIdx.z; z < batches; z += gridDim.z)
    if (x < m && y < m) {
      float sum = 0;
      for (int i = 0; i < k; i++) sum += a[(z * m + y) * k + i] * b[(z * k + i) * m + x];
      c[(z * m + y) * m + x] = sum;
    }
}
GS_LAUNCH_CONTRACT(block == dim(16, 16), m >= 0, k >= 0, batches >= 0)
__global__ void race_batched(const float *a GS_EXTENT(batches * m * k), const float *b GS_EXTENT(batches * k * m),
                             float *c GS_DISJOINT(), int m, int k, int batches) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  for (int z = blockIdx.z; z < batches; z += gridDim.z)
    if (x < m && y < m) {
      float sum = 0;
      for (int i = 0; i < k; i++) sum += a[(z * m + y) * k + i] * b[(z * k + i) * m + x];
      c[z * k * m + y * m + x] = sum;
    }
}

// ---- convolution, with a halo in shared memory
#define R 2
#define T 16
GS_LAUNCH_CONTRACT(block == dim(16, 16), w >= 0, h >= 0)
__global__ void proved_convolution(const float *in GS_EXTENT(h * w), const float *f GS_EXTENT(25),
                                   float *out GS_DISJOINT(h * w), int w, int h) {
  __shared__ float tile[T + 2 * R][T + 2 * R];
  int x0 = blockIdx.x * T, y0 = blockIdx.y * T;
  for (int y = threadIdx.y; y < T + 2 * R; y += T)
    for (int x = threadIdx.x; x < T + 2 * R; x += T) {
      int gx = x0 + x - R, gy = y0 + y - R;
      tile[y][x] = gx >= 0 && gx < w && gy >= 0 && gy < h ? in[gy * w + gx] : 0;
    }
  __syncthreads();
  int x = x0 + threadIdx.x, y = y0 + threadIdx.y;
  float sum = 0;
  for (int j = 0; j < 2 * R + 1; j++)
    for (int i = 0; i < 2 * R + 1; i++) sum += f[j * 5 + i] * tile[threadIdx.y + j][threadIdx.x + i];
  if (x < w && y < h) out[y * w + x] = sum;
}
// The halo at the left is not cut.
GS_LAUNCH_CONTRACT(block == dim(16, 16), w >= 0, h >= 0)
__global__ void race_convolution(const float *in GS_EXTENT(h * w), const float *f GS_EXTENT(25),
                                 float *out GS_DISJOINT(h * w), int w, int h) {
  __shared__ float tile[T + 2 * R][T + 2 * R];
  int x0 = blockIdx.x * T, y0 = blockIdx.y * T;
  for (int y = threadIdx.y; y < T + 2 * R; y += T)
    for (int x = threadIdx.x; x < T + 2 * R; x += T) {
      int gx = x0 + x - R, gy = y0 + y - R;
      tile[y][x] = gx < w && gy < h ? in[gy * w + gx] : 0;
    }
  __syncthreads();
  int x = x0 + threadIdx.x, y = y0 + threadIdx.y;
  float sum = 0;
  for (int j = 0; j < 2 * R + 1; j++)
    for (int i = 0; i < 2 * R + 1; i++) sum += f[j * 5 + i] * tile[threadIdx.y + j][threadIdx.x + i];
  if (x < w && y < h) out[y * w + x] = sum;
}
