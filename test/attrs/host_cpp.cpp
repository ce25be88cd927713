// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// RUN: %clang_host -fplugin=%plugin -fsyntax-only -Xclang -verify %s
// RUN: %clang_host -fsyntax-only -Wall -Wextra -Wpedantic -Werror %s
// expected-no-diagnostics
// A header that host code shares with kernels: where there are no kernels the
// annotations are accepted and mean nothing.
#include <gpusafe.h>
#ifndef __CUDA__
#define __global__
#endif
GS_LAUNCH_CONTRACT(block.x == 256) __global__ void kernel(float *p GS_DISJOINT(n), int n);
