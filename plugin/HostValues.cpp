// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integers and sizes. Pointers: HostPointers.cpp.
#include "HostValues.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;
using namespace gpusafe;

static constexpr unsigned MaxNesting = 200, MaxDepth = 8;
static constexpr gs_host_value Unknown = {0, false};

// -------------------------------------------------------------------- frames ----

const HostIndex &HostValues::index(const FunctionDecl &Function) {
  auto &Slot = Indexes[&Function];
  if (!Slot)
    Slot = std::make_unique<HostIndex>(Function);
  return *Slot;
}

Frame &HostValues::newFrame(const HostIndex *Index, unsigned Depth) {
  Frames.push_back(std::make_unique<Frame>());
  Frame &F = *Frames.back();
  F.Index = Index;
  F.Number = unsigned(Frames.size());
  F.Depth = Depth;
  return F;
}

Moment HostValues::momentOf(const FunctionDecl *Function, const Stmt &S) {
  const Frame *&Root = Roots[Function];
  if (!Root)
    Root = &newFrame(Function ? &index(*Function) : nullptr, 0);
  Moment M{Root, {}, &S};
  if (Function)
    Root->Index->extentOf(S, M.Where);
  return M;
}

Moment HostValues::momentOf(const Definition &D, const Frame *In) const {
  Moment M{In, {}, D.At};
  In->Index->extentOf(*D.At, M.Where);
  M.Where.Begin = D.Position;
  return M;
}

bool HostValues::calls(const Stmt &S) {
  auto Found = Calls.find(&S);
  if (Found != Calls.end())
    return Found->second;
  bool Any = false;
  const auto *Kernel = dyn_cast<CUDAKernelCallExpr>(&S);
  for (const Stmt *Child : S.children()) {
    if (!Child || Any)
      continue;
    // The configuration's own call only hands the sizes over.
    if (Kernel && Child == Kernel->getConfig())
      for (const Expr *Arg : Kernel->getConfig()->arguments())
        Any = Any || isa<CallExpr>(Arg) || calls(*Arg);
    else
      Any = isa<CallExpr>(Child) || calls(*Child);
  }
  return Calls[&S] = Any;
}

// ------------------------------------------------------------------ unknowns ----

gs_host_type HostValues::typeOf(QualType T) const {
  return {uint8_t(std::min<unsigned>(Context.getIntWidth(T), 64)),
          T->isSignedIntegerOrEnumerationType()};
}

gs_host_value HostValues::unknown(const llvm::FoldingSetNodeID &Key, StringRef Name, QualType Type) {
  auto [At, New] = Unknowns.try_emplace(Key, Unknown);
  if (New)
    At->second = gs_host_unknown(Hosts, Name.str().c_str(), typeOf(Type));
  return At->second;
}

gs_host_value HostValues::opaque(const Expr &E, const Moment &M) {
  llvm::FoldingSetNodeID Key;
  Key.AddInteger(2);
  Key.AddInteger(M.In->Number);
  Key.AddPointer(&E);
  return unknown(Key, "a value", E.getType());
}

/// Memory that others see: the same inside of one statement that calls nothing.
gs_host_value HostValues::opaqueLvalue(const Expr &E, const Moment &M) {
  if (E.getType().isVolatileQualified() || !M.At || calls(*M.At))
    return opaque(E, M);
  llvm::FoldingSetNodeID Key;
  Key.AddInteger(4);
  Key.AddInteger(M.In->Number);
  Key.AddPointer(M.At);
  E.Profile(Key, Context, /*Canonical=*/true);
  Target Of = targetOf(E);
  return unknown(Key, Of.Variable && Of.Variable->getIdentifier() ? Of.Variable->getName() : "a value",
                 E.getType());
}

// ----------------------------------------------------------------- variables ----

static bool capturedByCopy(const LambdaExpr &Lambda, const VarDecl &V) {
  for (const LambdaCapture &Capture : Lambda.captures())
    if (Capture.capturesVariable() && Capture.getCapturedVar() == &V)
      return Capture.getCaptureKind() == LCK_ByCopy;
  return false;
}

