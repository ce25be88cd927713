// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "flights_private.h"

#include "believe.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_PLACES = 256 };    // of one copy
enum { MAX_GROUPS = 15 };     // committed behind a copy; more are as many
enum { EXACT_TURNS = 6 };     // of a loop that commits or waits
enum { IN_FLIGHT = 1, COMPLETE = 2 };

/// Where a copy's thread stands: at the copy, behind a barrier or at the header of a loop.
typedef struct place {
  uint32_t block, first; ///< event
  bool is_barrier;
  gs_flight_spot spot;
  bool seen[MAX_GROUPS + 2][2]; ///< by groups since (0: in none), complete
  unsigned char *met;           ///< by access: IN_FLIGHT, COMPLETE
  uint32_t echo[2];             ///< of source and destination; GS_NONE = none
} place;

/// A state of a walk inside of a place.
typedef struct state {
  uint32_t block, groups;
  bool complete;
} state;

typedef struct todo {
  uint32_t place;
  uint32_t groups;
} todo;

typedef struct hunt {
  gs_program *p;
  gs_flight flight;
  uint32_t block; ///< of the copy
  bool *counts;   ///< by loop: something in it commits or waits
  place *places;
  uint32_t place_count;
  todo *todo[2]; ///< in flight, complete
  uint32_t todo_count[2];
  bool is_blurred; ///< where else the copy is complete was not followed to the end
  bool *seen; ///< by block and state, of one place
  state *stack;
  bool failed;
} hunt;

/// An echo that stands in front of an event of a block.
typedef struct insertion {
  uint32_t block, event, access;
} insertion;

typedef struct insertions {
  insertion *items;
  uint32_t count, capacity;
} insertions;

// ------------------------------------------------------------------ edges ----

static uint8_t one_more(uint8_t count, uint32_t most) {
  return count == GS_FLIGHT_MANY || count + 1u > most ? GS_FLIGHT_MANY : (uint8_t)(count + 1);
}

/// Loops around the copy that the edge leaves are left in the iteration they are in.
static void leave(const hunt *h, uint32_t from, uint32_t to, gs_flight_spot *s) {
  const gs_program *p = h->p;
  uint32_t before = gs_loop_depth(p, gs_common_loop(p, h->block, from));
  uint32_t after = gs_loop_depth(p, gs_common_loop(p, h->block, to));
  for (uint32_t d = before; d > after; d--) {
    bool first = !s->crossed || s->crossed >= d;
    if (first && !s->left[d])
      s->left[d] = s->crossed != d ? 1 : s->count >= GS_FLIGHT_MANY - 1 ? GS_FLIGHT_MANY : (uint8_t)(s->count + 1);
    s->since[d] = 0;
    if (s->crossed == d)
      s->crossed = s->count = 0;
  }
  for (uint32_t d = gs_loop_depth(p, p->blocks[to].loop) + 1; d <= GS_FLIGHT_DEPTH; d++)
    s->since[d] = 0;
}

/// The edge to the header of a loop from inside of it, or from outside.
static void turn(const hunt *h, uint32_t from, uint32_t to, gs_flight_spot *s) {
  const gs_program *p = h->p;
  uint32_t loop = p->blocks[to].loop, depth = p->loops[loop].depth;
  uint32_t most = h->counts[loop] ? EXACT_TURNS : 1;
  if (!gs_loop_holds(p, loop, from)) {
    s->since[depth] = 0;
    return;
  }
  bool own = gs_loop_holds(p, loop, h->block) && (!s->crossed || depth <= s->crossed);
  if (!own) {
    s->since[depth] = one_more(s->since[depth], most - 1);
  } else if (s->crossed == depth) {
    s->count = one_more(s->count, most);
  } else {
    for (uint32_t d = depth + 1; d <= GS_FLIGHT_DEPTH; d++) {
      if (s->crossed == d && !s->left[d]) // goes round from inside of a loop that it leaves so
        s->left[d] = GS_FLIGHT_MANY;
      s->since[d] = 0;
    }
    s->crossed = (uint8_t)depth;
    s->count = 1;
  }
}

// ----------------------------------------------------------------- places ----

