// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Render.h"
#include "Report.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;
using namespace gpusafe;

Renderer::Renderer(Preprocessor &PP, DiagnosticsEngine &Diags, const Options &Opts)
    : PP(PP), Opts(Opts), Diags(Diags), Places(PP.getSourceManager()) {}

static bool sameLoc(const gs_loc &A, const gs_loc &B) {
  return A.line == B.line && A.column == B.column &&
         StringRef(A.file ? A.file : "") == StringRef(B.file ? B.file : "");
}

static bool sameFinding(const gs_finding &A, const gs_finding &B) {
  if (A.rule != B.rule || A.verdict != B.verdict || A.is_error != B.is_error ||
      A.access_count != B.access_count || !sameLoc(A.loc, B.loc))
    return false;
  for (uint32_t I = 0; I < A.access_count; I++)
    if (!sameLoc(A.access[I].loc, B.access[I].loc) || A.access[I].is_write != B.access[I].is_write)
      return false;
  // Without accesses there is nothing but the text to tell two findings apart.
  return A.access_count > 0 || StringRef(A.message) == B.message;
}

/// Instances of one template come from one declaration.
static bool sameKernel(const gs_kernel_result &A, const gs_kernel_result &B) {
  return sameLoc(A.loc, B.loc);
}

bool Renderer::isHeard(const gs_kernel_result &Kernel, const gs_finding &Finding) const {
  return Finding.is_error || Finding.verdict == GS_RACE || Kernel.has_claims || Opts.Verify;
}

std::vector<Renderer::Group> Renderer::groupFindings(const gs_report &Report) const {
  std::vector<Group> Groups;
  for (uint32_t K = 0; K < Report.kernel_count; K++) {
    const gs_kernel_result &Kernel = Report.kernels[K];
    for (uint32_t F = 0; F < Kernel.finding_count; F++) {
      const gs_finding &Finding = Kernel.findings[F];
      if (!isHeard(Kernel, Finding))
        continue;
      auto Same = llvm::find_if(Groups, [&](const Group &G) {
        return sameKernel(*G.Kernels.front(), Kernel) && sameFinding(*G.Finding, Finding);
      });
      if (Same == Groups.end())
        Groups.push_back({&Finding, {&Kernel}});
      else if (Same->Kernels.back() != &Kernel)
        Same->Kernels.push_back(&Kernel);
    }
  }
  return Groups;
}

// ------------------------------------------------------------------- output ----

void Renderer::report(DiagnosticsEngine::Level Level, const gs_loc &Loc, const std::string &Text,
                      llvm::ArrayRef<FixItHint> Fixes) {
  std::string Full = Text;
  SourceLocation Place = Places.find(Loc);
  if (Place.isInvalid() && Loc.file && Loc.line)
    Full = std::string(Loc.file) + ":" + std::to_string(Loc.line) + ": " + Text;
  unsigned ID =
      Level == DiagnosticsEngine::Error ? Diags.getCustomDiagID(DiagnosticsEngine::Error, "%0")
      : Level == DiagnosticsEngine::Warning ? warningID(Diags, "%0")
      : Level == DiagnosticsEngine::Remark ? Diags.getCustomDiagID(DiagnosticsEngine::Remark, "%0")
                                           : Diags.getCustomDiagID(DiagnosticsEngine::Note, "%0");
  DiagnosticBuilder Builder = Diags.Report(Place, ID);
  Builder << Full;
  for (const FixItHint &Fix : Fixes)
    Builder << Fix;
}

void Renderer::note(const gs_loc &Loc, const std::string &Text) {
  report(DiagnosticsEngine::Note, Loc, Text);
}

/// Debug locations see a macro from outside; say what is behind it.
void Renderer::emitMacro(SourceLocation Loc) {
  if (Loc.isInvalid())
    return;
  Token Name;
  if (Lexer::getRawToken(Loc, Name, PP.getSourceManager(), PP.getLangOpts()) ||
      Name.isNot(tok::raw_identifier))
    return;
  const IdentifierInfo *Ident = PP.getIdentifierInfo(Name.getRawIdentifier());
  const MacroInfo *Macro = PP.getMacroInfo(Ident);
  if (!Macro || Macro->isBuiltinMacro())
    return;
  unsigned ID = Diags.getCustomDiagID(DiagnosticsEngine::Note, "expanded from macro '%0'");
  Diags.Report(Macro->getDefinitionLoc(), ID) << Ident->getName();
}

