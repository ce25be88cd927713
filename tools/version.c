// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tool.h"

#include "build_info.h"

#include <stdio.h>

void gs_print_version(void) {
  puts("gpusafe " GPUSAFE_VERSION);
  printf("for clang %s%s%s, %s build\n", GPUSAFE_LLVM_FULL, *GPUSAFE_COMMIT ? ", from " : "",
         GPUSAFE_COMMIT, GPUSAFE_BUILD_TYPE);
}
