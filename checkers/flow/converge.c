// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which threads a barrier ties: all that wait for each other must come to it alike
// (phases.md, "Which barriers order" and "Warps").
#include "phases_private.h"

#include <stdlib.h>
#include <string.h>

/// What is known of a warp barrier, or of a vote.
typedef struct lanes {
  uint8_t steady;  ///< teams of 2^steady come to it alike, all with one mask; 0 = none
  bool live;       ///< ... of the threads that have not returned
  uint8_t covered; ///< the mask of each thread that comes here holds its team of 2^covered
  uint8_t within;  ///< ... and lies in its team of 2^within
  bool known;      ///< masks by lane are known
  uint32_t mask[GS_WARP_LANES], present; ///< present: lanes that may come here
  uint8_t tie;     ///< in the end: teams of 2^tie are ordered; 0 = nobody
} lanes;

// -------------------------------------------------------------- agreement ----

bool gs_phases_common(const gs_phases *phases, gs_term t, gs_level level) {
  const gs_terms *terms = phases->program->terms;
  gs_level own = t ? (gs_level)gs_term_node(terms, t)->level : GS_LEVEL_THREAD;
  if (own > level || own <= GS_LEVEL_GRID || phases->blocks_agree)
    return own <= level;
  uint32_t count = gs_sym_count(terms);
  unsigned char *seen = calloc(count + 1u, 1);
  bool common = seen != NULL;
  if (seen)
    gs_term_syms(terms, t, seen);
  for (uint32_t s = 0; s < count && common; s++)
    common = !seen[s] || !gs_program_is_voted(gs_sym_get(terms, s));
  free(seen);
  return common;
}

bool gs_phases_doubts(const gs_phases *phases, gs_term t) {
  return phases->options.doubt_blocks && !gs_phases_common(phases, t, GS_LEVEL_BLOCK);
}

bool gs_phases_team_agrees(const gs_phases *phases, gs_term t, uint32_t shift) {
  return phases->teams && gs_teams_vary(phases->teams, t, shift) == 0;
}

/// Do all threads of a block (or of the grid) agree on when they come to `block`?
static bool reached_alike(const gs_phases *phases, uint32_t block, bool live, gs_level level) {
  const gs_program *p = phases->program;
  const gs_block *b = &p->blocks[block];
  if (!gs_phases_common(phases, live ? b->live : b->guard, level))
    return false;
  for (uint32_t l = b->loop; l != GS_NONE; l = p->loops[l].parent) {
    const gs_loop *loop = &p->loops[l];
    if (!gs_phases_common(phases, live ? loop->live_entry : loop->entry, level) ||
        !gs_phases_common(phases, live ? loop->live_again : loop->again, level))
      return false;
  }
  return true;
}

bool gs_phases_reached_alike(const gs_program *p, uint32_t block) {
  gs_phases plain = {.program = p, .blocks_agree = true};
  return reached_alike(&plain, block, false, GS_LEVEL_BLOCK);
}

/// The same of the threads of each team of 2^shift.
static bool team_alike(const gs_phases *phases, uint32_t block, bool live, uint32_t shift) {
  const gs_program *p = phases->program;
  const gs_block *b = &p->blocks[block];
  bool alike = gs_teams_vary(phases->teams, live ? b->live : b->guard, shift) == 0;
  for (uint32_t l = b->loop; l != GS_NONE && alike; l = p->loops[l].parent) {
    const gs_loop *loop = &p->loops[l];
    alike = gs_teams_vary(phases->teams, live ? loop->live_entry : loop->entry, shift) == 0 &&
            gs_teams_vary(phases->teams, live ? loop->live_again : loop->again, shift) == 0;
  }
  return alike;
}

static bool too_deep(const gs_program *p, uint32_t block) {
  uint32_t loop = p->blocks[block].loop;
  return loop != GS_NONE && p->loops[loop].depth > GS_MAX_WALK_DEPTH;
}

// ----------------------------------------------------------------- blocks ----

