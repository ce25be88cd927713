// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches along the paths of host code: sizes that no device takes, and errors that nobody
// asks for. The sizes of CUDA C++ Programming Guide, "Features and Technical Specifications".
#include "Host.h"

#include "clang/AST/Attr.h"
#include "clang/AST/ParentMap.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/StaticAnalyzer/Core/PathSensitive/ProgramStateTrait.h"

using namespace clang;
using namespace clang::ento;
using namespace gpusafe::host;

/// Where the latest launch is that nobody has asked about; 0: none.
REGISTER_TRAIT_WITH_PROGRAMSTATE(PendingLaunch, unsigned)

namespace {

class LaunchChecker
    : public Checker<check::PreCall, check::PreStmt<CUDAKernelCallExpr>, check::EndFunction> {
public:
  Rules On;

  void checkPreCall(const CallEvent &Call, CheckerContext &C) const;
  void checkPreStmt(const CUDAKernelCallExpr *Launch, CheckerContext &C) const;
  void checkEndFunction(const ReturnStmt *Return, CheckerContext &C) const;

private:
  bool checkSizes(const LaunchView &Launch, CheckerContext &C) const;
  void checkIgnored(const CallEvent &Call, CheckerContext &C) const;
};

/// What is known of three sizes: for each axis the least and the only value.
struct Sizes {
  std::optional<uint64_t> Least[3], Known[3];
};

const char *const Axes[] = {"x", "y", "z"};

} // namespace

// ---------------------------------------------------------------------- sizes ----

static Sizes sizesOf(const std::array<SVal, 3> &Values, CheckerContext &C) {
  Sizes Out;
  SValBuilder &Builder = C.getSValBuilder();
  for (unsigned I = 0; I < 3; I++) {
    if (Values[I].isUnknownOrUndef())
      continue;
    Out.Known[I] = numberOf(Builder.getKnownValue(C.getState(), Values[I]));
    Out.Least[I] = numberOf(Builder.getMinValue(C.getState(), Values[I]));
  }
  return Out;
}

static uint64_t leastThreads(const Sizes &Block) {
  uint64_t Threads = 1;
  for (unsigned I = 0; I < 3; I++)
    Threads *= std::clamp<uint64_t>(Block.Least[I].value_or(1), 1, 1 << 20);
  return Threads;
}

static std::string badBlock(const Sizes &Block) {
  static const uint64_t Limits[] = {1024, 1024, 64};
  for (unsigned I = 0; I < 3; I++)
    if (Block.Least[I].value_or(1) > Limits[I])
      return std::string("block.") + Axes[I] + " is " + (Block.Known[I] ? "" : "at least ") +
             std::to_string(*Block.Least[I]) + ", and a block has at most " +
             std::to_string(Limits[I]) + " threads along it";
  if (leastThreads(Block) > 1024)
    return "a block of " + std::to_string(leastThreads(Block)) +
           " threads or more; at most 1024 are allowed";
  return "";
}

static std::string badGrid(const Sizes &Grid) {
  static const uint64_t Limits[] = {0x7FFFFFFF, 65535, 65535};
  for (unsigned I = 0; I < 3; I++)
    if (Grid.Least[I].value_or(1) > Limits[I])
      return std::string("grid.") + Axes[I] + " is " + (Grid.Known[I] ? "" : "at least ") +
             std::to_string(*Grid.Least[I]) + ", and at most " + std::to_string(Limits[I]) +
             " blocks are allowed along it";
  return "";
}

static std::string isEmpty(const Sizes &Dim, const char *Name) {
  for (unsigned I = 0; I < 3; I++)
    if (Dim.Known[I] == 0u)
      return std::string(Name) + "." + Axes[I] + " is 0 on this path; skip the launch";
  return "";
}

// -------------------------------------------------------------------- kernels ----

/// Threads that `__launch_bounds__` allows; 0: it says nothing that is a number.
static uint64_t boundOf(const FunctionDecl *Kernel, const ASTContext &Context) {
  const auto *Bounds = Kernel ? Kernel->getAttr<CUDALaunchBoundsAttr>() : nullptr;
  const Expr *Threads = Bounds ? Bounds->getMaxThreads() : nullptr;
  if (!Threads || Threads->isValueDependent())
    return 0;
  std::optional<llvm::APSInt> Value = Threads->getIntegerConstantExpr(Context);
  return Value ? numberOf(&*Value).value_or(0) : 0;
}

