// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Annotate.h"
#include "Describe.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/TypeLoc.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Sema/Sema.h"
#include "llvm/IR/Module.h"

using namespace clang;
using namespace gpusafe;

namespace json = llvm::json;

// ------------------------------------------------------------------- words ----

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
    for (unsigned P = 0; P < Desc.param_count && !Member; P++)
      if (Word == Desc.params[P].name)
        Said = Declaration.getParamDecl(P)->getName();
    if (Said.empty())
      return std::nullopt;
    Out += Said;
    I += Word.size();
  }
  return Out;
}

static std::string macroOf(const gs_annotate_param &Param, StringRef Count) {
  switch (Param.kind) {
  case GS_CLAIM_EXTENT:
    return ("GS_EXTENT(" + Count + ")").str();
  case GS_CLAIM_EXCLUSIVE: {
    static const char *const Scopes[] = {"scope=warp", "", "scope=cluster", "scope=grid"};
    StringRef Scope = Scopes[Param.scope];
    return ("GS_EXCLUSIVE(" + Count + (Count.empty() || Scope.empty() ? "" : ", ") + Scope + ")").str();
  }
  case GS_CLAIM_DISJOINT:
  case GS_CLAIM_TRUSTED:
    break;
  }
  return ("GS_DISJOINT(" + Count + ")").str();
}

// ------------------------------------------------------------------- places ----

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

/// \returns false when it cannot be written there, and says so.
bool AnnotationWriter::writeParam(const FunctionDecl &Declaration, unsigned Index) {
  const SourceManager &SM = S.getSourceManager();
  const gs_annotate_param &Param = Found.params[Index];
  const ParmVarDecl &Where = *Declaration.getParamDecl(Index);
  std::string Name = Desc.params[Index].name;
  SourceLocation Place = behindDeclarator(Where, SM, S.getLangOpts());
  if (Place.isInvalid()) {
    Problems.push_back("'" + Name + "' comes out of a macro, " +
                       Lexer::getImmediateMacroName(Where.getLocation(), SM, S.getLangOpts()).str());
    return false;
  }
  std::string Count;
  if (Param.count) {
    auto Said = inWordsOf(Declaration, Param.count);
    if (!Said) {
      Problems.push_back("'" + Name + "': the declaration at line " +
                         std::to_string(SM.getPresumedLineNumber(Declaration.getLocation())) +
                         " leaves out names that its count needs");
      return false;
    }
    Count = *Said;
  }
  Insertions.push_back({Place, " " + macroOf(Param, Count)});
  return true;
}

/// The line up to \p Loc.
static StringRef lineBefore(SourceLocation Loc, const SourceManager &SM) {
  StringRef Before = SM.getBufferData(SM.getFileID(Loc)).take_front(SM.getFileOffset(Loc));
  return Before.drop_front(Before.find_last_of("\r\n") + 1);
}

void AnnotationWriter::writeContract(const FunctionDecl &Declaration) {
  if (!Found.clause_count)
    return;
  const SourceManager &SM = S.getSourceManager();
  std::string Text;
  for (uint32_t I = 0; I < Found.clause_count; I++) {
    auto Said = inWordsOf(Declaration, Found.clauses[I]);
    if (!Said) {
      Problems.push_back("the declaration at line " +
                         std::to_string(SM.getPresumedLineNumber(Declaration.getLocation())) +
                         " leaves out names that the contract needs");
      return;
    }
    Text += (I ? ", " : "") + *Said;
  }
  SourceLocation Begin = SM.getExpansionLoc(Declaration.getBeginLoc());
  Text = "GS_LAUNCH_CONTRACT(" + Text + ")";
  // On a line of its own; behind `extern "C"`, where it may stand, the kernel follows on the next.
  StringRef Before = lineBefore(Begin, SM);
  StringRef Indent = Before.take_while([](char C) { return C == ' ' || C == '\t'; });
  bool OwnLine = Indent == Before || Before.trim() == "extern \"C\"";
  Text += OwnLine ? "\n" + Indent.str() : " ";
  Insertions.push_back({Begin, Text});
}

void AnnotationWriter::writeOn(const FunctionDecl &Declaration) {
  const SourceManager &SM = S.getSourceManager();
  SourceLocation Name = Declaration.getLocation();
  if (Name.isInvalid() || SM.isInSystemHeader(Name))
    return;
  std::string Where = "line " + std::to_string(SM.getPresumedLineNumber(Name));
  if (Declaration.getNumParams() != Found.param_count) {
    Problems.push_back(Where + ": a parameter pack stands for several parameters");
    return;
  }
  SourceLocation Begin = Declaration.getBeginLoc();
  if (Name.isMacroID() && SM.getExpansionLoc(Name) == SM.getExpansionLoc(Begin)) {
    Problems.push_back(Where + ": the declaration comes out of a macro, " +
                       Lexer::getImmediateMacroName(Name, SM, S.getLangOpts()).str());
    return;
  }
  writeContract(Declaration);
  for (unsigned I = 0; I < Found.param_count; I++)
    if (Found.params[I].proposed)
      writeParam(Declaration, I);
}

void AnnotationWriter::write(const FunctionDecl &Kernel) {
  if (Found.state != GS_ANNOTATE_PROPOSED)
    return;
  for (const FunctionDecl *Declaration : patternOf(Kernel).redecls())
    writeOn(*Declaration);
}

// --------------------------------------------------------------------- JSON ----

