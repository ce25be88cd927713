// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Attributes.h"
#include "AttributeText.h"
#include "Compat.h"
#include "Report.h"

#include "gs.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Lex/Lexer.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/DenseSet.h"

#include <map>
#include <mutex>

using namespace clang;
using namespace gpusafe;

static const AttrRow Rows[] = {
#define GS_ATTRIBUTE(enumerator, name, least, most, places, form) {name, least, most, places, form},
#include "attributes.def"
#undef GS_ATTRIBUTE
};

const AttrRow &gpusafe::attrRow(AttrKind Kind) { return Rows[unsigned(Kind)]; }

bool gpusafe::hasKernels(const ASTContext &Context) {
  return Context.getLangOpts().CUDA || Context.getTargetInfo().getTriple().isNVPTX();
}

bool gpusafe::isKernel(const FunctionDecl &Function) {
  return Function.hasAttr<CUDAGlobalAttr>() || isPlainKernel(Function);
}

// ------------------------------------------------------------------- state ----

namespace {
struct AllStates {
  std::mutex Lock; // clang may build modules on other threads
  std::map<const ASTContext *, AttributeState> ByContext;
};
} // namespace

static AllStates &allStates() {
  static AllStates States;
  return States;
}

AttributeState &gpusafe::attributeState(const ASTContext &Context) {
  std::lock_guard<std::mutex> Guard(allStates().Lock);
  return allStates().ByContext[&Context];
}

void gpusafe::dropAttributeState(const ASTContext &Context) {
  std::lock_guard<std::mutex> Guard(allStates().Lock);
  allStates().ByContext.erase(&Context);
}

// --------------------------------------------------------------- kept text ----

static constexpr char Prefix[] = "gpusafe.";

static std::string encode(AttrKind Kind, StringRef Text) {
  return (Prefix + attrRow(Kind).Name + ":" + Text).str();
}

static bool decode(StringRef Kept, WrittenAttr &Out) {
  if (!Kept.consume_front(Prefix))
    return false;
  for (unsigned I = 0; I < std::size(Rows); I++) {
    StringRef Rest = Kept;
    if (!Rest.consume_front(Rows[I].Name) || !Rest.consume_front(":"))
      continue;
    Out.Kind = AttrKind(I);
    Out.Text = Rest;
    return true;
  }
  return false;
}

static void collect(const Decl &D, const FunctionDecl &On, int Param,
                    llvm::SmallVectorImpl<WrittenAttr> &Out) {
  for (const auto *A : D.specific_attrs<SwiftAttrAttr>()) {
    WrittenAttr W{AttrKind::DISJOINT, &On, Param, {}, A->getLocation()};
    if (!A->isInherited() && decode(A->getAttribute(), W))
      Out.push_back(W);
  }
}

static llvm::SmallVector<WrittenAttr, 4> allOn(const FunctionDecl &Function) {
  llvm::SmallVector<WrittenAttr, 4> Out;
  if (Function.hasAttrs())
    collect(Function, Function, -1, Out);
  for (unsigned I = 0; I < Function.getNumParams(); I++)
    if (Function.getParamDecl(I)->hasAttrs())
      collect(*Function.getParamDecl(I), Function, int(I), Out);
  return Out;
}

/// What \p Function was instantiated from or specialises, if anything.
static const FunctionDecl *templateOf(const FunctionDecl &Function) {
  if (const FunctionTemplateDecl *Template = Function.getPrimaryTemplate())
    return Template->getTemplatedDecl();
  return Function.getInstantiatedFromMemberFunction();
}