static bool sameAccess(const gs_access_ref &A, const gs_access_ref &B) {
  if (!sameLoc(A.loc, B.loc) || A.is_write != B.is_write || A.is_atomic != B.is_atomic ||
      A.inlined_count != B.inlined_count)
    return false;
  for (uint32_t I = 0; I < A.inlined_count; I++)
    if (!sameLoc(A.inlined_at[I], B.inlined_at[I]))
      return false;
  return true;
}

void Renderer::emitAccess(const gs_finding &F, const gs_access_ref &Access) {
  std::string Text = Access.is_atomic ? "atomic " : "";
  Text += Access.is_write ? "write" : "read";
  if (F.object)
    Text += std::string(" of '") + F.object + "'";
  note(Access.loc, Text + " is here");
  emitMacro(Places.find(Access.loc));
  for (uint32_t I = 0; I < Access.inlined_count; I++) {
    note(Access.inlined_at[I], "called from here");
    emitMacro(Places.find(Access.inlined_at[I]));
  }
}

/// One note for each access, but none that only repeats the finding's place.
void Renderer::emitAccesses(const gs_finding &F) {
  uint32_t Count = F.access_count;
  if (Count == 2 && sameAccess(F.access[0], F.access[1]))
    Count = 1;
  if (Count == 1 && F.access[0].inlined_count == 0 && sameLoc(F.access[0].loc, F.loc)) {
    emitMacro(Places.find(F.loc));
    return;
  }
  for (uint32_t I = 0; I < Count; I++)
    emitAccess(F, F.access[I]);
}

static bool carriesFixes(const gs_finding &F, const gs_note &Note) {
  return F.fixit_count > 0 && sameLoc(gs_fixit_place(&F.fixits[0]), Note.loc);
}

void Renderer::emitNotes(const gs_finding &F, llvm::ArrayRef<FixItHint> Fixes) {
  for (const gs_note &Note : llvm::ArrayRef(F.notes, F.note_count))
    report(DiagnosticsEngine::Note, Note.loc.line ? Note.loc : F.loc, Note.text,
           carriesFixes(F, Note) ? Fixes : llvm::ArrayRef<FixItHint>());
}

static bool sameFixes(const gs_finding &A, const gs_finding &B) {
  if (A.fixit_count != B.fixit_count)
    return false;
  for (uint32_t I = 0; I < A.fixit_count; I++)
    if (!sameLoc(A.fixits[I].loc, B.fixits[I].loc) || A.fixits[I].remove != B.fixits[I].remove ||
        StringRef(A.fixits[I].insert) != B.fixits[I].insert)
      return false;
  return true;
}

/// A fix is proved for one instance of a template, and changes all of them: it is
/// offered only where every instance of this compile wants it.
bool Renderer::allWantFixes(const Group &G) const {
  for (uint32_t K = 0; K < Report->kernel_count; K++) {
    const gs_kernel_result &Kernel = Report->kernels[K];
    if (sameKernel(*G.Kernels.front(), Kernel) &&
        llvm::none_of(llvm::ArrayRef(Kernel.findings, Kernel.finding_count),
                      [&](const gs_finding &F) {
                        return sameFinding(F, *G.Finding) && sameFixes(F, *G.Finding);
                      }))
      return false;
  }
  return true;
}

std::vector<FixItHint> Renderer::fixesOf(const Group &G) {
  const gs_finding &F = *G.Finding;
  std::vector<FixItHint> Fixes;
  if (F.fixit_count == 0 || !allWantFixes(G))
    return Fixes;
  for (uint32_t I = 0; I < F.fixit_count; I++) {
    SourceLocation At = Places.find(F.fixits[I].loc);
    if (At.isInvalid())
      return {};
    auto Range = CharSourceRange::getCharRange(At, At.getLocWithOffset(int(F.fixits[I].remove)));
    Fixes.push_back(F.fixits[I].remove ? FixItHint::CreateReplacement(Range, F.fixits[I].insert)
                                       : FixItHint::CreateInsertion(At, F.fixits[I].insert));
  }
  return Fixes;
}

