// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Trusted statements that a kernel may execute.
#ifndef GPUSAFE_PLUGIN_TRUSTED_H
#define GPUSAFE_PLUGIN_TRUSTED_H

#include "Describe.h"

#include "llvm/ADT/DenseMap.h"

namespace llvm {
class Function;
}
namespace clang {
class CodeGenerator;
}

namespace gpusafe {

/// Finds trusted statements by walking the calls of the module from a kernel and
/// the bodies that the functions were made from.
class TrustedStatements {
public:
  TrustedStatements(clang::Sema &S, clang::CodeGenerator &Generator, KernelTable &Table)
      : S(S), Generator(Generator), Table(Table) {}

  /// In the order of the calls; nothing when the unit has no trusted statement.
  std::vector<TrustedRange> reachableFrom(const llvm::Function &Kernel);

private:
  bool possible() const;
  const std::vector<TrustedRange> &in(const clang::FunctionDecl &Function);

  clang::Sema &S;
  clang::CodeGenerator &Generator;
  KernelTable &Table;
  llvm::DenseMap<const clang::FunctionDecl *, std::vector<TrustedRange>> ByFunction;
};

} // namespace gpusafe
#endif