HostValues::Reading HostValues::read(const VarDecl &V, StepsRef Path, const Moment &M) {
  Reading R;
  R.When = M;
  const Variable *Info = M.In->Index ? M.In->Index->find(V) : nullptr;
  // What is const keeps its value whoever knows its address.
  bool Const = V.getType().isConstQualified() && !V.getType()->isReferenceType();
  R.Shared = !Info || (Info->Escapes && !Const) || V.getType().isVolatileQualified();
  if (R.Shared)
    return R;
  if (const LambdaExpr *Lambda = M.In->Index->lambdaBetween(V, M.Where.Begin)) {
    R.Shared = !capturedByCopy(*Lambda, V) && Info->Definitions.size() != 1;
    M.In->Index->extentOf(*Lambda, R.When.Where);
    R.When.At = Lambda;
    if (M.In->Outer)
      R.When.In = M.In->Outer;
  }
  Extent Here = R.When.Where;
  const Definition *Last = nullptr;
  auto Concerns = [&](const Definition &D) { return overlap(D.Path, Path); };
  for (const Definition &D : Info->Definitions) {
    if (!Concerns(D))
      continue;
    if (D.Position < Here.Begin)
      Last = &D;
    R.Busy |= Here.holds(D.Position);
  }
  bool Certain = Last && Here.Begin < Last->Reach && !R.Busy;
  for (const Extent &Loop : M.In->Index->loops()) {
    bool Changes = llvm::any_of(Info->Definitions, [&](const Definition &D) {
      return Concerns(D) && Loop.holds(D.Position);
    });
    if (!Loop.holds(Here.Begin) || !Changes)
      continue;
    R.Loop = std::max(R.Loop, Loop.Begin);
    Certain = Certain && Loop.holds(Last->Position);
  }
  R.Last = Last ? Last->Position : 0;
  R.Found = Certain ? Last : nullptr;
  return R;
}

static void addSteps(llvm::FoldingSetNodeID &Key, StepsRef Path) {
  Key.AddInteger(Path.size());
  for (const Step &S : Path) {
    Key.AddPointer(S.Field);
    Key.AddInteger(S.Index);
  }
}

void HostValues::addKey(llvm::FoldingSetNodeID &Key, const Reading &R, const Target &Of) const {
  Key.AddInteger(1);
  Key.AddInteger(R.When.In->Number);
  Key.AddPointer(Of.Variable);
  addSteps(Key, Of.Path);
  Key.AddInteger(R.Last);
  Key.AddInteger(R.Loop);
}

/// The value that the call being looked into passes for a parameter.
const gs_host_value *HostValues::argument(const VarDecl &V, const Moment &M) const {
  const auto *Param = dyn_cast<ParmVarDecl>(&V);
  const Variable *Info = Param && M.In->Index ? M.In->Index->find(V) : nullptr;
  for (const Frame *F = M.In; Info && Info->Definitions.size() == 1 && F; F = F->Outer) {
    auto Found = F->Arguments.find(Param);
    if (Found != F->Arguments.end())
      return &Found->second;
  }
  return nullptr;
}

int gpusafe::axisOf(const FieldDecl *Field) {
  StringRef Name = Field && Field->getIdentifier() ? Field->getName() : "";
  return Name == "x" ? 0 : Name == "y" ? 1 : Name == "z" ? 2 : -1;
}

bool gpusafe::isDims(QualType T) {
  const auto *Record = T->getAsCXXRecordDecl();
  return Record && Record->getIdentifier() &&
         (Record->getName() == "dim3" || Record->getName() == "uint3");
}

gs_host_value HostValues::variable(const Target &From, QualType Type, const Moment &M,
                                   bool AsSize) {
  const VarDecl &V = *From.Variable;
  Reading R = read(V, From.Path, M);
  const Definition *D = R.Found;
  if (D && D->Value && !From.Vague && isInside(From.Path, D->Path)) {
    StepsRef Rest = StepsRef(From.Path).drop_front(D->Path.size());
    llvm::FoldingSetNodeID Key;
    Key.AddInteger(R.When.In->Number);
    Key.AddPointer(D->Value);
    Key.AddBoolean(AsSize);
    addSteps(Key, Rest);
    auto Old = Known.find(Key);
    if (Old != Known.end())
      return Old->second;
    gs_host_value Value = part(*D->Value, Rest, momentOf(*D, R.When.In), AsSize);
    if (Value.at)
      return Known[Key] = Value;
  }
  llvm::FoldingSetNodeID Key;
  addKey(Key, R, From);
  return unknown(Key, V.getIdentifier() ? V.getName() : "a value", Type);
}

