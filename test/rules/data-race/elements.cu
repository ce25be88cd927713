// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %verdicts %s | FileCheck %s
// Accesses of different sizes: bytes are compared.

// CHECK: PROVED pairs
__global__ void pairs(float *a) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  *(float2 *)(a + 2 * i) = make_float2(i, i);
}
// CHECK: RACE pairs_overlap {{.*}} data-race
__global__ void pairs_overlap(float *a) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  *(float2 *)(a + i) = make_float2(i, i);
}
// CHECK: PROVED four_and_one
__global__ void four_and_one(float *a) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  ((float4 *)a)[i] = make_float4(i, i, i, i);
  a[4 * i + 3] += 1;
}
// CHECK: RACE four_and_next {{.*}} data-race
__global__ void four_and_next(float *a) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  ((float4 *)a)[i] = make_float4(i, i, i, i);
  a[4 * i + 4] += 1;
}
// CHECK: RACE words_by_four {{.*}} data-race
__global__ void words_by_four(char *a) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  *(long long *)(a + i * 4) = i;
}

struct record {
  int count;
  short tag;
  char mark[2];
};
// CHECK: PROVED fields
__global__ void fields(record *r, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    r[i].count = i;
    r[i].tag = 1;
    r[i].mark[0] = r[i].mark[1] = 2;
  }
}
// CHECK: PROVED bytes_side_by_side
__global__ void bytes_side_by_side(record *r, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 2 * n)
    r[i / 2].mark[i % 2] = i;
}
// CHECK: RACE bytes_shared {{.*}} data-race
__global__ void bytes_shared(record *r, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    r[i / 3].mark[i % 3 & 1] = i;
}
// Different fields of different threads do not meet.
// CHECK: PROVED other_field
__global__ void other_field(record *r, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n)
    r[i].count = r[i + 1].tag;
}
// CHECK: RACE same_field {{.*}} data-race
__global__ void same_field(record *r, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n)
    r[i].count = r[i + 1].count;
}
// Bit fields of one word are one location.
struct nibbles {
  unsigned low : 4, high : 4;
};
// CHECK: RACE bit_fields {{.*}} data-race
__global__ void bit_fields(nibbles *r) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i & 1)
    r[i / 2].low = 1;
  else
    r[i / 2].high = 2;
}
// CHECK: RACE bits {{.*}} data-race
__global__ void bits(unsigned char *a) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  a[i >> 3] |= 1 << (i & 7);
}

struct large {
  int v[8];
};
// CHECK: PROVED copies
__global__ void copies(large *to, const large *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = from[i + 1];
}
// CHECK: RACE copies_down {{.*}} data-race
__global__ void copies_down(large *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = a[i + 1];
}
// CHECK: PROVED cleared
__global__ void cleared(char *a, int n) {
  long i = blockIdx.x * blockDim.x + threadIdx.x;
  if (n > 0)
    memset(a + i * n, 0, n);
}
// CHECK: RACE cleared_too_far {{.*}} data-race
__global__ void cleared_too_far(char *a, const int *v, int n) {
  long i = blockIdx.x * blockDim.x + threadIdx.x;
  if (n > 0) {
    memset(a + i * n, 0, n);
    a[i * n + n] = 1;
  }
}
// CHECK: 16 kernels: 7 proved, 9 race
