// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Analyzer.h"
#include "Compat.h"
#include "Render.h"

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/StaticAnalyzer/Core/AnalyzerOptions.h"

using namespace clang;
using namespace gpusafe;

const gs_kernel_desc *HostContracts::find(const FunctionDecl &Kernel) {
  auto [At, IsNew] = Known.try_emplace(Kernel.getCanonicalDecl());
  // Texts and clauses stay where they are; the row itself moves when another is added.
  if (IsNew && isAnnotated(Kernel) && Table.add(Kernel, "", {}))
    At->second = Table.kernels().back();
  return At->second ? &*At->second : nullptr;
}

namespace {

/// Turns diagnostics into findings: a note belongs to what came before it.
class Collector : public DiagnosticConsumer {
public:
  explicit Collector(std::vector<host::KernelFinding> &To) : To(To) {}

  void HandleDiagnostic(DiagnosticsEngine::Level Level, const Diagnostic &Info) override {
    SmallString<256> Text;
    Info.FormatDiagnostic(Text);
    if (Level == DiagnosticsEngine::Note) {
      if (Heard)
        To.back().Notes.emplace_back(Info.getLocation(), Text.str().str());
      return;
    }
    // "... [gpusafe-data-race]"
    auto [Message, Rule] = Text.str().rsplit(" [gpusafe-");
    Heard = Level >= DiagnosticsEngine::Warning && Rule.consume_back("]");
    if (Heard)
      To.push_back({Rule.str(), Message.str(), Info.getLocation(), {}});
  }

private:
  std::vector<host::KernelFinding> &To;
  bool Heard = false;
};

} // namespace

void gpusafe::keepFindings(CompilerInstance &CI, const Options &Opts, const gs_report &Report) {
  Collector Client(host::unitFacts(CI.getASTContext()).Findings);
  DiagnosticOptions Plain;
  auto Diags = makeQuietDiagnostics(Plain, &Client);
  Diags->setSourceManager(&CI.getSourceManager());
  Renderer(CI.getPreprocessor(), *Diags, Opts).render(Report);
}

// ------------------------------------------------------------------ device pass ----

static bool isKernelChecker(StringRef Name) {
#define GS_RULE(id, name, on, summary)                                                             \
  if (Name == (on ? "gpusafe." name : "gpusafe_extra." name))                                      \
    return true;
#include "rules.def"
  return Name == "gpusafe" || Name == "gpusafe_extra";
}

static bool wantsKernels(const AnalyzerOptions &Opts) {
  for (const auto &[Name, Enabled] : Opts.CheckersAndPackages)
    if (Enabled && isKernelChecker(Name))
      return true;
  return false;
}

namespace {

/// Parses the unit for a device. The plugin takes part as in every compile; what it leaves for
/// the analyzer is taken over before the unit goes away.
class DeviceAction : public SyntaxOnlyAction {
public:
  explicit DeviceAction(CompilerInstance &Host) : Host(Host) {}

  void EndSourceFileAction() override {
    auto &Found = host::unitFacts(getCompilerInstance().getASTContext()).Findings;
    auto &To = host::unitFacts(Host.getASTContext()).Findings;
    for (host::KernelFinding &F : Found) {
      F.Loc = moved(F.Loc);
      for (auto &Note : F.Notes)
        Note.first = moved(Note.first);
      To.push_back(std::move(F));
    }
    Found.clear();
  }

private:
  /// The same place in the host's unit, which reads the same files.
  SourceLocation moved(SourceLocation Loc) const {
    const SourceManager &SM = getCompilerInstance().getSourceManager();
    FullSourceLoc At(SM.getFileLoc(Loc), SM);
    OptionalFileEntryRef File = Loc.isValid() ? At.getFileEntryRef() : std::nullopt;
    if (!File)
      return SourceLocation();
    return Host.getSourceManager().translateFileLineCol(*File, At.getSpellingLineNumber(),
                                                        At.getSpellingColumnNumber());
  }

  CompilerInstance &Host;
};

} // namespace

void gpusafe::analyzeKernels(CompilerInstance &Host) {
  if (!wantsKernels(Host.getAnalyzerOpts()))
    return;
  auto Invocation = std::make_shared<CompilerInvocation>(Host.getInvocation());
  TargetOptions Target;
  Target.Triple = "nvptx64-nvidia-cuda";
  Target.HostTriple = Host.getTargetOpts().Triple;
  Target.CPU = "sm_90"; // as `gpusafe check` does where nothing is said
  Target.FeaturesAsWritten = {"+ptx88"};
  Target.SDKVersion = Host.getTargetOpts().SDKVersion;
  Invocation->getFrontendOpts().AuxTriple = Target.HostTriple;
  Invocation->getFrontendOpts().OutputFile.clear();
  Invocation->getTargetOpts() = Target;
  Invocation->getLangOpts().CUDAIsDevice = true;
  Invocation->getDiagnosticOpts().VerifyDiagnostics = false;
  Invocation->getDiagnosticOpts().ShowCarets = false; // nor a count of what is not heard
  IgnoringDiagConsumer Silent; // what does not compile, the host's pass or the build tells
  std::unique_ptr<CompilerInstance> Device = makeInstance(Host, std::move(Invocation), Silent);
  if (!Device)
    return;
  DeviceAction Action(Host);
  Device->ExecuteAction(Action);
}