static void go_on(hunt *h, uint32_t block, uint32_t first, bool is_barrier, const gs_flight_spot *spot,
                  const state *at) {
  uint32_t i = 0;
  while (i < h->place_count &&
         (h->places[i].block != block || h->places[i].first != first ||
          h->places[i].is_barrier != is_barrier || memcmp(&h->places[i].spot, spot, sizeof *spot) != 0))
    i++;
  if (i == MAX_PLACES) {
    h->flight.is_open |= !at->complete;
    h->is_blurred = true;
    return;
  }
  place *pl = &h->places[i];
  if (i == h->place_count) {
    *pl = (place){.block = block, .first = first, .is_barrier = is_barrier, .spot = *spot,
                  .echo = {GS_NONE, GS_NONE}};
    pl->met = calloc(h->p->access_count + 1u, 1);
    h->failed |= !pl->met;
    h->place_count++;
  }
  if (pl->seen[at->groups][at->complete])
    return;
  pl->seen[at->groups][at->complete] = true;
  h->todo[at->complete][h->todo_count[at->complete]++] = (todo){i, at->groups};
}

static void push(hunt *h, uint32_t *count, state s) {
  bool *seen = &h->seen[(s.block * (MAX_GROUPS + 2u) + s.groups) * 2 + s.complete];
  if (*seen)
    return;
  *seen = true;
  h->stack[(*count)++] = s;
}

/// Events from `first` on. \returns false at a barrier, behind which another place begins.
static bool walk_events(hunt *h, uint32_t at, state *s, uint32_t first) {
  const gs_block *b = &h->p->blocks[s->block];
  for (uint32_t e = first; e < b->event_count; e++) {
    uint32_t index = b->events[e].index;
    if (b->events[e].kind == GS_EVENT_BARRIER) {
      if (h->p->barriers[index].kind == GS_BARRIER_VOTE)
        continue; // orders nothing
      go_on(h, s->block, e + 1, true, &h->places[at].spot, s);
      return false;
    }
    const gs_access *a = &h->p->accesses[index];
    bool waits = a->async == GS_ASYNC_WAIT && s->groups > a->groups;
    if (a->async == GS_ASYNC_WAIT_ALL || waits)
      s->complete = h->flight.completes = true;
    else if (a->async == GS_ASYNC_COMMIT && s->groups <= MAX_GROUPS)
      s->groups++;
    else if (a->target_count)
      h->places[at].met[index] |= s->complete ? COMPLETE : IN_FLIGHT;
  }
  return true;
}

static void walk_place(hunt *h, todo start, bool complete) {
  const gs_program *p = h->p;
  uint32_t count = 0, first = h->places[start.place].first;
  memset(h->seen, 0, (size_t)p->block_count * (MAX_GROUPS + 2u) * 2);
  h->stack[count++] = (state){h->places[start.place].block, start.groups, complete};
  while (count) {
    state s = h->stack[--count];
    bool passes = walk_events(h, start.place, &s, first);
    first = 0;
    const gs_block *b = &p->blocks[s.block];
    if (passes && b->exits && !b->traps && !s.complete)
      h->flight.ends = true;
    for (uint32_t i = 0; passes && i < b->succ_count; i++) {
      uint32_t to = b->succ[i];
      gs_flight_spot spot = h->places[start.place].spot;
      bool header = p->blocks[to].loop != GS_NONE && p->loops[p->blocks[to].loop].header == to;
      leave(h, s.block, to, &spot);
      if (header)
        turn(h, s.block, to, &spot);
      if (header || memcmp(&spot, &h->places[start.place].spot, sizeof spot) != 0)
        go_on(h, to, 0, false, &spot, &s);
      else
        push(h, &count, (state){to, s.groups, s.complete});
    }
  }
}

// ------------------------------------------------------------------ echoes ----

static bool touch_one(const gs_program *p, const gs_access *a, const gs_access *b) {
  for (uint32_t i = 0; i < a->target_count; i++)
    for (uint32_t j = 0; j < b->target_count; j++) {
      uint32_t o = a->targets[i].object, q = b->targets[j].object;
      if (o == q || gs_is_vague(p->objects[o].kind) || gs_is_vague(p->objects[q].kind))
        return true;
    }
  return false;
}

/// May anything conflict with an access of the copy?
static bool matters(const gs_program *p, uint32_t copy) {
  const gs_access *a = &p->accesses[copy];
  for (uint32_t i = 0; i < p->access_count && !a->is_write; i++)
    if (p->accesses[i].is_write && !p->accesses[i].echo && touch_one(p, a, &p->accesses[i]))
      return true;
  return a->is_write;
}

