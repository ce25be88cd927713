// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The entry of libgpusafe.so: what clang calls, in the order in which it happens.
///
/// While the source is parsed, Attributes.cpp keeps what is written. After each
/// top-level declaration the consumer checks it (DeclCheck.cpp) and forwards the
/// declaration to a CodeGen of its own (DeviceCodeGen.cpp). At the end of a unit
/// without errors the kernels of that module are described in plain C
/// (Describe.cpp), the core checks them, and Render.cpp says what it found.
#include "Analyzer.h"
#include "Annotate.h"
#include "Attributes.h"
#include "BareDeclarations.h"
#include "CompileSession.h"
#include "DeclCheck.h"
#include "Describe.h"
#include "DeviceCodeGen.h"
#include "Dump.h"
#include "LaunchCheck.h"
#include "ObjectContracts.h"
#include "Options.h"
#include "Render.h"
#include "Report.h"
#include "Trusted.h"
#include "gs.h"
#include "report_file.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"
#include "llvm-c/Core.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;
using namespace gpusafe;

/// Compiles that end in code, or could: a PCH or module is only a part of one.
static bool producesCode(frontend::ActionKind Action) {
  switch (int(Action)) {
  case frontend::EmitAssembly:
  case frontend::EmitBC:
  case frontend::EmitLLVM:
  case frontend::EmitLLVMOnly:
  case frontend::EmitCodeGenOnly:
  case frontend::EmitObj:
  case frontend::ParseSyntaxOnly:
    return true;
  default:
    return false;
  }
}

/// Clang Static Analyzer runs after us, and its checkers report what is found.
static bool isAnalyzed(const CompilerInstance &CI) {
  return CI.getFrontendOpts().ProgramAction == frontend::RunAnalysis;
}

/// Contracts go into code, or into a file of their own.
static bool wantsContracts(const CompilerInstance &CI, const Options &Opts) {
  bool MakesCode = CI.getFrontendOpts().ProgramAction != frontend::ParseSyntaxOnly && !isAnalyzed(CI);
  return (MakesCode && Opts.Runtime) || !Opts.ContractsFile.empty();
}

// ----------------------------------------------------------------- analysis ----

namespace {
/// The analysis of one finished module.
class Analysis {
public:
  Analysis(CompilerInstance &CI, const Options &Opts, DeviceCodeGen &Code)
      : CI(CI), S(CI.getSema()), Opts(Opts), Code(Code), Table(S, Opts) {}
  void run();

private:
  bool describeKernels(llvm::Module &Module);
  void check(llvm::Module &Module);
  void checkLaunches();
  void warnUnused();
  void dumpAccesses(llvm::Module &Module);
  void writeModule(llvm::Module &Module);
  void annotateKernels(llvm::Module &Module);
  void writeReport(const gs_report &Report);
  void embedContracts(const gs_report &Report);
  void reportUncheckable();
  gs_input input(llvm::Module &Module);

  CompilerInstance &CI;
  Sema &S;
  const Options &Opts;
  DeviceCodeGen &Code;
  std::optional<LaunchTable> Launches;
  std::optional<LaunchCheck> Launched;
  KernelTable Table;
  std::vector<const FunctionDecl *> Functions; ///< of the table's kernels
  std::string Target;
  unsigned Sm = 0;
};
} // namespace

static bool isKernelOfModule(const llvm::Function &Function) {
  return !Function.isDeclaration() && Function.getCallingConv() == llvm::CallingConv::PTX_Kernel;
}

/// Describes every kernel; those of system headers are taken out of the module,
/// which is ours alone.
bool Analysis::describeKernels(llvm::Module &Module) {
  CodeGenerator &Generator = *Code.active(); // null once something is reported here
  TrustedStatements Trusted(S, Generator, Table);
  bool Good = true;
  for (llvm::Function &Function : Module) {
    if (!isKernelOfModule(Function))
      continue;
    if (Opts.Launches && !Launches)
      Table.useLaunches(Launches.emplace(S));
    const auto *Kernel =
        dyn_cast_or_null<FunctionDecl>(Generator.GetDeclForMangledName(Function.getName()));
    if (!Kernel)
      continue;
    if (S.getSourceManager().isInSystemHeader(patternOf(*Kernel).getLocation()))
      Function.deleteBody();
    else if (Table.add(*Kernel, Function.getName(), Trusted.reachableFrom(Function)))
      Functions.push_back(Kernel);
    else
      Good = false;
  }
  return Good;
}

