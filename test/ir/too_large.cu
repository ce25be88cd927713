// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %gpusafe check --cuda-path=none --no-times %s 2>&1 | FileCheck %s
// Functions that would be millions of instructions inside of their kernel stay calls;
// those that no kernel uses cost nothing.

template <int N> __device__ int twice(int x) { return twice<N - 1>(twice<N - 1>(x) + N); }
template <> __device__ int twice<0>(int x) { return x * 3; }

__device__ int unused(int x) { return twice<40>(x); }

// CHECK: UNKNOWN huge {{.*}} data-race
// CHECK-NEXT: a call of '{{.*}}twice{{.*}}' that cannot be inlined (recursion, or too much code)
__global__ void huge(int *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = twice<30>(1); }
// CHECK: PROVED small
__global__ void small(int *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = twice<3>(1); }
