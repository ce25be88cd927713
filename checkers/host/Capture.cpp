// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// capture: between cudaStreamBeginCapture and cudaStreamEndCapture some calls fail and spoil the
// graph (CUDA C++ Programming Guide, "Prohibited and Unhandled Operations"; Runtime API,
// cudaStreamCaptureMode).
#include "Streams.h"

#include "clang/StaticAnalyzer/Core/PathSensitive/ProgramStateTrait.h"

using namespace clang;
using namespace clang::ento;
using namespace gpusafe::host;

enum CapturePart : unsigned { Captured, CaptureMode };

/// The stream that is being captured, and how; empty: none.
REGISTER_MAP_WITH_PROGRAMSTATE(Capturing, unsigned, SVal)

namespace {

class CaptureChecker
    : public Checker<check::PreCall, check::PostCall, check::PreStmt<CUDAKernelCallExpr>,
                     check::LiveSymbols> {
public:
  Rules On;

  void checkPreCall(const CallEvent &Call, CheckerContext &C) const;
  void checkPostCall(const CallEvent &Call, CheckerContext &C) const;
  void checkPreStmt(const CUDAKernelCallExpr *Launch, CheckerContext &C) const;
  void checkLiveSymbols(ProgramStateRef State, SymbolReaper &Reaper) const;

private:
  void blame(const std::string &What, const Expr *At, CheckerContext &C) const;
};

/// cudaStreamCaptureModeRelaxed.
constexpr int64_t Relaxed = 2;

} // namespace

static ProgramStateRef stop(ProgramStateRef State) {
  return State->remove<Capturing>(Captured)->remove<Capturing>(CaptureMode);
}

/// Calls that may wait for what is only being recorded, in the modes that forbid it.
static bool isUnsafe(Api Kind) {
  switch (Kind) {
  case Api::Malloc:
  case Api::MallocManaged:
  case Api::MallocHost:
  case Api::MallocPitch:
  case Api::Free:
  case Api::FreeHost:
    return true;
  default:
    return false;
  }
}

/// Why a call breaks the capture of that stream; "" when it does not.
static std::string breaks(const CallEvent &Call, SVal Stream, bool IsRelaxed, CheckerContext &C) {
  const auto *Function = cast<FunctionDecl>(Call.getDecl());
  llvm::StringRef Name = apiName(Function);
  std::string Shown = "'" + Function->getNameAsString() + "'";
  Api Kind = apiOf(Function);
  bool Blocking = streamKind(Stream, C) == StreamKind::Made;
  if (Kind == Api::Synchronises && Name.contains("Stream") && Call.getNumArgs() > 0 &&
      Call.getArgSVal(0) == Stream)
    return Shown + " waits for the stream that is being captured, which runs nothing now";
  if (Kind == Api::Synchronises && (Name.contains("DeviceSync") || Name.contains("CtxSync") ||
                                    Name.contains("ThreadSync")))
    return Shown + " waits for the device while a stream is being captured";
  std::optional<Copy> Copied = copyOf(Call);
  std::optional<Fill> Filled = fillOf(Call);
  bool Waits = (Copied && Copied->Stream < 0) || (Filled && Filled->Stream < 0);
  if (Waits && Blocking)
    return Shown + " uses the default stream, which waits for the one that is being captured";
  if (isUnsafe(Kind) && !IsRelaxed && !Name.ends_with("Async"))
    return Shown + " may wait for the device, which this mode of capture forbids";
  return "";
}

void CaptureChecker::blame(const std::string &What, const Expr *At, CheckerContext &C) const {
  const SVal *Stream = C.getState()->get<Capturing>(Captured);
  On.report(Rule::CaptureBreak, "this breaks the capture: " + What, At,
            Stream ? baseSymbol(*Stream) : nullptr, C.generateErrorNode(), C);
}

void CaptureChecker::checkPreCall(const CallEvent &Call, CheckerContext &C) const {
  const SVal *Stream = C.getState()->get<Capturing>(Captured);
  const SVal *Mode = C.getState()->get<Capturing>(CaptureMode);
  if (!Stream || !Mode || !On.isOn(Rule::CaptureBreak) || apiOf(Call) == Api::None ||
      isDeviceCode(C))
    return;
  std::optional<int64_t> Known = knownValue(*Mode, C);
  std::string Why = breaks(Call, *Stream, !Known || *Known == Relaxed, C);
  if (!Why.empty())
    blame(Why, Call.getOriginExpr(), C);
}

void CaptureChecker::checkPreStmt(const CUDAKernelCallExpr *Launch, CheckerContext &C) const {
  const SVal *Stream = C.getState()->get<Capturing>(Captured);
  if (!Stream || !On.isOn(Rule::CaptureBreak) || isDeviceCode(C) ||
      streamKind(*Stream, C) != StreamKind::Made)
    return;
  if (streamKind(launchOf(Launch, C)->Stream, C) == StreamKind::Default)
    blame("this launch is in the default stream, which waits for the one that is being captured",
          Launch, C);
}

void CaptureChecker::checkPostCall(const CallEvent &Call, CheckerContext &C) const {
  if (isDeviceCode(C))
    return;
  ProgramStateRef State = C.getState();
  llvm::StringRef Name = apiName(dyn_cast_or_null<FunctionDecl>(Call.getDecl()));
  if (apiOf(Call) == Api::Capture) {
    State = stop(State);
    bool Begins = Name == "cudaStreamBeginCapture" || Name == "cuStreamBeginCapture";
    if (Begins && Call.getNumArgs() > 1) {
      State = State->set<Capturing>(Captured, Call.getArgSVal(0));
      State = State->set<Capturing>(CaptureMode, Call.getArgSVal(1));
    }
    SymbolRef Symbol = Call.getNumArgs() ? baseSymbol(Call.getArgSVal(0)) : nullptr;
    C.addTransition(State, Begins && Symbol ? noteOn(C, Symbol, "the capture begins here") : nullptr);
  } else if (State->get<Capturing>(Captured) && isOpaque(Call, C)) {
    C.addTransition(stop(State)); // it may end it
  }
}

void CaptureChecker::checkLiveSymbols(ProgramStateRef State, SymbolReaper &Reaper) const {
  for (const auto &[Part, Value] : State->get<Capturing>())
    for (SymbolRef Symbol : Value.symbols())
      Reaper.markLive(Symbol);
}

void gpusafe::host::registerCapture(CheckerManager &Manager) {
  Manager.registerChecker<CaptureChecker>();
}

void gpusafe::host::enableCapture(CheckerManager &Manager, Rule R) {
  Manager.getChecker<CaptureChecker>()->On.enable(R, Manager.getCurrentCheckerName());
}
