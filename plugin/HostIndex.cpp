// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HostIndex.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/AST/StmtOpenMP.h"

using namespace clang;
using namespace gpusafe;

HostIndex::HostIndex(const FunctionDecl &Function) {
  for (const ParmVarDecl *Param : Function.parameters())
    declare(*Param, ~0u);
  if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(&Function))
    for (const CXXCtorInitializer *Init : Constructor->inits())
      walk(Init->getInit());
  walk(Function.getBody());
  for (const VarDecl *V : Lent)
    Variables[V].Escapes |= Spoilt;
  for (auto &[V, Info] : Variables) {
    Info.Escapes |= Jumps && Info.Definitions.size() > 1;
    llvm::sort(Info.Definitions, [](const Definition &A, const Definition &B) {
      return A.Position < B.Position;
    });
  }
}

const Variable *HostIndex::find(const VarDecl &V) const {
  auto Found = Variables.find(&V);
  return Found == Variables.end() ? nullptr : &Found->second;
}

bool HostIndex::extentOf(const Stmt &S, Extent &Out) const {
  auto Found = Extents.find(&S);
  if (Found == Extents.end())
    return false;
  Out = Found->second;
  return true;
}

const LambdaExpr *HostIndex::lambdaBetween(const VarDecl &V, unsigned Position) const {
  const LambdaExpr *Home = DeclaredIn.lookup(&V), *Between = nullptr;
  Extent HomeExtent;
  if (Home)
    extentOf(*Home, HomeExtent);
  for (const LambdaExpr *Lambda : Lambdas) {
    Extent E;
    extentOf(*Lambda, E);
    bool Outside = Lambda != Home && (!Home || HomeExtent.holds(E.Begin));
    if (!Between && Outside && E.holds(Position))
      Between = Lambda; // the outermost: that is where the variable is captured
  }
  return Between;
}

// ------------------------------------------------------------- definitions ----

/// `a[2]`, of an array that is a variable or a part of one.
static Target elementOf(const ArraySubscriptExpr &E) {
  const auto *Decay = dyn_cast<ImplicitCastExpr>(E.getBase()->IgnoreParens());
  if (!Decay || Decay->getCastKind() != CK_ArrayToPointerDecay)
    return {};
  Target To = targetOf(*Decay->getSubExpr());
  Expr::EvalResult Index;
  if (!To.Variable || To.Vague)
    return To;
  const Expr &At = *E.getIdx();
  if (At.isInstantiationDependent() || !At.EvaluateAsInt(Index, To.Variable->getASTContext()) ||
      !Index.Val.getInt().isRepresentableByInt64())
    To.Vague = true;
  else
    To.Path.push_back({nullptr, Index.Val.getInt().getExtValue()});
  return To;
}

Target gpusafe::targetOf(const Expr &E) {
  const Expr *Inner = E.IgnoreParens();
  if (const auto *Cast = dyn_cast<ImplicitCastExpr>(Inner))
    if (Cast->getCastKind() == CK_NoOp)
      return targetOf(*Cast->getSubExpr());
  if (const auto *Ref = dyn_cast<DeclRefExpr>(Inner))
    if (const auto *V = dyn_cast<VarDecl>(Ref->getDecl()))
      return {V, {}, false};
  if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(Inner))
    return elementOf(*Subscript);
  const auto *Member = dyn_cast<MemberExpr>(Inner);
  const auto *Field = Member ? dyn_cast<FieldDecl>(Member->getMemberDecl()) : nullptr;
  if (!Field || Member->isArrow())
    return {};
  Target To = targetOf(*Member->getBase());
  if (!To.Variable)
    return {};
  if (!To.Vague)
    To.Path.push_back({Field, 0});
  return To;
}

bool gpusafe::overlap(StepsRef A, StepsRef B) {
  for (size_t I = 0; I < std::min(A.size(), B.size()); I++) {
    if (A[I] == B[I])
      continue;
    return A[I].Field && B[I].Field && A[I].Field->getParent() == B[I].Field->getParent() &&
           A[I].Field->getParent()->isUnion();
  }
  return true;
}

static bool isLocal(const VarDecl &V) { return V.hasLocalStorage(); }

