// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A missing barrier: candidates from the control-flow graph, told apart by where they
// stand in the source, tried in the order in which a reader would think of them.
#include "barrier_fix.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_PLACES = 12, MAX_BACK = 4, MAX_CANDIDATES = 2048, MAX_TRIED = 8, MAX_PAIRED = 5 };
/// What all trials of a kernel may cost, in blocks and events times barriers: making
/// phases takes about that much.
enum { MAX_WALK_WORK = 1000000 };

/// A barrier could stand before event `event` of a block, or at its end.
typedef struct candidate {
  uint32_t block, event;
  gs_fixit fix;
  bool tried; ///< for the cause that is being looked at
} candidate;

struct gs_mender {
  gs_kernel *k;
  const gs_pair_query *query;
  const gs_missing_barrier *missing; ///< what is being looked at
  candidate *found;
  uint32_t count, capacity;
  bool collected;
  gs_prover *prover;
  uint64_t work; ///< see MAX_WALK_WORK
};

/// Places as the source finder wants them.
typedef struct place_list {
  gs_loc items[MAX_PLACES];
  uint32_t count;
  bool lost; ///< something has no place, or there are too many
} place_list;

// ------------------------------------------------------------- places ----

static gs_loc event_loc(const gs_program *p, gs_event event) {
  return gs_place_outer(p, event.kind == GS_EVENT_ACCESS ? p->accesses[event.index].place
                                                    : p->barriers[event.index].place);
}

static void add(place_list *list, gs_loc loc) {
  if (!loc.line)
    return;
  if (list->count == MAX_PLACES)
    list->lost = true;
  else
    list->items[list->count++] = loc;
}

static bool has_edge(const gs_block *from, uint32_t to) {
  for (uint32_t s = 0; s < from->succ_count; s++)
    if (from->succ[s] == to)
      return true;
  return false;
}

/// What is executed just before a block begins; a block without any place of its own
/// passes the question on.
static void places_before(const gs_program *p, uint32_t block, place_list *out, uint32_t back) {
  for (uint32_t b = 0; b < p->block_count; b++) {
    const gs_block *from = &p->blocks[b];
    if (!has_edge(from, block))
      continue;
    uint32_t before = out->count;
    if (from->event_count)
      add(out, event_loc(p, from->events[from->event_count - 1]));
    add(out, gs_place_outer(p, from->place));
    if (out->count > before)
      continue;
    if (back == MAX_BACK)
      out->lost = true;
    else if (b)
      places_before(p, b, out, back + 1);
  }
}

/// What is executed first once a block begins.
static void places_after(const gs_program *p, uint32_t block, place_list *out, uint32_t steps) {
  const gs_block *b = &p->blocks[block];
  if (b->event_count) {
    add(out, event_loc(p, b->events[0]));
    return;
  }
  uint32_t before = out->count;
  add(out, gs_place_outer(p, b->place));
  if (out->count == before && b->succ_count == 1 && steps < MAX_BACK)
    places_after(p, b->succ[0], out, steps + 1);
}

/// The condition of a `do`: what jumps there has left the body, whose end has its place.
static bool ends_do(const gs_program *p, uint32_t block) {
  const gs_block *b = &p->blocks[block];
  return b->loop != GS_NONE && b->succ_count > 1 && has_edge(b, p->loops[b->loop].header);
}

static bool ask_source(gs_mender *s, candidate *c) {
  const gs_program *p = s->k->program;
  const gs_block *b = &p->blocks[c->block];
  bool at_end = c->event == b->event_count;
  if (at_end && (ends_do(p, c->block) || !gs_place_outer(p, b->place).line))
    return false;
  place_list before = {.count = 0}, after = {.count = 0};
  if (c->event)
    add(&before, event_loc(p, b->events[c->event - 1]));
  else
    places_before(p, c->block, &before, 0);
  if (!at_end) {
    add(&after, event_loc(p, b->events[c->event]));
  } else {
    add(&after, gs_place_outer(p, b->place));
    if (b->succ_count == 1)
      places_after(p, b->succ[0], &after, 0);
  }
  const gs_kernel_desc *desc = s->k->desc;
  return !before.lost && !after.lost && after.count &&
         desc->find_gap(desc->find_gap_user, before.items, before.count, after.items, after.count,
                        "__syncthreads();", &c->fix);
}

// --------------------------------------------------------- candidates ----

static bool same_fix(const gs_fixit *a, const gs_fixit *b) {
  return a->loc.line == b->loc.line && a->loc.column == b->loc.column && a->remove == b->remove &&
         strcmp(a->insert, b->insert) == 0;
}

/// Two that replace text from one place on want it in two ways.
static bool clash(const gs_fixit *a, const gs_fixit *b) {
  return a->loc.line == b->loc.line && a->loc.column == b->loc.column && a->remove && b->remove;
}

