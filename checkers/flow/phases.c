// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "phases.h"

#include <stdlib.h>
#include <string.h>

// A walk from a barrier instance carries: the outermost common loop whose back
// edge was taken (its depth, 0 = none), whether it was taken more than once, for
// which depths the back edge of the current loop was taken since it was entered,
// and what barriers were passed.
enum { PASSED_NONE, PASSED_SOFT, PASSED_HARD, PASSED_COUNT };
enum { MAX_TURN_DEPTH = 5 }; // deeper loops count as turned
enum { MAX_WALK_DEPTH = 64 }; // barriers in deeper loops order nothing

typedef struct reach {
  uint32_t barrier; ///< GS_NONE = entry
  uint32_t depth;   ///< 0 = no back edge of a loop around the barrier
  bool many;
  uint32_t turned; ///< bit d: the loop at depth d has gone round since it was entered
  uint32_t left;   ///< see state
  bool clean, soft, hard; ///< paths without barriers, through soft ones, through hard ones
} reach;

typedef struct reach_list {
  reach *items;
  uint32_t count, capacity;
} reach_list;

struct gs_phases {
  const gs_program *program;
  gs_barrier_use *uses;     ///< by barrier
  uint32_t *barrier_block;  ///< by barrier
  uint32_t *access_block;   ///< by access
  reach_list *reached;      ///< by access
  gs_launch_term_fn launch_term;
  void *user;
};

// ------------------------------------------------------- convergence ----

static bool uniform(const gs_program *p, gs_term t) {
  return t && gs_term_node(p->terms, t)->level <= GS_LEVEL_BLOCK;
}

/// Do all threads of a block agree on when they come to `block`?
static bool reached_alike(const gs_program *p, uint32_t block, bool live) {
  const gs_block *b = &p->blocks[block];
  if (!uniform(p, live ? b->live : b->guard))
    return false;
  for (uint32_t l = b->loop; l != GS_NONE; l = p->loops[l].parent) {
    const gs_loop *loop = &p->loops[l];
    if (!uniform(p, live ? loop->live_entry : loop->entry) ||
        !uniform(p, live ? loop->live_again : loop->again))
      return false;
  }
  return true;
}

static gs_barrier_use use_of(const gs_program *p, uint32_t barrier, uint32_t block) {
  uint32_t loop = p->blocks[block].loop;
  bool too_deep = loop != GS_NONE && p->loops[loop].depth > MAX_WALK_DEPTH;
  if (p->barriers[barrier].kind != GS_BARRIER_BLOCK || too_deep)
    return GS_BARRIER_UNMODELLED;
  if (reached_alike(p, block, false))
    return GS_BARRIER_ORDERS;
  return reached_alike(p, block, true) ? GS_BARRIER_ORDERS_LIVE : GS_BARRIER_DIVERGES;
}

static bool orders(gs_barrier_use use) {
  return use == GS_BARRIER_ORDERS || use == GS_BARRIER_ORDERS_LIVE;
}

// -------------------------------------------------------------- walks ----

typedef struct walk {
  gs_phases *phases;
  uint32_t barrier, depth; ///< start; loops around it
  const uint32_t *around;  ///< loop of each depth, from 1
  bool *seen;              ///< by block and state
  uint32_t states, turn_states;
  uint32_t *stack, stack_count;
  unsigned char *branches; ///< by block, depth and turned loops: what is known of its branch
  bool failed;
} walk;

enum { BRANCH_UNASKED, BRANCH_OPEN, BRANCH_FIRST, BRANCH_SECOND };

/// Where a walk stands, beside its block.
typedef struct state {
  uint32_t depth, turned, passed;
  uint32_t left; ///< the outermost loop around the barrier that was left: how often its
                 ///< back edge was taken before (0, 1, 2 = more)
  bool many;
} state;
enum { LEFT_COUNT = 3 };

static uint32_t encode(const walk *w, state s) {
  uint32_t code = ((s.depth * 2 + s.many) * PASSED_COUNT + s.passed) * LEFT_COUNT + s.left;
  return code * w->turn_states + (s.turned >> 1);
}

static state decode(const walk *w, uint32_t code) {
  state s = {.turned = code % w->turn_states << 1};
  code /= w->turn_states;
  s.left = code % LEFT_COUNT;
  code /= LEFT_COUNT;
  s.passed = code % PASSED_COUNT;
  s.many = code / PASSED_COUNT % 2;
  s.depth = code / PASSED_COUNT / 2;
  return s;
}

