// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the plugin hands to the analyzer's checkers: findings in kernels, and the contracts of
/// kernels. It knows them by the unit that both are in.
#ifndef GPUSAFE_CHECKERS_HOST_KERNELS_H
#define GPUSAFE_CHECKERS_HOST_KERNELS_H

#include "gs.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceLocation.h"

#include <string>
#include <vector>

namespace clang::ento {
class CheckerRegistry;
}

namespace gpusafe::host {

/// A finding about device code, as the compiler would print it.
struct KernelFinding {
  std::string Rule, Message; ///< the message without the rule
  clang::SourceLocation Loc;
  std::vector<std::pair<clang::SourceLocation, std::string>> Notes;
};

/// Where the launches of a path learn what a kernel demands.
class KernelContracts {
public:
  virtual ~KernelContracts() = default;
  /// Null for a kernel that cannot be described. Valid as long as this.
  virtual const gs_kernel_desc *find(const clang::FunctionDecl &Kernel) = 0;
};

/// What a unit leaves for the checkers. Borrows `Contracts`.
struct UnitFacts {
  std::vector<KernelFinding> Findings;
  KernelContracts *Contracts = nullptr;
};
/// The facts of a unit; made when they are new.
UnitFacts &unitFacts(const clang::ASTContext &Context);
void dropUnitFacts(const clang::ASTContext &Context);

/// A checker for each rule of checkers/rules.def, that reports what the plugin has found.
void registerKernelRules(clang::ento::CheckerRegistry &Registry);

} // namespace gpusafe::host

#endif