/// Up to three of the other instances, by name.
void Renderer::emitInstances(const Group &G) {
  size_t Others = G.Kernels.size() - 1;
  if (Others == 0)
    return;
  std::string Text = "the same in " + std::to_string(Others) + " more template instance" +
                     (Others > 1 ? "s: " : ": ");
  for (size_t I = 0; I < Others && I < 3; I++)
    Text += (I ? ", " : "") + ("'" + std::string(G.Kernels[I + 1]->name) + "'");
  if (Others > 3)
    Text += ", ...";
  note(G.Finding->loc, Text);
}

bool Renderer::firstInSession(const Group &G) {
  if (!Session)
    Session.emplace();
  const gs_finding &F = *G.Finding;
  std::string Key = std::string(gs_rule_name(F.rule)) + "|" + (F.loc.file ? F.loc.file : "") + "|" +
                    std::to_string(F.loc.line) + ":" + std::to_string(F.loc.column) + "|" +
                    G.Kernels.front()->mangled;
  for (uint32_t I = 0; I < F.access_count; I++)
    Key +=
        "|" + std::to_string(F.access[I].loc.line) + ":" + std::to_string(F.access[I].loc.column);
  return Session->claim(Key);
}

void Renderer::emit(const Group &G) {
  const gs_finding &F = *G.Finding;
  auto Level = F.is_error                 ? DiagnosticsEngine::Error
               : F.verdict == GS_PROVED ? DiagnosticsEngine::Remark
                                          : DiagnosticsEngine::Warning;
  if (!F.is_error && !firstInSession(G))
    return;
  std::vector<FixItHint> Fixes = fixesOf(G);
  bool AtNote = llvm::any_of(llvm::ArrayRef(F.notes, F.note_count),
                             [&](const gs_note &Note) { return carriesFixes(F, Note); });
  report(Level, F.loc.line ? F.loc : G.Kernels.front()->loc,
         std::string(F.message) + " [gpusafe-" + gs_rule_name(F.rule) + "]",
         AtNote ? std::vector<FixItHint>() : Fixes);
  emitAccesses(F);
  emitNotes(F, Fixes);
  emitInstances(G);
}

/// The last line of defence: a claim that is not proved never passes in silence.
void Renderer::emitUnproved(const gs_kernel_result &Kernel) {
  bool Claimed = Kernel.has_claims || Opts.Verify;
  if (!Claimed || Kernel.verdict == GS_PROVED || Kernel.verdict == GS_TRUSTED)
    return;
  for (uint32_t F = 0; F < Kernel.finding_count; F++)
    if (Kernel.findings[F].is_error)
      return;
  std::string Text = std::string("cannot prove '") + Kernel.name + "'";
  if (Kernel.reason)
    Text += std::string(": ") + Kernel.reason;
  report(DiagnosticsEngine::Error, Kernel.loc, Text + " [gpusafe-contract]");
}

void Renderer::emitStats(const gs_kernel_result &Kernel) {
  const gs_counters &C = Kernel.counters;
  std::string Text = std::string("'") + Kernel.name + "': " + gs_verdict_name(Kernel.verdict);
  auto Add = [&](const char *Name, uint64_t Value) {
    Text += std::string(", ") + Name + " " + std::to_string(Value);
  };
  Add("accesses", C.accesses);
  Add("pairs", C.pairs);
  Add("queries", C.queries);
  Add("trivial", C.trivial);
  Add("affine", C.by_affine);
  Add("enumerated", C.by_enumeration);
  Add("searched", C.by_search);
  Add("linear", C.by_linear);
  Add("bit-vector", C.by_bitvector);
  Add("undecided", C.undecided);
  Add("cached", C.cache_hits);
  Add("solver units", C.solver_units);
  Add("terms", C.terms);
  report(DiagnosticsEngine::Remark, Kernel.loc, Text + " [gpusafe-stats]");
}

void Renderer::unchecked(const gs_kernel_desc &Kernel, StringRef Why) {
  report(DiagnosticsEngine::Error, Kernel.loc,
         std::string("cannot check '") + Kernel.name + "': " + Why.str() + " [gpusafe-contract]");
}

void Renderer::render(const gs_report &Report) {
  Target = Report.target;
  this->Report = &Report;
  for (const Group &G : groupFindings(Report))
    emit(G);
  for (uint32_t K = 0; K < Report.kernel_count; K++) {
    emitUnproved(Report.kernels[K]);
    if (Opts.Stats)
      emitStats(Report.kernels[K]);
  }
}
