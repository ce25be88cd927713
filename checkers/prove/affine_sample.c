// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sample points: assignments that satisfy the facts, found by local search.
//
// A statement that fails at such a point cannot be proved, so the search for a
// proof is not even begun. Samples only ever save work: nothing that is proved
// depends on them.
#include "problem.h"

#include <string.h>

enum { REPAIRS = 16, MAX_FIX_VARS = 16 };

typedef enum relation { REL_LE, REL_EQ, REL_NE } relation;

static uint32_t next_random(gs_problem *p, uint32_t n) {
  p->random = p->random * 1664525u + 1013904223u;
  return (p->random >> 8) % n;
}

/// A value of v near zero.
static gs_i128 small_value(gs_problem *p, gs_pvar v, uint32_t spread) {
  gs_span s = p->vars[v].span;
  gs_i128 value = (s.lo > 0 ? s.lo : s.hi < 0 ? s.hi : 0) + next_random(p, spread);
  return value > s.hi ? s.hi : value < s.lo ? s.lo : value;
}

static gs_i128 clamp_to(gs_span s, gs_i128 value) {
  return value < s.lo ? s.lo : value > s.hi ? s.hi : value;
}

/// coef times the variables of m but one `skip`. \returns false on overflow.
static bool eval_term(const gs_i128 *at, gs_i128 coef, gs_mono m, gs_pvar skip, gs_i128 *out) {
  for (; m; m >>= 16) {
    gs_pvar v = (gs_pvar)m;
    if (v == skip)
      skip = 0;
    else if (__builtin_mul_overflow(coef, at[v], &coef))
      return false;
  }
  *out = coef;
  return true;
}

static bool eval(const gs_i128 *at, const gs_poly *a, gs_i128 *out) {
  gs_i128 sum = 0, t = 0;
  for (uint32_t i = 0; i < a->count; i++)
    if (!eval_term(at, a->term[i].coef, a->term[i].mono, 0, &t) ||
        __builtin_add_overflow(sum, t, &sum))
      return false;
  *out = sum;
  return true;
}

static bool holds(const gs_i128 *at, const gs_poly *a, relation rel) {
  gs_i128 value = 0;
  return eval(at, a, &value) &&
         (rel == REL_LE ? value <= 0 : rel == REL_EQ ? value == 0 : value != 0);
}

static unsigned variables(const gs_poly *a, gs_pvar *out) {
  unsigned n = 0;
  for (uint32_t i = 0; i < a->count; i++)
    for (gs_mono m = a->term[i].mono; m; m >>= 16) {
      unsigned k = 0;
      while (k < n && out[k] != (gs_pvar)m)
        k++;
      if (k == n && n < MAX_FIX_VARS)
        out[n++] = (gs_pvar)m;
    }
  return n;
}

/// a = slope*v + rest at this point. \returns false when a is not linear in v.
static bool linear_in(const gs_i128 *at, const gs_poly *a, gs_pvar v, gs_i128 *slope,
                      gs_i128 *rest) {
  *slope = *rest = 0;
  for (uint32_t i = 0; i < a->count; i++) {
    gs_mono m = a->term[i].mono, once = 0;
    bool has = gs_mono_div(m, gs_mono_var(v), &once);
    gs_i128 t = 0;
    if ((has && gs_mono_has(once, v)) || !eval_term(at, a->term[i].coef, m, has ? v : 0, &t) ||
        __builtin_add_overflow(has ? *slope : *rest, t, has ? slope : rest))
      return false;
  }
  return *slope != 0;
}

/// The value of v that makes the relation hold, or comes nearest.
static bool solve_for(gs_problem *p, const gs_i128 *at, const gs_poly *a, relation rel, gs_pvar v,
                      gs_i128 *out) {
  gs_i128 slope = 0, rest = 0;
  gs_span s = p->vars[v].span;
  const gs_i128 limit = (gs_i128)1 << 124;
  if (rel == REL_NE) {
    *out = at[v] < s.hi ? at[v] + 1 : at[v] - 1;
    return s.lo < s.hi;
  }
  if (!linear_in(at, a, v, &slope, &rest) || rest > limit || rest < -limit || slope > limit ||
      slope < -limit)
    return false;
  *out = clamp_to(s, slope > 0 ? gs_i128_floordiv(-rest, slope) : gs_i128_ceildiv(rest, -slope));
  return *out != at[v];
}

