// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an echo touches: the terms of the copy, moved to the iterations of another place.
#include "flights_private.h"

#include <stdlib.h>
#include <string.h>

typedef struct echo {
  gs_program *p;
  const gs_flight_spot *spot;
  uint32_t from, at; ///< blocks of the copy and of the echo
  uint32_t common;   ///< loops around both
  uint32_t around[GS_FLIGHT_DEPTH + 1]; ///< by depth: the loops around the copy
  uint32_t depth;
  gs_term *map; ///< by symbol
  uint32_t count;
  unsigned char *seen, *moved; ///< by symbol: occurs; and is another one here
  gs_term guard;
} echo;

static void require(echo *e, gs_term t) {
  if (t)
    e->guard = gs_mk_and(e->p->terms, e->guard, t);
}

/// Is the loop at this depth around the copy in the copy's own iteration?
static bool is_same(const echo *e, uint32_t depth) {
  return e->spot->crossed ? depth < e->spot->crossed : depth <= e->common;
}

static bool is_exact_step(const echo *e, uint32_t depth) {
  return e->spot->crossed == depth && e->spot->count != GS_FLIGHT_MANY;
}

/// A symbol like s that means its value in an iteration of its own.
static gs_term fresh(echo *e, uint32_t s, bool of_thread) {
  gs_sym sym = *gs_sym_get(e->p->terms, s);
  uint32_t loop = e->p->blocks[e->at].loop;
  sym.loop = loop == GS_NONE ? 0 : loop + 1;
  if (of_thread)
    sym.level = GS_LEVEL_THREAD;
  if (sym.kind == GS_SYM_LOOP) { // as trip numbers behind a loop are: some iteration
    sym.copy = 3;
    sym.origin = s;
  }
  e->moved[s] = 1;
  return gs_mk_sym(e->p->terms, &sym);
}

/// Depth of a loop if it is around the copy, else 0.
static uint32_t depth_around(const echo *e, uint32_t loop) {
  uint32_t depth = e->p->loops[loop].depth;
  return depth <= e->depth && e->around[depth] == loop ? depth : 0;
}

static void map_symbol(echo *e, uint32_t s) {
  gs_terms *t = e->p->terms;
  const gs_sym *sym = gs_sym_get(t, s);
  if (!sym->loop || e->map[s])
    return;
  uint32_t loop = sym->loop - 1, depth = depth_around(e, loop);
  if (depth && is_same(e, depth))
    return;
  bool exact = depth && is_exact_step(e, depth);
  if (!exact || s != e->p->loops[loop].trip_sym) {
    e->map[s] = fresh(e, s, !exact);
    return;
  }
  gs_term count = gs_mk_const(t, e->spot->count, 64), trip = e->p->loops[loop].trip;
  e->moved[s] = 1;
  e->map[s] = gs_mk_bin_flags(t, GS_OP_SUB, trip, count, GS_NSW | GS_NUW, 0);
  require(e, gs_mk_bin(t, GS_OP_ULE, count, trip));
}

static void see(echo *e, gs_term t) {
  if (t)
    gs_term_syms(e->p->terms, t, e->seen);
}

/// Maps everything that was seen, and takes the facts about what was moved along.
static void close_over(echo *e) {
  const gs_program *p = e->p;
  bool more = true;
  unsigned char *done = calloc(p->fact_count + 1u, 1);
  while (more && done) {
    more = false;
    for (uint32_t f = 0; f < p->fact_count; f++)
      if (!done[f] && p->facts[f].sym < e->count && e->seen[p->facts[f].sym]) {
        done[f] = 1;
        more = true;
        see(e, p->facts[f].fact);
      }
  }
  for (uint32_t s = 0; s < e->count; s++)
    if (e->seen[s])
      map_symbol(e, s);
  for (uint32_t f = 0; f < p->fact_count && done; f++)
    if (done[f] && e->moved[p->facts[f].sym])
      require(e, gs_term_subst(p->terms, p->facts[f].fact, e->map, e->count));
  free(done);
}

/// Does "goes round again" hang on the trip number alone among what changes in the loop?
static bool again_is_simple(const echo *e, uint32_t loop) {
  const gs_program *p = e->p;
  unsigned char *syms = calloc(gs_sym_count(p->terms) + 1u, 1);
  bool simple = syms != NULL;
  if (syms)
    gs_term_syms(p->terms, p->loops[loop].again, syms);
  for (uint32_t s = 0; s < e->count && simple; s++)
    simple = !syms[s] || s == p->loops[loop].trip_sym || gs_sym_get(p->terms, s)->loop != loop + 1;
  free(syms);
  return simple;
}

