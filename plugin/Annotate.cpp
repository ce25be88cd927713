// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Annotate.h"
#include "AnnotationWriter.h"
#include "Describe.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Sema/Sema.h"
#include "llvm/IR/Module.h"

using namespace clang;
using namespace gpusafe;

namespace json = llvm::json;

// ------------------------------------------------------------------ planning ----

static PlannedAnnotation planParam(const gs_annotate_param &Param, int Index) {
  std::string Count = Param.count ? Param.count : "";
  switch (Param.kind) {
  case GS_CLAIM_EXTENT:
    return {Index, "GS_EXTENT", Count};
  case GS_CLAIM_EXCLUSIVE: {
    static const char *const Scopes[] = {"scope=warp", "", "scope=cluster", "scope=grid"};
    std::string Scope = Scopes[Param.scope];
    return {Index, "GS_EXCLUSIVE", Count + (Count.empty() || Scope.empty() ? "" : ", ") + Scope};
  }
  case GS_CLAIM_DISJOINT:
  case GS_CLAIM_TRUSTED:
    break;
  }
  return {Index, "GS_DISJOINT", Count};
}

static std::vector<PlannedAnnotation> plan(const gs_annotation &Found) {
  std::vector<PlannedAnnotation> Out;
  std::string Contract;
  for (uint32_t I = 0; I < Found.clause_count; I++)
    Contract += (I ? ", " : "") + std::string(Found.clauses[I]);
  if (Found.clause_count)
    Out.push_back({-1, "GS_LAUNCH_CONTRACT", Contract});
  for (uint32_t I = 0; I < Found.param_count; I++)
    if (Found.params[I].proposed)
      Out.push_back(planParam(Found.params[I], int(I)));
  return Out;
}

static void write(AnnotationWriter &Writer, const gs_annotation &Found, const FunctionDecl &Kernel) {
  std::vector<PlannedAnnotation> All = plan(Found);
  for (const FunctionDecl *Declaration : patternOf(Kernel).redecls())
    if (Found.state == GS_ANNOTATE_PROPOSED)
      Writer.write(*Declaration, All);
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
  std::vector<std::string> Names;
  for (uint32_t I = 0; I < Desc.param_count; I++)
    Names.push_back(Desc.params[I].name);
  AnnotationWriter Writer(S, Names);
  write(Writer, Found, Kernel);
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
