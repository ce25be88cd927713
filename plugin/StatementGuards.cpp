// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "StatementGuards.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/CharInfo.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;
using namespace gpusafe;

StatementGuards::StatementGuards(Sema &S, const FunctionDecl &Kernel)
    : SM(S.getSourceManager()), Lang(S.getLangOpts()), Kernel(Kernel), Places(SM) {}

namespace {
/// What a statement does, as far as a condition in front of it could matter.
struct Contents {
  std::vector<const ArraySubscriptExpr *> Accesses;
  llvm::SmallPtrSet<const Decl *, 8> Changed; ///< variables that it may change
  bool Opaque = false;                        ///< calls or declares who knows what
};
} // namespace

static const Decl *variableOf(const Expr *E) {
  const auto *Ref = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
  return Ref ? Ref->getDecl()->getCanonicalDecl() : nullptr;
}

static void inspect(const Stmt *S, Contents &Out) {
  // threadIdx.x is a property, whose getter is no call of the program.
  if (!S || isa<PseudoObjectExpr>(S))
    return;
  if (const auto *Call = dyn_cast<CallExpr>(S)) {
    const FunctionDecl *Callee = Call->getDirectCallee();
    // A function with a body may hold a barrier; those without are the device's own.
    Out.Opaque |= !Callee || (Callee->hasBody() && !Callee->isConstexpr()) ||
                  Callee->getName().contains("sync") || Callee->getName().contains("barrier");
    for (const Expr *Arg : Call->arguments())
      if (Arg->isLValue() || Arg->getType()->isPointerType())
        if (const auto *Address = dyn_cast<UnaryOperator>(Arg->IgnoreParenImpCasts()))
          Out.Changed.insert(variableOf(Address->getSubExpr()));
  } else if (isa<LambdaExpr, StmtExpr, AsmStmt, CXXNewExpr, CXXDeleteExpr>(S)) {
    Out.Opaque = true;
  } else if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(S)) {
    Out.Accesses.push_back(Subscript);
  } else if (const auto *Assign = dyn_cast<BinaryOperator>(S); Assign && Assign->isAssignmentOp()) {
    Out.Changed.insert(variableOf(Assign->getLHS()));
  } else if (const auto *Unary = dyn_cast<UnaryOperator>(S);
             Unary && (Unary->isIncrementDecrementOp() || Unary->getOpcode() == UO_AddrOf)) {
    Out.Changed.insert(variableOf(Unary->getSubExpr()));
  }
  for (const Stmt *Child : S->children())
    inspect(Child, Out);
}

/// Variables that the body declares: their names hide the kernel's parameters.
static void declared(const Stmt *S, llvm::StringSet<> &Names) {
  if (!S)
    return;
  if (const auto *Decls = dyn_cast<DeclStmt>(S))
    for (const Decl *D : Decls->decls())
      if (const auto *Named = dyn_cast<NamedDecl>(D))
        if (Named->getIdentifier())
          Names.insert(Named->getName());
  for (const Stmt *Child : S->children())
    declared(Child, Names);
}

/// What keeps its value from the kernel's entry on is neither changed nor hidden.
void StatementGuards::readAll() {
  Read = true;
  Contents All;
  inspect(Kernel.getBody(), All);
  for (const Decl *D : All.Changed)
    if (const auto *Named = dyn_cast_or_null<NamedDecl>(D); Named && Named->getIdentifier())
      Unstable.insert(Named->getName());
  ChangedNames = Unstable;
  declared(Kernel.getBody(), Unstable);
  read(Kernel.getBody(), false);
}

/// Does the text name a variable that may not have its value of the entry?
bool StatementGuards::isStable(StringRef Bound) const {
  while (!Bound.empty()) {
    Bound = Bound.drop_until([](char C) { return isAsciiIdentifierStart(C); });
    StringRef Name = Bound.take_while([](char C) { return isAsciiIdentifierContinue(C); });
    if (Unstable.contains(Name))
      return false;
    Bound = Bound.drop_front(Name.size());
  }
  return true;
}

