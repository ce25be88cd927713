// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loop-carried values. A phi at a loop header stands as a place holder while the
// loop's body is lowered; then its next value is known as a function of the
// holder and gets a closed form over the trip number (closed_form.c), or
// becomes an opaque value of each iteration.
#include "closed_form.h"

#include <stdlib.h>
#include <string.h>

void gs_lower_fact(gs_lowering *low, gs_term sym, gs_term fact) {
  gs_program *program = low->program;
  if (!sym || !fact)
    return;
  uint32_t capacity = low->fact_capacity;
  if (!gs_lower_grow(low, (void **)&program->facts, &capacity, program->fact_count + 1,
                     sizeof *program->facts))
    return;
  low->fact_capacity = capacity;
  program->facts[program->fact_count++] =
      (gs_sym_fact){(uint32_t)gs_term_node(low->terms, sym)->value, fact};
}

gs_term gs_lower_header_phi(gs_lowering *low, LLVMValueRef phi, uint32_t loop) {
  gs_sym sym = {.kind = GS_SYM_PHI,
                .level = GS_LEVEL_GRID,
                .index = low->pending_count,
                .loop = loop + 1,
                .width = gs_lower_width(low, LLVMTypeOf(phi)),
                .hi = UINT64_MAX,
                .name = "phi"};
  gs_term holder = gs_mk_sym(low->terms, &sym);
  if (!gs_lower_grow(low, (void **)&low->pending, &low->pending_capacity, low->pending_count + 1,
                     sizeof *low->pending))
    return GS_NO_TERM;
  low->pending[low->pending_count++] = (gs_pending){.phi = phi, .loop = loop, .holder = holder};
  return holder;
}

/// Joins the phi's incoming values from inside or from outside of the loop.
static gs_term join_incoming(gs_lowering *low, const gs_pending *p, bool inside) {
  LLVMValueRef phi = p->phi;
  uint32_t loop = p->loop, header = low->cfg.loops[loop].header;
  uint32_t context = inside ? loop : low->cfg.loops[loop].parent;
  gs_term result = GS_NO_TERM;
  for (unsigned i = LLVMCountIncoming(phi); i-- > 0;) {
    uint32_t from = gs_cfg_block(&low->cfg, LLVMGetIncomingBlock(phi, i));
    if (from == GS_NONE || !gs_cfg_has_edge(&low->cfg, from, header) ||
        gs_cfg_loop_contains(&low->cfg, loop, low->cfg.loop[from]) != inside)
      continue;
    gs_term value = gs_lower_incoming(low, phi, i, context);
    result = !result ? value
                     : gs_mk_ite(low->terms, gs_lower_edge_guard(low, context, from, header),
                                 value, result);
  }
  return result;
}

/// Puts the closed forms found so far into a term.
static gs_term apply_settled(gs_lowering *low, gs_term t) {
  // A closed form may contain holders that were settled later.
  for (int round = 0; round < 8; round++) {
    gs_term next = gs_term_subst(low->terms, t, low->settled, low->settled_capacity);
    if (next == t)
      break;
    t = next;
  }
  return t;
}

/// Rewrites everything stored so far.
static void rewrite_all(gs_lowering *low) {
  gs_subst *subst = gs_subst_new(low->terms, low->settled, low->settled_capacity);
  if (!subst) {
    low->failed = true;
    return;
  }
  for (uint32_t i = 0; i < low->memo_count; i++) {
    gs_term *term = gs_lower_memo(low, low->memo_keys[i]);
    if (*term)
      *term = gs_subst_apply(subst, *term);
  }
  for (uint32_t b = 0; b < low->cfg.count; b++) {
    low->guards[b] = gs_subst_apply(subst, low->guards[b]);
    low->lives[b] = gs_subst_apply(subst, low->lives[b]);
    low->conditions[b] = gs_subst_apply(subst, low->conditions[b]);
  }
  for (uint32_t l = 0; l < low->cfg.loop_count; l++) {
    low->loops[l].entry = gs_subst_apply(subst, low->loops[l].entry);
    low->loops[l].again = gs_subst_apply(subst, low->loops[l].again);
    low->loops[l].live_entry = gs_subst_apply(subst, low->loops[l].live_entry);
    low->loops[l].live_again = gs_subst_apply(subst, low->loops[l].live_again);
  }
  for (uint32_t i = 0; i < low->raw_count; i++) {
    gs_raw_access *raw = &low->raw[i];
    raw->pointer = gs_subst_apply(subst, raw->pointer);
    raw->guard = gs_subst_apply(subst, raw->guard);
    raw->access.operand = gs_subst_apply(subst, raw->access.operand);
    raw->access.expected = gs_subst_apply(subst, raw->access.expected);
    raw->access.value = gs_subst_apply(subst, raw->access.value);
    raw->access.size_term = gs_subst_apply(subst, raw->access.size_term);
  }
  for (uint32_t i = 0; i < low->program->fact_count; i++)
    low->program->facts[i].fact = gs_subst_apply(subst, low->program->facts[i].fact);
  for (uint32_t i = 0; i < low->program->barrier_count; i++)
    low->program->barriers[i].mask = gs_subst_apply(subst, low->program->barriers[i].mask);
  for (uint32_t i = 0; i < low->pending_count; i++) {
    low->pending[i].init = gs_subst_apply(subst, low->pending[i].init);
    low->pending[i].next = gs_subst_apply(subst, low->pending[i].next);
  }
  gs_subst_free(subst);
}

