// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// warp-mask: the constant mask of a warp operation does not name the lanes that execute
// it. The page is warp-mask.md.
#include "confirm.h"
#include "lone.h"
#include "parting.h"

#include <inttypes.h>
#include <string.h>

enum { LAST_LANE = 31 };

/// One operation under question.
typedef struct quest {
  gs_kernel *k;
  const gs_warp_op *op;
  gs_finding best;
  gs_outcome found;
} quest;

/// "The mask names the lane of this thread."
static gs_term names_lane(gs_terms *t, gs_term linear, uint32_t mask) {
  if (mask == UINT32_MAX)
    return gs_mk_bool(t, true);
  gs_term lane = gs_mk_bin(t, GS_OP_AND, linear, gs_mk_const(t, LAST_LANE, 32));
  gs_term bit = gs_mk_bin(t, GS_OP_LSHR, gs_mk_const(t, mask, 32), lane);
  return gs_mk_bin(t, GS_OP_EQ, gs_mk_bin(t, GS_OP_AND, bit, gs_mk_const(t, 1, 32)),
                   gs_mk_const(t, 1, 32));
}

/// Where the program asks for the operation: outside of the file that wraps the instruction.
static gs_loc loc_of(const gs_program *p, const gs_warp_op *op) {
  gs_loc inner = gs_place_loc(p, op->place), loc = inner;
  for (uint32_t at = op->place; at && p->places[at].inlined_at != GS_NONE && loc.file && inner.file &&
                                strcmp(loc.file, inner.file) == 0;) {
    at = p->places[at].inlined_at;
    loc = gs_place_loc(p, at);
  }
  return loc;
}

static void undecided(gs_kernel *k, const gs_warp_op *op) {
  gs_report_unknown(k, GS_RULE_WARP_MASK, loc_of(k->program, op),
                    "that the mask names the lanes that execute this warp operation",
                    "the solver gave up within its budget");
}

// -------------------------------------------------------- not in the mask ----

/// A lane that executes the operation and is not named. \returns true when something was said.
static bool check_self(gs_kernel *k, const gs_warp_op *op) {
  gs_terms *t = k->program->terms;
  gs_lone lone;
  gs_finding f;
  if (op->mask == UINT32_MAX)
    return false;
  gs_term other = gs_mk_not(t, names_lane(t, gs_program_thread_index(k->program), op->mask));
  gs_answer answer = gs_lone_block(k, GS_RULE_WARP_MASK, op->block, false, other, &lone);
  lone.line = gs_place_loc(k->program, op->place).line;
  if (answer == GS_ANSWER_DONT_KNOW)
    undecided(k, op);
  if (answer == GS_ANSWER_YES &&
      gs_lone_finding(k, &lone, loc_of(k->program, op), NULL, &f)) {
    f.message = gs_pool_format(k->result->arena,
                               "%swrong mask of a warp operation: %s executes it, and the mask 0x%" PRIx32
                               " does not name its lane, when launched with %s",
                               gs_lone_doubt(&f), gs_words_thread(k, f.witness, 0), op->mask,
                               gs_words_launch(k, f.witness));
    gs_lone_report(k, &f, "name every lane that executes the operation, and no other");
  }
  gs_lone_free(&lone);
  return answer != GS_ANSWER_NO;
}

// ---------------------------------------------------------------- missing ----

/// Another operation that the second thread executes in place of this one, perhaps.
static bool meets_elsewhere(const quest *q, const gs_violation *v) {
  const gs_program *p = q->k->program;
  for (uint32_t i = 0; i < p->warp_op_count; i++) {
    const gs_warp_op *other = &p->warp_ops[i];
    if (other == q->op || other->mask != q->op->mask || other->is_barrier != q->op->is_barrier ||
        other->block == q->op->block || p->blocks[other->block].loop != p->blocks[q->op->block].loop)
      continue;
    bool first = false, second = false;
    bool known = gs_violation_holds(q->k, v, 0, p->blocks[other->block].guard, &first) &&
                 gs_violation_holds(q->k, v, 1, p->blocks[other->block].guard, &second);
    if (!known || (second && !first))
      return true;
  }
  return false;
}

