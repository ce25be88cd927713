// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Trusted.h"

#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceManager.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Lex/Lexer.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"

using namespace clang;
using namespace gpusafe;

namespace {
class Finder : public RecursiveASTVisitor<Finder> {
public:
  Finder(Sema &S, KernelTable &Table, std::vector<TrustedRange> &Out)
      : S(S), Table(Table), Out(Out) {}

  bool VisitAttributedStmt(AttributedStmt *Statement) {
    for (const Attr *A : Statement->getAttrs())
      if (auto Trust = trustOf(*A))
        add(*Statement->getSubStmt(), A->getLocation(), *Trust);
    return true;
  }

private:
  void add(const Stmt &Statement, SourceLocation Loc, const TrustText &Trust) {
    const SourceManager &SM = S.getSourceManager();
    SourceLocation Begin = SM.getFileLoc(Statement.getBeginLoc());
    SourceLocation End = Lexer::getLocForEndOfToken(
        SM.getExpansionRange(Statement.getEndLoc()).getEnd(), 1, SM, S.getLangOpts());
    Out.push_back({Table.location(Begin), Table.location(End), Table.location(Loc), Trust.Rule,
                   Trust.Reason});
  }

  Sema &S;
  KernelTable &Table;
  std::vector<TrustedRange> &Out;
};
} // namespace

bool TrustedStatements::possible() const {
  return attributeState(S.Context).AnyTrustedStatement || S.Context.getExternalSource();
}

const std::vector<TrustedRange> &TrustedStatements::in(const FunctionDecl &Function) {
  auto [Entry, New] = ByFunction.try_emplace(&Function);
  const FunctionDecl *Definition = nullptr;
  if (New && patternOf(Function).hasBody(Definition))
    Finder(S, Table, Entry->second).TraverseStmt(Definition->getBody());
  return Entry->second;
}

std::vector<TrustedRange> TrustedStatements::reachableFrom(const llvm::Function &Kernel) {
  std::vector<TrustedRange> Out;
  if (!possible())
    return Out;
  llvm::SmallSetVector<const llvm::Function *, 16> Reached;
  Reached.insert(&Kernel);
  for (size_t I = 0; I < Reached.size(); I++) {
    const llvm::Function &Function = *Reached[I];
    const auto *Decl =
        dyn_cast_or_null<FunctionDecl>(Generator.GetDeclForMangledName(Function.getName()));
    if (Decl)
      llvm::append_range(Out, in(*Decl));
    // Also functions whose address is taken: they may be called.
    for (const llvm::Instruction &Inst : llvm::instructions(Function))
      for (const llvm::Use &Operand : Inst.operands())
        if (const auto *Callee = dyn_cast<llvm::Function>(Operand->stripPointerCasts()))
          if (!Callee->isDeclaration())
            Reached.insert(Callee);
  }
  return Out;
}