static json::Object describeInsertion(const SourceInsertion &Edit, const SourceManager &SM) {
  json::Object Out{{"offset", int64_t(SM.getFileOffset(Edit.Place))}, {"insert", Edit.Text}};
  if (auto File = SM.getFileEntryRefForID(SM.getFileID(Edit.Place))) {
    Out["file"] = File->getName().str();
    Out["path"] = File->getFileEntry().tryGetRealPathName().str();
  }
  return Out;
}

static const char *claimName(const gs_annotate_param &Param) {
  switch (Param.kind) {
  case GS_CLAIM_DISJOINT:
    return "disjoint";
  case GS_CLAIM_EXCLUSIVE:
    return "exclusive";
  case GS_CLAIM_EXTENT:
    return "extent";
  case GS_CLAIM_TRUSTED:
    break;
  }
  return "";
}

static json::Object describeParam(const gs_param_desc &Desc, const gs_annotate_param &Param) {
  static const char *const Scopes[] = {"warp", "block", "cluster", "grid"};
  json::Object Out{{"name", Desc.name}, {"written", Param.is_written}, {"annotated", Param.is_claimed}};
  if (Param.proposed)
    Out["claim"] = claimName(Param);
  if (Param.proposed && Param.kind == GS_CLAIM_EXCLUSIVE)
    Out["scope"] = Scopes[Param.scope];
  if (Param.count)
    Out["count"] = std::string(Param.count); // a json::Value keeps no copy of plain text
  if (Param.reason)
    Out["reason"] = std::string(Param.reason);
  return Out;
}

static const char *stateName(gs_annotate_state State) {
  switch (State) {
  case GS_ANNOTATE_PROPOSED:
    return "proposed";
  case GS_ANNOTATE_COMPLETE:
    return "complete";
  case GS_ANNOTATE_REFUSED:
    break;
  }
  return "refused";
}

static json::Object describe(Sema &S, const gs_kernel_desc &Desc, const gs_annotation &Found,
                             const FunctionDecl &Kernel) {
  const SourceManager &SM = S.getSourceManager();
  json::Array Params, Clauses, Edits, Problems;
  for (uint32_t I = 0; I < Found.param_count; I++)
    if (Found.params[I].is_pointer)
      Params.push_back(describeParam(Desc.params[I], Found.params[I]));
  for (uint32_t I = 0; I < Found.clause_count; I++)
    Clauses.push_back(std::string(Found.clauses[I]));
  AnnotationWriter Writer(S, Desc, Found);
  Writer.write(Kernel);
  for (const SourceInsertion &Edit : Writer.Insertions)
    Edits.push_back(describeInsertion(Edit, SM));
  for (const std::string &Problem : Writer.Problems)
    Problems.push_back(Problem);
  json::Object Out{{"name", StringRef(Desc.name).split('<').first},
                   {"mangled", Desc.mangled},
                   {"instances", int64_t(Found.instances)},
                   {"state", stateName(Found.state)},
                   {"annotated", isAnnotated(Kernel)},
                   {"params", std::move(Params)},
                   {"contract", std::move(Clauses)},
                   {"edits", std::move(Edits)},
                   {"problems", std::move(Problems)},
                   {"trials", int64_t(Found.trials)}};
  if (Desc.loc.file)
    Out["location"] = json::Object{{"file", Desc.loc.file}, {"line", int64_t(Desc.loc.line)}};
  if (Found.reason)
    Out["reason"] = std::string(Found.reason);
  return Out;
}

namespace {
/// What the core asks about launches.
struct Asked {
  const gs_input &In;
  llvm::ArrayRef<const FunctionDecl *> Functions;
  const LaunchTable *Launches;

  static gs_launch_verdict ask(void *User, const gs_kernel_desc *Kernel, const gs_clause *Clause) {
    auto &A = *static_cast<Asked *>(User);
    auto All = A.Launches ? A.Launches->of(*A.Functions[size_t(Kernel - A.In.kernels)])
                          : llvm::ArrayRef<Launch>();
    gs_launch_verdict Worst = All.empty() ? GS_LAUNCH_DEPENDS : GS_LAUNCH_KEEPS;
    for (const Launch &L : All) {
      gs_launch_verdict Verdict =
          L.Sizes.arg_count == Kernel->param_count
              ? gs_launch_check_clause(A.Launches->hosts(), &L.Sizes, Clause, A.In.options.sm, nullptr, 0)
              : GS_LAUNCH_DEPENDS;
      if (Verdict == GS_LAUNCH_BREAKS)
        return Verdict;
      if (Verdict == GS_LAUNCH_DEPENDS)
        Worst = Verdict;
    }
    return Worst;
  }
};
} // namespace

json::Value gpusafe::annotate(Sema &S, llvm::Module &Module, const gs_input &In,
                              llvm::ArrayRef<const FunctionDecl *> Functions,
                              const LaunchTable *Launches, std::string &Error) {
  Asked User{In, Functions, Launches};
  gs_annotations *Found = nullptr;
  char *Message = nullptr;
  json::Array Kernels;
  if (gs_annotate(llvm::wrap(&Module), &In, Asked::ask, &User, &Found, &Message) != GS_OK)
    Error = Message ? Message : "the search failed";
  for (uint32_t I = 0; Found && I < Found->count; I++) {
    const gs_annotation &One = Found->items[I];
    Kernels.push_back(describe(S, In.kernels[One.kernel], One, *Functions[One.kernel]));
  }
  gs_annotations_free(Found);
  free(Message);
  return json::Object{{"version", 1}, {"file", In.file}, {"target", In.target}, {"kernels", std::move(Kernels)}};
}
