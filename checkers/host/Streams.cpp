// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the device may still be doing while the host goes on, or another stream: a kernel uses
// what it is given, an asynchronous copy both of its sides, until something waits for them. What
// is not seen may wait for everything, and so may events: the rule errs towards silence. Copies
// of pageable memory are left out: most of them wait (CUDA Runtime API, "API synchronization
// behavior").
#include "Streams.h"

#include "clang/StaticAnalyzer/Core/PathSensitive/DynamicExtent.h"
#include "clang/StaticAnalyzer/Core/PathSensitive/ProgramStateTrait.h"

using namespace clang;
using namespace clang::ento;
using namespace gpusafe::host;

namespace {

enum Use : unsigned {
  Reads = 1,
  Writes = 2,
  ByCopy = 4,
  HostMemory = 8, ///< the host can touch it: managed, or page-locked
  Ordered = 16    ///< later work of every stream comes after it
};

/// One use of memory by the device.
struct Flight {
  SymbolRef Buffer;
  SVal Address, Stream;
  unsigned Uses;
  uint64_t Numbers; ///< of the launch's integer arguments: they may choose a part of the memory

  bool operator==(const Flight &O) const {
    return Buffer == O.Buffer && Address == O.Address && Stream == O.Stream && Uses == O.Uses &&
           Numbers == O.Numbers;
  }
  void Profile(llvm::FoldingSetNodeID &ID) const {
    ID.AddPointer(Buffer);
    Address.Profile(ID);
    Stream.Profile(ID);
    ID.AddInteger(Uses);
    ID.AddInteger(Numbers);
  }
};

} // namespace

/// What is in flight, by the argument that names it.
REGISTER_MAP_WITH_PROGRAMSTATE(InFlight, const Expr *, Flight)
/// Streams that the path has created: true for those that do not wait for the default stream.
REGISTER_MAP_WITH_PROGRAMSTATE(StreamsMade, SymbolRef, bool)

namespace {

class StreamChecker
    : public Checker<eval::Call, check::PreCall, check::PreStmt<CUDAKernelCallExpr>,
                     check::PostCall, check::Location, check::LiveSymbols, check::DeadSymbols,
                     check::PointerEscape> {
public:
  Rules On;

  bool evalCall(const CallEvent &Call, CheckerContext &C) const;
  void checkPreCall(const CallEvent &Call, CheckerContext &C) const;
  void checkPreStmt(const CUDAKernelCallExpr *Launch, CheckerContext &C) const;
  void checkPostCall(const CallEvent &Call, CheckerContext &C) const;
  void checkLocation(SVal Address, bool IsLoad, const Stmt *S, CheckerContext &C) const;
  void checkLiveSymbols(ProgramStateRef State, SymbolReaper &Reaper) const;
  void checkDeadSymbols(SymbolReaper &Reaper, CheckerContext &C) const;
  ProgramStateRef checkPointerEscape(ProgramStateRef State, const InvalidatedSymbols &Escaped,
                                     const CallEvent *Call, PointerEscapeKind Kind) const;

private:
  void takeLaunch(const LaunchView &Launch, CheckerContext &C) const;
  void takeCopy(const CallEvent &Call, const Copy &Arguments, CheckerContext &C) const;
  void takeFill(const CallEvent &Call, const Fill &Filled, CheckerContext &C) const;
  void start(llvm::ArrayRef<std::pair<const Expr *, Flight>> Flights, const char *What,
             CheckerContext &C) const;
  bool checkPageable(const CallEvent &Call, const Copy &Arguments, CheckerContext &C) const;
};

} // namespace

// -------------------------------------------------------------------- streams ----

StreamKind gpusafe::host::streamKind(SVal Stream, CheckerContext &C) {
  bool PerThread = C.getLangOpts().GPUDefaultStream == LangOptions::GPUDefaultStreamKind::PerThread;
  if (auto Number = knownValue(Stream, C); Number == 0)
    return PerThread ? StreamKind::Unknown : StreamKind::Default;
  SymbolRef Symbol = baseSymbol(Stream);
  const bool *Made = Symbol ? C.getState()->get<StreamsMade>(Symbol) : nullptr;
  if (!Made)
    return StreamKind::Unknown;
  return *Made ? StreamKind::NonBlocking : StreamKind::Made;
}

