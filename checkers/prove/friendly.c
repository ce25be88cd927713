// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "friendly.h"

#include "smt_model.h"

#include <stdlib.h>

typedef struct polish {
  const gs_terms *terms;
  const gs_term *hard;
  size_t count;
  gs_model *model;
  unsigned char *seen; ///< by symbol
  uint32_t syms;
} polish;

static bool good(const polish *p) {
  for (uint32_t s = 0; s < p->syms; s++) {
    const gs_sym *sym = gs_sym_get(p->terms, s);
    if (p->seen[s] && (p->model->values[s] < sym->lo || p->model->values[s] > sym->hi))
      return false;
  }
  return gs_model_check(p->terms, p->hard, p->count, p->model) == GS_CHECK_TRUE &&
         gs_model_keeps_flags(p->terms, p->hard, p->count, p->model);
}

/// \returns true when the symbols could take these values; b may be a again.
static bool move(const polish *p, uint32_t a, uint64_t x, uint32_t b, uint64_t y) {
  uint64_t *values = p->model->values, was_a = values[a], was_b = values[b];
  if (was_a == x && was_b == y)
    return true;
  values[a] = x;
  values[b] = y;
  if (good(p))
    return true;
  values[b] = was_b;
  values[a] = was_a;
  return false;
}

/// The other thread's copy of a symbol; the symbol itself when there is none.
static uint32_t twin(const polish *p, uint32_t s) {
  const gs_sym *sym = gs_sym_get(p->terms, s);
  for (uint32_t k = 0; k < p->syms && (sym->copy == 1 || sym->copy == 2); k++) {
    const gs_sym *other = gs_sym_get(p->terms, k);
    if (p->seen[k] && other->copy + sym->copy == 3 && other->origin == sym->origin)
      return k;
  }
  return s;
}

/// An index of threads, blocks or iterations: both 0, or 0 and 1, or as low as it goes.
static void lower_index(const polish *p, uint32_t s) {
  uint32_t t = twin(p, s);
  uint64_t *values = p->model->values;
  if (gs_sym_get(p->terms, s)->copy == 2 && t != s)
    return; // done from its twin
  if (move(p, s, 0, t, 0) || (t != s && (move(p, s, 0, t, 1) || move(p, s, 1, t, 0))))
    return;
  uint64_t low = values[s] < values[t] ? values[s] : values[t];
  move(p, s, values[s] - low, t, values[t] - low);
  for (int who = 0; who < 2; who++) {
    uint32_t one = who ? t : s;
    for (uint64_t v = 0; v < 2 && v < values[one]; v++)
      if (move(p, one, v, one, v))
        break;
  }
}

/// A size: an ordinary one, else a small one.
static void settle_size(const polish *p, uint32_t s) {
  static const uint64_t sizes[] = {300, 1000, 256, 128, 100, 64, 32, 16, 10, 8, 4, 3, 2, 1, 0};
  uint64_t value = p->model->values[s];
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    if (value == sizes[i] || move(p, s, sizes[i], s, sizes[i]))
      return;
}

static bool is_index(const gs_sym *sym) {
  return sym->kind == GS_SYM_TID || sym->kind == GS_SYM_CTAID || sym->kind == GS_SYM_LOOP;
}

void gs_model_befriend(const gs_terms *terms, const gs_term *hard, size_t count, gs_model *model) {
  polish p = {.terms = terms, .hard = hard, .count = count, .model = model};
  p.syms = gs_sym_count(terms);
  if (model->load_count || model->count < p.syms)
    return;
  p.seen = calloc(p.syms + 1u, 1);
  for (size_t i = 0; p.seen && i < count; i++)
    gs_term_syms(terms, hard[i], p.seen);
  if (p.seen && good(&p)) {
    static const gs_sym_kind order[] = {GS_SYM_LOOP, GS_SYM_CTAID, GS_SYM_TID};
    for (size_t k = 0; k < 3; k++)
      for (uint32_t s = 0; s < p.syms; s++)
        if (p.seen[s] && gs_sym_get(terms, s)->kind == order[k])
          lower_index(&p, s);
    for (uint32_t s = 0; s < p.syms; s++) {
      const gs_sym *sym = gs_sym_get(terms, s);
      if (p.seen[s] && sym->kind == GS_SYM_PARAM && !sym->is_address && sym->width > 8)
        settle_size(&p, s);
    }
    for (uint32_t s = 0; s < p.syms; s++) // sizes may have stood in the way
      if (p.seen[s] && is_index(gs_sym_get(terms, s)))
        lower_index(&p, s);
  }
  free(p.seen);
}
