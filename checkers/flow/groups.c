// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers of some threads of a block (`bar.sync 1, 128`): who waits there is told by the
// guards, where these say which threads come by their indices alone (phases.md, "Groups").
#include "phases_private.h"

#include <string.h>

enum { MAX_CONJUNCTS = 64 };

/// Conditions of one barrier: a thread comes to it when all hold that depend on the thread.
typedef struct conditions {
  gs_term of_thread[MAX_CONJUNCTS], in_round[MAX_CONJUNCTS];
  uint32_t of_thread_count, in_round_count;
  bool fine; ///< everything else is the same for the block
} conditions;

static void add(const gs_phases *phases, gs_term t, gs_term *list, uint32_t *count, bool *fine) {
  const gs_terms *terms = phases->program->terms;
  if (!t || !*fine) {
    *fine = false;
    return;
  }
  while (gs_term_is(terms, t, GS_OP_AND) && gs_term_width(terms, t) == 1) {
    add(phases, gs_term_node(terms, t)->arg[0], list, count, fine);
    t = gs_term_node(terms, t)->arg[1];
  }
  if (gs_phases_common(phases, t, GS_LEVEL_BLOCK))
    return;
  *fine = *fine && *count < MAX_CONJUNCTS;
  if (*fine)
    list[(*count)++] = t;
}

static conditions collect(const gs_phases *phases, uint32_t block) {
  const gs_program *p = phases->program;
  conditions c = {.fine = true};
  add(phases, p->blocks[block].guard, c.of_thread, &c.of_thread_count, &c.fine);
  for (uint32_t l = p->blocks[block].loop; l != GS_NONE; l = p->loops[l].parent) {
    add(phases, p->loops[l].entry, c.of_thread, &c.of_thread_count, &c.fine);
    add(phases, p->loops[l].again, c.in_round, &c.in_round_count, &c.fine);
  }
  return c;
}

static bool is_subset(const gs_thread_set *a, const gs_thread_set *b) {
  for (int w = 0; w < GS_WARP_LANES; w++)
    if (a->warp[w] & ~b->warp[w])
      return false;
  return true;
}

static bool overlap(const gs_thread_set *a, const gs_thread_set *b) {
  for (int w = 0; w < GS_WARP_LANES; w++)
    if (a->warp[w] & b->warp[w])
      return true;
  return false;
}

/// Who comes to the barrier; false when guards do not tell, or others are counted.
static bool find_group(const gs_phases *phases, uint32_t barrier, group *out) {
  const gs_program *p = phases->program;
  conditions c = collect(phases, phases->barrier_block[barrier]);
  gs_thread_set round;
  uint64_t threads = 0, count = 0;
  gs_term size = phases->options.launch_term(phases->options.user, p->barriers[barrier].mask);
  out->member = gs_mk_bool(p->terms, true);
  for (uint32_t i = 0; i < c.of_thread_count && c.fine; i++)
    out->member = gs_mk_and(p->terms, out->member, c.of_thread[i]);
  if (!c.fine || !gs_teams_by_thread(phases->teams, out->member, &out->set))
    return false;
  // All of them go round alike.
  for (uint32_t i = 0; i < c.in_round_count; i++)
    if (!gs_teams_by_thread(phases->teams, c.in_round[i], &round) || !is_subset(&out->set, &round))
      return false;
  for (int w = 0; w < GS_WARP_LANES; w++) {
    if (out->set.warp[w] && out->set.warp[w] != UINT32_MAX)
      return false; // the hardware counts warps
    threads += out->set.warp[w] ? 32 : 0;
  }
  return size && gs_term_const(p->terms, size, &count) && count == threads;
}

/// Is every barrier that may have this id one of the same group?
static bool keeps_id(const gs_phases *phases, const uint8_t *of, uint32_t barrier) {
  const gs_program *p = phases->program;
  for (uint32_t i = 0; i < p->barrier_count; i++) {
    const gs_barrier *b = &p->barriers[i];
    bool counted = b->kind != GS_BARRIER_WARP && b->kind != GS_BARRIER_VOTE;
    if (counted && (b->id == p->barriers[barrier].id || b->id == GS_NONE) && of[i] != of[barrier])
      return false;
  }
  return true;
}

/// The number of a group, or 0: there are too many, or it shares threads with another.
static uint8_t number(gs_phases *phases, const group *g) {
  for (uint8_t i = 0; i < phases->group_count; i++) {
    const gs_thread_set *other = &phases->groups[i].set;
    if (is_subset(&g->set, other) && is_subset(other, &g->set))
      return (uint8_t)(i + 1);
    if (overlap(&g->set, other))
      return 0;
  }
  if (phases->group_count == GS_MAX_GROUPS)
    return 0;
  phases->groups[phases->group_count++] = *g;
  return phases->group_count;
}

void gs_phases_find_groups(gs_phases *phases) {
  const gs_program *p = phases->program;
  for (uint32_t i = 0; i < p->barrier_count; i++) {
    group g;
    bool some = p->barriers[i].kind == GS_BARRIER_NAMED && p->barriers[i].id < GS_CLUSTER_ID &&
                phases->wide[0][i] == GS_BARRIER_UNMODELLED;
    if (some && find_group(phases, i, &g))
      phases->group_of[i] = number(phases, &g);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < p->barrier_count; i++)
      if (phases->group_of[i] && !keeps_id(phases, phases->group_of, i)) {
        phases->group_of[i] = 0;
        changed = true;
      }
  }
}

unsigned char gs_phases_group_branch(const gs_phases *phases, const view *v, gs_term branch,
                                     unsigned char open, unsigned char first, unsigned char second) {
  gs_thread_set taken;
  uint8_t g = v->kind.group;
  if (!g || g == GS_NO_GROUP || !gs_teams_by_thread(phases->teams, branch, &taken))
    return open;
  const gs_thread_set *all = &phases->groups[g - 1].set;
  return is_subset(all, &taken) ? first : overlap(all, &taken) ? open : second;
}

gs_term gs_phases_group(const gs_phases *phases, uint32_t g) {
  return g < phases->group_count ? phases->groups[g].member : GS_NO_TERM;
}