/// Binary digits of |a| at this point: how far a relation is from holding.
static int32_t distance(const gs_i128 *at, const gs_poly *a) {
  gs_i128 value = 0;
  int32_t bits = 0;
  if (!eval(at, a, &value))
    return 128;
  for (; value; value /= 2)
    bits++;
  return bits;
}

/// Wraps follow from the rest of the point.
static void settle(const gs_problem *p, gs_i128 *at) {
  for (uint32_t i = 0; i < p->wrap_count; i++) {
    const gs_wrap *w = &p->wraps[i];
    gs_i128 value = 0, lo = gs_span_view(w->view, w->width).lo;
    const gs_i128 limit = (gs_i128)1 << 124;
    if (w->done || p->vars[w->q].subst || !w->exact || !eval(at, w->exact, &value) ||
        value > limit || value < -limit)
      continue;
    at[w->q] = clamp_to(p->vars[w->q].span,
                        gs_i128_floordiv(value - lo, (gs_i128)1 << w->width));
  }
}

static int32_t broken_in(const gs_polys *list, const gs_i128 *at, relation rel) {
  int32_t n = 0;
  for (uint32_t i = 0; i < list->count; i++)
    n += list->at[i] && !holds(at, list->at[i], rel);
  return n;
}

/// How bad a point is: violated facts first, then the distance of `a`.
static int32_t badness(const gs_problem *p, const gs_i128 *at, const gs_poly *extra,
                       const gs_poly *a) {
  int32_t n = broken_in(&p->le, at, REL_LE) + broken_in(&p->eq, at, REL_EQ) +
              broken_in(&p->ne, at, REL_NE) + (extra && !holds(at, extra, REL_LE));
  return 256 * n + distance(at, a);
}

/// Makes `a` hold by moving the variable that breaks the fewest other facts.
/// \returns false when memory is short.
static bool fix(gs_problem *p, gs_i128 *at, const gs_poly *extra, const gs_poly *a, relation rel) {
  gs_pvar list[MAX_FIX_VARS];
  unsigned n = variables(a, list), start = n ? next_random(p, n) : 0;
  size_t size = p->var_count * sizeof *at;
  gs_arena_mark mark = gs_arena_here(p->arena);
  gs_i128 *best = gs_arena_alloc(p->arena, size), *next = gs_arena_alloc(p->arena, size);
  int32_t best_badness = INT32_MAX;
  if (!best || !next || !n)
    return false;
  for (unsigned i = 0; i < n; i++) {
    gs_pvar v = list[(start + i) % n];
    gs_i128 value = 0;
    if (p->vars[v].kind == GS_PVAR_WRAP || !solve_for(p, at, a, rel, v, &value))
      continue;
    memcpy(next, at, size);
    next[v] = value;
    settle(p, next);
    int32_t b = badness(p, next, extra, a);
    if (b >= best_badness)
      continue;
    best_badness = b;
    memcpy(best, next, size);
  }
  bool better = best_badness < badness(p, at, extra, a);
  if (best_badness < INT32_MAX && (better || next_random(p, 4))) {
    memcpy(at, best, size);
  } else { // none can alone, or it leads nowhere: move one and see
    at[list[start]] = small_value(p, list[start], 8);
    settle(p, at);
  }
  gs_arena_release(p->arena, mark);
  return true;
}

static const gs_poly *violated_in(const gs_polys *list, const gs_i128 *at, relation rel,
                                  uint32_t start) {
  for (uint32_t i = 0; i < list->count; i++) {
    const gs_poly *a = list->at[(start + i) % list->count];
    if (a && !holds(at, a, rel))
      return a;
  }
  return NULL;
}

