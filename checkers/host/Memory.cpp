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
    : public Checker<eval::Call, check::PreCall, check::Location, check::DeadSymbols,
                     check::PointerEscape> {
public:
  Rules On;

  bool evalCall(const CallEvent &Call, CheckerContext &C) const;
  void checkPreCall(const CallEvent &Call, CheckerContext &C) const;
  void checkLocation(SVal Address, bool IsLoad, const Stmt *S, CheckerContext &C) const;
  void checkDeadSymbols(SymbolReaper &Reaper, CheckerContext &C) const;
  ProgramStateRef checkPointerEscape(ProgramStateRef State, const InvalidatedSymbols &Escaped,
                                     const CallEvent *Call, PointerEscapeKind Kind) const;

private:
  void evalAllocation(const CallEvent &Call, Side Where, bool Sized, CheckerContext &C) const;
  void evalFree(const CallEvent &Call, CheckerContext &C) const;
  void checkUse(const CallEvent &Call, unsigned Index, CheckerContext &C) const;
  void checkKernelArguments(const CallEvent &Config, CheckerContext &C) const;
  void checkCopy(const CallEvent &Call, CheckerContext &C) const;
  bool checkSize(const CallEvent &Call, unsigned Index, unsigned SizeIndex,
                 CheckerContext &C) const;
  bool checkDirection(const CallEvent &Call, CheckerContext &C) const;
  void checkHostFunction(const CallEvent &Call, CheckerContext &C) const;
  void report(Rule R, const std::string &Message, const Expr *At, SymbolRef Symbol,
              ExplodedNode *Node, CheckerContext &C) const;
};

} // namespace

// ------------------------------------------------------------------- helpers ----

