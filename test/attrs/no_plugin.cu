// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %clang -fsyntax-only -Wall -Wextra -Wpedantic -Werror %s
// Without the plugin the macros leave nothing behind.
#include <gpusafe.h>
#if GPUSAFE_ACTIVE
#error "no plugin was loaded"
#endif
GS_LAUNCH_CONTRACT(anything at all, 1 +)
__global__ void kernel(float *p GS_DISJOINT(no_such_name), int n GS_EXTENT(n)) {
  GS_TRUSTED(no-such-rule, "") p[0] = 1;
  (void)n;
}