static void collect(gs_mender *s, uint32_t block, uint32_t event) {
  candidate c = {.block = block, .event = event};
  if (s->count == MAX_CANDIDATES || !ask_source(s, &c))
    return;
  for (uint32_t i = 0; i < s->count; i++)
    if (same_fix(&s->found[i].fix, &c.fix))
      return;
  if (s->count == s->capacity) {
    uint32_t capacity = s->capacity ? s->capacity * 2 : 32;
    candidate *found = realloc(s->found, capacity * sizeof *found);
    if (!found)
      return;
    s->found = found;
    s->capacity = capacity;
  }
  s->found[s->count++] = c;
}

/// All places of the kernel, once.
static void collect_all(gs_mender *s) {
  const gs_program *p = s->k->program;
  for (uint32_t b = 0; b < p->block_count && !s->collected; b++)
    if (gs_phases_reached_alike(p, b))
      for (uint32_t e = 0; e <= p->blocks[b].event_count; e++)
        collect(s, b, e);
  s->collected = true;
  for (uint32_t i = 0; i < s->count; i++)
    s->found[i].tried = false;
}

/// Lines first, then columns.
static int compare_locs(gs_loc a, gs_loc b) {
  if (a.line != b.line)
    return a.line < b.line ? -1 : 1;
  return a.column < b.column ? -1 : a.column > b.column;
}

/// How good a place it is; less is better. Between the accesses, near the second one, if
/// they belong to one iteration; else behind both, near the end of the iteration. Not in a
/// loop that is around one of them only: it would be executed more often than it need.
static uint32_t rank(const gs_mender *s, const candidate *c) {
  const gs_program *p = s->k->program;
  gs_loc first = gs_place_outer(p, p->accesses[s->missing->first].place);
  gs_loc second = gs_place_outer(p, p->accesses[s->missing->second].place);
  bool swapped = compare_locs(first, second) > 0;
  gs_loc upper = swapped ? second : first, lower = swapped ? first : second;
  gs_loc place = gs_fixit_place(&c->fix);
  bool behind = compare_locs(place, lower) > 0, ahead = compare_locs(place, upper) <= 0;
  uint32_t to_lower = behind ? place.line - lower.line : lower.line - place.line;
  uint32_t near = to_lower < 0xFFFFF ? to_lower : 0xFFFFF;
  const gs_phases *phases = s->k->phases;
  uint32_t together = gs_common_loop(p, gs_phases_block(phases, s->missing->first),
                                     gs_phases_block(phases, s->missing->second));
  uint32_t want = gs_loop_depth(p, together);
  uint32_t depth = gs_loop_depth(p, p->blocks[c->block].loop), off = depth > want ? depth - want : want - depth;
  uint32_t class = s->missing->later ? (behind ? 0 : ahead ? 1 : 2) : (behind ? 1 : ahead ? 2 : 0);
  return class << 28 | (off < 255 ? off : 255) << 20 | near;
}

/// The best candidate that is left, GS_NONE = none is.
static uint32_t take_best(gs_mender *s) {
  uint32_t best = GS_NONE, least = 0;
  for (uint32_t i = 0; i < s->count; i++) {
    uint32_t r = s->found[i].tried ? 0 : rank(s, &s->found[i]);
    if (!s->found[i].tried && (best == GS_NONE || r < least)) {
      best = i;
      least = r;
    }
  }
  if (best != GS_NONE)
    s->found[best].tried = true;
  return best;
}

// -------------------------------------------------------------- trial ----

/// A program with barriers put in; shares all else with the original.
typedef struct variant {
  gs_program program;
  gs_event *events[GS_MAX_FIXES]; ///< of changed blocks
  uint32_t added;
} variant;

static void variant_free(variant *v) {
  free(v->program.barriers);
  free(v->program.blocks);
  for (uint32_t i = 0; i < v->added; i++)
    free(v->events[i]);
}

static bool variant_open(const gs_program *p, variant *out) {
  *out = (variant){.program = *p};
  gs_program *q = &out->program;
  q->barriers = malloc((p->barrier_count + GS_MAX_FIXES) * sizeof *q->barriers);
  q->blocks = malloc(p->block_count * sizeof *q->blocks);
  if (!q->barriers || !q->blocks)
    return false;
  if (p->barrier_count)
    memcpy(q->barriers, p->barriers, p->barrier_count * sizeof *q->barriers);
  memcpy(q->blocks, p->blocks, p->block_count * sizeof *q->blocks);
  return true;
}

static bool variant_insert(variant *v, const candidate *c) {
  gs_program *p = &v->program;
  gs_block *b = &p->blocks[c->block];
  gs_event *events = malloc((b->event_count + 1u) * sizeof *events);
  if (!events)
    return false;
  if (c->event)
    memcpy(events, b->events, c->event * sizeof *events);
  events[c->event] = (gs_event){GS_EVENT_BARRIER, p->barrier_count};
  if (c->event < b->event_count)
    memcpy(events + c->event + 1, b->events + c->event,
           (b->event_count - c->event) * sizeof *events);
  p->barriers[p->barrier_count++] = (gs_barrier){.kind = GS_BARRIER_BLOCK};
  v->events[v->added++] = events;
  b->events = events;
  b->event_count++;
  return true;
}

