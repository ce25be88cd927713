// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "AttributeText.h"
#include "Report.h"
#include "gs_contract.h"

#include "clang/AST/Expr.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringExtras.h"

#include <array>

using namespace clang;
using namespace gpusafe;

SourceLocation gpusafe::withoutOwnMacros(SourceLocation Loc, const SourceManager &SM,
                                         const LangOptions &LangOpts) {
  // A token of a macro argument is one level away from the body that used it;
  // both kinds of level are left as long as the macro is one of ours.
  while (Loc.isMacroID() && Lexer::getImmediateMacroName(Loc, SM, LangOpts).starts_with("GS_"))
    Loc = SM.getImmediateMacroCallerLoc(Loc);
  return Loc;
}

/// \returns the offset in \p Source of what became character \p Column of \p Text,
/// which is \p Source with its blanks normalised; nothing if they differ before.
static std::optional<unsigned> align(StringRef Source, StringRef Text, unsigned Column) {
  size_t At = 0;
  for (unsigned I = 0; I <= Column; I++) {
    if (I < Text.size() && llvm::isSpace(Text[I]))
      continue;
    while (At < Source.size() && llvm::isSpace(Source[At]))
      At++;
    if (I == Column)
      break;
    if (I >= Text.size() || At >= Source.size() || Source[At] != Text[I])
      return std::nullopt;
    At++;
  }
  if (Column < Text.size() && (At >= Source.size() || Source[At] != Text[Column]))
    return std::nullopt;
  return unsigned(At);
}

/// What stands between the parenthesis that begins \p Source and its partner.
static StringRef argumentsOf(StringRef Source) {
  unsigned Depth = 0;
  for (size_t I = 0; I < Source.size(); I++) {
    if (Source[I] == '(')
      Depth++;
    if (Source[I] == ')' && --Depth == 0)
      return Source.slice(1, I);
  }
  return Source.drop_front();
}

static std::vector<std::array<size_t, 2>> spansOf(StringRef Text) {
  std::vector<std::array<size_t, 2>> Spans(gs_clause_split(Text.data(), Text.size(), nullptr, 0));
  static_assert(sizeof(Spans[0]) == sizeof(size_t[2]), "an array of pairs");
  gs_clause_split(Text.data(), Text.size(), reinterpret_cast<size_t(*)[2]>(Spans.data()),
                  Spans.size());
  return Spans;
}

namespace {
/// An offset in the source, and whether it is the character that was asked for or
/// only the beginning of the clause around it.
struct SourceOffset {
  unsigned At;
  bool Exact;
};
} // namespace

/// Traces a character of the stringised \p Text back to the arguments it was made
/// from. Clauses are matched by number, so that a macro expanded in one of them
/// does not hide the others.
static std::optional<SourceOffset> trace(StringRef Source, StringRef Text, unsigned Column) {
  auto From = spansOf(Source), To = spansOf(Text);
  if (From.size() != To.size())
    return std::nullopt;
  size_t Part = 0;
  while (Part + 1 < To.size() && To[Part + 1][0] <= Column)
    Part++;
  if (Part >= To.size() || Column < To[Part][0])
    return std::nullopt;
  auto Inside = align(Source.slice(From[Part][0], From[Part][1]),
                      Text.slice(To[Part][0], To[Part][1]), Column - unsigned(To[Part][0]));
  return SourceOffset{unsigned(From[Part][0]) + Inside.value_or(0), Inside.has_value()};
}

/// The place of a character of a literal that `#` made.
/// \param Call where the macro of gpusafe.h is used that made it.
static std::optional<TextPlace> placeInStringised(const StringLiteral &Literal, unsigned Column,
                                                  SourceLocation Call, const SourceManager &SM) {
  auto [File, Offset] = SM.getDecomposedLoc(Call);
  StringRef Source = SM.getBufferData(File).substr(Offset);
  size_t Open = Source.find('(');
  if (Open == StringRef::npos)
    return std::nullopt;
  auto Found = trace(argumentsOf(Source.substr(Open)), Literal.getString(), Column);
  if (!Found)
    return std::nullopt;
  return TextPlace{Call.getLocWithOffset(int(Open + 1 + Found->At)), Found->Exact};
}

TextPlace gpusafe::placeInText(const ASTContext &Context, const WrittenAttr &Attr,
                               unsigned Column) {
  const SourceManager &SM = Context.getSourceManager();
  SourceLocation Fallback = withoutOwnMacros(Attr.Loc, SM, Context.getLangOpts());
  const auto &Pieces = attributeState(Context).Pieces;
  auto Found = Pieces.find(Attr.Loc.getRawEncoding());
  if (Found == Pieces.end() || Found->second.empty())
    return {Fallback, false};
  const TextPiece *Piece = Found->second.begin();
  for (const TextPiece &Next : Found->second)
    if (Next.Offset <= Column)
      Piece = &Next;
  unsigned Inside = Column - Piece->Offset;
  if (!Piece->Arg)
    return {Piece->Loc.getLocWithOffset(Piece->Loc.isFileID() ? int(Inside) : 0),
            Piece->Loc.isFileID()};
  const auto *Literal = cast<StringLiteral>(Piece->Arg);
  if (Inside > Literal->getLength())
    return {Fallback, false};
  if (Literal->getBeginLoc().isFileID())
    return {Literal->getLocationOfByte(Inside, SM, Context.getLangOpts(), Context.getTargetInfo()),
            true};
  if (Fallback.isFileID() && Attr.Loc.isMacroID())
    if (auto Place = placeInStringised(*Literal, Inside, Fallback, SM))
      return *Place;
  return {Fallback, false};
}

void gpusafe::reportInText(const ASTContext &Context, const WrittenAttr &Attr, unsigned Column,
                           StringRef Message) {
  TextPlace Place = placeInText(Context, Attr, Column);
  reportError(Context.getDiagnostics(), Place.Loc, Message);
  if (Place.Exact || Attr.Text.empty())
    return;
  StringRef Rest = Attr.Text.substr(Column);
  std::string Note = "in the text '" + Attr.Text.str() + "'";
  Note += Rest.empty() ? ", at its end" : ", at '" + Rest.str() + "'";
  reportNote(Context.getDiagnostics(), Place.Loc, Note);
}
