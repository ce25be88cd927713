// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// barrier-divergence: a block barrier that some threads of a block reach and others do
// not. The page is barrier-divergence.md.
#include "confirm.h"
#include "parting.h"

#include <stdlib.h>

enum { WARP = 32 };

/// One barrier under question.
typedef struct quest {
  gs_kernel *k;
  uint32_t barrier, block;
  bool exited; ///< the others are left out only where they return
  bool remark; ///< a listed assumption excuses it
  gs_finding best; ///< found so far
  gs_outcome found;
} quest;

// ----------------------------------------------------------------- words ----

static void note_calls(gs_kernel *k, gs_finding *f, uint32_t place) {
  const gs_program *p = k->program;
  for (uint32_t at = p->places[place].inlined_at; at != GS_NONE; at = p->places[at].inlined_at)
    gs_result_note(k->result, f, p->places[at].loc, "the barrier is reached through this call");
}

/// Does nothing at all happen from the block on?
static bool ends_there(const gs_program *p, uint32_t block) {
  unsigned char *ahead = calloc(p->block_count + 1u, 1);
  bool ends = ahead && gs_reach_ahead(p, block, ahead);
  for (uint32_t i = 0; i < p->block_count && ends; i++)
    ends = !ahead[i] || !p->blocks[i].event_count;
  free(ahead);
  return ends;
}

/// Do the threads part where one leaves the kernel from inside of a loop?
static bool returns_in_loop(const gs_program *p, const gs_pair *pair) {
  uint32_t b = pair->branch;
  if (pair->part.kind != GS_PART_GUARD || b == GS_NONE || p->blocks[b].loop == GS_NONE ||
      gs_part_leaves_loop(p, pair))
    return false;
  for (uint32_t s = 0; s < p->blocks[b].succ_count; s++)
    if (p->blocks[p->blocks[b].succ[s]].loop == GS_NONE && ends_there(p, p->blocks[b].succ[s]))
      return true;
  return false;
}

static bool returned(const quest *q, const gs_pair *pair) {
  return (q->exited && pair->part.kind != GS_PART_SKIP) || returns_in_loop(q->k->program, pair);
}

static const char *advice(const quest *q, const gs_pair *pair) {
  if (returned(q, pair))
    return "let no thread return before the last barrier; put its work under a condition instead";
  if (gs_part_leaves_loop(q->k->program, pair))
    return "let all threads of the block go round the loop equally often (round the number of "
           "iterations up), and put the work of each thread under its condition";
  return "put the barrier where all threads of the block pass, and only the work under the "
         "condition";
}

static void note_parting(const quest *q, gs_finding *f, const gs_pair *pair) {
  const gs_program *p = q->k->program;
  uint32_t branch = pair->branch;
  if (gs_part_leaves_loop(p, pair))
    gs_result_note(q->k->result, f, gs_place_loc(p, p->loops[pair->part.loop].place),
                   "the threads leave this loop in different iterations");
  else if (pair->part.kind == GS_PART_ENTRY && (branch == GS_NONE || !p->blocks[branch].place))
    gs_result_note(q->k->result, f, gs_place_loc(p, p->loops[pair->part.loop].place),
                   "not all threads enter this loop");
  else if (branch != GS_NONE && gs_place_loc(p, p->blocks[branch].place).line)
    gs_result_note(q->k->result, f, gs_place_loc(p, p->blocks[branch].place),
                   "the threads part at this condition");
}

static const char *message(const quest *q, const gs_pair *pair, const gs_finding *f) {
  gs_kernel *k = q->k;
  const char *how = returned(q, pair)                         ? "has returned before"
                    : gs_part_leaves_loop(k->program, pair) ? "has left the loop before"
                                                              : "does not";
  return gs_pool_format(k->result->arena,
                        "%sbarrier divergence: %s reaches the barrier and %s %s, when launched with %s",
                        f->verdict == GS_POSSIBLE ? "possible " : "",
                        gs_words_thread(k, f->witness, 0), gs_words_thread(k, f->witness, 1), how,
                        gs_words_launch(k, f->witness));
}

