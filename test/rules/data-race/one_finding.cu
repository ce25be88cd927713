// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// One root cause, one finding: pairs of accesses, relations of iterations, kinds of
// meetings, template instances and architectures are counted, not repeated.

// RUN: %exits 1 %gpusafe check --cuda-path=none --no-times --verify --block=256 --json=%t.json %s > %t.txt 2>&1
// RUN: FileCheck --input-file=%t.json --check-prefix=JSON %s
// RUN: FileCheck --input-file=%t.txt %s
// RUN: grep -c 'error: ' %t.txt | grep -x 6
// RUN: %exits 1 %gpusafe check --cuda-path=none --no-times --block=256 --arch=sm_80,sm_90 %s > %t.archs.txt 2>&1
// RUN: FileCheck --input-file=%t.archs.txt --check-prefix=ARCHS %s
// RUN: grep -c 'warning: ' %t.archs.txt | grep -x 6

// One write, three reads.
// JSON: "name": "readers"
// JSON: "instances": 3
// CHECK: [[@LINE+4]]:8: error: data race on 's'
__global__ void readers(int *o) {
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t] = t;
  o[blockIdx.x * 256 + t] = s[255 - t] + s[t ^ 1] + s[(t + 7) & 255] + s[t];
}

// Before and behind a barrier, in this iteration and the next.
// JSON: "name": "iterations"
// JSON: "instances": 2
// CHECK: [[@LINE+5]]:10: error: data race on 's'
__global__ void iterations(int *o, int n) {
  __shared__ int s[256];
  int t = threadIdx.x, sum = 0;
  for (int i = 0; i < n; i++) {
    s[t] = i;
    sum += s[t ^ 1];
    __syncthreads();
    sum += s[255 - t];
  }
  o[blockIdx.x * 256 + t] = sum;
}

// Threads of one block and of two.
// JSON: "name": "anywhere"
// JSON: "instances": 1
// CHECK: [[@LINE+2]]:8: error: data race on 'o'
__global__ void anywhere(int *o) {
  o[0] = threadIdx.x + blockIdx.x;
}

// Two writes are two causes, each with its own repair.
// JSON: "name": "two_writes"
// JSON: "instances": 1
// JSON: "instances": 1
// CHECK: [[@LINE+5]]:8: error: data race on 's'
// CHECK: [[@LINE+5]]:8: error: data race on 'r'
__global__ void two_writes(int *o) {
  __shared__ int s[256], r[256];
  int t = threadIdx.x;
  s[t] = t;
  r[t] = t;
  o[blockIdx.x * 256 + t] = s[255 - t] + r[255 - t];
}

// CHECK: [[@LINE+5]]:8: error: data race on 's'
// CHECK: note: the same in 1 more template instance: 'instance<float>'
template <class T> __global__ void instance(T *o) {
  __shared__ T s[256];
  int t = threadIdx.x;
  s[t] = t;
  o[blockIdx.x * 256 + t] = s[255 - t];
}
template __global__ void instance<int>(int *);
template __global__ void instance<float>(float *);

// CHECK: RACE instance<...> {{.*}} (2 instances)
// ARCHS: RACE readers {{.*}} (sm_80 sm_90)
// ARCHS: RACE instance<...> {{.*}} (2 instances; sm_80 sm_90)
