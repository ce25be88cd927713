// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %verdicts %s | FileCheck %s
// Indices of all widths and signs: what wraps on the machine wraps here.
#include <gpusafe.h>

// CHECK: PROVED signed32
__global__ void signed32(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = i;
}
// CHECK: PROVED unsigned32
__global__ void unsigned32(int *a, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = i;
}
// CHECK: PROVED unsigned64
__global__ void unsigned64(int *a, size_t n) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = i;
}
// CHECK: PROVED signed64
__global__ void signed64(int *a, long long n) {
  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = i;
}
// CHECK: PROVED mixed_signs
__global__ void mixed_signs(int *a, int n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = i;
  if (j < n)
    a[(size_t)i] = j;
}

// CHECK: RACE narrowed16 {{.*}} data-race
GS_LAUNCH_CONTRACT(block.x == 256)
__global__ void narrowed16(int *a) {
  unsigned short i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = threadIdx.x;
}
// CHECK: PROVED narrowed16_block
GS_LAUNCH_CONTRACT(block.x == 256)
__global__ void narrowed16_block(int *a) {
  unsigned short i = threadIdx.x;
  a[(size_t)blockIdx.x * blockDim.x + i] = i;
}
// CHECK: RACE narrowed8 {{.*}} data-race
GS_LAUNCH_CONTRACT(block.x == 512)
__global__ void narrowed8(int *a) {
  unsigned char i = threadIdx.x;
  a[blockIdx.x * blockDim.x + i] = threadIdx.x;
}
// CHECK: PROVED narrowed8_fits
GS_LAUNCH_CONTRACT(block.x == 256)
__global__ void narrowed8_fits(int *a) {
  unsigned char i = threadIdx.x;
  a[(size_t)blockIdx.x * blockDim.x + i] = threadIdx.x;
}
// CHECK: RACE signed_char {{.*}} data-race
GS_LAUNCH_CONTRACT(block.x == 512)
__global__ void signed_char(int *a) {
  signed char i = threadIdx.x;
  a[(long)blockIdx.x * blockDim.x + i + 128] = threadIdx.x;
}
// CHECK: RACE shifted_out {{.*}} data-race
GS_LAUNCH_CONTRACT(block.x == 512)
__global__ void shifted_out(int *a) {
  unsigned i = threadIdx.x << 24;
  a[i] = threadIdx.x;
}
// The offset passes 2^32 for large grids: elements meet that are far apart.
// CHECK: RACE wraps {{.*}} data-race
GS_LAUNCH_CONTRACT(block.x == 1024)
__global__ void wraps(char *a) {
  int i = threadIdx.x;
  unsigned at = (unsigned)(i - 512) * 16777216u;
  a[at] = i;
}
// CHECK: PROVED wide_product
__global__ void wide_product(char *a) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  *(int *)(a + (size_t)i * 8u) = i;
}

// Signed division and remainder round towards zero.
// CHECK: PROVED digits
__global__ void digits(int *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[(i / 32) * 32L + i % 32] = i;
}
// CHECK: RACE digits_short {{.*}} data-race
GS_LAUNCH_CONTRACT(block.x == 256)
__global__ void digits_short(int *a) {
  int i = threadIdx.x;
  a[(i / 32) * 31 + i % 32] = i;
}
// CHECK: RACE rounded {{.*}} data-race
GS_LAUNCH_CONTRACT(block.x == 256)
__global__ void rounded(int *a) {
  int i = (int)threadIdx.x - 1;
  a[i / 2 + 8] = i;
}
// CHECK: 16 kernels: 9 proved, 7 race
