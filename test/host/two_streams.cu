// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %clang_host_rules -Xclang -analyzer-checker=gpusafe,gpusafe_extra.pageable-copy -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
// stream-order: two streams against each other.
extern "C" {
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *s, unsigned int flags);
cudaError_t cudaStreamWaitEvent(cudaStream_t s, cudaEvent_t e, unsigned int flags);
cudaError_t cudaMemsetAsync(void *p, int value, size_t bytes, cudaStream_t s);
}
__global__ void writes(float *p, int n) { p[threadIdx.x] = n; }
__global__ void reads(const float *p, float *q, int n) { q[threadIdx.x] = p[threadIdx.x]; }
__global__ void looks(float *p, int n) { if (p[0] == 0) __builtin_trap(); }
__global__ void part(float *p, int offset) { p[offset + threadIdx.x] = 0; }
void opaque();

struct Two {
  cudaStream_t a, b;
};
static void make(cudaStream_t *a, cudaStream_t *b) {
  cudaStreamCreate(a);
  cudaStreamCreate(b);
}

void both_kernels(float *d, float *q, int n) {
  cudaStream_t a, b;
  make(&a, &b);
  writes<<<1, 32, 0, a>>>(d, n);
  reads<<<1, 32, 0, b>>>(d, q, n); // expected-warning {{two streams use 'd' with no order between them, and a kernel may write it; let one wait for the other with cudaEventRecord and cudaStreamWaitEvent, or synchronise}}
}
void writes_behind(float *d, float *q, int n) {
  cudaStream_t a, b;
  make(&a, &b);
  reads<<<1, 32, 0, a>>>(d, q, n);
  writes<<<1, 32, 0, b>>>(d, n); // expected-warning {{two streams use 'd' with no order between them}}
}
void non_blocking(float *d, int n) {
  cudaStream_t a;
  cudaStreamCreateWithFlags(&a, 1);
  writes<<<1, 32>>>(d, n);
  writes<<<1, 32, 0, a>>>(d, n); // expected-warning {{two streams use 'd' with no order between them}}
}
void copy_and_kernel(float *h, int n) {
  float *d;
  cudaStream_t a, b;
  make(&a, &b);
  cudaMalloc(&d, n);
  cudaMemcpyAsync(d, h, n, cudaMemcpyHostToDevice, a);
  writes<<<1, 32, 0, b>>>(d, n); // expected-warning {{two streams use 'd' with no order between them, and one of the two may write it}}
  cudaFree(d);
}
void fill_and_copy(float *h, int n) {
  float *d;
  cudaStream_t a, b;
  make(&a, &b);
  cudaMalloc(&d, 40);
  cudaMemsetAsync(d, 0, 40, a);
  cudaMemcpyAsync(h, d, 40, cudaMemcpyDeviceToHost, b); // expected-warning {{two streams use 'd' with no order between them, and one of the two may write it}}
  cudaFree(d);
}
void waits_for_the_wrong_one(float *d, float *q, int n) {
  cudaStream_t a, b;
  make(&a, &b);
  writes<<<1, 32, 0, a>>>(d, n);
  cudaStreamSynchronize(b);
  reads<<<1, 32, 0, b>>>(d, q, n); // expected-warning {{two streams use 'd' with no order between them}}
}
void of_an_array(float *d, int n) {
  cudaStream_t s[2];
  for (int i = 0; i < 2; i++)
    cudaStreamCreate(&s[i]);
  for (int i = 0; i < 2; i++)
    writes<<<1, 32, 0, s[i]>>>(d, n); // expected-warning {{two streams use 'd' with no order between them}}
}
void members(float *d, float *q, int n) {
  Two t;
  make(&t.a, &t.b);
  writes<<<1, 32, 0, t.a>>>(d, n);
  reads<<<1, 32, 0, t.b>>>(d, q, n); // expected-warning {{two streams use 'd' with no order between them}}
}
float managed_with_the_wrong_wait(int n) {
  float *m;
  cudaStream_t a, b;
  make(&a, &b);
  cudaMallocManaged((void **)&m, n, 1);
  writes<<<1, 32, 0, a>>>(m, n);
  cudaStreamSynchronize(b);
  return m[0]; // expected-warning {{the host reads managed memory that a kernel may still write}}
}
void stack_copy(float *d, cudaStream_t s) {
  float h[10];
  cudaMemcpyAsync(h, d, 40, cudaMemcpyDeviceToHost, s); // expected-warning {{'h' is not page-locked, so this copy is not asynchronous}}
}

