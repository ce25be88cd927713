// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %python %S/verdicts.py %s %gpusafe
// Sparse matrices, sorting and graphs in loops over the grid, blocks and warps: other spellings
// of sparse.cu. Each has a twin that is broken.
#include <gpusafe.h>

#define CSR in_range(ptr, rows + 1, 0, nnz + 1), in_range(col, nnz, 0, cols)

// ---- compressed rows: the threads of the grid go round
GS_LAUNCH_CONTRACT(rows >= 0, CSR)
__global__ void proved_csr_stride(const int *ptr GS_EXTENT(rows + 1), const int *col GS_EXTENT(nnz),
                                  const float *val GS_EXTENT(nnz), const float *x GS_EXTENT(cols),
                                  float *y GS_DISJOINT(rows), int rows, int cols, int nnz) {
  for (int r = blockIdx.x * blockDim.x + threadIdx.x; r < rows; r += gridDim.x * blockDim.x) {
    float sum = 0;
    for (int j = ptr[r]; j < ptr[r + 1]; j++) sum += val[j] * x[col[j]];
    y[r] = sum;
  }
}
GS_LAUNCH_CONTRACT(rows >= 0, CSR)
__global__ void race_csr_stride(const int *ptr GS_EXTENT(rows + 1), const int *col GS_EXTENT(nnz),
                                const float *val GS_EXTENT(nnz), const float *x GS_EXTENT(cols),
                                float *y GS_DISJOINT(rows), int rows, int cols, int nnz) {
  for (int r = blockIdx.x * blockDim.x + threadIdx.x; r < rows; r += blockDim.x) {
    float sum = 0;
    for (int j = ptr[r]; j < ptr[r + 1]; j++) sum += val[j] * x[col[j]];
    y[r] = sum;
  }
}
// 64-bit rows and pointers.
GS_LAUNCH_CONTRACT(rows >= 0, CSR)
__global__ void proved_csr_long(const long long *ptr GS_EXTENT(rows + 1), const int *col GS_EXTENT(nnz),
                                const double *val GS_EXTENT(nnz), const double *x GS_EXTENT(cols),
                                double *y GS_DISJOINT(rows), long rows, long cols, long nnz) {
  for (long r = (long)blockIdx.x * blockDim.x + threadIdx.x; r < rows; r += (long)gridDim.x * blockDim.x) {
    double sum = 0;
    const long end = ptr[r + 1];
    for (long j = ptr[r]; j < end; ++j) sum += val[j] * x[col[j]];
    y[r] = sum;
  }
}
GS_LAUNCH_CONTRACT(rows >= 0, CSR)
__global__ void race_csr_long(const long long *ptr GS_EXTENT(rows + 1), const int *col GS_EXTENT(nnz),
                              const double *val GS_EXTENT(nnz), const double *x GS_EXTENT(cols),
                              double *y GS_DISJOINT(rows), long rows, long cols, long nnz) {
  for (long r = (long)blockIdx.x * blockDim.x + threadIdx.x; r <= rows; r += (long)gridDim.x * blockDim.x) {
    double sum = 0;
    const long end = ptr[r + 1];
    for (long j = ptr[r]; j < end; ++j) sum += val[j] * x[col[j]];
    y[r] = sum;
  }
}
// Unsigned, with a while loop.
GS_LAUNCH_CONTRACT(CSR)
__global__ void proved_csr_unsigned(const unsigned *ptr GS_EXTENT(rows + 1), const unsigned *col GS_EXTENT(nnz),
                                    const float *val GS_EXTENT(nnz), const float *x GS_EXTENT(cols),
                                    float *y GS_DISJOINT(rows), unsigned rows, unsigned cols, unsigned nnz) {
  unsigned r = blockIdx.x * blockDim.x + threadIdx.x;
  while (r < rows) {
    float sum = 0;
    unsigned j = ptr[r], end = ptr[r + 1];
    while (j < end) {
      sum += val[j] * x[col[j]];
      j++;
    }
    y[r] = sum;
    r += gridDim.x * blockDim.x;
  }
}
GS_LAUNCH_CONTRACT(CSR)
__global__ void race_csr_unsigned(const unsigned *ptr GS_EXTENT(rows + 1), const unsigned *col GS_EXTENT(nnz),
                                  const float *val GS_EXTENT(nnz), const float *x GS_EXTENT(cols),
                                  float *y GS_DISJOINT(rows), unsigned rows, unsigned cols, unsigned nnz) {
  unsigned r = blockIdx.x * blockDim.x + threadIdx.x;
  while (r < rows) {
    float sum = 0;
    unsigned j = ptr[r], end = ptr[r + 1];
    while (j <= end) {
      sum += val[j] * x[col[j]];
      j++;
    }
    y[r] = sum;
    r += gridDim.x * blockDim.x;
  }
}
// A row a block, its sum by a tree in shared memory.
GS_LAUNCH_CONTRACT(block.x == 128, rows >= 0, CSR)
__global__ void proved_csr_block(const int *ptr GS_EXTENT(rows + 1), const int *col GS_EXTENT(nnz),
                                 const float *val GS_EXTENT(nnz), const float *x GS_EXTENT(cols),
                                 float *y GS_DISJOINT(rows), int rows, int cols, int nnz) {
  __shared__ float part[128];
  int t = threadIdx.x;
  for (int r = blockIdx.x; r < rows; r += gridDim.x) {
    float sum = 0;
    for (int j = ptr[r] + t; j < ptr[r + 1]; j += 128) sum += val[j] * x[col[j]];
    part[t] = sum;
    __syncthreads();
    for (int d = 64; d > 0; d >>= 1) {
      if (t < d) part[t] += part[t + d];
      __syncthreads();
    }
    if (t == 0) y[r] = part[0];
    __syncthreads();
  }
}
// The next row's sums may come before the last one is read... by another thread.
GS_LAUNCH_CONTRACT(block.x == 128, rows >= 0, CSR)
__global__ void race_csr_block(const int *ptr GS_EXTENT(rows + 1), const int *col GS_EXTENT(nnz),
                               const float *val GS_EXTENT(nnz), const float *x GS_EXTENT(cols),
                               float *y GS_DISJOINT(rows), int rows, int cols, int nnz) {
  __shared__ float part[128];
  int t = threadIdx.x;
  for (int r = blockIdx.x; r < rows; r += gridDim.x) {
    float sum = 0;
    for (int j = ptr[r] + t; j < ptr[r + 1]; j += 128) sum += val[j] * x[col[j]];
    part[t] = sum;
    __syncthreads();
    for (int d = 64; d > 0; d >>= 1) {
      if (t < d) part[t] += part[t + d];
      __syncthreads();
    }
    if (t == 1) y[r] = part[0];
  }
}
// A row a warp, warps go round.
GS_LAUNCH_CONTRACT(block.x % 32 == 0, rows >= 0, CSR)
__global__ void proved_csr_warps(const int *ptr GS_EXTENT(rows + 1), const int *col GS_EXTENT(nnz),
                                 const float *val GS_EXTENT(nnz), const float *x GS_EXTENT(cols),
                                 float *y GS_DISJOINT(rows), int rows, int cols, int nnz) {
  int lane = threadIdx.x % 32, warps = gridDim.x * (blockDim.x / 32);
  for (int r = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32; r < rows; r += warps) {
    float sum = 0;
    for (int j = ptr[r] + lane; j < ptr[r + 1]; j += 32) sum += val[j] * x[col[j]];
    for (int d = 16; d; d >>= 1) sum += __shfl_xor_sync(0xffffffffu, sum, d);
    if (lane == 0) y[r] = sum;
  }
}
GS_LAUNCH_CONTRACT(block.x % 32 == 0, rows >= 0, CSR)
__global__ void race_csr_warps(const int *ptr GS_EXTENT(rows + 1), const int *col GS_EXTENT(nnz),
                               const float *val GS_EXTENT(nnz), const float *x GS_EXTENT(cols),
                               float *y GS_DISJOINT(rows), int rows, int cols, int nnz) {
  int lane = threadIdx.x % 32, warps = gridDim.x * (blockDim.x / 32);
  for (int r = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32; r < rows; r += warps) {
    float sum = 0;
    for (int j = ptr[r] + lane; j < ptr[r + 1]; j += 32) sum += val[j] * x[col[j]];
    for (int d = 16; d; d >>= 1) sum += __shfl_xor_sync(0xffffffffu, sum, d);
    if (lane <= 1) y[r] = sum;
  }
}
// The transpose: columns are added to, so sums are atomic.
GS_LAUNCH_CONTRACT(rows >= 0, CSR)
__global__ void proved_csc(const int *ptr GS_EXTENT(rows + 1), const int *col GS_EXTENT(nnz),
                           const float *val GS_EXTENT(nnz), const float *x GS_EXTENT(rows),
                           float *y GS_EXCLUSIVE(cols, scope = grid), int rows, int cols, int nnz) {
  for (int r = blockIdx.x * blockDim.x + threadIdx.x; r < rows; r += gridDim.x * blockDim.x)
    for (int j = ptr[r]; j < ptr[r + 1]; j++) atomicAdd(&y[col[j]], val[j] * x[r]);
}
GS_LAUNCH_CONTRACT(rows >= 0, CSR)
__global__ void refused_csc(const int *ptr GS_EXTENT(rows + 1), const int *col GS_EXTENT(nnz),
                         const float *val GS_EXTENT(nnz), const float *x GS_EXTENT(rows),
                         float *y GS_EXCLUSIVE(cols, scope = grid), int rows, int cols, int nnz) {
  for (int r = blockIdx.x * blockDim.x + threadIdx.x; r < rows; r += gridDim.x * blockDim.x)
    for (int j = ptr[r]; j < ptr[r + 1]; j++) y[col[j]] += val[j] * x[r];
}
// Values are scaled in place: each row writes its own segment.
GS_LAUNCH_CONTRACT(rows >= 0, monotone(ptr, rows + 1), in_range(ptr, rows + 1, 0, nnz + 1))
__global__ void proved_scale_rows(const int *ptr GS_EXTENT(rows + 1), float *val GS_DISJOINT(nnz),
                                  const float *by GS_EXTENT(rows), int rows, int nnz) {
  for (int r = blockIdx.x * blockDim.x + threadIdx.x; r < rows; r += gridDim.x * blockDim.x)
    for (int j = ptr[r]; j < ptr[r + 1]; j++) val[j] *= by[r];
}
GS_LAUNCH_CONTRACT(rows >= 0, in_range(ptr, rows + 1, 0, nnz + 1))
__global__ void race_scale_rows(const int *ptr GS_EXTENT(rows + 1), float *val GS_DISJOINT(nnz),
                                const float *by GS_EXTENT(rows), int rows, int nnz) {
  for (int r = blockIdx.x * blockDim.x + threadIdx.x; r < rows; r += gridDim.x * blockDim.x)
    for (int j = ptr[r]; j < ptr[r + 1]; j++) val[j] *= by[r];
}
// ---- padded rows in a loop over the grid, and row by row
GS_LAUNCH_CONTRACT(rows >= 0, width >= 0, in_range(col, rows * width, -1, cols))
__global__ void proved_ell_stride(const int *col GS_EXTENT(rows * width), const float *val GS_EXTENT(rows * width),
                                  const float *x GS_EXTENT(cols), float *y GS_DISJOINT(rows), int rows, int width,
                                  int cols) {
  for (int r = blockIdx.x * blockDim.x + threadIdx.x; r < rows; r += gridDim.x * blockDim.x) {
    float sum = 0;
    for (int k = 0; k < width; k++) {
      int c = col[r * width + k];
      if (c < 0) break;
      sum += val[r * width + k] * x[c];
    }
    y[r] = sum;
  }
}
GS_LAUNCH_CONTRACT(rows >= 0, width >= 0, in_range(col, rows * width, -1, cols))
__global__ void race_ell_stride(const int *col GS_EXTENT(rows * width), const float *val GS_EXTENT(rows * width),
                                const float *x GS_EXTENT(cols), float *y GS_DISJOINT(rows), int rows, int width,
                                int cols) {
  for (int r = blockIdx.x * blockDim.x + threadIdx.x; r < rows; r += gridDim.x * blockDim.x) {
    float sum = 0;
    for (int k = 0; k <= width; k++) {
      int c = col[r * width + k];
      if (c < 0) break;
      sum += val[r * width + k] * x[c];
    }
    y[r] = sum;
  }
}

