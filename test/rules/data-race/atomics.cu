// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %verdicts %s | FileCheck %s
// Atomic operations conflict with plain accesses, and with each other beyond their scope.

// CHECK: PROVED counted
__global__ void counted(int *count) { atomicAdd(count, 1); }
// CHECK: PROVED counted_where
__global__ void counted_where(int *count, const int *key, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicMax(&count[key[i]], i);
}
// CHECK: RACE read_plainly {{.*}} atomic-mix
__global__ void read_plainly(int *count, int *o) {
  atomicAdd(count, 1);
  o[blockIdx.x * blockDim.x + threadIdx.x] = count[0];
}
// CHECK: PROVED read_atomically
__global__ void read_atomically(int *count, int *o) {
  atomicAdd(count, 1);
  o[blockIdx.x * blockDim.x + threadIdx.x] = atomicAdd(count, 0);
}
// CHECK: RACE initialised {{.*}} atomic-mix
__global__ void initialised(int *count) {
  if (blockIdx.x == 0 && threadIdx.x == 0)
    count[0] = 0;
  atomicAdd(count, 1);
}
// CHECK: RACE block_scope {{.*}} atomic-mix
__global__ void block_scope(int *count) { atomicAdd_block(count, 1); }
// CHECK: PROVED block_scope_shared
__global__ void block_scope_shared(int *o) {
  __shared__ int count;
  if (threadIdx.x == 0)
    count = 0;
  __syncthreads();
  atomicAdd_block(&count, 1);
  __syncthreads();
  if (threadIdx.x == 0)
    o[blockIdx.x] = count;
}
// CHECK: PROVED exchanged
__global__ void exchanged(unsigned *a) { atomicCAS(&a[3], 0u, blockIdx.x); }
// Half of a location that another operation updates whole.
// CHECK: RACE half {{.*}} atomic-mix
__global__ void half(unsigned long long *a, char *o) {
  atomicExch(a, 1ull);
  o[blockIdx.x * blockDim.x + threadIdx.x] = ((char *)a)[3];
}

// Slots of a counter are distinct; more in test/kernels/tickets.cu.
// CHECK: PROVED ticket
__global__ void ticket(int *a, int *next) { a[atomicAdd(next, 1)] = threadIdx.x; }
// CHECK: POSSIBLE no_ticket {{.*}} data-race
// CHECK-NEXT: the result of an atomic operation
__global__ void no_ticket(int *a, int *next) { a[atomicAdd(next, 0)] = threadIdx.x; }
// CHECK: 11 kernels: 6 proved, 4 race, 1 possible
