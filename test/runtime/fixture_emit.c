// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Writes contracts as C: fixture_emit FILE, for hooks_test.c, or, for one kernel,
/// fixture_emit FILE STUB CLAUSE.
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
  fixture guarded = {.clauses = {argc == 4 ? argv[3] : "block.x == 64"}};
  fixture cooperative = {.clauses = {"cooperative == 1 && cluster.x == 1"}};
  FILE *file = argc == 2 || argc == 4 ? fopen(argv[1], "w") : NULL;
  if (!file)
    return 2;
  emit(file, argc == 4 ? argv[2] : "stub_guarded", 0, &guarded);
  if (argc == 2)
    emit(file, "stub_cooperative", 1, &cooperative);
  return fclose(file) == 0 ? check_result("fixture_emit") : 1;
}
