// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What expressions of host code are worth, as symbolic values.
#ifndef GPUSAFE_PLUGIN_HOSTVALUES_H
#define GPUSAFE_PLUGIN_HOSTVALUES_H

#include "HostIndex.h"
#include "host.h"

#include "clang/AST/ASTContext.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/FoldingSet.h"

#include <array>
#include <map>
#include <memory>
#include <optional>

namespace gpusafe {

/// A function's body, once for each call that is looked into.
struct Frame {
  const HostIndex *Index = nullptr; ///< null: nothing is known of variables
  unsigned Number = 0;
  unsigned Depth = 0; ///< of calls
  const Frame *Outer = nullptr; ///< of a lambda: where its captured variables live
  llvm::DenseMap<const clang::ParmVarDecl *, gs_host_value> Arguments;
};

/// A moment of the execution: when a statement of a frame begins.
struct Moment {
  const Frame *In = nullptr;
  Extent Where;                  ///< of the statement
  const clang::Stmt *At = nullptr;
};

/// Counts how deep expressions are nested, across definitions and calls.
struct Nested {
  unsigned &Depth;
  explicit Nested(unsigned &Depth) : Depth(Depth) { Depth++; }
  ~Nested() { Depth--; }
};

using HostDims = std::array<gs_host_value, 3>;

/// 0, 1, 2 for a field called x, y, z; else -1.
int axisOf(const clang::FieldDecl *Field);
/// dim3, or uint3.
bool isDims(clang::QualType T);
/// Global variables that the unit's own code may change or give away, of those that no other
/// unit sees.
llvm::DenseSet<const clang::VarDecl *> changedGlobals(const clang::ASTContext &Context);

/// Reads expressions. A value that cannot be read is an unknown, and two readings give
/// the same unknown only where the value is certainly the same: nothing may change it
/// between them. What another function could change, by a pointer or because it is
/// global, is the same only inside of one statement that calls nothing.
class HostValues {
public:
  HostValues(const clang::ASTContext &Context, gs_hosts *Hosts) : Context(Context), Hosts(Hosts) {}

  /// The moment when \p S, a statement of \p Function, begins. Null: of no function, so
  /// that nothing is known of variables.
  Moment momentOf(const clang::FunctionDecl *Function, const clang::Stmt &S);

  /// An integer, in the type of the expression.
  gs_host_value integer(const clang::Expr &E, const Moment &M);
  /// A dim3: sizes as a launch takes them.
  HostDims dims(const clang::Expr &E, const Moment &M);
  /// A pointer. Equal values are (almost) certainly one address; related ones (see
  /// gs_launch_aliases) are all that may be.
  gs_host_value pointer(const clang::Expr &E, const Moment &M);

  /// An integer in a record that an expression gives; of an lvalue also what it holds.
  gs_host_value part(const clang::Expr &Record, StepsRef Path, const Moment &M,
                     bool AsSize = false);
  /// The same of a dim3.
  HostDims dimsPart(const clang::Expr &Record, StepsRef Path, const Moment &M);
  /// A part of a variable of this function, of that type.
  gs_host_value placed(const Target &From, clang::QualType Type, const Moment &M);
  /// The expression that gave a part of a variable its value, if that is certain; \p Then
  /// gets the moment when it did.
  const clang::Expr *given(const Target &From, const Moment &M, Moment &Then);

  /// What a variable or other place holds, an integer or a pointer.
  gs_host_value stored(const clang::Expr &Place, const Moment &M);
  /// The elements of an array that is only ever handed to the statement of \p M; empty
  /// for others.
  llvm::ArrayRef<clang::Expr *> elements(const clang::Expr &Array, const Moment &M);
  /// Pointers are told apart as they are when \p S begins.
  void setLaunch(const clang::Stmt &S) { Launch = &S; }

