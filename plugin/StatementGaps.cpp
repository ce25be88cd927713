// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "StatementGaps.h"

#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Sema/Sema.h"

using namespace clang;
using namespace gpusafe;

StatementGaps::StatementGaps(Sema &S, const FunctionDecl &Kernel)
    : SM(S.getSourceManager()), Lang(S.getLangOpts()), Kernel(Kernel), Places(SM) {}

// --------------------------------------------------------------------- reading ----

StatementGaps::Range StatementGaps::rangeOf(const Stmt &Statement) const {
  return {SM.getExpansionLoc(Statement.getBeginLoc()),
          SM.getExpansionRange(Statement.getEndLoc()).getEnd()};
}

void StatementGaps::readJump(SourceLocation Loc, Range Leaves) {
  Jumps.push_back({SM.getExpansionLoc(Loc), Leaves});
}

SourceLocation StatementGaps::List::end() const {
  return Braces ? Braces->getRBracLoc() : Items.back().End;
}

void StatementGaps::readList(const CompoundStmt &Braces, Range Loop, Range Breakable,
                             Header Head) {
  if (Braces.getLBracLoc().isFileID() && Braces.getRBracLoc().isFileID()) {
    List L = {&Braces, Head, {}};
    for (const Stmt *Item : Braces.body())
      L.Items.push_back(rangeOf(*Item));
    Lists.push_back(std::move(L));
  }
  for (const Stmt *Item : Braces.body())
    read(Item, Loop, Breakable);
}

void StatementGaps::readBody(const Stmt *Body, Range Loop, Range Breakable, Header Head) {
  if (const auto *Braces = dyn_cast_or_null<CompoundStmt>(Body)) {
    readList(*Braces, Loop, Breakable, Head);
    return;
  }
  bool Plain = Body && !isa<NullStmt, DeclStmt, AttributedStmt>(Body) &&
               Body->getBeginLoc().isFileID() && Body->getEndLoc().isFileID();
  if (Plain && Head.RParen.isFileID())
    Lists.push_back({nullptr, Head, {rangeOf(*Body)}});
  read(Body, Loop, Breakable);
}

void StatementGaps::read(const Stmt *Statement, Range Loop, Range Breakable) {
  if (!Statement)
    return;
  Range Own = rangeOf(*Statement);
  if (const auto *Braces = dyn_cast<CompoundStmt>(Statement)) {
    readList(*Braces, Loop, Breakable, {});
  } else if (const auto *If = dyn_cast<IfStmt>(Statement)) {
    read(If->getThen(), Loop, Breakable);
    read(If->getElse(), Loop, Breakable);
  } else if (const auto *For = dyn_cast<ForStmt>(Statement)) {
    readBody(For->getBody(), Own, Own, {Own.Begin, For->getRParenLoc()});
  } else if (const auto *While = dyn_cast<WhileStmt>(Statement)) {
    readBody(While->getBody(), Own, Own, {Own.Begin, While->getRParenLoc()});
  } else if (const auto *Do = dyn_cast<DoStmt>(Statement)) {
    readBody(Do->getBody(), Own, Own, {});
  } else if (const auto *Range = dyn_cast<CXXForRangeStmt>(Statement)) {
    readBody(Range->getBody(), Own, Own, {{}, Range->getRParenLoc()});
  } else if (const auto *Switch = dyn_cast<SwitchStmt>(Statement)) {
    // The list itself is entered at its labels, so its gaps are no points of control.
    for (const Stmt *Item : Switch->getBody()->children())
      read(Item, Loop, Own);
  } else if (const auto *Case = dyn_cast<SwitchCase>(Statement)) {
    read(Case->getSubStmt(), Loop, Breakable);
  } else if (const auto *Marked = dyn_cast<AttributedStmt>(Statement)) {
    read(Marked->getSubStmt(), Loop, Breakable);
  } else if (isa<LabelStmt, GotoStmt, IndirectGotoStmt, AsmStmt>(Statement)) {
    const auto *Asm = dyn_cast<GCCAsmStmt>(Statement);
    HasLabels |= !isa<AsmStmt>(Statement) || (Asm && Asm->isAsmGoto());
  } else if (isa<ContinueStmt>(Statement)) {
    readJump(Own.Begin, Loop);
  } else if (isa<BreakStmt>(Statement)) {
    readJump(Own.Begin, Breakable);
  } else if (isa<ReturnStmt>(Statement)) {
    readJump(Own.Begin, {});
  }
}

