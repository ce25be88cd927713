// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Violations for the test of the checker; never compiled. printf( in a comment is fine.
#include "gs.h"
#include <llvm/IR/Module.h>

void bad(char *text) {
  printf("%s", text);
  fprintf(stderr, "printf(");
  snprintf(text, 1, "exit(");
  // TODO
}