/// Keeps the finding if it is worth more than what was found so far. \returns what a run of it
/// left of the outcome.
static gs_outcome keep(quest *q, const gs_pair *pair, const gs_violation *v, gs_outcome outcome,
                       const char *reason) {
  gs_kernel *k = q->k;
  const gs_program *p = k->program;
  gs_pool *arena = k->result->arena;
  gs_finding f = {.rule = GS_RULE_WARP_MASK, .instances = 1, .is_error = k->is_claim, .loc = loc_of(p, q->op)};
  f.loc.file = gs_pool_text(arena, f.loc.file);
  f.witness = gs_violation_witness(k, v);
  if (!f.witness)
    return outcome;
  gs_rerun_place place = {GS_STOP_WARP, gs_place_loc(p, q->op->place).line, gs_part_line(p, pair)};
  if (outcome == GS_OUTCOME_CERTAIN && !gs_visit_confirmed(k, f.witness, &place, &f.replay)) {
    outcome = GS_OUTCOME_DOUBTFUL;
    reason = gs_refuted_visit;
  }
  if (outcome <= q->found)
    return outcome;
  f.verdict = outcome == GS_OUTCOME_CERTAIN ? GS_RACE : GS_POSSIBLE;
  f.reason = gs_pool_text(arena, reason);
  f.message = gs_pool_format(arena,
                             "%swrong mask of a warp operation: %s executes it, and %s of the same warp, "
                             "which the mask 0x%" PRIx32 " names, does not, when launched with %s",
                             f.verdict == GS_POSSIBLE ? "possible " : "",
                             gs_words_thread(k, f.witness, 0), gs_words_thread(k, f.witness, 1),
                             q->op->mask, gs_words_launch(k, f.witness));
  if (reason)
    gs_result_note(k->result, &f, (gs_loc){0}, gs_pool_format(arena, "this hangs on %s", reason));
  if (pair->branch != GS_NONE && gs_place_loc(p, p->blocks[pair->branch].place).line)
    gs_result_note(k->result, &f, gs_place_loc(p, p->blocks[pair->branch].place),
                   "the lanes part at this condition");
  gs_result_note(k->result, &f, (gs_loc){0},
                 "let all lanes of the mask execute it, or take the mask before the condition: "
                 "mask = __ballot_sync(0xffffffff, condition)");
  q->best = f;
  q->found = outcome;
  return outcome;
}

static gs_outcome judge(void *user, gs_pair *pair) {
  quest *q = user;
  gs_kernel *k = q->k;
  gs_terms *t = k->program->terms;
  gs_term extra = names_lane(t, gs_words_linear(k, 1), q->op->mask);
  gs_model model = {0};
  gs_answer answer = gs_prover_decide(k->prover, &pair->c, false, extra, &model);
  if (answer != GS_ANSWER_YES)
    return answer == GS_ANSWER_NO ? GS_OUTCOME_NO : GS_OUTCOME_UNDECIDED;
  gs_violation v = {.rule = GS_RULE_WARP_MASK, .count = 2, .spots = pair->spots,
                    .meeting = pair->meeting, .c = &pair->c, .model = &model};
  const char *reason = NULL;
  bool exact = gs_violation_is_exact(k, &v, &reason) && !pair->part.loose;
  if (pair->part.loose && !reason)
    reason = GS_LOOSE_REASON;
  if (exact && pair->part.kind != GS_PART_AGAIN && meets_elsewhere(q, &v)) {
    exact = false;
    reason = "whether the lanes meet at different places: __syncwarp() allows it, and other "
             "operations of one kind the hardware may join";
  }
  gs_outcome outcome = exact ? GS_OUTCOME_CERTAIN : GS_OUTCOME_DOUBTFUL;
  if (outcome > q->found)
    outcome = keep(q, pair, &v, outcome, reason);
  gs_model_free(&model);
  return outcome;
}

/// A lane that is named, has not returned, and does not come.
static void check_missing(gs_kernel *k, const gs_dominators *dominators, const gs_warp_op *op) {
  quest q = {.k = k, .op = op};
  gs_parting parting = {.k = k, .dominators = dominators, .block = op->block,
                        .same = GS_WARP_SHIFT, .judge = judge, .user = &q};
  gs_loc loc = loc_of(k->program, op);
  gs_outcome outcome = gs_parting_conditions(&parting);
  if (outcome == GS_OUTCOME_NO)
    outcome = gs_parting_skips(&parting);
  if (q.found != GS_OUTCOME_NO) {
    if (!gs_trusted(k, GS_RULE_WARP_MASK, NULL, &loc, 1))
      gs_result_add(k->result, &q.best);
  } else if (outcome == GS_OUTCOME_UNDECIDED) {
    undecided(k, op);
  }
}

void gs_rule_warp_mask(gs_kernel *k) {
  const gs_program *p = k->program;
  gs_dominators *dominators = p->warp_op_count ? gs_dominators_new(p) : NULL;
  for (uint32_t i = 0; dominators && i < p->warp_op_count; i++) {
    const gs_warp_op *op = &p->warp_ops[i];
    // The same lanes as at the operation before: asked already.
    if (i && p->warp_ops[i - 1].block == op->block && p->warp_ops[i - 1].mask == op->mask)
      continue;
    if (gs_lone_is_new(k, GS_RULE_WARP_MASK, loc_of(p, op)) && !check_self(k, op))
      check_missing(k, dominators, op);
  }
  gs_dominators_free(dominators);
}
