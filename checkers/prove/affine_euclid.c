// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One equality a == 0: content, common factors, ranges and Euclidean splitting.
//
// If a = R*H + L with R >= 1 and |L| < R, then a == 0 exactly when H == 0 and
// L == 0. R may be any product of variables times a constant, so mixed-radix
// indices with symbolic radices fall apart into their digits.
#include "problem.h"

enum { MAX_RADICES = 40 };

typedef struct radix {
  gs_i128 coef;
  gs_mono mono;
  uint32_t rest; ///< how many terms it does not divide
} radix;

typedef struct radices {
  radix at[MAX_RADICES];
  uint32_t count;
} radices;

static gs_i128 magnitude(gs_i128 a) { return a < 0 ? -a : a; }

static const gs_poly *divide_content(gs_problem *p, const gs_poly *a) {
  gs_i128 g = gs_poly_content(a);
  if (g > 1 && gs_poly_constant(a) % g) {
    p->contradiction = true;
    return a;
  }
  if (g <= 1)
    return a;
  gs_pterm buffer[256];
  for (uint32_t i = 0; i < a->count; i++)
    buffer[i] = (gs_pterm){a->term[i].coef / g, a->term[i].mono};
  return gs_poly_make(p->arena, buffer, a->count);
}

static bool is_nonzero(gs_problem *p, gs_pvar v) {
  gs_span s = p->vars[v].span;
  if (s.lo >= 1 || s.hi <= -1)
    return true;
  const gs_poly *one = gs_poly_var(p->arena, v);
  for (uint32_t i = 0; i < p->ne.count; i++)
    if (gs_poly_equal(p->ne.at[i], one))
      return true;
  return s.lo == 0 && gs_affine_le(p, gs_poly_addc(p->arena, gs_poly_neg(p->arena, one), 1));
}

static const gs_poly *divide_factors(gs_problem *p, const gs_poly *a) {
  for (gs_mono m = gs_poly_common(a); m && a; m >>= 16)
    if (is_nonzero(p, (gs_pvar)m))
      a = gs_poly_quotient(p->arena, a, gs_mono_var((gs_pvar)m));
  return a;
}

/// x - y == 0: one variable stands for both. Helpers give way to symbols.
static bool unify(gs_problem *p, const gs_poly *a) {
  if (a->count != 2 || gs_mono_degree(a->term[0].mono) != 1 ||
      gs_mono_degree(a->term[1].mono) != 1 || a->term[0].coef + a->term[1].coef != 0 ||
      magnitude(a->term[0].coef) != 1)
    return false;
  gs_pvar x = (gs_pvar)a->term[0].mono, y = (gs_pvar)a->term[1].mono;
  bool keep_y = p->vars[x].kind != GS_PVAR_SYM && p->vars[y].kind == GS_PVAR_SYM;
  gs_problem_assign(p, keep_y ? x : y, gs_poly_var(p->arena, keep_y ? y : x));
  return true;
}

// ------------------------------------------------------ Euclidean splitting ----

/// Does the radix divide the term?
static bool divides(const radix *r, gs_pterm t) {
  gs_mono rest = 0;
  return t.coef % r->coef == 0 && gs_mono_div(t.mono, r->mono, &rest);
}

static void offer(radices *list, const gs_poly *a, gs_i128 coef, gs_mono mono) {
  radix r = {magnitude(coef), mono, 0};
  if (list->count == MAX_RADICES || (r.coef == 1 && !mono))
    return;
  for (uint32_t i = 0; i < list->count; i++)
    if (list->at[i].coef == r.coef && list->at[i].mono == mono)
      return;
  for (uint32_t i = 0; i < a->count; i++)
    r.rest += !divides(&r, a->term[i]);
  if (r.rest == 0 || r.rest == a->count)
    return;
  // The fewer terms remain, the likelier they are small.
  uint32_t at = list->count++;
  for (; at && list->at[at - 1].rest > r.rest; at--)
    list->at[at] = list->at[at - 1];
  list->at[at] = r;
}

