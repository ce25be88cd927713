// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches saxpy.c through the driver's interface: main SAXPY.ptx. The contract came into the
// module with the plugin, so the launch that leaves elements out is refused.
#include <gpusafe_rt.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 1000 };

static void need(gsrt_status status, const char *what) {
  if (status == GSRT_OK)
    return;
  fprintf(stderr, "%s: %s: %s\n", what, gsrt_status_text(status), gsrt_last_message());
  exit(2);
}

int main(int argc, char **argv) {
  float x[N], y[N], result[N];
  const float a = 2;
  const int n = N;
  int wrong = 0;
  for (int i = 0; i < N; i++) {
    x[i] = (float)i;
    y[i] = (float)(i % 10);
  }
  gsrt_module *module = NULL;
  gsrt_kernel *saxpy = NULL;
  gsrt_buffer *dx = NULL, *dy = NULL;
  need(gsrt_module_load_file(argc > 1 ? argv[1] : "saxpy.ptx", &module), "module");
  need(gsrt_kernel_get(module, "saxpy", &saxpy), "kernel");
  need(gsrt_buffer_upload(x, sizeof x, &dx), "upload");
  need(gsrt_buffer_upload(y, sizeof y, &dy), "upload");
  gsrt_arg args[] = {gsrt_arg_value(&a), gsrt_arg_buffer(dx), gsrt_arg_buffer(dy), gsrt_arg_value(&n)};
  gsrt_config small = gsrt_config_1d(3, 256), right = gsrt_config_1d(4, 256);
  gsrt_status refused = gsrt_launch_args(saxpy, &small, args, 4);
  printf("a grid of 3 blocks: %s\n", gsrt_status_text(refused));
  need(gsrt_launch_args(saxpy, &right, args, 4), "launch");
  need(gsrt_buffer_download(dy, result), "download");
  for (int i = 0; i < N; i++)
    wrong += result[i] != y[i] + a * x[i];
  printf("saxpy: %d of %d results are right\n", N - wrong, N);
  gsrt_buffer_free(dx);
  gsrt_buffer_free(dy);
  gsrt_module_unload(module);
  return wrong || refused == GSRT_OK;
}