/// Does a barrier with a thread count wait for the whole block? The hardware counts warps.
static bool is_whole(const gs_phases *phases, gs_term count) {
  const gs_phases_options *o = &phases->options;
  const gs_program *p = phases->program;
  gs_terms *t = p->terms;
  gs_term size = gs_mk_bin(t, GS_OP_MUL, gs_mk_bin(t, GS_OP_MUL, p->ntid[0], p->ntid[1]), p->ntid[2]);
  gs_term warps = gs_mk_bin(t, GS_OP_AND, gs_mk_bin(t, GS_OP_ADD, size, gs_mk_const(t, 31, 32)),
                            gs_mk_const(t, ~UINT64_C(31), 32));
  size = o->launch_term(o->user, size);
  count = count ? o->launch_term(o->user, count) : count;
  if (!count || gs_term_width(t, count) != 32)
    return false;
  if (count == size || count == o->launch_term(o->user, warps))
    return true;
  gs_term differ = gs_mk_not(t, gs_mk_bin(t, GS_OP_EQ, count, size));
  return o->refute_launch && o->refute_launch(o->user, &differ, 1);
}

/// A barrier of the block, or of the grid, for threads that differ up to `level`.
static gs_barrier_use look_wide(const gs_phases *phases, uint32_t barrier, gs_level level) {
  const gs_program *p = phases->program;
  uint32_t block = phases->barrier_block[barrier];
  gs_barrier_kind kind = p->barriers[barrier].kind;
  bool of_block = kind == GS_BARRIER_BLOCK ||
                  (kind == GS_BARRIER_NAMED && is_whole(phases, p->barriers[barrier].mask));
  bool wide = kind == GS_BARRIER_GRID || (of_block && level == GS_LEVEL_BLOCK);
  if (!wide || too_deep(p, block))
    return GS_BARRIER_UNMODELLED;
  if (reached_alike(phases, block, false, level))
    return GS_BARRIER_ORDERS;
  return reached_alike(phases, block, true, level) ? GS_BARRIER_ORDERS_LIVE : GS_BARRIER_DIVERGES;
}

static bool is_warp_wide(gs_barrier_kind kind) {
  return kind == GS_BARRIER_WARP || kind == GS_BARRIER_VOTE;
}

/// The hardware counts arrivals at a barrier of one id and does not know which barrier in
/// the text a thread stands at: one that is not reached alike, or that does not wait for
/// all, spoils all others of the id.
static bool is_spoilt(const gs_phases *phases, gs_level level, uint32_t id) {
  const gs_program *p = phases->program;
  bool spoilt = false;
  for (uint32_t i = 0; i < p->barrier_count; i++) {
    const gs_barrier *b = &p->barriers[i];
    bool other = id != GS_NONE && b->id != GS_NONE && b->id != id;
    if (is_warp_wide(b->kind) || other)
      continue;
    gs_barrier_use use = phases->wide[level == GS_LEVEL_GRID][i];
    bool grid = level == GS_LEVEL_GRID; // there only those of the grid count
    spoilt |= use == GS_BARRIER_DIVERGES || (!grid && use == GS_BARRIER_UNMODELLED);
  }
  return spoilt;
}

/// What it does, with all others of its id in mind.
static gs_barrier_use wide_use_among_all(const gs_phases *phases, uint32_t barrier, bool across) {
  gs_level level = across ? GS_LEVEL_GRID : GS_LEVEL_BLOCK;
  uint32_t id = phases->program->barriers[barrier].id;
  gs_barrier_use use = phases->wide[across][barrier];
  // What is wrong inside of a block is wrong for the grid.
  bool spoilt = gs_use_orders(use) && (is_spoilt(phases, GS_LEVEL_BLOCK, id) ||
                                       (across && is_spoilt(phases, level, id)));
  return spoilt ? GS_BARRIER_DIVERGES : use;
}

/// May a voting barrier be taken for one that not all come to, or that does not wait for all?
static bool votes_are_spoilt(const gs_phases *phases) {
  const gs_program *p = phases->program;
  bool spoilt = false;
  for (uint32_t i = 0; i < p->barrier_count; i++)
    spoilt |= p->barriers[i].kind == GS_BARRIER_BLOCK &&
              is_spoilt(phases, GS_LEVEL_BLOCK, p->barriers[i].id);
  return spoilt;
}