// -------------------------------------------------------------------- right ----
void ordered_by_event(float *d, float *q, int n, cudaEvent_t e) {
  cudaStream_t a, b;
  make(&a, &b);
  writes<<<1, 32, 0, a>>>(d, n);
  cudaEventRecord(e, a);
  cudaStreamWaitEvent(b, e, 0);
  reads<<<1, 32, 0, b>>>(d, q, n);
}
void synchronised(float *d, float *q, int n) {
  cudaStream_t a, b;
  make(&a, &b);
  writes<<<1, 32, 0, a>>>(d, n);
  cudaStreamSynchronize(a);
  reads<<<1, 32, 0, b>>>(d, q, n);
}
void one_stream(float *d, float *q, int n) {
  cudaStream_t a;
  cudaStreamCreate(&a);
  writes<<<1, 32, 0, a>>>(d, n);
  reads<<<1, 32, 0, a>>>(d, q, n);
}
void by_the_default_stream(float *d, float *q, int n) {
  cudaStream_t a;
  cudaStreamCreate(&a);
  writes<<<1, 32, 0, a>>>(d, n);
  reads<<<1, 32>>>(d, q, n);
  writes<<<1, 32, 0, a>>>(d, n);
}
void default_between(float *d, float *q, int n) {
  cudaStream_t a, b;
  make(&a, &b);
  writes<<<1, 32, 0, a>>>(d, n);
  looks<<<1, 32>>>(q, n);
  reads<<<1, 32, 0, b>>>(d, q, n);
}
void perhaps_one(float *d, float *q, int n, cudaStream_t a, cudaStream_t b) {
  writes<<<1, 32, 0, a>>>(d, n);
  reads<<<1, 32, 0, b>>>(d, q, n);
}
void only_reads(float *d, float *q, float *r, int n) {
  cudaStream_t a, b;
  make(&a, &b);
  reads<<<1, 32, 0, a>>>(d, q, n);
  reads<<<1, 32, 0, b>>>(d, r, n);
}
void reads_without_const(float *d, float *q, int n) {
  cudaStream_t a, b;
  make(&a, &b);
  looks<<<1, 32, 0, a>>>(d, n);
  looks<<<1, 32, 0, b>>>(d, n);
}
void parts_by_pointer(float *d, int n) {
  cudaStream_t a, b;
  make(&a, &b);
  writes<<<1, 32, 0, a>>>(d, n);
  writes<<<1, 32, 0, b>>>(d + n, n);
}
void parts_by_number(float *d, int n) {
  cudaStream_t s[2];
  for (int i = 0; i < 2; i++)
    cudaStreamCreate(&s[i]);
  for (int i = 0; i < 2; i++)
    part<<<1, 32, 0, s[i]>>>(d, i * n);
}
void copies_of_parts(float *h, int n) {
  float *d;
  cudaStream_t s[2];
  cudaMalloc(&d, 80);
  for (int i = 0; i < 2; i++)
    cudaStreamCreate(&s[i]);
  for (int i = 0; i < 2; i++) {
    cudaMemcpyAsync(d + 10 * i, h + 10 * i, 40, cudaMemcpyHostToDevice, s[i]);
    part<<<1, 10, 0, s[i]>>>(d, 10 * i);
  }
  cudaFree(d);
}
void perhaps_synchronised(float *d, float *q, int n) {
  cudaStream_t a, b;
  make(&a, &b);
  writes<<<1, 32, 0, a>>>(d, n);
  opaque();
  reads<<<1, 32, 0, b>>>(d, q, n);
}
