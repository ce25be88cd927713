// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Where a condition can be put in front of a statement of a kernel.
#ifndef GPUSAFE_PLUGIN_STATEMENTGUARDS_H
#define GPUSAFE_PLUGIN_STATEMENTGUARDS_H

#include "SourceMap.h"
#include "gs.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"

#include <string>
#include <vector>

namespace clang {
class ArraySubscriptExpr;
class Expr;
class FunctionDecl;
class LangOptions;
class Sema;
class Stmt;
} // namespace clang

namespace gpusafe {

/// The statements of one kernel whose execution a condition can decide without any other
/// effect: expressions that end at a semicolon, change nothing that their own indices are
/// made of and call nothing that may synchronise.
class StatementGuards {
public:
  StatementGuards(clang::Sema &S, const clang::FunctionDecl &Kernel);

  /// See gs_find_guard_fn. \param Place receives where to insert \p Text.
  bool find(const gs_loc &Access, llvm::StringRef Array, const char *Bound, bool Below,
            clang::SourceLocation &Place, std::string &Text);

private:
  struct Guarded {
    const clang::Expr *Statement;
    std::vector<const clang::ArraySubscriptExpr *> Accesses;
  };
  void read(const clang::Stmt *Statement, bool Guardable);
  void readAll();
  bool isStable(llvm::StringRef Bound) const;
  void readBody(const clang::Stmt *Body) { read(Body, true); }
  std::string condition(const clang::Expr &Index, const char *Bound, bool Below) const;

  clang::SourceManager &SM;
  const clang::LangOptions &Lang;
  const clang::FunctionDecl &Kernel;
  SourceMap Places;
  bool Read = false;
  std::vector<Guarded> Found;
  llvm::StringSet<> ChangedNames; ///< of variables that the kernel may change
  llvm::StringSet<> Unstable;     ///< and of those that it declares
};

} // namespace gpusafe
#endif
