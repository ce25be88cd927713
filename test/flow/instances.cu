// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %verdicts %s --block=256 | FileCheck %s
// Barrier instances in loops. Counters are tied only where every way round the loop
// holds a barrier.

// CHECK: PROVED each_round
__global__ void each_round(int n) {
  __shared__ int s[512];
  for (int i = 0; i < n; i++) {
    s[threadIdx.x + (i & 1)] = i + threadIdx.x;
    __syncthreads();
  }
}
// CHECK: {{RACE|POSSIBLE}} every_fourth {{.*}} data-race
__global__ void every_fourth(int n) {
  __shared__ int s[512];
  for (int i = 0; i < n; i++) {
    s[threadIdx.x + (i & 1)] = i + threadIdx.x;
    if ((i & 3) == 3)
      __syncthreads();
  }
}
// CHECK: {{RACE|POSSIBLE}} skipped {{.*}} data-race
__global__ void skipped(int n) {
  __shared__ int s[512];
  for (int i = 0; i < n; i++) {
    s[threadIdx.x + (i & 1)] = i + threadIdx.x;
    if (i % 3 == 1)
      continue;
    __syncthreads();
  }
}
// CHECK: PROVED before_continue
__global__ void before_continue(int n) {
  __shared__ int s[512];
  for (int i = 0; i < n; i++) {
    __syncthreads();
    s[threadIdx.x + (i & 1)] = i + threadIdx.x;
    if (i % 3 == 1)
      continue;
    s[threadIdx.x + (i & 1)] += 1;
  }
}
// CHECK: {{RACE|POSSIBLE}} inner_may_not_run {{.*}} data-race
__global__ void inner_may_not_run(int n, int m) {
  __shared__ int s[512];
  for (int i = 0; i < n; i++) {
    s[threadIdx.x + (i & 1)] = i + threadIdx.x;
    for (int j = 0; j < m; j++)
      __syncthreads();
  }
}
// CHECK: PROVED inner_runs
__global__ void inner_runs(int n, int m) {
  __shared__ int s[512];
  for (int i = 0; i < n; i++) {
    s[threadIdx.x + (i & 1)] = i + threadIdx.x;
    int j = 0;
    do {
      __syncthreads();
    } while (++j < m);
  }
}

// The first iteration alone has the barrier.
// CHECK: PROVED peeled
__global__ void peeled(int *o, int n) {
  __shared__ int s[256];
  s[threadIdx.x] = threadIdx.x;
  for (int i = 0; i < n; i++) {
    if (i == 0)
      __syncthreads();
    o[blockIdx.x * 256 + threadIdx.x] = s[255 - threadIdx.x];
  }
}
// CHECK: RACE peeled_wrongly {{.*}} data-race
__global__ void peeled_wrongly(int *o, int n) {
  __shared__ int s[256];
  s[threadIdx.x] = threadIdx.x;
  for (int i = 0; i < n; i++) {
    if (i > 0)
      __syncthreads();
    o[blockIdx.x * 256 + threadIdx.x] = s[255 - threadIdx.x];
  }
}

// Two buffers in turn, in an inner loop: an even number of rounds keeps the turn when the
// outer loop goes round, an odd number does not.
// CHECK: PROVED turns_even
__global__ void turns_even(int n) {
  __shared__ int s[2][256];
  int sum = 0;
  for (int k = 0; k < n; k++)
    for (int i = 0; i < 4; i++) {
      s[i & 1][threadIdx.x] = i;
      __syncthreads();
      sum += s[i & 1][255 - threadIdx.x];
    }
}
// CHECK: RACE turns_odd {{.*}} data-race
__global__ void turns_odd(int n) {
  __shared__ int s[2][256];
  int sum = 0;
  for (int k = 0; k < n; k++)
    for (int i = 0; i < 5; i++) {
      s[i & 1][threadIdx.x] = i + threadIdx.x;
      __syncthreads();
      sum += s[i & 1][255 - threadIdx.x];
    }
}
// CHECK: PROVED turns_odd_fixed
__global__ void turns_odd_fixed(int n) {
  __shared__ int s[2][256];
  int sum = 0;
  for (int k = 0; k < n; k++) {
    for (int i = 0; i < 5; i++) {
      s[i & 1][threadIdx.x] = i + threadIdx.x;
      __syncthreads();
      sum += s[i & 1][255 - threadIdx.x];
    }
    __syncthreads();
  }
}
// CHECK: PROVED three_in_turn
__global__ void three_in_turn(int n) {
  __shared__ int s[3][256];
  int a = 0, b = 1, c = 2, sum = 0;
  for (int i = 0; i < n; i++) {
    s[a][threadIdx.x] = i;
    __syncthreads();
    sum += s[a][255 - threadIdx.x];
    int t = a;
    a = b;
    b = c;
    c = t;
  }
}

// After the loop: all threads leave it in the same iteration.
// CHECK: PROVED left_alike
__global__ void left_alike(int *o, int n, const int *stop) {
  __shared__ int s[256];
  for (int i = 0; i < n; i++) {
    if (stop[i])
      break;
    __syncthreads();
    s[threadIdx.x] = i;
  }
  __syncthreads();
  o[blockIdx.x * 256 + threadIdx.x] = s[255 - threadIdx.x];
}
// CHECK: RACE left_at_once {{.*}} data-race
__global__ void left_at_once(int *o, int n, const int *stop) {
  __shared__ int s[256];
  for (int i = 0; i < n; i++) {
    if (stop[i])
      break;
    __syncthreads();
    s[threadIdx.x] = i + threadIdx.x;
  }
  o[blockIdx.x * 256 + threadIdx.x] = s[255 - threadIdx.x];
}