/// Results of voting barriers may decide who comes to others: with them taken for common
/// values first, by induction over the execution; then without.
static void look_at_blocks(gs_phases *phases) {
  const gs_program *p = phases->program;
  phases->blocks_agree = !phases->options.doubt_blocks;
  for (int round = 0; round < 2; round++) {
    for (int grid = 0; grid < 2; grid++)
      for (uint32_t i = 0; i < p->barrier_count; i++)
        phases->wide[grid][i] = look_wide(phases, i, grid ? GS_LEVEL_GRID : GS_LEVEL_BLOCK);
    if (round || !votes_are_spoilt(phases))
      break;
    phases->blocks_agree = false;
  }
}

gs_barrier_use gs_phases_own_use(const gs_phases *phases, uint32_t barrier) {
  return phases->wide[0][barrier];
}

// ------------------------------------------------------------------ warps ----

static uint32_t team_of(uint32_t lane, uint32_t shift) {
  uint32_t size = 1u << shift, all = size == 32 ? UINT32_MAX : (1u << size) - 1;
  return all << (lane & ~(size - 1));
}

/// Does the mask of each lane in `which` hold the lane's team of 2^shift?
static bool covers(const lanes *k, uint32_t which, uint32_t shift) {
  for (uint32_t l = 0; l < GS_WARP_LANES; l++)
    if ((which >> l & 1) && (~k->mask[l] & team_of(l, shift) & k->present))
      return false;
  return true;
}

/// Lanes whose own bit is not in their mask, but for those that never come: undefined.
static void leave_out(const gs_phases *phases, uint32_t block, lanes *k) {
  const gs_program *p = phases->program;
  gs_term guards[GS_MAX_WALK_DEPTH + 1];
  size_t count = 0;
  uint32_t outside = 0;
  for (uint32_t l = 0; l < GS_WARP_LANES; l++)
    outside |= (k->present >> l & 1) && !(k->mask[l] >> l & 1) ? 1u << l : 0;
  if (!outside)
    return;
  guards[count++] = p->blocks[block].guard;
  for (uint32_t l = p->blocks[block].loop; l != GS_NONE && count <= GS_MAX_WALK_DEPTH;
       l = p->loops[l].parent)
    guards[count++] = p->loops[l].entry;
  if (gs_teams_never(phases->teams, guards, count, outside))
    k->present &= ~outside;
  else
    k->known = false;
}

static void look_at_mask(const gs_phases *phases, uint32_t barrier, lanes *k) {
  const gs_program *p = phases->program;
  k->within = GS_WARP_SHIFT;
  k->known = gs_teams_by_lane(phases->teams, p->barriers[barrier].mask, k->mask, &k->present);
  uint32_t exist = k->present;
  if (k->known)
    leave_out(phases, phases->barrier_block[barrier], k);
  if (!k->known)
    return;
  uint32_t come = k->present;
  k->present = exist;
  for (uint8_t s = 1; s <= GS_WARP_SHIFT && covers(k, come, s); s++)
    k->covered = s;
  k->present = come;
  for (uint8_t s = GS_WARP_SHIFT; s-- > 0;) {
    bool inside = true;
    for (uint32_t l = 0; l < GS_WARP_LANES; l++)
      inside &= !(come >> l & 1) || !(k->mask[l] & ~team_of(l, s) & exist);
    if (inside)
      k->within = s;
  }
}

/// Do the threads of each team of 2^shift have one mask?
static bool one_mask(const gs_phases *phases, const lanes *k, gs_term mask, uint32_t shift) {
  if (!k->known)
    return gs_teams_vary(phases->teams, mask, shift) == 0;
  for (uint32_t l = 0; l < GS_WARP_LANES; l++)
    for (uint32_t m = l + 1; m < GS_WARP_LANES && m >> shift == l >> shift; m++)
      if ((k->present >> l & 1) && (k->present >> m & 1) && k->mask[l] != k->mask[m])
        return false;
  return true;
}

static void look_at(const gs_phases *phases, uint32_t barrier, lanes *k) {
  const gs_program *p = phases->program;
  uint32_t block = phases->barrier_block[barrier];
  *k = (lanes){.present = UINT32_MAX};
  look_at_mask(phases, barrier, k);
  for (uint8_t s = GS_WARP_SHIFT; s && !k->steady && !too_deep(p, block); s--) {
    if (!one_mask(phases, k, p->barriers[barrier].mask, s))
      continue;
    bool alike = team_alike(phases, block, false, s);
    k->live = !alike && team_alike(phases, block, true, s);
    k->steady = alike || k->live ? s : 0;
  }
}

