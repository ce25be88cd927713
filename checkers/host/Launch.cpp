// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches as a path makes them: what `<<<…>>>` configures is kept until the arguments are
// evaluated, and then both are one view, the same that a call of the runtime or driver gives.
#include "Host.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ParentMap.h"
#include "clang/StaticAnalyzer/Core/PathSensitive/ProgramStateTrait.h"

using namespace clang;
using namespace clang::ento;
using namespace gpusafe::host;

enum ConfigPart : unsigned { GridX, BlockX = 3, SharedBytes = 6, StreamOf = 7, ConfigParts };

/// What the latest `<<<…>>>` of the path configures, by ConfigPart.
REGISTER_MAP_WITH_PROGRAMSTATE(LaunchConfig, unsigned, SVal)

namespace {

class LaunchModel : public Checker<check::PreCall, check::LiveSymbols> {
public:
  void checkPreCall(const CallEvent &Call, CheckerContext &C) const;
  void checkLiveSymbols(ProgramStateRef State, SymbolReaper &Reaper) const;
};

} // namespace

/// The sizes of a dim3 that is handed over by value.
static std::array<SVal, 3> sizesOf(SVal Dim, CheckerContext &C) {
  std::array<SVal, 3> Out = {UnknownVal(), UnknownVal(), UnknownVal()};
  auto Lazy = Dim.getAs<nonloc::LazyCompoundVal>();
  const TypedValueRegion *Region = Lazy ? Lazy->getRegion() : nullptr;
  const auto *Record = Region ? Region->getValueType()->getAsRecordDecl() : nullptr;
  if (!Record)
    return Out;
  for (const FieldDecl *Field : Record->fields()) {
    unsigned Axis = Field->getFieldIndex();
    if (Axis > 2)
      break;
    SVal Place = C.getState()->getLValue(Field, loc::MemRegionVal(Region));
    Out[Axis] = C.getStoreManager().getBinding(Lazy->getStore(), Place.castAs<Loc>());
  }
  return Out;
}

void LaunchModel::checkPreCall(const CallEvent &Call, CheckerContext &C) const {
  const auto *Function = dyn_cast_or_null<FunctionDecl>(Call.getDecl());
  if (apiName(Function) != "__cudaPushCallConfiguration" || Call.getNumArgs() < 4)
    return;
  ProgramStateRef State = C.getState();
  std::array<SVal, 3> Grid = sizesOf(Call.getArgSVal(0), C), Block = sizesOf(Call.getArgSVal(1), C);
  for (unsigned I = 0; I < 3; I++) {
    State = State->set<LaunchConfig>(GridX + I, Grid[I]);
    State = State->set<LaunchConfig>(BlockX + I, Block[I]);
  }
  State = State->set<LaunchConfig>(SharedBytes, Call.getArgSVal(2));
  State = State->set<LaunchConfig>(StreamOf, Call.getArgSVal(3));
  C.addTransition(State);
}

void LaunchModel::checkLiveSymbols(ProgramStateRef State, SymbolReaper &Reaper) const {
  for (const auto &[Part, Value] : State->get<LaunchConfig>())
    for (SymbolRef Symbol : Value.symbols())
      Reaper.markLive(Symbol);
}

static SVal configured(ProgramStateRef State, unsigned Part) {
  const SVal *Value = State->get<LaunchConfig>(Part);
  return Value ? *Value : SVal(UnknownVal());
}

std::optional<LaunchView> gpusafe::host::launchOf(const CUDAKernelCallExpr *Launch,
                                                  CheckerContext &C) {
  ProgramStateRef State = C.getState();
  LaunchView Out;
  Out.Kernel = Launch->getDirectCallee();
  for (unsigned I = 0; I < 3; I++) {
    Out.Grid[I] = configured(State, GridX + I);
    Out.Block[I] = configured(State, BlockX + I);
  }
  Out.Shared = configured(State, SharedBytes);
  Out.Stream = configured(State, StreamOf);
  Out.HasArguments = true;
  for (const Expr *Argument : Launch->arguments())
    Out.Arguments.push_back({Argument, C.getSVal(Argument)});
  Out.At = Launch;
  return Out;
}

/// `void *params[] = {&d, &n}`: what the pointers of the array point to, as parameters go.
static void readParams(SVal Array, const FunctionDecl *Kernel, const Expr *At, CheckerContext &C,
                       LaunchView &Out) {
  const MemRegion *Region = Array.getAsRegion();
  const auto *Base = dyn_cast_or_null<TypedValueRegion>(Region ? Region->getBaseRegion() : nullptr);
  const auto *Type = Base ? C.getASTContext().getAsConstantArrayType(Base->getValueType()) : nullptr;
  if (!Type)
    return;
  ProgramStateRef State = C.getState();
  uint64_t Count = Type->getSize().getLimitedValue(64);
  if (Kernel)
    Count = std::min<uint64_t>(Count, Kernel->getNumParams());
  SValBuilder &Builder = C.getSValBuilder();
  for (uint64_t I = 0; I < Count; I++) {
    SVal Place = State->getLValue(Type->getElementType(), Builder.makeArrayIndex(I),
                                  loc::MemRegionVal(Base));
    SVal Pointer = Place.getAs<Loc>() ? State->getSVal(Place.castAs<Loc>()) : SVal(UnknownVal());
    const MemRegion *Target = Pointer.getAsRegion();
    const auto *Variable = dyn_cast_or_null<TypedValueRegion>(Target ? Target->StripCasts() : nullptr);
    Out.Arguments.push_back({At, Variable ? State->getSVal(Variable) : SVal(UnknownVal())});
  }
  Out.HasArguments = true;
}

