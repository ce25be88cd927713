// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DeclCheck.h"

#include "Attributes.h"
#include "Report.h"

#include "clang/Basic/IdentifierTable.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"

using namespace clang;
using namespace gpusafe;

static const StringRef KnownNames[] = {
#define GS_ATTRIBUTE(enumerator, name, least, most, places, form) name,
#include "attributes.def"
#undef GS_ATTRIBUTE
};

/// GNU attributes may be written with two underscores on both sides.
static StringRef plainName(StringRef Name) {
  if (Name.size() > 4 && Name.starts_with("__") && Name.ends_with("__"))
    Name = Name.drop_front(2).drop_back(2);
  return Name;
}

static bool isOurs(StringRef Name) { return plainName(Name).starts_with("gpusafe_"); }

static bool isKnown(StringRef Name) {
  Name = plainName(Name);
  Name.consume_front("gpusafe_");
  return llvm::is_contained(KnownNames, Name);
}

static StringRef closest(StringRef Name) {
  Name = plainName(Name);
  Name.consume_front("gpusafe_");
  StringRef Best = KnownNames[0];
  for (StringRef Known : KnownNames)
    if (Name.edit_distance(Known) < Name.edit_distance(Best))
      Best = Known;
  return Best;
}

namespace {
class Recorder : public PPCallbacks {
public:
  explicit Recorder(std::shared_ptr<SkippedRanges> Out) : Out(std::move(Out)) {}
  void SourceRangeSkipped(SourceRange Range, SourceLocation) override { Out->push_back(Range); }

private:
  std::shared_ptr<SkippedRanges> Out;
};
} // namespace

// ------------------------------------------------------------------- macros ----

namespace {
/// Sees every token on its way to the parser, and among them GS_EXTEND(…): a macro of
/// gpusafe.h that is none. The parser could only say that it expected something else, many
/// times; so this is told first, and is the last word.
class MacroWatcher {
public:
  explicit MacroWatcher(Preprocessor &PP) : PP(PP) {}
  void operator()(const Token &Tok) {
    const IdentifierInfo *Name = Tok.isAnyIdentifier() ? Tok.getIdentifierInfo() : nullptr;
    if (Name && Name->getName().starts_with("GS_") && !Name->hasMacroDefinition())
      check(Tok, *Name);
  }

private:
  void check(const Token &Tok, const IdentifierInfo &Suspect);

  Preprocessor &PP;
};
} // namespace

void MacroWatcher::check(const Token &Tok, const IdentifierInfo &Suspect) {
  StringRef Name = Suspect.getName().drop_front(3);
  std::string Best;
  unsigned Least = 3;
  for (StringRef Known : KnownNames) {
    unsigned Distance = Name.edit_distance(Known.upper(), true, Least);
    if (Distance < Least) {
      Least = Distance;
      Best = Known.upper();
    }
  }
  // What has been declared is the program's own, and without gpusafe.h everything is.
  if (Best.empty() || Suspect.getFETokenInfo() || !PP.isMacroDefined("GPUSAFE_H"))
    return;
  // The parser does not wait for what follows.
  auto Next = Lexer::findNextToken(Tok.getLocation(), PP.getSourceManager(), PP.getLangOpts());
  if (!Next || !Next->is(tok::l_paren))
    return;
  unsigned ID = PP.getDiagnostics().getCustomDiagID(
      DiagnosticsEngine::Fatal, "unknown annotation '%0'; did you mean 'GS_%1'? [gpusafe-contract]");
  PP.Diag(Tok.getLocation(), ID) << Suspect.getName() << Best;
}

void gpusafe::watchMacros(Preprocessor &PP) { PP.setTokenWatcher(MacroWatcher(PP)); }

std::shared_ptr<const SkippedRanges> gpusafe::recordSkipped(Preprocessor &PP) {
  auto Ranges = std::make_shared<SkippedRanges>();
  PP.addPPCallbacks(std::make_unique<Recorder>(Ranges));
  return Ranges;
}