llvm::SmallVector<WrittenAttr, 4> gpusafe::writtenOn(const FunctionDecl &Function) {
  auto Out = allOn(Function);
  const FunctionDecl *From = Out.empty() ? nullptr : templateOf(Function);
  if (!From)
    return Out;
  // An instance has copies of its template's attributes, not marked as inherited,
  // and an explicit specialisation has an instance as its first declaration.
  llvm::DenseSet<SourceLocation> Copied;
  for (const FunctionDecl *Redecl : From->redecls())
    for (const WrittenAttr &Attr : allOn(*Redecl))
      Copied.insert(Attr.Loc);
  llvm::erase_if(Out, [&](const WrittenAttr &Attr) { return Copied.contains(Attr.Loc); });
  return Out;
}

TrustText gpusafe::splitTrust(StringRef Text) {
  auto [Rule, Reason] = Text.split(", ");
  return {Rule, Reason};
}

std::optional<TrustText> gpusafe::trustOf(const Attr &A) {
  const auto *Kept = dyn_cast<SwiftAttrAttr>(&A);
  WrittenAttr W{AttrKind::DISJOINT, nullptr, -1, {}, {}};
  if (!Kept || !decode(Kept->getAttribute(), W) || W.Kind != AttrKind::TRUSTED)
    return std::nullopt;
  return splitTrust(W.Text);
}

// ------------------------------------------------------------------ parsing ----

namespace {
/// One attribute being applied: its text and where that came from.
struct Application {
  Sema &S;
  const ParsedAttr &Attr;
  AttrKind Kind;
  std::string Text;
  llvm::SmallVector<TextPiece, 2> Pieces;

  const AttrRow &row() const { return attrRow(Kind); }
  SourceLocation loc() const {
    return withoutOwnMacros(Attr.getLoc(), S.getSourceManager(), S.getLangOpts());
  }
  bool fail(SourceLocation Loc, const llvm::Twine &Message) const {
    reportError(S.Diags, Loc, Message.str());
    return false;
  }
  bool fail(const llvm::Twine &Message) const { return fail(loc(), Message); }

  bool checkScoped();
  bool takeArguments();
  bool checkCount();
  bool checkTrust();
  SwiftAttrAttr *make() const;
  SwiftAttrAttr *apply() {
    bool Good = checkScoped() && takeArguments() && checkCount() && checkTrust();
    return Good ? make() : nullptr;
  }

private:
  bool takeArgument(const ArgsUnion &Arg);
};
} // namespace

/// Clang 22 drops the arguments of a scoped attribute that a plugin defines.
/// They are still in the source behind the name, where the range then ends.
bool Application::checkScoped() {
  if (!Attr.isStandardAttributeSyntax())
    return true;
  const SourceManager &SM = S.getSourceManager();
  auto Next =
      Lexer::findNextToken(SM.getSpellingLoc(Attr.getRange().getEnd()), SM, S.getLangOpts());
  if (!Next || Next->isNot(tok::l_paren))
    return true;
  return fail("clang drops the arguments of '[[gpusafe::" + row().Name + "(...)]]'; write " +
              row().Form + " or __attribute__((gpusafe_" + row().Name + "(\"...\")))");
}

bool Application::takeArgument(const ArgsUnion &Arg) {
  if (!Pieces.empty())
    Text += ", ";
  unsigned Offset = unsigned(Text.size());
  if (auto *Ident = dyn_cast<IdentifierLoc *>(Arg)) {
    Text += identifierOf(*Ident)->getName();
    Pieces.push_back({Offset, nullptr, locationOf(*Ident)});
    return true;
  }
  const Expr *E = cast<Expr *>(Arg)->IgnoreParenImpCasts();
  if (const auto *Literal = dyn_cast<StringLiteral>(E)) {
    if (Literal->getCharByteWidth() != 1)
      return fail(E->getBeginLoc(), "'" + row().Name + "' takes an ordinary string literal");
    Text += Literal->getString();
    Pieces.push_back({Offset, Literal, Literal->getBeginLoc()});
    return true;
  }
  CharSourceRange Range = CharSourceRange::getTokenRange(E->getSourceRange());
  StringRef Source = Lexer::getSourceText(Range, S.getSourceManager(), S.getLangOpts());
  if (Source.empty() || E->getBeginLoc().isMacroID())
    return fail(E->getExprLoc(), "cannot read this argument of '" + row().Name + "'; write " +
                                     row().Form + ", or the argument as a string literal");
  Text += Source;
  Pieces.push_back({Offset, nullptr, E->getBeginLoc()});
  return true;
}

