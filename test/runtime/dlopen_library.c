// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What dlopen_test.c loads: two kernels with contracts (fixture_emit.c), launched
/// through the hooks that are linked into the library.
#include <stddef.h>

typedef struct gsrt_dim3 {
  unsigned x, y, z;
} gsrt_dim3;

const char stub_guarded[8] = "g", stub_cooperative[8] = "c";

int gsrt_cudaLaunchKernel(const void *stub, gsrt_dim3 grid, gsrt_dim3 block, void **params,
                          size_t smem, void *stream);
int library_launch(unsigned threads);

int library_launch(unsigned threads) {
  void *a = NULL, *c = NULL;
  int n = 1;
  struct {
    int width, pad;
    void *map;
  } p = {0, 0, NULL};
  void *params[] = {&a, &c, &n, &p};
  return gsrt_cudaLaunchKernel(stub_guarded, (gsrt_dim3){1, 1, 1}, (gsrt_dim3){threads, 1, 1},
                               params, 0, NULL);
}