bool gpusafe::host::areUnordered(SVal A, SVal B, CheckerContext &C) {
  StreamKind X = streamKind(A, C), Y = streamKind(B, C);
  if (X == StreamKind::Unknown || Y == StreamKind::Unknown || A == B)
    return false;
  if (X == StreamKind::Default || Y == StreamKind::Default)
    return X == StreamKind::NonBlocking || Y == StreamKind::NonBlocking;
  return true;
}

std::optional<SVal> gpusafe::host::waitsFor(const CallEvent &Call) {
  llvm::StringRef Name = apiName(dyn_cast_or_null<FunctionDecl>(Call.getDecl()));
  if ((Name != "cudaStreamSynchronize" && Name != "cuStreamSynchronize") || Call.getNumArgs() < 1)
    return std::nullopt;
  return Call.getArgSVal(0);
}

/// `cudaStreamCreate(&s)` gives a stream that is no other; flags may be the second argument.
bool StreamChecker::evalCall(const CallEvent &Call, CheckerContext &C) const {
  if (apiOf(Call) != Api::StreamCreate || !Call.getOriginExpr() || Call.getNumArgs() < 1 ||
      isDeviceCode(C))
    return false;
  const TypedValueRegion *Place = placeOf(Call.getArgSVal(0), C);
  if (!Place || !Place->getValueType()->isPointerType())
    return false;
  static int Tag;
  ProgramStateRef State = bindStatus(C.getState(), Call, C, nullptr);
  DefinedOrUnknownSVal Stream = C.getSValBuilder().conjureSymbolVal(
      Call, Place->getValueType(), C.blockCount(), &Tag);
  State = State->bindLoc(loc::MemRegionVal(Place), Stream, C.getLocationContext());
  State = State->assume(Stream, true);
  if (!State)
    return false;
  auto Flags = Call.getNumArgs() > 1 ? knownValue(Call.getArgSVal(1), C) : 0;
  SymbolRef Symbol = Stream.getAsSymbol();
  if (Symbol && Flags)
    State = State->set<StreamsMade>(Symbol, *Flags == 1);
  C.addTransition(State);
  return true;
}

// --------------------------------------------------------------------- flights ----

static ProgramStateRef forgetAll(ProgramStateRef State) {
  for (const auto &[At, Used] : State->get<InFlight>())
    State = State->remove<InFlight>(At);
  return State;
}

/// A number for the set of integers that a launch hands over: equal where the sets are.
static uint64_t numbersOf(const LaunchView &Launch) {
  llvm::SmallVector<uint64_t, 8> Parts;
  for (const LaunchArgument &Argument : Launch.Arguments) {
    if (auto Constant = Argument.Value.getAs<nonloc::ConcreteInt>())
      Parts.push_back(Constant->getValue()->getRawData()[0] << 1 | 1);
    else if (Argument.Value.getAs<NonLoc>())
      Parts.push_back(uint64_t(reinterpret_cast<uintptr_t>(Argument.Value.getAsSymbol())) << 1);
  }
  llvm::sort(Parts);
  Parts.erase(llvm::unique(Parts), Parts.end());
  uint64_t Out = Parts.size();
  for (uint64_t Part : Parts)
    Out = Out * 0x100000001B3u ^ Part;
  return Out;
}

/// Memory that two uses share for certain, in whole or from the same place on. A copy counts
/// only if it is of the whole buffer (its Numbers are 0).
static bool meet(const Flight &A, const Flight &B) {
  return A.Buffer == B.Buffer && A.Address == B.Address && ((A.Uses | B.Uses) & Writes) &&
         ((A.Uses & ByCopy) || (B.Uses & ByCopy) || A.Numbers == B.Numbers);
}

/// Work of the default stream comes after what other streams were given, but for those that do
/// not wait for it.
static ProgramStateRef orderBehind(ProgramStateRef State, SVal Stream, CheckerContext &C) {
  if (streamKind(Stream, C) != StreamKind::Default)
    return State;
  for (const auto &[At, Old] : C.getState()->get<InFlight>()) {
    StreamKind Kind = streamKind(Old.Stream, C);
    if (Kind == StreamKind::Made || Kind == StreamKind::Unknown) {
      Flight Now = Old;
      Now.Uses |= Ordered;
      State = State->set<InFlight>(At, Now);
    }
  }
  return State;
}

