// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %verdicts %s --block=32 --rules=-uninitialized-shared | FileCheck %s
// Counters narrower than int: how their bits are read is said by the promotion, not by
// the comparison of the promoted value.

// CHECK: RACE unsigned_char {{.*}} out-of-bounds
__global__ void unsigned_char(int *o, unsigned char n) {
  __shared__ int s[128];
  int sum = 0;
  for (unsigned char i = 0; i < n; i++)
    sum += s[i];
  o[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
// CHECK: PROVED unsigned_char_fits
__global__ void unsigned_char_fits(int *o, unsigned char n) {
  __shared__ int s[255];
  int sum = 0;
  for (unsigned char i = 0; i < n; i++)
    sum += s[i];
  o[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
// CHECK: PROVED signed_char_fits
__global__ void signed_char_fits(int *o, signed char n) {
  __shared__ int s[127];
  int sum = 0;
  for (signed char i = 0; i < n; i++)
    sum += s[i];
  o[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
// CHECK: RACE signed_char {{.*}} out-of-bounds
__global__ void signed_char(int *o, signed char n) {
  __shared__ int s[126];
  int sum = 0;
  for (signed char i = 0; i < n; i++)
    sum += s[i];
  o[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
// CHECK: POSSIBLE unsigned_short {{.*}} out-of-bounds
__global__ void unsigned_short(int *o, int n) {
  __shared__ char s[32768];
  int sum = 0;
  for (unsigned short i = 0; i < n; i++)
    sum += s[i];
  o[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
// CHECK: RACE downwards {{.*}} out-of-bounds
__global__ void downwards(int *o, unsigned char n) {
  __shared__ int s[128];
  int sum = 0;
  for (unsigned char i = n; i >= 100; i--)
    sum += s[i];
  o[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Bounds that the counter's type does not hold: it wraps before it meets them.

// CHECK: RACE signed_char_unsigned_bound {{.*}} out-of-bounds
__global__ void signed_char_unsigned_bound(int *o, unsigned n) {
  __shared__ int s[128];
  int sum = 0;
  for (signed char i = 0; i < n; i += 1)
    sum += s[i];
  o[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
// CHECK: POSSIBLE signed_char_unsigned_char_bound {{.*}} out-of-bounds
__global__ void signed_char_unsigned_char_bound(int *o, unsigned char n) {
  __shared__ int s[128];
  int sum = 0;
  for (signed char i = 0; i < n; i++)
    sum += s[i];
  o[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
// CHECK: POSSIBLE short_int_bound {{.*}} out-of-bounds
__global__ void short_int_bound(int *o, int n) {
  __shared__ char s[32768];
  int sum = 0;
  for (short i = 0; i < n; i++)
    sum += s[i];
  o[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
// CHECK: RACE char_converted_bound {{.*}} out-of-bounds
__global__ void char_converted_bound(int *o, signed char n) {
  __shared__ int s[128];
  int sum = 0;
  for (signed char i = 0; i < (unsigned)n; i++)
    sum += s[i];
  o[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
// CHECK: PROVED signed_char_constant
__global__ void signed_char_constant(int *o) {
  __shared__ int s[100];
  int sum = 0;
  for (signed char i = 0; i < 100u; i += 1)
    sum += s[i];
  o[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
// CHECK: PROVED short_char_bound
__global__ void short_char_bound(int *o, unsigned char n) {
  __shared__ char s[255];
  int sum = 0;
  for (short i = 0; i < n; i++)
    sum += s[i];
  o[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