/// Some fact that does not hold at this point; `extra` (a <= 0) is one more.
static const gs_poly *violated(gs_problem *p, const gs_i128 *at, const gs_poly *extra,
                               relation *rel) {
  *rel = REL_LE;
  if (extra && !holds(at, extra, REL_LE))
    return extra;
  const gs_poly *a = violated_in(&p->le, at, REL_LE, p->random);
  if (a)
    return a;
  *rel = REL_EQ;
  a = violated_in(&p->eq, at, REL_EQ, 0);
  if (a)
    return a;
  *rel = REL_NE;
  return violated_in(&p->ne, at, REL_NE, 0);
}

static bool repair(gs_problem *p, gs_i128 *at, const gs_poly *extra) {
  relation rel = REL_LE;
  for (int i = 0; i < REPAIRS; i++) {
    const gs_poly *a = violated(p, at, extra, &rel);
    if (!a)
      return true;
    if (!gs_problem_step(p, 1 + gs_problem_terms(p) / 128) || !fix(p, at, extra, a, rel))
      return false;
  }
  return !violated(p, at, extra, &rel);
}

/// Makes room for new variables and moves values into their ranges.
static bool extend(gs_problem *p, gs_sample *s) {
  gs_i128 *at = gs_arena_grow(p->arena, s->at, p->var_count, &s->capacity, sizeof *at);
  if (!at)
    return false;
  s->at = at;
  for (; s->count < p->var_count; s->count++)
    at[s->count] = s->count ? small_value(p, (gs_pvar)s->count, 2) : 0;
  for (uint32_t v = 1; v < p->var_count; v++)
    at[v] = clamp_to(p->vars[v].span, at[v]);
  settle(p, at);
  return true;
}

static void refresh(gs_problem *p) {
  if (p->sample_version == p->version && p->samples[0].count == p->var_count)
    return;
  p->sample_version = p->version;
  for (uint32_t i = 0; i < p->wrap_count; i++)
    if (!p->wraps[i].done)
      p->wraps[i].exact = gs_problem_norm(p, p->wraps[i].exact);
  bool any = false;
  relation rel = REL_LE;
  for (int i = 0; i < GS_SAMPLES; i++) {
    gs_sample *s = &p->samples[i];
    bool was = s->holds;
    s->holds = false;
    if ((was || i == 0) && extend(p, s))
      s->holds = i == 0 ? repair(p, s->at, NULL) : !violated(p, s->at, NULL, &rel);
    any |= s->holds;
  }
  gs_sample *s = &p->samples[1];
  if (any || !extend(p, s))
    return;
  for (uint32_t v = 1; v < p->var_count; v++)
    s->at[v] = small_value(p, (gs_pvar)v, 4);
  settle(p, s->at);
  s->holds = repair(p, s->at, NULL);
}

bool gs_sample_value(const gs_sample *s, const gs_poly *a, gs_i128 *value) {
  return eval(s->at, a, value);
}

bool gs_sample_known(gs_problem *p, const gs_poly *a) {
  refresh(p);
  for (int i = 0; i < GS_SAMPLES; i++) {
    gs_i128 value = 0;
    if (p->samples[i].holds && eval(p->samples[i].at, a, &value) && value > 0)
      return true;
  }
  return false;
}

bool gs_sample_found(gs_problem *p, const gs_poly *a) {
  refresh(p);
  gs_sample *from = NULL, *to = &p->samples[p->next_sample];
  for (int i = 0; i < GS_SAMPLES; i++)
    if (p->samples[i].holds)
      from = &p->samples[i];
  const gs_poly *opposite = gs_poly_addc(p->arena, gs_poly_neg(p->arena, a), 1);
  if (!from || !opposite || !extend(p, to))
    return false;
  if (to != from)
    memcpy(to->at, from->at, p->var_count * sizeof *to->at);
  to->holds = repair(p, to->at, opposite);
  if (to->holds)
    p->next_sample = (p->next_sample + 1) % GS_SAMPLES;
  else if (to == from)
    from->holds = repair(p, from->at, NULL);
  return to->holds && holds(to->at, opposite, REL_LE);
}

bool gs_sample_exists(gs_problem *p) {
  refresh(p);
  for (int i = 0; i < GS_SAMPLES; i++)
    if (p->samples[i].holds)
      return true;
  return false;
}
