// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Clang diagnostics with a text made at run time.
///
/// Diagnostics of a plugin cannot join a -W group, so errors and warnings end in
/// the rule in brackets.
#ifndef GPUSAFE_PLUGIN_REPORT_H
#define GPUSAFE_PLUGIN_REPORT_H

#include "clang/Basic/Diagnostic.h"

namespace gpusafe {

/// An error about an annotation or an option, "[gpusafe-contract]" added.
inline clang::DiagnosticBuilder reportError(clang::DiagnosticsEngine &Diags,
                                            clang::SourceLocation Loc, llvm::StringRef Message) {
  unsigned ID = Diags.getCustomDiagID(clang::DiagnosticsEngine::Error, "%0 [gpusafe-contract]");
  clang::DiagnosticBuilder Builder = Diags.Report(Loc, ID);
  Builder << Message;
  return Builder;
}

/// The identifier of a warning. Clang does not apply -w and -Werror to diagnostics of
/// plugins, so that is done here.
template <unsigned N>
unsigned warningID(clang::DiagnosticsEngine &Diags, const char (&Format)[N]) {
  using Engine = clang::DiagnosticsEngine;
  Engine::Level Level = Diags.getIgnoreAllWarnings() ? Engine::Ignored
                        : Diags.getWarningsAsErrors() ? Engine::Error
                                                      : Engine::Warning;
  return Diags.getCustomDiagID(Level, Format);
}

/// A note to the diagnostic before it.
inline clang::DiagnosticBuilder reportNote(clang::DiagnosticsEngine &Diags,
                                           clang::SourceLocation Loc, llvm::StringRef Message) {
  unsigned ID = Diags.getCustomDiagID(clang::DiagnosticsEngine::Note, "%0");
  clang::DiagnosticBuilder Builder = Diags.Report(Loc, ID);
  Builder << Message;
  return Builder;
}

} // namespace gpusafe
#endif
