// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Declarations of an annotated kernel that have no annotation, in another file.
#ifndef GPUSAFE_PLUGIN_BAREDECLARATIONS_H
#define GPUSAFE_PLUGIN_BAREDECLARATIONS_H

#include "clang/AST/Decl.h"
#include "llvm/ADT/ArrayRef.h"

namespace clang {
class Sema;
}

namespace gpusafe {

/// Says so, once in a compile, with a fix-it that repeats the annotations in the
/// declaration's own names: a remark, as nothing is wrong in this unit, which sees both.
void reportBareDeclarations(clang::Sema &S, llvm::ArrayRef<const clang::FunctionDecl *> Kernels);

} // namespace gpusafe
#endif
