// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "phases_private.h"

#include <stdlib.h>
#include <string.h>

// A walk from a barrier instance carries: the outermost common loop whose back
// edge was taken (its depth, 0 = none), whether it was taken more than once, for
// which depths the back edge of the current loop was taken since it was entered,
// and what barriers were passed.
enum { PASSED_NONE, PASSED_SOFT, PASSED_HARD, PASSED_COUNT };

// -------------------------------------------------------------- walks ----

typedef struct walk {
  gs_phases *phases;
  view *view;
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
  uint32_t inner; ///< the innermost loop around the barrier, where that is another: not
                  ///< left yet, or left after this many back edges
  bool many;
} state;
enum { LEFT_COUNT = 3 };

static uint32_t encode(const walk *w, state s) {
  uint32_t code = ((s.depth * 2 + s.many) * PASSED_COUNT + s.passed) * LEFT_COUNT + s.left;
  code = code * INNER_COUNT + s.inner;
  return code * w->turn_states + (s.turned >> 1);
}

static state decode(const walk *w, uint32_t code) {
  state s = {.turned = code % w->turn_states << 1};
  code /= w->turn_states;
  s.inner = code % INNER_COUNT;
  code /= INNER_COUNT;
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
  reach_list *list = &w->view->reached[access];
  reach *found = NULL;
  // What this walk has noted comes last.
  for (uint32_t i = list->count; i-- > 0 && list->items[i].barrier == w->barrier && !found;)
    if (list->items[i].depth == s.depth && list->items[i].many == s.many &&
        list->items[i].turned == s.turned && list->items[i].left == s.left &&
        list->items[i].inner == s.inner)
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
        .left = s.left, .inner = s.inner};
  }
  found->clean |= s.passed == PASSED_NONE;
  found->soft |= s.passed == PASSED_SOFT;
  found->hard |= s.passed == PASSED_HARD;
}