static void offer_products(radices *list, const gs_poly *a, gs_mono mono) {
  gs_i128 g = 0;
  for (uint32_t i = 0; i < a->count; i++) {
    gs_mono rest = 0;
    if (!gs_mono_div(a->term[i].mono, mono, &rest))
      continue;
    g = gs_i128_gcd(g, a->term[i].coef);
    if (mono || a->term[i].mono)
      offer(list, a, a->term[i].coef, mono);
  }
  if (mono)
    offer(list, a, g, mono);
}

static void collect_radices(radices *list, const gs_poly *a) {
  for (uint32_t i = 0; i < a->count; i++) {
    gs_mono m = a->term[i].mono;
    if (gs_mono_degree(m) > 1)
      for (gs_mono left = m; left; left >>= 16)
        offer_products(list, a, gs_mono_var((gs_pvar)left));
    if (m)
      offer_products(list, a, m);
    for (uint32_t j = i + 1; j < a->count; j++) {
      gs_mono g = gs_mono_gcd(m, a->term[j].mono);
      if (gs_mono_degree(g) > 1)
        offer_products(list, a, g);
    }
  }
  offer_products(list, a, 0);
}

static void split_terms(gs_problem *p, const gs_poly *a, const radix *r, const gs_poly **high,
                        const gs_poly **low) {
  gs_pterm h[256], l[256];
  size_t nh = 0, nl = 0;
  for (uint32_t i = 0; i < a->count; i++) {
    gs_pterm t = a->term[i];
    gs_mono rest = 0;
    if (divides(r, t) && gs_mono_div(t.mono, r->mono, &rest))
      h[nh++] = (gs_pterm){t.coef / r->coef, rest};
    else
      l[nl++] = t;
  }
  *high = gs_poly_make(p->arena, h, nh);
  *low = gs_poly_make(p->arena, l, nl);
}

static bool below(gs_problem *p, const gs_poly *low, const gs_poly *radix_poly) {
  gs_arena *arena = p->arena;
  gs_span r = gs_span_of(p, radix_poly), l = gs_span_of(p, low);
  if (r.lo < 1 && !gs_affine_le(p, gs_poly_addc(arena, gs_poly_neg(arena, radix_poly), 1)))
    return false;
  if (l.hi < r.lo && l.lo > -r.lo)
    return true;
  const gs_poly *over = gs_poly_addc(arena, gs_poly_sub(arena, low, radix_poly), 1);
  const gs_poly *under = gs_poly_add(arena, low, radix_poly);
  return gs_affine_le(p, over) &&
         gs_affine_le(p, gs_poly_addc(arena, gs_poly_neg(arena, under), 1));
}

/// A constant radix: which of its multiples lie in the range of the low part?
static bool split_constant(gs_problem *p, gs_i128 c, const gs_poly *high, const gs_poly *low) {
  gs_span s = gs_span_of(p, low);
  if (s.lo <= -GS_INFINITE || s.hi >= GS_INFINITE)
    return false;
  gs_i128 first = gs_i128_ceildiv(s.lo, c) * c;
  if (first > s.hi) {
    p->contradiction = true;
    return true;
  }
  if (first + c <= s.hi)
    return false;
  gs_problem_eq(p, gs_poly_addc(p->arena, low, -first));
  gs_problem_eq(p, gs_poly_addc(p->arena, high, first / c));
  return true;
}

/// A polynomial radix: if x*(w + rest) occurs in a, then R = w + rest is tried,
/// as in (w + 1)*y + x. `a` is written with a stand-in for R in place of w.
static bool split_polynomial(gs_problem *p, const gs_poly *a, const gs_poly *radix_poly,
                             gs_pvar w) {
  const gs_pvar stand_in = UINT16_MAX; // no variable has this number
  gs_arena *arena = p->arena;
  const gs_poly *rest = gs_poly_rest(arena, radix_poly, gs_mono_var(w));
  const gs_poly *image = gs_poly_sub(arena, gs_poly_var(arena, stand_in), rest);
  a = gs_poly_subst(arena, a, w, image);
  const gs_poly *high = gs_poly_quotient(arena, a, gs_mono_var(stand_in));
  const gs_poly *low = gs_poly_rest(arena, a, gs_mono_var(stand_in));
  high = gs_poly_subst(arena, high, stand_in, radix_poly);
  if (!high || !low || !below(p, low, radix_poly))
    return false;
  gs_problem_eq(p, low);
  gs_problem_eq(p, high);
  return true;
}

