// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel that is annotated in its header and not where it is defined, or the reverse.
#include "BareDeclarations.h"
#include "AnnotationWriter.h"
#include "Attributes.h"
#include "CompileSession.h"
#include "Describe.h"
#include "Report.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;
using namespace gpusafe;

/// What is written there but trusts: those are about one body.
static std::vector<PlannedAnnotation> annotationsOn(const FunctionDecl &Declaration) {
  std::vector<PlannedAnnotation> Out;
  for (const WrittenAttr &Attr : writtenOn(Declaration))
    if (Attr.Kind != AttrKind::TRUSTED)
      Out.push_back({Attr.Param, "GS_" + attrRow(Attr.Kind).Name.upper(), Attr.Text.str()});
  return Out;
}

static void report(Sema &S, const FunctionDecl &Bare, const FunctionDecl &Annotated,
                   llvm::ArrayRef<PlannedAnnotation> All) {
  std::vector<std::string> Names;
  for (const ParmVarDecl *Param : Annotated.parameters())
    Names.push_back(Param->getName().str());
  AnnotationWriter Writer(S, Names);
  Writer.write(Bare, All);
  std::string Text = "'" + Bare.getNameInfo().getAsString() + "' is annotated at another declaration and not here";
  if (!Bare.isThisDeclarationADefinition())
    Text += ": launches that see only this one are not checked against it";
  unsigned ID = S.Diags.getCustomDiagID(DiagnosticsEngine::Remark, "%0 [gpusafe-contract]");
  {
    DiagnosticBuilder Builder = S.Diags.Report(Bare.getLocation(), ID);
    Builder << Text;
    for (const SourceInsertion &Edit : Writer.Insertions)
      Builder << FixItHint::CreateInsertion(Edit.Place, Edit.Text);
  }
  reportNote(S.Diags, Annotated.getLocation(), "the annotated one is here");
}

static void check(Sema &S, const FunctionDecl &Pattern) {
  const SourceManager &SM = S.getSourceManager();
  const FunctionDecl *Annotated = nullptr;
  std::vector<PlannedAnnotation> All;
  for (const FunctionDecl *Declaration : Pattern.redecls())
    if (auto Own = annotationsOn(*Declaration); Own.size() > All.size()) {
      Annotated = Declaration;
      All = std::move(Own);
    }
  for (const FunctionDecl *Declaration : Pattern.redecls()) {
    if (!Annotated || Declaration == Annotated || !annotationsOn(*Declaration).empty())
      continue;
    // In one file a reader sees both.
    SourceLocation Here = SM.getExpansionLoc(Declaration->getLocation());
    SourceLocation There = SM.getExpansionLoc(Annotated->getLocation());
    if (SM.isInSystemHeader(Here) || SM.getFileID(Here) == SM.getFileID(There))
      continue;
    CompileSession Session;
    if (Session.claim(("bare " + Here.printToString(SM))))
      report(S, *Declaration, *Annotated, All);
  }
}

void gpusafe::reportBareDeclarations(Sema &S, llvm::ArrayRef<const FunctionDecl *> Kernels) {
  llvm::SmallPtrSet<const FunctionDecl *, 8> Seen; // a template has many instances
  for (const FunctionDecl *Kernel : Kernels)
    if (Seen.insert(patternOf(*Kernel).getCanonicalDecl()).second)
      check(S, patternOf(*Kernel));
}
