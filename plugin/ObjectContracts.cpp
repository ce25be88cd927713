// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ObjectContracts.h"
#include "Describe.h"
#include "Descriptor.h"
#include "Report.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/GlobalDecl.h"
#include "clang/AST/Mangle.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendOptions.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/SetVector.h"

using namespace clang;
using namespace gpusafe;

/// As CodeGen names the stub, and the kernel; under -fgpu-rdc a static kernel has a
/// longer name in the device module.
static std::string mangled(const FunctionDecl &Kernel, KernelReferenceKind Kind) {
  std::unique_ptr<MangleContext> Mangler(Kernel.getASTContext().createMangleContext());
  std::string Name;
  llvm::raw_string_ostream OS(Name);
  if (Mangler->shouldMangleDeclName(&Kernel))
    Mangler->mangleName(GlobalDecl(&Kernel, Kind), OS);
  else
    OS << (Kind == KernelReferenceKind::Stub ? "__device_stub__" : "") << Kernel.getName();
  return Name;
}

/// Under what the device pass tells the host pass of a kernel.
static std::string noteKey(const FunctionDecl &Kernel) {
  return "proof of " + mangled(Kernel, KernelReferenceKind::Kernel);
}

static void cannotEmbed(DiagnosticsEngine &Diags, const FunctionDecl &Kernel) {
  reportError(Diags, Kernel.getLocation(),
              "the contract of this kernel does not fit into an object; "
              "-fplugin-arg-gpusafe-runtime=off leaves it out");
}

/// Code that is made without any pass is not reached; bitcode is (Embed.cpp).
static void warnUnreached(CompilerInstance &CI) {
  frontend::ActionKind Kind = CI.getFrontendOpts().ProgramAction;
  if (!CI.getCodeGenOpts().DisableLLVMPasses || Kind == frontend::EmitBC ||
      Kind == frontend::EmitLLVM || CI.getDiagnostics().getIgnoreAllWarnings())
    return;
  DiagnosticsEngine &Diags = CI.getDiagnostics();
  Diags.Report(Diags.getCustomDiagID(
      DiagnosticsEngine::Warning, "-disable-llvm-passes leaves contracts out of the code, and "
                                  "launches unchecked [gpusafe-launch-contract]"));
}

// ------------------------------------------------------------------- device ----

void DeviceContracts::add(const FunctionDecl &Kernel, const gs_kernel_desc &Desc,
                          const gs_kernel_result &Result, unsigned Sm) {
  ProofSummary Proof;
  Proof.Assumed = Result.assumed;
  Proof.Verdict = Result.verdict;
  Proof.Sm = Sm;
  auto Bytes = buildDescriptor(Kernel, Desc, Proof);
  if (!Bytes) {
    cannotEmbed(CI.getDiagnostics(), Kernel);
    return;
  }
  Contracts.push_back({Desc.mangled, std::move(*Bytes)});
  if (CI.getLangOpts().CUDA)
    Session.note(noteKey(Kernel), packSummary(Proof));
}

void DeviceContracts::embed() {
  if (Contracts.empty())
    return;
  warnUnreached(CI);
  embedInDevice(CI.getCodeGenOpts(), std::move(Contracts));
}

// --------------------------------------------------------------------- host ----

namespace {
/// Annotated kernels in the order of the source, instances of templates included.
class Finder : public RecursiveASTVisitor<Finder> {
public:
  llvm::SetVector<const FunctionDecl *> Kernels; ///< definitions, where there is one

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool VisitFunctionDecl(FunctionDecl *F) {
    if (!F->hasAttr<CUDAGlobalAttr>() || F->isDependentContext() || !isAnnotated(*F))
      return true;
    const FunctionDecl *Definition = nullptr;
    F->isDefined(Definition);
    Kernels.insert(Definition ? Definition : F->getCanonicalDecl());
    return true;
  }
  // Nothing inside of functions, types and expressions declares a kernel.
  bool TraverseStmt(Stmt *) { return true; }
  bool TraverseTypeLoc(TypeLoc, bool = true) { return true; }
};

class Embedder {
public:
  Embedder(CompilerInstance &CI, const Options &Opts)
      : CI(CI), S(CI.getSema()), Opts(Opts), Table(S, Opts) {}
  void add(const FunctionDecl &Kernel);
  void finish();

private:
  ProofSummary proofOf(const FunctionDecl &Kernel);

  CompilerInstance &CI;
  Sema &S;
  const Options &Opts;
  KernelTable Table;
  CompileSession Session;
  std::vector<EmbeddedContract> Contracts;
};
} // namespace

ProofSummary Embedder::proofOf(const FunctionDecl &Kernel) {
  ProofSummary Proof;
  for (uint32_t Note : Session.notes(noteKey(Kernel)))
    addSummary(Note, Proof);
  if (Proof.Verdict == 0xFFFFFFFFu && !Opts.Strict && !S.Diags.getIgnoreAllWarnings()) {
    unsigned ID = S.Diags.getCustomDiagID(
        DiagnosticsEngine::Warning,
        "no device pass of this compile checked %0: launches are checked against its contract, "
        "but not against what a proof assumes [gpusafe-launch-contract]");
    S.Diags.Report(Kernel.getLocation(), ID) << &Kernel;
  }
  return Proof;
}

void Embedder::add(const FunctionDecl &Kernel) {
  EmbeddedContract Contract;
  Contract.Symbol = mangled(Kernel, KernelReferenceKind::Stub);
  if (Kernel.isThisDeclarationADefinition()) {
    const char *Name = Table.save(mangled(Kernel, KernelReferenceKind::Kernel));
    if (!Table.add(Kernel, Name, {}))
      return;
    auto Bytes = buildDescriptor(Kernel, Table.kernels().back(), proofOf(Kernel));
    if (!Bytes) {
      cannotEmbed(S.Diags, Kernel);
      return;
    }
    Contract.Bytes = std::move(*Bytes);
  }
  Contracts.push_back(std::move(Contract));
}

void Embedder::finish() {
  if (Contracts.empty())
    return;
  warnUnreached(CI);
  embedInHost(CI.getCodeGenOpts(), std::move(Contracts));
}

void gpusafe::embedHostContracts(CompilerInstance &CI, const Options &Opts) {
  Finder Find;
  Find.TraverseDecl(CI.getASTContext().getTranslationUnitDecl());
  if (Find.Kernels.empty())
    return;
  Embedder E(CI, Opts);
  for (const FunctionDecl *Kernel : Find.Kernels)
    E.add(*Kernel);
  E.finish();
}
