// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ObjectContracts.h"
#include "Describe.h"
#include "Descriptor.h"
#include "Report.h"
#include "codegen.h"
#include "gs_descriptor.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/GlobalDecl.h"
#include "clang/AST/Mangle.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendOptions.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/raw_ostream.h"

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

static std::string identityKey(const FunctionDecl &Kernel, unsigned Word) {
  return noteKey(Kernel) + ", word " + std::to_string(Word);
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
      Kind == frontend::EmitLLVM)
    return;
  DiagnosticsEngine &Diags = CI.getDiagnostics();
  Diags.Report(warningID(Diags, "-disable-llvm-passes leaves contracts out of the code, and "
                                  "launches unchecked [gpusafe-launch-contract]"));
}

// ------------------------------------------------------------------- device ----

/// What the code may take for granted, now that it is proved and will be enforced.
void DeviceContracts::addCodegen(const FunctionDecl &Kernel, const gs_kernel_desc &Desc,
                                 const gs_kernel_result &Result, ProofSummary &Proof,
                                 EmbeddedContract &To) {
  if (Result.verdict != GS_PROVED) {
    unsigned ID = warningID(CI.getDiagnostics(),
                            "codegen=on leaves the code of %0 as it is: what is %1 is no proof "
                            "[gpusafe-contract]");
    CI.getDiagnostics().Report(Kernel.getLocation(), ID)
        << &Kernel << gs_verdict_name(Result.verdict);
    return;
  }
  uint32_t Rules = Opts.Rules ? Opts.Rules : gs_rule_defaults();
  bool Bounded = Rules >> GS_RULE_OUT_OF_BOUNDS & 1;
  To.NoAlias = Bounded && gs_contract_no_alias(&Desc, &Result);
  To.Sizes = gs_contract_codegen(&Desc, Result.assumed);
  if (To.NoAlias)
    Proof.Assumed |= GS_DESC_ASSUME_NO_ALIAS; // so that launches are checked for it
  if (To.NoAlias || To.Sizes.block[0] || To.Sizes.max_threads)
    Proof.Assumed |= GS_DESC_CODEGEN;
}

void DeviceContracts::add(const FunctionDecl &Kernel, const gs_kernel_desc &Desc,
                          const gs_kernel_result &Result, unsigned Sm) {
  ProofSummary Proof;
  EmbeddedContract Contract;
  Proof.Assumed = Result.assumed;
  Proof.Verdict = Result.verdict;
  Proof.Sm = Sm;
  memcpy(Proof.Identity.data(), Result.proof, sizeof Result.proof);
  if (Opts.Codegen)
    addCodegen(Kernel, Desc, Result, Proof, Contract);
  auto Bytes = buildDescriptor(Kernel, Desc, Proof);
  if (!Bytes) {
    cannotEmbed(CI.getDiagnostics(), Kernel);
    return;
  }
  Contract.Symbol = Desc.mangled;
  Contract.Bytes = std::move(*Bytes);
  Contracts.push_back(std::move(Contract));
  if (!CI.getLangOpts().CUDA)
    return;
  Session.note(noteKey(Kernel), packSummary(Proof));
  for (unsigned I = 0; I < Proof.Identity.size(); I++)
    Session.note(identityKey(Kernel, I), Proof.Identity[I]);
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
  void list(const FunctionDecl &Kernel, StringRef Bytes);
  void writeList();

  CompilerInstance &CI;
  Sema &S;
  const Options &Opts;
  KernelTable Table;
  CompileSession Session;
  std::vector<EmbeddedContract> Contracts;
  std::string Listed; ///< C source
  unsigned ListedCount = 0;
};
} // namespace

ProofSummary Embedder::proofOf(const FunctionDecl &Kernel) {
  ProofSummary Proof;
  for (uint32_t Note : Session.notes(noteKey(Kernel)))
    addSummary(Note, Proof);
  for (unsigned I = 0; I < Proof.Identity.size(); I++)
    for (uint32_t Word : Session.notes(identityKey(Kernel, I)))
      Proof.Identity[I] += Word;
  if (Proof.Verdict == 0xFFFFFFFFu && !Opts.Strict) {
    unsigned ID = warningID(
        S.Diags,
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
    list(Kernel, Contract.Bytes);
  }
  Contracts.push_back(std::move(Contract));
}

/// nvcc's host code launches by the address of a function that is called as the kernel is.
void Embedder::list(const FunctionDecl &Kernel, StringRef Bytes) {
  if (Opts.ContractsFile.empty())
    return;
  if (!Kernel.isExternallyVisible()) {
    unsigned ID = warningID(
        S.Diags, "another object cannot name %0, which has internal linkage: "
                                    "its launches stay unchecked [gpusafe-launch-contract]");
    S.Diags.Report(Kernel.getLocation(), ID) << &Kernel;
    return;
  }
  std::string Stub = mangled(Kernel, KernelReferenceKind::Kernel);
  // An instance that the other compiler does not make is no error.
  if (Kernel.isTemplateInstantiation() || Kernel.isInlined())
    Listed += "#pragma weak " + Stub + "\n";
  size_t Length = gs_descriptor_print_c(Bytes.data(), Bytes.size(), Stub.c_str(), ListedCount,
                                        nullptr, 0);
  std::string Text(Length + 1, '\0');
  gs_descriptor_print_c(Bytes.data(), Bytes.size(), Stub.c_str(), ListedCount++, Text.data(),
                        Text.size());
  Text.pop_back();
  Listed += Text;
}

void Embedder::writeList() {
  if (Opts.ContractsFile.empty())
    return;
  std::string Text =
      "// Contracts of kernels that another compiler makes, from gpusafe: compile this as C and\n"
      "// link it with them, with libgpusafe_cuda.a and with libgpusafe_rt.\n"
      "extern const char gpusafe_link_libgpusafe_cuda_and_libgpusafe_rt\n"
      "    __attribute__((visibility(\"hidden\")));\n"
      "static const char *const gpusafe_need __attribute__((used)) =\n"
      "    &gpusafe_link_libgpusafe_cuda_and_libgpusafe_rt;\n" +
      Listed;
  llvm::Error Failure = llvm::writeToOutput(Opts.ContractsFile, [&](llvm::raw_ostream &OS) {
    OS << Text;
    return llvm::Error::success();
  });
  if (Failure)
    S.Diags.Report(S.Diags.getCustomDiagID(
        DiagnosticsEngine::Error, "-fplugin-arg-gpusafe-contracts=%0: cannot be written: %1"))
        << Opts.ContractsFile << llvm::errorToErrorCode(std::move(Failure)).message();
}

void Embedder::finish() {
  writeList();
  if (Contracts.empty() || !Opts.Runtime)
    return;
  warnUnreached(CI);
  embedInHost(CI.getCodeGenOpts(), std::move(Contracts));
}

void gpusafe::embedHostContracts(CompilerInstance &CI, const Options &Opts) {
  Finder Find;
  Find.TraverseDecl(CI.getASTContext().getTranslationUnitDecl());
  if (Find.Kernels.empty() && Opts.ContractsFile.empty())
    return;
  Embedder E(CI, Opts);
  for (const FunctionDecl *Kernel : Find.Kernels)
    E.add(*Kernel);
  E.finish();
}
