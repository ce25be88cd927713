// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpusafe_rt.h>
#include <stdio.h>

int main(int argc, char **argv) {
  float a[1024], b[1024], c[1024];
  int n = 1024;
  gsrt_module *module;
  gsrt_kernel *add;
  gsrt_buffer *da, *db, *dc;
  for (int i = 0; i < n; i++)
    a[i] = (float)i, b[i] = 2 * (float)i;
  gsrt_config config = gsrt_config_1d(4, 256);
  if (gsrt_module_load_file(argc > 1 ? argv[1] : "vector_add.ptx", &module) ||
      gsrt_kernel_get(module, "vector_add", &add) || gsrt_buffer_upload(a, sizeof a, &da) ||
      gsrt_buffer_upload(b, sizeof b, &db) || gsrt_buffer_alloc(sizeof c, &dc))
    return fprintf(stderr, "%s\n", gsrt_last_message()), 1;
  gsrt_arg args[] = {gsrt_arg_buffer(da), gsrt_arg_buffer(db), gsrt_arg_buffer(dc),
                     gsrt_arg_value(&n)};
  if (gsrt_launch_args(add, &config, args, 4) || gsrt_buffer_download(dc, c))
    return fprintf(stderr, "%s\n", gsrt_last_message()), 1;
  for (int i = 0; i < 5; i++)
    printf("%g\n", c[i]);
  gsrt_buffer_free(da), gsrt_buffer_free(db), gsrt_buffer_free(dc), gsrt_module_unload(module);
}