/// Adds uses that begin here, or reports that they meet one of another stream.
void StreamChecker::start(llvm::ArrayRef<std::pair<const Expr *, Flight>> Flights,
                          const char *What, CheckerContext &C) const {
  ProgramStateRef State = C.getState();
  for (const auto &[At, New] : Flights) {
    for (const auto &[OldAt, Old] : State->get<InFlight>()) {
      if (!On.isOn(Rule::StreamOrder) || (Old.Uses & Ordered) || !meet(Old, New) ||
          !areUnordered(Old.Stream, New.Stream, C))
        continue;
      bool Kernels = !(Old.Uses & ByCopy) && !(New.Uses & ByCopy);
      On.report(Rule::StreamOrder,
                "two streams use " + nameOf(At) + " with no order between them, and " +
                    (Kernels ? "a kernel" : "one of the two") +
                    " may write it; let one wait for the other with cudaEventRecord and "
                    "cudaStreamWaitEvent, or synchronise",
                At, New.Buffer, C.generateErrorNode(), C);
      return;
    }
  }
  if (Flights.empty())
    return;
  State = orderBehind(State, Flights.front().second.Stream, C);
  llvm::SmallVector<SymbolRef, 4> Buffers;
  for (const auto &[At, New] : Flights) {
    State = State->set<InFlight>(At, New);
    Buffers.push_back(New.Buffer);
  }
  std::string Text = What;
  C.addTransition(State, C.getNoteTag([Buffers, Text](PathSensitiveBugReport &Report) {
    return llvm::any_of(Buffers, [&](SymbolRef S) { return Report.isInteresting(S); })
               ? Text
               : std::string();
  }));
}

/// Kernels use what they are given; through a pointer to const they only read.
void StreamChecker::takeLaunch(const LaunchView &Launch, CheckerContext &C) const {
  llvm::SmallVector<std::pair<const Expr *, Flight>, 4> Flights;
  uint64_t Numbers = numbersOf(Launch);
  for (unsigned I = 0; I < Launch.Arguments.size(); I++) {
    const LaunchArgument &Argument = Launch.Arguments[I];
    SymbolRef Buffer = Argument.Value.getAs<Loc>() ? baseSymbol(Argument.Value) : nullptr;
    if (!Buffer)
      continue;
    unsigned Uses = Reads | (mayWrite(Launch, I) ? unsigned(Writes) : 0u);
    if (sideOf(C.getState(), Argument.Value) == Side::Managed)
      Uses |= HostMemory;
    // Driver launches have one text for all arguments: then only the last is kept.
    Flights.push_back({Argument.Text, {Buffer, Argument.Value, Launch.Stream, Uses, Numbers}});
  }
  start(Flights, "the kernel starts here, and the host goes on", C);
}

void StreamChecker::checkPreStmt(const CUDAKernelCallExpr *Launch, CheckerContext &C) const {
  if (!isDeviceCode(C))
    takeLaunch(*launchOf(Launch, C), C);
}

/// Is a copy as large as the memory, as far as the path knows?
static bool isWhole(SVal Pointer, SVal Size, CheckerContext &C) {
  if (!Pointer.getAsRegion())
    return false;
  auto Extent = getDynamicExtentWithOffset(C.getState(), Pointer).getAs<DefinedOrUnknownSVal>();
  auto Bytes = Size.getAs<DefinedOrUnknownSVal>();
  if (!Extent || !Bytes || Extent->isUnknown() || Bytes->isUnknown())
    return false;
  if (*Extent == *Bytes)
    return true;
  auto X = knownValue(*Extent, C), Y = knownValue(*Bytes, C);
  return X && X == Y;
}

