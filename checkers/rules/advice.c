// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last note of a conflict: what would mend it.
#include "barrier_fix.h"

#include <inttypes.h>
#include <stdlib.h>

static bool mentions(gs_kernel *k, gs_term t, const gs_term axes[3]) {
  uint32_t count = gs_sym_count(k->program->terms);
  unsigned char *seen = calloc(count + 1u, 1);
  bool found = false;
  if (seen) {
    gs_term_syms(k->program->terms, t, seen);
    for (int d = 0; d < 3; d++)
      found |= seen[gs_term_node(k->program->terms, axes[d])->value];
  }
  free(seen);
  return found;
}

const char *gs_advice(gs_kernel *k, const gs_violation *v, const gs_object *object) {
  gs_program *p = k->program;
  const gs_target *t = &p->accesses[v->access[0]].targets[v->target[0]];
  const gs_target *u = &p->accesses[v->access[1]].targets[v->target[1]];
  bool block = mentions(k, t->offset, p->ctaid) || mentions(k, u->offset, p->ctaid);
  bool thread = mentions(k, t->offset, p->tid) || mentions(k, u->offset, p->tid);
  gs_pool *arena = k->result->arena;
  const gs_access *a = &p->accesses[v->access[0]], *b = &p->accesses[v->access[1]];
  if (a->echo || b->echo)
    return "complete the copy before the barrier: __pipeline_wait_prior() or cp.async.wait_group, then "
           "__syncthreads()";
  if (v->rule == GS_RULE_ATOMIC_MIX && a->is_atomic && b->is_atomic)
    return a->size == b->size ? "use the atomic whose scope holds both threads: atomicAdd, not atomicAdd_block"
                              : "let all atomic operations on a location have one size";
  if (v->rule == GS_RULE_ATOMIC_MIX)
    return "an atomic orders nothing but atomics: make the plain access atomic as well, or order it "
           "by a barrier or another launch";
  if (!v->meeting.same_block && !block)
    return gs_pool_format(arena,
                           "the index does not depend on blockIdx, so every block uses the same "
                           "elements of '%s'%s; index by block, or use an atomic operation",
                           gs_object_words(object),
                           p->barrier_count ? " (__syncthreads orders only the threads of one block)" : "");
  if (v->meeting.same_block && !thread)
    return gs_pool_format(arena,
                           "the index does not depend on threadIdx, so all threads use the same "
                           "element of '%s'; let one thread do it (if (threadIdx.x == 0)), index by "
                           "thread, or use an atomic operation",
                           gs_object_words(object));
  if (p->desc && !p->desc->fact_count && v->access[0] == v->access[1])
    return "if no launch can have these values, say so with GS_LAUNCH_CONTRACT(...); else give "
           "each thread its own elements";
  return "give each thread its own elements, or use an atomic operation";
}

static const char *noun(const gs_access *a) {
  if (a->is_atomic)
    return a->is_write ? "atomic update" : "atomic read";
  return a->is_write ? "write" : "read";
}

const char *gs_barrier_words(gs_kernel *k, const gs_missing_barrier *m, bool exact,
                             const gs_fixit *fixes, uint32_t count) {
  const gs_program *p = k->program;
  gs_pool *arena = k->result->arena;
  const gs_access *a = &p->accesses[m->first], *b = &p->accesses[m->second];
  const char *help = "between them, where all threads of the block reach it, would order them";
  if (count == 1)
    help = "here orders them";
  else if (count == 2)
    help = gs_pool_format(arena, "here and at line %" PRIu32 " orders them",
                          gs_fixit_place(&fixes[1]).line);
  else if (m->in_warp)
    help = "between them, where all threads of the block reach it, would order them, or __syncwarp() "
           "if only threads of one warp meet there: these do not run in lock step";
  return gs_pool_format(arena,
                        "no barrier%s between the %s at line %" PRIu32 " and the %s at line %" PRIu32
                        "%s; __syncthreads() %s",
                        exact ? "" : " that all threads of the block reach", noun(a),
                        gs_place_told(p, a->place).line, noun(b), gs_place_told(p, b->place).line,
                        !m->later ? "" : m->next ? " in the next iteration" : " in a later iteration",
                        help);
}
