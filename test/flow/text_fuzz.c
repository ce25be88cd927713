// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "text_fuzz.h"

#include "check_program.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUDGET = 2000 };

static char *print_all(const gs_text *text) {
  uint32_t n = gs_text_kernel_count(text);
  gs_program **kernels = calloc(n + 1u, sizeof *kernels);
  for (uint32_t i = 0; kernels && i < n; i++)
    kernels[i] = gs_text_kernel(text, i);
  char *printed = kernels ? gs_text_print(kernels, n, gs_text_target(text), gs_text_is_optimised(text))
                          : NULL;
  free(kernels);
  return printed;
}

static void die(const char *what, const char *first, const char *second) {
  fprintf(stderr, "%s\n%s\n%s\n", what, first ? first : "", second ? second : "");
  abort();
}

static void same_bytes(const gs_text *text) {
  gs_text *again = NULL;
  gs_text_error error;
  char *first = print_all(text);
  if (!first)
    die("cannot print what parsed", NULL, NULL);
  if (gs_text_parse(first, strlen(first), &again, &error) != GS_OK)
    die("cannot parse what was printed", error.message, first);
  char *second = print_all(again);
  if (!second || strcmp(first, second) != 0)
    die("printed differently the second time", first, second);
  free(first);
  free(second);
  gs_text_free(again);
}

static void check(const uint8_t *data, size_t size) {
  // Once as a claim with the rules that are off by default, once as the build of
  // somebody who claims nothing.
  for (int claim = 0; claim < 2; claim++) {
    gs_input input = {.file = "fuzz.gs",
                      .options = {.verify = claim, .strict = claim && size % 2,
                                  .solver_budget = BUDGET}};
    gs_report *report = NULL;
    char *error = NULL, *json = NULL;
    if (gs_check_text((const char *)data, size, &input, &report, &error) != GS_OK)
      die("cannot check what parsed", error, NULL);
    if (gs_report_to_json(report, false, &json) != GS_OK)
      die("cannot report what was checked", NULL, NULL);
    free(json);
    free(error);
    gs_report_free(report);
  }
}

int fuzz_kernel_text(const uint8_t *data, size_t size) {
  gs_text *text = NULL;
  gs_text_error error;
  if (gs_text_parse((const char *)data, size, &text, &error) != GS_OK)
    return 0;
  same_bytes(text);
  gs_text_free(text);
  check(data, size);
  return 1;
}
