// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The findings of the core as the analyzer's own reports, so that scan-build, CodeChecker and
// every reader of its plists get them. The device pass finds them before the analyzer begins.
#include "Kernels.h"
#include "Host.h"

#include "clang/StaticAnalyzer/Core/BugReporter/BugReporter.h"
#include "clang/StaticAnalyzer/Frontend/CheckerRegistry.h"

#include <map>

using namespace clang;
using namespace clang::ento;
using namespace gpusafe::host;

namespace {

/// Keyed by the unit, as attributes are: checkers are given nothing else.
std::map<const ASTContext *, UnitFacts> &allFacts() {
  static std::map<const ASTContext *, UnitFacts> Facts;
  return Facts;
}

class KernelChecker : public Checker<check::EndOfTranslationUnit> {
public:
  std::array<std::unique_ptr<BugType>, GS_RULE_COUNT> Types;

  void checkEndOfTranslationUnit(const TranslationUnitDecl *Unit, AnalysisManager &Manager,
                                 BugReporter &Reporter) const;
};

} // namespace

UnitFacts &gpusafe::host::unitFacts(const ASTContext &Context) { return allFacts()[&Context]; }
void gpusafe::host::dropUnitFacts(const ASTContext &Context) { allFacts().erase(&Context); }

void KernelChecker::checkEndOfTranslationUnit(const TranslationUnitDecl *Unit, AnalysisManager &,
                                              BugReporter &Reporter) const {
  const SourceManager &SM = Reporter.getSourceManager();
  for (const KernelFinding &F : unitFacts(Unit->getASTContext()).Findings) {
    const BugType *Type = nullptr;
    for (unsigned R = 0; R < GS_RULE_COUNT && !Type; R++)
      if (F.Rule == gs_rule_name(gs_rule(R)))
        Type = Types[R].get();
    if (!Type || F.Loc.isInvalid())
      continue;
    auto Report =
        std::make_unique<BasicBugReport>(*Type, F.Message, PathDiagnosticLocation(F.Loc, SM));
    for (const auto &[Loc, Text] : F.Notes)
      if (Loc.isValid())
        Report->addNote(Text, PathDiagnosticLocation(Loc, SM));
    Reporter.emitReport(std::move(Report));
  }
}

static void registerModel(CheckerManager &Manager) { Manager.registerChecker<KernelChecker>(); }

template <unsigned R> static void enable(CheckerManager &Manager) {
  Manager.getChecker<KernelChecker>()->Types[R] =
      std::make_unique<BugType>(Manager.getCurrentCheckerName(), gs_rule_name(gs_rule(R)), "CUDA");
}

static bool always(const CheckerManager &) { return true; }

void gpusafe::host::registerKernelRules(CheckerRegistry &Registry) {
  Registry.addChecker(registerModel, always, "gpusafe_model.kernels", "", "", true);
#define GS_RULE(id, name, on, summary)                                                             \
  Registry.addChecker(enable<GS_RULE_##id>, always, on ? "gpusafe." name : "gpusafe_extra." name,  \
                      summary, "", false);                                                         \
  Registry.addDependency(on ? "gpusafe." name : "gpusafe_extra." name, "gpusafe_model.kernels");
#include "rules.def"
}
