// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// Witnesses are run before they are called definite: what the report says of it.
// RUN: %module %s -o %t.ll
// RUN: %gpusafe check %t.ll --block=64 --grid=4 --json=%t.json --no-times > /dev/null 2>&1 || true
// RUN: %python -c "import json,sys; [print(k['name'], f['rule'], f['verdict'], f['replay'], [(c['array']['name'], c['offset'], c['value']) for c in f['witness']['run']['memory']], 'refuted', k['counters']['refuted']) for k in json.load(open(sys.argv[1]))['reports'][0]['kernels'] for f in k['findings']]" %t.json | FileCheck %s

// CHECK: neighbours data-race RACE confirmed [] refuted 0
__global__ void neighbours(int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  if (t + 1 < 64)
    s[t] = s[t + 1];
  __syncthreads();
  out[blockIdx.x * 64 + t] = s[t];
}

// The second iteration refills what others still read.
// CHECK: refilled data-race RACE confirmed [] refuted 0
__global__ void refilled(int *out, const int *a, int n) {
  __shared__ int s[64];
  int t = threadIdx.x, sum = 0;
  for (int i = 0; i < n; i++) {
    s[t] = a[i * 64 + t];
    __syncthreads();
    sum += s[63 - t];
  }
  out[blockIdx.x * 64 + t] = sum;
}

// CHECK: blocks data-race RACE confirmed [] refuted 0
__global__ void blocks(float *c, int n) {
  int i = threadIdx.x;
  if (i < n)
    c[i] = (float)blockIdx.x;
}

// The witness hangs on what memory holds.
// CHECK: keyed data-race RACE confirmed [('{{.*}}', {{.*}}] refuted 0
__global__ void keyed(int *o, const int *key) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (key[i] == 77)
    o[0] = i;
}

struct view {
  int n;
  short first;
  float *data;
};

// CHECK: fields data-race RACE confirmed [] refuted 0
__global__ void fields(view v) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i < v.n)
    v.data[i / 2 + v.first] = (float)i;
}

// CHECK: wide data-race RACE confirmed [] refuted 0
__global__ void wide(char *bytes) {
  int i = blockIdx.x * 64 + threadIdx.x;
  *(float4 *)(bytes + 8 * i) = make_float4(1, 2, 3, 4);
}

// CHECK: mixed atomic-mix RACE confirmed [] refuted 0
__global__ void mixed(int *count, int *out) {
  atomicAdd(count, 1);
  out[blockIdx.x * 64 + threadIdx.x] = *count;
}

// CHECK: optional data-race RACE confirmed [] refuted 0
__global__ void optional(int *o, const int *bias) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (!bias)
    o[i / 2] = i;
}

// CHECK: outside out-of-bounds RACE confirmed [] refuted 0
__global__ void outside() {
  __shared__ int s[32];
  s[threadIdx.x] = 1;
}

// CHECK: local_array out-of-bounds RACE confirmed [] refuted 0
__global__ void local_array(int *o, int n) {
  int v[4] = {1, 2, 3, 4};
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n)
    o[i] = v[i & 7];
}

// What cannot be run stays as the model says.
// CHECK: inline_ptx data-race RACE refused: inline PTX with a predicate (line {{[0-9]+}}) [] refuted 0
__global__ void inline_ptx(int *o, int n) {
  int x;
  asm volatile("{.reg .pred p; setp.ne.s32 p, %1, 0; @p ld.global.s32 %0, [%2];}" : "=r"(x) : "r"(n), "l"(o));
  o[0] = threadIdx.x;
  o[blockIdx.x * 64 + threadIdx.x + 1] = x;
}

// The run does not come so far within its budget.
// CHECK: long_before data-race RACE refused: the budget of instructions is spent [] refuted 0
__global__ void long_before(int *o, int n) {
  int x = 0;
  for (int i = 0; i < 2000000000; i++)
    x += i ^ n;
  o[blockIdx.x * 64 + threadIdx.x + 1] = x;
  o[0] = threadIdx.x;
}
