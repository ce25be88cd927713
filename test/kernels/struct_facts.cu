// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %python %S/verdicts.py %s %gpusafe
// Facts about data behind pointers in structs that are passed by value.
#include <gpusafe.h>

struct Lists {
  int n;
  const int *to;
  const long *place;
};
GS_LAUNCH_CONTRACT(injective(s.to, s.n), s.n >= 0)
__global__ void proved_field_scatter(float *out GS_DISJOINT(), Lists s) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < s.n) out[s.to[i]] = i;
}
GS_LAUNCH_CONTRACT(injective(s.to, s.n - 1), s.n >= 1)
__global__ void race_field_scatter(float *out GS_DISJOINT(), Lists s) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < s.n) out[s.to[i]] = i;
}
GS_LAUNCH_CONTRACT(in_range(s.to, s.n, 0, m), s.n >= 0)
__global__ void proved_field_gather(float *out GS_DISJOINT(), const float *in GS_EXTENT(m), Lists s, int m) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < s.n; i += gridDim.x * blockDim.x) out[i] = in[s.to[i]];
}
GS_LAUNCH_CONTRACT(in_range(s.to, s.n, 0, m + 1), s.n >= 0)
__global__ void race_field_gather(float *out GS_DISJOINT(), const float *in GS_EXTENT(m), Lists s, int m) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < s.n; i += gridDim.x * blockDim.x) out[i] = in[s.to[i]];
}
GS_LAUNCH_CONTRACT(monotone(s.place, s.n + 1), s.n >= 0)
__global__ void proved_field_segments(float *out GS_DISJOINT(), Lists s) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < s.n)
    for (long j = s.place[i]; j < s.place[i + 1]; j++) out[j] = i;
}
GS_LAUNCH_CONTRACT(monotone(s.place, s.n + 1), s.n >= 0)
__global__ void race_field_segments(float *out GS_DISJOINT(), Lists s) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < s.n)
    for (long j = s.place[i]; j <= s.place[i + 1]; j++) out[j] = i;
}
// A struct in a struct, an array of pointers, unsigned bytes.
struct Graph {
  Lists lists;
  const unsigned char *color[2];
  float *value;
};
GS_LAUNCH_CONTRACT(injective(g.lists.to, g.lists.n), g.lists.n >= 0)
__global__ void proved_nested(Graph g) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < g.lists.n) g.value[g.lists.to[i]] = i;
}
GS_LAUNCH_CONTRACT(in_range(g.lists.to, g.lists.n, 0, 10), g.lists.n >= 0)
__global__ void race_nested(Graph g) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < g.lists.n) g.value[g.lists.to[i]] = i;
}
GS_LAUNCH_CONTRACT(in_range(g.color[1], g.lists.n, 0, 8), g.lists.n >= 0)
__global__ void proved_colors(int *out GS_DISJOINT(), Graph g) {
  __shared__ int table[8];
  if (threadIdx.x < 8) table[threadIdx.x] = threadIdx.x;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < g.lists.n) out[i] = table[g.color[1][i]];
}
GS_LAUNCH_CONTRACT(in_range(g.color[0], g.lists.n, 0, 8), g.lists.n >= 0)
__global__ void race_colors(int *out GS_DISJOINT(), Graph g) {
  __shared__ int table[8];
  if (threadIdx.x < 8) table[threadIdx.x] = threadIdx.x;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < g.lists.n) out[i] = table[g.color[1][i]];
}