gs_host_value HostValues::lvalue(const Expr &Whole, const Moment &M) {
  const Expr &E = *Whole.IgnoreParens();
  if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(&E))
    return integer(*Temporary->getSubExpr(), M);
  if (const auto *Cast = dyn_cast<CastExpr>(&E))
    return Cast->getCastKind() == CK_NoOp ? lvalue(*Cast->getSubExpr(), M) : opaqueLvalue(E, M);
  if (const auto *Call = dyn_cast<CallExpr>(&E))
    return call(*Call, M);
  if (const auto *Condition = dyn_cast<AbstractConditionalOperator>(&E))
    return conditional(*Condition, M);
  Target From = targetOf(E);
  if (!From.Variable)
    return opaqueLvalue(E, M);
  if (From.Path.empty())
    if (const gs_host_value *Given = argument(*From.Variable, M))
      return Given->at ? *Given : opaque(E, M);
  const Expr *Fixed = From.Vague ? nullptr : fixedValue(*From.Variable);
  gs_host_value Value = Fixed ? part(*Fixed, From.Path, outside(*Fixed)) : Unknown;
  if (Value.at)
    return Value;
  Reading R = read(*From.Variable, From.Path, M);
  if (R.Busy)
    return opaque(E, M);
  if (R.Shared || From.Vague)
    return opaqueLvalue(E, M);
  return variable(From, E.getType(), M);
}

// --------------------------------------------------------------- expressions ----

gs_host_value HostValues::apply(gs_expr_op Op, std::initializer_list<gs_host_value> Args,
                                QualType T) {
  return gs_host_apply(Hosts, Op, Args.begin(), typeOf(T));
}

bool HostValues::constant(const Expr &E, gs_host_value &Out) {
  Expr::EvalResult Result;
  if (E.isValueDependent() || !E.EvaluateAsInt(Result, Context) || Result.HasSideEffects)
    return false;
  const llvm::APSInt &Value = Result.Val.getInt();
  if (!Value.isRepresentableByInt64())
    return false;
  Out = gs_host_number(Hosts, Value.getExtValue());
  return true;
}

/// `n / 256.0`, `(double)n / B`: operands that a double holds exactly.
gs_host_value HostValues::divisionOperand(const Expr &E, const Moment &M) {
  const Expr *Inner = E.IgnoreParens();
  if (const auto *Literal = dyn_cast<FloatingLiteral>(Inner)) {
    llvm::APSInt Number(64, /*isUnsigned=*/false);
    bool Exact = false;
    auto Status = Literal->getValue().convertToInteger(Number, llvm::APFloat::rmTowardZero, &Exact);
    return Status == llvm::APFloat::opOK && Exact && Number.isSignedIntN(32)
               ? gs_host_number(Hosts, Number.getExtValue())
               : Unknown;
  }
  const auto *Cast = dyn_cast<CastExpr>(Inner);
  while (Cast && Cast->getCastKind() == CK_NoOp)
    Cast = dyn_cast<CastExpr>(Cast->getSubExpr()->IgnoreParens());
  if (!Cast || Cast->getCastKind() != CK_IntegralToFloating ||
      Context.getIntWidth(Cast->getSubExpr()->getType()) > 32 || Context.getTypeSize(Cast->getType()) != 64)
    return Unknown;
  return integer(*Cast->getSubExpr(), M);
}

/// `(int)ceil(n / 256.0)`. The quotient of two 32-bit integers as a double is above an
/// integer exactly when the mathematical one is.
gs_host_value HostValues::roundedUp(const CastExpr &E, const Moment &M) {
  const auto *Call = dyn_cast<CallExpr>(E.getSubExpr()->IgnoreParenImpCasts());
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  if (!Callee || !Callee->getIdentifier() || Callee->getName() != "ceil" || Call->getNumArgs() != 1)
    return opaque(E, M);
  const Expr *Arg = Call->getArg(0)->IgnoreParens();
  gs_host_value Whole = divisionOperand(*Arg, M);
  const auto *Division = dyn_cast<BinaryOperator>(Arg);
  if (Division && Division->getOpcode() == BO_Div && Context.getTypeSize(Arg->getType()) == 64) {
    gs_host_value Over = divisionOperand(*Division->getLHS(), M);
    gs_host_value Under = divisionOperand(*Division->getRHS(), M);
    Whole = apply(GS_EXPR_CEIL_DIV, {Over, Under}, Context.LongLongTy);
  }
  return Whole.at ? gs_host_convert(Hosts, Whole, typeOf(E.getType())) : opaque(E, M);
}

gs_host_value HostValues::cast(const CastExpr &E, const Moment &M) {
  const Expr &Inner = *E.getSubExpr();
  switch (E.getCastKind()) {
  case CK_LValueToRValue:
    return lvalue(Inner, M);
  case CK_NoOp:
    return integer(Inner, M);
  case CK_IntegralCast:
    return gs_host_convert(Hosts, integer(Inner, M), typeOf(E.getType()));
  case CK_IntegralToBoolean:
    return apply(GS_EXPR_NE, {integer(Inner, M), gs_host_number(Hosts, 0)}, E.getType());
  case CK_FloatingToIntegral:
    return roundedUp(E, M);
  default:
    return opaque(E, M);
  }
}