/// A loop around the copy that was left after going round so often: which iteration it was.
static void require_left(echo *e, uint32_t depth) {
  const gs_program *p = e->p;
  gs_terms *t = p->terms;
  uint32_t loop = e->around[depth], trip = p->loops[loop].trip_sym;
  uint8_t left = e->spot->left[depth];
  if (!left || left == GS_FLIGHT_MANY || is_same(e, depth) || !again_is_simple(e, loop) ||
      trip >= e->count || !e->map[trip])
    return;
  gs_term here = e->map[trip];
  e->map[trip] = gs_mk_bin_flags(t, GS_OP_ADD, here, gs_mk_const(t, left - 1u, 64), GS_NSW | GS_NUW, 0);
  require(e, gs_mk_not(t, gs_term_subst(t, p->loops[loop].again, e->map, e->count)));
  e->map[trip] = here;
}

/// What is known of the iterations of the place itself.
static void require_place(echo *e) {
  const gs_program *p = e->p;
  gs_terms *t = p->terms;
  for (uint32_t l = p->blocks[e->at].loop; l != GS_NONE; l = p->loops[l].parent) {
    uint32_t depth = p->loops[l].depth;
    bool around = depth <= e->common && depth_around(e, l);
    if (around && (is_same(e, depth) || depth == e->spot->crossed))
      continue;
    uint8_t since = depth <= GS_FLIGHT_DEPTH ? e->spot->since[depth] : GS_FLIGHT_MANY;
    gs_term one = gs_mk_const(t, 1, 64);
    require(e, since == GS_FLIGHT_MANY
                   ? gs_mk_bin(t, GS_OP_ULE, one, p->loops[l].trip)
                   : gs_mk_bin(t, GS_OP_EQ, p->loops[l].trip, gs_mk_const(t, since, 64)));
  }
  uint32_t crossed = e->spot->crossed;
  if (!crossed || e->spot->count != GS_FLIGHT_MANY)
    return;
  uint32_t trip = p->loops[e->around[crossed]].trip_sym; // an earlier iteration
  if (e->map[trip])
    require(e, gs_mk_bin(t, GS_OP_ULT, e->map[trip], p->loops[e->around[crossed]].trip));
}

static bool build(echo *e, const gs_access *a, gs_access *out) {
  gs_program *p = e->p;
  gs_target *targets = calloc(a->target_count + 1u, sizeof *targets);
  if (!targets)
    return false;
  for (uint32_t i = 0; i < a->target_count; i++) {
    see(e, a->targets[i].guard);
    see(e, a->targets[i].offset);
  }
  see(e, a->size_term);
  see(e, p->blocks[e->from].guard);
  for (uint32_t d = 1; d <= e->depth; d++) {
    see(e, p->loops[e->around[d]].entry);
    e->seen[p->loops[e->around[d]].trip_sym] = 1;
    if (e->spot->left[d])
      see(e, p->loops[e->around[d]].again);
  }
  close_over(e);
  for (uint32_t d = 1; d <= e->depth; d++) {
    require(e, gs_term_subst(p->terms, p->loops[e->around[d]].entry, e->map, e->count));
    require_left(e, d);
  }
  require(e, gs_term_subst(p->terms, p->blocks[e->from].guard, e->map, e->count));
  require_place(e);
  for (uint32_t i = 0; i < a->target_count; i++) {
    targets[i] = a->targets[i];
    targets[i].offset = gs_term_subst(p->terms, a->targets[i].offset, e->map, e->count);
    targets[i].guard =
        gs_mk_and(p->terms, e->guard, gs_term_subst(p->terms, a->targets[i].guard, e->map, e->count));
  }
  if (a->size_term)
    out->size_term = gs_term_subst(p->terms, a->size_term, e->map, e->count);
  out->targets = targets;
  return true;
}

bool gs_flight_echo(gs_program *p, uint32_t copy, uint32_t from, uint32_t at,
                    const gs_flight_spot *spot, gs_access *out) {
  echo e = {.p = p, .spot = spot, .from = from, .at = at, .common = gs_loop_depth(p, gs_common_loop(p, from, at)),
            .count = gs_sym_count(p->terms), .guard = gs_mk_bool(p->terms, true)};
  for (uint32_t l = p->blocks[from].loop; l != GS_NONE; l = p->loops[l].parent) {
    e.depth = e.depth ? e.depth : p->loops[l].depth;
    e.around[p->loops[l].depth] = l;
  }
  e.map = calloc(e.count + 1u, sizeof *e.map);
  e.seen = calloc(e.count + 1u, 1);
  e.moved = calloc(e.count + 1u, 1);
  *out = p->accesses[copy];
  out->targets = NULL;
  out->echo = copy + 1;
  out->value = GS_NO_TERM;
  bool fine = e.map && e.seen && e.moved && build(&e, &p->accesses[copy], out);
  free(e.map);
  free(e.seen);
  free(e.moved);
  return fine && !gs_terms_failed(p->terms);
}
