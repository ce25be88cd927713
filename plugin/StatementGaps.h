// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Where a statement can be inserted into a kernel.
#ifndef GPUSAFE_PLUGIN_STATEMENTGAPS_H
#define GPUSAFE_PLUGIN_STATEMENTGAPS_H

#include "SourceMap.h"
#include "gs.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace clang {
class CompoundStmt;
class FunctionDecl;
class LangOptions;
class Sema;
class Stmt;
} // namespace clang

namespace gpusafe {

/// The statements of one kernel, and the gaps between them. The core names a point of
/// the control flow by what is executed just before and after it; a gap is that point
/// only where control cannot come to one without the other.
class StatementGaps {
public:
  StatementGaps(clang::Sema &S, const clang::FunctionDecl &Kernel);

  /// \param Before   what may be executed last
  /// \param After    what is executed next; the first comes first
  /// \param Place    receives where to insert
  /// \param Text     receives what to insert: \p Statement, indented
  /// \returns false when the point is inside of a statement, in a macro or beside a jump.
  bool find(llvm::ArrayRef<gs_loc> Before, llvm::ArrayRef<gs_loc> After, llvm::StringRef Statement,
            clang::SourceLocation &Place, std::string &Text);

private:
  struct Range {
    clang::SourceLocation Begin, End; ///< of the first and the last token, in the file
  };
  /// A statement list in braces.
  struct List {
    const clang::CompoundStmt *Braces;
    clang::SourceLocation WhileLoc; ///< of the `while` whose body it is
    std::vector<Range> Items;
  };
  /// A jump out of a loop, switch or function, which may have code of its own to leave
  /// scopes, shared with what falls through.
  struct Jump {
    clang::SourceLocation Loc;
    Range Leaves; ///< the loop or switch; invalid: the function
  };
  struct Gap {
    const List *In = nullptr;
    size_t Index = 0; ///< before this item; the number of items: before the brace
  };

  void read(const clang::Stmt *Statement, Range Loop, Range Breakable);
  void readList(const clang::CompoundStmt &Braces, Range Loop, Range Breakable,
                clang::SourceLocation WhileLoc);
  void readBody(const clang::Stmt *Body, Range Loop, Range Breakable,
                clang::SourceLocation WhileLoc = {});
  void readJump(clang::SourceLocation Loc, Range Leaves);
  Range rangeOf(const clang::Stmt &Statement) const;
  bool contains(const Range &R, clang::SourceLocation Loc) const;
  int indexOf(const List &L, clang::SourceLocation Loc) const;
  Gap innermost(clang::SourceLocation Loc) const;
  Gap choose(llvm::ArrayRef<clang::SourceLocation> Before,
             llvm::ArrayRef<clang::SourceLocation> After) const;
  bool isAt(const Gap &G, llvm::ArrayRef<clang::SourceLocation> Before,
            llvm::ArrayRef<clang::SourceLocation> After) const;
  bool render(const Gap &G, llvm::StringRef Statement, clang::SourceLocation &Place,
              std::string &Text) const;
  bool indentation(clang::SourceLocation Loc, llvm::StringRef &Indent) const;

  clang::SourceManager &SM;
  const clang::LangOptions &Lang;
  const clang::FunctionDecl &Kernel;
  SourceMap Places;
  bool Read = false, HasLabels = false;
  std::vector<List> Lists; ///< outer ones first
  std::vector<Jump> Jumps;
};

} // namespace gpusafe
#endif
