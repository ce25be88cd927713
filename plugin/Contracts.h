// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The meaning of an attribute's text: counts, scopes and clauses.
#ifndef GPUSAFE_PLUGIN_CONTRACTS_H
#define GPUSAFE_PLUGIN_CONTRACTS_H

#include "Attributes.h"
#include "gs.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <memory>
#include <vector>

namespace clang {
class Sema;
}

namespace gpusafe {

struct ClauseDeleter {
  void operator()(gs_clause *Clause) const { gs_clause_free(Clause); }
};
using ClausePtr = std::unique_ptr<gs_clause, ClauseDeleter>;

/// A clause and where it begins in the text of its attribute.
struct PlacedClause {
  ClausePtr Clause;
  unsigned Offset;
};

/// An attribute with its text understood.
struct ParsedContract {
  AttrKind Kind;
  int Param; ///< as in WrittenAttr
  ClausePtr Count;
  gs_scope Scope = GS_SCOPE_BLOCK;
  std::vector<PlacedClause> Clauses;
};

/// Receives an error: the character of the attribute's text and what is wrong.
using TextErrorSink = llvm::function_ref<void(unsigned Column, llvm::StringRef Message)>;

/// Parses the text of \p Attr.
/// \param Instance the function in the module whose values the names take; null
///        for a template that is only checked (see Lookup).
/// \returns false when something was reported to \p Errors.
bool parseContract(clang::Sema &S, const WrittenAttr &Attr, const clang::FunctionDecl *Instance,
                   TextErrorSink Errors, ParsedContract &Out);

/// True when both say the same of a parameter or kernel, whatever the names.
bool sameMeaning(const ParsedContract &A, const ParsedContract &B);
bool sameClause(const gs_clause *A, const gs_clause *B);

} // namespace gpusafe
#endif
