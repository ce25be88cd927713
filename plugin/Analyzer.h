// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the plugin leaves for the checkers of Clang Static Analyzer, which run after it on the
/// same unit (checkers/host/Kernels.h).
#ifndef GPUSAFE_PLUGIN_ANALYZER_H
#define GPUSAFE_PLUGIN_ANALYZER_H

#include "Describe.h"
#include "host/Kernels.h"

#include "llvm/ADT/DenseMap.h"

#include <map>

namespace clang {
class CompilerInstance;
}

namespace gpusafe {

/// Describes kernels for the launches of a path, each when it is first asked for.
class HostContracts : public host::KernelContracts {
public:
  HostContracts(clang::Sema &S, const Options &Opts) : Table(S, Opts) {}
  const gs_kernel_desc *find(const clang::FunctionDecl &Kernel) override;

private:
  KernelTable Table;
  /// By the first declaration; nothing for those that cannot be described.
  std::map<const clang::FunctionDecl *, std::optional<gs_kernel_desc>> Known;
};

/// The host's pass is all that the analyzer runs: where a checker about kernels is on, they are
/// compiled for a device beside it, and what is found becomes findings of the host's unit.
void analyzeKernels(clang::CompilerInstance &Host);

/// Keeps what a compile would print of a report as findings of the unit.
void keepFindings(clang::CompilerInstance &CI, const Options &Opts, const gs_report &Report);

} // namespace gpusafe
#endif
