// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Launches.h"

#include "clang/AST/Attr.h"
#include "clang/AST/RecordLayout.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Basic/Version.h"
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

/// What a launch passes for a parameter.
void LaunchTable::readArgument(const Expr &Arg, unsigned Param, const Moment &M, Launch &Out) {
  QualType T = Arg.getType();
  if (T->isPointerType())
    Out.Args[Param] = Values.pointer(Arg, M);
  else if (T->isIntegralOrEnumerationType())
    Out.Args[Param] = Values.integer(Arg, M);
  Steps Path;
  if (T->isRecordType())
    readFields(Arg, Param, T, 0, Path, M, Out);
}

/// The same of what a place holds, or of a value that is no place.
void LaunchTable::readPlace(const Expr &Arg, unsigned Param, const Moment &M, Launch &Out) {
  if (Arg.isGLValue() && !Arg.getType()->isRecordType())
    Out.Args[Param] = Values.stored(Arg, M);
  else
    readArgument(Arg, Param, M, Out);
}

/// The integers of a structure that is passed by value.
void LaunchTable::readFields(const Expr &Arg, unsigned Param, QualType T, uint64_t Offset,
                             Steps &Path, const Moment &M, Launch &Out) {
  constexpr size_t MostFields = 64;
  const RecordDecl *Record = T->getAsRecordDecl();
  const ConstantArrayType *Array = S.Context.getAsConstantArrayType(T);
  const auto *Class = dyn_cast_or_null<CXXRecordDecl>(Record);
  if (Out.Fields.size() >= MostFields || Path.size() > 4)
    return;
  if (T->isIntegralOrEnumerationType() && !Path.empty()) {
    gs_host_value Value = Values.part(Arg, Path, M);
    if (Value.at)
      Out.Fields.push_back({Param, uint32_t(Offset), Value});
  } else if (Array) {
    uint64_t Size = uint64_t(S.Context.getTypeSizeInChars(Array->getElementType()).getQuantity());
    for (uint64_t I = 0; I < std::min<uint64_t>(Array->getSize().getLimitedValue(), 16); I++) {
      Path.push_back({nullptr, int64_t(I)});
      readFields(Arg, Param, Array->getElementType(), Offset + I * Size, Path, M, Out);
      Path.pop_back();
    }
  } else if (Record && Record->getDefinition() && !Record->isUnion() &&
             (!Class || Class->getNumBases() == 0)) {
    const ASTRecordLayout &Layout = S.Context.getASTRecordLayout(Record);
    for (const FieldDecl *Field : Record->fields()) {
      if (Field->isBitField())
        continue;
      Path.push_back({Field, 0});
      uint64_t At = Layout.getFieldOffset(Field->getFieldIndex()) / 8;
      readFields(Arg, Param, Field->getType(), Offset + At, Path, M, Out);
      Path.pop_back();
    }
  }
}

/// Arguments that are arguments of the call as well, from the \p First on.
void LaunchTable::readArguments(const CallExpr &Call, unsigned First, const Moment &M,
                                Launch &Out) {
  for (unsigned I = 0; I < Out.Args.size() && First + I < Call.getNumArgs(); I++) {
    const Expr &Arg = *Call.getArg(First + I);
    QualType Wanted = Out.Kernel->getParamDecl(I)->getType();
    // A forwarded argument is converted inside of what forwards it.
    if (First == 0)
      readArgument(Arg, I, M, Out);
    else if (S.Context.hasSameUnqualifiedType(Arg.getType(), Wanted))
      readPlace(Arg, I, M, Out);
  }
}

/// void *args[] = {&a, &b};
void LaunchTable::readAddresses(const Expr &Array, const Moment &M, Launch &Out) {
  auto Places = Values.elements(Array, M);
  for (unsigned I = 0; I < Out.Args.size() && Places.size() == Out.Args.size(); I++) {
    const auto *Address = dyn_cast<UnaryOperator>(Places[I]->IgnoreParenCasts());
    if (!Address || Address->getOpcode() != UO_AddrOf ||
        !S.Context.hasSameUnqualifiedType(Address->getSubExpr()->getType(),
                                          Out.Kernel->getParamDecl(I)->getType()))
      continue;
    readPlace(*Address->getSubExpr(), I, M, Out);
  }
}

// ------------------------------------------------------------- configurations ----