/// Puts the barriers in; the later one of a block first, as it moves nothing else.
static bool variant_make(const gs_program *p, const candidate *set, uint32_t count, variant *out) {
  if (!variant_open(p, out))
    return false;
  bool swap = count == 2 && set[0].block == set[1].block && set[0].event < set[1].event;
  for (uint32_t i = 0; i < count; i++)
    if (!variant_insert(out, &set[swap ? count - 1 - i : i]))
      return false;
  return true;
}

/// Do the barriers order for all threads, and is every conflict gone with them?
static bool try_set(gs_mender *s, const candidate *set, uint32_t count) {
  const gs_program *p = s->k->program;
  s->work += (uint64_t)(p->block_count + p->access_count + p->barrier_count) *
             (p->barrier_count + 1u + count);
  if (s->work > MAX_WALK_WORK)
    return false;
  gs_result ignored = {.arena = s->k->result->arena};
  gs_kernel trial = *s->k;
  variant v;
  bool fine = variant_make(p, set, count, &v);
  trial.program = &v.program;
  trial.prover = s->prover;
  trial.result = &ignored;
  trial.phases = fine ? gs_kernel_phases(&trial) : NULL;
  fine = trial.phases != NULL;
  for (uint32_t i = p->barrier_count; i < v.program.barrier_count && fine; i++)
    fine = gs_phases_barrier_use(trial.phases, i) == GS_BARRIER_ORDERS;
  fine = fine && gs_pairs_refuted(&trial, s->query, s->missing->cause, s->missing->first,
                                  s->missing->second);
  gs_phases_free(trial.phases);
  variant_free(&v);
  return fine;
}

/// One barrier, the best place first; then two of the better places.
static uint32_t try_all(gs_mender *s, candidate set[GS_MAX_FIXES]) {
  candidate best[MAX_TRIED];
  uint32_t count = 0;
  while (count < MAX_TRIED) {
    uint32_t at = take_best(s);
    if (at == GS_NONE)
      break;
    set[0] = best[count++] = s->found[at];
    if (try_set(s, set, 1))
      return 1;
  }
  for (uint32_t i = 0; i < count && i < MAX_PAIRED; i++)
    for (uint32_t j = i + 1; j < count && j < MAX_PAIRED; j++) {
      bool ordered = compare_locs(best[i].fix.loc, best[j].fix.loc) < 0;
      set[0] = best[ordered ? i : j];
      set[1] = best[ordered ? j : i];
      if (!clash(&set[0].fix, &set[1].fix) && try_set(s, set, 2))
        return 2;
    }
  return 0;
}

/// Do threads of different blocks conflict as well? No block barrier helps then.
static bool conflicts_across(gs_mender *s) {
  gs_kernel alone = *s->k;
  alone.prover = s->prover;
  gs_pair_query across = *s->query;
  across.inside_block = false;
  return !gs_pairs_refuted(&alone, &across, s->missing->cause, s->missing->first,
                           s->missing->second);
}

gs_mender *gs_mender_new(gs_kernel *k, const gs_pair_query *query) {
  gs_mender *s = calloc(1, sizeof *s);
  if (!s)
    return NULL;
  gs_prover_options options = {.effort = k->is_claim ? GS_EFFORT_MODERATE : GS_EFFORT_THRIFTY,
                               .sm = k->options->sm,
                               .crowd = k->options->crowd};
  *s = (gs_mender){.k = k, .query = query};
  s->prover = gs_prover_new(k->program, k->scene, &options);
  if (s->prover)
    return s;
  free(s);
  return NULL;
}

void gs_mender_free(gs_mender *s) {
  if (!s)
    return;
  gs_prover_free(s->prover);
  free(s->found);
  free(s);
}

gs_prover *gs_mender_prover(gs_mender *s) { return s->prover; }

gs_barrier_help gs_find_barriers(gs_mender *s, const gs_missing_barrier *missing,
                                 gs_fixit out[GS_MAX_FIXES], uint32_t *count) {
  const gs_kernel *k = s->k;
  candidate set[GS_MAX_FIXES];
  *count = 0;
  s->missing = missing;
  if (conflicts_across(s))
    return GS_BARRIER_USELESS;
  if (!k->desc || !k->desc->find_gap)
    return GS_BARRIER_UNSURE;
  collect_all(s);
  *count = try_all(s, set);
  for (uint32_t i = 0; i < *count; i++) {
    out[i] = set[i].fix;
    out[i].loc.file = gs_pool_text(k->result->arena, out[i].loc.file);
    out[i].stands.file = gs_pool_text(k->result->arena, out[i].stands.file);
    out[i].insert = gs_pool_text(k->result->arena, out[i].insert);
  }
  return *count ? GS_BARRIER_FOUND : GS_BARRIER_UNSURE;
}