gs_input Analysis::input(llvm::Module &Module) {
  gs_input In = {};
  StringRef Main = "<stdin>";
  if (auto File = S.getSourceManager().getFileEntryRefForID(S.getSourceManager().getMainFileID()))
    Main = File->getName();
  In.file = Table.save(Main);
  Target = CI.getTargetOpts().CPU;
  unsigned Number = 0;
  if (!StringRef(Target).starts_with("sm_") ||
      StringRef(Target).drop_front(3).take_while(llvm::isDigit).getAsInteger(10, Number)) {
    Target = "sm_30"; // what clang's back end takes when nothing is said
    Number = 30;
  }
  In.target = Target.c_str();
  In.kernels = Table.kernels().data();
  In.kernel_count = uint32_t(Table.kernels().size());
  In.options.sm = Sm = Number;
  In.options.verify = Opts.Verify;
  In.options.strict = Opts.Strict;
  In.options.no_runtime = !Opts.Runtime;
  In.options.stats = Opts.Stats;
  In.options.same_value = Opts.SameValue;
  In.options.rules = Opts.Rules;
  // Who asks for a report reads the verdicts of all kernels.
  In.options.thorough = !Opts.ReportFile.empty();
  return In;
}

void Analysis::writeReport(const gs_report &Report) {
  if (Opts.ReportFile.empty())
    return;
  char *Text = nullptr;
  char Message[256] = "out of memory";
  gs_status Status = gs_report_to_json(&Report, /*with_times=*/true, &Text);
  if (Status == GS_OK)
    Status = gs_report_file_update(Opts.ReportFile.c_str(), Text, Message, sizeof Message);
  free(Text);
  if (Status != GS_OK)
    CI.getDiagnostics().Report(CI.getDiagnostics().getCustomDiagID(
        DiagnosticsEngine::Error, "-fplugin-arg-gpusafe-report=%0: cannot be written: %1"))
        << Opts.ReportFile << Message;
}

/// What was proved, and what launches must keep, goes into the compile's own module.
void Analysis::embedContracts(const gs_report &Report) {
  llvm::StringMap<size_t> Index;
  for (size_t I = 0; I < Functions.size(); I++)
    Index[Table.kernels()[I].mangled] = I;
  DeviceContracts Out(CI, Opts);
  for (uint32_t I = 0; I < Report.kernel_count; I++) {
    auto Found = Index.find(Report.kernels[I].mangled);
    if (Found != Index.end() && isAnnotated(*Functions[Found->second]))
      Out.add(*Functions[Found->second], Table.kernels()[Found->second], Report.kernels[I], Sm);
  }
  Out.embed();
}

void Analysis::dumpAccesses(llvm::Module &Module) {
  gs_input In = input(Module);
  char *Text = nullptr, *Error = nullptr;
  if (gs_dump(llvm::wrap(&Module), &In, &Text, &Error) == GS_OK)
    llvm::outs() << Text;
  else
    reportError(CI.getDiagnostics(), SourceLocation(),
                std::string("cannot dump the kernels: ") + (Error ? Error : "lowering failed"));
  free(Text);
  free(Error);
}

/// Writes a text. \returns false, and says so, when that fails.
static bool writeFile(CompilerInstance &CI, StringRef Option, StringRef Name,
                      llvm::function_ref<void(llvm::raw_ostream &)> Print) {
  llvm::Error Failure = llvm::writeToOutput(Name, [&](llvm::raw_ostream &OS) {
    Print(OS);
    return llvm::Error::success();
  });
  if (!Failure)
    return true;
  CI.getDiagnostics().Report(CI.getDiagnostics().getCustomDiagID(
      DiagnosticsEngine::Error, "-fplugin-arg-gpusafe-%0: '%1' cannot be written: %2"))
      << Option << Name << llvm::errorToErrorCode(std::move(Failure)).message();
  return false;
}

