// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "AnnotationWriter.h"

#include "clang/AST/TypeLoc.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;
using namespace gpusafe;

/// The text in the names that a declaration gives the parameters. \returns nothing when it has
/// no name for one.
std::optional<std::string> AnnotationWriter::inWordsOf(const FunctionDecl &Declaration, StringRef Text) {
  std::string Out;
  for (size_t I = 0; I < Text.size();) {
    StringRef Word = Text.substr(I).take_while([](char C) { return llvm::isAlnum(C) || C == '_'; });
    if (Word.empty()) {
      Out += Text[I++];
      continue;
    }
    bool Member = I > 0 && Text[I - 1] == '.';
    StringRef Said = Word;
    for (unsigned P = 0; P < Names.size() && !Member; P++)
      if (Word == Names[P])
        Said = Declaration.getParamDecl(P)->getName();
    if (Said.empty())
      return std::nullopt;
    Out += Said;
    I += Word.size();
  }
  return Out;
}

bool AnnotationWriter::fail(const FunctionDecl &Declaration, const llvm::Twine &What) {
  unsigned Line = S.getSourceManager().getPresumedLineNumber(Declaration.getLocation());
  Problems.push_back(("line " + llvm::Twine(Line) + ": " + What).str());
  return false;
}

/// Behind the declarator: name, and brackets where it is an array or a pointer to one.
static SourceLocation behindDeclarator(const ParmVarDecl &Param, const SourceManager &SM,
                                       const LangOptions &Lang) {
  SourceLocation Name = Param.getLocation();
  if (Name.isInvalid() || Name.isMacroID())
    return {};
  bool Named = !Param.getName().empty(); // else the place is that of what follows
  SourceLocation End = Named ? Name : SourceLocation();
  if (const TypeSourceInfo *Type = Param.getTypeSourceInfo()) {
    SourceLocation Last = SM.getExpansionRange(Type->getTypeLoc().getEndLoc()).getEnd();
    if (Last.isValid() && SM.getFileID(Last) == SM.getFileID(Name) &&
        (!Named || SM.getFileOffset(Last) > SM.getFileOffset(Name)))
      End = Last;
  }
  return Lexer::getLocForEndOfToken(End, 0, SM, Lang);
}

void AnnotationWriter::writeParam(const FunctionDecl &Declaration, const PlannedAnnotation &One) {
  const SourceManager &SM = S.getSourceManager();
  const ParmVarDecl &Where = *Declaration.getParamDecl(unsigned(One.Param));
  std::string Name = Names[size_t(One.Param)];
  SourceLocation Place = behindDeclarator(Where, SM, S.getLangOpts());
  if (Place.isInvalid()) {
    Problems.push_back("'" + Name + "' comes out of a macro, " +
                       Lexer::getImmediateMacroName(Where.getLocation(), SM, S.getLangOpts()).str());
    return;
  }
  if (auto Said = inWordsOf(Declaration, One.Text))
    Insertions.push_back({Place, " " + One.Macro + "(" + *Said + ")"});
  else
    fail(Declaration, "it has no name for a parameter that the count of '" + Name + "' needs");
}

/// The line up to \p Loc.
static StringRef lineBefore(SourceLocation Loc, const SourceManager &SM) {
  StringRef Before = SM.getBufferData(SM.getFileID(Loc)).take_front(SM.getFileOffset(Loc));
  return Before.drop_front(Before.find_last_of("\r\n") + 1);
}

void AnnotationWriter::writeContract(const FunctionDecl &Declaration, const PlannedAnnotation &One) {
  const SourceManager &SM = S.getSourceManager();
  auto Said = inWordsOf(Declaration, One.Text);
  if (!Said) {
    fail(Declaration, "it has no name for a parameter that the contract needs");
    return;
  }
  // On a line of its own; behind `extern "C"`, where it may stand, the kernel follows on the next.
  SourceLocation Begin = SM.getExpansionLoc(Declaration.getBeginLoc());
  StringRef Before = lineBefore(Begin, SM);
  StringRef Indent = Before.take_while([](char C) { return C == ' ' || C == '\t'; });
  bool OwnLine = Indent == Before || Before.trim() == "extern \"C\"";
  Insertions.push_back({Begin, One.Macro + "(" + *Said + ")" + (OwnLine ? "\n" + Indent.str() : " ")});
}

void AnnotationWriter::write(const FunctionDecl &Declaration, llvm::ArrayRef<PlannedAnnotation> All) {
  const SourceManager &SM = S.getSourceManager();
  SourceLocation Name = Declaration.getLocation();
  if (Name.isInvalid() || SM.isInSystemHeader(Name))
    return;
  if (Declaration.getNumParams() != Names.size()) {
    fail(Declaration, "a parameter pack stands for several parameters");
    return;
  }
  if (Name.isMacroID() && SM.getExpansionLoc(Name) == SM.getExpansionLoc(Declaration.getBeginLoc())) {
    fail(Declaration, "the declaration comes out of a macro, " +
                          Lexer::getImmediateMacroName(Name, SM, S.getLangOpts()));
    return;
  }
  for (const PlannedAnnotation &One : All)
    if (One.Param < 0)
      writeContract(Declaration, One);
    else
      writeParam(Declaration, One);
}