namespace {
/// Sums the sizes of `__shared__` variables of a kernel's own body.
struct SharedVariables : RecursiveASTVisitor<SharedVariables> {
  const ASTContext &Context;
  uint64_t Bytes = 0;
  explicit SharedVariables(const ASTContext &Context) : Context(Context) {}
  bool VisitVarDecl(VarDecl *Variable) {
    QualType Type = Variable->getType();
    if (Variable->hasAttr<CUDASharedAttr>() && !Type->isDependentType() &&
        !Type->isIncompleteType())
      Bytes += uint64_t(Context.getTypeSizeInChars(Type).getQuantity());
    return true;
  }
};
} // namespace

static uint64_t sharedVariables(const FunctionDecl *Kernel, const ASTContext &Context) {
  const FunctionDecl *Body = nullptr;
  if (!Kernel || !Kernel->hasBody(Body))
    return 0;
  SharedVariables Sum(Context);
  Sum.TraverseStmt(Body->getBody());
  return Sum.Bytes;
}

static std::string badShared(const LaunchView &Launch, CheckerContext &C) {
  constexpr uint64_t Default = 48 * 1024;
  if (Launch.Shared.isUnknownOrUndef())
    return "";
  auto Least = numberOf(C.getSValBuilder().getMinValue(C.getState(), Launch.Shared));
  uint64_t Own = sharedVariables(Launch.Kernel, C.getASTContext());
  // More than that in variables alone is the compiler's error.
  if (!Least || !*Least || *Least + Own <= Default || Own > Default ||
      unitNames(C.getASTContext(), {"cudaFuncSetAttribute", "cuFuncSetAttribute"}))
    return "";
  return std::to_string(*Least) + " bytes of dynamic shared memory" +
         (Own ? " and " + std::to_string(Own) + " of variables" : "") +
         ", and without cudaFuncSetAttribute(kernel, "
         "cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) a block gets at most 49152";
}

static std::string aboveBounds(const LaunchView &Launch, const Sizes &Block, CheckerContext &C) {
  uint64_t Bound = boundOf(Launch.Kernel, C.getASTContext());
  if (!Bound || leastThreads(Block) <= Bound)
    return "";
  return "a block of " + std::to_string(leastThreads(Block)) + " threads" +
         (Block.Known[0] && Block.Known[1] && Block.Known[2] ? "" : " or more") +
         ", and __launch_bounds__ of '" + Launch.Kernel->getNameAsString() + "' allows " +
         std::to_string(Bound);
}

// -------------------------------------------------------------------- swapped ----

/// The divisor of `(n + 255) / 256` or `n / 256`; 0: it is no such quotient.
static uint64_t divisorOf(SVal Value) {
  SymbolRef Symbol = Value.getAsSymbol();
  while (const auto *Cast = dyn_cast_or_null<SymbolCast>(Symbol))
    Symbol = Cast->getOperand();
  const auto *Quotient = dyn_cast_or_null<SymIntExpr>(Symbol);
  if (!Quotient || Quotient->getOpcode() != BO_Div)
    return 0;
  return numberOf(&*Quotient->getRHS()).value_or(0);
}

/// The words of a variable's name tell which of the two it is meant to be.
static std::string lowerName(const Expr *E) {
  E = E->IgnoreImplicit();
  if (const auto *Made = dyn_cast<CXXConstructExpr>(E))
    if (Made->getNumArgs() >= 1)
      E = Made->getArg(0);
  const auto *Ref = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts()->IgnoreImplicit());
  return Ref ? llvm::StringRef(Ref->getDecl()->getNameAsString()).lower() : "";
}

static bool namesBlockSize(llvm::StringRef Name) {
  return Name.contains("thread") || Name == "block" || Name == "dimblock" || Name == "blockdim" ||
         Name == "block_dim" || Name == "dim_block" || Name == "blocksize" || Name == "block_size";
}

static bool namesGridSize(llvm::StringRef Name) {
  return !Name.contains("thread") && !Name.contains("per") &&
         (Name.contains("grid") || Name == "blocks" || Name == "numblocks" ||
          Name == "num_blocks" || Name == "nblocks");
}

static std::string isSwapped(const LaunchView &Launch, const Sizes &Grid) {
  const auto *Call = dyn_cast<CUDAKernelCallExpr>(Launch.At);
  const CallExpr *Config = Call ? Call->getConfig() : nullptr;
  uint64_t Divisor = divisorOf(Launch.Block[0]);
  if (Divisor >= 32 && Grid.Known[0] == Divisor)
    return "the block has a quotient by " + std::to_string(Divisor) + " threads, and the grid has " +
           std::to_string(Divisor) + " blocks";
  if (!Config || Config->getNumArgs() < 2)
    return "";
  std::string First = lowerName(Config->getArg(0)), Second = lowerName(Config->getArg(1));
  if (namesBlockSize(First) && !namesGridSize(First) && namesGridSize(Second) &&
      !namesBlockSize(Second))
    return "'" + First + "' stands for the grid and '" + Second + "' for the block";
  return "";
}

