// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two ways of being reached from one barrier instance, joined: which iterations two
// co-phase accesses can be in (phases.md, "Relations").
#include "phases_private.h"

#include <stdlib.h>

/// Relates an access inside of a loop around the barrier with another thread that
/// has left that loop: all threads leave it alike. Either the other is outside of
/// the loop at depth `next`, or it took the back edge of that loop once and so has
/// left the loop inside of it. \returns false when the other may have left in
/// any iteration.
static bool find_ending(const reach *in, uint32_t t, uint32_t c, const reach *other,
                        uint32_t c_other, uint32_t next, gs_ending *out, uint32_t *depth) {
  *out = GS_ENDING_OPEN;
  *depth = next;
  if (c < next)
    return true;
  bool outside = c_other < next;
  if (outside && (c_other != next - 1 || other->depth))
    return false;
  if (!outside) {
    if (other->depth != next || in->depth == next)
      return true; // in the same loop, related by the step
    *depth = ++next;
    if (c < next)
      return true;
    if (other->many)
      return false;
  }
  if (other->left > 1)
    return false;
  bool crossed = in->depth == next && !in->many, still = t >= next;
  if (!crossed && !still)
    return false;
  if (crossed)
    *out = other->left ? GS_ENDING_HERE : GS_ENDING_BEFORE;
  else
    *out = other->left ? GS_ENDING_NEXT : GS_ENDING_HERE;
  return true;
}

/// The same for the innermost of several loops around the barrier, at `depth`.
static gs_ending find_inner_ending(const reach *in, uint32_t c, const reach *other, uint32_t depth) {
  bool crossed = in->depth == depth && !in->many, still = in->depth == 0;
  if (depth < 2 || c < depth || in->inner != INNER_STAYS || (!crossed && !still))
    return GS_ENDING_OPEN;
  if (other->inner == INNER_AT_ONCE)
    return crossed ? GS_ENDING_BEFORE : GS_ENDING_HERE;
  if (other->inner == INNER_AFTER_ONE)
    return crossed ? GS_ENDING_HERE : GS_ENDING_NEXT;
  return GS_ENDING_OPEN;
}

/// Does "goes round again" depend on the trip number alone among the values that
/// change with the iteration? Then it is known for other iterations too.
static bool again_is_simple(const gs_program *p, uint32_t loop) {
  uint32_t count = gs_sym_count(p->terms);
  unsigned char *seen = calloc(count + 1u, 1);
  bool simple = seen != NULL;
  if (seen)
    gs_term_syms(p->terms, p->loops[loop].again, seen);
  for (uint32_t s = 0; s < count && simple; s++)
    simple = !seen[s] || s == p->loops[loop].trip_sym ||
             gs_sym_get(p->terms, s)->loop != loop + 1;
  free(seen);
  return simple;
}

static uint32_t loop_at(const gs_program *p, uint32_t block, uint32_t depth) {
  uint32_t l = p->blocks[block].loop;
  while (l != GS_NONE && p->loops[l].depth > depth)
    l = p->loops[l].parent;
  return l;
}

/// Bits 0 to depth. Depths beyond MAX_TURN_DEPTH are not told apart.
static uint32_t depths_to(uint32_t depth) { return depth >= 31 ? UINT32_MAX : (2u << depth) - 1; }

/// The relation that two ways of being reached from one instance imply.
static gs_cophase relation(const gs_phases *phases, uint32_t first, uint32_t second,
                           const reach *r1, const reach *r2) {
  const gs_program *p = phases->program;
  uint32_t b1 = phases->access_block[first], b2 = phases->access_block[second];
  uint32_t from = r1->barrier == GS_NONE ? 0 : phases->barrier_block[r1->barrier];
  uint32_t c1 = gs_loop_depth(p, gs_common_loop(p, from, b1));
  uint32_t c2 = gs_loop_depth(p, gs_common_loop(p, from, b2));
  if (r1->barrier == GS_NONE)
    c1 = c2 = 0; // the entry lies in no loop
  gs_cophase out = {.barrier = r1->barrier, .doubtful = GS_NONE};
  // Depth up to which each still is in the instance's own iterations.
  uint32_t t1 = r1->depth ? r1->depth - 1 : c1, t2 = r2->depth ? r2->depth - 1 : c2;
  out.tied = t1 < t2 ? t1 : t2;
  uint32_t shared = gs_loop_depth(p, gs_common_loop(p, b1, b2)), next = out.tied + 1;
  if (out.tied > shared)
    out.tied = shared;
  else if (next <= shared) {
    bool cross1 = r1->depth == next, cross2 = r2->depth == next;
    bool still1 = !cross1 && t1 >= next, still2 = !cross2 && t2 >= next;
    if (cross1 && cross2 && !r1->many && !r2->many)
      out.tied = next; // both one iteration further
    else if (cross1 && still2)
      out.step = r1->many ? GS_STEP_FIRST_LATER : GS_STEP_FIRST_NEXT;
    else if (cross2 && still1)
      out.step = r2->many ? GS_STEP_SECOND_LATER : GS_STEP_SECOND_NEXT;
  }
  bool pinned = find_ending(r1, t1, c1, r2, c2, out.tied + 1, &out.ending[0], &out.ending_depth[0]);
  pinned &= find_ending(r2, t2, c2, r1, c1, out.tied + 1, &out.ending[1], &out.ending_depth[1]);
  out.inner_depth = gs_loop_depth(p, p->blocks[from].loop);
  out.inner_ending[0] = find_inner_ending(r1, c1, r2, out.inner_depth);
  out.inner_ending[1] = find_inner_ending(r2, c2, r1, out.inner_depth);
  for (int who = 0; who < 2; who++) {
    uint32_t block = who ? b2 : b1;
    if (out.ending[who] > GS_ENDING_HERE &&
        !again_is_simple(p, loop_at(p, block, out.ending_depth[who]))) {
      out.ending[who] = GS_ENDING_OPEN;
      pinned = false;
    }
    if (out.inner_ending[who] > GS_ENDING_HERE &&
        !again_is_simple(p, loop_at(p, block, out.inner_depth)))
      out.inner_ending[who] = GS_ENDING_OPEN;
  }
  uint32_t inner = ~depths_to(out.tied) & depths_to(MAX_TURN_DEPTH);
  if (out.step != GS_STEP_FREE)
    inner &= ~depths_to(out.tied + 1);
  // Loops around the instance are in an unknown iteration unless re-entered.
  uint32_t entered1 = r1->depth ? r1->depth : c1, entered2 = r2->depth ? r2->depth : c2;
  out.zero[0] = inner & ~r1->turned & ~depths_to(entered1);
  out.zero[1] = inner & ~r2->turned & ~depths_to(entered2);
  bool clean = r1->clean && r2->clean, doubt = r1->soft || r2->soft || r1->hard || r2->hard;
  out.exact = clean && !doubt && pinned;
  return out;
}

