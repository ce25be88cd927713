// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Launches.h"

#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Sema/Sema.h"

using namespace clang;
using namespace gpusafe;

// ------------------------------------------------------------------- finding ----

namespace {
enum class Form { NONE, CHEVRONS, KERNEL, EXTENDED, QUERY };
} // namespace

/// How a call has to do with a kernel, by the callee's name.
static Form formOf(const CallExpr &Call) {
  if (isa<CUDAKernelCallExpr>(Call))
    return Form::CHEVRONS;
  const FunctionDecl *Callee = Call.getDirectCallee();
  StringRef Name = Callee && Callee->getIdentifier() ? Callee->getName() : "";
  if (Name == "cudaLaunchKernel" || Name == "cudaLaunchCooperativeKernel")
    return Form::KERNEL;
  if (Name == "cudaLaunchKernelEx" || Name == "cudaLaunchKernelExC")
    return Form::EXTENDED;
  if (Name.starts_with("cudaFunc") || Name.starts_with("cudaOccupancy"))
    return Form::QUERY; // asks about the kernel and starts nothing
  return Form::NONE;
}

/// The name of a kernel in an argument, behind casts and `&`.
static const DeclRefExpr *kernelNamed(const Expr *E) {
  E = E->IgnoreParenCasts();
  if (const auto *Replaced = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
    E = Replaced->getReplacement()->IgnoreParenCasts();
  if (const auto *Address = dyn_cast<UnaryOperator>(E))
    if (Address->getOpcode() == UO_AddrOf)
      E = Address->getSubExpr()->IgnoreParenCasts();
  const auto *Ref = dyn_cast<DeclRefExpr>(E);
  return Ref && isa<FunctionDecl>(Ref->getDecl()) && Ref->getDecl()->hasAttr<CUDAGlobalAttr>()
             ? Ref
             : nullptr;
}

/// Walks over all functions, instances of templates included.
class LaunchTable::Finder : public RecursiveASTVisitor<LaunchTable::Finder> {
public:
  explicit Finder(LaunchTable &Table) : Table(Table) {}
  bool shouldVisitTemplateInstantiations() const { return true; }

  bool TraverseDecl(Decl *D) {
    const FunctionDecl *Outer = In;
    if (auto *Function = dyn_cast_or_null<FunctionDecl>(D))
      In = Function;
    bool Good = RecursiveASTVisitor::TraverseDecl(D);
    In = Outer;
    return Good;
  }
  bool VisitLambdaExpr(LambdaExpr *Lambda) {
    // What a generic lambda does is in its instances, which nothing else leads to.
    if (FunctionTemplateDecl *Generic = Lambda->getCallOperator()->getDescribedFunctionTemplate())
      for (FunctionDecl *Instance : Generic->specializations())
        TraverseDecl(Instance);
    return true;
  }
  bool VisitCallExpr(CallExpr *Call) {
    Form Kind = formOf(*Call);
    // The pattern of a generic lambda is no instance of it.
    if (Kind == Form::NONE || isPattern() || Call->isInstantiationDependent())
      return true;
    const DeclRefExpr *Ref = nullptr;
    if (Kind == Form::CHEVRONS)
      Ref = kernelNamed(Call->getCallee());
    for (const Expr *Arg : Call->arguments())
      if (Kind != Form::CHEVRONS && !Ref)
        Ref = kernelNamed(Arg);
    if (!Ref)
      return true;
    Seen.insert(Ref);
    if (Kind != Form::QUERY)
      Table.add(*cast<FunctionDecl>(Ref->getDecl()), *Call, In);
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *Ref) {
    const auto *Function = dyn_cast<FunctionDecl>(Ref->getDecl());
    if (Function && Function->hasAttr<CUDAGlobalAttr>() && !Seen.contains(Ref) && !isPattern())
      Table.Kept.insert(Function->getCanonicalDecl());
    return true;
  }

private:
  bool isPattern() const { return In && In->isDependentContext(); }

  LaunchTable &Table;
  const FunctionDecl *In = nullptr;
  llvm::DenseSet<const DeclRefExpr *> Seen;
};

LaunchTable::LaunchTable(Sema &S) : S(S), Hosts(gs_hosts_new()), Values(S.Context, Hosts) {
  if (!Hosts || !S.getLangOpts().CUDA)
    return;
  Finder Find(*this);
  for (Decl *D : S.Context.getTranslationUnitDecl()->decls())
    if (!S.getSourceManager().isInSystemHeader(D->getLocation()))
      Find.TraverseDecl(D);
}

// ------------------------------------------------------------------- reading ----

void LaunchTable::readSizes(const CallExpr &Call, unsigned Grid, unsigned Block, unsigned Shared,
                            const Moment &M, Launch &Out) {
  if (Call.getNumArgs() <= std::max(Grid, Block))
    return;
  HostDims Blocks = Values.dims(*Call.getArg(Grid), M), Threads = Values.dims(*Call.getArg(Block), M);
  std::copy(Blocks.begin(), Blocks.end(), Out.Sizes.grid);
  std::copy(Threads.begin(), Threads.end(), Out.Sizes.block);
  if (Shared < Call.getNumArgs())
    Out.Sizes.dynamic_smem = Values.integer(*Call.getArg(Shared), M);
}

void LaunchTable::readArguments(const CallExpr &Call, const FunctionDecl &Kernel, const Moment &M,
                                Launch &Out) {
  unsigned Count = Kernel.getNumParams();
  Out.Args.assign(Count, {0, false});
  if (isa<CUDAKernelCallExpr>(Call)) {
    for (unsigned I = 0; I < Count && I < Call.getNumArgs(); I++) {
      const Expr &Arg = *Call.getArg(I);
      Out.Args[I] = Arg.getType()->isPointerType() ? Values.pointer(Arg, M) : Values.integer(Arg, M);
    }
    return;
  }
  // void *args[] = {&a, &b};
  auto Places = Values.elements(*Call.getArg(3), M);
  for (unsigned I = 0; I < Count && Places.size() == Count; I++) {
    const auto *Address = dyn_cast<UnaryOperator>(Places[I]->IgnoreParenCasts());
    bool SameType = Address && Address->getOpcode() == UO_AddrOf &&
                    S.Context.hasSameUnqualifiedType(Address->getSubExpr()->getType(),
                                                     Kernel.getParamDecl(I)->getType());
    if (SameType)
      Out.Args[I] = Values.stored(*Address->getSubExpr(), M);
  }
}

void LaunchTable::add(const FunctionDecl &Kernel, const CallExpr &Call, const FunctionDecl *In) {
  Launch New = {&Call, Call.getBeginLoc(), {}, {}};
  Form Kind = formOf(Call);
  New.Args.assign(Kernel.getNumParams(), {0, false});
  if (Kind != Form::EXTENDED) {
    const FunctionDecl *Body = nullptr;
    if (In)
      In->hasBody(Body);
    Moment M = Values.momentOf(Body, Call);
    Values.setLaunch(Call);
    if (Kind == Form::CHEVRONS && cast<CUDAKernelCallExpr>(Call).getConfig())
      readSizes(*cast<CUDAKernelCallExpr>(Call).getConfig(), 0, 1, 2, M, New);
    else if (Kind == Form::KERNEL)
      readSizes(Call, 1, 2, 4, M, New);
    if (Kind == Form::CHEVRONS || Call.getNumArgs() > 3)
      readArguments(Call, Kernel, M, New);
    const FunctionDecl *Callee = Call.getDirectCallee();
    New.Sizes.cooperative = Kind == Form::KERNEL && Callee->getName() != "cudaLaunchKernel";
  }
  ByKernel[Kernel.getCanonicalDecl()].push_back(std::move(New));
  for (Launch &L : ByKernel[Kernel.getCanonicalDecl()]) {
    L.Sizes.args = L.Args.data();
    L.Sizes.arg_count = uint32_t(L.Args.size());
  }
}

// -------------------------------------------------------------------- asking ----

llvm::ArrayRef<Launch> LaunchTable::of(const FunctionDecl &Kernel) const {
  auto Found = ByKernel.find(Kernel.getCanonicalDecl());
  return Found == ByKernel.end() ? llvm::ArrayRef<Launch>() : llvm::ArrayRef(Found->second);
}

bool LaunchTable::onlyThese(const FunctionDecl &Kernel) const {
  return !Kernel.isExternallyVisible() && !Kept.contains(Kernel.getCanonicalDecl());
}

std::vector<const FunctionDecl *> LaunchTable::kernels() const {
  std::vector<const FunctionDecl *> Out;
  for (const auto &Entry : ByKernel)
    Out.push_back(Entry.first);
  return Out;
}
