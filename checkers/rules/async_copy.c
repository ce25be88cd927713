// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// async-copy: between its start and the wait that completes it, an asynchronous copy may
// read its source and write its destination at any time, also for the thread that started
// it. The page is async-copy.md.
#include "confirm.h"
#include "lone.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// --------------------------------------------------------------- reports ----

/// The line of the kernel where it happens, not that of a function of the toolkit.
static uint32_t outer_line(const gs_program *p, uint32_t access) {
  return gs_place_outer(p, p->accesses[access].place).line;
}

static const char other_ways[] = "whether a wait that other ways meet completes the copy on this one";

static void report_use(gs_kernel *k, gs_violation *v, const gs_object *object, bool doubtful) {
  gs_pool *arena = k->result->arena;
  const char *reason = NULL;
  bool exact = gs_violation_is_exact(k, v, &reason);
  if (exact && doubtful) {
    exact = false;
    reason = other_ways;
  }
  gs_access_ref copy = gs_access_reference(k, v->access[0]), use = gs_access_reference(k, v->access[1]);
  const gs_access *a = &k->program->accesses[v->access[0]], *b = &k->program->accesses[v->access[1]];
  gs_finding finding = {.rule = GS_RULE_ASYNC_COPY,
                        .verdict = exact ? GS_RACE : GS_POSSIBLE,
                        .is_error = k->is_claim,
                        .loc = use.loc,
                        .reason = gs_pool_text(arena, reason),
                        .object = gs_pool_text(arena, gs_object_words(object)),
                        .access = {copy, use},
                        .access_count = 2,
                        .instances = 1};
  if (gs_trusted(k, GS_RULE_ASYNC_COPY, object, (gs_loc[]){copy.loc, use.loc}, 2))
    return;
  finding.witness = gs_violation_witness(k, v);
  if (!finding.witness)
    return;
  if (exact && !gs_both_confirmed(k, v, finding.witness, &finding.replay)) {
    finding.verdict = GS_POSSIBLE;
    finding.reason = reason = gs_refuted_visit;
  }
  const char *where = gs_words_element(k, finding.witness, object);
  finding.message = gs_pool_format(
      arena,
      "asynchronous copy in flight: %s %s '%s' while its copy of line %" PRIu32
      " may still %s it, when launched with %s",
      gs_words_thread(k, finding.witness, 1), b->async == GS_ASYNC_TO ? "copies to" : gs_words_verb(b),
      where, outer_line(k->program, v->access[0]), a->is_write ? "write" : "read", gs_words_launch(k, finding.witness));
  if (reason)
    gs_result_note(k->result, &finding, (gs_loc){0}, gs_pool_format(arena, "this hangs on %s", reason));
  gs_result_note(k->result, &finding, (gs_loc){0},
                 "wait first: __pipeline_commit() and __pipeline_wait_prior(0), or cp.async.wait_all");
  gs_result_add(k->result, &finding);
}

static void report_unknown(gs_kernel *k, uint32_t place, const char *reason) {
  gs_loc loc = gs_place_loc(k->program, place);
  if (!gs_trusted(k, GS_RULE_ASYNC_COPY, NULL, &loc, 1))
    gs_report_unknown(k, GS_RULE_ASYNC_COPY, loc, "that asynchronous copies are complete", reason);
}

// ------------------------------------------------------------------- uses ----

/// Does the same thread touch what its copy still reads or writes?
static void decide(gs_kernel *k, const gs_flight_use *use, uint32_t ta, uint32_t tb) {
  const gs_program *p = k->program;
  uint32_t together = gs_loop_depth(p, gs_common_loop(p, gs_phases_block(k->phases, use->copy),
                                                     gs_phases_block(k->phases, use->use)));
  gs_meeting meeting = {.same_block = true,
                        .self = true,
                        .phase = {.exact = true, .barrier = GS_NONE, .doubtful = GS_NONE,
                                  .tied = together}};
  gs_case c;
  gs_model model = {0};
  if (!gs_scene_meet(k->scene, k->phases, &meeting, use->copy, ta, use->use, tb, &c))
    return;
  gs_answer answer = gs_prover_exhausted(k->prover)
                         ? GS_ANSWER_DONT_KNOW
                         : gs_prover_decide(k->prover, &c, true, GS_NO_TERM, &model);
  if (answer == GS_ANSWER_YES) {
    gs_violation v = {.rule = GS_RULE_ASYNC_COPY, .access = {use->copy, use->use}, .target = {ta, tb},
                      .count = 2, .meeting = meeting, .c = &c, .model = &model};
    report_use(k, &v, &p->objects[p->accesses[use->copy].targets[ta].object], use->is_doubtful);
  } else if (answer == GS_ANSWER_DONT_KNOW) {
    report_unknown(k, p->accesses[use->use].place, "the solver gave up within its budget");
  }
  gs_model_free(&model);
}