bool gs_cophase_same(const gs_cophase *a, const gs_cophase *b) {
  bool same = a->tied == b->tied && a->step == b->step && a->inner_depth == b->inner_depth;
  for (int who = 0; who < 2; who++)
    same &= a->ending[who] == b->ending[who] && a->ending_depth[who] == b->ending_depth[who] &&
            a->inner_ending[who] == b->inner_ending[who] && a->zero[who] == b->zero[who];
  return same;
}

/// The relations of pairs of one kind.
static uint32_t relate(const gs_phases *phases, const view *v, uint32_t first, uint32_t second,
                       gs_cophase out[GS_MAX_COPHASES]) {
  const reach_list *l1 = &v->reached[first], *l2 = &v->reached[second];
  uint32_t n = 0;
  for (uint32_t i = 0; i < l1->count; i++)
    for (uint32_t j = 0; j < l2->count; j++) {
      const reach *r1 = &l1->items[i], *r2 = &l2->items[j];
      if (r1->barrier != r2->barrier)
        continue;
      gs_cophase c = relation(phases, first, second, r1, r2);
      uint32_t k = 0;
      while (k < n && !gs_cophase_same(&out[k], &c))
        k++;
      if (k < n) {
        if (c.exact && !out[k].exact)
          out[k] = c;
      } else if (n < GS_MAX_COPHASES) {
        out[n++] = c;
      } else {
        out[0] = (gs_cophase){.barrier = GS_NONE, .doubtful = GS_NONE};
        return 1;
      }
    }
  return n;
}

static void put(const view *v, const gs_cophase *phases, uint32_t count, bool whole,
                gs_encounter *out) {
  for (uint32_t i = 0; i < count; i++)
    out[i] = (gs_encounter){.across = v->kind.across, .in_phase = true,
                            .same = whole ? 0 : v->kind.same, .apart = whole ? 0 : v->kind.apart,
                            .group = whole ? 0 : v->kind.group, .phase = phases[i]};
}

/// Do barriers say the same of the pairs of both kinds?
static bool same_relations(const gs_cophase *a, uint32_t count, const gs_cophase *b, uint32_t other) {
  bool same = count == other;
  for (uint32_t i = 0; i < count && same; i++)
    same = gs_cophase_same(&a[i], &b[i]) && a[i].exact == b[i].exact;
  return same;
}

uint32_t gs_phases_relate(const gs_phases *phases, bool across, uint32_t first, uint32_t second,
                          gs_encounter out[GS_MAX_ENCOUNTERS]) {
  gs_cophase found[GS_MAX_COPHASES], widest[GS_MAX_COPHASES];
  uint32_t kinds = phases->view_count, count = 0;
  if (across && !phases->order_blocks) {
    out[0] = (gs_encounter){.across = true,
                            .phase = {.exact = !phases->across_doubt, .barrier = GS_NONE,
                                      .doubtful = GS_NONE}};
    return 1;
  }
  const view *last = &phases->views[across ? kinds : kinds - 1];
  uint32_t n = relate(phases, last, first, second, widest);
  bool alike = true;
  for (uint32_t i = 0; i + 1 < kinds && !across; i++) {
    uint32_t m = relate(phases, &phases->views[i], first, second, found);
    alike &= same_relations(widest, n, found, m);
    put(&phases->views[i], found, m, false, out + count);
    count += m;
  }
  // Kinds that need not be told apart are one.
  put(last, widest, n, alike, out + (alike ? 0 : count));
  return alike ? n : count + n;
}