void StreamChecker::takeCopy(const CallEvent &Call, const Copy &Arguments, CheckerContext &C) const {
  llvm::SmallVector<std::pair<const Expr *, Flight>, 2> Flights;
  if (Arguments.Stream < 0)
    return;
  SVal Stream = Call.getArgSVal(unsigned(Arguments.Stream));
  for (unsigned Index : {Arguments.Target, Arguments.Source}) {
    SVal Pointer = Call.getArgSVal(Index);
    SymbolRef Buffer = Pointer.getAs<Loc>() ? baseSymbol(Pointer) : nullptr;
    if (!Buffer)
      continue;
    bool Host = sideOf(C.getState(), Pointer) == Side::Host;
    bool Whole = isWhole(Pointer, Call.getArgSVal(Arguments.Size), C);
    unsigned Uses = (Index == Arguments.Target ? Writes : Reads) | ByCopy | (Host ? unsigned(HostMemory) : 0u);
    if (!Host && !Whole)
      continue;
    // A part of page-locked memory is in flight for the host, and says nothing to other streams.
    Flights.push_back({Call.getArgExpr(Index),
                       {Buffer, Pointer, Stream, Uses | (Whole ? 0u : unsigned(Ordered)), 0}});
  }
  start(Flights, "the copy starts here, and the host goes on", C);
}

void StreamChecker::takeFill(const CallEvent &Call, const Fill &Filled, CheckerContext &C) const {
  SVal Pointer = Call.getArgSVal(0);
  SymbolRef Buffer = Pointer.getAs<Loc>() ? baseSymbol(Pointer) : nullptr;
  if (Filled.Stream < 0 || !Buffer || Filled.Scale != 1 ||
      !isWhole(Pointer, Call.getArgSVal(Filled.Count), C))
    return;
  SVal Stream = Call.getArgSVal(unsigned(Filled.Stream));
  start({{Call.getArgExpr(0), {Buffer, Pointer, Stream, Writes | ByCopy, 0}}},
        "the fill starts here, and the host goes on", C);
}

/// Memory of the stack, or of malloc: the call waits, or copies it aside first.
bool StreamChecker::checkPageable(const CallEvent &Call, const Copy &Arguments,
                                  CheckerContext &C) const {
  if (!On.isOn(Rule::PageableCopy) || Arguments.Stream < 0)
    return false;
  for (unsigned Index : {Arguments.Target, Arguments.Source}) {
    const MemRegion *Region = Call.getArgSVal(Index).getAsRegion();
    if (!Region || !isa<StackSpaceRegion>(Region->getMemorySpace(C.getState())))
      continue;
    On.report(Rule::PageableCopy,
              nameOf(Call.getArgExpr(Index)) + " is not page-locked, so this copy is not "
                                               "asynchronous; take memory of cudaMallocHost",
              Call.getArgExpr(Index), nullptr, C.generateNonFatalErrorNode(), C);
    return true;
  }
  return false;
}

void StreamChecker::checkPreCall(const CallEvent &Call, CheckerContext &C) const {
  if (apiOf(Call) == Api::None || isDeviceCode(C))
    return;
  if (std::optional<Copy> Arguments = copyOf(Call)) {
    if (!checkPageable(Call, *Arguments, C))
      takeCopy(Call, *Arguments, C);
  } else if (std::optional<Fill> Filled = fillOf(Call)) {
    takeFill(Call, *Filled, C);
  } else if (std::optional<LaunchView> Launch = launchOf(Call, C)) {
    takeLaunch(*Launch, C);
  }
}

// --------------------------------------------------------------------- waiting ----

/// Of CUDA's other functions only what certainly returns at once keeps things going.
static bool returnsAtOnce(llvm::StringRef Name) {
  static const char *const Heads[] = {"__cuda", "cudaEventRecord", "cuEventRecord",
                                      "cudaGetErrorString", "cuGetErrorString", "cudaEventCreate",
                                      "cuEventCreate", "cudaStreamCreate", "cuStreamCreate",
                                      "cudaGetDevice", "cudaSetDevice", "cudaLaunch", "cuLaunch"};
  return llvm::any_of(Heads, [&](const char *Head) { return Name.starts_with(Head); });
}

/// \returns true for a call after which the device may be done with everything.
static bool mayWait(const CallEvent &Call, const CheckerContext &C) {
  switch (apiOf(Call)) {
  case Api::None: // code that is not seen may wait; the C library does not
    return isOpaque(Call, C);
  case Api::Memcpy: {
    std::optional<Copy> Arguments = copyOf(Call);
    return !Arguments || Arguments->Stream < 0;
  }
  case Api::Memset:
  case Api::AsksError:
  case Api::StreamCreate:
  case Api::SetDevice:
  case Api::Launch:
    return false;
  case Api::Other:
    return !returnsAtOnce(apiName(cast<FunctionDecl>(Call.getDecl())));
  default:
    return true;
  }
}

