// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: gcc
// RUN: gcc -std=c99 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I%attrs %s
// RUN: gcc -x c++ -std=c++11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I%attrs %s
// gcc knows none of the attributes and must not see them.
#include <gpusafe.h>
GS_LAUNCH_CONTRACT(block.x == 256)
void kernel(float *p GS_DISJOINT(n), int n);
void kernel(float *p GS_DISJOINT(n), int n) { GS_TRUSTED(data-race, "x") p[n] = 1; }