/// An `if` without braces in front of a statement with an `else` behind it would take that.
void StatementGuards::read(const Stmt *Statement, bool Guardable) {
  if (!Statement)
    return;
  if (const auto *E = dyn_cast<Expr>(Statement)) {
    Contents C;
    inspect(E, C);
    // An assignment to a variable would leave it without its value.
    C.Changed.erase(nullptr);
    if (Guardable && !C.Opaque && C.Changed.empty() && E->getBeginLoc().isFileID())
      Found.push_back({E, std::move(C.Accesses)});
  } else if (const auto *If = dyn_cast<IfStmt>(Statement)) {
    read(If->getThen(), !If->getElse());
    read(If->getElse(), true);
  } else if (const auto *For = dyn_cast<ForStmt>(Statement)) {
    readBody(For->getBody());
  } else if (const auto *While = dyn_cast<WhileStmt>(Statement)) {
    readBody(While->getBody());
  } else if (const auto *Do = dyn_cast<DoStmt>(Statement)) {
    readBody(Do->getBody());
  } else if (const auto *Range = dyn_cast<CXXForRangeStmt>(Statement)) {
    readBody(Range->getBody());
  } else if (isa<CompoundStmt, SwitchStmt, SwitchCase, AttributedStmt, LabelStmt>(Statement)) {
    for (const Stmt *Child : Statement->children())
      if (Child && !isa<Expr>(Child))
        read(Child, true);
      else if (Child && isa<CompoundStmt>(Statement))
        read(Child, true);
  }
}

/// An element of a shared array, which others are going to read: a condition must not
/// leave it without a value.
static bool isShared(const Expr *E) {
  E = E->IgnoreParenImpCasts();
  while (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E))
    E = Subscript->getBase()->IgnoreParenImpCasts();
  const auto *Ref = dyn_cast<DeclRefExpr>(E);
  return Ref && Ref->getDecl()->hasAttr<CUDASharedAttr>();
}

/// `i + 1` may stand beside `<` as it is; `a & b` may not.
static bool needsParentheses(const Expr &Index) {
  const Expr *E = Index.IgnoreImpCasts();
  if (const auto *Binary = dyn_cast<BinaryOperator>(E))
    return !Binary->isMultiplicativeOp() && !Binary->isAdditiveOp();
  return isa<AbstractConditionalOperator>(E);
}

std::string StatementGuards::condition(const Expr &Index, const char *Bound, bool Below) const {
  CharSourceRange Range = CharSourceRange::getTokenRange(Index.getSourceRange());
  std::string Text = Lexer::getSourceText(Range, SM, Lang).str();
  if (Text.empty() || Text.find('\n') != std::string::npos)
    return "";
  if (needsParentheses(Index))
    Text = "(" + Text + ")";
  std::string Out = Below ? Text + " >= 0" : "";
  if (Bound)
    Out += (Below ? " && " : "") + Text + " < " + Bound;
  return Out;
}

bool StatementGuards::find(const gs_loc &Access, StringRef Array, const char *Bound, bool Below,
                           SourceLocation &Place, std::string &Text) {
  if (!Read)
    readAll();
  if ((Bound && !isStable(Bound)) || ChangedNames.contains(Array))
    return false;
  SourceLocation At = Places.find(Access);
  for (const Guarded &G : Found) {
    SourceLocation Begin = G.Statement->getBeginLoc(), End = G.Statement->getEndLoc();
    if (At.isInvalid() || End.isMacroID() || SM.isBeforeInTranslationUnit(At, Begin) ||
        SM.isBeforeInTranslationUnit(End, At))
      continue;
    const auto *Assign = dyn_cast<BinaryOperator>(G.Statement->IgnoreParenImpCasts());
    const ArraySubscriptExpr *Only = nullptr;
    for (const ArraySubscriptExpr *E : G.Accesses) {
      const auto *Base = dyn_cast<DeclRefExpr>(E->getBase()->IgnoreParenImpCasts());
      bool Same = Base && Base->getDecl()->getName() == Array;
      bool Here = E->getExprLoc() == At || E->getBeginLoc() == At;
      Here |= Assign && Assign->isAssignmentOp() && Assign->getOperatorLoc() == At &&
              Assign->getLHS()->IgnoreParenImpCasts() == E;
      if (!Same || !Here)
        continue;
      if (Only)
        return false;
      Only = E;
    }
    if (Only && Assign && Assign->isAssignmentOp() && isShared(Assign->getLHS()) &&
        Assign->getLHS()->IgnoreParenImpCasts() != Only)
      return false;
    if (!Only || Only->getIdx()->getBeginLoc().isMacroID() || Only->getIdx()->getEndLoc().isMacroID())
      return false;
    std::string Condition = condition(*Only->getIdx(), Bound, Below);
    Place = Begin;
    Text = "if (" + Condition + ") ";
    return !Condition.empty();
  }
  return false;
}
