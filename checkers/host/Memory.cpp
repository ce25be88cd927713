// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device memory along the paths of host code: a symbol for each allocation, which is live
// until it is freed. What escapes to code that is not seen is forgotten, and then silent.
#include "Host.h"

#include "clang/StaticAnalyzer/Core/PathSensitive/CallDescription.h"
#include "clang/StaticAnalyzer/Core/PathSensitive/DynamicExtent.h"
#include "clang/StaticAnalyzer/Core/PathSensitive/ProgramStateTrait.h"

using namespace clang;
using namespace clang::ento;
using namespace gpusafe::host;

namespace {

/// One allocation, by the symbol of its address.
struct Allocation {
  Side Where;
  bool Freed;
  SymbolRef Status; ///< what the call returned: if it is an error, there is no memory

  bool operator==(const Allocation &O) const {
    return Where == O.Where && Freed == O.Freed && Status == O.Status;
  }
  void Profile(llvm::FoldingSetNodeID &ID) const {
    ID.AddInteger(unsigned(Where));
    ID.AddBoolean(Freed);
    ID.AddPointer(Status);
  }
};

} // namespace

REGISTER_MAP_WITH_PROGRAMSTATE(Allocations, SymbolRef, Allocation)

namespace {

class MemoryChecker
    : public Checker<eval::Call, check::PreCall, check::PreStmt<CUDAKernelCallExpr>, check::Location,
                     check::DeadSymbols, check::PointerEscape> {
public:
  Rules On;

  bool evalCall(const CallEvent &Call, CheckerContext &C) const;
  void checkPreCall(const CallEvent &Call, CheckerContext &C) const;
  void checkPreStmt(const CUDAKernelCallExpr *Launch, CheckerContext &C) const;
  void checkLocation(SVal Address, bool IsLoad, const Stmt *S, CheckerContext &C) const;
  void checkDeadSymbols(SymbolReaper &Reaper, CheckerContext &C) const;
  ProgramStateRef checkPointerEscape(ProgramStateRef State, const InvalidatedSymbols &Escaped,
                                     const CallEvent *Call, PointerEscapeKind Kind) const;

private:
  void evalAllocation(const CallEvent &Call, Side Where, bool Sized, CheckerContext &C) const;
  void evalFree(const CallEvent &Call, CheckerContext &C) const;
  bool checkUse(const CallEvent &Call, unsigned Index, CheckerContext &C) const;
  void checkArguments(const LaunchView &Launch, CheckerContext &C) const;
  bool checkFreed(const LaunchArgument &Argument, CheckerContext &C) const;
  bool checkHostPointer(const LaunchView &Launch, unsigned Index, CheckerContext &C) const;
  void checkHostFunction(const CallEvent &Call, CheckerContext &C) const;
};

} // namespace

// ------------------------------------------------------------------- helpers ----

/// The base of an integer that is an address: what offsets are added to.
static SymbolRef integerBase(SymbolRef Symbol) {
  for (;;) {
    if (const auto *Sum = dyn_cast_or_null<SymIntExpr>(Symbol))
      Symbol = Sum->getLHS();
    else if (const auto *Sums = dyn_cast_or_null<SymSymExpr>(Symbol))
      Symbol = Sums->getLHS();
    else if (const auto *Cast = dyn_cast_or_null<SymbolCast>(Symbol))
      Symbol = Cast->getOperand();
    else
      return Symbol;
  }
}

SymbolRef gpusafe::host::baseSymbol(SVal Value) {
  const MemRegion *Region = Value.getAsRegion();
  if (!Region)
    return integerBase(Value.getAsSymbol());
  const auto *Symbolic = dyn_cast<SymbolicRegion>(Region->getBaseRegion());
  return Symbolic ? Symbolic->getSymbol() : nullptr;
}

static const Allocation *allocationOf(ProgramStateRef State, SVal Value) {
  SymbolRef Symbol = baseSymbol(Value);
  return Symbol ? State->get<Allocations>(Symbol) : nullptr;
}

std::optional<Side> gpusafe::host::sideOf(ProgramStateRef State, SVal Address) {
  const Allocation *A = allocationOf(State, Address);
  if (!A || A->Freed)
    return std::nullopt;
  return A->Where;
}

/// The path has seen that the call failed: then it gave no memory.
static bool hasFailed(ProgramStateRef State, const Allocation &A) {
  return A.Status && State->getConstraintManager()
                         .isNull(State, A.Status)
                         .isConstrainedFalse();
}