static const FieldDecl *fieldNamed(const RecordDecl &Record, StringRef Name) {
  for (const FieldDecl *Field : Record.fields())
    if (Field->getIdentifier() && Field->getName() == Name)
      return Field;
  return nullptr;
}

/// A member of a member, by their names; empty when there is none.
static Steps pathTo(const RecordDecl &Record, llvm::ArrayRef<StringRef> Names) {
  Steps Path;
  const RecordDecl *In = &Record;
  for (StringRef Name : Names) {
    const FieldDecl *Field = In ? fieldNamed(*In, Name) : nullptr;
    if (!Field)
      return {};
    Path.push_back({Field, 0});
    In = Field->getType()->getAsRecordDecl();
  }
  return Path;
}

/// \returns false when it is not known, or may say what is not understood here.
bool LaunchTable::readAttribute(const Target &Attribute, QualType T, const Moment &M, Launch &Out) {
  // cudaLaunchAttributeID; the numbers are part of the ABI.
  enum { COOPERATIVE = 2, CLUSTER = 4, PREFERRED_CLUSTER = 11 };
  const RecordDecl *Record = T->getAsRecordDecl();
  int64_t Id = 0;
  auto Read = [&](llvm::ArrayRef<StringRef> Names) {
    Steps Path = Record ? pathTo(*Record, Names) : Steps();
    Target At = Attribute;
    At.Path.append(Path.begin(), Path.end());
    return Path.empty() ? gs_host_value{0, false}
                        : Values.placed(At, Path.back().Field->getType(), M);
  };
  if (!gs_host_constant(Hosts, Read({"id"}), &Id) || Id == PREFERRED_CLUSTER)
    return false;
  if (Id == COOPERATIVE)
    Out.Sizes.cooperative = Read({"val", "cooperative"});
  for (unsigned I = 0; Id == CLUSTER && I < 3; I++)
    Out.Sizes.cluster[I] = Read({"val", "clusterDim", StringRef(&"xyz"[I], 1)});
  return true;
}

/// cfg.attrs and cfg.numAttrs.
void LaunchTable::readAttributes(const Expr &Place, const RecordDecl &Record, const Moment &M,
                                 Launch &Out) {
  constexpr int64_t MostAttributes = 16;
  gs_host_value Cluster[3];
  std::copy(std::begin(Out.Sizes.cluster), std::end(Out.Sizes.cluster), Cluster);
  gs_host_value Unknown = {0, false}, Cooperative = gs_host_number(Hosts, 0);
  std::fill(std::begin(Out.Sizes.cluster), std::end(Out.Sizes.cluster), Unknown);
  Out.Sizes.cooperative = Unknown;
  Steps Count = pathTo(Record, {"numAttrs"}), Pointer = pathTo(Record, {"attrs"});
  int64_t N = 0;
  if (Count.empty() || Pointer.empty() ||
      !gs_host_constant(Hosts, Values.part(Place, Count, M), &N) || N > MostAttributes)
    return;
  Moment Then;
  Target At = targetOf(Place);
  At.Path.append(Pointer.begin(), Pointer.end());
  const Expr *Given = N > 0 ? Values.given(At, M, Then) : nullptr;
  const Expr *Array = Given ? Given->IgnoreParenImpCasts() : nullptr;
  const auto *Address = dyn_cast_or_null<UnaryOperator>(Array);
  Target First = !Array ? Target() : targetOf(Address ? *Address->getSubExpr() : *Array);
  if (N > 0 && !First.Variable)
    return;
  bool Element = Address && !First.Path.empty() && !First.Path.back().Field;
  QualType T = !Array ? QualType() : Given->getType()->getPointeeType();
  std::copy(std::begin(Cluster), std::end(Cluster), Out.Sizes.cluster);
  Out.Sizes.cooperative = Cooperative;
  bool Good = true;
  for (int64_t I = 0; I < N && Good; I++) {
    Target Attribute = First;
    if (Element)
      Attribute.Path.back().Index += I;
    else if (!Address)
      Attribute.Path.push_back({nullptr, I});
    else
      Good = I == 0;
    Good = Good && readAttribute(Attribute, T, M, Out);
  }
  if (Good)
    return;
  std::fill(std::begin(Out.Sizes.cluster), std::end(Out.Sizes.cluster), Unknown);
  Out.Sizes.cooperative = Unknown;
}