static void insert(insertions *list, uint32_t block, uint32_t event, uint32_t access, bool *failed) {
  if (list->count == list->capacity) {
    uint32_t capacity = list->capacity ? list->capacity * 2 : 16;
    insertion *moved = realloc(list->items, capacity * sizeof *moved);
    if (!moved) {
      *failed = true;
      return;
    }
    list->items = moved;
    list->capacity = capacity;
  }
  list->items[list->count++] = (insertion){block, event, access};
}

/// One more access at the end of the program's. \returns its index.
static uint32_t add_access(hunt *h, const gs_access *a) {
  gs_program *p = h->p;
  gs_access *moved = realloc(p->accesses, (p->access_count + 1u) * sizeof *moved);
  if (!moved) {
    free((void *)a->targets);
    h->failed = true;
    return GS_NONE;
  }
  p->accesses = moved;
  p->accesses[p->access_count] = *a;
  return p->access_count++;
}

static bool in_flight(const place *pl, bool complete) {
  bool any = false;
  for (uint32_t g = 0; g < MAX_GROUPS + 2; g++)
    any |= pl->seen[g][complete];
  return any;
}

static void add_echo(hunt *h, place *pl, int which, insertions *list) {
  gs_program *p = h->p;
  uint32_t copy = which ? h->flight.to : h->flight.from;
  gs_access a;
  if (!gs_flight_echo(p, copy, h->block, pl->block, &pl->spot, &a)) {
    free((void *)a.targets);
    h->failed = true;
    return;
  }
  a.is_mute = !pl->is_barrier;
  a.is_doubtful = h->is_blurred || in_flight(pl, true);
  pl->echo[which] = add_access(h, &a);
  if (pl->echo[which] == GS_NONE)
    return;
  gs_target *targets = (gs_target *)(uintptr_t)a.targets;
  for (uint32_t t = 0; t < a.target_count && !h->failed; t++)
    h->failed |= !gs_believe(p, pl->echo[which], pl->block, &targets[t].guard, 1);
  insert(list, pl->block, pl->first, pl->echo[which], &h->failed);
}

static void add_use(hunt *h, uint32_t copy, uint32_t use, bool doubtful) {
  gs_program *p = h->p;
  gs_flight_use *moved = realloc(p->flight_uses, (p->flight_use_count + 1u) * sizeof *moved);
  if (!moved) {
    h->failed = true;
    return;
  }
  p->flight_uses = moved;
  p->flight_uses[p->flight_use_count++] = (gs_flight_use){copy, use, doubtful};
}

/// Echoes of a place, and what its thread does there.
static void settle(hunt *h, uint32_t at, uint32_t accesses, insertions *list) {
  const gs_program *p = h->p;
  place *pl = &h->places[at];
  if (!in_flight(pl, false))
    return;
  for (int which = 0; which < 2 && !h->failed; which++) {
    uint32_t copy = which ? h->flight.to : h->flight.from, here = copy;
    if (copy == GS_NONE || !matters(p, copy))
      continue;
    bool used = pl->is_barrier;
    for (uint32_t a = 0; a < accesses && !used && at; a++)
      used = (pl->met[a] & IN_FLIGHT) && (p->accesses[copy].is_write || p->accesses[a].is_write) &&
             touch_one(p, &p->accesses[copy], &p->accesses[a]);
    if (at && used)
      add_echo(h, pl, which, list);
    if (at)
      here = pl->echo[which];
    for (uint32_t a = 0; a < accesses && here != GS_NONE && !h->failed; a++)
      if ((pl->met[a] & IN_FLIGHT) && (p->accesses[copy].is_write || p->accesses[a].is_write) &&
          touch_one(p, &p->accesses[copy], &p->accesses[a]))
        add_use(h, here, a, h->is_blurred || in_flight(pl, true) || (pl->met[a] & COMPLETE));
  }
}

// ------------------------------------------------------------------- copies ----

static bool is_deep(const gs_program *p) {
  for (uint32_t l = 0; l < p->loop_count; l++)
    if (p->loops[l].depth > GS_FLIGHT_DEPTH)
      return true;
  return false;
}

static void keep_flight(hunt *h) {
  gs_program *p = h->p;
  gs_flight *moved = realloc(p->flights, (p->flight_count + 1u) * sizeof *moved);
  if (!moved) {
    h->failed = true;
    return;
  }
  p->flights = moved;
  p->flights[p->flight_count++] = h->flight;
}