// --------------------------------------------------------- allocate and free ----

void MemoryChecker::evalAllocation(const CallEvent &Call, Side Where, bool Sized,
                                   CheckerContext &C) const {
  ProgramStateRef State = C.getState();
  SValBuilder &Builder = C.getSValBuilder();
  std::optional<Loc> Target = Call.getArgSVal(0).getAs<Loc>();
  // Behind the (void **) of most calls is a pointer with a type, and that is the one to set.
  QualType Type = C.getASTContext().VoidPtrTy;
  if (const TypedValueRegion *Place = placeOf(Call.getArgSVal(0), C)) {
    Type = Place->getValueType().getUnqualifiedType();
    Target = loc::MemRegionVal(Place);
  }
  static int Tag;
  DefinedOrUnknownSVal Address = Builder.conjureSymbolVal(Call, Type, C.blockCount(), &Tag);
  SymbolRef Symbol = Address.getAsSymbol(), Status = nullptr;
  State = bindStatus(State, Call, C, &Status);
  if (!Target || !Symbol) {
    C.addTransition(State);
    return;
  }
  State = State->bindLoc(*Target, Address, C.getLocationContext());
  State = State->assume(Address, true);
  if (!State)
    return;
  State = State->set<Allocations>(Symbol, Allocation{Where, false, Status});
  if (Sized)
    if (auto Size = Call.getArgSVal(1).getAs<DefinedOrUnknownSVal>())
      if (const MemRegion *Region = Address.getAsRegion())
        State = setDynamicExtent(State, Region, *Size);
  C.addTransition(State, noteOn(C, Symbol, "allocated here"));
}

void MemoryChecker::evalFree(const CallEvent &Call, CheckerContext &C) const {
  ProgramStateRef State = bindStatus(C.getState(), Call, C, nullptr);
  SVal Pointer = Call.getArgSVal(0);
  SymbolRef Symbol = baseSymbol(Pointer);
  const Allocation *Old = Symbol ? State->get<Allocations>(Symbol) : nullptr;
  if (Old && Old->Freed) {
    if (On.isOn(Rule::DoubleFree))
      On.report(Rule::DoubleFree, nameOf(Call.getArgExpr(0)) + " is freed a second time",
             Call.getArgExpr(0), Symbol, C.generateErrorNode(State), C);
    return;
  }
  // Memory that came from elsewhere is known from here on as freed: of what it was, only
  // that matters. A pointer that may be null is none, and then nothing is freed.
  if (Symbol && isa<SymbolRegionValue, SymbolConjured, SymbolDerived>(Symbol)) {
    Side Where = Old ? Old->Where : Side::Device;
    State = State->set<Allocations>(Symbol, Allocation{Where, true, Old ? Old->Status : nullptr});
    C.addTransition(State, noteOn(C, Symbol, "freed here"));
    return;
  }
  C.addTransition(State);
}

bool MemoryChecker::evalCall(const CallEvent &Call, CheckerContext &C) const {
  if (!Call.getOriginExpr() || isDeviceCode(C))
    return false;
  switch (apiOf(Call)) {
  case Api::Malloc:
  case Api::MallocManaged:
  case Api::MallocHost:
  case Api::MallocPitch: {
    if (Call.getNumArgs() < 2)
      return false;
    Api Kind = apiOf(Call);
    Side Where = Kind == Api::MallocManaged ? Side::Managed
                 : Kind == Api::MallocHost  ? Side::Host
                                            : Side::Device;
    evalAllocation(Call, Where, Kind != Api::MallocPitch, C);
    return true;
  }
  case Api::Free:
  case Api::FreeHost:
    if (Call.getNumArgs() < 1)
      return false;
    evalFree(Call, C);
    return true;
  default: // it is the analyzer's to guess
    return false;
  }
}

// ---------------------------------------------------------------------- uses ----

/// \returns true when something was reported.
bool MemoryChecker::checkUse(const CallEvent &Call, unsigned Index, CheckerContext &C) const {
  if (!On.isOn(Rule::UseAfterFree) || Index >= Call.getNumArgs())
    return false;
  SVal Pointer = Call.getArgSVal(Index);
  const Allocation *A = allocationOf(C.getState(), Pointer);
  if (!A || !A->Freed)
    return false;
  On.report(Rule::UseAfterFree, nameOf(Call.getArgExpr(Index)) + " is used after it was freed",
            Call.getArgExpr(Index), baseSymbol(Pointer), C.generateErrorNode(), C);
  return true;
}

