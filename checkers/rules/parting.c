// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "parting.h"

#include <stdlib.h>

static uint32_t loop_of(const gs_program *p, uint32_t block) { return p->blocks[block].loop; }

/// May two of the threads that are looked at disagree about it?
static bool differs(const gs_parting *q, gs_term t) {
  gs_level alike = q->same == GS_WARP_SHIFT && gs_phases_votes_hold(q->k->phases, GS_LEVEL_WARP)
                       ? GS_LEVEL_WARP : GS_LEVEL_BLOCK;
  if (t && q->same && gs_phases_team_agrees(q->k->phases, t, q->same))
    return false;
  if (!t || gs_term_node(q->k->program->terms, t)->level > alike)
    return true;
  return gs_phases_doubts(q->k->phases, t);
}

// ----------------------------------------------------------- the two threads ----

static uint32_t hold_entries(const gs_program *p, uint32_t loop, gs_term *out, uint32_t n) {
  for (uint32_t l = loop; l != GS_NONE && n < GS_MAX_HOLDS - 3; l = p->loops[l].parent)
    out[n++] = p->loops[l].entry;
  return n;
}

/// The nearest place before `block`, in the loop `loop`, that is passed under another
/// condition: a thread that is there has not returned yet. GS_NONE = where the loop begins.
static uint32_t parting_block(const gs_parting *q, uint32_t block, uint32_t loop, gs_term live) {
  const gs_program *p = q->k->program;
  uint32_t header = loop == GS_NONE ? 0 : p->loops[loop].header;
  uint32_t d = gs_dominator_of(q->dominators, block);
  while (d != GS_NONE && (loop_of(p, d) != loop || p->blocks[d].live == live)) {
    if (d == header)
      return GS_NONE;
    d = gs_dominator_of(q->dominators, d);
  }
  return d;
}

static uint32_t hold_missing(const gs_parting *q, gs_pair *pair, uint32_t *count) {
  const gs_program *p = q->k->program;
  const gs_part *at = &pair->part;
  uint32_t loop = at->loop, n = 0, d = GS_NONE;
  switch (at->kind) {
  case GS_PART_ENTRY:
    loop = p->loops[at->loop].parent;
    d = parting_block(q, at->block, loop, p->loops[at->loop].live_entry);
    break;
  case GS_PART_AGAIN: break;
  case GS_PART_GUARD: d = parting_block(q, at->block, loop, p->blocks[at->block].live); break;
  case GS_PART_SKIP: d = at->block; break;
  }
  n = hold_entries(p, loop, pair->holds[1], n);
  if (d != GS_NONE && !q->exited)
    pair->holds[1][n++] = p->blocks[d].guard;
  pair->holds[1][n++] = at->missed;
  *count = n;
  pair->branch = d;
  return loop;
}

static bool set_up(const gs_parting *q, const gs_part *at, gs_pair *out) {
  const gs_program *p = q->k->program;
  uint32_t inner = loop_of(p, q->block), n = hold_entries(p, inner, out->holds[0], 0);
  out->part = *at;
  out->holds[0][n++] = p->blocks[q->block].guard;
  out->spots[0] = (gs_spot){.loop = inner, .holds = out->holds[0], .count = n, .plain = true};
  uint32_t loop = hold_missing(q, out, &n);
  out->spots[1] = (gs_spot){.loop = loop, .holds = out->holds[1], .count = n, .plain = true};
  out->meeting = (gs_meeting){
      .same_block = true,
      .same = q->same,
      .phase = {.tied = gs_loop_depth(p, loop), .exact = true, .barrier = GS_NONE, .doubtful = GS_NONE}};
  if (at->kind == GS_PART_AGAIN) { // it left in an earlier iteration
    out->meeting.phase.tied--;
    out->meeting.phase.step = GS_STEP_FIRST_LATER;
  }
  return !gs_prover_exhausted(q->k->prover) &&
         gs_scene_meet_spots(q->k->scene, q->k->phases, &out->meeting, out->spots, &out->c);
}

uint32_t gs_part_line(const gs_program *p, const gs_pair *pair) {
  uint32_t line = pair->branch != GS_NONE ? gs_place_loc(p, p->blocks[pair->branch].place).line : 0;
  bool in_loop = pair->part.kind == GS_PART_AGAIN || pair->part.kind == GS_PART_ENTRY;
  return !line && in_loop && pair->part.loop != GS_NONE ? gs_place_loc(p, p->loops[pair->part.loop].place).line : line;
}