  gs_hosts *hosts() const { return Hosts; }

private:
  struct Reading {
    const Definition *Found = nullptr; ///< what gave the value, if that is certain
    bool Shared = false;               ///< others may change it
    bool Busy = false;                 ///< the statement itself changes it
    unsigned Last = 0, Loop = 0;       ///< tell values of different times apart
    Moment When;                       ///< the moment to look from
  };
  Reading read(const clang::VarDecl &V, StepsRef Path, const Moment &M);
  gs_host_value variable(const Target &From, clang::QualType Type, const Moment &M,
                         bool AsSize = false);
  gs_host_value lvalue(const clang::Expr &E, const Moment &M);
  gs_host_value member(const clang::MemberExpr &E, const Moment &M);
  gs_host_value cast(const clang::CastExpr &E, const Moment &M);
  gs_host_value unary(const clang::UnaryOperator &E, const Moment &M);
  gs_host_value binary(const clang::BinaryOperator &E, const Moment &M);
  gs_host_value conditional(const clang::AbstractConditionalOperator &E, const Moment &M);
  gs_host_value call(const clang::CallExpr &E, const Moment &M);
  gs_host_value roundedUp(const clang::CastExpr &E, const Moment &M);
  gs_host_value divisionOperand(const clang::Expr &E, const Moment &M);
  gs_host_value address(const clang::Expr &E, const Moment &M);
  gs_host_value pointerVariable(const Target &From, const clang::Expr &E, const Moment &M);
  gs_host_value named(const clang::Expr &E, const Moment &M);
  gs_host_value addressUnknown(const llvm::FoldingSetNodeID &Key, llvm::StringRef Name);
  gs_host_value size(const clang::Expr &E, const Moment &M);
  HostDims dimsVariable(const Target &From, clang::QualType Type, const Moment &M);
  gs_host_value partOfList(const clang::InitListExpr &List, StepsRef Path, const Moment &M,
                           bool AsSize);
  gs_host_value partOfPlace(const clang::Expr &E, StepsRef Path, const Moment &M, bool AsSize);
  /// The initialiser of a global variable that keeps its first value.
  const clang::Expr *fixedValue(const clang::VarDecl &V);
  Moment outside(const clang::Expr &E);
  HostDims construct(const clang::CXXConstructExpr &E, const Moment &M);

  /// The returned expression of a helper that does nothing else, and its frame.
  const clang::Expr *enter(const clang::CallExpr &E, const Moment &M, Moment &Inside);
  bool calls(const clang::Stmt &S);
  const HostIndex &index(const clang::FunctionDecl &Function);
  Frame &newFrame(const HostIndex *Index, unsigned Depth);
  Moment momentOf(const Definition &D, const Frame *In) const;
  const gs_host_value *argument(const clang::VarDecl &V, const Moment &M) const;
  bool constant(const clang::Expr &E, gs_host_value &Out);

  /// The unknown that belongs to a key; made when it is new.
  gs_host_value unknown(const llvm::FoldingSetNodeID &Key, llvm::StringRef Name,
                        clang::QualType Type);
  gs_host_value opaque(const clang::Expr &E, const Moment &M);
  gs_host_value opaqueLvalue(const clang::Expr &E, const Moment &M);
  void addKey(llvm::FoldingSetNodeID &Key, const Reading &R, const Target &Of) const;
  gs_host_type typeOf(clang::QualType T) const;
  gs_host_value apply(gs_expr_op Op, std::initializer_list<gs_host_value> Args, clang::QualType T);

  const clang::ASTContext &Context;
  gs_hosts *Hosts;
  unsigned Nesting = 0; ///< of expressions being read
  const clang::Stmt *Launch = nullptr; ///< whose pointers are being read
  std::vector<std::unique_ptr<Frame>> Frames;
  llvm::DenseMap<const clang::FunctionDecl *, std::unique_ptr<HostIndex>> Indexes;
  llvm::DenseMap<const clang::FunctionDecl *, const Frame *> Roots;
  llvm::DenseMap<const clang::Stmt *, bool> Calls;
  std::optional<llvm::DenseSet<const clang::VarDecl *>> Changed; ///< of this unit's own globals
  std::map<llvm::FoldingSetNodeID, gs_host_value> Unknowns;
  std::map<llvm::FoldingSetNodeID, gs_host_value> Known; ///< definitions
};

} // namespace gpusafe
#endif