static bool isNamed(QualType T, StringRef Name) {
  const RecordDecl *Record = T->getAsRecordDecl();
  const TypedefNameDecl *Typedef = Record ? Record->getTypedefNameForAnonDecl() : nullptr;
  return Record && (Record->getName() == Name || (Record->getName() == (Name + "_st").str()) ||
                    (Typedef && Typedef->getName() == Name));
}

/// A launch configuration of the CUDA runtime, and what its attributes are.
static bool isConfig(QualType T) {
  return isNamed(T, "cudaLaunchConfig") || isNamed(T, "cudaLaunchConfig_t");
}
static bool isAttributePointer(QualType T) {
  return T->isPointerType() && isNamed(T->getPointeeType(), "cudaLaunchAttribute");
}

void HostIndex::escape(const VarDecl &V) {
  if (!isLocal(V))
    return;
  Variables[&V].Escapes = true;
  Variables[&V].Handed++;
  Spoilt |= isConfig(V.getType()); // whoever has it reaches the attributes
}

void HostIndex::define(const Target &To, const Expr *Value, const Stmt &At, Group *Direct) {
  const VarDecl &V = *To.Variable;
  if (!isLocal(V))
    return;
  Variable &Info = Variables[&V];
  const LambdaExpr *Here = Inside.empty() ? nullptr : Inside.back();
  auto Home = DeclaredIn.find(&V);
  // A lambda runs whenever it is called.
  if (Home != DeclaredIn.end() && Home->second != Here)
    Info.Escapes = true;
  // One statement may declare several, each from those before.
  Extent E = Extents.lookup(isa<DeclStmt>(At) && Value ? static_cast<const Stmt *>(Value) : &At);
  Info.Definitions.push_back({E.Begin, 0, To.Path, To.Vague ? nullptr : Value, &At});
  if (Direct)
    Direct->push_back({&V, Info.Definitions.size() - 1});
}

void HostIndex::declare(const ParmVarDecl &Param, unsigned End) {
  DeclaredIn[&Param] = Inside.empty() ? nullptr : Inside.back();
  Variable &Info = Variables[&Param];
  Info.Escapes |= Param.getType()->isReferenceType();
  Info.Definitions.push_back({Next++, End, {}, nullptr, nullptr});
}

void HostIndex::close(Group &Open, unsigned End) {
  for (auto [V, Index] : Open)
    Variables[V].Definitions[Index].Reach = End;
  Open.clear();
}

// -------------------------------------------------------------- statements ----

void HostIndex::walkChildren(const Stmt &S) {
  for (const Stmt *Child : S.children())
    walk(Child);
}

/// Everything with a body of its own: what is defined directly in it is defined for the
/// rest of it, up to a label.
void HostIndex::walkCompound(const Stmt &S) {
  Group Mine;
  Groups.push_back(&Mine);
  for (const Stmt *Child : S.children())
    walk(Child, &Mine);
  Groups.pop_back();
  close(Mine, Next);
}

/// Only what a loop declares at its head is defined before all of its body.
void HostIndex::walkLoop(const Stmt &S) {
  Group Head;
  unsigned Begin = Next++;
  Groups.push_back(&Head);
  const auto *For = dyn_cast<ForStmt>(&S);
  for (const Stmt *Child : S.children()) {
    bool AtHead = Child && (isa<DeclStmt>(Child) || (For && Child == For->getInit()));
    walk(Child, AtHead ? &Head : nullptr);
  }
  Groups.pop_back();
  Loops.push_back({Begin, Next++});
  close(Head, Next);
}

void HostIndex::walkSwitch(const Stmt &S) {
  size_t Outer = SwitchDepth;
  SwitchDepth = Groups.size();
  walkCompound(S);
  SwitchDepth = Outer;
}

void HostIndex::walkLambda(const LambdaExpr &Lambda) {
  for (const Expr *Init : const_cast<LambdaExpr &>(Lambda).capture_inits())
    if (const auto *Ref = dyn_cast_or_null<DeclRefExpr>(Init ? Init->IgnoreParenImpCasts() : Init)) {
      // A capture by itself changes nothing; what the body does is seen there.
      if (!isa<VarDecl>(Ref->getDecl()))
        walk(Init);
    } else {
      walk(Init);
    }
  Lambdas.push_back(&Lambda);
  Inside.push_back(&Lambda);
  for (const ParmVarDecl *Param : Lambda.getCallOperator()->parameters())
    declare(*Param, ~0u);
  walk(Lambda.getBody());
  Inside.pop_back();
}