/// The module as the core gets it, with the source's names of parameters, and beside it what
/// the source says of the kernels, in the text form.
void Analysis::writeModule(llvm::Module &Module) {
  Module.getContext().setDiscardValueNames(false);
  for (const gs_kernel_desc &Kernel : Table.kernels())
    if (llvm::Function *Function = Module.getFunction(Kernel.mangled))
      for (uint32_t I = 0; I < Kernel.param_count && I < Function->arg_size(); I++)
        Function->getArg(I)->setName(Kernel.params[I].name);
  if (!writeFile(CI, "module", Opts.ModuleFile, [&](llvm::raw_ostream &OS) { Module.print(OS, nullptr); }))
    return;
  gs_input In = input(Module);
  char *Text = nullptr;
  std::string Beside = StringRef(Opts.ModuleFile).substr(0, Opts.ModuleFile.rfind('.')).str() + ".gs";
  if (gs_dump(llvm::wrap(&Module), &In, &Text, nullptr) == GS_OK)
    writeFile(CI, "module", Beside, [&](llvm::raw_ostream &OS) { OS << Text; });
  free(Text);
}

/// Proposals alone: nothing is reported of the kernels as they are.
void Analysis::annotateKernels(llvm::Module &Module) {
  gs_input In = input(Module);
  In.options.thorough = true;
  std::string Error;
  llvm::json::Value Found = annotate(S, Module, In, Functions, Launches ? &*Launches : nullptr, Error);
  if (!Error.empty())
    reportError(CI.getDiagnostics(), SourceLocation(), "cannot look for annotations: " + Error);
  else
    writeFile(CI, "annotate", Opts.AnnotateFile, [&](llvm::raw_ostream &OS) { OS << llvm::formatv("{0:2}\n", Found); });
}

/// Before the kernels, because the report tells both.
void Analysis::checkLaunches() {
  if (!Launches)
    return;
  Launched.emplace(S, Opts, *Launches, Sm);
  for (size_t I = 0; I < Functions.size(); I++)
    Table.setSites(I, Launched->sites(*Functions[I]));
}

void Analysis::check(llvm::Module &Module) {
  input(Module); // what target it is
  checkLaunches();
  gs_input In = input(Module);
  gs_report *Report = nullptr;
  char *Error = nullptr;
  Renderer Out(CI.getPreprocessor(), CI.getDiagnostics(), Opts);
  if (gs_check(llvm::wrap(&Module), &In, &Report, &Error) != GS_OK) {
    for (const gs_kernel_desc &Kernel : Table.kernels())
      if (Kernel.claim_count > 0 || Kernel.fact_count > 0 || Opts.Verify)
        Out.unchecked(Kernel, Error ? Error : "the analysis failed");
  } else {
    writeReport(*Report);
    if (isAnalyzed(CI))
      keepFindings(CI, Opts, *Report);
    else
      Out.render(*Report);
    if (wantsContracts(CI, Opts) && !CI.getDiagnostics().hasErrorOccurred())
      embedContracts(*Report);
  }
  gs_report_free(Report);
  free(Error);
}

/// CodeGen failed. A compile that generates code itself will say why; under
/// -fsyntax-only nobody else does, and a claim must not pass unproved.
void Analysis::reportUncheckable() {
  bool Claimed = Opts.Verify || attributeState(S.Context).AnyClaim;
  if (CI.getFrontendOpts().ProgramAction != frontend::ParseSyntaxOnly || Opts.Off || !Claimed)
    return;
  reportError(CI.getDiagnostics(), SourceLocation(),
              "cannot check the kernels of this file: " + Code.firstError());
}

/// Launch facts from options that are about no kernel.
void Analysis::warnUnused() {
  DiagnosticsEngine &Diags = CI.getDiagnostics();
  bool AnyFact = !Opts.Assumptions.empty() || !Opts.LaunchFacts.empty();
  if (AnyFact && Table.AssumeCandidates == 0 && Table.WithContract > 0)
    Diags.Report(warningID(Diags, "launch facts from options (block=, grid=, assume=) apply to no "
                                  "kernel of this file: all have contracts, which say how they "
                                  "are launched"));
  else if (!Opts.Assumptions.empty() && Table.AssumeCandidates > 0 && Table.AssumedBy == 0)
    Diags.Report(warningID(Diags, "-fplugin-arg-gpusafe-assume applies to no kernel of this file: "
                                  "none without a contract has the names it uses"));
}