static void settle_one(gs_lowering *low, gs_pending *p, gs_term form) {
  uint32_t sym = (uint32_t)gs_term_node(low->terms, p->holder)->value;
  if (!gs_lower_grow(low, (void **)&low->settled, &low->settled_capacity, sym + 1,
                     sizeof(gs_term)))
    return;
  low->settled[sym] = form;
  gs_lower_depend(low, p->holder, form);
  p->done = true;
}

/// What remains becomes opaque, a function of its start and its next value.
static void make_opaque(gs_lowering *low, uint32_t loop) {
  for (uint32_t i = 0; i < low->pending_count; i++) {
    gs_pending *p = &low->pending[i];
    if (p->done || p->loop != loop)
      continue;
    uint8_t width = gs_term_width(low->terms, p->holder);
    gs_term fresh = gs_lower_opaque(low, width, GS_LEVEL_GRID, loop,
                                    "a value that the loop changes in a way that has no closed form");
    gs_term first = gs_mk_bin(low->terms, GS_OP_EQ, low->program->loops[loop].trip,
                              gs_mk_const(low->terms, 0, 64));
    gs_lower_depend(low, fresh, p->init);
    gs_lower_depend(low, fresh, p->next);
    settle_one(low, p, fresh);
    gs_lower_fact(low, fresh,
                  gs_mk_or(low->terms, gs_mk_not(low->terms, first),
                           gs_mk_bin(low->terms, GS_OP_EQ, fresh, p->init)));
  }
}

void gs_lower_settle(gs_lowering *low, uint32_t loop) {
  gs_loop_state *state = &low->loops[loop];
  if (state->settling || low->failed)
    return;
  bool any = false;
  state->settling = true;
  for (uint32_t i = 0; i < low->pending_count && !low->failed; i++) {
    if (low->pending[i].loop != loop || low->pending[i].done)
      continue;
    any = true;
    if (low->pending[i].next)
      continue;
    gs_pending copy = low->pending[i]; // the array may move
    gs_term init = join_incoming(low, &copy, false), next = join_incoming(low, &copy, true);
    low->pending[i].init = init;
    low->pending[i].next = next;
  }
  if (any) {
    for (bool progress = true; progress && !low->failed;) {
      progress = false;
      for (uint32_t i = 0; i < low->pending_count; i++) {
        gs_pending *p = &low->pending[i];
        if (p->done || p->loop != loop)
          continue;
        p->next = apply_settled(low, p->next);
        p->init = apply_settled(low, p->init);
        gs_term form = gs_closed_form(low, p);
        if (form) {
          settle_one(low, p, form);
          progress = true;
        }
      }
    }
    make_opaque(low, loop);
    rewrite_all(low);
  }
  state->settling = false;
}

/// A copy of `t` for another iteration of `loop`: the trip number becomes
/// `trip`, everything else that changes with the iteration a fresh symbol.
static gs_term at_iteration(gs_lowering *low, uint32_t loop, gs_term t, gs_term trip) {
  uint32_t count = gs_sym_count(low->terms);
  unsigned char *seen = calloc(count + 1u, 1);
  gs_term *map = calloc(count + 1u, sizeof *map), result = GS_NO_TERM;
  if (seen && map) {
    gs_term_syms(low->terms, t, seen);
    for (uint32_t s = 0; s < count; s++) {
      gs_sym sym = *gs_sym_get(low->terms, s);
      if (!seen[s] || sym.loop != loop + 1)
        continue;
      if (s == low->program->loops[loop].trip_sym) {
        map[s] = trip;
        continue;
      }
      sym.copy = 4;
      map[s] = gs_mk_sym(low->terms, &sym);
      gs_lower_depend(low, map[s], gs_sym_term(low->terms, s));
    }
    result = gs_term_subst(low->terms, t, map, count);
  } else {
    low->failed = true;
  }
  free(seen);
  free(map);
  return result;
}