bool gs_part_leaves_loop(const gs_program *p, const gs_pair *pair) {
  uint32_t b = pair->branch;
  if (pair->part.kind == GS_PART_AGAIN)
    return true;
  if (pair->part.kind != GS_PART_GUARD || b == GS_NONE || loop_of(p, b) == GS_NONE ||
      p->loops[loop_of(p, b)].header != b)
    return false;
  for (uint32_t s = 0; s < p->blocks[b].succ_count; s++) {
    uint32_t l = loop_of(p, p->blocks[b].succ[s]);
    while (l != GS_NONE && l != loop_of(p, b))
      l = p->loops[l].parent;
    if (l == GS_NONE)
      return true;
  }
  return false;
}

// ------------------------------------------------------------ conditions ----

static gs_outcome judge(const gs_parting *q, const gs_part *at) {
  gs_pair pair;
  if (!at->missed || !set_up(q, at, &pair))
    return GS_OUTCOME_UNDECIDED;
  return pair.c.distinct_count ? q->judge(q->user, &pair) : GS_OUTCOME_NO;
}

static gs_outcome worse(gs_outcome a, gs_outcome b) { return a > b ? a : b; }

static gs_outcome judge_loop(const gs_parting *q, uint32_t loop) {
  const gs_program *p = q->k->program;
  const gs_loop *l = &p->loops[loop];
  gs_term conditions[2] = {q->exited ? l->again : l->live_again,
                           q->exited ? l->entry : l->live_entry};
  gs_outcome all = GS_OUTCOME_NO;
  for (int c = 0; c < 2 && all != GS_OUTCOME_CERTAIN; c++) {
    if (!differs(q, conditions[c]))
      continue;
    gs_part at = {.kind = c ? GS_PART_ENTRY : GS_PART_AGAIN, .loop = loop, .block = l->header,
                  .missed = conditions[c] ? gs_mk_not(p->terms, conditions[c]) : GS_NO_TERM};
    all = worse(all, judge(q, &at));
  }
  return all;
}

gs_outcome gs_parting_conditions(const gs_parting *q) {
  const gs_program *p = q->k->program;
  const gs_block *b = &p->blocks[q->block];
  gs_outcome all = GS_OUTCOME_NO;
  gs_term guard = q->exited ? b->guard : b->live;
  if (gs_loop_depth(p, b->loop) > GS_MAX_HOLDS - 4)
    return GS_OUTCOME_UNDECIDED;
  if (differs(q, guard)) {
    gs_part at = {.kind = GS_PART_GUARD, .loop = b->loop, .block = q->block,
                  .missed = guard ? gs_mk_not(p->terms, guard) : GS_NO_TERM};
    all = judge(q, &at);
  }
  for (uint32_t l = b->loop; l != GS_NONE && all != GS_OUTCOME_CERTAIN; l = p->loops[l].parent)
    all = worse(all, judge_loop(q, l));
  return all;
}

// ----------------------------------------------------------------- skips ----

/// Can a thread come from one block to another in one iteration of the loops around the latter?
static bool leads_to(const gs_program *p, uint32_t from, uint32_t to) {
  bool leads = gs_path_ahead(p, from, to);
  for (uint32_t l = loop_of(p, from); l != GS_NONE && !leads && !gs_loop_holds(p, l, to); l = p->loops[l].parent)
    leads = gs_path_ahead(p, p->loops[l].header, to);
  return leads;
}

/// Does a thread that comes here go round the loop again?
static bool goes_round(const gs_program *p, uint32_t block) {
  for (uint32_t s = 0; s < p->blocks[block].succ_count; s++)
    for (uint32_t l = loop_of(p, block); l != GS_NONE; l = p->loops[l].parent)
      if (p->loops[l].header == p->blocks[block].succ[s])
        return true;
  return false;
}

/// Does something happen behind both blocks: do the ways meet again before the end?
static bool meet_again(const gs_program *p, uint32_t a, uint32_t b, unsigned char *from_a,
                       unsigned char *from_b) {
  if (!gs_reach_ahead(p, a, from_a) || !gs_reach_ahead(p, b, from_b))
    return false;
  for (uint32_t i = 0; i < p->block_count; i++)
    if (from_a[i] && from_b[i] && (p->blocks[i].event_count || goes_round(p, i)))
      return true;
  return false;
}