/// \param event behind the copy \param accesses of the program, without echoes
static void follow(hunt *h, uint32_t from, uint32_t to, uint32_t block, uint32_t event,
                   uint32_t accesses, insertions *list) {
  h->flight = (gs_flight){.from = from, .to = to, .is_open = is_deep(h->p)};
  h->block = block;
  h->is_blurred = false;
  h->place_count = h->todo_count[0] = h->todo_count[1] = 0;
  gs_flight_spot none;
  memset(&none, 0, sizeof none);
  if (!h->flight.is_open)
    go_on(h, block, event, false, &none, &(state){block, 0, false});
  for (int complete = 0; complete < 2; complete++)
    while (h->todo_count[complete] && !h->failed && !h->flight.is_open)
      walk_place(h, h->todo[complete][--h->todo_count[complete]], complete);
  for (uint32_t i = 0; i < h->place_count; i++) {
    if (!h->failed && !h->flight.is_open)
      settle(h, i, accesses, list);
    free(h->places[i].met);
  }
  keep_flight(h);
}

/// Puts the echoes where they stand.
static bool rebuild(gs_program *p, const insertions *list) {
  for (uint32_t b = 0; b < p->block_count; b++) {
    uint32_t more = 0, n = 0;
    for (uint32_t i = 0; i < list->count; i++)
      more += list->items[i].block == b;
    if (!more)
      continue;
    gs_block *block = &p->blocks[b];
    gs_event *events = malloc((block->event_count + more) * sizeof *events);
    if (!events)
      return false;
    for (uint32_t e = 0; e <= block->event_count; e++) {
      for (uint32_t i = 0; i < list->count; i++)
        if (list->items[i].block == b && list->items[i].event == e)
          events[n++] = (gs_event){GS_EVENT_ACCESS, list->items[i].access};
      if (e < block->event_count)
        events[n++] = block->events[e];
    }
    free((void *)block->events);
    block->events = events;
    block->event_count = n;
  }
  return true;
}

/// Loops in which something commits or waits: their iterations are counted.
static void find_counting(hunt *h) {
  const gs_program *p = h->p;
  for (uint32_t b = 0; b < p->block_count; b++)
    for (uint32_t e = 0; e < p->blocks[b].event_count; e++) {
      gs_event event = p->blocks[b].events[e];
      if (event.kind == GS_EVENT_ACCESS && p->accesses[event.index].async >= GS_ASYNC_COMMIT)
        for (uint32_t l = p->blocks[b].loop; l != GS_NONE; l = p->loops[l].parent)
          h->counts[l] = true;
    }
}

static void find_all(hunt *h, insertions *list) {
  gs_program *p = h->p;
  uint32_t accesses = p->access_count;
  find_counting(h);
  for (uint32_t b = 0; b < p->block_count && !h->failed; b++) {
    uint32_t from = GS_NONE;
    for (uint32_t e = 0; e < p->blocks[b].event_count && !h->failed; e++) {
      uint32_t a = p->blocks[b].events[e].index;
      if (p->blocks[b].events[e].kind != GS_EVENT_ACCESS)
        continue;
      if (p->accesses[a].async == GS_ASYNC_FROM)
        from = a;
      else if (p->accesses[a].async == GS_ASYNC_TO)
        follow(h, from, a, b, e + 1, accesses, list);
    }
  }
}

static bool copies(const gs_program *p) {
  for (uint32_t i = 0; i < p->access_count; i++)
    if (p->accesses[i].async == GS_ASYNC_TO)
      return true;
  return false;
}

bool gs_flights_find(gs_program *p) {
  if (p->has_flights)
    return true;
  p->has_flights = true;
  if (!copies(p))
    return true;
  size_t states = (size_t)p->block_count * (MAX_GROUPS + 2u) * 2;
  insertions list = {0};
  hunt h = {.p = p};
  h.counts = calloc(p->loop_count + 1u, sizeof *h.counts);
  h.places = calloc(MAX_PLACES + 1u, sizeof *h.places);
  for (int i = 0; i < 2; i++)
    h.todo[i] = malloc((size_t)MAX_PLACES * (MAX_GROUPS + 2u) * sizeof *h.todo[i]);
  h.seen = malloc(states + 1);
  h.stack = malloc((states + 2) * sizeof *h.stack);
  h.failed = !h.counts || !h.places || !h.todo[0] || !h.todo[1] || !h.seen || !h.stack;
  if (!h.failed)
    find_all(&h, &list);
  h.failed = h.failed || !rebuild(p, &list);
  free(list.items);
  free(h.counts);
  free(h.places);
  free(h.todo[0]);
  free(h.todo[1]);
  free(h.seen);
  free(h.stack);
  return !h.failed && !gs_terms_failed(p->terms);
}