/// "Iteration `trip` is reached", from the condition of going round once more.
static gs_term reached(gs_lowering *low, uint32_t loop, gs_term trip) {
  gs_terms *terms = low->terms;
  gs_term one = gs_mk_const(terms, 1, 64);
  gs_term first = gs_mk_bin(terms, GS_OP_EQ, trip, gs_mk_const(terms, 0, 64));
  gs_term before = gs_mk_bin(terms, GS_OP_SUB, trip, one);
  return gs_mk_or(terms, first, at_iteration(low, loop, low->loops[loop].again, before));
}

void gs_lower_count_trips(gs_lowering *low, uint32_t loop) {
  uint32_t trip = low->program->loops[loop].trip_sym;
  uint64_t trips = 0;
  if (gs_program_count_trips(low->terms, low->loops[loop].again, trip, &low->trip_work, &trips))
    gs_sym_edit(low->terms, trip)->hi = trips;
}

void gs_lower_trip_facts(gs_lowering *low, uint32_t loop) {
  gs_term trip = low->program->loops[loop].trip;
  gs_lower_fact(low, trip, reached(low, loop, trip));
}

/// The trip number of the last iteration, or a symbol for it with what is known of it.
static gs_term exit_trip(gs_lowering *low, uint32_t loop) {
  gs_loop_state *state = &low->loops[loop];
  uint64_t trips = 0;
  if (state->exit_trip)
    return state->exit_trip;
  if (state->again && gs_program_count_trips(low->terms, state->again, low->program->loops[loop].trip_sym,
                                             &low->trip_work, &trips))
    return state->exit_trip = gs_mk_const(low->terms, trips, 64);
  gs_sym sym = *gs_sym_get(low->terms, low->program->loops[loop].trip_sym);
  uint32_t parent = low->cfg.loops[loop].parent;
  sym.copy = 3;
  sym.loop = parent == GS_NONE ? 0 : parent + 1;
  gs_term last = gs_mk_sym(low->terms, &sym);
  gs_lower_depend(low, last, state->again);
  state->exit_trip = last;
  if (state->again) {
    gs_term more = gs_lower_leave(low, loop, state->again);
    gs_lower_fact(low, last, gs_mk_not(low->terms, more));
    gs_lower_fact(low, last, reached(low, loop, last));
  }
  return last;
}

gs_term gs_lower_leave(gs_lowering *low, uint32_t loop, gs_term t) {
  if (!t || low->failed)
    return t;
  if (low->loops[loop].closed)
    gs_lower_settle(low, loop);
  t = apply_settled(low, t);
  uint32_t count = gs_sym_count(low->terms);
  unsigned char *seen = calloc(count + 1u, 1);
  if (!seen) {
    low->failed = true;
    return t;
  }
  gs_term_syms(low->terms, t, seen);
  uint32_t parent = low->cfg.loops[loop].parent;
  gs_loop_state *state = &low->loops[loop];
  bool any = false;
  for (uint32_t s = 0; s < count; s++) {
    if (!seen[s] || gs_sym_get(low->terms, s)->loop != loop + 1)
      continue;
    any = true;
    if (!gs_lower_grow(low, (void **)&state->exits, &state->exit_capacity, s + 1,
                       sizeof(gs_term)))
      break;
    if (state->exits[s])
      continue;
    if (s == low->program->loops[loop].trip_sym) {
      gs_term last = exit_trip(low, loop);
      state->exits[s] = last;
      continue;
    }
    gs_sym sym = *gs_sym_get(low->terms, s);
    sym.copy = 3;
    sym.loop = parent == GS_NONE ? 0 : parent + 1;
    gs_term last = gs_mk_sym(low->terms, &sym);
    gs_lower_depend(low, last, gs_sym_term(low->terms, s));
    gs_lower_depend(low, last, state->again);
    state->exits[s] = last;
  }
  free(seen);
  return any ? gs_term_subst(low->terms, t, state->exits, state->exit_capacity) : t;
}
