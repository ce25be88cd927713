// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sentence that a conflict of two accesses is told in.
#include "pairs.h"

static const char *headline(const gs_pair_query *query, const gs_finding *f, const gs_access *a,
                            const gs_access *b) {
  if (f->rule == GS_RULE_ASYNC_COPY)
    return "asynchronous copy in flight:";
  if (query->rule != GS_RULE_ATOMIC_MIX || !a->is_atomic || !b->is_atomic)
    return query->headline;
  return a->size == b->size ? "atomics of too narrow a scope on" : "atomics of different sizes on";
}

/// Some lane of the warp does what the warp does.
static const char *who(gs_kernel *k, const gs_witness *w, int thread, const gs_access *a) {
  const char *words = gs_words_thread(k, w, thread);
  return a->warp_key ? gs_pool_format(k->result->arena, "the warp of %s", words) : words;
}

void gs_pair_message(gs_kernel *k, const gs_pair_query *query, const gs_violation *v,
                     const gs_object *object, gs_finding *f) {
  gs_pool *arena = k->result->arena;
  const gs_access *a = &k->program->accesses[v->access[0]], *b = &k->program->accesses[v->access[1]];
  const char *t1 = who(k, f->witness, 0, a), *t2 = who(k, f->witness, 1, b);
  const char *where = gs_words_element(k, f->witness, object);
  const char *acts;
  if (a->is_write && b->is_write && !a->is_atomic && !b->is_atomic)
    acts = gs_pool_format(arena, "%s and %s both write '%s'", t1, t2, where);
  else
    acts = gs_pool_format(arena, "%s %s '%s' and %s %s it", t1, gs_words_verb(a), where, t2,
                           gs_words_verb(b));
  f->message = gs_pool_format(arena, "%s%s '%s': %s when launched with %s",
                               f->verdict == GS_RACE ? "" : "possible ", headline(query, f, a, b),
                               gs_object_words(object), acts, gs_words_launch(k, f->witness));
}
