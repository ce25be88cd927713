// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %clang_host_rules -Xclang -analyzer-checker=gpusafe -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
// capture: calls that break the capture of a graph.
typedef struct CUgraph_st *cudaGraph_t;
enum cudaStreamCaptureMode {
  cudaStreamCaptureModeGlobal = 0,
  cudaStreamCaptureModeThreadLocal = 1,
  cudaStreamCaptureModeRelaxed = 2
};
extern "C" {
cudaError_t cudaStreamBeginCapture(cudaStream_t s, enum cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture(cudaStream_t s, cudaGraph_t *graph);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *s, unsigned int flags);
cudaError_t cudaStreamQuery(cudaStream_t s);
cudaError_t cudaMallocAsync(void **p, size_t bytes, cudaStream_t s);
}
__global__ void kernel(float *p, int n) { p[threadIdx.x] = n; }
void opaque();
static void work(float *d, int n, cudaStream_t s) {
  kernel<<<1, 32, 0, s>>>(d, n);
  cudaStreamSynchronize(s); // expected-warning {{this breaks the capture: 'cudaStreamSynchronize' waits for the stream that is being captured, which runs nothing now}}
}

void waits(float *d, int n, cudaStream_t s, cudaGraph_t *g) {
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  work(d, n, s);
  cudaStreamEndCapture(s, g);
}
void asks(float *d, int n, cudaStream_t s, cudaGraph_t *g) {
  cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed);
  kernel<<<1, 32, 0, s>>>(d, n);
  if (cudaStreamQuery(s) == cudaSuccess) // expected-warning {{'cudaStreamQuery' waits for the stream that is being captured}}
    kernel<<<1, 32, 0, s>>>(d, n);
  cudaStreamEndCapture(s, g);
}
void waits_for_the_device(float *d, int n, cudaStream_t s, cudaGraph_t *g) {
  cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal);
  kernel<<<1, 32, 0, s>>>(d, n);
  cudaDeviceSynchronize(); // expected-warning {{'cudaDeviceSynchronize' waits for the device while a stream is being captured}}
  cudaStreamEndCapture(s, g);
}
void default_stream(float *d, int n, cudaGraph_t *g) {
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed);
  kernel<<<1, 32>>>(d, n); // expected-warning {{this launch is in the default stream, which waits for the one that is being captured}}
  cudaStreamEndCapture(s, g);
}
void copies(float *d, float *h, int n, cudaGraph_t *g) {
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed);
  cudaMemcpy(d, h, n, cudaMemcpyHostToDevice); // expected-warning {{'cudaMemcpy' uses the default stream, which waits for the one that is being captured}}
  cudaStreamEndCapture(s, g);
}
void allocates(int n, cudaStream_t s, cudaGraph_t *g) {
  float *d;
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  cudaMalloc(&d, n); // expected-warning {{'cudaMalloc' may wait for the device, which this mode of capture forbids}}
  kernel<<<1, 32, 0, s>>>(d, n);
  cudaStreamEndCapture(s, g);
  cudaFree(d);
}
void frees(float *d, int n, cudaStream_t s, cudaGraph_t *g) {
  cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal);
  kernel<<<1, 32, 0, s>>>(d, n);
  if (n > 5)
    cudaFree(d); // expected-warning {{'cudaFree' may wait for the device, which this mode of capture forbids}}
  cudaStreamEndCapture(s, g);
}

// -------------------------------------------------------------------- right ----
void right(float *d, float *h, int n, cudaStream_t s, cudaGraph_t *g) {
  void *m;
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  cudaMallocAsync(&m, n, s);
  cudaMemcpyAsync(d, h, n, cudaMemcpyHostToDevice, s);
  kernel<<<1, 32, 0, s>>>(d, n);
  cudaStreamEndCapture(s, g);
  cudaStreamSynchronize(s);
  cudaDeviceSynchronize();
}
void relaxed(float *d, int n, cudaStream_t s, cudaGraph_t *g) {
  float *m;
  cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed);
  cudaMalloc(&m, n);
  cudaFree(m);
  cudaStreamEndCapture(s, g);
}
void another_stream(float *d, int n, cudaStream_t s, cudaStream_t t, cudaGraph_t *g) {
  cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed);
  cudaStreamSynchronize(t);
  cudaStreamEndCapture(s, g);
}
void non_blocking(float *d, float *h, int n, cudaGraph_t *g) {
  cudaStream_t s;
  cudaStreamCreateWithFlags(&s, 1);
  cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed);
  kernel<<<1, 32>>>(d, n);
  cudaMemcpy(d, h, n, cudaMemcpyHostToDevice);
  cudaStreamEndCapture(s, g);
}
void perhaps_ended(cudaStream_t s) {
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  opaque();
  cudaDeviceSynchronize();
}
