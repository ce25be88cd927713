// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Checks a module again with the descriptions of its kernels from a text form, and attacks
/// what is proved.
#ifndef GS_MODULE_BUNDLE_H
#define GS_MODULE_BUNDLE_H

#include "module.h"

/// Writes JSON to options->report: `kernels`, objects `mangled`, `name`, `verdict`, `reason`, and
/// for kernels whose claims are proved `attack` ("holds", "breaks", "unrun: <cause>"),
/// `launches`, `unclear`, `text`; for the others, `attack` is what the run of the first
/// definite finding showed, or null.
/// Prints a message on failure. \returns an exit code.
int gs_module_attack(gs_mem *mem, const gs_module_options *options, LLVMModuleRef module);

#endif
