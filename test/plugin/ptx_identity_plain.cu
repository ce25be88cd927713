// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: clang
// The plugin changes nothing in the PTX of a file without annotations.
// RUN: sh %S/Inputs/same_ptx.sh "%clang %s" "%plugin" %t
#define PLAIN
#include "ptx_identity.cu"
