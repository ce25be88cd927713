// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches along the paths of host code: sizes that no device takes, and errors that nobody
// asks for. The sizes of CUDA C++ Programming Guide, "Features and Technical Specifications".
#include "Host.h"

#include "clang/AST/ParentMap.h"
#include "clang/StaticAnalyzer/Core/PathSensitive/ProgramStateTrait.h"

using namespace clang;
using namespace clang::ento;
using namespace gpusafe::host;

/// Where the latest launch is that nobody has asked about; 0: none.
REGISTER_TRAIT_WITH_PROGRAMSTATE(PendingLaunch, unsigned)

namespace {

class LaunchChecker : public Checker<check::PreCall, check::EndFunction> {
public:
  Rules On;

  void checkPreCall(const CallEvent &Call, CheckerContext &C) const;
  void checkEndFunction(const ReturnStmt *Return, CheckerContext &C) const;

private:
  bool checkLimits(const CallEvent &Call, unsigned First, unsigned Shared,
                   CheckerContext &C) const;
  void checkIgnored(const CallEvent &Call, CheckerContext &C) const;
};

/// What is known of a dim3: for each axis the least and the only value.
struct Sizes {
  std::optional<uint64_t> Least[3], Known[3];
};

} // namespace

static std::optional<uint64_t> numberOf(const llvm::APSInt *Value) {
  if (!Value || (Value->isSigned() && Value->isNegative()) || Value->getActiveBits() > 63)
    return std::nullopt;
  return Value->getZExtValue();
}

static Sizes sizesOf(SVal Dim, CheckerContext &C) {
  Sizes Out;
  auto Lazy = Dim.getAs<nonloc::LazyCompoundVal>();
  const TypedValueRegion *Region = Lazy ? Lazy->getRegion() : nullptr;
  const auto *Record = Region ? Region->getValueType()->getAsRecordDecl() : nullptr;
  if (!Record)
    return Out;
  SValBuilder &Builder = C.getSValBuilder();
  ProgramStateRef State = C.getState();
  for (const FieldDecl *Field : Record->fields()) {
    unsigned Axis = Field->getFieldIndex();
    if (Axis > 2)
      return Sizes();
    SVal Place = State->getLValue(Field, loc::MemRegionVal(Region));
    SVal Value = C.getStoreManager().getBinding(Lazy->getStore(), Place.castAs<Loc>());
    if (Value.isUnknownOrUndef())
      continue;
    Out.Known[Axis] = numberOf(Builder.getKnownValue(State, Value));
    Out.Least[Axis] = numberOf(Builder.getMinValue(State, Value));
  }
  return Out;
}

static std::string badBlock(const Sizes &Block) {
  static const uint64_t Limits[] = {1024, 1024, 64};
  static const char *const Axes[] = {"x", "y", "z"};
  uint64_t Threads = 1;
  for (unsigned I = 0; I < 3; I++) {
    if (Block.Least[I].value_or(1) > Limits[I])
      return std::string("block.") + Axes[I] + " is " + (Block.Known[I] ? "" : "at least ") +
             std::to_string(*Block.Least[I]) + ", and a block has at most " +
             std::to_string(Limits[I]) + " threads along it";
    Threads *= std::max<uint64_t>(1, Block.Least[I].value_or(1));
  }
  if (Threads > 1024)
    return "a block of " + std::to_string(Threads) + " threads or more; at most 1024 are allowed";
  return "";
}

static std::string badGrid(const Sizes &Grid) {
  static const uint64_t Limits[] = {0x7FFFFFFF, 65535, 65535};
  static const char *const Axes[] = {"x", "y", "z"};
  for (unsigned I = 0; I < 3; I++) {
    if (Grid.Least[I].value_or(1) > Limits[I])
      return std::string("grid.") + Axes[I] + " is " + (Grid.Known[I] ? "" : "at least ") +
             std::to_string(*Grid.Least[I]) + ", and at most " + std::to_string(Limits[I]) +
             " blocks are allowed along it";
  }
  return "";
}

static std::string isEmpty(const Sizes &Dim, const char *Name) {
  static const char *const Axes[] = {"x", "y", "z"};
  for (unsigned I = 0; I < 3; I++)
    if (Dim.Known[I] == 0u)
      return std::string(Name) + "." + Axes[I] + " is 0 on this path; skip the launch";
  return "";
}

/// Does the unit name cudaFuncSetAttribute anywhere? Then large shared memory may be opted in.
static bool setsAttributes(ASTContext &Context) {
  for (const char *Name : {"cudaFuncSetAttribute", "cuFuncSetAttribute"}) {
    auto Found = Context.getTranslationUnitDecl()->lookup(&Context.Idents.get(Name));
    for (const NamedDecl *D : Found) {
      if (const auto *Template = dyn_cast<FunctionTemplateDecl>(D)) {
        if (!Template->specializations().empty())
          return true;
        D = Template->getTemplatedDecl();
      }
      if (D->isReferenced() || D->isUsed())
        return true;
    }
  }
  return false;
}

static std::string badShared(SVal Shared, CheckerContext &C) {
  constexpr uint64_t Default = 48 * 1024;
  auto Least = numberOf(C.getSValBuilder().getMinValue(C.getState(), Shared));
  if (!Least || *Least <= Default || setsAttributes(C.getASTContext()))
    return "";
  return std::to_string(*Least) + " bytes of dynamic shared memory, and without "
         "cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) a "
         "block gets at most 49152";
}

