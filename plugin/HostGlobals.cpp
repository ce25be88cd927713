// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Global variables that keep their first value: nothing in the unit changes them, and no
// other unit sees them.
#include "HostValues.h"

#include "clang/AST/RecursiveASTVisitor.h"

using namespace clang;
using namespace gpusafe;

namespace {
/// Every use of such a variable that is not seen to be a mere reading counts as a change.
class Changes : public RecursiveASTVisitor<Changes> {
public:
  llvm::DenseSet<const VarDecl *> Found;

  bool shouldVisitTemplateInstantiations() const { return true; }

  // A parent is visited before what is in it.
  bool VisitImplicitCastExpr(ImplicitCastExpr *Cast) {
    if (Cast->getCastKind() == CK_LValueToRValue)
      reads(Cast->getSubExpr());
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *Construct) {
    const CXXConstructorDecl *Constructor = Construct->getConstructor();
    if (Construct->getNumArgs() == 1 && Constructor->isCopyOrMoveConstructor() &&
        !Constructor->isUserProvided())
      reads(Construct->getArg(0));
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *Ref) {
    const auto *V = dyn_cast<VarDecl>(Ref->getDecl());
    if (V && V->hasGlobalStorage() && !V->isExternallyVisible() && !Read.contains(Ref))
      Found.insert(V->getCanonicalDecl());
    return true;
  }

private:
  /// A variable or a part of it.
  void reads(const Expr *E) {
    E = E->IgnoreParens();
    if (const auto *Cast = dyn_cast<ImplicitCastExpr>(E))
      if (Cast->getCastKind() == CK_NoOp || Cast->getCastKind() == CK_ArrayToPointerDecay)
        return reads(Cast->getSubExpr());
    if (const auto *Member = dyn_cast<MemberExpr>(E))
      if (!Member->isArrow())
        return reads(Member->getBase());
    if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E))
      return reads(Subscript->getBase());
    if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
      Read.insert(Ref);
  }

  llvm::DenseSet<const DeclRefExpr *> Read;
};
} // namespace

llvm::DenseSet<const VarDecl *> gpusafe::changedGlobals(const ASTContext &Context) {
  Changes Walk;
  Walk.TraverseDecl(Context.getTranslationUnitDecl());
  return std::move(Walk.Found);
}
