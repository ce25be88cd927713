// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %clang_host_rules -Xclang -analyzer-checker=gpusafe -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
// RUN: %clang_host_rules -DPEERS -Xclang -analyzer-checker=gpusafe -Xclang -verify=peers -Xclang -verify-ignore-unexpected=note %s
// device-mismatch: memory and streams of another device than the one that a kernel runs on.
extern "C" cudaError_t cudaDeviceEnablePeerAccess(int device, unsigned int flags);
__global__ void kernel(float *p, int n) { p[threadIdx.x] = n; }
void opaque();
static void choose(int device) { cudaSetDevice(device); }
#ifdef PEERS
void enable() { cudaDeviceEnablePeerAccess(1, 0); }
#endif

void constant(int n) {
  float *d;
  cudaSetDevice(0);
  cudaMalloc(&d, n);
  cudaSetDevice(1);
  kernel<<<1, 32>>>(d, n); // expected-warning {{'d' is memory of device 0, and this kernel runs on device 1; call cudaSetDevice, or cudaDeviceEnablePeerAccess}}
  cudaFree(d);
}
void by_helper(int n) {
  float *d;
  choose(2);
  cudaMalloc(&d, n);
  choose(0);
  kernel<<<1, 32>>>(d, n); // expected-warning {{'d' is memory of device 2, and this kernel runs on device 0}}
  cudaFree(d);
}
void relative(int first, int n) {
  float *d;
  cudaSetDevice(first);
  cudaMalloc((void **)&d, n);
  cudaSetDevice(first + 1);
  kernel<<<1, 32>>>(d, n); // expected-warning {{'d' is memory of one device, and this kernel runs on another one}}
  cudaFree(d);
}
void by_loop(int n) {
  float *d[2];
  for (int i = 0; i < 2; i++) {
    cudaSetDevice(i);
    cudaMalloc(&d[i], n);
  }
  for (int i = 0; i < 2; i++)
    kernel<<<1, 32>>>(d[i], n); // expected-warning {{the memory is memory of device 0, and this kernel runs on device 1}}
}
void on_one_path(int n) {
  float *d;
  cudaSetDevice(0);
  cudaMalloc(&d, n);
  if (n > 100)
    cudaSetDevice(1);
  kernel<<<1, 32>>>(d, n); // expected-warning {{'d' is memory of device 0, and this kernel runs on device 1}}
  cudaFree(d);
}
void stream_of_another(float *d, int n) {
  cudaStream_t s;
  cudaSetDevice(0);
  cudaStreamCreate(&s);
  cudaSetDevice(1);
  kernel<<<1, 32, 0, s>>>(d, n); // expected-warning {{this launch fails: its stream is of device 0, and the current device is device 1}} peers-warning {{its stream is of device 0}}
}

// -------------------------------------------------------------------- right ----
void back_again(int n) {
  float *d;
  cudaSetDevice(0);
  cudaMalloc(&d, n);
  cudaSetDevice(1);
  cudaSetDevice(0);
  kernel<<<1, 32>>>(d, n);
  cudaFree(d);
}
void each_its_own(int n) {
  float *d[2];
  for (int i = 0; i < 2; i++) {
    cudaSetDevice(i);
    cudaMalloc(&d[i], n);
  }
  for (int i = 0; i < 2; i++) {
    cudaSetDevice(i);
    kernel<<<1, 32>>>(d[i], n);
  }
}
void managed(int n) {
  float *d;
  cudaSetDevice(0);
  cudaMallocManaged((void **)&d, n, 1);
  cudaSetDevice(1);
  kernel<<<1, 32>>>(d, n);
  cudaFree(d);
}
void perhaps_equal(int a, int b, int n) {
  float *d;
  cudaSetDevice(a);
  cudaMalloc(&d, n);
  cudaSetDevice(b);
  kernel<<<1, 32>>>(d, n);
  cudaFree(d);
}
void perhaps_chosen(int n) {
  float *d;
  cudaSetDevice(0);
  cudaMalloc(&d, n);
  cudaSetDevice(1);
  opaque();
  kernel<<<1, 32>>>(d, n);
  cudaFree(d);
}