void Analysis::run() {
  llvm::Module *Module = Code.module();
  if (!Module)
    return reportUncheckable();
  bool Described = describeKernels(*Module);
  if (Opts.Dump)
    for (const gs_kernel_desc &Kernel : Table.kernels())
      dump(llvm::errs(), Kernel);
  if (!Described || Opts.Off)
    return;
  if (Opts.DumpAccesses)
    return dumpAccesses(*Module);
  if (!Opts.ModuleFile.empty())
    return writeModule(*Module);
  if (!Opts.AnnotateFile.empty())
    return annotateKernels(*Module);
  check(*Module);
  if (!isAnalyzed(CI))
    reportBareDeclarations(S, Functions);
  if (Launched && !isAnalyzed(CI)) // there the host pass looks at launches, path by path
    Launched->report();
  warnUnused();
}

// ----------------------------------------------------------------- consumer ----

namespace {
class Consumer : public ASTConsumer {
public:
  /// \param Analyse the unit is compiled to the end, and to be checked
  /// \param Device  for a GPU
  Consumer(CompilerInstance &CI, const Options &Opts, bool Analyse, bool Device)
      : CI(CI), Opts(Opts), Analyse(Analyse), Skipped(CI.hasPreprocessor() ? recordSkipped(CI.getPreprocessor())
                                                         : std::make_shared<const SkippedRanges>()),
        Code(Analyse && Device ? std::make_unique<DeviceCodeGen>(CI) : nullptr) {
    if (CI.hasPreprocessor())
      watchMacros(CI.getPreprocessor());
  }
  ~Consumer() override {
    if (Context) {
      dropAttributeState(*Context);
      host::dropUnitFacts(*Context);
    }
  }

  void Initialize(ASTContext &Ctx) override {
    Context = &Ctx;
    if (auto *G = generator())
      G->Initialize(Ctx);
  }
  bool HandleTopLevelDecl(DeclGroupRef D) override {
    if (CI.hasSema())
      checkPending(CI.getSema(), /*AtEnd=*/false);
    auto *G = generator();
    return G ? G->HandleTopLevelDecl(D) : true;
  }
  void HandleTranslationUnit(ASTContext &Ctx) override;

  // Everything else is for CodeGen alone.
  void HandleInlineFunctionDefinition(FunctionDecl *D) override {
    if (auto *G = generator())
      G->HandleInlineFunctionDefinition(D);
  }
  void HandleInterestingDecl(DeclGroupRef D) override {
    if (auto *G = generator())
      G->HandleInterestingDecl(D);
  }
  void HandleTagDeclDefinition(TagDecl *D) override {
    if (auto *G = generator())
      G->HandleTagDeclDefinition(D);
  }
  void HandleTagDeclRequiredDefinition(const TagDecl *D) override {
    if (auto *G = generator())
      G->HandleTagDeclRequiredDefinition(D);
  }
  void HandleCXXImplicitFunctionInstantiation(FunctionDecl *D) override {
    if (auto *G = generator())
      G->HandleCXXImplicitFunctionInstantiation(D);
  }
  void HandleImplicitImportDecl(ImportDecl *D) override {
    if (auto *G = generator())
      G->HandleImplicitImportDecl(D);
  }
  void CompleteTentativeDefinition(VarDecl *D) override {
    if (auto *G = generator())
      G->CompleteTentativeDefinition(D);
  }
  void CompleteExternalDeclaration(DeclaratorDecl *D) override {
    if (auto *G = generator())
      G->CompleteExternalDeclaration(D);
  }
  void AssignInheritanceModel(CXXRecordDecl *D) override {
    if (auto *G = generator())
      G->AssignInheritanceModel(D);
  }
  void HandleCXXStaticMemberVarInstantiation(VarDecl *D) override {
    if (auto *G = generator())
      G->HandleCXXStaticMemberVarInstantiation(D);
  }
  void HandleVTable(CXXRecordDecl *D) override {
    if (auto *G = generator())
      G->HandleVTable(D);
  }

private:
  CodeGenerator *generator() { return Code ? Code->active() : nullptr; }

