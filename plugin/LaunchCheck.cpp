// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LaunchCheck.h"
#include "CompileSession.h"
#include "Report.h"
#include "SourceMap.h"

#include "clang/Sema/Sema.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;
using namespace gpusafe;

namespace {
class Checker {
public:
  Checker(Sema &S, const Options &Opts, const LaunchTable &Launches, unsigned Sm)
      : S(S), Opts(Opts), Launches(Launches), Sm(Sm), Table(S, Opts), Places(S.getSourceManager()) {}
  void check(const FunctionDecl &Function);

private:
  void checkLimits(const Launch &L);
  void checkClause(const Launch &L, const gs_fact &Fact);
  void checkExclusive(const Launch &L);
  bool say(const Launch &L, const std::string &What);
  static void problem(void *User, const char *Text);
  void count();

  Sema &S;
  const Options &Opts;
  const LaunchTable &Launches;
  unsigned Sm;
  KernelTable Table;
  SourceMap Places;
  std::optional<CompileSession> Session;
  llvm::StringSet<> Said; ///< instances of a template have launches at one place
  // Of the kernel being checked:
  const gs_kernel_desc *Kernel = nullptr;
  bool Annotated = false;
  const Launch *Current = nullptr;
  unsigned Kept = 0, Left = 0; ///< clauses proved, and left to the runtime
};
} // namespace

/// \returns false when it has been said.
bool Checker::say(const Launch &L, const std::string &What) {
  std::string Text = std::string("launch of '") + Kernel->name + "' " + What;
  std::string Key = L.Loc.printToString(S.getSourceManager()) + Text;
  if (!Said.insert(Key).second)
    return false;
  bool Error = Annotated || Opts.Verify;
  if (!Error && !Session)
    Session.emplace();
  if (!Error && !Session->claim(Key))
    return false;
  unsigned ID = Error ? S.Diags.getCustomDiagID(DiagnosticsEngine::Error, "%0 [gpusafe-launch-contract]")
                      : warningID(S.Diags, "%0 [gpusafe-launch-contract]");
  S.Diags.Report(L.Loc, ID) << Text;
  return true;
}

void Checker::problem(void *User, const char *Text) {
  auto *Self = static_cast<Checker *>(User);
  Self->say(*Self->Current, std::string("always fails: ") + Text);
}

void Checker::checkLimits(const Launch &L) {
  Current = &L;
  gs_launch_check_limits(Launches.hosts(), &L.Sizes, Kernel->max_threads, problem, this);
}

void Checker::checkClause(const Launch &L, const gs_fact &Fact) {
  char Why[256] = "";
  gs_launch_verdict Verdict =
      gs_launch_check_clause(Launches.hosts(), &L.Sizes, Fact.clause, Sm, Why, sizeof Why);
  Kept += Verdict == GS_LAUNCH_KEEPS;
  Left += Verdict == GS_LAUNCH_DEPENDS;
  if (Verdict != GS_LAUNCH_BREAKS)
    return;
  std::string Text = std::string("breaks its contract: '") + Fact.clause->text + "' does not hold";
  if (Why[0])
    Text += std::string(", ") + Why;
  if (say(L, Text))
    reportNote(S.Diags, Places.find(Fact.loc), "the contract is here");
}

/// One buffer for an exclusive parameter and for another one.
void Checker::checkExclusive(const Launch &L) {
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
      if (say(L, std::string("gives '") + Kernel->params[Claim.param].name +
                     "', which is exclusive, the buffer that '" + Kernel->params[Other].name +
                     "' gets"))
        reportNote(S.Diags, Places.find(Claim.loc), "it is declared exclusive here");
    }
  }
}

void Checker::count() {
  if (!Opts.Stats || (Kept == 0 && Left == 0))
    return;
  unsigned ID = S.Diags.getCustomDiagID(DiagnosticsEngine::Remark, "%0 [gpusafe-stats]");
  S.Diags.Report(Places.find(Kernel->loc), ID)
      << std::string("launches of '") + Kernel->name + "': " + std::to_string(Kept) +
             " clauses proved, " + std::to_string(Left) + " left to the runtime";
}

void Checker::check(const FunctionDecl &Function) {
  if (!Table.add(Function, "", {}))
    return;
  Kernel = &Table.kernels().back();
  Annotated = isAnnotated(Function);
  Kept = Left = 0;
  for (const Launch &L : Launches.of(Function)) {
    if (L.Sizes.arg_count != Kernel->param_count)
      continue;
    checkLimits(L);
    checkExclusive(L);
    for (uint32_t I = 0; I < Kernel->fact_count; I++)
      if (Kernel->facts[I].origin == GS_FACT_CONTRACT)
        checkClause(L, Kernel->facts[I]);
  }
  count();
}

void gpusafe::checkLaunches(Sema &S, const Options &Opts, const LaunchTable &Launches, unsigned Sm) {
  Checker C(S, Opts, Launches, Sm);
  for (const FunctionDecl *Kernel : Launches.kernels())
    C.check(*Kernel);
}