// ---- coordinates
GS_LAUNCH_CONTRACT(in_range(row, nnz, 0, rows), in_range(col, nnz, 0, cols))
__global__ void proved_coo_stride(const int *row GS_EXTENT(nnz), const int *col GS_EXTENT(nnz),
                                  const float *val GS_EXTENT(nnz), const float *x GS_EXTENT(cols),
                                  float *y GS_EXCLUSIVE(rows, scope = grid), int nnz, int rows, int cols) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < nnz; i += gridDim.x * blockDim.x)
    atomicAdd(y + row[i], val[i] * x[col[i]]);
}
GS_LAUNCH_CONTRACT(in_range(row, nnz, 0, rows), in_range(col, nnz, 0, cols))
__global__ void race_coo_stride(const int *row GS_EXTENT(nnz), const int *col GS_EXTENT(nnz),
                                const float *val GS_EXTENT(nnz), const float *x GS_EXTENT(cols),
                                float *y GS_EXCLUSIVE(rows, scope = grid), int nnz, int rows, int cols) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < nnz; i += gridDim.x * blockDim.x)
    if (i > 0) atomicAdd(y + row[i], val[i] * x[col[i - 1] + 1]);
}

// ---- scatter and compaction
GS_LAUNCH_CONTRACT(injective(rank, n), in_range(rank, n, 0, n))
__global__ void proved_scatter_pairs(const unsigned *key GS_EXTENT(n), const unsigned *value GS_EXTENT(n),
                                     const unsigned *rank GS_EXTENT(n), unsigned *keys GS_DISJOINT(n),
                                     unsigned *values GS_DISJOINT(n), unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned to = rank[i];
  keys[to] = key[i];
  values[to] = value[i];
}
GS_LAUNCH_CONTRACT(injective(rank, n), in_range(rank, n, 0, n))
__global__ void race_scatter_pairs(const unsigned *key GS_EXTENT(n), const unsigned *value GS_EXTENT(n),
                                   const unsigned *rank GS_EXTENT(n), unsigned *keys GS_DISJOINT(n),
                                   unsigned *values GS_DISJOINT(n), unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned to = rank[i];
  keys[to] = key[i];
  values[to / 2] = value[i];
}
// Compaction with 64-bit places, in a loop over the grid.
GS_LAUNCH_CONTRACT(n >= 0, monotone(place, n + 1), in_range(place, n + 1, 0, m + 1))
__global__ void proved_compact_stride(const float *in GS_EXTENT(n), const long *place GS_EXTENT(n + 1),
                                      float *out GS_DISJOINT(m), long n, long m) {
  for (long i = blockIdx.x * (long)blockDim.x + threadIdx.x; i < n; i += (long)gridDim.x * blockDim.x)
    if (place[i] < place[i + 1]) out[place[i]] = in[i];
}
GS_LAUNCH_CONTRACT(n >= 0, monotone(place, n + 1), in_range(place, n + 1, 0, m + 1))
__global__ void race_compact_stride(const float *in GS_EXTENT(n), const long *place GS_EXTENT(n + 1),
                                    float *out GS_DISJOINT(m), long n, long m) {
  for (long i = blockIdx.x * (long)blockDim.x + threadIdx.x; i < n; i += (long)gridDim.x * blockDim.x)
    if (place[i] <= place[i + 1]) out[place[i]] = in[i];
}
// A flag beside the places; the places are strictly rising where they matter.
GS_LAUNCH_CONTRACT(n >= 0, strictly_monotone(place, n), in_range(place, n, 0, m))
__global__ void proved_spread(const float *in GS_EXTENT(n), const int *place GS_EXTENT(n), float *out GS_DISJOINT(m),
                              int n, int m) {
  int i = threadIdx.x + blockDim.x * blockIdx.x;
  if (i < n) out[place[i]] = in[i];
}
GS_LAUNCH_CONTRACT(n >= 0, monotone(place, n), in_range(place, n, 0, m))
__global__ void race_spread(const float *in GS_EXTENT(n), const int *place GS_EXTENT(n), float *out GS_DISJOINT(m),
                            int n, int m) {
  int i = threadIdx.x + blockDim.x * blockIdx.x;
  if (i < n) out[place[i]] = in[i];
}

