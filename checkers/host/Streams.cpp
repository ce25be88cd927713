// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the device may still be doing while the host goes on: a kernel uses managed memory, an
// asynchronous copy page-locked memory, until something waits for them. Any call that waits
// for anything ends all of it here, and so does code that is not seen: the rule errs towards
// silence. Copies of pageable memory are left out: most of them wait (CUDA Runtime API, "API
// synchronization behavior").
#include "Host.h"

#include "clang/AST/Attr.h"
#include "clang/StaticAnalyzer/Core/PathSensitive/ProgramStateTrait.h"

using namespace clang;
using namespace clang::ento;
using namespace gpusafe::host;

namespace {
enum Use : unsigned { DeviceReads = 1, DeviceWrites = 2, ByCopy = 4 };
} // namespace

/// Memory that the device may be using: by the symbol of its address, bits of Use.
REGISTER_MAP_WITH_PROGRAMSTATE(InFlight, SymbolRef, unsigned)

namespace {

class StreamChecker
    : public Checker<check::PreCall, check::PostCall, check::Location, check::DeadSymbols,
                     check::PointerEscape> {
public:
  Rules On;

  void checkPreCall(const CallEvent &Call, CheckerContext &C) const;
  void checkPostCall(const CallEvent &Call, CheckerContext &C) const;
  void checkLocation(SVal Address, bool IsLoad, const Stmt *S, CheckerContext &C) const;
  void checkDeadSymbols(SymbolReaper &Reaper, CheckerContext &C) const;
  ProgramStateRef checkPointerEscape(ProgramStateRef State, const InvalidatedSymbols &Escaped,
                                     const CallEvent *Call, PointerEscapeKind Kind) const;

private:
  void takeLaunch(const CallEvent &Config, CheckerContext &C) const;
  void takeCopy(const CallEvent &Call, CheckerContext &C) const;
};

} // namespace

static ProgramStateRef forgetAll(ProgramStateRef State) {
  for (const auto &[Symbol, Use] : State->get<InFlight>())
    State = State->remove<InFlight>(Symbol);
  return State;
}

static ProgramStateRef add(ProgramStateRef State, SymbolRef Symbol, unsigned Use) {
  const unsigned *Old = State->get<InFlight>(Symbol);
  return State->set<InFlight>(Symbol, (Old ? *Old : 0) | Use);
}

static const NoteTag *noteOn(CheckerContext &C, SymbolRef Symbol, std::string Text) {
  return C.getNoteTag([Symbol, Text](PathSensitiveBugReport &Report) {
    return Report.isInteresting(Symbol) ? Text : std::string();
  });
}

/// Kernels use what they are given; through a pointer to const they only read.
void StreamChecker::takeLaunch(const CallEvent &Config, CheckerContext &C) const {
  const CUDAKernelCallExpr *Launch = launchOf(Config, C);
  if (!Launch)
    return;
  const FunctionDecl *Kernel = Launch->getDirectCallee();
  ProgramStateRef State = C.getState();
  SymbolRef Last = nullptr;
  unsigned Index = 0;
  for (const Expr *Argument : Launch->arguments()) {
    QualType Type = Kernel && Index < Kernel->getNumParams()
                        ? Kernel->getParamDecl(Index)->getType()
                        : Argument->getType();
    Index++;
    std::optional<SVal> Value = pointerArgument(Argument, C);
    if (!Value || sideOf(State, *Value) != Side::Managed)
      continue;
    bool OnlyReads = Type->isPointerType() && Type->getPointeeType().isConstQualified();
    Last = baseSymbol(*Value);
    State = add(State, Last, OnlyReads ? DeviceReads : DeviceReads | DeviceWrites);
  }
  if (Last)
    C.addTransition(State, noteOn(C, Last, "the kernel starts here, and the host goes on"));
}

/// cudaMemcpyAsync(dst, src, bytes, kind, stream) from or to page-locked memory.
void StreamChecker::takeCopy(const CallEvent &Call, CheckerContext &C) const {
  ProgramStateRef State = C.getState();
  for (unsigned I = 0; I < 2; I++) {
    SVal Pointer = Call.getArgSVal(I);
    if (sideOf(State, Pointer) != Side::Host)
      continue;
    SymbolRef Symbol = baseSymbol(Pointer);
    C.addTransition(add(State, Symbol, (I ? DeviceReads : DeviceWrites) | ByCopy),
                    noteOn(C, Symbol, "the copy starts here, and the host goes on"));
    return;
  }
}