// -------------------------------------------------------------------- launches ----

/// \returns true when something was reported.
bool LaunchChecker::checkSizes(const LaunchView &Launch, CheckerContext &C) const {
  Sizes Grid = sizesOf(Launch.Grid, C), Block = sizesOf(Launch.Block, C);
  std::pair<Rule, std::string> Problem = {Rule::LaunchLimits, badBlock(Block)};
  auto Try = [&](Rule R, std::string Text) {
    if (Problem.second.empty() || !On.isOn(Problem.first))
      Problem = {R, std::move(Text)};
  };
  Try(Rule::LaunchLimits, badGrid(Grid));
  Try(Rule::LaunchLimits, badShared(Launch, C));
  Try(Rule::LaunchLimits, aboveBounds(Launch, Block, C));
  Try(Rule::EmptyLaunch, isEmpty(Grid, "grid"));
  Try(Rule::EmptyLaunch, isEmpty(Block, "block"));
  std::string Text = "this launch fails: " + Problem.second;
  if (Problem.second.empty() || !On.isOn(Problem.first)) {
    Problem = {Rule::SwappedLaunch, isSwapped(Launch, Grid)};
    Text = "grid and block of this launch look swapped: " + Problem.second;
  }
  if ((Problem.second.empty() || !On.isOn(Problem.first)) && Launch.Kernel &&
      leastThreads(Block) > 512 && !Launch.Kernel->hasAttr<CUDALaunchBoundsAttr>()) {
    Problem = {Rule::LaunchBounds, "a block of " + std::to_string(leastThreads(Block)) +
                                       " threads, and '" + Launch.Kernel->getNameAsString() +
                                       "' has no __launch_bounds__: with more than " +
                                       std::to_string(65536 / leastThreads(Block)) +
                                       " registers for a thread the launch fails"};
    Text = Problem.second;
  }
  if (Problem.second.empty() || !On.isOn(Problem.first))
    return false;
  On.report(Problem.first, Text, Launch.At, nullptr, C.generateNonFatalErrorNode(), C);
  return true;
}

void LaunchChecker::checkPreStmt(const CUDAKernelCallExpr *Launch, CheckerContext &C) const {
  if (isDeviceCode(C) || checkSizes(*launchOf(Launch, C), C) || !On.isOn(Rule::UncheckedLaunch))
    return;
  C.addTransition(C.getState()->set<PendingLaunch>(Launch->getExprLoc().getRawEncoding()));
}

// ------------------------------------------------------------------- statuses ----

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

static bool isStatus(QualType Type) {
  const auto *Typedef = Type->getAs<TypedefType>();
  const auto *Enum = Type->getAsEnumDecl();
  llvm::StringRef Name = Typedef ? Typedef->getDecl()->getName()
                         : Enum  ? Enum->getName()
                                 : llvm::StringRef();
  return Name == "cudaError_t" || Name == "cudaError" || Name == "CUresult" ||
         Name == "cudaError_enum";
}

void LaunchChecker::checkIgnored(const CallEvent &Call, CheckerContext &C) const {
  const Expr *Origin = Call.getOriginExpr();
  if (!Origin || !isIgnored(Origin, C.getLocationContext()->getParentMap()) ||
      C.getSourceManager().isInSystemHeader(Origin->getExprLoc()) ||
      !isStatus(Call.getResultType()))
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
  Api Kind = apiOf(Call);
  const Expr *Origin = Call.getOriginExpr();
  if (Kind == Api::None || isDeviceCode(C))
    return;
  if (std::optional<LaunchView> Launch = launchOf(Call, C); Launch && checkSizes(*Launch, C))
    return;
  if (On.isOn(Rule::UncheckedCall))
    checkIgnored(Call, C);
  if (!On.isOn(Rule::UncheckedLaunch))
    return;
  bool Ignored = Origin && isIgnored(Origin, C.getLocationContext()->getParentMap());
  if (Kind == Api::AsksError || (!Ignored && (Kind == Api::Synchronises || Kind == Api::Memcpy)))
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

// -------------------------------------------------------------- registration ----

void gpusafe::host::registerLaunches(CheckerManager &Manager) {
  Manager.registerChecker<LaunchChecker>();
}

void gpusafe::host::enableLaunches(CheckerManager &Manager, Rule R) {
  Manager.getChecker<LaunchChecker>()->On.enable(R, Manager.getCurrentCheckerName());
}
