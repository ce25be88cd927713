// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %python %S/verdicts.py %s %gpusafe --verify
// What contracts say about the contents of arrays, and kernels that need it.
#include <gpusafe.h>

// ---- injective: scatter
GS_LAUNCH_CONTRACT(injective(to, n), in_range(to, n, 0, n))
__global__ void proved_scatter(float *out GS_DISJOINT(n), const float *in GS_EXTENT(n),
                               const int *to GS_EXTENT(n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[to[i]] = in[i];
}
// A range alone lets two elements meet.
GS_LAUNCH_CONTRACT(in_range(to, n, 0, n))
__global__ void race_scatter(float *out GS_DISJOINT(n), const float *in GS_EXTENT(n),
                             const int *to GS_EXTENT(n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[to[i]] = in[i];
}
// Injective, but nothing says how large.
GS_LAUNCH_CONTRACT(injective(to, n))
__global__ void race_scatter_outside(float *out GS_DISJOINT(n), const float *in GS_EXTENT(n),
                                     const int *to GS_EXTENT(n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[to[i]] = in[i];
}
// The fact ends before the array that is read.
GS_LAUNCH_CONTRACT(injective(to, n - 1), n >= 1)
__global__ void race_scatter_short(float *out GS_DISJOINT(), const int *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[to[i]] = i;
}
// Two elements of the permutation for each thread.
GS_LAUNCH_CONTRACT(injective(to, 2 * n), n >= 0)
__global__ void proved_scatter_pairs(float *out GS_DISJOINT(), const unsigned *to GS_EXTENT(2 * n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[to[2 * i]] = 1;
    out[to[2 * i + 1]] = 2;
  }
}
GS_LAUNCH_CONTRACT(injective(to, 2 * n), n >= 0)
__global__ void race_scatter_pairs(float *out GS_DISJOINT(), const unsigned *to GS_EXTENT(2 * n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && i > 0) {
    out[to[2 * i]] = 1;
    out[to[2 * i - 2]] = 2;
  }
}
// Rows that a permutation moves; a loop over the grid; 64-bit indices.
GS_LAUNCH_CONTRACT(injective(to, rows), ld >= 0)
__global__ void proved_rows(float *out GS_DISJOINT(), const float *in, const long long *to GS_EXTENT(rows),
                            int rows, int ld) {
  for (int r = blockIdx.x; r < rows; r += gridDim.x)
    for (int j = threadIdx.x; j < ld; j += blockDim.x) out[to[r] * ld + j] = in[r * ld + j];
}
GS_LAUNCH_CONTRACT(injective(to, rows), ld >= 0)
__global__ void refused_rows(float *out GS_DISJOINT(), const float *in, const long long *to GS_EXTENT(rows),
                          int rows, int ld) {
  for (int r = blockIdx.x; r < rows; r += gridDim.x)
    for (int j = threadIdx.x; j <= ld; j += blockDim.x) out[to[r] * ld + j] = in[r * ld + j];
}
// The array is written, too: what it held at the launch says nothing.
GS_LAUNCH_CONTRACT(injective(to, n))
__global__ void refused_written(float *out GS_DISJOINT(), int *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[to[i]] = 1;
    to[i] = 0;
  }
}
// Nothing to move for n == 0, and then nothing is promised.
GS_LAUNCH_CONTRACT(n == 0 || injective(to, n), n >= 0)
__global__ void proved_or_empty(float *out GS_DISJOINT(), const int *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[to[i]] = i;
}
GS_LAUNCH_CONTRACT(n == 1 || injective(to, n), n >= 0)
__global__ void proved_or_one(float *out GS_DISJOINT(), const int *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[to[i]] = i;
}
GS_LAUNCH_CONTRACT(n == 5 || injective(to, n), n >= 0)
__global__ void race_or_five(float *out GS_DISJOINT(), const int *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[to[i]] = i;
}
// In blocks of the array.
GS_LAUNCH_CONTRACT(injective(to, grid.x * block.x))
__global__ void proved_offset(float *out GS_DISJOINT(), const int *to) {
  const int *mine = to + blockIdx.x * blockDim.x;
  out[mine[threadIdx.x]] = 1;
}
// Read through a permutation: a gather needs a range alone.
GS_LAUNCH_CONTRACT(in_range(from, n, 0, m))
__global__ void proved_gather(float *out GS_DISJOINT(n), const float *in GS_EXTENT(m),
                              const int *from GS_EXTENT(n), int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[from[i]];
}
GS_LAUNCH_CONTRACT(in_range(from, n, 0, m + 1))
__global__ void race_gather(float *out GS_DISJOINT(n), const float *in GS_EXTENT(m),
                            const int *from GS_EXTENT(n), int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[from[i]];
}
GS_LAUNCH_CONTRACT(in_range(from, n, -1, m))
__global__ void race_gather_below(float *out GS_DISJOINT(n), const float *in GS_EXTENT(m),
                                  const short *from GS_EXTENT(n), int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[from[i]];
}
// Unsigned bytes look up a table.
GS_LAUNCH_CONTRACT(in_range(key, n, 0, 16))
__global__ void proved_table(float *out GS_DISJOINT(n), const unsigned char *key GS_EXTENT(n), int n) {
  __shared__ float table[16];
  if (threadIdx.x < 16) table[threadIdx.x] = threadIdx.x;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = table[key[i]];
}
GS_LAUNCH_CONTRACT(in_range(key, n, 0, 17))
__global__ void race_table(float *out GS_DISJOINT(n), const unsigned char *key GS_EXTENT(n), int n) {
  __shared__ float table[16];
  if (threadIdx.x < 16) table[threadIdx.x] = threadIdx.x;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = table[key[i]];
}
// Two steps: rows of segments.
GS_LAUNCH_CONTRACT(in_range(seg, n, 0, m), in_range(base, m, 0, k))
__global__ void proved_two_steps(float *out GS_DISJOINT(n), const int *seg GS_EXTENT(n),
                                 const int *base GS_EXTENT(m), const float *in GS_EXTENT(k), int n, int m,
                                 int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[base[seg[i]]];
}

// ---- monotone: segments
GS_LAUNCH_CONTRACT(monotone(ptr, rows + 1), rows >= 0)
__global__ void proved_segments(int *out GS_DISJOINT(), const int *ptr GS_EXTENT(rows + 1), int rows) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows)
    for (int j = ptr[r]; j < ptr[r + 1]; j++) out[j] = r;
}
GS_LAUNCH_CONTRACT(rows >= 0)
__global__ void race_segments(int *out GS_DISJOINT(), const int *ptr GS_EXTENT(rows + 1), int rows) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows)
    for (int j = ptr[r]; j < ptr[r + 1]; j++) out[j] = r;
}
GS_LAUNCH_CONTRACT(monotone(ptr, rows + 1), rows >= 0)
__global__ void race_segments_one_more(int *out GS_DISJOINT(), const int *ptr GS_EXTENT(rows + 1), int rows) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows)
    for (int j = ptr[r]; j <= ptr[r + 1]; j++) out[j] = r;
}
// The last row is not covered.
GS_LAUNCH_CONTRACT(monotone(ptr, rows), rows >= 0)
__global__ void refused_segments_short(int *out GS_DISJOINT(), const int *ptr GS_EXTENT(rows + 1), int rows) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows)
    for (int j = ptr[r]; j < ptr[r + 1]; j++) out[j] = r;
}
// A block for each row.
GS_LAUNCH_CONTRACT(monotone(ptr, rows + 1), rows >= 0)
__global__ void proved_segments_block(int *out GS_EXCLUSIVE(), const int *ptr GS_EXTENT(rows + 1), int rows) {
  int r = blockIdx.x;
  if (r < rows)
    for (int j = ptr[r] + threadIdx.x; j < ptr[r + 1]; j += blockDim.x) out[j] = r;
}
GS_LAUNCH_CONTRACT(monotone(ptr, rows + 1), rows >= 0)
__global__ void race_segments_block(int *out GS_EXCLUSIVE(), const int *ptr GS_EXTENT(rows + 1), int rows) {
  int r = blockIdx.x;
  if (r < rows)
    for (int j = ptr[r] + threadIdx.x; j < ptr[r + 1] + 1; j += blockDim.x) out[j] = r;
}
// Where something begins (a scan of flags), something is written.
GS_LAUNCH_CONTRACT(monotone(pos, n + 1), n >= 0)
__global__ void proved_compaction(float *out GS_DISJOINT(), const float *in, const unsigned *pos GS_EXTENT(n + 1),
                                  int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && pos[i + 1] > pos[i]) out[pos[i]] = in[i];
}
GS_LAUNCH_CONTRACT(monotone(pos, n + 1), n >= 0)
__global__ void race_compaction(float *out GS_DISJOINT(), const float *in, const unsigned *pos GS_EXTENT(n + 1),
                                int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && pos[i + 1] >= pos[i]) out[pos[i]] = in[i];
}
GS_LAUNCH_CONTRACT(strictly_monotone(pos, n))
__global__ void proved_strict(float *out GS_DISJOINT(), const int *pos GS_EXTENT(n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[pos[i]] = i;
}
GS_LAUNCH_CONTRACT(monotone(pos, n))
__global__ void race_not_strict(float *out GS_DISJOINT(), const int *pos GS_EXTENT(n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[pos[i]] = i;
}
GS_LAUNCH_CONTRACT(strictly_monotone(pos, n))
__global__ void proved_strict_wide(float *out GS_DISJOINT(), const unsigned long long *pos GS_EXTENT(n), int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[pos[i]] = i;
}
