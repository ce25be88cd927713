// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// A barrier that is missing is named, and a fix-it inserts it; each is proved with it.

// RUN: %clang_gs -fsyntax-only -fplugin-arg-gpusafe-verify -fplugin-arg-gpusafe-block=256 -ferror-limit=0 \
// RUN:   -Xclang -verify-ignore-unexpected=note -Xclang -verify %s
// RUN: not %clang_gs -fsyntax-only -fplugin-arg-gpusafe-verify -fplugin-arg-gpusafe-block=256 -ferror-limit=0 \
// RUN:   -fdiagnostics-parseable-fixits %s 2> %t.txt
// RUN: %python %source/test/rules/Inputs/fixed.py %s < %t.txt > %t.fixed.cu
// RUN: FileCheck --input-file=%t.txt --check-prefix=FIX %s
// RUN: %verdicts %t.fixed.cu --block=256 | FileCheck %s
// CHECK-NOT: RACE
// CHECK: 28 kernels: 28 proved

#define N 256
// Straight line.
__global__ void mirror(int *o) {
  __shared__ int s[N];
  int t = threadIdx.x;
  s[t] = t; // expected-error {{data race on 's'}}
  o[blockIdx.x * N + t] = s[255 - t]; // expected-note {{no barrier between the write at line 20 and the read at line 21; __syncthreads() here orders them}}
}
__global__ void broadcast(const int *a, int *o) {
  __shared__ int v;
  if (threadIdx.x == 0)
    v = a[0]; // expected-error {{data race on 'v'}}
  o[blockIdx.x * N + threadIdx.x] = v; // expected-note {{no barrier between the write at line 26 and the read at line 27; __syncthreads() here orders them}}
}
__global__ void one_line(int *o) { __shared__ int s[N]; int t = threadIdx.x; s[t] = t; o[blockIdx.x * N + t] = s[255 - t]; } // expected-error {{data race on 's'}} expected-note {{no barrier between the write at line 29 and the read at line 29; __syncthreads() here orders them}}
__global__ void in_memory(int *g, int *o) {
  int t = threadIdx.x;
  g[blockIdx.x * N + t] = t; // expected-error {{data race on 'g'}}
  o[blockIdx.x * N + t] = g[blockIdx.x * N + 255 - t]; // expected-note {{no barrier between the write at line 32 and the read at line 33; __syncthreads() here orders them}}
}

// Branches: before, after or inside of them.
__global__ void after_if(int *o) {
  __shared__ int s[N];
  int t = threadIdx.x;
  if (t < 17) {
    s[t] = 1 + t; // expected-error {{data race on 's'}}
  }
  if (t < 17) // expected-note {{no barrier between the write at line 41 and the read at line 44; __syncthreads() here orders them}}
    o[blockIdx.x * N + t] = s[16 - t];
}
__global__ void after_else(int *o, int n) {
  __shared__ int s[N];
  int t = threadIdx.x;
  if (n)
    s[t] = 1 + t; // expected-error {{data race on 's'}}
  else
    s[t] = t; // expected-error {{data race on 's'}}
  o[blockIdx.x * N + t] = s[255 - t]; // expected-note {{no barrier between the write at line 50 and the read at line 53; __syncthreads() here orders them}} expected-note {{no barrier between the write at line 52 and the read at line 53; __syncthreads() here orders them}}
}
__global__ void uniform_if(const int *a, int *o, int n) {
  __shared__ int s[N];
  int t = threadIdx.x;
  if (n > 3) {
    s[t] = a[t]; // expected-error {{data race on 's'}}
    o[blockIdx.x * N + t] = s[255 - t]; // expected-note {{no barrier between the write at line 59 and the read at line 60; __syncthreads() here orders them}}
  }
}
__global__ void uniform_return(const int *a, int *o, int n) {
  __shared__ int s[N];
  int t = threadIdx.x;
  s[t] = a[t]; // expected-error {{data race on 's'}}
  if (n < 4)
    return;
  o[blockIdx.x * N + t] = s[255 - t]; // expected-note {{no barrier between the write at line 66 and the read at line 69; __syncthreads() here orders them}}
}
__global__ void in_case(int *o, int n) {
  __shared__ int s[N];
  int t = threadIdx.x;
  switch (n) {
  case 1: {
    s[t] = 2 * t; // expected-error {{data race on 's'}}
    o[blockIdx.x * N + t] = s[255 - t]; // expected-note {{no barrier between the write at line 76 and the read at line 77; __syncthreads() here orders them}}
    break;
  }
  default:
    o[blockIdx.x * N + t] = 1;
  }
}
__global__ void conditional(const int *a, int *o, int n) {
  __shared__ int s[N];
  int t = threadIdx.x;
  s[t] = a[t]; // expected-error {{data race on 's'}}
  o[blockIdx.x * N + t] = n ? s[255 - t] : s[(t + 1) & 255]; // expected-note {{no barrier between the write at line 87 and the read at line 88; __syncthreads() here orders them}}
}

