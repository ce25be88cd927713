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

Target gpusafe::targetOf(const Expr &E) {
  const Expr *Inner = E.IgnoreParens();
  if (const auto *Cast = dyn_cast<ImplicitCastExpr>(Inner))
    if (Cast->getCastKind() == CK_NoOp)
      return targetOf(*Cast->getSubExpr());
  if (const auto *Ref = dyn_cast<DeclRefExpr>(Inner))
    if (const auto *V = dyn_cast<VarDecl>(Ref->getDecl()))
      return {V, nullptr, false};
  const auto *Member = dyn_cast<MemberExpr>(Inner);
  const auto *Field = Member ? dyn_cast<FieldDecl>(Member->getMemberDecl()) : nullptr;
  if (!Field || Member->isArrow())
    return {};
  Target To = targetOf(*Member->getBase());
  if (!To.Variable)
    return {};
  To.Part = To.Field != nullptr;
  To.Field = To.Field ? To.Field : Field;
  return To;
}

static bool isLocal(const VarDecl &V) { return V.hasLocalStorage(); }

void HostIndex::escape(const VarDecl &V) {
  if (!isLocal(V))
    return;
  Variables[&V].Escapes = true;
  Variables[&V].Handed++;
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
  Info.Definitions.push_back({E.Begin, 0, To.Field, To.Part ? nullptr : Value, &At});
  if (Direct)
    Direct->push_back({&V, Info.Definitions.size() - 1});
}

void HostIndex::declare(const ParmVarDecl &Param, unsigned End) {
  DeclaredIn[&Param] = Inside.empty() ? nullptr : Inside.back();
  Variable &Info = Variables[&Param];
  Info.Escapes |= Param.getType()->isReferenceType();
  Info.Definitions.push_back({Next++, End, nullptr, nullptr, nullptr});
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
    if (Init)
      walk(Init);
    if (isLocal(*V) && Init)
      define({V, nullptr, false}, Init, S, Direct);
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
  if (Other)
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
  return Reads && targetOf(*Cast->getSubExpr()).Variable;
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
  } else {
    walkChildren(*S);
  }
  Extents[S].End = Next++;
}