namespace {
/// Reads the tokens of a file again to find where an attribute is written.
class Scanner {
public:
  Scanner(Sema &S, FileID File, const SkippedRanges &Skipped)
      : S(S), SM(S.getSourceManager()), Skipped(Skipped),
        Lex(File, SM.getBufferOrFake(File), SM, S.getLangOpts()) {}
  void run();

private:
  void look(const Token &Name);
  void report(const Token &At, StringRef Name, const llvm::Twine &Instead);

  Sema &S;
  SourceManager &SM;
  const SkippedRanges &Skipped;
  Lexer Lex;
  unsigned InGNU = 0;       ///< parentheses open since __attribute__; 0 = outside
  bool InBrackets = false;  ///< between [[ and ]]
  bool AfterScope = false;  ///< behind `gpusafe ::`
  bool InDirective = false; ///< in a line that begins with #
};
} // namespace

void Scanner::report(const Token &At, StringRef Name, const llvm::Twine &Instead) {
  SourceLocation Loc = At.getLocation();
  for (SourceRange Range : Skipped)
    if (Range.getBegin() <= Loc && Loc <= Range.getEnd())
      return;
  reportError(S.Diags, Loc,
              ("unknown attribute '" + Name + "'; did you mean '" + Instead + "'?").str());
}

void Scanner::look(const Token &Name) {
  StringRef Text = Name.getRawIdentifier();
  // In a directive the name may be a macro's parameter.
  if (AfterScope && InBrackets && !InDirective && !isKnown(Text))
    report(Name, ("gpusafe::" + Text).str(), "gpusafe::" + closest(Text));
  if (InGNU == 2 && isOurs(Text) && !isKnown(Text))
    report(Name, Text, "gpusafe_" + closest(Text));
}

void Scanner::run() {
  Token T, Before, Earlier;
  Before.startToken();
  Earlier.startToken();
  for (Lex.LexFromRawLexer(T); T.isNot(tok::eof); Lex.LexFromRawLexer(T)) {
    if (T.isAtStartOfLine())
      InDirective = T.is(tok::hash);
    if (T.is(tok::raw_identifier)) {
      AfterScope = Before.is(tok::coloncolon) && Earlier.is(tok::raw_identifier) &&
                   Earlier.getRawIdentifier() == "gpusafe";
      look(T);
    }
    bool Attribute =
        Before.is(tok::raw_identifier) && (Before.getRawIdentifier() == "__attribute__" ||
                                           Before.getRawIdentifier() == "__attribute");
    if (T.is(tok::l_paren) && (InGNU > 0 || Attribute))
      InGNU++;
    if (T.is(tok::r_paren) && InGNU > 0)
      InGNU--;
    if (T.is(tok::l_square) && Before.is(tok::l_square))
      InBrackets = true;
    if (T.is(tok::r_square) && Before.is(tok::r_square))
      InBrackets = false;
    Earlier = Before;
    Before = T;
  }
}

/// True when the preprocessor met a name that makes a second look worth while.
/// The scoped form says nothing: there the attribute's name is any word.
static bool isSuspicious(Preprocessor &PP) {
  for (const auto &Entry : PP.getIdentifierTable()) {
    StringRef Name = Entry.getKey();
    if (Name == "gpusafe" || (isOurs(Name) && !isKnown(Name)))
      return true;
  }
  return false;
}

void gpusafe::checkMisspelt(Sema &S, const SkippedRanges &Skipped) {
  if (!isSuspicious(S.getPreprocessor()))
    return;
  SourceManager &SM = S.getSourceManager();
  for (unsigned I = 0; I < SM.local_sloc_entry_size(); I++) {
    const SrcMgr::SLocEntry &Entry = SM.getLocalSLocEntry(I);
    if (!Entry.isFile() || SrcMgr::isSystem(Entry.getFile().getFileCharacteristic()))
      continue;
    FileID File = SM.getFileID(SourceLocation::getFromRawEncoding(Entry.getOffset()));
    auto Buffer = SM.getBufferOrNone(File);
    if (Buffer && Buffer->getBuffer().contains("gpusafe"))
      Scanner(S, File, Skipped).run();
  }
}
