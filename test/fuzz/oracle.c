// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verdicts against runs.
#include "oracle.h"

#include "launch.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool lists(const gs_kernel_result *result, const char *text, uint32_t line) {
  char whole[160];
  snprintf(whole, sizeof whole, line ? "%s (line %" PRIu32 ")" : "%s", text, line);
  for (uint32_t i = 0; i < result->assumption_count; i++)
    if (strncmp(result->assumptions[i].text, whole, strlen(whole)) == 0)
      return true;
  return false;
}

/// Did the run break something that the verdict says it takes for granted?
static bool excused(const gs_kernel_result *result, const gs_replay_result *run) {
  for (uint32_t i = 0; i < run->event_count; i++) {
    uint32_t line = run->events[i].line;
    bool counter = lists(result, "the loop's counter does not wrap when it passes its bound", line);
    switch (run->events[i].kind) {
    case GS_BROKE_SIGNED:
      if (counter || lists(result, "signed arithmetic does not overflow", line))
        return true;
      break;
    case GS_BROKE_UNSIGNED:
    case GS_BROKE_INT:
      if (counter || lists(result, "32-bit index arithmetic does not wrap", line))
        return true;
      break;
    case GS_BROKE_WRAP:
      if (counter || lists(result, "a no-wrap flag of the compiler holds", line))
        return true;
      break;
    case GS_BROKE_POINTER:
      if (lists(result, "pointer arithmetic stays inside of the array's memory", line))
        return true;
      break;
    case GS_BROKE_UNDEFINED:
      if (lists(result, "divisors are not 0 and shifts are in range", 0))
        return true;
      break;
    }
  }
  return false;
}

/// Does an access past the end of this window break something that is claimed?
static bool is_bounded(const fz_launch *l, uint32_t window) {
  uint32_t n = l->code->window_count;
  if (window < n)
    return l->code->windows[window].kind != GS_WINDOW_DYNAMIC;
  return window - n < l->launch.memory_count && l->memory[window - n].size != UINT64_MAX;
}

static void describe(const fz_launch *l, const gs_kernel_desc *desc, const gs_replay_result *run,
                     fz_report *out) {
  char launch[600], ends[60] = "";
  const gs_replay_conflict *c = &run->conflict;
  fz_launch_text(l, desc, launch, sizeof launch);
  if (run->end == GS_END_DIVERGED && !run->raced) {
    snprintf(out->text, sizeof out->text, "threads wait at different barriers; launch %s", launch);
    return;
  }
  if (run->end != GS_END_BOUNDS)
    snprintf(ends, sizeof ends, " and block %u thread %u line %u%s", c->access[1].block,
             c->access[1].thread, c->access[1].line, c->access[1].is_write ? " writes" : " reads");
  const char *name = gs_replay_window_name(l->code, c->window);
  snprintf(out->text, sizeof out->text,
           "%s at window %u (%s) byte %" PRId64 " size %u: block %u thread %u line %u%s%s; launch %s",
           run->end == GS_END_BOUNDS ? "out of bounds" : "conflict", c->window, name ? name : "a buffer",
           c->offset, c->size, c->access[0].block, c->access[0].thread, c->access[0].line,
           c->access[0].is_write ? " writes" : " reads", ends, launch);
}

static bool violates(const fz_launch *l, const gs_replay_result *run) {
  return run->raced || run->end == GS_END_DIVERGED || (run->end == GS_END_BOUNDS && is_bounded(l, run->conflict.window));
}

// --------------------------------------------------------------- proofs ----

/// Runs launches of the contract until one breaks what the verdict says; a verdict that proves
/// nothing takes nothing for granted, and a run that breaks such an assumption shows nothing.
static void judge_runs(const fz_kernel *k, const gs_kernel_desc *desc, const gs_kernel_result *result,
                       const fz_contract *contract, const gs_code *code, const fz_session *s,
                       fz_report *out) {
  bool proved = result->verdict == GS_PROVED;
  fz_random r = {k->seed * 77 + 5};
  fz_wish wish = {.flat = !proved || lists(result, "block and grid have size 1", 0), .strict = s->strict};
  uint32_t done = 0;
  fz_launch l;
  for (uint32_t i = 0; i < s->runs; i++) {
    gs_replay_result run;
    if (!fz_launch_make(k, desc, contract, code, &wish, &r, &l))
      break;
    gs_replay_run(code, &l.launch, &run);
    done++;
    if (!violates(&l, &run) || (proved ? excused(result, &run) : run.event_count > 0))
      continue;
    out->broken = true;
    out->outcome = proved ? FZ_UNSOUND : FZ_AGREES;
    describe(&l, desc, &run, out);
    return;
  }
  out->outcome = done ? FZ_AGREES : FZ_UNRUN;
}

