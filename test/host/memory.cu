// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %clang_host_rules -Xclang -analyzer-checker=gpusafe,gpusafe_extra.leak -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
// The rules about device memory, each with what it must not say.
extern "C" void exit(int);
__global__ void kernel(float *p, int n) { p[threadIdx.x] = n; }
void sink(float *p);
#define CHECK(x)                                                                                   \
  do {                                                                                             \
    cudaError_t e = (x);                                                                           \
    if (e != cudaSuccess)                                                                          \
      exit(1);                                                                                     \
  } while (0)

// ---------------------------------------------------------- use-after-free ----
void filled_after_free(int n) {
  float *d;
  CHECK(cudaMalloc(&d, n * sizeof(float)));
  CHECK(cudaFree(d));
  CHECK(cudaMemset(d, 0, 4)); // expected-warning {{'d' is used after it was freed}}
}
void copied_after_free(float *h, int n) {
  float *d;
  cudaMalloc(&d, n * sizeof(float));
  if (n > 10)
    cudaFree(d);
  cudaMemcpy(h, d, 4, cudaMemcpyDeviceToHost); // expected-warning {{'d' is used after it was freed}}
  if (n <= 10)
    cudaFree(d);
}
void launched_after_free(int n) {
  float *d;
  cudaMalloc(&d, n * sizeof(float));
  cudaFree(d);
  kernel<<<1, 32>>>(d, n); // expected-warning {{'d' is given to a kernel after it was freed}}
}
void parameter(float *d) {
  cudaFree(d);
  cudaMemset(d, 0, 4); // expected-warning {{'d' is used after it was freed}}
}
void helper_frees(float *d) { cudaFree(d); }
void freed_by_helper(int n) {
  float *d;
  cudaMalloc(&d, n);
  helper_frees(d);
  cudaMemset(d, 0, 1); // expected-warning {{'d' is used after it was freed}}
}
void anew(int n) {
  float *d;
  cudaMalloc(&d, n);
  cudaFree(d);
  cudaMalloc(&d, n);
  cudaMemset(d, 0, 0);
  cudaFree(d);
}

// ------------------------------------------------------------- double-free ----
void freed_twice(int n) {
  float *d;
  cudaMalloc(&d, n);
  cudaFree(d);
  cudaFree(d); // expected-warning {{'d' is freed a second time}}
}
struct Buffer {
  float *data;
  Buffer(size_t bytes) { cudaMalloc(&data, bytes); }
  ~Buffer() { cudaFree(data); }
};
void scoped(int n) {
  Buffer b(n);
  kernel<<<1, 32>>>(b.data, n);
  if (n > 3)
    return;
  kernel<<<1, 32>>>(b.data, n);
}
void null_twice() {
  float *d = 0;
  cudaFree(d);
  cudaFree(d);
}
void array_of(int n) {
  float *a[4];
  for (int i = 0; i < 4; i++)
    cudaMalloc(&a[i], n);
  for (int i = 0; i < 4; i++)
    cudaFree(a[i]);
}
void all_of(float **a, int n) {
  for (int i = 0; i < n; i++)
    cudaFree(a[i]);
}
void swapped(int n) {
  float *a, *b;
  cudaMalloc(&a, n);
  cudaMalloc(&b, n);
  for (int i = 0; i < 3; i++) {
    kernel<<<1, 32>>>(a, n);
    float *t = a;
    a = b;
    b = t;
  }
  cudaFree(a);
  cudaFree(b);
}

