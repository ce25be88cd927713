// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Where the variables of a host function get their values.
#ifndef GPUSAFE_PLUGIN_HOSTINDEX_H
#define GPUSAFE_PLUGIN_HOSTINDEX_H

#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <vector>

namespace gpusafe {

/// A stretch of a function's body; statements are numbered in the order of the source.
struct Extent {
  unsigned Begin = 0, End = 0;
  bool holds(unsigned Position) const { return Begin < Position && Position < End; }
};

/// One step from a variable to a part of it.
struct Step {
  const clang::FieldDecl *Field = nullptr; ///< null: an element of an array
  int64_t Index = 0;                       ///< of the element
  bool operator==(const Step &Other) const { return Field == Other.Field && Index == Other.Index; }
};
using Steps = llvm::SmallVector<Step, 3>;
using StepsRef = llvm::ArrayRef<Step>;

/// May the two parts of one variable share memory?
bool overlap(StepsRef A, StepsRef B);
/// Is \p Part all of \p Whole, or in it?
inline bool isInside(StepsRef Part, StepsRef Whole) {
  return Part.size() >= Whole.size() && Part.take_front(Whole.size()) == Whole;
}

/// A place that gives a variable, or a part of it, a value.
struct Definition {
  unsigned Position;        ///< of the statement
  unsigned Reach;           ///< it is executed before everything in (Position, Reach)
  Steps Path;               ///< what of the variable; nothing: all
  const clang::Expr *Value; ///< null: not an expression that could be read
  const clang::Stmt *At;    ///< the statement
};

/// A local variable or parameter.
struct Variable {
  std::vector<Definition> Definitions; ///< by position
  bool Escapes = false; ///< may be changed where this index cannot see it
  unsigned Handed = 0;  ///< uses that make it escape
};

/// An assignment's target: a variable, or a part of one.
struct Target {
  const clang::VarDecl *Variable = nullptr;
  Steps Path;
  bool Vague = false; ///< somewhere in what Path leads to: an element whose index is not known
};
/// \returns a target without a variable for everything else.
Target targetOf(const clang::Expr &E);

/// What one function does to its variables, lambdas in it included.
class HostIndex {
public:
  explicit HostIndex(const clang::FunctionDecl &Function);

  const Variable *find(const clang::VarDecl &V) const;
  /// \returns false for a statement of another function.
  bool extentOf(const clang::Stmt &S, Extent &Out) const;
  /// The innermost lambda around \p Position that \p V is not declared in; null when
  /// there is none.
  const clang::LambdaExpr *lambdaBetween(const clang::VarDecl &V, unsigned Position) const;
  llvm::ArrayRef<Extent> loops() const { return Loops; }

private:
  /// Definitions that are made directly in one compound statement.
  using Group = std::vector<std::pair<const clang::VarDecl *, size_t>>;
  void walk(const clang::Stmt *S, Group *Direct = nullptr);
  void walkChildren(const clang::Stmt &S);
  void walkCompound(const clang::Stmt &S);
  void walkLoop(const clang::Stmt &S);
  void walkSwitch(const clang::Stmt &S);
  void walkLambda(const clang::LambdaExpr &Lambda);
  void walkDeclarations(const clang::DeclStmt &S, Group *Direct);
  bool walkAssignment(const clang::Expr &E, Group *Direct);
  bool walkUse(const clang::Expr &E);
  bool walkLaunchCall(const clang::CallExpr &Call);
  void walkConfig(const clang::InitListExpr &List);
  void walkIndices(const clang::Expr &E);
  bool lend(const clang::Expr &Attributes);
  void define(const Target &To, const clang::Expr *Value, const clang::Stmt &At, Group *Direct);
  void declare(const clang::ParmVarDecl &Param, unsigned End);
  void escape(const clang::VarDecl &V);
  void close(Group &Open, unsigned End);

  unsigned Next = 1;
  bool Jumps = false; ///< a goto may go anywhere
  std::vector<Extent> Loops;
  std::vector<const clang::LambdaExpr *> Lambdas;  ///< outer ones first
  std::vector<const clang::LambdaExpr *> Inside;   ///< those being walked
  std::vector<Group *> Groups;                     ///< of the compounds being walked
  size_t SwitchDepth = 0;                          ///< first group inside of the switch
  /// Arrays of launch attributes that a configuration points to. The runtime's functions
  /// only read them; nobody else does, unless Spoilt.
  std::vector<const clang::VarDecl *> Lent;
  bool Spoilt = false;
  llvm::DenseMap<const clang::Stmt *, Extent> Extents;
  llvm::DenseMap<const clang::VarDecl *, Variable> Variables;
  llvm::DenseMap<const clang::VarDecl *, const clang::LambdaExpr *> DeclaredIn;
};

} // namespace gpusafe
#endif
