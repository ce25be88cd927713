// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What clang's code calls around a launch with <<<>>>, beside fake_cudart.c: the launch's
/// configuration, the registration of kernels (which does nothing), the last error.
#include <stddef.h>

typedef struct gsrt_dim3 {
  unsigned x, y, z;
} dim3;

static struct {
  dim3 grid, block;
  size_t smem;
  void *stream;
} pushed;

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t smem, void *stream);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t smem, void *stream) {
  pushed.grid = grid;
  pushed.block = block;
  pushed.smem = smem;
  pushed.stream = stream;
  return 0;
}

int __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *smem, void *stream);
int __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *smem, void *stream) {
  *grid = pushed.grid;
  *block = pushed.block;
  *smem = pushed.smem;
  *(void **)stream = pushed.stream;
  return 0;
}

void **__cudaRegisterFatBinary(void *binary);
void **__cudaRegisterFatBinary(void *binary) {
  static void *handle;
  handle = binary;
  return &handle;
}
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaRegisterFatBinaryEnd(void **handle) { (void)handle; }
void __cudaUnregisterFatBinary(void **handle);
void __cudaUnregisterFatBinary(void **handle) { (void)handle; }

int __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name,
                           int limit, void *tid, void *bid, void *block, void *grid, int *size);
int __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name,
                           int limit, void *tid, void *bid, void *block, void *grid, int *size) {
  (void)handle, (void)host, (void)device, (void)name, (void)limit;
  (void)tid, (void)bid, (void)block, (void)grid, (void)size;
  return 0;
}

void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int external,
                       size_t size, int constant, int global);
void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int external,
                       size_t size, int constant, int global) {
  (void)handle, (void)host, (void)device, (void)name;
  (void)external, (void)size, (void)constant, (void)global;
}