bool MemoryChecker::checkFreed(const LaunchArgument &Argument, CheckerContext &C) const {
  const Allocation *A = allocationOf(C.getState(), Argument.Value);
  if (!A || !A->Freed)
    return false;
  On.report(Rule::UseAfterFree, nameOf(Argument.Text) + " is given to a kernel after it was freed",
            Argument.Text, baseSymbol(Argument.Value), C.generateErrorNode(), C);
  return true;
}

/// Memory that the host's own allocator gave.
static bool isHeap(SVal Pointer) {
  const auto *Made = dyn_cast_or_null<SymbolConjured>(baseSymbol(Pointer));
  const Stmt *By = Made ? Made->getStmt() : nullptr;
  if (isa_and_nonnull<CXXNewExpr>(By))
    return true;
  const auto *Call = dyn_cast_or_null<CallExpr>(By);
  const FunctionDecl *Function = Call ? Call->getDirectCallee() : nullptr;
  if (!Function || !Function->getIdentifier())
    return false;
  llvm::StringRef Name = Function->getName();
  return Name == "malloc" || Name == "calloc" || Name == "realloc" || Name == "aligned_alloc";
}

/// A pointer to memory of the host that nobody made the device's: most devices cannot reach it.
bool MemoryChecker::checkHostPointer(const LaunchView &Launch, unsigned Index,
                                     CheckerContext &C) const {
  const LaunchArgument &Argument = Launch.Arguments[Index];
  QualType Type = parameterType(Launch, Index);
  const MemRegion *Region = Argument.Value.getAsRegion();
  if (Type.isNull() || !Type->isPointerType() || Type->getPointeeType()->isFunctionType() || !Region)
    return false;
  bool IsLocal = isa<StackSpaceRegion>(Region->getMemorySpace(C.getState()));
  if ((!IsLocal && !isHeap(Argument.Value)) || allocationOf(C.getState(), Argument.Value) ||
      unitNames(C.getASTContext(), {"cudaHostRegister", "cuMemHostRegister"}))
    return false;
  On.report(Rule::HostDeref,
            nameOf(Argument.Text) + " is memory of the host, and a kernel gets it; give it memory "
                                    "of cudaMalloc and copy",
            Argument.Text, baseSymbol(Argument.Value), C.generateErrorNode(), C);
  return true;
}

void MemoryChecker::checkArguments(const LaunchView &Launch, CheckerContext &C) const {
  for (unsigned I = 0; I < Launch.Arguments.size(); I++)
    if ((On.isOn(Rule::UseAfterFree) && checkFreed(Launch.Arguments[I], C)) ||
        (On.isOn(Rule::HostDeref) && checkHostPointer(Launch, I, C)))
      return;
}

void MemoryChecker::checkPreStmt(const CUDAKernelCallExpr *Launch, CheckerContext &C) const {
  if (!isDeviceCode(C))
    checkArguments(*launchOf(Launch, C), C);
}

/// C functions that touch what their pointers point to.
void MemoryChecker::checkHostFunction(const CallEvent &Call, CheckerContext &C) const {
  static const CallDescriptionSet Touching{
      {CDM::CLibrary, {"memcpy"}, 3}, {CDM::CLibrary, {"memmove"}, 3},
      {CDM::CLibrary, {"memset"}, 3}, {CDM::CLibrary, {"memcmp"}, 3},
      {CDM::CLibrary, {"free"}, 1}};
  if (!On.isOn(Rule::HostDeref) || !Touching.contains(Call))
    return;
  for (unsigned I = 0; I < Call.getNumArgs() && I < 2; I++) {
    const Allocation *A = allocationOf(C.getState(), Call.getArgSVal(I));
    if (!A || A->Where != Side::Device || A->Freed)
      continue;
    std::string Function = cast<FunctionDecl>(Call.getDecl())->getNameAsString();
    On.report(Rule::HostDeref,
           nameOf(Call.getArgExpr(I)) + " is device memory, and '" + Function +
               "' runs on the host; use " +
               (Function == "free"     ? "cudaFree"
                : Function == "memset" ? "cudaMemset"
                                       : "cudaMemcpy"),
           Call.getArgExpr(I), baseSymbol(Call.getArgSVal(I)), C.generateErrorNode(), C);
    return;
  }
}

