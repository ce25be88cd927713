// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// A barrier is named as missing, or is not what is missing; none can be inserted that all
// threads reach, that helps, or that stands between two statements nobody wrote by macro.

// RUN: %clang_gs -fsyntax-only -fplugin-arg-gpusafe-verify -fplugin-arg-gpusafe-block=256 -fplugin-arg-gpusafe-rules=-barrier-divergence -ferror-limit=0 \
// RUN:   -Xclang -verify-ignore-unexpected=note -Xclang -verify %s
// RUN: not %clang_gs -fsyntax-only -fplugin-arg-gpusafe-verify -fplugin-arg-gpusafe-block=256 -fplugin-arg-gpusafe-rules=-barrier-divergence -ferror-limit=0 \
// RUN:   -fdiagnostics-parseable-fixits %s 2>&1 | FileCheck --implicit-check-not=fix-it: %s

#define N 256
// Not all threads come here.
__global__ void divergent(int *o) {
  __shared__ int s[N];
  int t = threadIdx.x;
  if (t < 128) {
    s[t] = t; // expected-error {{data race on 's'}} expected-note {{no barrier between the write at line 17 and the read at line 18; __syncthreads() between them}}
    o[blockIdx.x * N + t] = s[127 - t];
  }
}
__global__ void returned(int *o, int n) {
  __shared__ int s[N];
  int t = threadIdx.x;
  if (t >= n || n > N)
    return;
  s[t] = t; // expected-error {{data race on 's'}} expected-note {{no barrier between the write at line 26 and the read at line 27; __syncthreads() between them}}
  o[blockIdx.x * N + t] = s[n - 1 - t];
}
__global__ void divergent_loop(int *o) {
  __shared__ int s[N];
  int t = threadIdx.x;
  for (int i = 0; i < t; i++) {
    s[(t + i) & 255] = t; // expected-error {{data race on 's'}} expected-note {{no barrier between the write at line 33 and the write at line 33 in the next iteration; __syncthreads() between them}}
  }
  o[blockIdx.x * N + t] = t;
}
// A divergent barrier elsewhere spoils all others.
__global__ void spoilt(int *o) {
  __shared__ int s[N];
  int t = threadIdx.x;
  s[t] = t; // expected-error {{data race on 's'}} expected-note {{no barrier between the write at line 41 and the read at line 42; __syncthreads() between them}}
  o[blockIdx.x * N + t] = s[255 - t]; // expected-error {{possible data race on 's'}} expected-note {{this hangs on whether a barrier that is not modelled, not reached by all threads or only reached under a condition stands between the accesses}} expected-note {{no barrier that all threads of the block reach between the read at line 42 and the write at line 45; __syncthreads() between them}}
  if (t < 3)
    __syncthreads();
  s[t] = t;
  __syncthreads();
}

// One instruction, two threads; other blocks.
__global__ void pairs_of_threads(int *o) {
  __shared__ int s[N];
  int t = threadIdx.x;
  s[t / 2] = t; // expected-error {{data race on 's'}}
}
__global__ void other_blocks(int *g, int *o) {
  int t = blockIdx.x * N + threadIdx.x;
  g[t] = t; // expected-error {{data race on 'g'}}
  __syncthreads();
  o[t] = g[t + 1];
}
__global__ void every_block(int *g) {
  __syncthreads();
  g[threadIdx.x] = blockIdx.x; // expected-error {{data race on 'g'}} expected-note {{the index does not depend on blockIdx, so every block uses the same elements of 'g' (__syncthreads orders only the threads of one block); index by block, or use an atomic operation}}
}

// Inside of one statement; in a macro; beside labels; a `do` without braces.
__global__ void one_statement(const int *a, int *o) {
  __shared__ int s[N];
  int t = threadIdx.x;
  o[blockIdx.x * N + t] = (s[t] = a[t]) + s[255 - t]; // expected-error {{data race on 's'}} expected-note {{no barrier between the write at line 70 and the read at line 70; __syncthreads() between them}}
}
__device__ int put(int *s, int t) { s[t] = t; return s[255 - t]; } // expected-error {{data race on 's'}} expected-note {{no barrier between the write at line 72 and the read at line 72; __syncthreads() between them}}
__global__ void one_call(int *o) {
  __shared__ int s[N];
  o[blockIdx.x * N + threadIdx.x] = put(s, threadIdx.x);
}
#define PUT(i, v) s[i] = v; o[blockIdx.x * N + t] = s[255 - i];
__global__ void macro_statements(int *o) {
  __shared__ int s[N];
  int t = threadIdx.x;
  PUT(t, t) // expected-error {{data race on 's'}} expected-note {{no barrier between the write at line 81 and the read at line 81; __syncthreads() between them}}
}
#define BOTH() do { s[t] = t; o[blockIdx.x * N + t] = s[255 - t]; } while (0)
__global__ void macro_block(int *o) {
  __shared__ int s[N];
  int t = threadIdx.x;
  BOTH(); // expected-error {{data race on 's'}} expected-note {{no barrier between the write at line 87 and the read at line 87; __syncthreads() between them}}
}
__global__ void in_cases(int *o, int n) {
  __shared__ int s[N];
  int t = threadIdx.x;
  switch (n) {
  case 0:
    s[t] = t; // expected-error {{data race on 's'}} expected-note {{no barrier between the write at line 94 and the read at line 95; __syncthreads() between them}}
    o[blockIdx.x * N + t] = s[255 - t];
    break;
  default:
    o[blockIdx.x * N + t] = 1;
  }
}
__global__ void labels(int *o, int n) {
  __shared__ int s[N];
  int t = threadIdx.x;
again:
  s[t] = t; // expected-error {{data race on 's'}} expected-note {{no barrier between the write at line 105 and the read at line 106; __syncthreads() between them}}
  o[blockIdx.x * N + t] = s[255 - t];
  if (n-- > 3)
    goto again;
}
__global__ void no_braces(const int *a, int *o, int d) {
  __shared__ int s[N];
  int t = threadIdx.x;
  s[t] = a[t];
  __syncthreads();
  do
    if (t < d && d < 128)
      s[t] += s[t + d]; // expected-error {{data race on 's'}} expected-note {{no barrier between the write at line 117 and the read at line 117 in the next iteration; __syncthreads() between them}}
  while ((d >>= 1) > 0);
  if (t == 0) o[blockIdx.x] = s[0];
}
__global__ void in_condition(const int *a, int *o, int n) {
  __shared__ int s[N];
  int t = threadIdx.x, i = 0;
  do {
    s[t] = a[i * N + t]; // expected-error {{data race on 's'}} expected-note {{no barrier between the write at line 125 and the read at line 126; __syncthreads() between them}}
  } while (s[255 - t] > 3 && i++ < n);
}

// Another instance of the template does not reach it alike.
template <int K> __global__ void instances(int *o) {
  __shared__ int s[N];
  int t = threadIdx.x;
  if (K == 1 || t < K) {
    s[t] = t; // expected-error {{data race on 's'}}
    o[blockIdx.x * N + t] = s[t ^ 1]; // expected-note {{no barrier between the write at line 134 and the read at line 135; __syncthreads() here orders them}}
  }
}
template __global__ void instances<1>(int *);
template __global__ void instances<2>(int *);