// A tile refilled in a loop: at the end of its body.
__global__ void refill(const int *a, int *o, int n) {
  __shared__ int s[N];
  int t = threadIdx.x, sum = 0;
  for (int i = 0; i < n; i++) {
    s[t] = a[i * N + t]; // expected-error {{data race on 's'}}
    __syncthreads();
    sum += s[255 - t];
  } // expected-note {{no barrier between the read at line 98 and the write at line 96 in the next iteration; __syncthreads() here orders them}}
  o[blockIdx.x * N + t] = sum;
}
__global__ void refill_while(const int *a, int *o, int n) {
  __shared__ int s[N];
  int t = threadIdx.x, sum = 0, i = 0;
  while (i++ < n) {
    s[t] = a[i * N + t]; // expected-error {{data race on 's'}}
    __syncthreads();
    sum += s[255 - t];
  } // expected-note {{no barrier between the read at line 108 and the write at line 106 in the next iteration; __syncthreads() here orders them}}
  o[blockIdx.x * N + t] = sum;
}
__global__ void refill_do(const int *a, int *o, int n) {
  __shared__ int s[N];
  int t = threadIdx.x, sum = 0, i = 0;
  do {
    s[t] = a[i * N + t]; // expected-error {{data race on 's'}}
    __syncthreads();
    sum += s[255 - t];
  } while (i++ < n); // expected-note {{no barrier between the read at line 118 and the write at line 116 in the next iteration; __syncthreads() here orders them}}
  o[blockIdx.x * N + t] = sum;
}
__global__ void refill_nested(const int *a, int *o, int n, int m) {
  __shared__ int s[N];
  int t = threadIdx.x, sum = 0;
  for (int i = 0; i < n; i++) {
    s[t] = a[i * N + t]; // expected-error {{data race on 's'}}
    __syncthreads();
    for (int j = 0; j < m; j++)
      sum += s[(t + j) & 255];
  } // expected-note {{no barrier between the read at line 129 and the write at line 126 in the next iteration; __syncthreads() here orders them}}
  o[blockIdx.x * N + t] = sum;
}
__global__ void broadcast_again(const int *a, int *o) {
  __shared__ int v;
  for (int i = 0; i < 10; i++) {
    if (threadIdx.x == 0)
      v = a[i]; // expected-error {{data race on 'v'}}
    __syncthreads();
    o[(blockIdx.x * 10 + i) * N + threadIdx.x] = v;
  } // expected-note {{no barrier between the read at line 139 and the write at line 137 in the next iteration; __syncthreads() here orders them}}
}
// Both are missing.
__global__ void refill_bare(const int *a, int *o, int n) {
  __shared__ int s[N];
  int t = threadIdx.x, sum = 0;
  for (int i = 0; i < n; i++) {
    s[t] = a[i * N + t]; // expected-error {{data race on 's'}}
    sum += s[255 - t]; // expected-note {{no barrier between the write at line 147 and the read at line 148; __syncthreads() here and at line 149 orders them}}
  }
  o[blockIdx.x * N + t] = sum;
}