bool Application::takeArguments() {
  for (unsigned I = 0; I < Attr.getNumArgs(); I++)
    if (!takeArgument(Attr.getArg(I)))
      return false;
  return true;
}

bool Application::checkCount() {
  // The reason of a trust is prose: its commas do not separate arguments.
  size_t Count = Kind == AttrKind::TRUSTED ? Attr.getNumArgs()
                                           : gs_clause_split(Text.data(), Text.size(), nullptr, 0);
  if (StringRef(Text).trim().empty())
    Count = 0;
  if (Count >= row().Least && (row().Most == 0 || Count <= row().Most))
    return true;
  std::string Wanted;
  if (row().Least == row().Most)
    Wanted = std::to_string(row().Least);
  else
    Wanted = row().Most == 0 ? "at least " + std::to_string(row().Least)
                             : "at most " + std::to_string(row().Most);
  bool One = row().Most == 1 || (row().Most == 0 && row().Least == 1);
  return fail("'" + row().Name + "' takes " + Wanted + (One ? " argument" : " arguments") +
              ", not " + llvm::Twine(Count) + "; write " + row().Form);
}

bool Application::checkTrust() {
  if (Kind != AttrKind::TRUSTED)
    return true;
  // "data-race" has lost its blanks if it came through the preprocessor as
  // tokens; a rule has none, so those that the user typed go as well.
  TrustText Trust = splitTrust(Text);
  std::string Rule;
  for (char C : Trust.Rule)
    if (!llvm::isSpace(C))
      Rule += C;
  std::string Reason = Trust.Reason.trim().str();
  if (Reason.empty())
    return fail("a trust needs a reason: say why '" + Rule + "' holds here");
  gs_rule Known;
  if (!gs_rule_by_name(Rule.data(), Rule.size(), &Known)) {
    std::string Names;
    for (unsigned I = 0; I < GS_RULE_COUNT; I++)
      Names += (I ? ", " : "") + std::string(gs_rule_name(gs_rule(I)));
    return fail("no rule '" + Rule + "' to trust; there are " + Names);
  }
  Text = Rule + ", " + Reason;
  Pieces.clear();
  return true;
}

SwiftAttrAttr *Application::make() const {
  SourceRange Range(Attr.getLoc(), Attr.getRange().getEnd());
  return SwiftAttrAttr::Create(S.Context, encode(Kind, Text), Range);
}

// ----------------------------------------------------------------- handlers ----

static const char *describe(const Decl &D) {
  if (isa<ParmVarDecl>(D))
    return "a parameter";
  if (isa<FunctionDecl>(D))
    return "a function";
  if (isa<FieldDecl>(D))
    return "a field";
  if (isa<VarDecl>(D))
    return "a variable";
  if (isa<TypeDecl>(D))
    return "a type";
  return "this declaration";
}

static std::string placesOf(const AttrRow &Row) {
  if (Row.Places == GS_ON_PARAM)
    return "a pointer parameter of a kernel, behind its name";
  if (Row.Places == GS_ON_KERNEL)
    return "a kernel, before its declaration";
  return "a parameter of a kernel, a kernel or a statement";
}