/// Is there a finding about these two places already? One for each is enough.
static bool is_told(const gs_kernel *k, const gs_flight_use *use) {
  const gs_program *p = k->program;
  gs_loc copy = gs_place_loc(p, p->accesses[use->copy].place), at = gs_place_loc(p, p->accesses[use->use].place);
  for (uint32_t i = 0; i < k->result->finding_count; i++) {
    const gs_finding *f = &k->result->findings[i];
    if (f->rule == GS_RULE_ASYNC_COPY && f->access_count == 2 && f->verdict == GS_RACE &&
        f->access[0].loc.line == copy.line && f->access[0].loc.column == copy.column &&
        f->access[1].loc.line == at.line && f->access[1].loc.column == at.column)
      return true;
  }
  return false;
}

static void check_use(gs_kernel *k, const gs_flight_use *use) {
  const gs_program *p = k->program;
  const gs_access *x = &p->accesses[use->copy], *y = &p->accesses[use->use];
  if (is_told(k, use))
    return;
  for (uint32_t i = 0; i < x->target_count; i++)
    for (uint32_t j = 0; j < y->target_count; j++) {
      const gs_object *o = &p->objects[x->targets[i].object], *q = &p->objects[y->targets[j].object];
      bool either = gs_is_vague(o->kind) || gs_is_vague(q->kind);
      if (either && !gs_is_private(o->kind) && !gs_is_private(q->kind))
        report_unknown(k, y->place, "a pointer of unknown origin may point to what is being copied");
      else if (o == q)
        decide(k, use, i, j);
    }
}

// ----------------------------------------------------------------- copies ----

/// No way from the copy meets a wait that completes it.
static void check_waited(gs_kernel *k, uint32_t copy) {
  const gs_program *p = k->program;
  for (uint32_t t = 0; t < p->accesses[copy].target_count; t++) {
    const gs_object *object = &p->objects[p->accesses[copy].targets[t].object];
    gs_lone lone;
    gs_finding f;
    gs_answer answer = gs_lone_access(k, GS_RULE_ASYNC_COPY, copy, t, GS_NO_TERM, &lone);
    if (answer == GS_ANSWER_YES &&
        gs_lone_finding(k, &lone, gs_place_loc(p, p->accesses[copy].place), object, &f)) {
      f.message = gs_pool_format(k->result->arena,
                                 "%sasynchronous copy that is never waited for: %s copies to '%s', when launched with %s",
                                 gs_lone_doubt(&f), gs_words_thread(k, f.witness, 0),
                                 gs_words_element(k, f.witness, object), gs_words_launch(k, f.witness));
      gs_lone_report(k, &f, "wait for it: __pipeline_commit() and __pipeline_wait_prior(0), or cp.async.wait_all");
    } else if (answer == GS_ANSWER_DONT_KNOW) {
      report_unknown(k, p->accesses[copy].place, "the solver gave up within its budget");
    }
    gs_lone_free(&lone);
  }
}

/// Does some barrier count threads that have returned as arrived?
static bool counts_returned(const gs_kernel *k) {
  for (uint32_t i = 0; i < k->program->barrier_count; i++)
    if (gs_phases_barrier_use(k->phases, i) == GS_BARRIER_ORDERS_LIVE)
      return true;
  return false;
}

static void check_flight(gs_kernel *k, const gs_flight *f) {
  const gs_program *p = k->program;
  uint32_t place = p->accesses[f->to].place;
  if (f->from == GS_NONE) {
    report_unknown(k, place, "a copy has no source");
  } else if (f->is_open) {
    report_unknown(k, place,
                   gs_pool_format(k->result->arena,
                                  "there are too many ways on which the copy of line %" PRIu32 " may be in flight",
                                  outer_line(p, f->to)));
  } else if (!f->completes) {
    check_waited(k, f->to);
  } else if (f->ends && counts_returned(k)) {
    report_unknown(k, place,
                   gs_pool_format(k->result->arena, "the copy of line %" PRIu32 " may be in flight when its thread returns, "
                                                    "and barriers count that thread as arrived",
                                  outer_line(p, f->to)));
  }
}

void gs_rule_async_copy(gs_kernel *k) {
  const gs_program *p = k->program;
  for (uint32_t i = 0; i < p->flight_count; i++)
    check_flight(k, &p->flights[i]);
  for (uint32_t i = 0; i < p->flight_use_count; i++)
    check_use(k, &p->flight_uses[i]);
}
