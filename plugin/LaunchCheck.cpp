// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LaunchCheck.h"
#include "CompileSession.h"
#include "Report.h"
#include "SourceMap.h"

#include "clang/Sema/Sema.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;
using namespace gpusafe;

static constexpr gs_loc NoNote = {nullptr, 0, 0};

void LaunchCheck::blame(const Launch &L, const std::string &What, gs_loc Note,
                        const char *NoteText) {
  SourceLocation NoteLoc;
  if (Note.line)
    NoteLoc = SourceMap(S.getSourceManager()).find(Note);
  Faults.push_back({L.Loc, std::string("launch of '") + Kernel->name + "' " + What, NoteLoc, NoteText,
                    Annotated || Opts.Verify});
}

/// \returns true when the clause is proved or broken.
bool LaunchCheck::checkClause(const Launch &L, const gs_fact &Fact) {
  char Why[256] = "";
  gs_launch_verdict Verdict =
      gs_launch_check_clause(Launches.hosts(), &L.Sizes, Fact.clause, Sm, Why, sizeof Why);
  Counts.back().Kept += Verdict == GS_LAUNCH_KEEPS;
  Counts.back().Left += Verdict == GS_LAUNCH_DEPENDS;
  if (Verdict != GS_LAUNCH_BREAKS)
    return Verdict == GS_LAUNCH_KEEPS;
  std::string Text = std::string("breaks its contract: '") + Fact.clause->text + "' does not hold";
  if (Why[0])
    Text += std::string(", ") + Why;
  blame(L, Text, Fact.loc, "the contract is here");
  return true;
}

/// One buffer for an exclusive parameter and for another one.
void LaunchCheck::checkExclusive(const Launch &L) {
  std::vector<gs_alias> Pairs(
      gs_launch_aliases(Launches.hosts(), &L.Sizes, Kernel->params, nullptr, 0));
  gs_launch_aliases(Launches.hosts(), &L.Sizes, Kernel->params, Pairs.data(), uint32_t(Pairs.size()));
  for (uint32_t I = 0; I < Kernel->claim_count; I++) {
    const gs_claim &Claim = Kernel->claims[I];
    for (const gs_alias &Pair : Pairs) {
      bool Concerned = Claim.param == int32_t(Pair.param) || Claim.param == int32_t(Pair.of);
      if (Claim.kind != GS_CLAIM_EXCLUSIVE || !Pair.exact || !Concerned)
        continue;
      uint32_t Other = Claim.param == int32_t(Pair.param) ? Pair.of : Pair.param;
      blame(L,
            std::string("gives '") + Kernel->params[Claim.param].name +
                "', which is exclusive, the buffer that '" + Kernel->params[Other].name + "' gets",
            Claim.loc, "it is declared exclusive here");
    }
  }
}

namespace {
/// Collects what gs_launch_check_limits says.
struct Problems {
  std::vector<std::string> Texts;
  static void take(void *User, const char *Text) {
    static_cast<Problems *>(User)->Texts.push_back(Text);
  }
};
} // namespace

void LaunchCheck::checkOne(const Launch &L) {
  size_t Before = Faults.size();
  bool Decided = true;
  Problems Found;
  gs_launch_check_limits(Launches.hosts(), &L.Sizes, Kernel->max_threads, Problems::take, &Found);
  for (const std::string &Text : Found.Texts)
    blame(L, "always fails: " + Text, NoNote, nullptr);
  // Code for several targets may choose by the device that it finds: never an error.
  Problems OfTarget;
  if (Found.Texts.empty())
    gs_launch_check_target(Launches.hosts(), &L.Sizes, Sm, Problems::take, &OfTarget);
  for (const std::string &Text : OfTarget.Texts) {
    blame(L, "fails on sm_" + std::to_string(Sm) + ", which it is compiled for: " + Text, NoNote, nullptr);
    Faults.back().Error = false;
  }
  checkExclusive(L);
  for (uint32_t I = 0; I < Kernel->fact_count; I++)
    if (Kernel->facts[I].origin == GS_FACT_CONTRACT)
      Decided &= checkClause(L, Kernel->facts[I]);
  gs_launch_sites &Mine = Sites[L.Kernel];
  if (Faults.size() > Before)
    Mine.violated++;
  else if (Decided)
    Mine.proved++;
  else
    Mine.depends++;
}

void LaunchCheck::check(const FunctionDecl &Function) {
  if (!Table.add(Function, "", {}))
    return;
  Kernel = &Table.kernels().back();
  Annotated = isAnnotated(Function);
  Counts.push_back({SourceMap(S.getSourceManager()).find(Kernel->loc), Kernel->name, 0, 0});
  for (const Launch &L : Launches.of(Function))
    if (L.Sizes.arg_count == Kernel->param_count)
      checkOne(L);
    else
      Sites[L.Kernel].depends++;
}

LaunchCheck::LaunchCheck(Sema &S, const Options &Opts, const LaunchTable &Launches, unsigned Sm)
    : S(S), Opts(Opts), Launches(Launches), Sm(Sm), Table(S, Opts) {
  for (const FunctionDecl *Kernel : Launches.kernels())
    check(*Kernel);
}

void LaunchCheck::report() {
  std::optional<CompileSession> Session;
  llvm::StringSet<> Said; // instances of a template have launches at one place
  for (const Fault &F : Faults) {
    std::string Key = F.Loc.printToString(S.getSourceManager()) + F.Text;
    if (!Said.insert(Key).second)
      continue;
    if (!F.Error && !Session)
      Session.emplace();
    if (!F.Error && !Session->claim(Key))
      continue;
    unsigned ID = F.Error ? S.Diags.getCustomDiagID(DiagnosticsEngine::Error,
                                                    "%0 [gpusafe-launch-contract]")
                          : warningID(S.Diags, "%0 [gpusafe-launch-contract]");
    S.Diags.Report(F.Loc, ID) << F.Text;
    if (F.NoteText)
      reportNote(S.Diags, F.Note, F.NoteText);
  }
  for (const Count &C : Counts) {
    if (!Opts.Stats || (C.Kept == 0 && C.Left == 0))
      continue;
    unsigned ID = S.Diags.getCustomDiagID(DiagnosticsEngine::Remark, "%0 [gpusafe-stats]");
    S.Diags.Report(C.Loc, ID) << "launches of '" + C.Kernel + "': " + std::to_string(C.Kept) +
                                     " clauses proved, " + std::to_string(C.Left) +
                                     " left to the runtime";
  }
}