static void applyToDecl(Sema &S, Decl *D, const ParsedAttr &Attr, AttrKind Kind) {
  Application A{S, Attr, Kind, {}, {}};
  bool IsParam = isa<ParmVarDecl>(D), IsFunction = isa<FunctionDecl>(D);
  unsigned Places = A.row().Places;
  if (!(IsParam && (Places & GS_ON_PARAM)) && !(IsFunction && (Places & GS_ON_KERNEL))) {
    A.fail("'" + A.row().Name + "' on " + describe(*D) + " means nothing; write " + A.row().Form +
           " on " + placesOf(A.row()));
    return;
  }
  SwiftAttrAttr *Kept = A.apply();
  if (!Kept)
    return;
  D->addAttr(Kept);
  AttributeState &State = attributeState(S.Context);
  State.Pending.insert(D);
  State.AnyClaim |= Kind != AttrKind::TRUSTED;
  State.Pieces[Kept->getLocation().getRawEncoding()] = A.Pieces;
}

/// A trust is matched to code by its source range, which a macro does not have.
static bool checkStatement(const Application &A, const Stmt &Statement) {
  if (A.loc().isMacroID())
    return A.fail("a trusted statement inside a macro covers every use of the macro at once; "
                  "write " +
                  A.row().Form + " outside of it");
  const FunctionDecl *In = A.S.getCurFunctionDecl(/*AllowLambda=*/true);
  if (A.S.getLangOpts().CUDA && In && !In->hasAttr<CUDAGlobalAttr>() &&
      !In->hasAttr<CUDADeviceAttr>())
    return A.fail("'trusted' in a function that does not run on the device means nothing");
  if (isa<NullStmt>(Statement))
    return A.fail("'trusted' on an empty statement means nothing; put it before the statement "
                  "that it is about");
  return true;
}

static Attr *applyToStmt(Sema &S, Stmt *Statement, const ParsedAttr &Attr, AttrKind Kind) {
  Application A{S, Attr, Kind, {}, {}};
  if (!(A.row().Places & GS_ON_STATEMENT)) {
    A.fail("'" + A.row().Name + "' on a statement means nothing; write " + A.row().Form + " on " +
           placesOf(A.row()));
    return nullptr;
  }
  SwiftAttrAttr *Kept = A.apply();
  if (!Kept || !checkStatement(A, *Statement))
    return nullptr;
  attributeState(S.Context).AnyTrustedStatement = true;
  return Kept;
}

namespace {
class AttributeInfo : public ParsedAttrInfo {
public:
  AttributeInfo(gpusafe::AttrKind Kind, ArrayRef<Spelling> Names) : Kind(Kind) {
    OptArgs = 15; // as many as there are: the text decides
    IsStmt = 1;   // or clang takes `__attribute__(...) p[i] = 0;` for a declaration
    Spellings = Names;
  }
  AttrHandling handleDeclAttribute(Sema &S, Decl *D, const ParsedAttr &Attr) const override {
    applyToDecl(S, D, Attr, Kind);
    return AttributeApplied;
  }
  AttrHandling handleStmtAttribute(Sema &S, Stmt *Statement, const ParsedAttr &Attr,
                                   clang::Attr *&Result) const GPUSAFE_STATEMENT_OVERRIDE {
    Result = applyToStmt(S, Statement, Attr, Kind);
    return Result ? AttributeApplied : AttributeNotApplied;
  }

private:
  gpusafe::AttrKind Kind; // ParsedAttrInfo has an AttrKind of clang's
};

#define GS_ATTRIBUTE(enumerator, name, least, most, places, form)                                  \
  struct enumerator##Info : AttributeInfo {                                                        \
    static constexpr Spelling Names[] = {{ParsedAttr::AS_GNU, "gpusafe_" name},                    \
                                         {ParsedAttr::AS_GNU, name},                               \
                                         {ParsedAttr::AS_CXX11, "gpusafe::" name},                 \
                                         {ParsedAttr::AS_C23, "gpusafe::" name}};                  \
    enumerator##Info() : AttributeInfo(gpusafe::AttrKind::enumerator, Names) {}                    \
  };                                                                                               \
  ParsedAttrInfoRegistry::Add<enumerator##Info> enumerator##Entry("gpusafe_" name, form);
#include "attributes.def"
#undef GS_ATTRIBUTE
} // namespace