bool LaunchChecker::checkLimits(const CallEvent &Call, unsigned First, unsigned Shared,
                                CheckerContext &C) const {
  Sizes Grid = sizesOf(Call.getArgSVal(First), C), Block = sizesOf(Call.getArgSVal(First + 1), C);
  Rule Broken = Rule::LaunchLimits;
  std::string Problem = badBlock(Block);
  if (Problem.empty())
    Problem = badGrid(Grid);
  if (Problem.empty() && Shared < Call.getNumArgs())
    Problem = badShared(Call.getArgSVal(Shared), C);
  if (Problem.empty()) {
    Broken = Rule::EmptyLaunch;
    Problem = isEmpty(Grid, "grid");
    if (Problem.empty())
      Problem = isEmpty(Block, "block");
  }
  if (Problem.empty() || !On.isOn(Broken))
    return false;
  if (ExplodedNode *Node = C.generateNonFatalErrorNode())
    C.emitReport(std::make_unique<PathSensitiveBugReport>(
        On.type(Broken), "this launch fails: " + Problem, Node));
  return true;
}

/// The value of a call is not looked at: it stands as a statement of its own.
static bool isIgnored(const Expr *Call, const ParentMap &Parents) {
  const Stmt *Child = Call, *Parent = Parents.getParent(Child);
  while (Parent && (isa<ParenExpr, FullExpr, ImplicitCastExpr>(Parent))) {
    Child = Parent;
    Parent = Parents.getParent(Parent);
  }
  if (const auto *If = dyn_cast_or_null<IfStmt>(Parent))
    return Child == If->getThen() || Child == If->getElse();
  if (const auto *For = dyn_cast_or_null<ForStmt>(Parent))
    return Child == For->getBody() || Child == For->getInc() || Child == For->getInit();
  if (const auto *While = dyn_cast_or_null<WhileStmt>(Parent))
    return Child == While->getBody();
  return Parent && isa<CompoundStmt, SwitchCase, LabelStmt>(Parent);
}

void LaunchChecker::checkIgnored(const CallEvent &Call, CheckerContext &C) const {
  const Expr *Origin = Call.getOriginExpr();
  if (!Origin || !isIgnored(Origin, C.getLocationContext()->getParentMap()) ||
      C.getSourceManager().isInSystemHeader(Origin->getExprLoc()))
    return;
  QualType Type = Call.getResultType();
  const auto *Typedef = Type->getAs<TypedefType>();
  const auto *Enum = Type->getAsEnumDecl();
  if (!(Typedef && Typedef->getDecl()->getName() == "cudaError_t") &&
      !(Enum && Enum->getName() == "cudaError"))
    return;
  auto At = PathDiagnosticLocation::createBegin(Origin, C.getSourceManager(),
                                                C.getLocationContext());
  auto Report = std::make_unique<BasicBugReport>(
      On.type(Rule::UncheckedCall),
      "the status of '" + cast<FunctionDecl>(Call.getDecl())->getNameAsString() + "' is ignored",
      At);
  C.emitReport(std::move(Report));
}

void LaunchChecker::checkPreCall(const CallEvent &Call, CheckerContext &C) const {
  const auto *Function = dyn_cast_or_null<FunctionDecl>(Call.getDecl());
  Api Kind = apiOf(Function);
  if (Kind == Api::None || isDeviceCode(C))
    return;
  llvm::StringRef Name = Function->getName();
  bool Configures = Name == "__cudaPushCallConfiguration" && Call.getNumArgs() >= 3;
  bool Launches = Name == "cudaLaunchKernel" && Call.getNumArgs() >= 6;
  const Expr *Origin = Call.getOriginExpr();
  // Stubs launch too: they are the compiler's, and in its own headers.
  if (Origin && C.getSourceManager().isInSystemHeader(Origin->getExprLoc()))
    return;
  if ((On.isOn(Rule::LaunchLimits) || On.isOn(Rule::EmptyLaunch)) &&
      ((Configures && checkLimits(Call, 0, 2, C)) || (Launches && checkLimits(Call, 1, 4, C))))
    return;
  if (On.isOn(Rule::UncheckedCall))
    checkIgnored(Call, C);
  if (!On.isOn(Rule::UncheckedLaunch))
    return;
  bool Ignored = Origin && isIgnored(Origin, C.getLocationContext()->getParentMap());
  if (Configures && Origin)
    C.addTransition(
        C.getState()->set<PendingLaunch>(Origin->getExprLoc().getRawEncoding()));
  else if (Kind == Api::AsksError || (!Ignored && (Kind == Api::Synchronises || Kind == Api::Memcpy)))
    C.addTransition(C.getState()->set<PendingLaunch>(0u));
}

void LaunchChecker::checkEndFunction(const ReturnStmt *, CheckerContext &C) const {
  unsigned Pending = C.getState()->get<PendingLaunch>();
  if (!Pending || !C.inTopFrame() || !On.isOn(Rule::UncheckedLaunch))
    return;
  PathDiagnosticLocation At(SourceLocation::getFromRawEncoding(Pending), C.getSourceManager());
  C.emitReport(std::make_unique<BasicBugReport>(
      On.type(Rule::UncheckedLaunch),
      "nobody asks whether this launch failed before the function ends; call cudaGetLastError()",
      At));
}

void gpusafe::host::registerLaunches(CheckerManager &Manager) {
  Manager.registerChecker<LaunchChecker>();
}

void gpusafe::host::enableLaunchRule(CheckerManager &Manager, Rule R) {
  Manager.getChecker<LaunchChecker>()->On.enable(R, Manager.getCurrentCheckerName());
}