  CompilerInstance &CI;
  Options Opts;
  bool Analyse;
  ASTContext *Context = nullptr;
  std::shared_ptr<const SkippedRanges> Skipped;
  std::unique_ptr<DeviceCodeGen> Code;
  std::optional<HostContracts> Contracts; ///< for the analyzer
};
} // namespace

/// A PCH or module that was made without the plugin has lost its annotations.
static void checkActive(Preprocessor &PP) {
  const IdentifierInfo *Name = PP.getIdentifierInfo("GPUSAFE_ACTIVE");
  const MacroInfo *Macro = PP.getMacroInfo(Name);
  if (!Macro || Macro->getNumTokens() != 1)
    return;
  const Token &Value = *Macro->tokens_begin();
  if (Value.is(tok::numeric_constant) && Value.getLength() == 1 && PP.getSpelling(Value) == "0")
    reportError(PP.getDiagnostics(), Macro->getDefinitionLoc(),
                "gpusafe.h was read without the plugin, by a precompiled header or module: its "
                "annotations are lost; make that with the plugin too");
}

static void checkHostLaunches(Sema &S, const Options &Opts) {
  LaunchTable Launches(S);
  LaunchCheck(S, Opts, Launches, 0).report();
}

void Consumer::HandleTranslationUnit(ASTContext &Ctx) {
  if (CI.hasPreprocessor() && hasKernels(Ctx))
    checkActive(CI.getPreprocessor());
  checkPending(CI.getSema(), /*AtEnd=*/true);
  checkMisspelt(CI.getSema(), *Skipped);
  bool Host = Ctx.getLangOpts().CUDA && !Ctx.getLangOpts().CUDAIsDevice;
  if (Host && Analyse && isAnalyzed(CI) && !CI.getDiagnostics().hasErrorOccurred()) {
    host::unitFacts(Ctx).Contracts = &Contracts.emplace(CI.getSema(), Opts);
    if (hasKernels(Ctx))
      analyzeKernels(CI);
  }
  // Only the host pass sees what __CUDA_ARCH__ hides from the others.
  if (Host && Opts.Launches && Analyse && !isAnalyzed(CI) &&
      !CI.getDiagnostics().hasErrorOccurred())
    checkHostLaunches(CI.getSema(), Opts);
  if (Host && Analyse && wantsContracts(CI, Opts) && !CI.getDiagnostics().hasErrorOccurred())
    embedHostContracts(CI, Opts);
  if (Host)
    CompileSession::end(); // it comes last
  if (auto *G = generator())
    G->HandleTranslationUnit(Ctx);
  if (Code && !CI.getDiagnostics().hasErrorOccurred())
    Analysis(CI, Opts, *Code).run();
}

// ------------------------------------------------------------------- action ----

namespace {
class Action : public PluginASTAction {
public:
  bool ParseArgs(const CompilerInstance &CI, const std::vector<std::string> &Args) override {
    return parseOptions(CI.getDiagnostics(), Args, Opts);
  }
  ActionType getActionType() override { return AddBeforeMainAction; }

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI, StringRef) override {
    const LangOptions &Lang = CI.getLangOpts();
    bool Device =
        CI.getTarget().getTriple().isNVPTX() && (!Lang.CUDA || Lang.CUDAIsDevice) && !Lang.OpenMP;
    bool Wanted = !Opts.Off || Opts.Dump;
    bool Analyse =
        Wanted && (producesCode(CI.getFrontendOpts().ProgramAction) || isAnalyzed(CI));
    return std::make_unique<Consumer>(CI, Opts, Analyse, Device);
  }

private:
  Options Opts;
};
} // namespace

static FrontendPluginRegistry::Add<Action>
    Entry("gpusafe", "prove or refute the ownership annotations of CUDA kernels");
