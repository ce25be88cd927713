// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Ten launches that go wrong in ten ways: launches FILE.ptx. The messages come from the
/// runtime, on stderr; each launch is refused, and the last one, which is right, is made.
#include "contract.h"

#include <stdio.h>

enum { N = 1000 };

static gsrt_kernel *add;
static unsigned refused;

static void launch(const char *what, gsrt_config config, uint64_t a, uint64_t b, uint64_t c,
                   int n) {
  void *params[] = {&a, &b, &c, &n};
  fprintf(stderr, "%s\n", what);
  refused += gsrt_launch(add, &config, params) >= GSRT_FIRST_VIOLATION;
}

static void ten_wrong(uint64_t a, uint64_t b, uint64_t c) {
  gsrt_config good = gsrt_config_1d(4, 256), wrong = good;
  launch("1. the grid does not cover the data", gsrt_config_1d(3, 256), a, b, c, N);
  launch("2. a block of broken warps", gsrt_config_1d(11, 100), a, b, c, N);
  launch("3. a block of too many threads", gsrt_config_1d(1, 2048), a, b, c, N);
  launch("4. an empty grid for empty input", gsrt_config_1d(0, 256), a, b, c, 0);
  launch("5. grid and block swapped", gsrt_config_1d(256, 4), a, b, c, N);
  wrong.dynamic_smem = 64 * 1024;
  launch("6. shared memory without opting in", wrong, a, b, c, N);
  launch("7. more elements than the buffers have", gsrt_config_1d(5, 256), a, b, c, N + 1);
  launch("8. an input that was never allocated", good, 0, b, c, N);
  launch("9. the result over an input", good, a, b, a, N);
  launch("10. a negative size", good, a, b, c, -1);
}

int main(int argc, char **argv) {
  gsrt_module *module = NULL;
  gsrt_buffer *a = NULL, *b = NULL, *c = NULL;
  static const float ones[N] = {1};
  if (argc != 2 || gsrt_module_load_file(argv[1], &module) ||
      gsrt_kernel_get(module, "vector_add", &add) || contract_attach(add) ||
      gsrt_buffer_upload(ones, sizeof ones, &a) || gsrt_buffer_upload(ones, sizeof ones, &b) ||
      gsrt_buffer_alloc(sizeof ones, &c)) {
    fprintf(stderr, "%s\n", argc == 2 ? gsrt_last_message() : "usage: launches FILE.ptx");
    return 2;
  }
  ten_wrong(gsrt_buffer_address(a), gsrt_buffer_address(b), gsrt_buffer_address(c));
  fprintf(stderr, "%u of 10 were refused\n", refused);
  const int n = N;
  gsrt_config good = gsrt_config_1d(4, 256);
  gsrt_arg args[] = {gsrt_arg_buffer(a), gsrt_arg_buffer(b), gsrt_arg_buffer(c),
                     gsrt_arg_value(&n)};
  gsrt_status status = gsrt_launch_args(add, &good, args, 4);
  fprintf(stderr, "and a launch that is right: %s\n", gsrt_status_text(status));
  gsrt_buffer_free(a);
  gsrt_buffer_free(b);
  gsrt_buffer_free(c);
  gsrt_module_unload(module);
  return refused == 10 && status == GSRT_OK ? 0 : 1;
}
