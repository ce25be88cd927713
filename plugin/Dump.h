// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Kernel descriptions as text, for -fplugin-arg-gpusafe-dump and the tests.
#ifndef GPUSAFE_PLUGIN_DUMP_H
#define GPUSAFE_PLUGIN_DUMP_H

#include "gs.h"

namespace llvm {
class raw_ostream;
}

namespace gpusafe {

/// Prints what the core is told of a kernel: parameters with their scalars, claims,
/// facts, and for each name in a clause what it denotes.
void dump(llvm::raw_ostream &OS, const gs_kernel_desc &Kernel);

} // namespace gpusafe
#endif