static ProgramStateRef forgetAll(ProgramStateRef State) {
  for (const auto &[Symbol, A] : State->get<Allocations>())
    State = State->remove<Allocations>(Symbol);
  return State;
}

void MemoryChecker::checkPreCall(const CallEvent &Call, CheckerContext &C) const {
  const auto *Function = dyn_cast_or_null<FunctionDecl>(Call.getDecl());
  if (!Function || isDeviceCode(C))
    return;
  if (std::optional<Copy> Arguments = copyOf(Call)) {
    if (!checkUse(Call, Arguments->Target, C))
      checkUse(Call, Arguments->Source, C);
  } else if (fillOf(Call)) {
    checkUse(Call, 0, C);
  } else if (std::optional<LaunchView> Launch = launchOf(Call, C)) {
    checkArguments(*Launch, C);
  } else if (apiOf(Function) == Api::Reset) {
    C.addTransition(forgetAll(C.getState()));
  } else if (apiOf(Function) == Api::None) {
    checkHostFunction(Call, C);
  }
}

void MemoryChecker::checkLocation(SVal Address, bool IsLoad, const Stmt *S,
                                  CheckerContext &C) const {
  if (!On.isOn(Rule::HostDeref) || isDeviceCode(C))
    return;
  const Allocation *A = allocationOf(C.getState(), Address);
  if (!A || A->Where != Side::Device || A->Freed || hasFailed(C.getState(), *A))
    return;
  const auto *At = dyn_cast_or_null<Expr>(S);
  const Expr *Pointer = At ? At->IgnoreParenCasts() : nullptr;
  if (const auto *Index = dyn_cast_or_null<ArraySubscriptExpr>(Pointer))
    Pointer = Index->getBase();
  else if (const auto *Star = dyn_cast_or_null<UnaryOperator>(Pointer))
    Pointer = Star->getSubExpr();
  std::string Name = Pointer ? nameOf(Pointer) : "the memory";
  On.report(Rule::HostDeref,
         std::string("host code ") + (IsLoad ? "reads" : "writes") + " device memory" +
             (Name[0] == '\'' ? " through " + Name : "") + "; copy it with cudaMemcpy",
         At, baseSymbol(Address), C.generateErrorNode(), C);
}

// ---------------------------------------------------------------------- ends ----

ProgramStateRef MemoryChecker::checkPointerEscape(ProgramStateRef State,
                                                  const InvalidatedSymbols &Escaped,
                                                  const CallEvent *Call,
                                                  PointerEscapeKind Kind) const {
  // CUDA's own functions take no ownership; what they are given stays the caller's.
  if (Call && Kind == PSK_DirectEscapeOnCall && keepsPointers(*Call))
    return State;
  for (SymbolRef Symbol : Escaped)
    State = State->remove<Allocations>(Symbol);
  return State;
}

/// main's memory goes when the program does.
static bool isMain(const CheckerContext &C) {
  const auto *Function = dyn_cast<FunctionDecl>(C.getStackFrame()->getDecl());
  return Function && Function->isMain();
}

void MemoryChecker::checkDeadSymbols(SymbolReaper &Reaper, CheckerContext &C) const {
  ProgramStateRef State = C.getState();
  SmallVector<SymbolRef, 2> Leaked;
  for (const auto &[Symbol, A] : State->get<Allocations>()) {
    if (!Reaper.isDead(Symbol))
      continue;
    // A CUdeviceptr is a number, and numbers leave without a trace.
    if (!A.Freed && !hasFailed(State, A) && Symbol->getType()->isPointerType())
      Leaked.push_back(Symbol);
    State = State->remove<Allocations>(Symbol);
  }
  if (!On.isOn(Rule::Leak) || Leaked.empty() || isMain(C) || isDeviceCode(C)) {
    C.addTransition(State);
    return;
  }
  ExplodedNode *Node = C.generateNonFatalErrorNode(State);
  for (SymbolRef Symbol : Leaked)
    On.report(Rule::Leak, "device memory is lost here without being freed", nullptr, Symbol, Node, C);
}

// -------------------------------------------------------------- registration ----

void gpusafe::host::registerMemory(CheckerManager &Manager) {
  Manager.registerChecker<MemoryChecker>();
}

void gpusafe::host::enableMemory(CheckerManager &Manager, Rule R) {
  Manager.getChecker<MemoryChecker>()->On.enable(R, Manager.getCurrentCheckerName());
}
