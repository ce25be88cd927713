// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// `gpusafe explain --why FILE KERNEL`: what a proof lacks, or what stopped it.
#ifndef GS_WHY_H
#define GS_WHY_H

#include "mem.h"

/// \param argv[0] any; then a file, a kernel, options of `gpusafe check` and flags for clang
/// \returns an exit code.
int gs_why_main(gs_mem *mem, int argc, char **argv);

#endif
