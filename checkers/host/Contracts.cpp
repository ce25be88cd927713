// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches on a path against the contracts of their kernels: the values of the path become those
// that checkers/launch/ judges, which says only what is certain.
#include "Host.h"
#include "Kernels.h"
#include "launch.h"

#include "clang/AST/Attr.h"
#include "llvm/ADT/DenseMap.h"

using namespace clang;
using namespace clang::ento;
using namespace gpusafe;
using namespace gpusafe::host;

namespace {

class ContractChecker : public Checker<check::PreCall, check::PreStmt<CUDAKernelCallExpr>> {
public:
  Rules On;

  void checkPreCall(const CallEvent &Call, CheckerContext &C) const;
  void checkPreStmt(const CUDAKernelCallExpr *Launch, CheckerContext &C) const;

private:
  void check(const LaunchView &Launch, CheckerContext &C) const;
  bool checkClauses(const LaunchView &Launch, const gs_kernel_desc &Kernel, CheckerContext &C) const;
  bool checkExclusive(const LaunchView &Launch, const gs_kernel_desc &Kernel,
                      CheckerContext &C) const;
};

/// Values of one path as the core's.
class Numbers {
public:
  explicit Numbers(CheckerContext &C) : C(C), Hosts(gs_hosts_new()) {}
  ~Numbers() { gs_hosts_free(Hosts); }
  Numbers(const Numbers &) = delete;
  Numbers &operator=(const Numbers &) = delete;

  gs_hosts *hosts() const { return Hosts; }
  gs_host_value of(SVal Value, QualType Type);
  gs_host_value size(SVal Value);

private:
  gs_host_value ofSymbol(SymbolRef Symbol, unsigned Depth);
  gs_host_value ofConstant(const llvm::APSInt &Value);
  gs_host_value apply(BinaryOperatorKind Op, gs_host_value A, gs_host_value B, QualType Type);
  gs_host_value unknown(SymbolRef Symbol);
  gs_host_type typeOf(QualType Type) const;

  CheckerContext &C;
  gs_hosts *Hosts;
  llvm::DenseMap<SymbolRef, gs_host_value> Known;
};

constexpr gs_host_value Nothing = {0, false};

} // namespace

// --------------------------------------------------------------------- numbers ----

gs_host_type Numbers::typeOf(QualType Type) const {
  const ASTContext &Context = C.getASTContext();
  return {uint8_t(Context.getIntWidth(Type)), Type->isSignedIntegerOrEnumerationType()};
}

static bool isNumber(QualType Type, const ASTContext &Context) {
  return !Type.isNull() && Type->isIntegralOrEnumerationType() && Context.getIntWidth(Type) <= 64;
}

gs_host_value Numbers::ofConstant(const llvm::APSInt &Value) {
  bool Fits = Value.isSigned() ? Value.getSignificantBits() <= 64 : Value.getActiveBits() <= 63;
  return Fits ? gs_host_number(Hosts, Value.getExtValue()) : Nothing;
}

/// A value that nothing more is known of than its bounds on this path.
gs_host_value Numbers::unknown(SymbolRef Symbol) {
  SValBuilder &Builder = C.getSValBuilder();
  nonloc::SymbolVal Value(Symbol);
  const llvm::APSInt *Least = Builder.getMinValue(C.getState(), Value);
  const llvm::APSInt *Most = Builder.getMaxValue(C.getState(), Value);
  auto Fits = [](const llvm::APSInt *N) {
    return N && (N->isSigned() ? N->getSignificantBits() <= 64 : N->getActiveBits() <= 63);
  };
  gs_host_type Type = typeOf(Symbol->getType());
  std::string Name = "value" + std::to_string(Known.size());
  if (Fits(Least) && Fits(Most))
    return gs_host_unknown_in(Hosts, Name.c_str(), Type, Least->getExtValue(), Most->getExtValue());
  return gs_host_unknown(Hosts, Name.c_str(), Type);
}

gs_host_value Numbers::apply(BinaryOperatorKind Op, gs_host_value A, gs_host_value B,
                             QualType Type) {
  static const std::pair<BinaryOperatorKind, gs_expr_op> Ops[] = {
      {BO_Add, GS_EXPR_ADD}, {BO_Sub, GS_EXPR_SUB}, {BO_Mul, GS_EXPR_MUL}, {BO_Div, GS_EXPR_DIV},
      {BO_Rem, GS_EXPR_MOD}, {BO_Shl, GS_EXPR_SHL}, {BO_Shr, GS_EXPR_SHR}};
  const auto *Row = llvm::find_if(Ops, [&](const auto &R) { return R.first == Op; });
  if (Row == std::end(Ops) || !A.at || !B.at || !isNumber(Type, C.getASTContext()))
    return Nothing;
  gs_host_value Args[] = {A, B};
  return gs_host_apply(Hosts, Row->second, Args, typeOf(Type));
}