/// The state after the edge from `block` to `to`.
static state cross(const walk *w, uint32_t block, uint32_t to, state s) {
  const gs_program *p = w->phases->program;
  uint32_t common = 0, l = p->blocks[to].loop;
  // Leaving a loop around the barrier forgets its back edges.
  while (common < w->depth && gs_loop_holds(p, w->around[common + 1], to))
    common++;
  uint32_t before = 0;
  while (before < w->depth && gs_loop_holds(p, w->around[before + 1], block))
    before++;
  if (common < before)
    s.left = s.depth == common + 1 ? (s.many ? 2 : 1) : s.depth ? s.left * (s.depth <= common) : 0;
  if (w->depth > 1 && before == w->depth && common < before && s.inner == INNER_STAYS)
    s.inner = s.depth == 0 ? INNER_AT_ONCE
              : s.depth == w->depth && !s.many ? INNER_AFTER_ONE : INNER_LATER;
  if (s.depth > common)
    s.depth = 0, s.many = false;
  uint32_t depth = l == GS_NONE ? 0 : p->loops[l].depth;
  if (depth <= MAX_TURN_DEPTH)
    s.turned &= (2u << depth) - 1; // loops that were left
  if (l == GS_NONE || p->loops[l].header != to)
    return s;
  bool back = gs_loop_holds(p, l, block);
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

enum { MAX_FACTS = 32 };

/// What holds at the header of `loop`, with the trip numbers in `map`: the loops
/// around it were entered, and their counters are what they are.
static uint32_t facts_at(const walk *w, uint32_t loop, const gs_term *map, uint32_t syms,
                         gs_term out[MAX_FACTS]) {
  const gs_program *p = w->phases->program;
  uint32_t n = 0;
  for (uint32_t l = loop; l != GS_NONE; l = p->loops[l].parent) {
    if (n < MAX_FACTS)
      out[n++] = p->loops[l].entry;
    for (uint32_t i = 0; i < p->fact_count && n < MAX_FACTS; i++)
      if (p->facts[i].sym == p->loops[l].trip_sym)
        out[n++] = p->facts[i].fact;
  }
  uint32_t kept = 0;
  for (uint32_t i = 0; i < n; i++) {
    gs_term t = gs_term_subst(p->terms, out[i], map, syms);
    t = t ? w->phases->options.launch_term(w->phases->options.user, t) : t;
    if (t)
      out[kept++] = t;
  }
  return kept;
}

/// Does a loop that was just entered run at all? `again` is its condition in the
/// first iteration.
static unsigned char decide_first_test(const walk *w, uint32_t loop, gs_term again,
                                       const gs_term *map, uint32_t syms) {
  gs_phases *phases = w->phases;
  gs_term facts[MAX_FACTS + 1];
  uint32_t n = facts_at(w, loop, map, syms, facts);
  facts[n] = gs_mk_not(phases->program->terms, again);
  if (phases->options.refute(phases->options.user, facts, n + 1))
    return BRANCH_FIRST;
  facts[n] = again;
  return phases->options.refute(phases->options.user, facts, n + 1) ? BRANCH_SECOND : BRANCH_OPEN;
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
  *known = gs_phases_group_branch(w->phases, w->view, b->branch, BRANCH_OPEN, BRANCH_FIRST, BRANCH_SECOND);
  if (*known != BRANCH_OPEN)
    return *known;
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
  t = w->phases->options.launch_term(w->phases->options.user, t);
  if (t && gs_term_const(p->terms, t, &value))
    *known = value ? BRANCH_FIRST : BRANCH_SECOND;
  else if (t && w->phases->options.refute && b->loop != GS_NONE && p->loops[b->loop].header == block &&
           map[p->loops[b->loop].trip_sym])
    *known = decide_first_test(w, b->loop, t, map, count);
  free(map);
  return *known;
}

/// Can no thread be in both blocks in one iteration?
static bool excludes(const walk *w, uint32_t a, uint32_t b) {
  gs_phases *phases = w->phases;
  const gs_program *p = phases->program;
  uint8_t *known = phases->exclusive ? &phases->exclusive[(size_t)a * p->block_count + b] : NULL;
  if (!known || *known)
    return known && *known == EXCLUSIVE;
  gs_term both[2] = {p->blocks[a].guard, p->blocks[b].guard};
  uint64_t value = 1;
  gs_term sum = both[0] && both[1] ? gs_mk_and(p->terms, both[0], both[1]) : GS_NO_TERM;
  bool never = sum && gs_term_const(p->terms, sum, &value) && !value;
  if (sum && !never && phases->options.refute && gs_term_node(p->terms, sum)->op != GS_OP_CONST)
    never = phases->options.refute(phases->options.user, both, 2);
  *known = never ? EXCLUSIVE : COMPATIBLE;
  return never;
}

static bool is_header(const gs_program *p, uint32_t block) {
  return p->blocks[block].loop != GS_NONE && p->loops[p->blocks[block].loop].header == block;
}

enum { FURTHEST = 4 };

/// Goes on from the last block of the way.
static void leave(walk *w, uint32_t way[FURTHEST + 1], uint32_t length, state s);

/// Goes on to `to`. Where ways of one iteration join and part again with nothing between, as
/// they do behind a `break` or a `return` out of a scope, a way out that contradicts the way
/// in is none.
/// \param way the blocks before `to`, none with events but the first
static void go_on(walk *w, uint32_t way[FURTHEST + 1], uint32_t length, uint32_t to, state s) {
  const gs_program *p = w->phases->program;
  const gs_block *b = &p->blocks[to];
  bool same = b->loop == p->blocks[way[0]].loop && !is_header(p, to);
  for (uint32_t i = 0; i + 1 < length && same; i++)
    if (excludes(w, way[i], to))
      return;
  s = cross(w, way[length - 1], to, s);
  if (!same || b->event_count || length > FURTHEST || !b->succ_count) {
    push(w, to, s);
    return;
  }
  way[length] = to;
  leave(w, way, length + 1, s);
}

static void leave(walk *w, uint32_t way[FURTHEST + 1], uint32_t length, state s) {
  const gs_block *b = &w->phases->program->blocks[way[length - 1]];
  unsigned char turn = BRANCH_OPEN;
  if (b->succ_count == 2 && b->branch && b->succ[0] != b->succ[1])
    turn = decide_branch(w, way[length - 1], s);
  for (uint32_t i = 0; i < b->succ_count; i++)
    if (turn == BRANCH_OPEN || turn == (i ? BRANCH_SECOND : BRANCH_FIRST))
      go_on(w, way, length, b->succ[i], s);
}

/// Walks the events of a block from `first`; then its successors.
static void walk_block(walk *w, uint32_t block, uint32_t first, state s) {
  const gs_block *b = &w->phases->program->blocks[block];
  for (uint32_t e = first; e < b->event_count; e++) {
    if (b->events[e].kind == GS_EVENT_ACCESS) {
      record(w, b->events[e].index, s);
      continue;
    }
    gs_barrier_use use = w->view->uses[b->events[e].index];
    if (gs_use_orders(use))
      s.passed = PASSED_HARD;
    else if (use != GS_BARRIER_ELSEWHERE && s.passed == PASSED_NONE)
      s.passed = PASSED_SOFT;
  }
  leave(w, (uint32_t[FURTHEST + 1]){block}, 1, s);
}

static uint32_t deepest(const gs_program *p) {
  uint32_t depth = 0;
  for (uint32_t l = 0; l < p->loop_count; l++)
    depth = p->loops[l].depth > depth ? p->loops[l].depth : depth;
  return depth < MAX_TURN_DEPTH ? depth : MAX_TURN_DEPTH;
}

/// Beyond a barrier that orders another instance takes over: what was reached no
/// other way relates nothing.
static void drop_ordered(const gs_program *p, view *v) {
  for (uint32_t a = 0; a < p->access_count; a++) {
    reach_list *list = &v->reached[a];
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->count; i++)
      if (list->items[i].clean || list->items[i].soft)
        list->items[kept++] = list->items[i];
    list->count = kept;
  }
}

