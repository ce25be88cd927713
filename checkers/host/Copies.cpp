// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// copy-size: copies and fills against the allocations that the path knows.
#include "Host.h"

#include "clang/StaticAnalyzer/Core/PathSensitive/DynamicExtent.h"
#include "clang/StaticAnalyzer/Core/PathSensitive/ProgramStateTrait.h"

using namespace clang;
using namespace clang::ento;
using namespace gpusafe::host;

/// Sizes of allocations whose address is a number (CUdeviceptr).
REGISTER_MAP_WITH_PROGRAMSTATE(NumberExtents, SymbolRef, SVal)

namespace {

class CopyChecker : public Checker<check::PreCall, check::PostCall, check::DeadSymbols,
                                   check::LiveSymbols> {
public:
  Rules On;

  void checkPreCall(const CallEvent &Call, CheckerContext &C) const;
  void checkPostCall(const CallEvent &Call, CheckerContext &C) const;
  void checkDeadSymbols(SymbolReaper &Reaper, CheckerContext &C) const;
  void checkLiveSymbols(ProgramStateRef State, SymbolReaper &Reaper) const;

private:
  bool checkSize(const CallEvent &Call, unsigned Index, unsigned SizeIndex, unsigned Scale,
                 bool IsSource, CheckerContext &C) const;
  bool checkDirection(const CallEvent &Call, const Copy &Arguments, CheckerContext &C) const;
};

} // namespace

// -------------------------------------------------------------------- extents ----

void CopyChecker::checkPostCall(const CallEvent &Call, CheckerContext &C) const {
  Api Kind = apiOf(Call);
  if ((Kind != Api::Malloc && Kind != Api::MallocManaged) || Call.getNumArgs() < 2)
    return;
  const TypedValueRegion *Typed = placeOf(Call.getArgSVal(0), C);
  if (!Typed || !Typed->getValueType()->isIntegerType())
    return;
  if (SymbolRef Symbol = C.getState()->getSVal(Typed).getAsSymbol())
    C.addTransition(C.getState()->set<NumberExtents>(Symbol, Call.getArgSVal(1)));
}

void CopyChecker::checkLiveSymbols(ProgramStateRef State, SymbolReaper &Reaper) const {
  for (const auto &[Symbol, Size] : State->get<NumberExtents>())
    for (SymbolRef Part : Size.symbols())
      Reaper.markLive(Part);
}

void CopyChecker::checkDeadSymbols(SymbolReaper &Reaper, CheckerContext &C) const {
  ProgramStateRef State = C.getState();
  for (const auto &[Symbol, Size] : State->get<NumberExtents>())
    if (Reaper.isDead(Symbol))
      State = State->remove<NumberExtents>(Symbol);
  C.addTransition(State);
}

/// What there is behind an address, in bytes; unknown where the path does not show it.
static SVal extentOf(SVal Pointer, CheckerContext &C) {
  ProgramStateRef State = C.getState();
  if (Pointer.getAsRegion())
    return getDynamicExtentWithOffset(State, Pointer);
  SymbolRef Base = baseSymbol(Pointer);
  const SVal *Size = Base ? State->get<NumberExtents>(Base) : nullptr;
  if (!Size)
    return UnknownVal();
  SValBuilder &Builder = C.getSValBuilder();
  QualType Type = Base->getType();
  SVal Offset = Builder.makeIntVal(0, Type);
  const auto *Sum = dyn_cast_or_null<SymIntExpr>(Pointer.getAsSymbol());
  if (Sum && Sum->getLHS() == Base && Sum->getOpcode() == BO_Add)
    Offset = Builder.makeIntVal(*Sum->getRHS());
  else if (Pointer.getAsSymbol() != Base)
    return UnknownVal();
  SVal Whole = Builder.evalCast(*Size, Type, C.getASTContext().getSizeType());
  return Builder.evalBinOp(State, BO_Sub, Whole, Offset, Type);
}