/// `&config`, a cudaLaunchConfig_t.
void LaunchTable::readConfig(const Expr &Config, const Moment &M, Launch &Out) {
  const auto *Address = dyn_cast<UnaryOperator>(Config.IgnoreParenImpCasts());
  const Expr *Place = Address && Address->getOpcode() == UO_AddrOf ? Address->getSubExpr() : nullptr;
  const RecordDecl *Record = Place ? Place->getType()->getAsRecordDecl() : nullptr;
  gs_host_value Unknown = {0, false};
  if (!Record || !Record->getDefinition()) {
    std::fill(std::begin(Out.Sizes.cluster), std::end(Out.Sizes.cluster), Unknown);
    Out.Sizes.cooperative = Unknown;
    return;
  }
  Record = Record->getDefinition();
  Steps Grid = pathTo(*Record, {"gridDim"}), Block = pathTo(*Record, {"blockDim"});
  Steps Shared = pathTo(*Record, {"dynamicSmemBytes"});
  if (!Grid.empty() && !Block.empty() && !Shared.empty()) {
    HostDims Blocks = Values.dimsPart(*Place, Grid, M), Threads = Values.dimsPart(*Place, Block, M);
    std::copy(Blocks.begin(), Blocks.end(), Out.Sizes.grid);
    std::copy(Threads.begin(), Threads.end(), Out.Sizes.block);
    Out.Sizes.dynamic_smem = Values.part(*Place, Shared, M);
  }
  readAttributes(*Place, *Record, M, Out);
}

/// What was compiled in, or none.
void LaunchTable::setCluster(const FunctionDecl &Kernel, Launch &Out) {
  for (gs_host_value &Size : Out.Sizes.cluster)
    Size = gs_host_number(Hosts, 1);
#if CLANG_VERSION_MAJOR >= 22
  const auto *Dims = Kernel.getAttr<CUDAClusterDimsAttr>();
  if (!Dims)
    return;
  const Expr *Sizes[3] = {Dims->getX(), Dims->getY(), Dims->getZ()};
  for (unsigned I = 0; I < 3; I++) {
    auto Value = Sizes[I] && !Sizes[I]->isValueDependent()
                     ? Sizes[I]->getIntegerConstantExpr(S.Context)
                     : std::nullopt;
    Out.Sizes.cluster[I] =
        Value && Value->isRepresentableByInt64() ? gs_host_number(Hosts, Value->getExtValue())
        : Sizes[I]                               ? gs_host_value{0, false}
                                                 : gs_host_number(Hosts, 1);
  }
#endif
}

// ---------------------------------------------------------------------- adding ----

void LaunchTable::add(const FunctionDecl &Kernel, const CallExpr &Call, const FunctionDecl *In) {
  Launch New = {Kernel.getCanonicalDecl(), &Call, Call.getBeginLoc(), {}, {}, {}};
  Form Kind = formOf(Call);
  StringRef Name = Kind == Form::CHEVRONS ? "" : Call.getDirectCallee()->getName();
  New.Args.assign(Kernel.getNumParams(), {0, false});
  setCluster(Kernel, New);
  New.Sizes.cooperative = gs_host_number(Hosts, Name == "cudaLaunchCooperativeKernel");
  const FunctionDecl *Body = nullptr;
  if (In)
    In->hasBody(Body);
  Moment M = Values.momentOf(Body, Call);
  Values.setLaunch(Call);
  if (Kind == Form::CHEVRONS) {
    if (cast<CUDAKernelCallExpr>(Call).getConfig())
      readSizes(*cast<CUDAKernelCallExpr>(Call).getConfig(), 0, 1, 2, M, New);
    readArguments(Call, 0, M, New);
  } else if (Kind == Form::KERNEL) {
    readSizes(Call, 1, 2, 4, M, New);
    if (Call.getNumArgs() > 3)
      readAddresses(*Call.getArg(3), M, New);
  } else if (Call.getNumArgs() > 1) {
    readConfig(*Call.getArg(0), M, New);
    if (Name == "cudaLaunchKernelEx")
      readArguments(Call, 2, M, New);
    else if (Call.getNumArgs() > 2)
      readAddresses(*Call.getArg(2), M, New);
  }
  ByKernel[Kernel.getCanonicalDecl()].push_back(std::move(New));
  for (Launch &L : ByKernel[Kernel.getCanonicalDecl()]) {
    L.Sizes.args = L.Args.data();
    L.Sizes.arg_count = uint32_t(L.Args.size());
    L.Sizes.fields = L.Fields.data();
    L.Sizes.field_count = uint32_t(L.Fields.size());
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
