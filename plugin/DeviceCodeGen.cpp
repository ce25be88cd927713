// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DeviceCodeGen.h"
#include "Compat.h"

#include "clang/Frontend/CompilerInstance.h"

using namespace clang;
using namespace gpusafe;

/// Keeps the first error and drops the rest.
class DeviceCodeGen::Recorder : public DiagnosticConsumer {
public:
  std::string First;
  void HandleDiagnostic(DiagnosticsEngine::Level Level, const Diagnostic &Info) override {
    DiagnosticConsumer::HandleDiagnostic(Level, Info);
    if (Level < DiagnosticsEngine::Error || !First.empty())
      return;
    llvm::SmallString<128> Text;
    Info.FormatDiagnostic(Text);
    First = std::string(Text);
  }
};

static CodeGenOptions privateOptions(const CodeGenOptions &Real) {
  CodeGenOptions Options = Real;
  // -O0 would add optnone and noinline everywhere; no pass runs in any case.
  Options.OptimizationLevel = 1;
  Options.OptimizeSize = 0;
  Options.DisableLLVMPasses = true;
  Options.setDebugInfo(llvm::codegenoptions::LocTrackingOnly);
  Options.DebugColumnInfo = true;
  Options.NoInlineLineTables = false;
  // Keeps file names as clang was given them: no directory is split off from
  // absolute ones, and none is noted for the others.
  Options.DebugCompilationDir = "<here>";
  Options.DebugPrefixMap = {{"<here>", ""}};
  Options.EmbedSource = false;
  Options.MacroDebugInfo = false;
  Options.SplitDwarfFile.clear();
  Options.LinkBitcodeFiles.clear();
  Options.PassBuilderCallbacks.clear();
  Options.PassPlugins.clear();
  Options.ClearASTBeforeBackend = false;
  // Instrumentation would look like accesses of the kernel.
  Options.setProfileInstr(CodeGenOptions{}.getProfileInstr());
  Options.setProfileUse(CodeGenOptions{}.getProfileUse());
  Options.CoverageMapping = false;
  Options.InstrumentFunctions = false;
  Options.InstrumentFunctionsAfterInlining = false;
  Options.InstrumentFunctionEntryBare = false;
  Options.InstrumentForProfiling = false;
  Options.XRayInstrumentFunctions = false;
  Options.CoverageNotesFile.clear();
  Options.CoverageDataFile.clear();
  return Options;
}

DeviceCodeGen::DeviceCodeGen(CompilerInstance &CI)
    : CI(CI), Client(std::make_unique<Recorder>()),
      Diags(makeQuietDiagnostics(DiagOptions, Client.get())),
      Options(privateOptions(CI.getCodeGenOpts())) {
  Diags->setSourceManager(&CI.getSourceManager());
  Generator = makeCodeGenerator(CI, *Diags, "gpusafe", Options, Context);
}

DeviceCodeGen::~DeviceCodeGen() = default;

CodeGenerator *DeviceCodeGen::active() {
  if (Diags->hasErrorOccurred())
    return nullptr;
  if (!CI.getDiagnostics().hasErrorOccurred())
    return Generator.get();
  // From here on the generator must not finish what it has begun.
  Diags->Report(Diags->getCustomDiagID(DiagnosticsEngine::Error, "the compile has errors"));
  return nullptr;
}

llvm::Module *DeviceCodeGen::module() {
  return Diags->hasErrorOccurred() ? nullptr : Generator->GetModule();
}

const std::string &DeviceCodeGen::firstError() const { return Client->First; }