static bool walk_from(gs_phases *phases, view *v, uint32_t barrier) {
  const gs_program *p = phases->program;
  uint32_t around[GS_MAX_WALK_DEPTH + 1] = {0};
  walk w = {.phases = phases, .view = v, .barrier = barrier, .around = around};
  uint32_t block = barrier == GS_NONE ? 0 : phases->barrier_block[barrier], first = 0;
  uint32_t loop = p->blocks[block].loop;
  w.depth = loop == GS_NONE ? 0 : p->loops[loop].depth;
  for (uint32_t l = loop; l != GS_NONE; l = p->loops[l].parent)
    around[p->loops[l].depth] = l;
  w.turn_states = 1u << deepest(p);
  w.states = (w.depth + 1) * 2 * PASSED_COUNT * LEFT_COUNT * INNER_COUNT * w.turn_states;
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
  drop_ordered(p, v);
  free(w.seen);
  free(w.stack);
  free(w.branches);
  return !w.failed;
}

// ---------------------------------------------------------------- API ----

static bool walk_all(gs_phases *phases, view *v) {
  const gs_program *p = phases->program;
  bool fine = !p->block_count || walk_from(phases, v, GS_NONE);
  for (uint32_t i = 0; fine && i < p->barrier_count; i++)
    if (gs_use_orders(v->uses[i]))
      fine = walk_from(phases, v, i);
  return fine;
}

gs_phases *gs_phases_new(const gs_program *p, const gs_phases_options *options) {
  gs_phases *phases = calloc(1, sizeof *phases);
  if (!phases)
    return NULL;
  phases->program = p;
  phases->options = *options;
  phases->best = calloc(p->barrier_count + 1u, sizeof *phases->best);
  phases->barrier_block = calloc(p->barrier_count + 1u, sizeof *phases->barrier_block);
  phases->access_block = calloc(p->access_count + 1u, sizeof *phases->access_block);
  if (p->block_count <= MAX_EXCLUSIVE)
    phases->exclusive = calloc((size_t)p->block_count * p->block_count + 1, 1);
  bool fine = phases->best && phases->barrier_block && phases->access_block;
  for (uint32_t b = 0; fine && b < p->block_count; b++)
    for (uint32_t e = 0; e < p->blocks[b].event_count; e++) {
      gs_event event = p->blocks[b].events[e];
      if (event.kind == GS_EVENT_ACCESS)
        phases->access_block[event.index] = b;
      else
        phases->barrier_block[event.index] = b;
    }
  fine = fine && gs_phases_converge(phases);
  for (uint32_t i = 0; fine && i < phases->view_count + phases->order_blocks; i++)
    fine = walk_all(phases, &phases->views[i]);
  if (fine)
    return phases;
  gs_phases_free(phases);
  return NULL;
}

void gs_phases_free(gs_phases *phases) {
  if (!phases)
    return;
  for (uint32_t i = 0; i <= GS_MAX_KINDS; i++) {
    view *v = &phases->views[i];
    for (uint32_t a = 0; v->reached && a < phases->program->access_count; a++)
      free(v->reached[a].items);
    free(v->reached);
    free(v->uses);
  }
  gs_teams_free(phases->teams);
  free(phases->exclusive);
  free(phases->wide[0]);
  free(phases->wide[1]);
  free(phases->group_of);
  free(phases->best);
  free(phases->barrier_block);
  free(phases->access_block);
  free(phases);
}

gs_barrier_use gs_phases_barrier_use(const gs_phases *phases, uint32_t barrier) {
  return phases->best[barrier];
}

bool gs_phases_votes_hold(const gs_phases *phases, gs_level level) {
  return level == GS_LEVEL_WARP ? phases->warps_agree : phases->blocks_agree;
}

uint32_t gs_phases_barrier_block(const gs_phases *phases, uint32_t barrier) {
  return phases->barrier_block[barrier];
}

uint32_t gs_phases_block(const gs_phases *phases, uint32_t access) {
  return phases->access_block[access];
}

void gs_phases_used(const gs_phases *phases, unsigned char *mask) {
  for (uint32_t i = 0; i < phases->program->barrier_count; i++)
    mask[i] |= gs_use_orders(phases->best[i]);
}
