// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the last block of a grid knows of the others: what they did before they took their
// ticket, if they released it (flow/broadcast.md).
#include "last_block.h"

#include "broadcast.h"

#include <stdlib.h>

static bool is_release(const gs_program *p, gs_event event, const void *kernel) {
  (void)kernel;
  return event.kind == GS_EVENT_ACCESS && p->accesses[event.index].fence >= GS_SCOPE_GRID + 1;
}

static bool is_barrier(const gs_program *p, gs_event event, const void *kernel) {
  const gs_kernel *k = kernel;
  if (event.kind != GS_EVENT_BARRIER || p->barriers[event.index].kind != GS_BARRIER_BLOCK)
    return false;
  gs_barrier_use use = gs_phases_barrier_use(k->phases, event.index);
  return use == GS_BARRIER_ORDERS || use == GS_BARRIER_ORDERS_LIVE;
}

static bool leads(const gs_kernel *k, uint32_t from, uint32_t to, gs_stop_fn *stop) {
  return gs_access_leads(k->program, gs_phases_block(k->phases, from), from, to, stop, k);
}

static bool contains(const gs_terms *t, gs_term all, gs_term part) {
  if (all == part)
    return true;
  return all && gs_term_width(t, all) == 1 && gs_term_is(t, all, GS_OP_AND) &&
         (contains(t, gs_term_node(t, all)->arg[0], part) || contains(t, gs_term_node(t, all)->arg[1], part));
}

/// Is an access of the one thread that takes the ticket? Its condition is among those of `a`.
static bool is_of_taker(const gs_kernel *k, uint32_t ticket, uint32_t a) {
  const gs_program *p = k->program;
  gs_term taken = p->blocks[gs_phases_block(k->phases, ticket)].guard;
  uint32_t block = gs_phases_block(k->phases, a);
  bool found = contains(p->terms, p->blocks[block].guard, taken);
  for (uint32_t l = p->blocks[block].loop; l != GS_NONE && !found; l = p->loops[l].parent)
    found = contains(p->terms, p->loops[l].entry, taken);
  return found;
}

/// Does everything that a block does with `a` happen before what follows a later ticket?
static bool is_released(const gs_kernel *k, uint32_t ticket, uint32_t a) {
  if (a == ticket)
    return true;
  return leads(k, a, ticket, NULL) && !leads(k, ticket, a, NULL) && !leads(k, a, ticket, is_release) &&
         (is_of_taker(k, ticket, a) || !leads(k, a, ticket, is_barrier));
}

static gs_term differ(gs_kernel *k, gs_term t) {
  return gs_mk_not(k->program->terms, gs_mk_bin(k->program->terms, GS_OP_EQ, gs_scene_term(k->scene, 0, t),
                                                gs_scene_term(k->scene, 1, t)));
}

gs_term gs_last_block_fact(gs_kernel *k, const gs_meeting *meeting, uint32_t a, uint32_t b, bool ordered) {
  gs_program *p = k->program;
  gs_term fact = GS_NO_TERM;
  for (uint32_t i = 0; i < p->last_count && !meeting->same_block && !meeting->one_thread; i++) {
    gs_last *last = &p->lasts[i];
    gs_term is_last = gs_last_is_last(p, last), one = differ(k, last->value);
    fact = fact ? gs_mk_and(p->terms, fact, one) : one;
    for (int who = 0; who < 2 && ordered; who++) {
      uint32_t before = who ? a : b, after = who ? b : a;
      if (!leads(k, last->ticket, after, NULL) || leads(k, after, last->ticket, NULL) ||
          !is_released(k, last->ticket, before))
        continue;
      last->is_used = true;
      fact = gs_mk_and(p->terms, fact, gs_mk_not(p->terms, gs_scene_term(k->scene, who, is_last)));
    }
  }
  return fact;
}