/// Waiting for one stream leaves those going that are certainly others.
static ProgramStateRef forgetStream(SVal Stream, CheckerContext &C) {
  ProgramStateRef State = C.getState();
  StreamKind Kind = streamKind(Stream, C);
  for (const auto &[At, Used] : C.getState()->get<InFlight>()) {
    StreamKind Other = streamKind(Used.Stream, C);
    bool Apart = Stream != Used.Stream &&
                 (Kind == StreamKind::Made || Kind == StreamKind::NonBlocking) &&
                 (Other == StreamKind::Made || Other == StreamKind::NonBlocking);
    if (!Apart)
      State = State->remove<InFlight>(At);
  }
  return State;
}

void StreamChecker::checkPostCall(const CallEvent &Call, CheckerContext &C) const {
  if (C.getState()->get<InFlight>().isEmpty() || !mayWait(Call, C))
    return;
  std::optional<SVal> One = waitsFor(Call);
  C.addTransition(One ? forgetStream(*One, C) : forgetAll(C.getState()));
}

// -------------------------------------------------------------------- the host ----

/// A use that an access of the host may meet.
static const Flight *hostMemoryInFlight(ProgramStateRef State, SymbolRef Symbol, bool IsLoad) {
  for (const auto &[At, Used] : State->get<InFlight>())
    if (Used.Buffer == Symbol && (Used.Uses & HostMemory) && (!IsLoad || (Used.Uses & Writes)))
      return State->get<InFlight>(At);
  return nullptr;
}

void StreamChecker::checkLocation(SVal Address, bool IsLoad, const Stmt *S,
                                  CheckerContext &C) const {
  SymbolRef Symbol = baseSymbol(Address);
  if (!Symbol || !On.isOn(Rule::StreamOrder) || isDeviceCode(C))
    return;
  const Flight *Used = hostMemoryInFlight(C.getState(), Symbol, IsLoad);
  if (!Used)
    return;
  bool Copied = Used->Uses & ByCopy;
  std::string Message = std::string("the host ") + (IsLoad ? "reads" : "writes") +
                        (Copied ? " page-locked memory that an asynchronous copy may still "
                                : " managed memory that a kernel may still ") +
                        ((Used->Uses & Writes) ? "write" : "read") + "; wait for it first, as with " +
                        (Copied ? "cudaStreamSynchronize" : "cudaDeviceSynchronize");
  On.report(Rule::StreamOrder, Message, dyn_cast_or_null<Expr>(S), Symbol, C.generateErrorNode(), C);
}

/// A stream that nothing names any more still runs what it was given.
void StreamChecker::checkLiveSymbols(ProgramStateRef State, SymbolReaper &Reaper) const {
  for (const auto &[At, Used] : State->get<InFlight>())
    for (SymbolRef Symbol : Used.Stream.symbols())
      Reaper.markLive(Symbol);
}

void StreamChecker::checkDeadSymbols(SymbolReaper &Reaper, CheckerContext &C) const {
  ProgramStateRef State = C.getState();
  for (const auto &[At, Used] : State->get<InFlight>())
    if (Reaper.isDead(Used.Buffer))
      State = State->remove<InFlight>(At);
  for (const auto &[Symbol, NonBlocking] : State->get<StreamsMade>())
    if (Reaper.isDead(Symbol))
      State = State->remove<StreamsMade>(Symbol);
  C.addTransition(State);
}

ProgramStateRef StreamChecker::checkPointerEscape(ProgramStateRef State,
                                                  const InvalidatedSymbols &Escaped,
                                                  const CallEvent *Call,
                                                  PointerEscapeKind Kind) const {
  if (Call && Kind == PSK_DirectEscapeOnCall && keepsPointers(*Call))
    return State;
  for (const auto &[At, Used] : State->get<InFlight>())
    if (Escaped.count(Used.Buffer))
      State = State->remove<InFlight>(At);
  return State;
}

void gpusafe::host::registerStreams(CheckerManager &Manager) {
  Manager.registerChecker<StreamChecker>();
}

void gpusafe::host::enableStreams(CheckerManager &Manager, Rule R) {
  Manager.getChecker<StreamChecker>()->On.enable(R, Manager.getCurrentCheckerName());
}