// ---- graphs: the frontier is a list
GS_LAUNCH_CONTRACT(vertices >= 0, in_range(ptr, vertices + 1, 0, edges + 1), in_range(to, edges, 0, vertices),
                   in_range(front, size, 0, vertices))
__global__ void proved_frontier(const int *ptr GS_EXTENT(vertices + 1), const int *to GS_EXTENT(edges),
                                const int *front GS_EXTENT(size), int *seen GS_EXCLUSIVE(vertices, scope = grid),
                                int size, int vertices, int edges) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += gridDim.x * blockDim.x) {
    int v = front[i];
    for (int e = ptr[v]; e < ptr[v + 1]; e++) atomicExch(&seen[to[e]], 1);
  }
}
GS_LAUNCH_CONTRACT(vertices >= 0, in_range(ptr, vertices + 1, 0, edges + 1), in_range(to, edges, 0, vertices),
                   in_range(front, size, 0, vertices))
__global__ void refused_frontier(const int *ptr GS_EXTENT(vertices + 1), const int *to GS_EXTENT(edges),
                              const int *front GS_EXTENT(size), int *seen GS_EXCLUSIVE(vertices, scope = grid),
                              int size, int vertices, int edges, int by) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += gridDim.x * blockDim.x) {
    int v = front[i];
    for (int e = ptr[v]; e < ptr[v + 1]; e++)
      if (by > 0) seen[to[e]] = by + i;
  }
}
// The next frontier gets its places from a counter.
GS_LAUNCH_CONTRACT(vertices >= 0, in_range(ptr, vertices + 1, 0, edges + 1), in_range(to, edges, 0, vertices),
                   in_range(front, size, 0, vertices))