gs_host_value Numbers::ofSymbol(SymbolRef Symbol, unsigned Depth) {
  auto Old = Known.find(Symbol);
  if (Old != Known.end())
    return Old->second;
  gs_host_value Out = Nothing;
  if (!isNumber(Symbol->getType(), C.getASTContext()) || Depth > 32)
    return Out;
  // What the path knows of the whole is more than what it is made of.
  SValBuilder &Builder = C.getSValBuilder();
  if (const llvm::APSInt *Value = Builder.getKnownValue(C.getState(), nonloc::SymbolVal(Symbol)))
    Out = ofConstant(*Value);
  else if (const auto *Right = dyn_cast<SymIntExpr>(Symbol))
    Out = apply(Right->getOpcode(), ofSymbol(Right->getLHS(), Depth + 1),
                ofConstant(*Right->getRHS()), Right->getType());
  else if (const auto *Left = dyn_cast<IntSymExpr>(Symbol))
    Out = apply(Left->getOpcode(), ofConstant(*Left->getLHS()),
                ofSymbol(Left->getRHS(), Depth + 1), Left->getType());
  else if (const auto *Both = dyn_cast<SymSymExpr>(Symbol))
    Out = apply(Both->getOpcode(), ofSymbol(Both->getLHS(), Depth + 1),
                ofSymbol(Both->getRHS(), Depth + 1), Both->getType());
  else if (const auto *Cast = dyn_cast<SymbolCast>(Symbol)) {
    gs_host_value Operand = ofSymbol(Cast->getOperand(), Depth + 1);
    Out = Operand.at ? gs_host_convert(Hosts, Operand, typeOf(Symbol->getType())) : Nothing;
  }
  if (!Out.at)
    Out = unknown(Symbol);
  Known[Symbol] = Out;
  return Out;
}

gs_host_value Numbers::of(SVal Value, QualType Type) {
  gs_host_value Out = Nothing;
  if (auto Constant = Value.getAs<nonloc::ConcreteInt>())
    Out = ofConstant(*Constant->getValue());
  else if (Value.getAs<NonLoc>() && Value.getAsSymbol())
    Out = ofSymbol(Value.getAsSymbol(), 0);
  if (!Out.at || Type.isNull() || !isNumber(Type, C.getASTContext()))
    return Out;
  return gs_host_convert(Hosts, Out, typeOf(Type));
}

gs_host_value Numbers::size(SVal Value) {
  gs_host_value Out = of(Value, QualType());
  return Out.at ? gs_host_convert_size(Hosts, Out) : Out;
}

// --------------------------------------------------------------------- clauses ----

/// The launch as the core takes one. `Args` has room for all parameters.
static gs_launch launchFor(const LaunchView &Launch, Numbers &N, std::vector<gs_host_value> &Args) {
  gs_launch Out = {};
  for (unsigned I = 0; I < 3; I++) {
    Out.grid[I] = N.size(Launch.Grid[I]);
    Out.block[I] = N.size(Launch.Block[I]);
    if (isa<CUDAKernelCallExpr>(Launch.At) && !Launch.Kernel->hasAttr<CUDAClusterDimsAttr>())
      Out.cluster[I] = gs_host_number(N.hosts(), 1);
  }
  Out.dynamic_smem = N.size(Launch.Shared);
  for (unsigned I = 0; I < Launch.Arguments.size(); I++)
    Args.push_back(N.of(Launch.Arguments[I].Value, parameterType(Launch, I)));
  Out.args = Args.data();
  Out.arg_count = uint32_t(Args.size());
  return Out;
}

bool ContractChecker::checkClauses(const LaunchView &Launch, const gs_kernel_desc &Kernel,
                                   CheckerContext &C) const {
  Numbers N(C);
  std::vector<gs_host_value> Args;
  gs_launch Sizes = launchFor(Launch, N, Args);
  for (uint32_t I = 0; I < Kernel.fact_count; I++) {
    const gs_fact &Fact = Kernel.facts[I];
    char Why[256] = "";
    if (Fact.origin != GS_FACT_CONTRACT ||
        gs_launch_check_clause(N.hosts(), &Sizes, Fact.clause, 0, Why, sizeof Why) !=
            GS_LAUNCH_BREAKS)
      continue;
    std::string Text = std::string("on this path this launch of '") + Kernel.name +
                       "' breaks its contract: '" + Fact.clause->text + "' does not hold";
    if (Why[0])
      Text += std::string(", ") + Why;
    On.report(Rule::LaunchContract, Text, Launch.At, nullptr, C.generateNonFatalErrorNode(), C);
    return true;
  }
  return false;
}

