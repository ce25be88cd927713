// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels in their text form: the pipeline without preparing and lowering.
#include "check_program.h"
#include "identity.h"
#include "text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *describe(const gs_text_error *error) {
  char text[sizeof error->message + 32];
  snprintf(text, sizeof text, "%" PRIu32 ":%" PRIu32 ": %s", error->line, error->column,
           error->message);
  size_t size = strlen(text) + 1;
  char *copy = malloc(size);
  return copy ? memcpy(copy, text, size) : NULL;
}

/// The number of "sm_90a", 90 when it is no such name.
static uint32_t number_of(const char *target) {
  uint32_t sm = 0;
  if (strncmp(target, "sm_", 3) == 0)
    for (const char *c = target + 3; *c >= '0' && *c <= '9' && sm < 10000; c++)
      sm = sm * 10 + (uint32_t)(*c - '0');
  return sm ? sm : 90;
}

/// The text form is all that is known of the code.
static gs_status check_kernel(gs_program *program, const gs_input *input, gs_pool *arena,
                              gs_kernel_result *out) {
  char *code = gs_text_print(&program, 1, NULL, input->options.as_optimised);
  gs_sha256 identity;
  gs_identity_begin(&identity);
  gs_identity_text(&identity, code);
  gs_status status =
      code ? gs_check_program(program, &input->options, arena, out) : GS_ERROR_MEMORY;
  if (status == GS_OK)
    gs_identity_end(&identity, input, program->desc, out);
  free(code);
  return status;
}

static gs_status check_all(const gs_text *text, const gs_input *input, gs_report **out) {
  gs_pool *arena = NULL;
  gs_kernel_result *kernels = NULL;
  uint32_t count = gs_text_kernel_count(text);
  gs_status status = gs_report_new(input, count, out, &arena, &kernels);
  for (uint32_t i = 0; i < count && status == GS_OK; i++) {
    uint64_t start = gs_now_us();
    status = check_kernel(gs_text_kernel(text, i), input, arena, &kernels[i]);
    kernels[i].time_us = gs_now_us() - start;
  }
  return *out ? gs_report_close(status, out) : status;
}

gs_status gs_check_text(const char *text, size_t length, const gs_input *input, gs_report **out,
                        char **error) {
  gs_text *parsed = NULL;
  gs_text_error where;
  *out = NULL;
  gs_status status = gs_text_parse(text, length, &parsed, &where);
  if (error)
    *error = status == GS_ERROR_INPUT ? describe(&where) : NULL;
  if (status != GS_OK)
    return status;
  gs_input adjusted = *input;
  adjusted.options.as_optimised |= gs_text_is_optimised(parsed);
  if (!input->target) {
    adjusted.target = gs_text_target(parsed) ? gs_text_target(parsed) : "sm_90";
    adjusted.options.sm = number_of(adjusted.target);
  }
  status = check_all(parsed, &adjusted, out);
  gs_text_free(parsed);
  return status;
}
