// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %clang_host_rules -Xclang -analyzer-checker=gpusafe -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
// stream-order: the host against kernels and asynchronous copies.
__global__ void writes(float *p, int n) { p[threadIdx.x] = n; }
__global__ void reads(const float *p, float *q) { q[threadIdx.x] = p[threadIdx.x]; }
void opaque();
static void waits() { cudaDeviceSynchronize(); }

float early_read(int n) {
  float *m;
  cudaMallocManaged((void **)&m, n, 1);
  writes<<<1, 32>>>(m, n);
  return m[0]; // expected-warning {{the host reads managed memory that a kernel may still write; wait for it first, as with cudaDeviceSynchronize}}
}
void early_write(int n, float *q) {
  float *m;
  cudaMallocManaged((void **)&m, n, 1);
  reads<<<1, 32>>>(m, q);
  m[1] = 2; // expected-warning {{the host writes managed memory that a kernel may still read; wait for it first}}
}
float early_after_error(int n) {
  float *m;
  cudaMallocManaged((void **)&m, n, 1);
  writes<<<1, 32>>>(m, n);
  if (cudaGetLastError() != cudaSuccess)
    return 0;
  return m[0]; // expected-warning {{the host reads managed memory that a kernel may still write}}
}
float copied_early(float *d, cudaStream_t s) {
  float *h;
  cudaMallocHost((void **)&h, 40);
  cudaMemcpyAsync(h, d, 40, cudaMemcpyDeviceToHost, s);
  return h[0]; // expected-warning {{the host reads page-locked memory that an asynchronous copy may still write; wait for it first, as with cudaStreamSynchronize}}
}
void reused_early(float *d, cudaStream_t s) {
  float *h;
  cudaMallocHost((void **)&h, 40);
  cudaMemcpyAsync(d, h, 40, cudaMemcpyHostToDevice, s);
  h[0] = 1; // expected-warning {{the host writes page-locked memory that an asynchronous copy may still read}}
}

// -------------------------------------------------------------------- right ----
float waited(int n) {
  float *m;
  cudaMallocManaged((void **)&m, n, 1);
  writes<<<1, 32>>>(m, n);
  cudaDeviceSynchronize();
  return m[0];
}
float waited_by_helper(int n) {
  float *m;
  cudaMallocManaged((void **)&m, n, 1);
  writes<<<1, 32>>>(m, n);
  waits();
  return m[0];
}
float perhaps_waited(int n) {
  float *m;
  cudaMallocManaged((void **)&m, n, 1);
  writes<<<1, 32>>>(m, n);
  opaque();
  return m[0];
}
float both_read(int n, float *q) {
  float *m;
  cudaMallocManaged((void **)&m, n, 1);
  reads<<<1, 32>>>(m, q);
  return m[0];
}
float stream_waited(float *d, cudaStream_t s) {
  float *h;
  cudaMallocHost((void **)&h, 40);
  cudaMemcpyAsync(h, d, 40, cudaMemcpyDeviceToHost, s);
  cudaStreamSynchronize(s);
  return h[0];
}
float copied_and_waited(float *d) {
  float *h;
  cudaMallocHost((void **)&h, 40);
  cudaMemcpy(h, d, 40, cudaMemcpyDeviceToHost);
  return h[0];
}
float other_memory(int n) {
  float *m, *o;
  cudaMallocManaged((void **)&m, n, 1);
  cudaMallocManaged((void **)&o, n, 1);
  writes<<<1, 32>>>(m, n);
  return o[0];
}
float pageable(float *d, cudaStream_t s) {
  float h[10];
  cudaMemcpyAsync(h, d, 40, cudaMemcpyDeviceToHost, s);
  return h[0];
}
