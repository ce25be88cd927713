// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Annotations that the core proposes, for `gpusafe annotate`.
#ifndef GPUSAFE_PLUGIN_ANNOTATE_H
#define GPUSAFE_PLUGIN_ANNOTATE_H

#include "Launches.h"
#include "gs_annotate.h"

#include "clang/AST/Decl.h"
#include "llvm/Support/JSON.h"

namespace llvm {
class Module;
}

namespace gpusafe {

/// Searches annotations for the kernels of a module, and returns what `gpusafe annotate` reads.
/// \param Functions the kernels of \p In, in its order
/// \param Launches  may be null
llvm::json::Value annotate(clang::Sema &S, llvm::Module &Module, const gs_input &In,
                           llvm::ArrayRef<const clang::FunctionDecl *> Functions,
                           const LaunchTable *Launches, std::string &Error);

} // namespace gpusafe
#endif