static const FunctionDecl *kernelNamed(const Expr *E) {
  E = E->IgnoreParenCasts();
  if (const auto *Unary = dyn_cast<UnaryOperator>(E))
    E = Unary->getSubExpr()->IgnoreParenCasts();
  const auto *Ref = dyn_cast<DeclRefExpr>(E);
  const auto *Function = Ref ? dyn_cast<FunctionDecl>(Ref->getDecl()) : nullptr;
  return Function && Function->hasAttr<CUDAGlobalAttr>() ? Function : nullptr;
}

std::optional<LaunchView> gpusafe::host::launchOf(const CallEvent &Call, CheckerContext &C) {
  const auto *Function = dyn_cast_or_null<FunctionDecl>(Call.getDecl());
  const Expr *Origin = Call.getOriginExpr();
  // Stubs launch too: they are the compiler's, and in its own headers.
  if (apiOf(Function) != Api::Launch || !Origin ||
      C.getSourceManager().isInSystemHeader(Origin->getExprLoc()))
    return std::nullopt;
  LaunchView Out;
  Out.At = Origin;
  if (isDriver(Function)) {
    if (Call.getNumArgs() < 10)
      return std::nullopt;
    for (unsigned I = 0; I < 3; I++) {
      Out.Grid[I] = Call.getArgSVal(1 + I);
      Out.Block[I] = Call.getArgSVal(4 + I);
    }
    Out.Shared = Call.getArgSVal(7);
    Out.Stream = Call.getArgSVal(8);
    readParams(Call.getArgSVal(9), nullptr, Call.getArgExpr(9), C, Out);
    return Out;
  }
  if (Call.getNumArgs() < 4)
    return std::nullopt;
  Out.Kernel = kernelNamed(Call.getArgExpr(0));
  Out.Grid = sizesOf(Call.getArgSVal(1), C);
  Out.Block = sizesOf(Call.getArgSVal(2), C);
  Out.Shared = Call.getNumArgs() > 4 ? Call.getArgSVal(4) : SVal(UnknownVal());
  Out.Stream = Call.getNumArgs() > 5 ? Call.getArgSVal(5) : SVal(UnknownVal());
  readParams(Call.getArgSVal(3), Out.Kernel, Call.getArgExpr(3), C, Out);
  return Out;
}

QualType gpusafe::host::parameterType(const LaunchView &Launch, unsigned Index) {
  if (!Launch.Kernel || Index >= Launch.Kernel->getNumParams())
    return QualType();
  return Launch.Kernel->getParamDecl(Index)->getType();
}

/// Is the parameter used for anything but reads of elements, `p[i]` and `*p`?
static bool isOnlyRead(const Stmt *S, const ParmVarDecl *Parameter, ParentMap &Parents) {
  if (const auto *Ref = dyn_cast_or_null<DeclRefExpr>(S)) {
    if (Ref->getDecl() != Parameter)
      return true;
    const Stmt *P = Parents.getParent(S);
    while (P && isa<ImplicitCastExpr, ParenExpr>(P))
      P = Parents.getParent(P);
    const auto *Star = dyn_cast_or_null<UnaryOperator>(P);
    if (!isa_and_nonnull<ArraySubscriptExpr>(P) && !(Star && Star->getOpcode() == UO_Deref))
      return false;
    P = Parents.getParent(P);
    const auto *Load = dyn_cast_or_null<ImplicitCastExpr>(P);
    return Load && Load->getCastKind() == CK_LValueToRValue;
  }
  for (const Stmt *Child : S->children())
    if (Child && !isOnlyRead(Child, Parameter, Parents))
      return false;
  return true;
}

bool gpusafe::host::mayWrite(const LaunchView &Launch, unsigned Index) {
  QualType Type = parameterType(Launch, Index);
  if (!Type.isNull() && Type->isPointerType() && Type->getPointeeType().isConstQualified())
    return false;
  const FunctionDecl *Body = nullptr;
  if (!Launch.Kernel || Index >= Launch.Kernel->getNumParams() ||
      !Launch.Kernel->hasBody(Body) || Index >= Body->getNumParams())
    return true;
  ParentMap Parents(Body->getBody());
  return !isOnlyRead(Body->getBody(), Body->getParamDecl(Index), Parents);
}

void gpusafe::host::registerLaunch(CheckerManager &Manager) {
  Manager.registerChecker<LaunchModel>();
}

void gpusafe::host::enableLaunch(CheckerManager &, Rule) {} // it has no rules