/// Keeps the finding if it is worth more than what was found so far. \returns what a run of it
/// left of the outcome.
static gs_outcome keep(quest *q, const gs_pair *pair, const gs_violation *v, gs_outcome outcome,
                       const char *reason, uint32_t instead) {
  gs_kernel *k = q->k;
  const gs_program *p = k->program;
  gs_finding f = {.rule = GS_RULE_BARRIER_DIVERGENCE, .instances = 1,
                  .loc = gs_place_loc(p, p->barriers[q->barrier].place)};
  f.loc.file = gs_pool_text(k->result->arena, f.loc.file);
  f.witness = gs_violation_witness(k, v);
  if (!f.witness)
    return outcome;
  gs_rerun_place place = {GS_STOP_BARRIER, f.loc.line, gs_part_line(p, pair)};
  if (outcome == GS_OUTCOME_CERTAIN && !q->remark && !gs_visit_confirmed(k, f.witness, &place, &f.replay)) {
    outcome = GS_OUTCOME_DOUBTFUL;
    reason = gs_refuted_visit;
  }
  if (outcome <= q->found)
    return outcome;
  f.verdict = q->remark ? GS_PROVED : outcome == GS_OUTCOME_CERTAIN ? GS_RACE : GS_POSSIBLE;
  f.is_error = k->is_claim && f.verdict != GS_PROVED;
  f.reason = q->remark ? NULL : gs_pool_text(k->result->arena, reason);
  f.message = message(q, pair, &f);
  if (f.reason)
    gs_result_note(k->result, &f, (gs_loc){0},
                   gs_pool_format(k->result->arena, "this hangs on %s", reason));
  note_parting(q, &f, pair);
  if (instead != GS_NONE)
    gs_result_note(k->result, &f, gs_place_loc(p, p->barriers[instead].place),
                   "the other thread waits at this barrier instead");
  note_calls(k, &f, p->barriers[q->barrier].place);
  if (q->remark)
    gs_result_note(k->result, &f, (gs_loc){0},
                   "threads that have returned count as arrived: a listed assumption, which all "
                   "devices since sm_70 keep");
  gs_result_note(k->result, &f, (gs_loc){0}, advice(q, pair));
  q->best = f;
  q->found = outcome;
  return outcome;
}

// ------------------------------------------------------------- other barriers ----

/// A barrier that the second thread reaches in place of this one, as far as the model
/// tells; GS_NONE = none.
static uint32_t waits_instead(const quest *q, const gs_violation *v) {
  const gs_program *p = q->k->program;
  for (uint32_t b = 0; b < p->barrier_count; b++) {
    uint32_t block = gs_phases_barrier_block(q->k->phases, b);
    if (b == q->barrier || p->barriers[b].kind != GS_BARRIER_BLOCK ||
        p->blocks[block].loop != p->blocks[q->block].loop)
      continue;
    bool first = false, second = false;
    bool known = gs_violation_holds(q->k, v, 0, p->blocks[block].guard, &first) &&
                 gs_violation_holds(q->k, v, 1, p->blocks[block].guard, &second);
    if (!known || (second && !first))
      return b;
  }
  return GS_NONE;
}

