// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gpusafe-text: one .gs file, kernels in their text form, to one report, without LLVM.
#include "options.h"
#include "text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct gs_bytes {
  char *data;
  size_t size;
} gs_bytes;

/// \returns false, with errno set, when the file cannot be read.
static bool read_file(const char *name, gs_bytes *out) {
  FILE *file = fopen(name, "rb");
  size_t capacity = 0, got = 1;
  while (file && got) {
    if (out->size == capacity) {
      capacity = capacity ? capacity * 2 : 65536;
      char *data = realloc(out->data, capacity);
      if (!data)
        break;
      out->data = data;
    }
    got = fread(out->data + out->size, 1, capacity - out->size, file);
    out->size += got;
  }
  bool good = file && !got && !ferror(file);
  if (file)
    fclose(file);
  return good;
}

static int print_again(const gs_module_options *options, const gs_bytes *bytes) {
  gs_text *text = NULL;
  gs_text_error error;
  gs_status status = gs_text_parse(bytes->data, bytes->size, &text, &error);
  if (status == GS_ERROR_INPUT)
    return gs_fail(GS_INPUT_IS_WRONG, "%s:%u:%u: %s", options->file, error.line, error.column,
                   error.message);
  uint32_t count = status == GS_OK ? gs_text_kernel_count(text) : 0;
  gs_program **kernels = calloc(count + 1u, sizeof *kernels);
  for (uint32_t i = 0; kernels && i < count; i++)
    kernels[i] = gs_text_kernel(text, i);
  char *printed = kernels && status == GS_OK ? gs_text_print(kernels, count, gs_text_target(text),
                                                             gs_text_is_optimised(text))
                                             : NULL;
  free(kernels);
  gs_text_free(text);
  return printed ? gs_module_print_dump(printed) : gs_fail(GS_EXIT_INTERNAL, "out of memory");
}

static int check(const gs_module_options *options, const gs_bytes *bytes) {
  gs_input input = {.file = options->file, .target = options->arch, .options = options->core};
  input.options.thorough = true; // every verdict is printed
  gs_report *report = NULL;
  char *error = NULL;
  if (options->arch)
    input.options.sm = (uint32_t)strtoul(options->arch + strlen("sm_"), NULL, 10);
  gs_status status = gs_check_text(bytes->data, bytes->size, &input, &report, &error);
  int code;
  if (status == GS_OK)
    code = gs_module_write_report(options, report);
  else if (status == GS_ERROR_INPUT)
    code = gs_fail(GS_INPUT_IS_WRONG, "%s:%s", options->file, error ? error : "");
  else
    code = gs_fail(GS_EXIT_INTERNAL, "%s: the analysis failed", options->file);
  gs_report_free(report);
  free(error);
  return code;
}

int main(int argc, char **argv) {
  gs_mem *mem = gs_mem_create();
  gs_module_options options;
  gs_bytes bytes = {0};
  int code = gs_module_options_parse(mem, argc, argv, &options);
  if (code == GS_EXIT_OK && (options.facts.count || options.assumes.count))
    code = gs_fail(GS_INPUT_IS_WRONG, "%s: the facts of a launch are in the text; --block, --grid "
                                      "and --assume do not apply", options.file);
  if (code == GS_EXIT_OK && !read_file(options.file, &bytes))
    code = gs_fail(GS_INPUT_IS_WRONG, "%s: %s", options.file, strerror(errno));
  if (code == GS_EXIT_OK)
    code = options.dump ? print_again(&options, &bytes) : check(&options, &bytes);
  free(bytes.data);
  gs_mem_free(mem);
  return code;
}