// --------------------------------------------------------------------- finding ----

bool StatementGaps::contains(const Range &R, SourceLocation Loc) const {
  return !SM.isBeforeInTranslationUnit(Loc, R.Begin) && !SM.isBeforeInTranslationUnit(R.End, Loc);
}

int StatementGaps::indexOf(const List &L, SourceLocation Loc) const {
  for (size_t I = 0; I < L.Items.size(); I++)
    if (contains(L.Items[I], Loc))
      return int(I);
  return -1;
}

/// The gap before the innermost item that holds \p Loc.
StatementGaps::Gap StatementGaps::innermost(SourceLocation Loc) const {
  for (auto L = Lists.rbegin(); L != Lists.rend(); ++L) {
    int Index = indexOf(*L, Loc);
    if (Index >= 0)
      return {&*L, size_t(Index)};
  }
  return {};
}

/// Is all that is executed before the point ahead of the gap, and all that follows
/// behind it?
bool StatementGaps::isAt(const Gap &G, llvm::ArrayRef<SourceLocation> Before,
                         llvm::ArrayRef<SourceLocation> After) const {
  SourceLocation End = G.In->end();
  for (SourceLocation Loc : Before) {
    int Index = indexOf(*G.In, Loc);
    if (Index >= 0 && size_t(Index) >= G.Index)
      return false;
    for (const Jump &J : Jumps)
      if (J.Loc == Loc && (J.Leaves.Begin.isInvalid() || contains(J.Leaves, End)))
        return false;
  }
  return llvm::none_of(After, [&](SourceLocation Loc) {
    int Index = indexOf(*G.In, Loc);
    return Index >= 0 && size_t(Index) < G.Index;
  });
}

StatementGaps::Gap StatementGaps::choose(llvm::ArrayRef<SourceLocation> Before,
                                         llvm::ArrayRef<SourceLocation> After) const {
  Gap Found;
  for (const List &L : Lists)
    if (L.Braces && L.Braces->getRBracLoc() == After.front()) { // the end of a scope
      Found = {&L, L.Items.size()};
      // What a loop with this body leads to has the same place; what is executed before
      // that is the loop's condition, which for a `do` is behind the brace.
      return llvm::all_of(Before, [&](SourceLocation Loc) { return indexOf(L, Loc) >= 0; })
                 ? Found
                 : Gap();
    }
  // From the end of its body a `while` goes back to where it begins, and so does a `for`
  // whose body has no brace to stop at.
  for (const List &L : Lists)
    if (L.Loop.Back.isValid() && L.Loop.Back == After.front() && !Before.empty() &&
        llvm::all_of(Before, [&](SourceLocation Loc) { return indexOf(L, Loc) >= 0; }))
      return {&L, L.Items.size()};
  Gap Inner = innermost(After.front());
  // Without braces the place behind the loop is the end of its body.
  bool Behind = Inner.In && !Inner.In->Braces && Inner.In->Items.front().End == After.front();
  return Behind ? Gap() : Inner;
}

// ------------------------------------------------------------------- rendering ----

/// What stands ahead of \p Loc on its line. \returns false unless that is blank.
bool StatementGaps::indentation(SourceLocation Loc, StringRef &Indent) const {
  auto [File, Offset] = SM.getDecomposedLoc(Loc);
  StringRef Buffer = SM.getBufferData(File);
  size_t Start = Buffer.substr(0, Offset).rfind('\n');
  Start = Start == StringRef::npos ? 0 : Start + 1;
  StringRef Ahead = Buffer.slice(Start, Offset);
  Indent = Ahead.take_while([](char C) { return C == ' ' || C == '\t'; });
  return Indent.size() == Ahead.size();
}

static bool isPragma(const Stmt &Statement) {
  const auto *Marked = dyn_cast<AttributedStmt>(&Statement);
  return Marked && llvm::any_of(Marked->getAttrs(), [](const Attr *A) {
           return A->getSyntax() == AttributeCommonInfo::AS_Pragma;
         });
}