static gs_outcome judge(void *user, gs_pair *pair) {
  quest *q = user;
  gs_kernel *k = q->k;
  gs_terms *terms = k->program->terms;
  gs_model model = {0};
  gs_answer answer = gs_prover_decide(k->prover, &pair->c, false, GS_NO_TERM, &model);
  if (answer != GS_ANSWER_YES)
    return answer == GS_ANSWER_NO ? GS_OUTCOME_NO : GS_OUTCOME_UNDECIDED;
  gs_violation v = {.rule = GS_RULE_BARRIER_DIVERGENCE, .count = 2, .spots = pair->spots,
                    .meeting = pair->meeting, .c = &pair->c, .model = &model};
  const char *reason = NULL;
  bool exact = gs_violation_is_exact(k, &v, &reason) && !pair->part.loose;
  if (pair->part.loose && !reason)
    reason = GS_LOOSE_REASON;
  uint32_t instead = exact && pair->part.kind != GS_PART_AGAIN ? waits_instead(q, &v) : GS_NONE;
  if (instead != GS_NONE) { // lanes of one warp never may
    gs_term warps[2];
    for (int who = 0; who < 2; who++)
      warps[who] = gs_mk_bin(terms, GS_OP_UDIV, gs_words_linear(k, who), gs_mk_const(terms, WARP, 32));
    gs_model closer = {0};
    gs_term same = gs_mk_bin(terms, GS_OP_EQ, warps[0], warps[1]);
    exact = gs_prover_decide(k->prover, &pair->c, false, same, &closer) == GS_ANSWER_YES;
    if (exact) {
      gs_model_free(&model);
      model = closer;
      exact = gs_violation_is_exact(k, &v, &reason);
    }
    if (!exact && !reason)
      reason = "whether the two barriers count as one, which CUDA does not promise: the hardware "
               "only counts arrivals";
  }
  gs_outcome outcome = exact ? GS_OUTCOME_CERTAIN : GS_OUTCOME_DOUBTFUL;
  if (outcome > q->found)
    outcome = keep(q, pair, &v, outcome, reason, instead);
  gs_model_free(&model);
  return outcome;
}

static void check_barrier(gs_kernel *k, const gs_dominators *dominators, uint32_t barrier) {
  quest q = {.k = k, .barrier = barrier, .block = gs_phases_barrier_block(k->phases, barrier)};
  gs_parting parting = {.k = k, .dominators = dominators, .block = q.block, .judge = judge,
                        .user = &q};
  gs_loc loc = gs_place_loc(k->program, k->program->barriers[barrier].place);
  gs_outcome outcome = GS_OUTCOME_NO;
  switch (gs_phases_own_use(k->phases, barrier)) {
  case GS_BARRIER_ORDERS: return;
  case GS_BARRIER_ELSEWHERE: return;
  case GS_BARRIER_UNMODELLED: // in too many loops
    outcome = gs_phases_reached_alike(k->program, q.block) ? GS_OUTCOME_NO : GS_OUTCOME_UNDECIDED;
    break;
  case GS_BARRIER_DIVERGES:
    outcome = gs_parting_conditions(&parting);
    if (outcome != GS_OUTCOME_CERTAIN) { // those who did not even come near
      gs_outcome skips = gs_parting_skips(&parting);
      outcome = skips > outcome ? skips : outcome;
    }
    break;
  case GS_BARRIER_ORDERS_LIVE:
    q.exited = true;
    outcome = gs_parting_skips(&parting);
    parting.exited = true;
    q.remark = !k->options->strict;
    if (outcome == GS_OUTCOME_NO && (k->options->strict || k->is_claim))
      gs_parting_conditions(&parting);
    break;
  }
  if (q.found != GS_OUTCOME_NO) {
    if (!gs_trusted(k, GS_RULE_BARRIER_DIVERGENCE, NULL, &loc, 1))
      gs_result_add(k->result, &q.best);
  } else if (outcome == GS_OUTCOME_UNDECIDED) {
    gs_report_unknown(k, GS_RULE_BARRIER_DIVERGENCE, loc,
                      "that all threads of a block reach this barrier alike",
                      "the solver gave up within its budget");
  }
}

void gs_rule_barrier_divergence(gs_kernel *k) {
  const gs_program *p = k->program;
  gs_dominators *dominators = NULL;
  for (uint32_t b = 0; b < p->barrier_count; b++) {
    if (p->barriers[b].kind != GS_BARRIER_BLOCK ||
        gs_phases_own_use(k->phases, b) == GS_BARRIER_ORDERS)
      continue;
    if (!dominators)
      dominators = gs_dominators_new(p);
    if (!dominators)
      return;
    check_barrier(k, dominators, b);
  }
  gs_dominators_free(dominators);
}
