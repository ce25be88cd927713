// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %verdicts %s | FileCheck %s
// Every way to give up is UNKNOWN and names its cause.

__device__ int elsewhere(int);
// CHECK: UNKNOWN opaque_call {{.*}} data-race
// CHECK-NEXT: a call of '{{.*}}elsewhere{{.*}}', which is not modelled and has no body here
__global__ void opaque_call(int *a) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = elsewhere(i);
}

__device__ int depth(int n) { return n <= 0 ? 0 : 1 + depth(n - 1); }
// CHECK: UNKNOWN recursive {{.*}} data-race
// CHECK-NEXT: a call of '{{.*}}depth{{.*}}' that cannot be inlined (recursion, or too much code)
__global__ void recursive(int *a) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = depth(i);
}

typedef int (*function)(int);
// CHECK: UNKNOWN by_pointer {{.*}} data-race
// CHECK-NEXT: a call through a function pointer
__global__ void by_pointer(int *a, function f) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = f(i);
}

// CHECK: UNKNOWN ptx_bulk {{.*}} data-race
// CHECK-NEXT: inline PTX 'cp.reduce.async.bulk.commit_gro' is not modelled
__global__ void ptx_bulk(int *a) {
  asm volatile("cp.reduce.async.bulk.commit_group;" ::: "memory");
}
// CHECK: UNKNOWN ptx_voting_barrier {{.*}} data-race
// CHECK-NEXT: inline PTX 'bar' is not modelled
__global__ void ptx_voting_barrier(int *a) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  asm volatile("{ .reg .pred p, q; setp.eq.u64 p, %0, 0; bar.red.or.pred q, 1, p; }" ::"l"(i) : "memory");
  a[i] = 1;
}
// Registers only: modelled.
// CHECK: PROVED ptx_registers
__global__ void ptx_registers(int *a) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  unsigned lane;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  a[i] = lane;
}
// CHECK: PROVED ptx_block_barrier
__global__ void ptx_block_barrier(int *a) {
  __shared__ int s[1024];
  s[threadIdx.x] = 1;
  asm volatile("bar.sync 0;" ::: "memory");
  a[(size_t)blockIdx.x * blockDim.x + threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}

// CHECK: PROVED bodies_known
__device__ int known(int x) { return x + 1; }
__global__ void bodies_known(int *a) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = known(i);
}
// CHECK: 8 kernels: 3 proved, 5 unknown
