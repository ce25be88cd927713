// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// redundant-barrier: advice about a barrier without which nothing changes. The page is
// redundant-barrier.md.
#include "pairs.h"

#include <stdlib.h>
#include <string.h>

/// Has a rule about races something to say that is not excused?
static bool has_races(const gs_result *result) {
  for (uint32_t i = 0; i < result->finding_count; i++) {
    gs_rule rule = result->findings[i].rule;
    if ((rule == GS_RULE_DATA_RACE || rule == GS_RULE_ATOMIC_MIX || rule == GS_RULE_BARRIER_DIVERGENCE) &&
        result->findings[i].verdict != GS_PROVED)
      return true;
  }
  return false;
}

/// Are all pairs still ordered when this barrier is one of no lanes?
static bool stays_free(gs_kernel *k, uint32_t barrier) {
  gs_program smaller = *k->program;
  gs_barrier *barriers = malloc((smaller.barrier_count + 1u) * sizeof *barriers);
  gs_result result = {.arena = k->result->arena};
  gs_kernel trial = *k;
  gs_prover_options options = {.effort = GS_EFFORT_MODERATE, .wary = !k->is_claim};
  bool fine = barriers != NULL;
  if (fine) {
    memcpy(barriers, smaller.barriers, smaller.barrier_count * sizeof *barriers);
    barriers[barrier].kind = GS_BARRIER_VOTE; // which orders nothing
    barriers[barrier].mask = gs_mk_const(smaller.terms, 0, 32);
    smaller.barriers = barriers;
  }
  trial.program = &smaller;
  trial.result = &result;
  trial.cheap = true; // no fixes are looked for
  trial.phases = fine ? gs_kernel_phases(&trial) : NULL;
  trial.prover = trial.phases ? gs_prover_new(k->program, k->scene, &options) : NULL;
  fine = trial.prover != NULL;
  if (fine) {
    gs_pair_query query = {.rule = GS_RULE_DATA_RACE, .what = "", .headline = "", .param = -1,
                           .barriers_order = true, .inside_block = true};
    gs_check_pairs(&trial, &query, 1);
    fine = !has_races(&result) && !gs_prover_exhausted(trial.prover);
  }
  gs_prover_free(trial.prover);
  gs_phases_free(trial.phases);
  free(barriers);
  return fine;
}

void gs_rule_redundant_barrier(gs_kernel *k) {
  const gs_program *p = k->program;
  // Where races are left, or order by other means is not understood, no barrier is called
  // useless.
  if (k->cheap || has_races(k->result) || p->gap_count || p->has_fences)
    return;
  for (uint32_t b = 0; b < p->barrier_count; b++) {
    gs_barrier_use use = gs_phases_barrier_use(k->phases, b);
    gs_loc loc = gs_place_loc(p, p->barriers[b].place);
    if ((use != GS_BARRIER_ORDERS && use != GS_BARRIER_ORDERS_LIVE) || !stays_free(k, b))
      continue;
    loc.file = gs_pool_text(k->result->arena, loc.file);
    gs_finding f = {.rule = GS_RULE_REDUNDANT_BARRIER, .verdict = GS_PROVED, .loc = loc, .instances = 1,
                    .message = "redundant barrier: without this one, and with all others in place, the "
                               "accesses of every two threads of a block are ordered as well"};
    gs_result_note(k->result, &f, (gs_loc){0},
                   "take it away, unless it keeps the threads together for another reason (caches, timing)");
    gs_result_add(k->result, &f);
  }
}