static void push(walk *w, uint32_t block, state s) {
  uint32_t at = block * w->states + encode(w, s);
  if (w->seen[at])
    return;
  w->seen[at] = true;
  w->stack[w->stack_count++] = at;
}

static void record(walk *w, uint32_t access, state s) {
  reach_list *list = &w->phases->reached[access];
  reach *found = NULL;
  // What this walk has noted comes last.
  for (uint32_t i = list->count; i-- > 0 && list->items[i].barrier == w->barrier && !found;)
    if (list->items[i].depth == s.depth && list->items[i].many == s.many &&
        list->items[i].turned == s.turned && list->items[i].left == s.left)
      found = &list->items[i];
  if (!found) {
    if (list->count == list->capacity) {
      uint32_t capacity = list->capacity ? list->capacity * 2 : 4;
      reach *items = realloc(list->items, capacity * sizeof *items);
      if (!items) {
        w->failed = true;
        return;
      }
      list->items = items;
      list->capacity = capacity;
    }
    found = &list->items[list->count++];
    *found = (reach){
        .barrier = w->barrier, .depth = s.depth, .many = s.many, .turned = s.turned,
        .left = s.left};
  }
  found->clean |= s.passed == PASSED_NONE;
  found->soft |= s.passed == PASSED_SOFT;
  found->hard |= s.passed == PASSED_HARD;
}

static bool loop_holds(const gs_program *p, uint32_t loop, uint32_t block) {
  uint32_t in = p->blocks[block].loop;
  while (in != GS_NONE && in != loop)
    in = p->loops[in].parent;
  return in == loop;
}

/// The state after the edge from `block` to `to`.
static state cross(const walk *w, uint32_t block, uint32_t to, state s) {
  const gs_program *p = w->phases->program;
  uint32_t common = 0, l = p->blocks[to].loop;
  // Leaving a loop around the barrier forgets its back edges.
  while (common < w->depth && loop_holds(p, w->around[common + 1], to))
    common++;
  uint32_t before = 0;
  while (before < w->depth && loop_holds(p, w->around[before + 1], block))
    before++;
  if (common < before)
    s.left = s.depth == common + 1 ? (s.many ? 2 : 1) : s.depth ? s.left * (s.depth <= common) : 0;
  if (s.depth > common)
    s.depth = 0, s.many = false;
  uint32_t depth = l == GS_NONE ? 0 : p->loops[l].depth;
  if (depth <= MAX_TURN_DEPTH)
    s.turned &= (2u << depth) - 1; // loops that were left
  if (l == GS_NONE || p->loops[l].header != to)
    return s;
  bool back = loop_holds(p, l, block);
  if (depth <= MAX_TURN_DEPTH)
    s.turned = back ? s.turned | 1u << depth : s.turned & ~(1u << depth);
  if (back && depth <= w->depth && w->around[depth] == l) {
    if (s.depth == 0 || depth < s.depth)
      s.depth = depth, s.many = false;
    else if (depth == s.depth)
      s.many = true;
  }
  return s;
}

/// Which way a two-way branch goes when every loop entered since the barrier is
/// in its first iteration.
static unsigned char decide_branch(walk *w, uint32_t block, state s) {
  const gs_program *p = w->phases->program;
  const gs_block *b = &p->blocks[block];
  unsigned char *known =
      &w->branches[(block * (w->depth + 1) + s.depth) * w->turn_states + (s.turned >> 1)];
  if (*known != BRANCH_UNASKED)
    return *known;
  *known = BRANCH_OPEN;
  uint32_t count = gs_sym_count(p->terms);
  gs_term *map = calloc(count + 1u, sizeof *map);
  if (!map) {
    w->failed = true;
    return *known;
  }
  for (uint32_t l = b->loop; l != GS_NONE; l = p->loops[l].parent) {
    uint32_t depth = p->loops[l].depth;
    // A loop around the barrier is in an unknown iteration, unless it was entered
    // anew because a loop further out went round.
    bool around = depth <= w->depth && w->around[depth] == l && !(s.depth && s.depth < depth);
    if (depth <= MAX_TURN_DEPTH && !around && !(s.turned >> depth & 1))
      map[p->loops[l].trip_sym] = gs_mk_const(p->terms, 0, 64);
  }
  gs_term t = gs_term_subst(p->terms, b->branch, map, count);
  uint64_t value = 0;
  t = w->phases->launch_term(w->phases->user, t);
  if (t && gs_term_const(p->terms, t, &value))
    *known = value ? BRANCH_FIRST : BRANCH_SECOND;
  free(map);
  return *known;
}