__global__ void proved_next(const int *ptr GS_EXTENT(vertices + 1), const int *to GS_EXTENT(edges),
                            const int *front GS_EXTENT(size), int *seen GS_EXCLUSIVE(vertices, scope = grid),
                            int *next GS_DISJOINT(room), int *count, int size, int vertices, int edges, int room) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  int v = front[i];
  for (int e = ptr[v]; e < ptr[v + 1]; e++) {
    int u = to[e];
    if (atomicCAS(&seen[u], 0, 1) == 0) {
      int at = atomicAdd(count, 1);
      if (at >= 0 && at < room) next[at] = u;
    }
  }
}
GS_LAUNCH_CONTRACT(vertices >= 0, in_range(ptr, vertices + 1, 0, edges + 1), in_range(to, edges, 0, vertices),
                   in_range(front, size, 0, vertices))
__global__ void refused_next(const int *ptr GS_EXTENT(vertices + 1), const int *to GS_EXTENT(edges),
                             const int *front GS_EXTENT(size), int *seen GS_EXCLUSIVE(vertices, scope = grid),
                             int *next GS_DISJOINT(room), int *count, int size, int vertices, int edges, int room) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  int v = front[i];
  for (int e = ptr[v]; e < ptr[v + 1]; e++) {
    int u = to[e];
    if (atomicCAS(&seen[u], 0, 1) == 0) {
      int at = *count;
      *count = at + 1;
      if (at >= 0 && at < room) next[at] = u;
    }
  }
}