// Jumps: where `continue` does not pass, a barrier does not help.
__global__ void jump_before(const int *a, int *o, int n) {
  __shared__ int s[N];
  int t = threadIdx.x, sum = 0;
  for (int i = 0; i < n; i++) {
    int v = a[i];
    if (v == 7)
      continue;
    s[t] = a[i * N + t]; // expected-error {{data race on 's'}}
    __syncthreads();
    sum += s[255 - t];
  } // expected-note {{no barrier between the read at line 163 and the write at line 161 in the next iteration; __syncthreads() here orders them}}
  o[blockIdx.x * N + t] = sum;
}
__global__ void jump_behind(const int *a, int *o, int n) {
  __shared__ int s[N];
  int t = threadIdx.x, sum = 0;
  for (int i = 0; i < n; i++) {
    int v = a[i];
    s[t] = a[i * N + t]; // expected-error {{data race on 's'}}
    __syncthreads();
    sum += s[255 - t];
    if (v == 7) // expected-note {{no barrier between the read at line 174 and the write at line 172 in the next iteration; __syncthreads() here orders them}}
      continue;
    sum++;
  }
  o[blockIdx.x * N + t] = sum;
}
__global__ void jump_do(const int *a, int *o, int n) {
  __shared__ int s[N];
  int t = threadIdx.x, sum = 0, i = 0;
  do {
    s[t] = a[i * N + t]; // expected-error {{data race on 's'}}
    __syncthreads();
    sum += s[255 - t];
    if (a[i] == 7) // expected-note {{no barrier between the read at line 187 and the write at line 185 in the next iteration; __syncthreads() here orders them}}
      continue;
    sum++;
  } while (i++ < n);
  o[blockIdx.x * N + t] = sum;
}
__global__ void jump_while(const int *a, int *o, int n) {
  __shared__ int s[N];
  int t = threadIdx.x, sum = 0, i = 0;
  while (i++ < n) {
    int w = a[i];
    s[t] = a[i * N + t]; // expected-error {{data race on 's'}}
    __syncthreads();
    sum += s[255 - t];
    if (w == 7) // expected-note {{no barrier between the read at line 201 and the write at line 199 in the next iteration; __syncthreads() here orders them}}
      continue;
    sum++;
  }
  o[blockIdx.x * N + t] = sum;
}
__global__ void jump_out(const int *a, int *o, int n) {
  __shared__ int s[N];
  int t = threadIdx.x, i = 0, sum = 0;
  for (;;) {
    s[t] = a[i * N + t]; // expected-error {{data race on 's'}}
    __syncthreads();
    sum += s[255 - t];
    if (++i >= n) // expected-note {{no barrier between the read at line 214 and the write at line 212 in the next iteration; __syncthreads() here orders them}}
      break;
  }
  o[blockIdx.x * N + t] = sum;
}

// A tree reduction without its barriers, one by one; a scan.
__global__ void reduce(const int *a, int *o) {
  __shared__ int s[N];
  int t = threadIdx.x;
  s[t] = a[blockIdx.x * N + t];
  __syncthreads();
  for (int d = 128; d > 0; d >>= 1) {
    if (t < d)
      s[t] += s[t + d]; // expected-error {{data race on 's'}}
  } // expected-note {{no barrier between the write at line 229 and the read at line 229 in the next iteration; __syncthreads() here orders them}}
  if (t == 0)
    o[blockIdx.x] = s[0];
}
__global__ void reduce_first(const int *a, int *o) {
  __shared__ int s[N];
  int t = threadIdx.x;
  s[t] = a[blockIdx.x * N + t]; // expected-error {{data race on 's'}}
  for (int d = 128; d > 0; d >>= 1) { // expected-note {{no barrier between the write at line 237 and the read at line 240; __syncthreads() here orders them}}
    if (t < d)
      s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0)
    o[blockIdx.x] = s[0];
}
__global__ void scan(const int *a, int *o) {
  __shared__ int s[N];
  int t = threadIdx.x;
  s[t] = a[t];
  __syncthreads();
  for (int d = 1; d < N; d *= 2) {
    int v = t >= d ? s[t - d] : 0; // expected-error {{data race on 's'}}
    __syncthreads();
    s[t] += v;
  } // expected-note {{no barrier between the write at line 254 and the read at line 252 in the next iteration; __syncthreads() here orders them}}
  o[blockIdx.x * N + t] = s[t];
}