/// What x is multiplied with in a, when that is w + rest with w alone.
static const gs_poly *factor_of(gs_problem *p, const gs_poly *a, gs_pvar x, gs_pvar *w) {
  const gs_poly *q = gs_poly_quotient(p->arena, a, gs_mono_var(x));
  if (!q || q->count < 2 || gs_poly_has(q, x))
    return NULL;
  for (uint32_t i = 0; i < q->count; i++) {
    gs_pvar v = (gs_pvar)q->term[i].mono;
    if (gs_mono_degree(q->term[i].mono) != 1 || magnitude(q->term[i].coef) != 1)
      continue;
    bool alone = true;
    for (uint32_t j = 0; j < q->count; j++)
      alone &= j == i || !gs_mono_has(q->term[j].mono, v);
    if (!alone)
      continue;
    *w = v;
    return q->term[i].coef > 0 ? q : gs_poly_neg(p->arena, q);
  }
  return NULL;
}

static bool split_by_factors(gs_problem *p, const gs_poly *a) {
  for (uint32_t i = 0; i < a->count; i++) {
    if (gs_mono_degree(a->term[i].mono) < 2)
      continue;
    for (gs_mono m = a->term[i].mono; m; m >>= 16) {
      gs_pvar w = 0;
      const gs_poly *r = factor_of(p, a, (gs_pvar)m, &w);
      if (r && gs_problem_step(p, 1) && split_polynomial(p, a, r, w))
        return true;
    }
  }
  return false;
}

bool gs_affine_euclid(gs_problem *p, const gs_poly *a) {
  radices list = {.count = 0};
  collect_radices(&list, a);
  for (uint32_t i = 0; i < list.count && gs_problem_step(p, 1); i++) {
    const radix *r = &list.at[i];
    const gs_poly *high = NULL, *low = NULL;
    split_terms(p, a, r, &high, &low);
    if (!high || !low)
      continue;
    if (!r->mono && split_constant(p, r->coef, high, low))
      return true;
    if (!below(p, low, gs_poly_mono(p->arena, r->coef, r->mono)))
      continue;
    gs_problem_eq(p, low);
    gs_problem_eq(p, high);
    return true;
  }
  return split_by_factors(p, a);
}

bool gs_affine_solve(gs_problem *p, const gs_poly **slot) {
  const gs_poly *a = gs_problem_norm(p, *slot);
  gs_i128 value = 0;
  if (a && gs_poly_is_const(a, &value)) {
    p->contradiction |= value != 0;
    return true;
  }
  if (a)
    a = divide_content(p, a);
  if (a && !p->contradiction)
    a = divide_factors(p, a);
  if (!a || p->contradiction)
    return true; // NULL: beyond what can be represented; forgotten
  *slot = a;
  gs_span s = gs_span_of(p, a);
  if (s.lo > 0 || s.hi < 0) {
    p->contradiction = true;
    return true;
  }
  gs_pterm last = a->term[a->count - 1];
  if (gs_mono_degree(last.mono) == 1 && (a->count == 1 || (a->count == 2 && !a->term[0].mono))) {
    gs_i128 d = gs_poly_constant(a); // the content is 1: the coefficient is 1 or -1
    gs_problem_narrow(p, (gs_pvar)last.mono,
                      (gs_span){-d * last.coef, -d * last.coef});
    if (!p->contradiction)
      gs_problem_assign(p, (gs_pvar)last.mono, gs_poly_const(p->arena, -d * last.coef));
    return true;
  }
  return unify(p, a);
}