// ---------------------------------------------------------------------- sizes ----

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
bool CopyChecker::checkSize(const CallEvent &Call, unsigned Index, unsigned SizeIndex,
                            unsigned Scale, bool IsSource, CheckerContext &C) const {
  ProgramStateRef State = C.getState();
  if (SizeIndex >= Call.getNumArgs())
    return false;
  SVal Pointer = Call.getArgSVal(Index), Size = Call.getArgSVal(SizeIndex);
  SVal Extent = extentOf(Pointer, C);
  if (Size.isUnknownOrUndef() || Extent.isUnknownOrUndef())
    return false;
  SValBuilder &Builder = C.getSValBuilder();
  const llvm::APSInt *Have = Builder.getKnownValue(State, Extent);
  auto Least = numberOf(Builder.getMinValue(State, Size));
  auto Room = Have && Have->getSignificantBits() <= 64 ? std::optional<int64_t>(Have->getExtValue())
                                                       : std::nullopt;
  const Expr *At = Call.getArgExpr(Index);
  SymbolRef Symbol = baseSymbol(Pointer);
  const MemRegion *Region = Pointer.getAsRegion();
  // A path on which the memory itself is empty is one of empty input, as a rule: no finding.
  if (Room == 0 && Region && isa<SymbolicRegion>(Region->StripCasts()))
    return false;
  if (Room && Least && *Room >= 0 && *Least > 0 && *Least <= UINT64_MAX / Scale &&
      *Least * Scale > uint64_t(*Room)) {
    On.report(Rule::CopySize,
              std::to_string(*Least * Scale) + " bytes are " +
                  (IsSource ? "read from " : "written to ") + nameOf(At) + ", which has " +
                  std::to_string(*Room),
              Call.getArgExpr(SizeIndex), Symbol, C.generateErrorNode(), C);
    return true;
  }
  if (Scale > 1)
    return false;
  auto Elements = product(Extent);
  if (!Elements || Size.getAsSymbol() != Elements->first ||
      elementSize(At, C.getASTContext()) != Elements->second)
    return false;
  On.report(Rule::CopySize,
         "the size is a number of elements, not of bytes: " + nameOf(At) + " has " +
             std::to_string(Elements->second) + " bytes for each; multiply by sizeof",
         Call.getArgExpr(SizeIndex), Symbol, C.generateErrorNode(), C);
  return true;
}

/// Device memory where the direction says host.
bool CopyChecker::checkDirection(const CallEvent &Call, const Copy &Arguments,
                                 CheckerContext &C) const {
  static const char *const Names[] = {"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice",
                                      "cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice"};
  if (Arguments.Kind < 0)
    return false; // the name says it, and the types keep it
  std::optional<int64_t> Kind = knownValue(Call.getArgSVal(unsigned(Arguments.Kind)), C);
  if (!Kind || *Kind < 0 || *Kind > 3)
    return false;
  bool OnDevice[2] = {(*Kind & 1) != 0, (*Kind & 2) != 0};
  for (unsigned I = 0; I < 2; I++) {
    SVal Pointer = Call.getArgSVal(I);
    const MemRegion *Region = Pointer.getAsRegion();
    bool IsDevice = sideOf(C.getState(), Pointer) == Side::Device;
    // Local variables are the host's for certain; other memory may be managed.
    bool IsHost = Region && isa<StackSpaceRegion>(Region->getMemorySpace(C.getState()));
    if ((OnDevice[I] && IsHost) || (!OnDevice[I] && IsDevice)) {
      On.report(Rule::CopySize,
                std::string(I ? "the source " : "the target ") + nameOf(Call.getArgExpr(I)) +
                    (IsHost ? " is host memory" : " is device memory") + ", and the direction is " +
                    Names[*Kind],
                Call.getArgExpr(3), baseSymbol(Pointer), C.generateErrorNode(), C);
      return true;
    }
  }
  return false;
}

void CopyChecker::checkPreCall(const CallEvent &Call, CheckerContext &C) const {
  if (!On.isOn(Rule::CopySize) || isDeviceCode(C))
    return;
  if (std::optional<Copy> Arguments = copyOf(Call)) {
    if (!checkDirection(Call, *Arguments, C) &&
        !checkSize(Call, Arguments->Target, Arguments->Size, 1, false, C))
      checkSize(Call, Arguments->Source, Arguments->Size, 1, true, C);
  } else if (std::optional<Fill> Filled = fillOf(Call)) {
    checkSize(Call, 0, Filled->Count, Filled->Scale, false, C);
  }
}

// -------------------------------------------------------------- registration ----

void gpusafe::host::registerCopies(CheckerManager &Manager) {
  Manager.registerChecker<CopyChecker>();
}

void gpusafe::host::enableCopies(CheckerManager &Manager, Rule R) {
  Manager.getChecker<CopyChecker>()->On.enable(R, Manager.getCurrentCheckerName());
}