void HostIndex::walkDeclarations(const DeclStmt &S, Group *Direct) {
  for (const Decl *D : S.decls()) {
    const auto *V = dyn_cast<VarDecl>(D);
    if (!V)
      continue;
    DeclaredIn[V] = Inside.empty() ? nullptr : Inside.back();
    const Expr *Init = V->getInit();
    if (Init && V->getType()->isReferenceType()) {
      Variables[V].Escapes = true; // another name of something
      Target Of = targetOf(*Init);
      bool Const = V->getType()->getPointeeType().isConstQualified();
      if (Of.Variable && !Const)
        escape(*Of.Variable);
      if (!Of.Variable)
        walk(Init);
      continue;
    }
    const auto *List = dyn_cast_or_null<InitListExpr>(Init);
    if (List && isConfig(V->getType()))
      walkConfig(*List);
    else if (Init)
      walk(Init);
    if (isLocal(*V) && Init)
      define({V, {}, false}, Init, S, Direct);
  }
}

// ------------------------------------------------------------- expressions ----

/// `v = e`, `v.x = e`, `v += e`, `++v`. \returns false for anything else.
bool HostIndex::walkAssignment(const Expr &E, Group *Direct) {
  const Expr *To = nullptr, *Value = nullptr, *Other = nullptr;
  if (const auto *Binary = dyn_cast<BinaryOperator>(&E)) {
    if (!Binary->isAssignmentOp())
      return false;
    To = Binary->getLHS();
    Other = Binary->getRHS();
    Value = Binary->getOpcode() == BO_Assign ? Other : nullptr;
  } else if (const auto *Unary = dyn_cast<UnaryOperator>(&E)) {
    if (!Unary->isIncrementDecrementOp())
      return false;
    To = Unary->getSubExpr();
  } else if (const auto *Call = dyn_cast<CXXOperatorCallExpr>(&E)) {
    if (Call->getOperator() != OO_Equal || Call->getNumArgs() != 2)
      return false;
    To = Call->getArg(0);
    Value = Other = Call->getArg(1);
  } else {
    return false;
  }
  Target Found = targetOf(*To);
  if (!Found.Variable)
    return false;
  walkIndices(*To);
  bool Lends = Value && Found.Path.size() == 1 && isConfig(Found.Variable->getType()) &&
               isAttributePointer(To->getType()) && lend(*Value);
  if (Other && !Lends)
    walk(Other);
  define(Found, Value, E, Direct);
  return true;
}

/// A use that cannot change a variable: reading it, also through a const reference.
bool HostIndex::walkUse(const Expr &E) {
  const auto *Cast = dyn_cast<CastExpr>(&E);
  if (!Cast)
    return false;
  bool Const = Cast->getCastKind() == CK_NoOp && E.isGLValue() && E.getType().isConstQualified();
  bool Reads = Cast->getCastKind() == CK_LValueToRValue || Cast->getCastKind() == CK_ToVoid || Const;
  if (!Reads || !targetOf(*Cast->getSubExpr()).Variable)
    return false;
  // A copy of the configuration, or of the pointer in it, leads to the attributes as well.
  Spoilt |= isConfig(E.getType()) || isAttributePointer(E.getType());
  walkIndices(*Cast->getSubExpr());
  return true;
}

/// What is computed on the way to a part of a variable.
void HostIndex::walkIndices(const Expr &E) {
  const Expr *Inner = E.IgnoreParenImpCasts();
  if (const auto *Member = dyn_cast<MemberExpr>(Inner))
    return walkIndices(*Member->getBase());
  if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(Inner)) {
    walkIndices(*Subscript->getBase());
    walk(Subscript->getIdx());
  }
}

/// `attributes` or `&attributes[0]`, given to a configuration.
bool HostIndex::lend(const Expr &Attributes) {
  const Expr *Inner = Attributes.IgnoreParenImpCasts();
  const auto *Address = dyn_cast<UnaryOperator>(Inner);
  Target Of = targetOf(Address && Address->getOpcode() == UO_AddrOf ? *Address->getSubExpr() : *Inner);
  if (!Of.Variable || !isLocal(*Of.Variable) || Of.Variable->getType()->isPointerType())
    return false;
  Lent.push_back(Of.Variable);
  return true;
}

