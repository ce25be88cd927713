// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: not %gpusafe check --verify --cuda-path=none --quiet --json=%t.json %s
// RUN: %python -c "import json,sys; [print(k['name'], f['rule'], f['verdict'], f['replay'], 'refuted', k['counters']['refuted']) for k in json.load(open(sys.argv[1]))['reports'][0]['kernels'] for f in k['findings']]" %t.json | FileCheck %s
// Definite findings of the rules that look at one place are run before they are shown.
#include <gpusafe.h>
#define assert(x) ((x) ? (void)0 : __assertfail(#x, "places.cu", __LINE__, __func__, 1))
extern "C" __device__ __attribute__((noreturn)) void __assertfail(const char *, const char *, unsigned,
                                                                  const char *, unsigned long);

// CHECK: half barrier-divergence RACE confirmed refuted 0
GS_LAUNCH_CONTRACT(block.x == 64)
__global__ void half(int *o) {
  if (threadIdx.x < 32)
    __syncthreads();
  o[blockIdx.x * 64 + threadIdx.x] = 1;
}
// CHECK: two_places barrier-divergence RACE confirmed refuted 0
GS_LAUNCH_CONTRACT(block.x == 64)
__global__ void two_places(int *o) {
  if (threadIdx.x % 2)
    __syncthreads();
  else
    __syncthreads();
  o[blockIdx.x * 64 + threadIdx.x] = 1;
}
// CHECK: trips barrier-divergence RACE confirmed refuted 0
GS_LAUNCH_CONTRACT(block.x == 64)
__global__ void trips(int *o, int n) {
  for (int i = threadIdx.x; i < n; i += 64)
    __syncthreads();
  o[blockIdx.x * 64 + threadIdx.x] = n;
}
// CHECK: keyed barrier-divergence RACE confirmed refuted 0
GS_LAUNCH_CONTRACT(block.x == 64)
__global__ void keyed(int *o, const int *a) {
  if (a[threadIdx.x] == 17)
    __syncthreads();
  o[blockIdx.x * 64 + threadIdx.x] = 1;
}
// As often, if in other rounds of the loop outside.
// CHECK: as_often barrier-divergence RACE confirmed refuted 0
GS_LAUNCH_CONTRACT(block.x == 64)
__global__ void as_often(int *o) {
  for (int i = 0; i < 2; i++)
    if ((threadIdx.x / 32) == i)
      __syncthreads();
  o[blockIdx.x * 64 + threadIdx.x] = 1;
}
// CHECK: shuffled warp-mask RACE confirmed refuted 0
GS_LAUNCH_CONTRACT(block.x == 32)
__global__ void shuffled(int *o) {
  int x = threadIdx.x;
  if (threadIdx.x < 16)
    x = __nvvm_shfl_sync_down_i32(-1, x, 8, 31);
  o[blockIdx.x * 32 + threadIdx.x] = x;
}
// CHECK: not_named warp-mask RACE confirmed refuted 0
GS_LAUNCH_CONTRACT(block.x == 32)
__global__ void not_named(int *o) {
  o[blockIdx.x * 32 + threadIdx.x] = __nvvm_shfl_sync_down_i32(0xffff, threadIdx.x, 8, 31);
}
// CHECK: asserted assertion RACE confirmed refuted 0
GS_LAUNCH_CONTRACT(block.x == 64, n > 0)
__global__ void asserted(int *o GS_DISJOINT(64 * grid.x), int n) {
  assert(n < 1000);
  o[blockIdx.x * 64 + threadIdx.x] = 1;
}
// CHECK: nowhere null-pointer RACE confirmed refuted 0
GS_LAUNCH_CONTRACT(block.x == 64)
__global__ void nowhere(int *o, int n) {
  int *p = n > 4 ? o + blockIdx.x * 64 : nullptr;
  p[threadIdx.x] = 1;
}
__constant__ int table[64];
// CHECK: constant const-write RACE confirmed refuted 0
GS_LAUNCH_CONTRACT(block.x == 64)
__global__ void constant() { *const_cast<volatile int *>(&table[threadIdx.x]) = 1; }
// CHECK: unfilled uninitialized-shared RACE confirmed refuted 0
GS_LAUNCH_CONTRACT(block.x == 64)
__global__ void unfilled(int *o) {
  __shared__ int s[64];
  o[blockIdx.x * 64 + threadIdx.x] = s[threadIdx.x];
}
// CHECK: half_filled uninitialized-shared RACE confirmed refuted 0
GS_LAUNCH_CONTRACT(block.x == 64, n > 0)
__global__ void half_filled(int *o, int n) {
  __shared__ int s[64];
  if (threadIdx.x < 32)
    s[threadIdx.x] = n;
  __syncthreads();
  o[blockIdx.x * 64 + threadIdx.x] = s[threadIdx.x];
}