/// May a thread wait at one with the mask that another thread waits with at the other?
static bool share_mask(const lanes *a, const lanes *b) {
  if (!a->known || !b->known)
    return true;
  for (uint32_t l = 0; l < GS_WARP_LANES; l++)
    for (uint32_t m = 0; m < GS_WARP_LANES; m++)
      if ((a->present >> l & 1) && (b->present >> m & 1) && a->mask[l] == b->mask[m])
        return true;
  return false;
}

/// Threads wait for others with the same mask, wherever those stand: teams are tied where
/// everything that may be taken for this barrier is reached alike as well.
static void find_ties(const gs_phases *phases, lanes *all) {
  const gs_program *p = phases->program;
  for (uint32_t i = 0; i < p->barrier_count; i++) {
    if (p->barriers[i].kind == GS_BARRIER_VOTE)
      phases->best[i] = GS_BARRIER_ELSEWHERE;
    if (p->barriers[i].kind != GS_BARRIER_WARP)
      continue;
    all[i].tie = all[i].steady < all[i].covered ? all[i].steady : all[i].covered;
    bool live = all[i].live;
    for (uint32_t j = 0; j < p->barrier_count; j++) {
      if (p->barriers[j].kind != GS_BARRIER_WARP || !share_mask(&all[i], &all[j]))
        continue;
      all[i].tie = all[j].steady < all[i].tie ? all[j].steady : all[i].tie;
      live |= all[j].live;
    }
    phases->best[i] = !all[i].tie ? GS_BARRIER_DIVERGES
                      : live ? GS_BARRIER_ORDERS_LIVE : GS_BARRIER_ORDERS;
  }
}

/// Votes of a whole warp have one result only if all its lanes come to them, and to
/// whatever may be taken for one of them, alike. By induction over the execution: results
/// of earlier votes may decide who comes to later ones.
static bool votes_are_alike(const gs_phases *phases, const lanes *all) {
  const gs_program *p = phases->program;
  lanes whole = {.known = true, .present = UINT32_MAX};
  memset(whole.mask, 0xFF, sizeof whole.mask);
  for (uint32_t i = 0; i < p->barrier_count; i++)
    if (p->barriers[i].kind == GS_BARRIER_VOTE && share_mask(&all[i], &whole) &&
        all[i].steady < GS_WARP_SHIFT)
      return false;
  return true;
}

/// \param all by barrier, zeroed.
static void look_at_warps(gs_phases *phases, lanes *all) {
  const gs_program *p = phases->program;
  for (int round = 0; round < 2; round++) {
    for (uint32_t i = 0; i < p->barrier_count; i++)
      if (is_warp_wide(p->barriers[i].kind))
        look_at(phases, i, &all[i]);
    phases->warps_agree = !round && votes_are_alike(phases, all);
    if (phases->warps_agree)
      break;
    gs_teams_distrust(phases->teams, GS_LEVEL_WARP);
  }
  find_ties(phases, all);
}

// ------------------------------------------------------------------ views ----

static gs_barrier_use use_in(const gs_phases *phases, const view *v, const lanes *all,
                             uint32_t barrier) {
  kinship kind = v->kind;
  const lanes *k = &all[barrier];
  const gs_barrier *b = &phases->program->barriers[barrier];
  switch (b->kind) {
  case GS_BARRIER_VOTE: return GS_BARRIER_ELSEWHERE;
  case GS_BARRIER_WARP:
    if (kind.same && kind.same <= k->tie)
      return phases->best[barrier];
    return kind.across || kind.apart >= k->within ? GS_BARRIER_ELSEWHERE : GS_BARRIER_UNMODELLED;
  case GS_BARRIER_BLOCK:
  case GS_BARRIER_NAMED:
  case GS_BARRIER_OTHER:
    if (phases->group_of[barrier])
      return kind.group == phases->group_of[barrier] ? GS_BARRIER_ORDERS : GS_BARRIER_ELSEWHERE;
    if (kind.across) // a cluster has several blocks
      return b->id < GS_CLUSTER_ID ? GS_BARRIER_ELSEWHERE : GS_BARRIER_UNMODELLED;
    break;
  case GS_BARRIER_GRID: break;
  }
  return kind.across ? wide_use_among_all(phases, barrier, true) : phases->best[barrier];
}

