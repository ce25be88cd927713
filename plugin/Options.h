// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The options of the plugin, -fplugin-arg-gpusafe-<option>.
#ifndef GPUSAFE_PLUGIN_OPTIONS_H
#define GPUSAFE_PLUGIN_OPTIONS_H

#include "gs.h"

#include "clang/Basic/Diagnostic.h"

#include <string>
#include <vector>

namespace gpusafe {

struct Options {
  bool Off = false;    ///< annotations are checked, kernels are not
  bool Verify = false; ///< every kernel is a claim
  bool Strict = false; ///< none of the default assumptions
  bool Stats = false;  ///< counted work as remarks
  bool Launches = true; ///< launches in the unit are facts and are checked
  bool Runtime = true; ///< objects carry contracts, and launches are checked against them
  bool Codegen = false; ///< code may take proved contracts for granted
  bool Dump = false;   ///< kernel descriptions on standard error, before the analysis
  bool DumpAccesses = false; ///< kernels in their text form on standard output, no analysis
  gs_same_value SameValue = GS_SAME_VALUE_NOTE;
  uint32_t Rules = 0;  ///< gs_options.rules
  std::string ReportFile;
  std::string ModuleFile; ///< LLVM module of the kernels, for replay; no analysis
  std::string AnnotateFile; ///< proposals of annotations, for `gpusafe annotate`; no analysis
  std::string ContractsFile; ///< C source that lists the kernels as another compiler names them
  /// Clauses from block= and grid=, for kernels without a contract.
  std::vector<std::string> LaunchFacts;
  /// Clauses from assume=, as written.
  std::vector<std::string> Assumptions;
};

/// Reads "name" and "name=value" texts. Errors go to \p Diags.
/// \returns false when there was one.
bool parseOptions(clang::DiagnosticsEngine &Diags, const std::vector<std::string> &Args,
                  Options &Out);

} // namespace gpusafe
#endif