gs_host_value HostValues::unary(const UnaryOperator &E, const Moment &M) {
  gs_host_value Value = Unknown;
  switch (E.getOpcode()) {
  case UO_Plus:
  case UO_Extension:
    return integer(*E.getSubExpr(), M);
  case UO_Minus:
    Value = apply(GS_EXPR_NEG, {integer(*E.getSubExpr(), M)}, E.getType());
    break;
  case UO_LNot:
    Value = apply(GS_EXPR_NOT, {integer(*E.getSubExpr(), M)}, E.getType());
    break;
  default:
    break; // ~, and what changes a variable
  }
  return Value.at ? Value : opaque(E, M);
}

static gs_expr_op operatorOf(BinaryOperatorKind Kind) {
  switch (Kind) {
  case BO_Add: return GS_EXPR_ADD;
  case BO_Sub: return GS_EXPR_SUB;
  case BO_Mul: return GS_EXPR_MUL;
  case BO_Div: return GS_EXPR_DIV;
  case BO_Rem: return GS_EXPR_MOD;
  case BO_Shl: return GS_EXPR_SHL;
  case BO_Shr: return GS_EXPR_SHR;
  case BO_And: return GS_EXPR_BITAND;
  case BO_Or: return GS_EXPR_BITOR;
  case BO_Xor: return GS_EXPR_BITXOR;
  case BO_LAnd: return GS_EXPR_AND;
  case BO_LOr: return GS_EXPR_OR;
  case BO_EQ: return GS_EXPR_EQ;
  case BO_NE: return GS_EXPR_NE;
  case BO_LT: return GS_EXPR_LT;
  case BO_LE: return GS_EXPR_LE;
  case BO_GT: return GS_EXPR_GT;
  case BO_GE: return GS_EXPR_GE;
  default: return GS_EXPR_INT; // none
  }
}

gs_host_value HostValues::binary(const BinaryOperator &E, const Moment &M) {
  if (E.getOpcode() == BO_Assign || E.getOpcode() == BO_Comma)
    return integer(*E.getRHS(), M);
  gs_expr_op Op = operatorOf(E.getOpcode());
  if (Op == GS_EXPR_INT || !E.getLHS()->getType()->isIntegralOrEnumerationType() ||
      !E.getRHS()->getType()->isIntegralOrEnumerationType())
    return opaque(E, M);
  gs_host_value Left = integer(*E.getLHS(), M), Right = Unknown;
  Expr::EvalResult Mask;
  // A 64-bit mask has its highest bits set: ~31 as that many bits.
  if (Op == GS_EXPR_BITAND && E.getRHS()->EvaluateAsInt(Mask, Context))
    Right = gs_host_number(Hosts, int64_t(Mask.Val.getInt().extOrTrunc(64).getZExtValue()));
  else
    Right = integer(*E.getRHS(), M);
  gs_host_value Value = apply(Op, {Left, Right}, E.getType());
  return Value.at ? Value : opaque(E, M);
}

gs_host_value HostValues::conditional(const AbstractConditionalOperator &E, const Moment &M) {
  gs_host_value Value = Unknown;
  if (isa<ConditionalOperator>(E))
    Value = apply(GS_EXPR_COND,
                  {integer(*E.getCond(), M), integer(*E.getTrueExpr(), M),
                   integer(*E.getFalseExpr(), M)},
                  E.getType());
  return Value.at ? Value : opaque(E, M);
}

// --------------------------------------------------------------------- calls ----

/// The expression of `{ return e; }`, with declarations before it at most.
static const ReturnStmt *onlyReturn(const Stmt *Body) {
  const auto *Compound = dyn_cast_or_null<CompoundStmt>(Body);
  if (!Compound || Compound->body_empty())
    return nullptr;
  for (const Stmt *S : Compound->body())
    if (S != Compound->body_back() && !isa<DeclStmt>(S) && !isa<NullStmt>(S))
      return nullptr;
  return dyn_cast<ReturnStmt>(Compound->body_back());
}