void HostIndex::walkConfig(const InitListExpr &List) {
  for (const Expr *Init : List.inits())
    if (!isAttributePointer(Init->getType()) || !lend(*Init))
      walk(Init);
}

/// The CUDA runtime's functions that launch with a configuration, or ask about one: they
/// read it, and the arguments of the kernel.
bool HostIndex::walkLaunchCall(const CallExpr &Call) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  StringRef Name = Callee && Callee->getIdentifier() ? Callee->getName() : "";
  bool Forwards = Name == "cudaLaunchKernelEx"; // takes references to the arguments
  if (!Forwards && Name != "cudaLaunchKernelExC" && Name != "cudaOccupancyMaxActiveClusters" &&
      Name != "cudaOccupancyMaxPotentialClusterSize")
    return false;
  for (const Expr *Arg : Call.arguments()) {
    const Expr *Inner = Arg->IgnoreParenImpCasts();
    const auto *Address = dyn_cast<UnaryOperator>(Inner);
    bool Config = Address && Address->getOpcode() == UO_AddrOf &&
                  isConfig(Address->getSubExpr()->getType()) &&
                  targetOf(*Address->getSubExpr()).Variable;
    bool Argument = Forwards && Arg->isGLValue() && targetOf(*Arg).Variable;
    if (Config)
      walkIndices(*Address->getSubExpr());
    else if (Argument)
      walkIndices(*Arg);
    else
      walk(Arg);
  }
  return true;
}

void HostIndex::walk(const Stmt *S, Group *Direct) {
  if (!S)
    return;
  Extent &Mine = Extents[S];
  Mine.Begin = Next++;
  const auto *E = dyn_cast<Expr>(S);
  if (isa<SwitchCase>(S)) {
    for (size_t I = SwitchDepth; I < Groups.size(); I++)
      close(*Groups[I], Next);
    for (const Stmt *Child : S->children())
      walk(Child, isa<Expr>(Child) ? nullptr : Direct);
  } else if (isa<LabelStmt>(S)) {
    Jumps = true;
    for (Group *Open : Groups)
      close(*Open, Next);
    walkChildren(*S);
  } else if (isa<GotoStmt>(S) || isa<IndirectGotoStmt>(S)) {
    Jumps = true;
    walkChildren(*S);
  } else if (const auto *Attributed = dyn_cast<AttributedStmt>(S)) {
    walk(Attributed->getSubStmt(), Direct);
  } else if (const auto *Declarations = dyn_cast<DeclStmt>(S)) {
    walkDeclarations(*Declarations, Direct);
  } else if (isa<ForStmt>(S) || isa<WhileStmt>(S) || isa<DoStmt>(S) || isa<CXXForRangeStmt>(S) ||
             isa<OMPExecutableDirective>(S)) {
    walkLoop(*S);
  } else if (const auto *Captured = dyn_cast<CapturedStmt>(S)) {
    walk(Captured->getCapturedStmt());
  } else if (isa<SwitchStmt>(S)) {
    walkSwitch(*S);
  } else if (isa<CompoundStmt>(S)) {
    walkCompound(*S);
  } else if (const auto *Lambda = dyn_cast<LambdaExpr>(S)) {
    walkLambda(*Lambda);
  } else if (const auto *Cleanups = dyn_cast<ExprWithCleanups>(S)) {
    walk(Cleanups->getSubExpr(), Direct);
  } else if (isa<UnaryExprOrTypeTraitExpr>(S)) {
    // not evaluated
  } else if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(S)) {
    (void)Default; // names no local variable
  } else if (const auto *Paren = dyn_cast<ParenExpr>(S)) {
    walk(Paren->getSubExpr(), Direct);
  } else if (E && (walkAssignment(*E, Direct) || walkUse(*E))) {
    // done
  } else if (E && targetOf(*E).Variable) {
    escape(*targetOf(*E).Variable);
    walkIndices(*E);
  } else if (const auto *Call = dyn_cast<CallExpr>(S); Call && walkLaunchCall(*Call)) {
    // done
  } else {
    walkChildren(*S);
  }
  Extents[S].End = Next++;
}