// ------------------------------------------------------------ witnesses ----

typedef struct hunt {
  const gs_finding *finding;
  bool met;
} hunt;

static bool met(void *user, const gs_replay_conflict *c) {
  hunt *h = ((fz_launch *)user)->user;
  const gs_access_ref *a = h->finding->access;
  // The shadow may have forgotten one of the two lines for a later access.
  for (int i = 0; i < 2; i++)
    h->met |= c->access[i].line == a[0].loc.line || c->access[i].line == a[1].loc.line ||
              c->access[i].is_atomic;
  return h->met;
}

/// \returns true when the violation was met, or could not be looked for.
static bool confirmed(const fz_kernel *k, const gs_kernel_desc *desc, const fz_contract *contract,
                      const gs_code *code, const gs_finding *finding, fz_report *out) {
  enum { TRIES = 30 };
  const gs_witness *w = finding->witness;
  fz_random r = {k->seed * 31 + 9};
  fz_wish wish = {.witness = w};
  gs_dim blocks[2] = {w->ctaid[0], w->ctaid[1]};
  bool two = w->thread_count == 2 && memcmp(&blocks[0], &blocks[1], sizeof blocks[0]) != 0;
  hunt h = {.finding = finding};
  fz_launch l = {0};
  bool ran = false;
  for (int i = 0; i < TRIES; i++) {
    gs_replay_result run;
    if (!fz_launch_make(k, desc, contract, code, &wish, &r, &l))
      continue;
    l.user = &h;
    l.launch.blocks = blocks;
    l.launch.block_count = two ? 2 : 1;
    l.launch.met = met;
    l.launch.budget = 20000000;
    gs_replay_run(code, &l.launch, &run);
    if (h.met || (finding->rule == GS_RULE_OUT_OF_BOUNDS && run.end == GS_END_BOUNDS))
      return true;
    if (run.end == GS_END_BUDGET || run.end == GS_END_BOUNDS || run.end == GS_END_STUCK ||
        run.end == GS_END_TRAPPED || run.end == GS_END_DIVERGED)
      return true; // it did not come so far
    ran = true;
  }
  if (ran)
    fz_launch_text(&l, desc, out->text, sizeof out->text);
  else
    snprintf(out->text, sizeof out->text, "the witness is outside of the contract");
  return false;
}

static void judge_findings(const fz_kernel *k, const gs_kernel_desc *desc,
                           const gs_kernel_result *result, const fz_contract *contract,
                           const gs_code *code, fz_report *out) {
  out->outcome = FZ_AGREES;
  for (uint32_t i = 0; i < result->finding_count; i++) {
    const gs_finding *f = &result->findings[i];
    if (f->verdict != GS_RACE || !f->witness)
      continue;
    if (confirmed(k, desc, contract, code, f, out))
      continue;
    char tried[600];
    snprintf(tried, sizeof tried, "%.590s", out->text);
    out->outcome = fz_reads_memory(k) ? FZ_UNMET : FZ_IMPRECISE;
    snprintf(out->text, sizeof out->text, "not met: %s; last run %s", f->message, tried);
    return;
  }
}

void fz_judge(const fz_kernel *k, const gs_kernel_desc *desc, const gs_kernel_result *result,
              const gs_code *code, const fz_session *s, fz_report *out) {
  fz_contract contract;
  *out = (fz_report){.outcome = FZ_UNRUN};
  if (code && fz_contract_make(desc, &contract)) {
    if (result->verdict == GS_PROVED || s->all)
      judge_runs(k, desc, result, &contract, code, s, out);
    if (result->verdict != GS_PROVED && !s->quick)
      judge_findings(k, desc, result, &contract, code, out);
    fz_contract_free(&contract);
  }
}