// -------------------------------------------------------------- host-deref ----
float read_on_host(int n) {
  float *d;
  cudaMalloc(&d, n * sizeof(float));
  float x = d[3]; // expected-warning {{host code reads device memory through 'd'; copy it with cudaMemcpy}}
  cudaFree(d);
  return x;
}
float read_behind_cast(int n) {
  float *d;
  cudaMalloc((void **)&d, n * sizeof(float));
  float x = d[3]; // expected-warning {{host code reads device memory through 'd'; copy it with cudaMemcpy}}
  cudaFree(d);
  return x;
}
void written_on_host(int n) {
  float *d;
  cudaMalloc(&d, n * sizeof(float));
  *d = 1; // expected-warning {{host code writes device memory through 'd'; copy it with cudaMemcpy}}
  cudaFree(d);
}
void by_library(float *h, int n) {
  float *d;
  cudaMalloc(&d, n);
  memcpy(d, h, n); // expected-warning {{'d' is device memory, and 'memcpy' runs on the host; use cudaMemcpy}}
  cudaFree(d);
}
void freed_by_library(int n) {
  float *d;
  cudaMalloc(&d, n);
  free(d); // expected-warning {{'d' is device memory, and 'free' runs on the host; use cudaFree}}
}
extern "C" void *calloc(size_t n, size_t size);
void local_to_kernel(int n) {
  float h[32];
  kernel<<<1, 32>>>(h, n); // expected-warning {{'h' is memory of the host, and a kernel gets it; give it memory of cudaMalloc and copy}}
}
void variable_to_kernel(int n) {
  float x = 0;
  kernel<<<1, 1>>>(&x, n); // expected-warning {{'x' is memory of the host, and a kernel gets it}}
}
void heap_to_kernel(int n) {
  float *h = (float *)malloc(n);
  kernel<<<1, 32>>>(h, n); // expected-warning {{'h' is memory of the host, and a kernel gets it}}
  free(h);
}
void zeros_to_kernel(int n) {
  float *h = (float *)calloc(n, 4);
  kernel<<<1, 32>>>(h + 1, n); // expected-warning {{is memory of the host, and a kernel gets it}}
}
void new_to_kernel(int n) {
  float *h = new float[32];
  kernel<<<1, 32>>>(h, n); // expected-warning {{'h' is memory of the host, and a kernel gets it}}
  delete[] h;
}
struct Both {
  float *host, *device;
};
void member_to_kernel(int n) {
  Both b;
  b.host = (float *)malloc(n);
  cudaMalloc(&b.device, n);
  kernel<<<1, 32>>>(b.device, n);
  kernel<<<1, 32>>>(b.host, n); // expected-warning {{'host' is memory of the host, and a kernel gets it}}
  cudaFree(b.device);
  free(b.host);
}
__global__ void by_value(Both b, int n) { b.device[threadIdx.x] = n; }
void device_to_kernel(float *unknown, int n) {
  float *d;
  Both b;
  cudaMalloc(&d, n);
  b.device = d;
  kernel<<<1, 32>>>(d + 4, n);
  kernel<<<1, 32>>>(unknown, n);
  by_value<<<1, 32>>>(b, n);
  cudaFree(d);
}
void managed(int n) {
  float *d, *h;
  cudaMallocManaged((void **)&d, n, 1);
  cudaMallocHost((void **)&h, n);
  d[0] = 1;
  h[0] = 1;
  cudaFree(d);
  cudaFreeHost(h);
}
float *address_only(int n) {
  float *d;
  cudaMalloc(&d, n);
  return &d[4];
}

// -------------------------------------------------------------------- leak ----
void lost(int n) {
  float *d;
  cudaMalloc(&d, n);
} // expected-warning {{device memory is lost here without being freed}}
int lost_on_one_path(int n) {
  float *d;
  if (cudaMalloc(&d, n) != cudaSuccess)
    return 1;
  if (n == 7)
    return 2; // expected-warning {{device memory is lost here without being freed}}
  cudaFree(d);
  return 0;
}
void handed_on(int n) {
  float *d;
  cudaMalloc(&d, n);
  sink(d);
}
float *returned(int n) {
  float *d;
  cudaMalloc(&d, n);
  return d;
}
void stored(float **to, int n) { cudaMalloc(to, n); }
int main() {
  float *d;
  cudaMalloc(&d, 4);
  return 0;
}