static bool add_view(gs_phases *phases, uint32_t at, kinship kind, const lanes *all) {
  const gs_program *p = phases->program;
  view *v = &phases->views[at];
  v->kind = kind;
  v->uses = calloc(p->barrier_count + 1u, sizeof *v->uses);
  v->reached = calloc(p->access_count + 1u, sizeof *v->reached);
  for (uint32_t i = 0; v->uses && i < p->barrier_count; i++)
    v->uses[i] = use_in(phases, v, all, i);
  return v->uses && v->reached;
}

/// For each group, and for pairs of no group; these come last.
static bool add_views(gs_phases *phases, kinship kind, const lanes *all) {
  bool fine = true;
  for (uint8_t g = 1; g <= phases->group_count && fine; g++) {
    kind.group = g;
    fine = add_view(phases, phases->view_count++, kind, all);
  }
  kind.group = phases->group_count ? GS_NO_GROUP : 0;
  return fine && add_view(phases, phases->view_count++, kind, all);
}

/// Team sizes at which some warp barrier begins to order, or ceases to matter.
static uint32_t boundaries(const gs_program *p, const lanes *all) {
  uint32_t set = 0;
  for (uint32_t i = 0; i < p->barrier_count; i++)
    if (p->barriers[i].kind == GS_BARRIER_WARP)
      set |= 1u << all[i].tie | 1u << all[i].within;
  return set & ~1u;
}

static bool make_views(gs_phases *phases, const lanes *all) {
  const gs_program *p = phases->program;
  bool fine = true;
  uint32_t set = boundaries(p, all);
  uint8_t apart = 0;
  for (uint32_t i = 0; i < p->barrier_count; i++)
    if (!is_warp_wide(p->barriers[i].kind))
      phases->best[i] = wide_use_among_all(phases, i, false);
  for (uint8_t s = 1; s <= GS_WARP_SHIFT && fine; s++)
    if (set >> s & 1) {
      fine = add_views(phases, (kinship){.same = s, .apart = apart}, all);
      apart = s;
    }
  fine = fine && add_views(phases, (kinship){.apart = apart}, all) &&
         add_view(phases, phases->view_count, (kinship){.across = true}, all);
  for (uint32_t i = 0; i < p->barrier_count && fine; i++)
    phases->order_blocks |= gs_use_orders(phases->views[phases->view_count].uses[i]);
  for (uint32_t i = 0; i < p->barrier_count && fine; i++)
    phases->across_doubt |= phases->views[phases->view_count].uses[i] != GS_BARRIER_ELSEWHERE;
  return fine;
}

bool gs_phases_converge(gs_phases *phases) {
  const gs_program *p = phases->program;
  lanes *all = calloc(p->barrier_count + 1u, sizeof *all);
  bool teams = p->warp_op_count > 0, fine = all != NULL;
  phases->group_of = calloc(p->barrier_count + 1u, sizeof *phases->group_of);
  fine = fine && phases->group_of;
  for (int grid = 0; grid < 2 && fine; grid++)
    fine = (phases->wide[grid] = calloc(p->barrier_count + 1u, sizeof *phases->wide[grid])) != NULL;
  if (!fine) {
    free(all);
    return false;
  }
  phases->warps_agree = true;
  look_at_blocks(phases);
  for (uint32_t i = 0; i < p->barrier_count; i++)
    teams |= is_warp_wide(p->barriers[i].kind) || p->barriers[i].kind == GS_BARRIER_NAMED;
  if (teams) {
    phases->teams = gs_teams_new(p, phases->options.launch_term, phases->options.refute_launch,
                                 phases->options.user);
    if (phases->teams && !phases->blocks_agree)
      gs_teams_distrust(phases->teams, GS_LEVEL_BLOCK);
    if (phases->teams)
      look_at_warps(phases, all);
    if (phases->teams)
      gs_phases_find_groups(phases);
  }
  fine = (!teams || phases->teams) && make_views(phases, all);
  free(all);
  return fine;
}
