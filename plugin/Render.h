// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Findings of the core as clang diagnostics.
#ifndef GPUSAFE_PLUGIN_RENDER_H
#define GPUSAFE_PLUGIN_RENDER_H

#include "CompileSession.h"
#include "Options.h"
#include "SourceMap.h"
#include "gs.h"

#include "clang/Basic/Diagnostic.h"

#include <optional>
#include <vector>

namespace clang {
class Preprocessor;
}

namespace gpusafe {

/// Reports what a compile must hear of one report: errors for claims that are
/// broken or not proved, warnings for what is certain elsewhere, everything under
/// `verify`. Instances of one template that find the same thing at the same places
/// are one diagnostic.
class Renderer {
public:
  /// \param Diags where they go, as a rule those of \p PP
  Renderer(clang::Preprocessor &PP, clang::DiagnosticsEngine &Diags, const Options &Opts);

  void render(const gs_report &Report);
  /// A kernel whose claims could not be checked at all.
  void unchecked(const gs_kernel_desc &Kernel, llvm::StringRef Why);

private:
  /// One diagnostic: a finding and the kernels that share it.
  struct Group {
    const gs_finding *Finding;
    std::vector<const gs_kernel_result *> Kernels;
  };
  std::vector<Group> groupFindings(const gs_report &Report) const;
  bool isHeard(const gs_kernel_result &Kernel, const gs_finding &Finding) const;
  void emit(const Group &G);
  void emitAccesses(const gs_finding &F);
  void emitAccess(const gs_finding &F, const gs_access_ref &Access);
  void emitMacro(clang::SourceLocation Loc);
  void emitNotes(const gs_finding &F, llvm::ArrayRef<clang::FixItHint> Fixes);
  std::vector<clang::FixItHint> fixesOf(const Group &G);
  bool allWantFixes(const Group &G) const;
  void emitInstances(const Group &G);
  void emitUnproved(const gs_kernel_result &Kernel);
  void emitStats(const gs_kernel_result &Kernel);
  void note(const gs_loc &Loc, const std::string &Text);
  bool firstInSession(const Group &G);
  void report(clang::DiagnosticsEngine::Level Level, const gs_loc &Loc, const std::string &Text,
              llvm::ArrayRef<clang::FixItHint> Fixes = {});

  clang::Preprocessor &PP;
  const Options &Opts;
  clang::DiagnosticsEngine &Diags;
  SourceMap Places;
  std::optional<CompileSession> Session;
  const gs_report *Report = nullptr; ///< while it is rendered
  const char *Target = "";
};

} // namespace gpusafe
#endif
