// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Writes the contracts of hooks_test.c as C: fixture_emit FILE.
#include "fixture.h"

static void emit(FILE *file, const char *stub, unsigned index, const fixture *f) {
  size_t size = 0;
  void *block = fixture_build(f, &size);
  size_t need = gs_descriptor_print_c(block, size, stub, index, NULL, 0);
  char *text = malloc(need + 1);
  if (!text)
    exit(1);
  CHECK_NUMBER(gs_descriptor_print_c(block, size, stub, index, text, need + 1), need);
  fputs(text, file);
  free(text);
  free(block);
}

int main(int argc, char **argv) {
  fixture guarded = {.clauses = {"block.x == 64"}};
  fixture cooperative = {.clauses = {"cooperative == 1 && cluster.x == 1"}};
  FILE *file = argc == 2 ? fopen(argv[1], "w") : NULL;
  if (!file)
    return 2;
  emit(file, "stub_guarded", 0, &guarded);
  emit(file, "stub_cooperative", 1, &cooperative);
  return fclose(file) == 0 ? check_result("fixture_emit") : 1;
}