const Expr *HostValues::enter(const CallExpr &E, const Moment &M, Moment &Inside) {
  const FunctionDecl *Callee = E.getDirectCallee();
  const FunctionDecl *Body = nullptr;
  if (!Callee || M.In->Depth >= MaxDepth || !Callee->hasBody(Body) || Body->isVariadic() ||
      Body->isDependentContext())
    return nullptr;
  const auto *Method = dyn_cast<CXXMethodDecl>(Body);
  bool IsLambda = Method && Method->getParent()->isLambda();
  unsigned First = IsLambda && isa<CXXOperatorCallExpr>(E) ? 1 : 0;
  const ReturnStmt *Return = onlyReturn(Body->getBody());
  if (!Return || !Return->getRetValue() || E.getNumArgs() != Body->getNumParams() + First ||
      (isa<CXXOperatorCallExpr>(E) && !IsLambda))
    return nullptr;
  Extent Where;
  bool Here = M.In->Index && M.In->Index->extentOf(*Return, Where);
  Frame &F = newFrame(Here ? M.In->Index : &index(*Body), M.In->Depth + 1);
  F.Outer = Here ? M.In : nullptr;
  for (unsigned I = 0; I < Body->getNumParams(); I++) {
    const ParmVarDecl *Param = Body->getParamDecl(I);
    QualType T = Param->getType().getNonReferenceType();
    bool Changes = Param->getType()->isReferenceType() && !T.isConstQualified();
    if (T->isIntegralOrEnumerationType() && !Changes)
      F.Arguments[Param] = integer(*E.getArg(I + First), M);
  }
  Inside = {&F, {}, Return};
  F.Index->extentOf(*Return, Inside.Where);
  return Return->getRetValue();
}

/// min and max of the standard library and of CUDA.
static gs_expr_op knownFunction(const FunctionDecl *Callee) {
  if (!Callee || !Callee->getIdentifier() || Callee->getNumParams() != 2)
    return GS_EXPR_INT;
  const DeclContext *Home = Callee->getDeclContext()->getRedeclContext();
  if (!Home->isTranslationUnit() && !Home->isStdNamespace() && !Callee->isInStdNamespace())
    return GS_EXPR_INT;
  bool Library = Callee->isInStdNamespace() || Callee->getBuiltinID() ||
                 Callee->getASTContext().getSourceManager().isInSystemHeader(Callee->getLocation());
  QualType A = Callee->getParamDecl(0)->getType().getNonReferenceType();
  if (!Library || !A->isIntegerType())
    return GS_EXPR_INT;
  return Callee->getName() == "min"   ? GS_EXPR_MIN
         : Callee->getName() == "max" ? GS_EXPR_MAX
                                      : GS_EXPR_INT;
}

gs_host_value HostValues::call(const CallExpr &E, const Moment &M) {
  gs_expr_op Op = knownFunction(E.getDirectCallee());
  gs_host_value Value = Unknown;
  if (Op != GS_EXPR_INT && E.getNumArgs() == 2)
    Value = apply(Op, {integer(*E.getArg(0), M), integer(*E.getArg(1), M)},
                  E.getType().getNonReferenceType());
  Moment Inside;
  if (!Value.at)
    if (const Expr *Result = enter(E, M, Inside))
      Value = integer(*Result, Inside);
  return Value.at ? Value : opaque(E, M);
}

gs_host_value HostValues::integer(const Expr &Whole, const Moment &M) {
  Nested Here(Nesting);
  gs_host_value Value = Unknown;
  const Expr &E = *Whole.IgnoreParens();
  if (!E.getType()->isIntegralOrEnumerationType() || E.isInstantiationDependent())
    return Unknown;
  if (Nesting > MaxNesting)
    return opaque(E, M);
  if (constant(E, Value))
    return Value;
  if (E.isGLValue())
    return lvalue(E, M);
  if (const auto *Cleanups = dyn_cast<FullExpr>(&E))
    return integer(*Cleanups->getSubExpr(), M);
  if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(&E))
    return integer(*Default->getExpr(), M);
  if (const auto *Replaced = dyn_cast<SubstNonTypeTemplateParmExpr>(&E))
    return integer(*Replaced->getReplacement(), M);
  if (const auto *List = dyn_cast<InitListExpr>(&E))
    return List->getNumInits() == 1 ? integer(*List->getInit(0), M) : opaque(E, M);
  if (const auto *Cast = dyn_cast<CastExpr>(&E))
    return cast(*Cast, M);
  if (const auto *Operator = dyn_cast<UnaryOperator>(&E))
    return unary(*Operator, M);
  if (const auto *Operator = dyn_cast<BinaryOperator>(&E))
    return binary(*Operator, M);
  if (const auto *Condition = dyn_cast<AbstractConditionalOperator>(&E))
    return conditional(*Condition, M);
  if (const auto *Call = dyn_cast<CallExpr>(&E))
    return call(*Call, M);
  return opaque(E, M);
}