void StreamChecker::checkPreCall(const CallEvent &Call, CheckerContext &C) const {
  const auto *Function = dyn_cast_or_null<FunctionDecl>(Call.getDecl());
  Api Kind = apiOf(Function);
  if (Kind == Api::None || isDeviceCode(C))
    return;
  llvm::StringRef Name = Function->getName();
  if (Name == "__cudaPushCallConfiguration")
    takeLaunch(Call, C);
  else if (Kind == Api::Memcpy && Name.starts_with("cudaMemcpyAsync") && Call.getNumArgs() > 1)
    takeCopy(Call, C);
}

/// \returns true for a call after which the device may be done with everything.
static bool mayWait(const CallEvent &Call, const CheckerContext &C) {
  const auto *Function = dyn_cast_or_null<FunctionDecl>(Call.getDecl());
  switch (apiOf(Function)) {
  case Api::None: // Code that is not seen may wait; the C library does not.
    if (Function && Function->hasAttr<CUDAGlobalAttr>())
      return false;
    return !C.wasInlined && !(Function && C.getSourceManager().isInSystemHeader(
                                              Function->getLocation()));
  case Api::Memcpy:
    return !Function->getName().starts_with("cudaMemcpyAsync");
  case Api::Memset:
  case Api::AsksError:
    return false;
  case Api::Other: {
    // Of the rest only what certainly returns at once keeps things going.
    llvm::StringRef Name = Function->getName();
    return !Name.starts_with("__cuda") && !Name.starts_with("cudaEventRecord") &&
           !Name.starts_with("cudaStreamWaitEvent") && !Name.starts_with("cudaGetErrorString") &&
           !Name.starts_with("cudaEventCreate") && !Name.starts_with("cudaStreamCreate") &&
           !Name.starts_with("cudaLaunch");
  }
  case Api::Malloc:
  case Api::MallocManaged:
  case Api::MallocHost:
  case Api::MallocPitch:
  case Api::Free:
  case Api::FreeHost:
  case Api::Synchronises:
  case Api::Reset:
    return true;
  }
  return true;
}

void StreamChecker::checkPostCall(const CallEvent &Call, CheckerContext &C) const {
  if (!C.getState()->get<InFlight>().isEmpty() && mayWait(Call, C))
    C.addTransition(forgetAll(C.getState()));
}

void StreamChecker::checkLocation(SVal Address, bool IsLoad, const Stmt *S,
                                  CheckerContext &C) const {
  SymbolRef Symbol = baseSymbol(Address);
  const unsigned *Use = Symbol ? C.getState()->get<InFlight>(Symbol) : nullptr;
  if (!Use || !On.isOn(Rule::StreamOrder) || (IsLoad && !(*Use & DeviceWrites)) ||
      isDeviceCode(C))
    return;
  ExplodedNode *Node = C.generateErrorNode();
  if (!Node)
    return;
  bool Writes = *Use & DeviceWrites;
  std::string Message = std::string("the host ") + (IsLoad ? "reads" : "writes") +
                        (*Use & ByCopy ? " page-locked memory that an asynchronous copy may still "
                                       : " managed memory that a kernel may still ") +
                        (Writes ? "write" : "read") + "; wait for it first, as with " +
                        (*Use & ByCopy ? "cudaStreamSynchronize" : "cudaDeviceSynchronize");
  auto Report =
      std::make_unique<PathSensitiveBugReport>(On.type(Rule::StreamOrder), Message, Node);
  if (S)
    Report->addRange(S->getSourceRange());
  Report->markInteresting(Symbol);
  C.emitReport(std::move(Report));
}

void StreamChecker::checkDeadSymbols(SymbolReaper &Reaper, CheckerContext &C) const {
  ProgramStateRef State = C.getState();
  for (const auto &[Symbol, Use] : State->get<InFlight>())
    if (Reaper.isDead(Symbol))
      State = State->remove<InFlight>(Symbol);
  C.addTransition(State);
}

ProgramStateRef StreamChecker::checkPointerEscape(ProgramStateRef State,
                                                  const InvalidatedSymbols &Escaped,
                                                  const CallEvent *Call,
                                                  PointerEscapeKind Kind) const {
  if (Call && Kind == PSK_DirectEscapeOnCall && keepsPointers(*Call))
    return State;
  for (SymbolRef Symbol : Escaped)
    State = State->remove<InFlight>(Symbol);
  return State;
}

void gpusafe::host::registerStreams(CheckerManager &Manager) {
  Manager.registerChecker<StreamChecker>();
}

void gpusafe::host::enableStreamRule(CheckerManager &Manager, Rule R) {
  Manager.getChecker<StreamChecker>()->On.enable(R, Manager.getCurrentCheckerName());
}