/// Puts the one statement of a loop and \p Statement into braces.
bool StatementGaps::brace(const Gap &G, StringRef Statement, Insertion &Out) const {
  const Range &Body = G.In->Items.front();
  SourceLocation End = Lexer::getLocForEndOfToken(Body.End, 0, SM, Lang);
  if (std::optional<Token> Next = Lexer::findNextToken(Body.End, SM, Lang); Next && Next->is(tok::semi))
    End = Next->getEndLoc();
  SourceLocation Place = Lexer::getLocForEndOfToken(G.In->Loop.RParen, 0, SM, Lang);
  if (Place.isInvalid() || End.isInvalid() || SM.getFileID(Place) != SM.getFileID(End) ||
      SM.getFileOffset(Place) > SM.getFileOffset(Body.Begin))
    return false;
  Out.Place = Place;
  Out.Remove = SM.getFileOffset(End) - SM.getFileOffset(Place);
  Out.Stands = G.Index ? End : Body.Begin;
  StringRef Old(SM.getCharacterData(Place), Out.Remove), Outer, Inner;
  size_t Ahead = SM.getFileOffset(Body.Begin) - SM.getFileOffset(Place);
  indentation(G.In->Loop.Back.isValid() ? G.In->Loop.Back : Place, Outer);
  bool OwnLine = indentation(Body.Begin, Inner);
  std::string Gap = OwnLine ? "\n" + Inner.str() : " ", Last = OwnLine ? "\n" + Outer.str() : " ";
  Out.Text = " {" + Old.take_front(Ahead).str() + (Ahead ? "" : " ");
  Out.Text += G.Index ? Old.drop_front(Ahead).str() + Gap + Statement.str()
                  : Statement.str() + Gap + Old.drop_front(Ahead).str();
  Out.Text += Last + "}";
  return true;
}

bool StatementGaps::render(const Gap &G, StringRef Statement, Insertion &Out) const {
  SourceLocation &Place = Out.Place;
  std::string &Text = Out.Text;
  const CompoundStmt &Braces = *G.In->Braces;
  StringRef Indent, Inner;
  if (G.Index < Braces.size()) {
    const Stmt &Next = **(Braces.body_begin() + G.Index);
    Place = Next.getBeginLoc();
    if (Place.isMacroID() || isa<SwitchCase>(Next))
      return false;
    if (!isPragma(Next)) {
      Text = Statement.str() + (indentation(Place, Indent) ? "\n" + Indent.str() : " ");
      return true;
    }
    // A pragma has its line for itself, and the loop stands behind it.
    SourceLocation Loop = cast<AttributedStmt>(Next).getSubStmt()->getBeginLoc();
    Place = Place.getLocWithOffset(1 - int(SM.getSpellingColumnNumber(Place)));
    if (Loop.isMacroID() || !indentation(Loop, Indent) ||
        !StringRef(SM.getCharacterData(Place)).ltrim(" \t").starts_with("#"))
      return false;
    Text = Indent.str() + Statement.str() + "\n";
    return true;
  }
  Place = Braces.getRBracLoc();
  bool Alone = indentation(Place, Indent);
  if (!Alone) {
    Text = Statement.str() + " ";
    return true;
  }
  std::string Step = "  ";
  if (!Braces.body_empty() && Braces.body_back()->getBeginLoc().isFileID() &&
      indentation(Braces.body_back()->getBeginLoc(), Inner) && Inner.starts_with(Indent) &&
      Inner.size() > Indent.size())
    Step = Inner.drop_front(Indent.size()).str();
  Text = Step + Statement.str() + "\n" + Indent.str();
  return true;
}

bool StatementGaps::find(llvm::ArrayRef<gs_loc> Before, llvm::ArrayRef<gs_loc> After,
                         StringRef Statement, Insertion &Out) {
  if (!Read) {
    Read = true;
    readBody(Kernel.getBody(), {}, {}, {});
  }
  if (HasLabels || After.empty())
    return false;
  std::vector<SourceLocation> Ahead, Behind;
  for (const gs_loc &Loc : Before)
    Ahead.push_back(Places.find(Loc));
  for (const gs_loc &Loc : After)
    Behind.push_back(Places.find(Loc));
  auto Unknown = [](SourceLocation Loc) { return Loc.isInvalid(); };
  if (llvm::any_of(Ahead, Unknown) || llvm::any_of(Behind, Unknown))
    return false;
  Gap G = choose(Ahead, Behind);
  if (!G.In || !isAt(G, Ahead, Behind))
    return false;
  return G.In->Braces ? render(G, Statement, Out) : brace(G, Statement, Out);
}