/// Walks the events of a block from `first`; then its successors.
static void walk_block(walk *w, uint32_t block, uint32_t first, state s) {
  const gs_block *b = &w->phases->program->blocks[block];
  for (uint32_t e = first; e < b->event_count; e++) {
    if (b->events[e].kind == GS_EVENT_ACCESS)
      record(w, b->events[e].index, s);
    else if (orders(w->phases->uses[b->events[e].index]))
      s.passed = PASSED_HARD;
    else if (s.passed == PASSED_NONE)
      s.passed = PASSED_SOFT;
  }
  unsigned char way = BRANCH_OPEN;
  if (b->succ_count == 2 && b->branch && b->succ[0] != b->succ[1])
    way = decide_branch(w, block, s);
  for (uint32_t i = 0; i < b->succ_count; i++)
    if (way == BRANCH_OPEN || way == (i ? BRANCH_SECOND : BRANCH_FIRST))
      push(w, b->succ[i], cross(w, block, b->succ[i], s));
}

static uint32_t deepest(const gs_program *p) {
  uint32_t depth = 0;
  for (uint32_t l = 0; l < p->loop_count; l++)
    depth = p->loops[l].depth > depth ? p->loops[l].depth : depth;
  return depth < MAX_TURN_DEPTH ? depth : MAX_TURN_DEPTH;
}

/// Beyond a barrier that orders another instance takes over: what was reached no
/// other way relates nothing.
static void drop_ordered(gs_phases *phases) {
  for (uint32_t a = 0; a < phases->program->access_count; a++) {
    reach_list *list = &phases->reached[a];
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->count; i++)
      if (list->items[i].clean || list->items[i].soft)
        list->items[kept++] = list->items[i];
    list->count = kept;
  }
}

static bool walk_from(gs_phases *phases, uint32_t barrier) {
  const gs_program *p = phases->program;
  uint32_t around[MAX_WALK_DEPTH + 1] = {0};
  walk w = {.phases = phases, .barrier = barrier, .around = around};
  uint32_t block = barrier == GS_NONE ? 0 : phases->barrier_block[barrier], first = 0;
  uint32_t loop = p->blocks[block].loop;
  w.depth = loop == GS_NONE ? 0 : p->loops[loop].depth;
  for (uint32_t l = loop; l != GS_NONE; l = p->loops[l].parent)
    around[p->loops[l].depth] = l;
  w.turn_states = 1u << deepest(p);
  w.states = (w.depth + 1) * 2 * PASSED_COUNT * LEFT_COUNT * w.turn_states;
  w.seen = calloc((size_t)p->block_count * w.states + 1, sizeof *w.seen);
  w.stack = malloc(((size_t)p->block_count * w.states + 1) * sizeof *w.stack);
  w.branches = calloc((size_t)p->block_count * (w.depth + 1) * w.turn_states + 1, 1);
  if (!w.seen || !w.stack || !w.branches) {
    free(w.seen);
    free(w.stack);
    free(w.branches);
    return false;
  }
  if (barrier != GS_NONE) {
    const gs_block *b = &p->blocks[block];
    while (b->events[first].kind != GS_EVENT_BARRIER || b->events[first].index != barrier)
      first++;
    first++;
  }
  walk_block(&w, block, first, (state){0});
  while (w.stack_count && !w.failed) {
    uint32_t at = w.stack[--w.stack_count];
    walk_block(&w, at / w.states, 0, decode(&w, at % w.states));
  }
  drop_ordered(phases);
  free(w.seen);
  free(w.stack);
  free(w.branches);
  return !w.failed;
}

/// The hardware counts arrivals at a barrier and does not know which barrier in the
/// text a thread stands at: one that is not reached alike spoils all others.
static void spoil(gs_phases *phases) {
  const gs_program *p = phases->program;
  bool spoilt = false;
  for (uint32_t i = 0; i < p->barrier_count; i++)
    spoilt |= phases->uses[i] == GS_BARRIER_DIVERGES || p->barriers[i].kind == GS_BARRIER_OTHER;
  for (uint32_t i = 0; spoilt && i < p->barrier_count; i++)
    if (orders(phases->uses[i]))
      phases->uses[i] = GS_BARRIER_DIVERGES;
}

// ---------------------------------------------------------------- API ----

