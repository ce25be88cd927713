// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %verdicts %s --rules=barrier-divergence --block=256 | FileCheck %s
// Threads that miss a barrier without coming near it: they part at a condition further out than
// the one around the barrier.

// CHECK: RACE inner_uniform {{.*}} barrier-divergence
__global__ void inner_uniform(int *a, int n) {
  if (threadIdx.x) {
    if (n)
      __syncthreads();
  }
  __syncthreads();
}

// CHECK: RACE inner_uniform_alone {{.*}} barrier-divergence
__global__ void inner_uniform_alone(int *a, int n) {
  if (threadIdx.x) {
    if (n)
      __syncthreads();
  }
}

// CHECK: RACE both_at_once {{.*}} barrier-divergence
__global__ void both_at_once(int *a, int n) {
  if (threadIdx.x && n) {
    __syncthreads();
  }
  __syncthreads();
}

// CHECK: RACE one_condition {{.*}} barrier-divergence
__global__ void one_condition(int *a, int n) {
  if (threadIdx.x) {
    __syncthreads();
  }
  __syncthreads();
}

// CHECK: RACE uniform_outside {{.*}} barrier-divergence
__global__ void uniform_outside(int *a, int n) {
  if (n) {
    if (threadIdx.x)
      __syncthreads();
  }
  __syncthreads();
}

// CHECK: RACE not_both {{.*}} barrier-divergence
__global__ void not_both(int *a, int n, int m) {
  if (!(n == 5 && threadIdx.x)) {
    if (m)
      __syncthreads();
  }
  __syncthreads();
}

// CHECK: POSSIBLE one_in_each_arm {{.*}} barrier-divergence
__global__ void one_in_each_arm(int *a, int n) {
  if (threadIdx.x < 32)
    __syncthreads();
  else {
    a[threadIdx.x] = 1;
    __syncthreads();
  }
}

// CHECK: RACE continued {{.*}} barrier-divergence
__global__ void continued(int *a, int n, int m) {
  for (int i = 0; i < n; i++) {
    if (threadIdx.x == i)
      continue;
    if (m)
      __syncthreads();
  }
}

// CHECK: POSSIBLE left {{.*}} barrier-divergence
__global__ void left(int *a, int n, int m) {
  for (int i = 0; i < n; i++) {
    if (threadIdx.x == i)
      break;
    if (m)
      __syncthreads();
  }
  a[threadIdx.x] = 1;
}

// CHECK: RACE three_deep {{.*}} barrier-divergence
__global__ void three_deep(int *a, int n, int m) {
  if (threadIdx.x) {
    if (n) {
      if (m)
        __syncthreads();
    }
    a[threadIdx.x] = 1;
  }
  __syncthreads();
}

// CHECK: RACE switched {{.*}} barrier-divergence
__global__ void switched(int *a, int n, int m) {
  switch (threadIdx.x) {
  case 0:
    break;
  default:
    if (m)
      __syncthreads();
  }
  __syncthreads();
}

// CHECK: UNKNOWN searched {{.*}} barrier-divergence
__global__ void searched(int *a, int n, int m) {
  int i = 0;
  while (i < n) {
    if (a[i] == threadIdx.x)
      goto out;
    i++;
  }
  if (m)
    __syncthreads();
out:
  __syncthreads();
}

// CHECK: PROVED right_uniform
__global__ void right_uniform(int *a, int n, int m) {
  if (n) {
    if (m)
      __syncthreads();
  }
  __syncthreads();
}

// CHECK: PROVED right_returned
__global__ void right_returned(int *a, int n, int m) {
  if (threadIdx.x >= n)
    return;
  if (m)
    __syncthreads();
  __syncthreads();
}

// CHECK: PROVED right_not_both
__global__ void right_not_both(int *a, int n, int m) {
  if (!(n == 5 && m)) {
    if (m)
      __syncthreads();
  }
  __syncthreads();
}

// CHECK: PROVED right_behind_a_loop
__global__ void right_behind_a_loop(int *a, int n, int m) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    a[i] = 1;
  if (m)
    __syncthreads();
}

// CHECK: PROVED right_in_a_block
__global__ void right_in_a_block(int *a, int n, int m) {
  if (blockIdx.x) {
    if (threadIdx.x)
      a[threadIdx.x] = 1;
    if (m)
      __syncthreads();
  }
  __syncthreads();
}

// CHECK: POSSIBLE continued_on_data {{.*}} barrier-divergence
__global__ void continued_on_data(int *a, int n, int m) {
  for (int i = 0; i < n; i++) {
    if (a[i] == threadIdx.x) {
      a[i]++;
      continue;
    }
    if (m) {
      if (n > 5)
        __syncthreads();
    }
  }
}

// CHECK: POSSIBLE next_of_the_outer {{.*}} barrier-divergence
__global__ void next_of_the_outer(int *a, int n, int m) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++) {
      if (threadIdx.x == j)
        goto next;
    }
    if (m)
      __syncthreads();
  next:;
  }
}

// CHECK: RACE continued_at_the_end {{.*}} barrier-divergence
__global__ void continued_at_the_end(int *a, int n, int m) {
  do {
    if (threadIdx.x & 1) {
      if (n)
        continue;
    }
    if (m)
      __syncthreads();
  } while (--n > 0);
}

// CHECK: PROVED right_continued
__global__ void right_continued(int *a, int n, int m) {
  for (int i = 0; i < n; i++) {
    if (n == i)
      continue;
    if (m)
      __syncthreads();
  }
}

// CHECK: PROVED right_searched
__global__ void right_searched(int *a, int n, int m) {
  int i = 0;
  while (i < n) {
    if (m == i)
      goto out;
    i++;
  }
  if (m)
    __syncthreads();
out:
  __syncthreads();
}

// CHECK: PROVED right_broken_off
__global__ void right_broken_off(int *a, int n, int m) {
  int i = 0;
  while (i < n) {
    if (threadIdx.x == i)
      break;
    i++;
  }
  if (m)
    __syncthreads();
  __syncthreads();
}

// CHECK: POSSIBLE switched_in_a_loop {{.*}} barrier-divergence
__global__ void switched_in_a_loop(int *a, int n, int m) {
  for (int i = 0; i < n; i++) {
    switch (a[threadIdx.x]) {
    case 1:
      continue;
    case 2:
      if (m)
        __syncthreads();
      break;
    default:
      break;
    }
    a[i] = 1;
  }
}
