// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A stand-in for the CUDA runtime: every launch is counted; one with an empty grid is
/// refused, as the real one does.
#include <stddef.h>
#include <stdint.h>

typedef struct gsrt_dim3 {
  unsigned x, y, z;
} dim3;
typedef struct gsrt_cuda_config {
  dim3 grid, block;
  size_t smem;
  void *stream, *attributes;
  unsigned count;
} config;

unsigned fake_launches, fake_refusals;
const char *fake_form = "";
void *fake_function; ///< what cudaGetFuncBySymbol gives

static int made(const char *form, dim3 grid) {
  fake_form = form;
  if (grid.x == 0) {
    fake_refusals++;
    return 9;
  }
  fake_launches++;
  return 0;
}

#define LAUNCH(name)                                                                               \
  int name(const void *f, dim3 grid, dim3 block, void **args, size_t smem, void *stream);          \
  int name(const void *f, dim3 grid, dim3 block, void **args, size_t smem, void *stream) {         \
    (void)f;                                                                                       \
    (void)block;                                                                                   \
    (void)args;                                                                                    \
    (void)smem;                                                                                    \
    (void)stream;                                                                                  \
    return made(#name, grid);                                                                      \
  }
LAUNCH(cudaLaunchKernel)
LAUNCH(cudaLaunchKernel_ptsz)
LAUNCH(cudaLaunchCooperativeKernel)
LAUNCH(cudaLaunchCooperativeKernel_ptsz)
LAUNCH(__cudaLaunchKernel)
LAUNCH(__cudaLaunchKernel_ptsz)

#define LAUNCH_EX(name)                                                                            \
  int name(const config *c, const void *f, void **args);                                           \
  int name(const config *c, const void *f, void **args) {                                          \
    (void)f;                                                                                       \
    (void)args;                                                                                    \
    return c ? made(#name, c->grid) : 1;                                                           \
  }
LAUNCH_EX(cudaLaunchKernelExC)
LAUNCH_EX(cudaLaunchKernelExC_ptsz)

/// Handles differ from the stubs, as nvcc 13's do.
#define GET_KERNEL(name)                                                                           \
  int name(void **kernel, const void *stub);                                                       \
  int name(void **kernel, const void *stub) {                                                      \
    *kernel = (void *)((uintptr_t)stub + 1);                                                       \
    return 0;                                                                                      \
  }
GET_KERNEL(__cudaGetKernel)
GET_KERNEL(cudaGetKernel)

int cudaGetFuncBySymbol(void **function, const void *stub);
int cudaGetFuncBySymbol(void **function, const void *stub) {
  (void)stub;
  *function = fake_function;
  return fake_function ? 0 : 98;
}
