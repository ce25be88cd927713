// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The contracts that objects carry: which kernels, and under what name.
#ifndef GPUSAFE_PLUGIN_OBJECTCONTRACTS_H
#define GPUSAFE_PLUGIN_OBJECTCONTRACTS_H

#include "CompileSession.h"
#include "Descriptor.h"
#include "Embed.h"
#include "Options.h"

#include "clang/AST/Decl.h"

namespace clang {
class CompilerInstance;
}

namespace gpusafe {

/// The contracts of a device module. Their proofs are told to the host pass.
class DeviceContracts {
public:
  DeviceContracts(clang::CompilerInstance &CI, const Options &Opts) : CI(CI), Opts(Opts) {}
  void add(const clang::FunctionDecl &Kernel, const gs_kernel_desc &Desc,
           const gs_kernel_result &Result, unsigned Sm);
  /// Adds them to the code that is about to be made.
  void embed();

private:
  void addCodegen(const clang::FunctionDecl &Kernel, const gs_kernel_desc &Desc,
                  const gs_kernel_result &Result, ProofSummary &Proof, EmbeddedContract &To);

  clang::CompilerInstance &CI;
  const Options &Opts;
  CompileSession Session;
  std::vector<EmbeddedContract> Contracts;
};

/// Finds the annotated kernels of a host pass, at the end of the unit and before its
/// code is made, and adds what they need to that code. Without one nothing changes.
/// What the kernels' proofs assumed was left by the device passes of the same compile;
/// where it is missing, that is a warning. With -fplugin-arg-gpusafe-contracts the kernels
/// are also listed in that file.
void embedHostContracts(clang::CompilerInstance &CI, const Options &Opts);

} // namespace gpusafe
#endif
