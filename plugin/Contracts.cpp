// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Contracts.h"
#include "Lookup.h"

#include "clang/Sema/Sema.h"

#include <optional>

using namespace clang;
using namespace gpusafe;

namespace {
/// A piece of the text between top-level commas.
struct Part {
  StringRef Text;
  unsigned Offset;
};
} // namespace

static std::vector<Part> partsOf(StringRef Text) {
  std::vector<Part> Parts;
  if (Text.trim().empty())
    return Parts;
  size_t Count = gs_clause_split(Text.data(), Text.size(), nullptr, 0);
  std::vector<size_t[2]> Spans(Count);
  gs_clause_split(Text.data(), Text.size(), Spans.data(), Count);
  for (const auto &Span : Spans)
    Parts.push_back({Text.slice(Span[0], Span[1]), unsigned(Span[0])});
  return Parts;
}

/// Reads `scope=block`. \returns nothing when the part is something else.
static std::optional<StringRef> scopeName(StringRef Text) {
  if (!Text.consume_front("scope"))
    return std::nullopt;
  Text = Text.ltrim();
  if (!Text.consume_front("=") || Text.starts_with("="))
    return std::nullopt;
  return Text.trim();
}

static bool parseScope(const Part &P, StringRef Name, TextErrorSink Errors, gs_scope &Out) {
  static const std::pair<StringRef, gs_scope> Scopes[] = {{"warp", GS_SCOPE_WARP},
                                                          {"block", GS_SCOPE_BLOCK},
                                                          {"cluster", GS_SCOPE_CLUSTER},
                                                          {"grid", GS_SCOPE_GRID}};
  for (const auto &[Known, Scope] : Scopes)
    if (Name == Known) {
      Out = Scope;
      return true;
    }
  std::string Message = "no scope '" + Name.str() + "'; there are warp, block, cluster and grid";
  Errors(P.Offset + unsigned(Name.data() - P.Text.data()), Message);
  return false;
}

static bool parseClause(Lookup &Names, const Part &P, TextErrorSink Errors, ClausePtr &Out) {
  gs_parse_error Error = {};
  gs_clause *Clause = nullptr;
  gs_status Status =
      gs_clause_parse(P.Text.data(), P.Text.size(), Lookup::resolve, &Names, &Clause, &Error);
  Out.reset(Clause);
  if (Status == GS_OK)
    return true;
  Errors(P.Offset + Error.column,
         Error.message[0] ? Error.message : "this clause is too large to be read");
  return false;
}

bool gpusafe::parseContract(Sema &S, const WrittenAttr &Attr, const FunctionDecl *Instance,
                            TextErrorSink Errors, ParsedContract &Out) {
  Out.Kind = Attr.Kind;
  Out.Param = Attr.Param;
  if (Attr.Kind == AttrKind::TRUSTED)
    return true;
  Lookup Names(S, Attr, Instance);
  bool Good = true;
  for (const Part &P : partsOf(Attr.Text)) {
    ClausePtr Clause;
    auto Scope = Attr.Kind == AttrKind::EXCLUSIVE ? scopeName(P.Text) : std::nullopt;
    if (Scope) {
      Good &= parseScope(P, *Scope, Errors, Out.Scope);
    } else if (!parseClause(Names, P, Errors, Clause)) {
      Good = false;
    } else if (Attr.Kind == AttrKind::LAUNCH_CONTRACT) {
      Out.Clauses.push_back({std::move(Clause), P.Offset});
    } else if (Out.Count) {
      Errors(P.Offset, "a second count; write " + attrRow(Attr.Kind).Form.str());
      Good = false;
    } else {
      Out.Count = std::move(Clause);
    }
  }
  return Good;
}

// --------------------------------------------------------------- comparison ----

static bool sameName(const gs_name &A, const gs_name &B) {
  return A.kind == B.kind && A.axis == B.axis && A.param == B.param && A.offset == B.offset &&
         A.value == B.value;
}

bool gpusafe::sameClause(const gs_clause *A, const gs_clause *B) {
  if (!A || !B)
    return A == B;
  if (A->count != B->count)
    return false;
  for (uint32_t I = 0; I < A->count; I++) {
    const gs_expr &X = A->nodes[I], &Y = B->nodes[I];
    if (X.op != Y.op || X.value != Y.value || !std::equal(X.args, std::end(X.args), Y.args))
      return false;
    if (X.op == GS_EXPR_NAME && !sameName(X.name, Y.name))
      return false;
  }
  return true;
}

bool gpusafe::sameMeaning(const ParsedContract &A, const ParsedContract &B) {
  if (A.Kind != B.Kind || A.Param != B.Param || A.Scope != B.Scope ||
      !sameClause(A.Count.get(), B.Count.get()) || A.Clauses.size() != B.Clauses.size())
    return false;
  for (size_t I = 0; I < A.Clauses.size(); I++)
    if (!sameClause(A.Clauses[I].Clause.get(), B.Clauses[I].Clause.get()))
      return false;
  return true;
}