typedef enum edge_kind { EDGE_TO, EDGE_PAST, EDGE_RETURN } edge_kind;

/// Where an edge from a block before the one in question leads: on to it, past it, or to
/// the end of the kernel by a way of its own.
static edge_kind kind_of(const gs_parting *q, uint32_t to, unsigned char *from_to, unsigned char *from_it) {
  const gs_program *p = q->k->program;
  if (leads_to(p, to, q->block))
    return EDGE_TO;
  return gs_path_ahead(p, q->block, to) || meet_again(p, to, q->block, from_to, from_it)
             ? EDGE_PAST : EDGE_RETURN;
}

static bool has_other_ways_in(const gs_program *p, uint32_t block, uint32_t from) {
  for (uint32_t b = 0; b < p->block_count; b++)
    for (uint32_t s = 0; s < p->blocks[b].succ_count; s++)
      if (p->blocks[b].succ[s] == block && b != from)
        return true;
  return false;
}

/// What holds of a thread at block `d` that goes past: of a two-way branch its condition, of
/// a switch that it takes none of the other ways. GS_NO_TERM = nobody does, or not known.
/// \param loose set when it may hold of threads that take another way, too: a block with several
/// ways in does not tell who came by this one
static gs_term past_condition(const gs_parting *q, uint32_t d, unsigned char *from_to,
                              unsigned char *from_it, bool *loose) {
  const gs_program *p = q->k->program;
  gs_terms *t = p->terms;
  const gs_block *b = &p->blocks[d];
  gs_term past = gs_mk_bool(t, false), not_others = gs_mk_bool(t, true);
  bool any = false, two = b->succ_count == 2 && b->branch;
  *loose = false;
  for (uint32_t s = 0; s < b->succ_count; s++) {
    bool goes_past = kind_of(q, b->succ[s], from_to, from_it) == EDGE_PAST;
    any |= goes_past;
    if (two && goes_past)
      past = gs_mk_or(t, past, s ? gs_mk_not(t, b->branch) : b->branch);
    else if (!goes_past && has_other_ways_in(p, b->succ[s], d))
      *loose = !two;
    else if (!goes_past)
      not_others = gs_mk_and(t, not_others, gs_mk_not(t, p->blocks[b->succ[s]].guard));
  }
  if (!any)
    return GS_NO_TERM;
  return two ? past : not_others;
}

static bool dominates(const gs_parting *q, uint32_t d) {
  uint32_t b = q->block;
  while (b != GS_NONE && b != d)
    b = gs_dominator_of(q->dominators, b);
  return b == d;
}

/// Do all threads that come to the block in question go the same way at `d`, which leads there?
/// They all passed it if it is on every way, or if all threads come to it alike.
static bool ways_agree(const gs_parting *q, uint32_t d) {
  const gs_program *p = q->k->program;
  const gs_block *b = &p->blocks[d];
  if (!b->branch || differs(q, b->branch))
    return false;
  if (dominates(q, d))
    return true;
  bool alike = !differs(q, b->guard);
  for (uint32_t l = b->loop; l != GS_NONE && alike; l = p->loops[l].parent)
    alike = !differs(q, p->loops[l].entry) && !differs(q, p->loops[l].again);
  return alike;
}

gs_outcome gs_parting_skips(const gs_parting *q) {
  const gs_program *p = q->k->program;
  unsigned char *from_to = calloc(p->block_count + 1u, 1), *from_it = calloc(p->block_count + 1u, 1);
  gs_outcome all = from_to && from_it ? GS_OUTCOME_NO : GS_OUTCOME_UNDECIDED;
  for (uint32_t d = 0; d < p->block_count && from_to && from_it && all != GS_OUTCOME_CERTAIN; d++) {
    const gs_block *b = &p->blocks[d];
    if (d == q->block || b->succ_count < 2 || !leads_to(p, d, q->block) || ways_agree(q, d))
      continue;
    gs_part at = {.kind = GS_PART_SKIP, .loop = b->loop, .block = d};
    at.missed = past_condition(q, d, from_to, from_it, &at.loose);
    if (!at.missed || (!differs(q, at.missed) && dominates(q, d)))
      continue;
    // Out of a loop that is not around the block: which iterations go together is not known.
    bool apart = b->loop != GS_NONE && !gs_loop_holds(p, b->loop, q->block);
    all = worse(all, apart ? GS_OUTCOME_UNDECIDED : judge(q, &at));
  }
  free(from_to);
  free(from_it);
  return all;
}