// ----------------------------------------------------------------------- alias ----

/// Elements that a claim covers, in bytes; nothing where the path does not know.
static std::optional<uint64_t> bytesOf(const LaunchView &Launch, const gs_claim &Claim,
                                       CheckerContext &C) {
  const gs_expr *Root = Claim.count ? gs_clause_root(Claim.count) : nullptr;
  std::optional<int64_t> Count;
  if (Root && Root->op == GS_EXPR_INT)
    Count = Root->value;
  else if (Root && Root->op == GS_EXPR_NAME && Root->name.kind == GS_NAME_PARAM &&
           size_t(Root->name.param) < Launch.Arguments.size())
    Count = knownValue(Launch.Arguments[unsigned(Root->name.param)].Value, C);
  QualType Type = parameterType(Launch, unsigned(Claim.param));
  if (!Count || *Count <= 0 || *Count > (int64_t(1) << 40) || Type.isNull() ||
      !Type->isPointerType() || Type->getPointeeType()->isIncompleteType())
    return std::nullopt;
  return uint64_t(*Count) *
         uint64_t(C.getASTContext().getTypeSizeInChars(Type->getPointeeType()).getQuantity());
}

/// Do two pointers lead into one place of a buffer, or the second into the first's `Bytes`?
static bool overlap(SVal A, SVal B, std::optional<uint64_t> Bytes) {
  const MemRegion *X = A.getAsRegion(), *Y = B.getAsRegion();
  if (!X || !Y)
    return false;
  RegionOffset P = X->getAsOffset(), Q = Y->getAsOffset();
  if (X->StripCasts() == Y->StripCasts())
    return true;
  if (!P.isValid() || !Q.isValid() || P.hasSymbolicOffset() || Q.hasSymbolicOffset() ||
      P.getRegion() != Q.getRegion())
    return false;
  int64_t Between = (Q.getOffset() - P.getOffset()) / 8;
  return Between == 0 || (Bytes && Between > 0 && uint64_t(Between) < *Bytes);
}

bool ContractChecker::checkExclusive(const LaunchView &Launch, const gs_kernel_desc &Kernel,
                                     CheckerContext &C) const {
  for (uint32_t I = 0; I < Kernel.claim_count; I++) {
    const gs_claim &Claim = Kernel.claims[I];
    if (Claim.kind != GS_CLAIM_EXCLUSIVE || Claim.param < 0 ||
        Claim.param >= int(Launch.Arguments.size()))
      continue;
    const LaunchArgument &Mine = Launch.Arguments[unsigned(Claim.param)];
    std::optional<uint64_t> Bytes = bytesOf(Launch, Claim, C);
    for (unsigned J = 0; J < Launch.Arguments.size() && J < Kernel.param_count; J++) {
      const LaunchArgument &Other = Launch.Arguments[J];
      if (int(J) == Claim.param || Mine.Value.isConstant() ||
          !overlap(Mine.Value, Other.Value, Bytes))
        continue;
      On.report(Rule::ExclusiveAlias,
                std::string("this launch of '") + Kernel.name + "' gives '" +
                    Kernel.params[Claim.param].name + "', which is exclusive, memory that '" +
                    Kernel.params[J].name + "' gets too",
                Other.Text, baseSymbol(Mine.Value), C.generateNonFatalErrorNode(), C);
      return true;
    }
  }
  return false;
}

void ContractChecker::check(const LaunchView &Launch, CheckerContext &C) const {
  KernelContracts *Contracts = unitFacts(C.getASTContext()).Contracts;
  const gs_kernel_desc *Kernel =
      Contracts && Launch.Kernel ? Contracts->find(*Launch.Kernel) : nullptr;
  if (!Kernel || !Launch.HasArguments || Launch.Arguments.size() != Kernel->param_count)
    return;
  if (On.isOn(Rule::LaunchContract) && checkClauses(Launch, *Kernel, C))
    return;
  if (On.isOn(Rule::ExclusiveAlias))
    checkExclusive(Launch, *Kernel, C);
}

void ContractChecker::checkPreStmt(const CUDAKernelCallExpr *Launch, CheckerContext &C) const {
  if (!isDeviceCode(C))
    check(*launchOf(Launch, C), C);
}

void ContractChecker::checkPreCall(const CallEvent &Call, CheckerContext &C) const {
  if (isDeviceCode(C))
    return;
  if (std::optional<LaunchView> Launch = launchOf(Call, C))
    check(*Launch, C);
}

void gpusafe::host::registerContracts(CheckerManager &Manager) {
  Manager.registerChecker<ContractChecker>();
}

void gpusafe::host::enableContracts(CheckerManager &Manager, Rule R) {
  Manager.getChecker<ContractChecker>()->On.enable(R, Manager.getCurrentCheckerName());
}