// What is inlined is called in one statement; a pragma belongs to its loop.
__device__ void put(int *s, int v) { s[v] = v; } // expected-error {{data race on 's'}}
__device__ int get(int *s, int v) { return s[v]; }
__global__ void helpers(int *o) {
  __shared__ int s[N];
  int t = threadIdx.x;
  put(s, t);
  o[blockIdx.x * N + t] = get(s, 255 - t); // expected-note {{no barrier between the write at line 260 and the read at line 261; __syncthreads() here orders them}}
}
__global__ void pragma(const int *a, int *o, int n) {
  __shared__ int s[N];
  int t = threadIdx.x, sum = 0;
  s[t] = a[t]; // expected-error {{data race on 's'}}
#pragma unroll 4 // expected-note {{no barrier between the write at line 271 and the read at line 274; __syncthreads() here orders them}}
  for (int i = 0; i < n; i++)
    sum += s[(t + i) & 255];
  o[blockIdx.x * N + t] = sum;
}
#define GET s[255 - t]
__global__ void macro_inside(int *o) {
	__shared__ int s[N];
	int t = threadIdx.x;
	s[t] = t; // expected-error {{data race on 's'}}
	o[blockIdx.x * N + t] = GET; // expected-note {{no barrier between the write at line 281 and the read at line 282; __syncthreads() here orders them}}
}
template <int K> __global__ void instances(int *o) {
  __shared__ int s[N];
  int t = threadIdx.x;
  s[t] = t; // expected-error {{data race on 's'}}
  o[blockIdx.x * N + t] = s[t ^ K]; // expected-note {{no barrier between the write at line 287 and the read at line 288; __syncthreads() here orders them}}
}
template __global__ void instances<1>(int *);
template __global__ void instances<2>(int *);

// FIX: {21:3-21:3}:"__syncthreads();\n  "
// FIX: {27:3-27:3}:"__syncthreads();\n  "
// FIX: {29:88-29:88}:"__syncthreads(); "
// FIX: {33:3-33:3}:"__syncthreads();\n  "
// FIX: {43:3-43:3}:"__syncthreads();\n  "
// FIX: {53:3-53:3}:"__syncthreads();\n  "
// FIX: {53:3-53:3}:"__syncthreads();\n  "
// FIX: {60:5-60:5}:"__syncthreads();\n    "
// FIX: {69:3-69:3}:"__syncthreads();\n  "
// FIX: {77:5-77:5}:"__syncthreads();\n    "
// FIX: {88:3-88:3}:"__syncthreads();\n  "
// FIX: {99:3-99:3}:"  __syncthreads();\n  "
// FIX: {109:3-109:3}:"  __syncthreads();\n  "
// FIX: {119:3-119:3}:"  __syncthreads();\n  "
// FIX: {130:3-130:3}:"  __syncthreads();\n  "
// FIX: {140:3-140:3}:"  __syncthreads();\n  "
// FIX: {148:5-148:5}:"__syncthreads();\n    "
// FIX: {149:3-149:3}:"  __syncthreads();\n  "
// FIX: {164:3-164:3}:"  __syncthreads();\n  "
// FIX: {175:5-175:5}:"__syncthreads();\n    "
// FIX: {188:5-188:5}:"__syncthreads();\n    "
// FIX: {202:5-202:5}:"__syncthreads();\n    "
// FIX: {215:5-215:5}:"__syncthreads();\n    "
// FIX: {230:3-230:3}:"  __syncthreads();\n  "
// FIX: {238:3-238:3}:"__syncthreads();\n  "
// FIX: {255:3-255:3}:"  __syncthreads();\n  "
// FIX: {266:3-266:3}:"__syncthreads();\n  "
// FIX: {272:1-272:1}:"  __syncthreads();\n"
// FIX: {282:2-282:2}:"__syncthreads();\n\t"
// FIX: {288:3-288:3}:"__syncthreads();\n  "