SymbolRef gpusafe::host::baseSymbol(SVal Value) {
  const MemRegion *Region = Value.getAsRegion();
  if (!Region)
    return Value.getAsSymbol();
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

std::string gpusafe::host::nameOf(const Expr *E) {
  E = E->IgnoreParenCasts();
  if (const auto *Unary = dyn_cast<UnaryOperator>(E))
    if (Unary->getOpcode() == UO_AddrOf)
      return nameOf(Unary->getSubExpr());
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
    return "'" + Ref->getDecl()->getNameAsString() + "'";
  if (const auto *Member = dyn_cast<MemberExpr>(E))
    return "'" + Member->getMemberDecl()->getNameAsString() + "'";
  return "the memory";
}

/// What the call returns: a status that nothing is known of.
static ProgramStateRef bindStatus(ProgramStateRef State, const CallEvent &Call, CheckerContext &C,
                                  SymbolRef *Status) {
  static int Tag;
  DefinedOrUnknownSVal Value = C.getSValBuilder().conjureSymbolVal(
      Call, Call.getResultType(), C.blockCount(), &Tag);
  if (Status)
    *Status = Value.getAsSymbol();
  return State->BindExpr(Call.getOriginExpr(), C.getLocationContext(), Value);
}

void MemoryChecker::report(Rule R, const std::string &Message, const Expr *At, SymbolRef Symbol,
                           ExplodedNode *Node, CheckerContext &C) const {
  if (!Node)
    return;
  auto Report = std::make_unique<PathSensitiveBugReport>(On.type(R), Message, Node);
  if (At)
    Report->addRange(At->getSourceRange());
  if (Symbol)
    Report->markInteresting(Symbol);
  C.emitReport(std::move(Report));
}

// --------------------------------------------------------- allocate and free ----

static const NoteTag *noteOn(CheckerContext &C, SymbolRef Symbol, std::string Text) {
  return C.getNoteTag([Symbol, Text](PathSensitiveBugReport &Report) {
    return Report.isInteresting(Symbol) ? Text : std::string();
  });
}

void MemoryChecker::evalAllocation(const CallEvent &Call, Side Where, bool Sized,
                                   CheckerContext &C) const {
  ProgramStateRef State = C.getState();
  SValBuilder &Builder = C.getSValBuilder();
  std::optional<Loc> Target = Call.getArgSVal(0).getAs<Loc>();
  // Behind the (void **) of most calls is a pointer with a type, and that is the one to set.
  QualType Type = C.getASTContext().VoidPtrTy;
  if (const MemRegion *Region = Call.getArgSVal(0).getAsRegion()) {
    const auto *Typed = dyn_cast<TypedValueRegion>(Region->StripCasts());
    if (Typed && Typed->getValueType()->isPointerType()) {
      Type = Typed->getValueType().getUnqualifiedType();
      Target = loc::MemRegionVal(Typed);
    }
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
      report(Rule::DoubleFree, nameOf(Call.getArgExpr(0)) + " is freed a second time",
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
  case Api::None:
  case Api::Memcpy:
  case Api::Memset:
  case Api::AsksError:
  case Api::Synchronises:
  case Api::Reset:
  case Api::Other:
    return false;
  }
  return false;
}

// ---------------------------------------------------------------------- uses ----

void MemoryChecker::checkUse(const CallEvent &Call, unsigned Index, CheckerContext &C) const {
  if (!On.isOn(Rule::UseAfterFree) || Index >= Call.getNumArgs())
    return;
  SVal Pointer = Call.getArgSVal(Index);
  const Allocation *A = allocationOf(C.getState(), Pointer);
  if (A && A->Freed)
    report(Rule::UseAfterFree, nameOf(Call.getArgExpr(Index)) + " is used after it was freed",
           Call.getArgExpr(Index), baseSymbol(Pointer), C.generateErrorNode(), C);
}

void MemoryChecker::checkKernelArguments(const CallEvent &Config, CheckerContext &C) const {
  const CUDAKernelCallExpr *Launch = launchOf(Config, C);
  if (!On.isOn(Rule::UseAfterFree) || !Launch)
    return;
  for (const Expr *Argument : Launch->arguments()) {
    std::optional<SVal> Value = pointerArgument(Argument, C);
    const Allocation *A = Value ? allocationOf(C.getState(), *Value) : nullptr;
    if (!A || !A->Freed)
      continue;
    report(Rule::UseAfterFree, nameOf(Argument) + " is given to a kernel after it was freed",
           Argument, baseSymbol(*Value), C.generateErrorNode(), C);
    return;
  }
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
    report(Rule::HostDeref,
           nameOf(Call.getArgExpr(I)) + " is device memory, and '" + Function +
               "' runs on the host; use " +
               (Function == "free"     ? "cudaFree"
                : Function == "memset" ? "cudaMemset"
                                       : "cudaMemcpy"),
           Call.getArgExpr(I), baseSymbol(Call.getArgSVal(I)), C.generateErrorNode(), C);
    return;
  }
}

void MemoryChecker::checkPreCall(const CallEvent &Call, CheckerContext &C) const {
  const auto *Function = dyn_cast_or_null<FunctionDecl>(Call.getDecl());
  if (!Function || isDeviceCode(C))
    return;
  switch (apiOf(Function)) {
  case Api::Memcpy:
    checkUse(Call, 0, C);
    if (!C.isDifferent())
      checkUse(Call, 1, C);
    if (!C.isDifferent())
      checkCopy(Call, C);
    return;
  case Api::Memset:
    checkUse(Call, 0, C);
    if (!C.isDifferent() && On.isOn(Rule::CopySize))
      checkSize(Call, 0, 2, C);
    return;
  case Api::Reset: {
    ProgramStateRef State = C.getState();
    for (const auto &[Symbol, A] : State->get<Allocations>())
      State = State->remove<Allocations>(Symbol);
    C.addTransition(State);
    return;
  }
  case Api::Other:
    if (Function->getName() == "__cudaPushCallConfiguration")
      checkKernelArguments(Call, C);
    return;
  case Api::None:
    checkHostFunction(Call, C);
    return;
  case Api::Malloc:
  case Api::MallocManaged:
  case Api::MallocHost:
  case Api::MallocPitch:
  case Api::Free:
  case Api::FreeHost:
  case Api::AsksError:
  case Api::Synchronises:
    return;
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
  report(Rule::HostDeref,
         std::string("host code ") + (IsLoad ? "reads" : "writes") + " device memory" +
             (Name[0] == '\'' ? " through " + Name : "") + "; copy it with cudaMemcpy",
         At, baseSymbol(Address), C.generateErrorNode(), C);
}

// -------------------------------------------------------------------- copies ----

/// `Value` as symbol times a constant above one.
static std::optional<std::pair<SymbolRef, uint64_t>> product(SVal Value) {
  const auto *Binary = dyn_cast_or_null<SymIntExpr>(Value.getAsSymbol());
  if (!Binary || Binary->getOpcode() != BO_Mul || Binary->getRHS()->ule(1) ||
      Binary->getRHS()->getActiveBits() > 32)
    return std::nullopt;
  return std::make_pair(Binary->getLHS(), Binary->getRHS()->getZExtValue());
}

/// sizeof what a pointer points to as the source writes it; 0: it does not say.
static uint64_t elementSize(const Expr *Pointer, const ASTContext &Context) {
  QualType Element = Pointer->IgnoreParenCasts()->getType();
  Element = Element->isArrayType() ? Context.getBaseElementType(Element)
                                   : Element->getPointeeType();
  if (Element.isNull() || Element->isVoidType() || Element->isIncompleteType() ||
      Element->isDependentType() || Element->isFunctionType())
    return 0;
  return uint64_t(Context.getTypeSizeInChars(Element).getQuantity());
}

/// The size that argument `SizeIndex` asks for is more than argument `Index` points to, on all
/// values that the path allows; or it is the number of elements where bytes are meant.
bool MemoryChecker::checkSize(const CallEvent &Call, unsigned Index, unsigned SizeIndex,
                              CheckerContext &C) const {
  ProgramStateRef State = C.getState();
  if (SizeIndex >= Call.getNumArgs())
    return false;
  SVal Pointer = Call.getArgSVal(Index), Size = Call.getArgSVal(SizeIndex);
  const MemRegion *Region = Pointer.getAsRegion();
  if (!Region || Size.isUnknownOrUndef())
    return false;
  SVal Extent = getDynamicExtentWithOffset(State, Pointer);
  if (Extent.isUnknownOrUndef())
    return false;
  SValBuilder &Builder = C.getSValBuilder();
  const llvm::APSInt *Have = Builder.getKnownValue(State, Extent);
  const llvm::APSInt *Want = Builder.getMinValue(State, Size);
  const Expr *At = Call.getArgExpr(Index);
  SymbolRef Symbol = baseSymbol(Pointer);
  if (Have && Want && Want->getExtValue() > Have->getExtValue() && Have->getExtValue() >= 0 &&
      Want->getExtValue() > 0) {
    report(Rule::CopySize,
           std::to_string(Want->getExtValue()) + " bytes are " +
               (Index == 1 ? "read from " : "written to ") + nameOf(At) + ", which has " +
               std::to_string(Have->getExtValue()),
           Call.getArgExpr(SizeIndex), Symbol, C.generateErrorNode(), C);
    return true;
  }
  auto Elements = product(Extent);
  if (!Elements || Size.getAsSymbol() != Elements->first ||
      elementSize(At, C.getASTContext()) != Elements->second)
    return false;
  report(Rule::CopySize,
         "the size is a number of elements, not of bytes: " + nameOf(At) + " has " +
             std::to_string(Elements->second) + " bytes for each; multiply by sizeof",
         Call.getArgExpr(SizeIndex), Symbol, C.generateErrorNode(), C);
  return true;
}

/// Device memory where the direction says host.
bool MemoryChecker::checkDirection(const CallEvent &Call, CheckerContext &C) const {
  static const char *const Names[] = {"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice",
                                      "cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice"};
  const llvm::APSInt *Kind =
      Call.getNumArgs() > 3 ? C.getSValBuilder().getKnownValue(C.getState(), Call.getArgSVal(3))
                            : nullptr;
  if (!Kind || Kind->getExtValue() < 0 || Kind->getExtValue() > 3)
    return false;
  bool OnDevice[2] = {(Kind->getExtValue() & 1) != 0, (Kind->getExtValue() & 2) != 0};
  for (unsigned I = 0; I < 2; I++) {
    const MemRegion *Region = Call.getArgSVal(I).getAsRegion();
    const Allocation *A = allocationOf(C.getState(), Call.getArgSVal(I));
    bool IsDevice = A && A->Where == Side::Device;
    // Local variables are the host's for certain; other memory may be managed.
    bool IsHost = Region && isa<StackSpaceRegion>(Region->getMemorySpace(C.getState()));
    if ((OnDevice[I] && IsHost) || (!OnDevice[I] && IsDevice)) {
      report(Rule::CopySize,
             std::string(I ? "the source " : "the target ") + nameOf(Call.getArgExpr(I)) +
                 (IsHost ? " is host memory" : " is device memory") + ", and the direction is " +
                 Names[Kind->getExtValue()],
             Call.getArgExpr(3), baseSymbol(Call.getArgSVal(I)), C.generateErrorNode(), C);
      return true;
    }
  }
  return false;
}

void MemoryChecker::checkCopy(const CallEvent &Call, CheckerContext &C) const {
  if (!On.isOn(Rule::CopySize))
    return;
  if (!checkDirection(Call, C) && !checkSize(Call, 0, 2, C))
    checkSize(Call, 1, 2, C);
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
    if (!A.Freed && !hasFailed(State, A))
      Leaked.push_back(Symbol);
    State = State->remove<Allocations>(Symbol);
  }
  if (!On.isOn(Rule::Leak) || Leaked.empty() || isMain(C) || isDeviceCode(C)) {
    C.addTransition(State);
    return;
  }
  ExplodedNode *Node = C.generateNonFatalErrorNode(State);
  for (SymbolRef Symbol : Leaked)
    report(Rule::Leak, "device memory is lost here without being freed", nullptr, Symbol, Node, C);
}

// -------------------------------------------------------------- registration ----

void gpusafe::host::registerMemory(CheckerManager &Manager) {
  Manager.registerChecker<MemoryChecker>();
}

void gpusafe::host::enableMemoryRule(CheckerManager &Manager, Rule R) {
  Manager.getChecker<MemoryChecker>()->On.enable(R, Manager.getCurrentCheckerName());
}
