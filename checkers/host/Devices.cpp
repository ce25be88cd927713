// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// device-mismatch: memory and streams belong to the device that was current when they were
// made, and a kernel runs on the one that is current at its launch.
#include "Host.h"

#include "clang/StaticAnalyzer/Core/PathSensitive/ProgramStateTrait.h"

using namespace clang;
using namespace clang::ento;
using namespace gpusafe::host;

/// The device of what was made on the path, by the symbol of its address.
REGISTER_MAP_WITH_PROGRAMSTATE(DeviceOf, SymbolRef, SVal)
/// Under 0: the current device, if cudaSetDevice told the path.
REGISTER_MAP_WITH_PROGRAMSTATE(CurrentDevice, unsigned, SVal)

namespace {

class DeviceChecker
    : public Checker<check::PreCall, check::PostCall, check::PreStmt<CUDAKernelCallExpr>,
                     check::DeadSymbols, check::LiveSymbols> {
public:
  Rules On;

  void checkPreCall(const CallEvent &Call, CheckerContext &C) const;
  void checkPostCall(const CallEvent &Call, CheckerContext &C) const;
  void checkPreStmt(const CUDAKernelCallExpr *Launch, CheckerContext &C) const;
  void checkDeadSymbols(SymbolReaper &Reaper, CheckerContext &C) const;
  void checkLiveSymbols(ProgramStateRef State, SymbolReaper &Reaper) const;

private:
  void check(const LaunchView &Launch, CheckerContext &C) const;
};

} // namespace

/// Does the unit let devices reach each other's memory?
static bool hasPeers(CheckerContext &C) {
  return unitNames(C.getASTContext(), {"cudaDeviceEnablePeerAccess", "cuCtxEnablePeerAccess",
                                       "cudaMemPoolSetAccess", "cuMemSetAccess"});
}

/// "device 1" where the path knows which.
static std::string deviceName(SVal Device, const char *Else, CheckerContext &C) {
  std::optional<int64_t> Number = knownValue(Device, C);
  return Number ? "device " + std::to_string(*Number) : Else;
}

void DeviceChecker::check(const LaunchView &Launch, CheckerContext &C) const {
  ProgramStateRef State = C.getState();
  const SVal *Now = State->get<CurrentDevice>(0);
  if (!Now || !On.isOn(Rule::DeviceMismatch))
    return;
  SymbolRef Stream = baseSymbol(Launch.Stream);
  const SVal *Streams = Stream ? State->get<DeviceOf>(Stream) : nullptr;
  std::string Here = deviceName(*Now, "another one", C);
  if (Streams && certainlyDiffer(*Streams, *Now, C)) {
    On.report(Rule::DeviceMismatch,
              "this launch fails: its stream is of " + deviceName(*Streams, "one device", C) +
                  ", and the current device is " + Here,
              Launch.At, Stream, C.generateErrorNode(), C);
    return;
  }
  for (const LaunchArgument &Argument : Launch.Arguments) {
    SymbolRef Symbol = baseSymbol(Argument.Value);
    const SVal *Home = Symbol ? State->get<DeviceOf>(Symbol) : nullptr;
    if (!Home || sideOf(State, Argument.Value) != Side::Device ||
        !certainlyDiffer(*Home, *Now, C) || hasPeers(C))
      continue;
    On.report(Rule::DeviceMismatch,
              nameOf(Argument.Text) + " is memory of " + deviceName(*Home, "one device", C) +
                  ", and this kernel runs on " + Here +
                  "; call cudaSetDevice, or cudaDeviceEnablePeerAccess",
              Argument.Text, Symbol, C.generateErrorNode(), C);
    return;
  }
}

void DeviceChecker::checkPreStmt(const CUDAKernelCallExpr *Launch, CheckerContext &C) const {
  if (!isDeviceCode(C))
    check(*launchOf(Launch, C), C);
}

void DeviceChecker::checkPreCall(const CallEvent &Call, CheckerContext &C) const {
  // Contexts of the driver have no number here.
  if (isDeviceCode(C) || isDriver(dyn_cast_or_null<FunctionDecl>(Call.getDecl())))
    return;
  if (std::optional<LaunchView> Launch = launchOf(Call, C))
    check(*Launch, C);
}

/// What a call put where its first argument points.
static SymbolRef madeBy(const CallEvent &Call, CheckerContext &C) {
  const TypedValueRegion *Place =
      Call.getNumArgs() ? placeOf(Call.getArgSVal(0), C) : nullptr;
  return Place ? baseSymbol(C.getState()->getSVal(Place)) : nullptr;
}

void DeviceChecker::checkPostCall(const CallEvent &Call, CheckerContext &C) const {
  ProgramStateRef State = C.getState();
  Api Kind = apiOf(Call);
  if (isDeviceCode(C))
    return;
  if (Kind == Api::SetDevice && Call.getNumArgs() == 1) {
    C.addTransition(State->set<CurrentDevice>(0, Call.getArgSVal(0)));
    return;
  }
  const SVal *Now = State->get<CurrentDevice>(0);
  if (!Now)
    return;
  if (isOpaque(Call, C)) {
    C.addTransition(State->remove<CurrentDevice>(0)); // it may set another
    return;
  }
  if (Kind != Api::Malloc && Kind != Api::MallocPitch && Kind != Api::StreamCreate)
    return;
  if (SymbolRef Symbol = madeBy(Call, C))
    C.addTransition(State->set<DeviceOf>(Symbol, *Now),
                    noteOn(C, Symbol, "the current device is the one that it belongs to"));
}

void DeviceChecker::checkLiveSymbols(ProgramStateRef State, SymbolReaper &Reaper) const {
  for (const auto &[Symbol, Device] : State->get<DeviceOf>())
    for (SymbolRef Part : Device.symbols())
      Reaper.markLive(Part);
  for (const auto &[Zero, Device] : State->get<CurrentDevice>())
    for (SymbolRef Part : Device.symbols())
      Reaper.markLive(Part);
}

void DeviceChecker::checkDeadSymbols(SymbolReaper &Reaper, CheckerContext &C) const {
  ProgramStateRef State = C.getState();
  for (const auto &[Symbol, Device] : State->get<DeviceOf>())
    if (Reaper.isDead(Symbol))
      State = State->remove<DeviceOf>(Symbol);
  C.addTransition(State);
}

void gpusafe::host::registerDevices(CheckerManager &Manager) {
  Manager.registerChecker<DeviceChecker>();
}

void gpusafe::host::enableDevices(CheckerManager &Manager, Rule R) {
  Manager.getChecker<DeviceChecker>()->On.enable(R, Manager.getCurrentCheckerName());
}
