// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %clang_host_rules -Xclang -analyzer-checker=gpusafe -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
// copy-size: bytes that are not there, elements for bytes, directions that cannot be.
void elements(int n, float *h) {
  float *d;
  cudaMalloc(&d, n * sizeof(float));
  cudaMemcpy(d, h, n, cudaMemcpyHostToDevice); // expected-warning {{the size is a number of elements, not of bytes: 'd' has 4 bytes for each; multiply by sizeof}}
  cudaFree(d);
}
void elements_behind_cast(int n, float *h) {
  float *d;
  cudaMalloc((void **)&d, n * sizeof(float));
  cudaMemcpy(d, h, n, cudaMemcpyHostToDevice); // expected-warning {{'d' has 4 bytes for each}}
  cudaFree(d);
}
void elements_back(int n, double *h) {
  double *d;
  cudaMalloc(&d, n * sizeof(double));
  cudaMemcpy(h, d, n, cudaMemcpyDeviceToHost); // expected-warning {{'d' has 8 bytes for each}}
  cudaFree(d);
}
void too_much() {
  float h[10], *d;
  cudaMalloc(&d, sizeof h);
  cudaMemcpy(d, h, 2 * sizeof h, cudaMemcpyHostToDevice); // expected-warning {{80 bytes are written to 'd', which has 40}}
  cudaFree(d);
}
void too_much_of_host() {
  float h[10], *d;
  cudaMalloc(&d, 400);
  cudaMemcpy(d, h, 400, cudaMemcpyHostToDevice); // expected-warning {{400 bytes are read from 'h', which has 40}}
  cudaFree(d);
}
void too_much_behind() {
  float h[10] = {0}, *d;
  cudaMalloc(&d, 40);
  cudaMemcpy(d + 5, h, 24, cudaMemcpyHostToDevice); // expected-warning {{24 bytes are written to the memory, which has 20}}
  cudaFree(d);
}
void filled_too_much() {
  float *d;
  cudaMalloc(&d, 40);
  cudaMemset(d, 0, 44); // expected-warning {{44 bytes are written to 'd', which has 40}}
  cudaFree(d);
}
void wrong_way() {
  float h[10] = {0}, *d;
  cudaMalloc(&d, 40);
  cudaMemcpy(d, h, 40, cudaMemcpyDeviceToHost); // expected-warning {{the target 'd' is device memory, and the direction is cudaMemcpyDeviceToHost}}
  cudaFree(d);
}
void wrong_way_back(int n) {
  float h[10];
  float *d;
  cudaMalloc(&d, 40);
  cudaMemcpy(h, d, 40, cudaMemcpyHostToDevice); // expected-warning {{the target 'h' is host memory, and the direction is cudaMemcpyHostToDevice}}
  cudaFree(d);
}

// -------------------------------------------------------------------- right ----
void fits(int n, float *h) {
  float *d, local[8] = {0};
  cudaMalloc(&d, n * sizeof(float));
  cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(d + n / 2, h, n / 2 * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(d, local, sizeof local, cudaMemcpyDefault);
  cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemset(d, 0, n * sizeof(float));
  cudaFree(d);
}
void bytes(size_t size, char *h) {
  char *d;
  cudaMalloc(&d, size);
  cudaMemcpy(d, h, size, cudaMemcpyHostToDevice);
  cudaFree(d);
}
// A factor that the path knows is no size of an element.
void parts(int n, int count, char *h) {
  char *d;
  cudaMalloc(&d, n * count);
  if (count == 4)
    cudaMemcpy(d, h, n, cudaMemcpyHostToDevice);
  cudaFree(d);
}
void halves(int n, int count, double *h) {
  double *d;
  cudaMalloc(&d, n * count);
  if (count == 4)
    cudaMemcpy(d, h, n, cudaMemcpyHostToDevice);
  cudaFree(d);
}
void both_sides(int n) {
  float *m, *d;
  cudaMallocManaged((void **)&m, 40, 1);
  cudaMalloc(&d, 40);
  cudaMemcpy(m, d, 40, cudaMemcpyDeviceToHost);
  cudaMemcpy(m, d, 40, cudaMemcpyDeviceToDevice);
  cudaFree(m);
  cudaFree(d);
}
// Empty input: the copy of one element is the source's business.
void nothing(int n, float *h) {
  float *d;
  cudaMalloc(&d, n * sizeof(float));
  for (int i = 0; i < n; i++)
    h[i] = i;
  if (n == 0)
    cudaMemcpy(d, h, sizeof(float), cudaMemcpyHostToDevice);
  cudaFree(d);
}
