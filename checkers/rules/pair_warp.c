// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pairs of accesses of which one is a whole warp's, or a copy's.
#include "held_locks.h"
#include "last_block.h"
#include "pairs.h"

gs_rule gs_pair_rule(const gs_kernel *k, const gs_pair_query *query, const uint32_t access[2]) {
  const gs_access *all = k->program->accesses;
  bool race = query->rule == GS_RULE_DATA_RACE || query->rule == GS_RULE_ATOMIC_MIX;
  return race && (all[access[0]].echo || all[access[1]].echo) ? GS_RULE_ASYNC_COPY : query->rule;
}

/// Have the two threads different values?
static gs_term differ(gs_kernel *k, gs_term first, gs_term second) {
  gs_terms *t = k->program->terms;
  return gs_mk_not(t, gs_mk_bin(t, GS_OP_EQ, gs_scene_term(k->scene, 0, first),
                                gs_scene_term(k->scene, 1, second)));
}

gs_term gs_pair_threads_fact(gs_kernel *k, const gs_meeting *meeting, uint32_t a, uint32_t b, bool ordered) {
  const gs_program *p = k->program;
  gs_terms *t = p->terms;
  const gs_access *x = &p->accesses[a], *y = &p->accesses[b];
  gs_term locks = ordered ? gs_held_locks_fact(k, meeting, a, b) : GS_NO_TERM;
  if (!meeting->same_block) {
    gs_term last = gs_last_block_fact(k, meeting, a, b, ordered);
    return locks && last ? gs_mk_and(t, locks, last) : locks ? locks : last;
  }
  if (locks)
    return locks;
  if (!x->warp_key || x->warp_key != y->warp_key || x->by_rows || !x->tile || !y->tile)
    return GS_NO_TERM;
  gs_term apart = gs_mk_not(t, gs_pair_group_fact(k, GS_GROUP_SAME_WARP));
  gs_term moved = differ(k, x->tile, y->tile);
  if (x->stride && y->stride)
    moved = gs_mk_or(t, moved, differ(k, x->stride, y->stride));
  gs_term later = gs_mk_bool(t, a != b);
  for (uint32_t l = p->blocks[gs_phases_block(k->phases, a)].loop; l != GS_NONE && a == b;
       l = p->loops[l].parent)
    later = gs_mk_or(t, later, differ(k, p->loops[l].trip, p->loops[l].trip));
  return gs_mk_or(t, apart, gs_mk_and(t, moved, later));
}

bool gs_pair_meets_itself(const gs_kernel *k, gs_meeting *meeting, uint32_t a, uint32_t b) {
  const gs_access *x = &k->program->accesses[a], *y = &k->program->accesses[b];
  bool of_warp = meeting->same_block && (meeting->same || !meeting->apart);
  if (a == b || !of_warp || (!x->by_rows && !y->by_rows))
    return false;
  meeting->self = true;
  meeting->same = meeting->apart = meeting->group = 0;
  return true;
}
