// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %clang_host_rules -Xclang -analyzer-checker=gpusafe,gpusafe_extra -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
// The driver's interface: the same rules, over numbers that are addresses.
typedef unsigned long long CUdeviceptr;
typedef enum cudaError_enum { CUDA_SUCCESS = 0 } CUresult;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
extern "C" {
CUresult cuMemAlloc_v2(CUdeviceptr *p, size_t bytes);
CUresult cuMemAllocManaged(CUdeviceptr *p, size_t bytes, unsigned int flags);
CUresult cuMemFree_v2(CUdeviceptr p);
CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes);
CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes);
CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream s);
CUresult cuMemsetD8_v2(CUdeviceptr p, unsigned char v, size_t count);
CUresult cuMemsetD32_v2(CUdeviceptr p, unsigned int v, size_t count);
CUresult cuCtxSynchronize(void);
CUresult cuLaunchKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                        unsigned by, unsigned bz, unsigned shared, CUstream s, void **params,
                        void **extra);
void exit(int);
}
#define CHECK(x)                                                                                   \
  do {                                                                                             \
    if ((x) != CUDA_SUCCESS)                                                                       \
      exit(1);                                                                                     \
  } while (0)
void opaque(CUdeviceptr p);
void opaque_place(CUdeviceptr *p);

// ---------------------------------------------------------- use-after-free ----
void copied_after_free(float *h) {
  CUdeviceptr d;
  CHECK(cuMemAlloc_v2(&d, 40));
  CHECK(cuMemFree_v2(d));
  CHECK(cuMemcpyDtoH_v2(h, d, 40)); // expected-warning {{'d' is used after it was freed}}
}
void filled_after_free(int n) {
  CUdeviceptr d;
  CHECK(cuMemAlloc_v2(&d, n));
  if (n > 3)
    CHECK(cuMemFree_v2(d));
  CHECK(cuMemsetD8_v2(d, 0, 1)); // expected-warning {{'d' is used after it was freed}}
}
void behind_an_offset(int n) {
  CUdeviceptr d;
  CHECK(cuMemAlloc_v2(&d, n));
  CHECK(cuMemFree_v2(d));
  CHECK(cuMemsetD8_v2(d + 16, 0, 1)); // expected-warning {{the memory is used after it was freed}}
}
void source_after_free(CUdeviceptr to, CUstream s) {
  CUdeviceptr d;
  CHECK(cuMemAlloc_v2(&d, 40));
  CHECK(cuMemFree_v2(d));
  CHECK(cuMemcpyDtoDAsync_v2(to, d, 40, s)); // expected-warning {{'d' is used after it was freed}}
}
void launched_after_free(CUfunction f, int n) {
  CUdeviceptr d;
  CHECK(cuMemAlloc_v2(&d, 40));
  CHECK(cuMemFree_v2(d));
  void *params[] = {&d, &n};
  CHECK(cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, 0, params, 0)); // expected-warning {{is given to a kernel after it was freed}}
}
// ------------------------------------------------------------- double-free ----
void freed_twice() {
  CUdeviceptr d;
  CHECK(cuMemAlloc_v2(&d, 40));
  CHECK(cuMemFree_v2(d));
  CHECK(cuMemFree_v2(d)); // expected-warning {{'d' is freed a second time}}
}
void freed_as_parameter(CUdeviceptr d) {
  CHECK(cuMemFree_v2(d));
  CHECK(cuMemFree_v2(d)); // expected-warning {{'d' is freed a second time}}
}
// --------------------------------------------------------------- copy-size ----
void too_much(float *h) {
  CUdeviceptr d;
  CHECK(cuMemAlloc_v2(&d, 40));
  CHECK(cuMemcpyHtoD_v2(d, h, 44)); // expected-warning {{44 bytes are written to 'd', which has 40}}
  CHECK(cuMemFree_v2(d));
}
void too_much_behind(float *h) {
  CUdeviceptr d;
  CHECK(cuMemAlloc_v2(&d, 40));
  CHECK(cuMemcpyHtoD_v2(d + 20, h, 24)); // expected-warning {{24 bytes are written to the memory, which has 20}}
  CHECK(cuMemFree_v2(d));
}
void words() {
  CUdeviceptr d;
  CHECK(cuMemAlloc_v2(&d, 40));
  CHECK(cuMemsetD32_v2(d, 0, 40)); // expected-warning {{160 bytes are written to 'd', which has 40}}
  CHECK(cuMemFree_v2(d));
}
void too_much_of_host() {
  CUdeviceptr d;
  float h[4] = {0};
  CHECK(cuMemAlloc_v2(&d, 400));
  CHECK(cuMemcpyHtoD_v2(d, h, 400)); // expected-warning {{400 bytes are read from 'h', which has 16}}
  CHECK(cuMemFree_v2(d));
}
// ------------------------------------------------------------------ limits ----
void large(CUfunction f, CUdeviceptr d) {
  void *params[] = {&d};
  CHECK(cuLaunchKernel(f, 1, 1, 1, 64, 32, 1, 0, 0, params, 0)); // expected-warning {{this launch fails: a block of 2048 threads or more}}
}
void deep(CUfunction f, CUdeviceptr d) {
  void *params[] = {&d};
  CHECK(cuLaunchKernel(f, 1, 70000, 1, 64, 1, 1, 0, 0, params, 0)); // expected-warning {{this launch fails: grid.y is 70000}}
}
void ignored(CUdeviceptr d) {
  cuMemFree_v2(d); // expected-warning {{the status of 'cuMemFree_v2' is ignored}}
}

// -------------------------------------------------------------------- right ----
void right(CUfunction f, float *h, int n) {
  CUdeviceptr d;
  CHECK(cuMemAlloc_v2(&d, 40));
  CHECK(cuMemcpyHtoD_v2(d, h, 40));
  CHECK(cuMemcpyHtoD_v2(d + 20, h, 20));
  CHECK(cuMemsetD32_v2(d, 0, 10));
  void *params[] = {&d, &n};
  CHECK(cuLaunchKernel(f, 1, 1, 1, 32, 32, 1, 0, 0, params, 0));
  CHECK(cuCtxSynchronize());
  CHECK(cuMemcpyDtoH_v2(h, d, 40));
  CHECK(cuMemFree_v2(d));
}
void anew() {
  CUdeviceptr d;
  CHECK(cuMemAlloc_v2(&d, 40));
  CHECK(cuMemFree_v2(d));
  CHECK(cuMemAlloc_v2(&d, 80));
  CHECK(cuMemsetD8_v2(d, 0, 80));
  CHECK(cuMemFree_v2(d));
}
void elsewhere() {
  CUdeviceptr d;
  CHECK(cuMemAlloc_v2(&d, 40));
  CHECK(cuMemFree_v2(d));
  opaque_place(&d);
  CHECK(cuMemsetD8_v2(d, 0, 80));
}
CUdeviceptr returned() {
  CUdeviceptr d;
  CHECK(cuMemAlloc_v2(&d, 40));
  return d;
}
void handed_on() {
  CUdeviceptr d;
  CHECK(cuMemAlloc_v2(&d, 40));
  opaque(d);
}
