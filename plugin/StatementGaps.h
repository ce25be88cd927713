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

/// A change of the source that puts a statement somewhere.
struct Insertion {
  clang::SourceLocation Place;
  unsigned Remove = 0; ///< characters from Place on that Text replaces
  std::string Text;
  clang::SourceLocation Stands; ///< where the statement is then, when that is not Place
};

/// The statements of one kernel, and the gaps between them. The core names a point of
/// the control flow by what is executed just before and after it; a gap is that point
/// only where control cannot come to one without the other.
class StatementGaps {
public:
  StatementGaps(clang::Sema &S, const clang::FunctionDecl &Kernel);

  /// \param Before   what may be executed last
  /// \param After    what is executed next; the first comes first
  /// \param Out      receives how to insert \p Statement, indented; a body without braces
  ///                 gets some
  /// \returns false when the point is inside of a statement, in a macro or beside a jump.
  bool find(llvm::ArrayRef<gs_loc> Before, llvm::ArrayRef<gs_loc> After, llvm::StringRef Statement,
            Insertion &Out);

private:
  struct Range {
    clang::SourceLocation Begin, End; ///< of the first and the last token, in the file
  };
  /// The loop whose body a statement list is.
  struct Header {
    clang::SourceLocation Back;   ///< of the `for` or `while` to which control goes back
    clang::SourceLocation RParen; ///< ahead of the body
  };
  /// A statement list in braces, or the one statement of a loop without braces.
  struct List {
    const clang::CompoundStmt *Braces; ///< nullptr: there are none
    Header Loop;
    std::vector<Range> Items;
    clang::SourceLocation end() const; ///< a location in the list, its last
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
  void readList(const clang::CompoundStmt &Braces, Range Loop, Range Breakable, Header Head);
  void readBody(const clang::Stmt *Body, Range Loop, Range Breakable, Header Head);
  void readJump(clang::SourceLocation Loc, Range Leaves);
  Range rangeOf(const clang::Stmt &Statement) const;
  bool contains(const Range &R, clang::SourceLocation Loc) const;
  int indexOf(const List &L, clang::SourceLocation Loc) const;
  Gap innermost(clang::SourceLocation Loc) const;
  Gap choose(llvm::ArrayRef<clang::SourceLocation> Before,
             llvm::ArrayRef<clang::SourceLocation> After) const;
  bool isAt(const Gap &G, llvm::ArrayRef<clang::SourceLocation> Before,
            llvm::ArrayRef<clang::SourceLocation> After) const;
  bool render(const Gap &G, llvm::StringRef Statement, Insertion &Out) const;
  bool brace(const Gap &G, llvm::StringRef Statement, Insertion &Out) const;
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
