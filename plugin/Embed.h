// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Contracts in the code that the compile makes: passes over its LLVM module, added only
/// where there is something to embed, so that all other code stays clang's own.
#ifndef GPUSAFE_PLUGIN_EMBED_H
#define GPUSAFE_PLUGIN_EMBED_H

#include "codegen.h"

#include "clang/Basic/CodeGenOptions.h"

#include <string>
#include <vector>

namespace gpusafe {

struct EmbeddedContract {
  std::string Symbol; ///< IR function: the stub of a host module, else the kernel
  std::string Bytes;  ///< descriptor; "" for a kernel that is only declared
  // What code of a device may take for granted (codegen=on):
  gs_codegen Sizes = {};
  bool NoAlias = false; ///< pointer parameters
};

/// Lists the stubs that the host module defines in the section of descriptors, and makes
/// the module launch through libgpusafe_cuda.a when it knows one of the stubs.
void embedInHost(clang::CodeGenOptions &Options, std::vector<EmbeddedContract> Contracts);

/// Adds the constants that a program on the driver's interface reads contracts from.
void embedInDevice(clang::CodeGenOptions &Options, std::vector<EmbeddedContract> Contracts);

} // namespace gpusafe
#endif