gs_phases *gs_phases_new(const gs_program *p, gs_launch_term_fn launch_term, void *user) {
  gs_phases *phases = calloc(1, sizeof *phases);
  if (!phases)
    return NULL;
  phases->program = p;
  phases->launch_term = launch_term;
  phases->user = user;
  phases->uses = calloc(p->barrier_count + 1u, sizeof *phases->uses);
  phases->barrier_block = calloc(p->barrier_count + 1u, sizeof *phases->barrier_block);
  phases->access_block = calloc(p->access_count + 1u, sizeof *phases->access_block);
  phases->reached = calloc(p->access_count + 1u, sizeof *phases->reached);
  bool fine = phases->uses && phases->barrier_block && phases->access_block && phases->reached;
  for (uint32_t b = 0; fine && b < p->block_count; b++)
    for (uint32_t e = 0; e < p->blocks[b].event_count; e++) {
      gs_event event = p->blocks[b].events[e];
      if (event.kind == GS_EVENT_ACCESS) {
        phases->access_block[event.index] = b;
      } else {
        phases->barrier_block[event.index] = b;
        phases->uses[event.index] = use_of(p, event.index, b);
      }
    }
  if (fine)
    spoil(phases);
  if (fine && p->block_count)
    fine = walk_from(phases, GS_NONE);
  for (uint32_t i = 0; fine && i < p->barrier_count; i++)
    if (orders(phases->uses[i]))
      fine = walk_from(phases, i);
  if (fine)
    return phases;
  gs_phases_free(phases);
  return NULL;
}

void gs_phases_free(gs_phases *phases) {
  if (!phases)
    return;
  for (uint32_t i = 0; phases->reached && i < phases->program->access_count; i++)
    free(phases->reached[i].items);
  free(phases->uses);
  free(phases->barrier_block);
  free(phases->access_block);
  free(phases->reached);
  free(phases);
}

gs_barrier_use gs_phases_barrier_use(const gs_phases *phases, uint32_t barrier) {
  return phases->uses[barrier];
}

uint32_t gs_phases_block(const gs_phases *phases, uint32_t access) {
  return phases->access_block[access];
}

/// Number of outermost loops common to two blocks.
static uint32_t common_depth(const gs_program *p, uint32_t a, uint32_t b) {
  uint32_t la = p->blocks[a].loop, lb = p->blocks[b].loop;
  while (la != lb) {
    uint32_t da = la == GS_NONE ? 0 : p->loops[la].depth;
    uint32_t db = lb == GS_NONE ? 0 : p->loops[lb].depth;
    if (da >= db)
      la = p->loops[la].parent;
    if (db >= da)
      lb = p->loops[lb].parent;
  }
  return la == GS_NONE ? 0 : p->loops[la].depth;
}

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
  uint32_t c1 = common_depth(p, from, b1), c2 = common_depth(p, from, b2);
  if (r1->barrier == GS_NONE)
    c1 = c2 = 0; // the entry lies in no loop
  gs_cophase out = {.barrier = r1->barrier, .doubtful = GS_NONE};
  // Depth up to which each still is in the instance's own iterations.
  uint32_t t1 = r1->depth ? r1->depth - 1 : c1, t2 = r2->depth ? r2->depth - 1 : c2;
  out.tied = t1 < t2 ? t1 : t2;
  uint32_t shared = common_depth(p, b1, b2), next = out.tied + 1;
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
  for (int who = 0; who < 2; who++)
    if (out.ending[who] > GS_ENDING_HERE &&
        !again_is_simple(p, loop_at(p, who ? b2 : b1, out.ending_depth[who]))) {
      out.ending[who] = GS_ENDING_OPEN;
      pinned = false;
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

uint32_t gs_phases_relate(const gs_phases *phases, uint32_t first, uint32_t second,
                          gs_cophase out[GS_MAX_COPHASES]) {
  const reach_list *l1 = &phases->reached[first], *l2 = &phases->reached[second];
  uint32_t n = 0;
  for (uint32_t i = 0; i < l1->count; i++)
    for (uint32_t j = 0; j < l2->count; j++) {
      const reach *r1 = &l1->items[i], *r2 = &l2->items[j];
      if (r1->barrier != r2->barrier)
        continue;
      gs_cophase c = relation(phases, first, second, r1, r2);
      uint32_t k = 0;
      while (k < n && (out[k].tied != c.tied || out[k].step != c.step ||
                       out[k].ending[0] != c.ending[0] || out[k].ending[1] != c.ending[1] ||
                       out[k].ending_depth[0] != c.ending_depth[0] ||
                       out[k].ending_depth[1] != c.ending_depth[1] ||
                       out[k].zero[0] != c.zero[0] || out[k].zero[1] != c.zero[1]))
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

void gs_phases_used(const gs_phases *phases, unsigned char *mask) {
  for (uint32_t i = 0; i < phases->program->barrier_count; i++)
    mask[i] |= orders(phases->uses[i]);
}
