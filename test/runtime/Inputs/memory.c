// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Memory and the last error of the stand-in CUDA runtime, for programs that use them. The
/// memory is the stand-in driver's, which is on the library path.
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

extern unsigned fake_refusals; // fake_cudart.c
extern void *fake_function;

static void *driver(const char *name) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
  return library ? dlsym(library, name) : NULL;
}

/// Gives all kernels one function, with an ordinary kernel's limits.
static void need_function(void) {
  void *load = driver("cuModuleLoadData"), *get = driver("cuModuleGetFunction"), *module = NULL;
  int (*load_module)(void **, const void *);
  int (*get_function)(void **, void *, const char *);
  memcpy(&load_module, &load, sizeof load);
  memcpy(&get_function, &get, sizeof get);
  if (load && get && !fake_function && load_module(&module, "// .entry any(") == 0)
    get_function(&fake_function, module, "any");
}

int cudaMalloc(void **out, size_t bytes);
int cudaMalloc(void **out, size_t bytes) {
  void *symbol = driver("cuMemAlloc_v2");
  int (*allocate)(uint64_t *, size_t);
  uint64_t address = 0;
  memcpy(&allocate, &symbol, sizeof allocate);
  need_function();
  int error = symbol ? allocate(&address, bytes) : 999;
  *out = (void *)(uintptr_t)address;
  return error;
}

int cudaFree(void *p);
int cudaFree(void *p) {
  void *symbol = driver("cuMemFree_v2");
  int (*release)(uint64_t);
  memcpy(&release, &symbol, sizeof release);
  return symbol ? release((uint64_t)(uintptr_t)p) : 999;
}

int cudaDeviceSynchronize(void);
int cudaDeviceSynchronize(void) { return 0; }

int cudaGetLastError(void);
int cudaGetLastError(void) {
  static unsigned seen;
  int error = fake_refusals != seen;
  seen = fake_refusals;
  return error;
}
