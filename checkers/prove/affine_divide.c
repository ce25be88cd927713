// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Division as quotient and remainder. What is divided by a positive number has
// digits; what is divided by a number of unknown sign still satisfies
// x == y*q + r wherever the division is defined, and that alone undoes
// (x / w)*w + x % w.
#include "problem.h"

enum { MAX_DIGITS = 24 };

/// x = y*q + r with fresh q and r, 0 <= r < y; or what an equal division gave.
static void new_division(gs_problem *p, const gs_poly *x, const gs_poly *y, bool truncated,
                         const gs_poly **q, const gs_poly **r) {
  gs_arena *arena = p->arena;
  for (uint32_t i = 0; i < p->division_count; i++) {
    gs_division *d = &p->divisions[i];
    d->x = gs_problem_norm(p, d->x);
    d->y = gs_problem_norm(p, d->y);
    if (!d->loose && d->truncated == truncated && gs_poly_equal(d->x, x) &&
        gs_poly_equal(d->y, y)) {
      *q = gs_problem_norm(p, d->q);
      *r = gs_problem_norm(p, d->r);
      return;
    }
  }
  gs_span sx = gs_span_of(p, x), sy = gs_span_of(p, y), sq, sr;
  bool infinite = sx.lo <= -GS_INFINITE || sx.hi >= GS_INFINITE || sy.lo < 1;
  gs_i128 top = sy.hi < GS_INFINITE ? sy.hi - 1 : GS_INFINITE;
  sq = infinite ? (gs_span){-GS_INFINITE, GS_INFINITE}
                : (gs_span){gs_i128_floordiv(sx.lo, sx.lo < 0 ? sy.lo : sy.hi),
                            gs_i128_floordiv(sx.hi, sx.hi < 0 ? sy.hi : sy.lo)};
  sr = (gs_span){truncated ? -top : 0, sx.lo >= 0 && sx.hi < top ? sx.hi : top};
  if (truncated && !infinite)
    sq = (gs_span){sx.lo < 0 ? -(-sx.lo / sy.lo) : 0, sx.hi > 0 ? sx.hi / sy.lo : 0};
  gs_pvar vq = gs_problem_var(p, sq, GS_PVAR_QUOT, GS_NO_TERM);
  gs_pvar vr = gs_problem_var(p, sr, GS_PVAR_REM, GS_NO_TERM);
  gs_division *divisions = gs_arena_grow(arena, p->divisions, p->division_count + 1,
                                         &p->division_capacity, sizeof *divisions);
  if (!vq || !vr || !divisions)
    return;
  p->divisions = divisions;
  *q = gs_poly_var(arena, vq);
  *r = gs_poly_var(arena, vr);
  divisions[p->division_count++] = (gs_division){x, y, *q, *r, truncated, false, 0, 0};
  gs_problem_le(p, gs_poly_addc(arena, gs_poly_sub(arena, *r, y), 1));
  if (truncated)
    gs_problem_le(p, gs_poly_addc(arena, gs_poly_sub(arena, gs_poly_neg(arena, *r), y), 1));
  const gs_poly *whole = gs_poly_add(arena, gs_poly_mul(arena, y, *q), *r);
  gs_pvar v = 0;
  if (!truncated && gs_poly_is_var(x, &v) && whole && !gs_poly_has(whole, v))
    gs_problem_assign(p, v, whole); // from here on x is made of its digits
  else
    gs_problem_eq(p, gs_poly_sub(arena, x, whole));
}

/// Splits x = y*a + b with the multiples of y that can be read off.
static void take_multiples(gs_problem *p, const gs_poly *x, const gs_poly *y, const gs_poly **a,
                           const gs_poly **b) {
  gs_i128 c = 0;
  gs_pterm quotient[256], rest[256];
  size_t nq = 0, nr = 0;
  bool is_const = gs_poly_is_const(y, &c) && c > 0;
  gs_mono mono = !is_const && y->count == 1 && y->term[0].coef == 1 ? y->term[0].mono : 0;
  for (uint32_t i = 0; i < x->count; i++) {
    gs_pterm t = x->term[i];
    gs_mono m = t.mono;
    gs_i128 whole = 0;
    if (is_const)
      whole = t.mono ? (t.coef % c ? 0 : t.coef / c) : gs_i128_floordiv(t.coef, c);
    else if (mono && gs_mono_div(t.mono, mono, &m))
      whole = t.coef;
    quotient[nq++] = (gs_pterm){whole, m};
    rest[nr++] = (gs_pterm){is_const ? t.coef - whole * c : whole ? 0 : t.coef, t.mono};
  }
  *a = gs_poly_make(p->arena, quotient, nq);
  *b = gs_poly_make(p->arena, rest, nr);
}

/// x / c with c > 1 where another division of x by a multiple or a divisor of
/// c exists: reuse its digits, so that all of them stay comparable.
static bool share_digits(gs_problem *p, const gs_poly *x, gs_i128 c, const gs_poly **q,
                         const gs_poly **r) {
  gs_arena *arena = p->arena;
  for (uint32_t i = 0; i < p->division_count; i++) {
    gs_division d = p->divisions[i];
    gs_i128 other = 0;
    d.x = gs_problem_norm(p, d.x);
    if (d.truncated || d.loose || !gs_poly_is_const(d.y, &other) || !gs_poly_equal(d.x, x))
      continue;
    const gs_poly *high = NULL, *low = NULL;
    d.q = gs_problem_norm(p, d.q);
    d.r = gs_problem_norm(p, d.r);
    if (c > other && c % other == 0) {
      gs_affine_divide(p, d.q, gs_poly_const(arena, c / other), q, &high);
      *r = gs_poly_combine(arena, gs_problem_norm(p, d.r), 1, high, other, 0);
      return true;
    }
    if (other > c && other % c == 0) {
      gs_affine_divide(p, d.r, gs_poly_const(arena, c), &low, r);
      *q = gs_poly_combine(arena, low, 1, gs_problem_norm(p, d.q), other / c, 0);
      return true;
    }
  }
  return false;
}

static void divide_as(gs_problem *p, const gs_poly *x, const gs_poly *y, bool truncated, bool loose,
                      const gs_poly **q, const gs_poly **r);

/// The product of variables that y is, or 0.
static gs_mono factors_of(const gs_poly *y) {
  return y && y->count == 1 && y->term[0].coef == 1 ? y->term[0].mono : 0;
}

/// The same for divisors that are products of variables: x / (v*w) is (x / v) / w,
/// also where all of them truncate, and x / v is w*(x / (v*w)) + (x % (v*w)) / v.
static bool share_factors(gs_problem *p, const gs_poly *x, const gs_poly *y, bool truncated,
                          bool loose, const gs_poly **q, const gs_poly **r) {
  gs_arena *arena = p->arena;
  gs_mono mine = factors_of(y), m = 0;
  for (uint32_t i = 0; mine && p->digits < MAX_DIGITS && i < p->division_count; i++) {
    gs_division d = p->divisions[i];
    gs_mono other = factors_of(d.y = gs_problem_norm(p, d.y));
    const gs_poly *low = NULL, *high = NULL;
    if (!other || other == mine || d.truncated != truncated || (d.loose && !loose) ||
        !gs_poly_equal(gs_problem_norm(p, d.x), x))
      continue;
    p->digits++;
    if (gs_mono_div(mine, other, &m)) {
      divide_as(p, gs_problem_norm(p, d.q), gs_poly_mono(arena, 1, m), truncated, loose, q, &low);
    } else if (gs_mono_div(other, mine, &m)) {
      divide_as(p, gs_problem_norm(p, d.r), y, truncated, loose, &high, &low);
      *q = gs_poly_combine(arena, high, 1, gs_problem_norm(p, d.q), 1, m);
    }
    p->digits--;
    if (*q) {
      *r = gs_poly_sub(arena, x, gs_poly_mul(arena, y, *q));
      return true;
    }
  }
  return false;
}

/// Divides by the common divisor of x's terms and the constant c: x = g*x' + k
/// with 0 <= k < g gives x / c = x' / (c/g) and x % c = g*(x' % (c/g)) + k.
static bool reduce(gs_problem *p, const gs_poly *x, gs_i128 c, const gs_poly **q,
                   const gs_poly **r) {
  gs_i128 g = gs_i128_gcd(gs_poly_content(x), c);
  if (g <= 1)
    return false;
  gs_i128 d = gs_poly_constant(x), k = d - gs_i128_floordiv(d, g) * g;
  gs_pterm buffer[256];
  for (uint32_t i = 0; i < x->count; i++) {
    gs_pterm t = x->term[i];
    buffer[i] = (gs_pterm){(t.mono ? t.coef : t.coef - k) / g, t.mono};
  }
  const gs_poly *low = NULL;
  gs_affine_divide(p, gs_poly_make(p->arena, buffer, x->count),
                   gs_poly_const(p->arena, c / g), q, &low);
  *r = gs_poly_addc(p->arena, gs_poly_scale(p->arena, low, g), k);
  return true;
}

void gs_affine_divide(gs_problem *p, const gs_poly *x, const gs_poly *y, const gs_poly **q_out,
                      const gs_poly **r_out) {
  const gs_poly *q = NULL, *r = NULL, *whole = NULL, *rest = NULL;
  gs_i128 c = 0;
  x = gs_problem_norm(p, x);
  y = gs_problem_norm(p, y);
  if (x && y)
    take_multiples(p, x, y, &whole, &rest);
  // Digits of digits end, but not where quotient and dividend were found equal.
  bool deep = p->digits >= MAX_DIGITS;
  p->digits++;
  if (whole && rest && gs_problem_step(p, 1)) {
    const gs_poly *below = gs_poly_addc(p->arena, gs_poly_sub(p->arena, rest, y), 1);
    bool is_const = gs_poly_is_const(y, &c);
    if ((gs_span_of(p, rest).lo >= 0 || gs_affine_le(p, gs_poly_neg(p->arena, rest))) &&
        (gs_span_of(p, below).hi <= 0 || gs_affine_le(p, below))) {
      q = gs_poly_const(p->arena, 0);
      r = rest;
    } else if (is_const && !deep &&
               (reduce(p, rest, c, &q, &r) || share_digits(p, rest, c, &q, &r))) {
    } else if (is_const || deep || !share_factors(p, rest, y, false, false, &q, &r)) {
      new_division(p, rest, y, false, &q, &r);
    }
  }
  p->digits--;
  *q_out = gs_problem_norm(p, q ? gs_poly_add(p->arena, whole, q) : NULL);
  *r_out = gs_problem_norm(p, r);
}

/// The value of a divisor, when it is certainly at least 1.
static const gs_poly *divisor(gs_problem *p, gs_term t, gs_view view) {
  const gs_poly *y = gs_affine_value(p, t, view);
  if (!y || gs_span_of(p, y).lo >= 1)
    return y;
  const gs_poly *below = gs_poly_addc(p->arena, gs_poly_neg(p->arena, y), 1);
  return gs_affine_le(p, below) ? y : NULL;
}

/// x / y with y at least 1 and x of any sign: rounds towards 0.
static void truncate(gs_problem *p, const gs_poly *x, const gs_poly *y, const gs_poly **q,
                     const gs_poly **r) {
  const gs_poly *whole = NULL, *rest = NULL;
  gs_i128 zero = 0;
  take_multiples(p, x, y, &whole, &rest);
  if (rest && gs_poly_is_const(rest, &zero) && zero == 0) {
    *q = whole;
    *r = rest;
  } else if (!share_factors(p, x, y, true, false, q, r)) {
    new_division(p, x, y, true, q, r);
  }
}

static const gs_poly *signed_division(gs_problem *p, const gs_node *node, const gs_poly *y) {
  const gs_poly *x = gs_affine_value(p, node->arg[0], GS_VIEW_S), *q = NULL, *r = NULL;
  if (!x)
    return NULL;
  y = gs_problem_norm(p, y);
  if (gs_affine_le(p, gs_poly_neg(p->arena, x)))
    gs_affine_divide(p, x, y, &q, &r);
  else if (gs_span_of(p, y).lo >= 1)
    truncate(p, x, y, &q, &r);
  return node->op == GS_OP_SDIV ? q : r;
}

// ------------------------------------------------------- any other divisor ----

/// Only that x == y*q + r. Both are what the program computes wherever the
/// division is defined; r is no variable of its own.
static void new_loose(gs_problem *p, const gs_poly *x, const gs_poly *y, bool truncated,
                      gs_span span, const gs_poly **q, const gs_poly **r) {
  gs_arena *arena = p->arena;
  for (uint32_t i = 0; i < p->division_count; i++) {
    gs_division *d = &p->divisions[i];
    d->x = gs_problem_norm(p, d->x);
    d->y = gs_problem_norm(p, d->y);
    if (d->truncated == truncated && gs_poly_equal(d->x, x) && gs_poly_equal(d->y, y)) {
      *q = gs_problem_norm(p, d->q);
      *r = gs_problem_norm(p, d->r);
      return;
    }
  }
  gs_pvar vq = gs_problem_var(p, span, GS_PVAR_QUOT, GS_NO_TERM);
  gs_division *divisions = gs_arena_grow(arena, p->divisions, p->division_count + 1,
                                         &p->division_capacity, sizeof *divisions);
  if (!vq || !divisions)
    return;
  p->divisions = divisions;
  *q = gs_poly_var(arena, vq);
  *r = gs_poly_sub(arena, x, gs_poly_mul(arena, y, *q));
  divisions[p->division_count++] = (gs_division){x, y, *q, *r, truncated, true, 0, 0};
  if (truncated)
    return;
  gs_problem_le(p, gs_poly_neg(arena, *r)); // unsigned: 0 <= r <= x
  gs_problem_le(p, gs_poly_sub(arena, *r, x));
}

static void divide_loosely(gs_problem *p, const gs_poly *x, const gs_poly *y, bool truncated,
                           const gs_poly **q, const gs_poly **r) {
  const gs_poly *whole = NULL, *rest = NULL;
  gs_i128 zero = 0;
  gs_span full = {-GS_INFINITE, GS_INFINITE};
  take_multiples(p, x, y, &whole, &rest);
  if (rest && gs_poly_is_const(rest, &zero) && zero == 0) {
    *q = whole;
    *r = rest;
  } else if (!share_factors(p, x, y, truncated, true, q, r)) {
    new_loose(p, x, y, truncated, truncated ? full : (gs_span){0, gs_span_of(p, x).hi}, q, r);
  }
}

static void divide_as(gs_problem *p, const gs_poly *x, const gs_poly *y, bool truncated, bool loose,
                      const gs_poly **q, const gs_poly **r) {
  if (!x || !y)
    return;
  if (loose)
    divide_loosely(p, x, y, truncated, q, r);
  else if (truncated)
    truncate(p, x, y, q, r);
  else
    gs_affine_divide(p, x, y, q, r);
}

/// Powers and conditionals usually turn out to be positive: better wait for that.
static bool waits(const gs_problem *p, const gs_poly *y) {
  for (uint32_t i = 0; i < y->count; i++)
    for (gs_mono m = y->term[i].mono; m; m >>= 16) {
      gs_pvar_kind kind = p->vars[(gs_pvar)m].kind;
      if (kind == GS_PVAR_ITE || kind == GS_PVAR_POW2)
        return true;
    }
  return false;
}

/// A divisor that may be 0 for all that is known; that it is not becomes an
/// assumption.
static const gs_poly *loose_division(gs_problem *p, const gs_node *node, gs_view view) {
  const gs_poly *x = gs_affine_value(p, node->arg[0], view), *q = NULL, *r = NULL;
  const gs_poly *y = gs_problem_norm(p, gs_affine_value(p, node->arg[1], view));
  x = gs_problem_norm(p, x);
  if (!x || !y || !p->options->use_flags || waits(p, y))
    return NULL;
  divide_loosely(p, x, y, view == GS_VIEW_S, &q, &r);
  if (p->used)
    p->used->undefined = true;
  bool is_quotient = node->op == GS_OP_SDIV || node->op == GS_OP_UDIV;
  const gs_poly *value = gs_problem_norm(p, is_quotient ? q : r);
  if (value)
    gs_problem_within(p, value, gs_span_view(view, node->width));
  return value;
}

/// A division whose divisor may be 0 for all that is known: tried again later.
static void postpone(gs_problem *p, gs_term t, gs_view view) {
  for (uint32_t i = 0; i < p->postponed_count; i++)
    if (p->postponed[i].term == t)
      return;
  gs_postponed *list = gs_arena_grow(p->arena, p->postponed, p->postponed_count + 1,
                                     &p->postponed_capacity, sizeof *list);
  if (!list)
    return;
  p->postponed = list;
  list[p->postponed_count++] = (gs_postponed){t, view, p->version, false};
}

const gs_poly *gs_affine_division(gs_problem *p, gs_term t, gs_view view, bool loose) {
  gs_node node = *gs_term_node(p->terms, t);
  const gs_poly *q = NULL, *r = NULL;
  bool is_signed = node.op == GS_OP_SDIV || node.op == GS_OP_SREM;
  if (view != (is_signed ? GS_VIEW_S : GS_VIEW_U))
    return NULL;
  const gs_poly *y = divisor(p, node.arg[1], view);
  if (!y) {
    postpone(p, t, view);
    return loose ? loose_division(p, &node, view) : NULL;
  }
  if (is_signed)
    return signed_division(p, &node, y);
  const gs_poly *x = gs_affine_value(p, node.arg[0], GS_VIEW_U);
  if (x)
    gs_affine_divide(p, x, gs_problem_norm(p, y), &q, &r);
  return node.op == GS_OP_UDIV ? q : r;
}

// -------------------------------------------------------------- afterwards ----

/// What the quotient of division i turns out to be: its operands have changed
/// since, as wraps were shown to be none and values found equal.
static const gs_poly *quotient_again(gs_problem *p, uint32_t i) {
  gs_division d = p->divisions[i];
  const gs_poly *whole = NULL, *rest = NULL, *q = NULL, *r = NULL;
  gs_i128 zero = 0;
  take_multiples(p, d.x, d.y, &whole, &rest);
  if (rest && gs_poly_is_const(rest, &zero) && zero == 0)
    return whole;
  for (uint32_t k = 0; k < p->division_count; k++) {
    gs_division other = p->divisions[k];
    if (k != i && other.truncated == d.truncated && gs_poly_equal(other.x, d.x) &&
        gs_poly_equal(other.y, d.y))
      return k < i ? other.q : NULL;
  }
  return share_factors(p, d.x, d.y, d.truncated, d.loose, &q, &r) ? q : NULL;
}

/// Division by a positive number keeps the order of what is divided, and rounded down
/// a whole divisor more is one more: the ends of chunks `n*i/s .. n*(i+1)/s`. So quotients
/// in order have dividends in order: a chunk that is not empty has n > 0.
static void order_quotients(gs_problem *p, gs_division lower, gs_division upper) {
  gs_arena *arena = p->arena;
  const gs_poly *order = gs_poly_sub(arena, gs_problem_norm(p, lower.q), gs_problem_norm(p, upper.q));
  const gs_poly *below = gs_poly_sub(arena, gs_problem_norm(p, lower.x), gs_problem_norm(p, upper.x));
  if (!gs_poly_equal(lower.y, upper.y) || lower.loose || upper.loose || !order || !below ||
      !gs_problem_step(p, 1))
    return;
  bool alike = lower.truncated == upper.truncated;
  bool ordered = gs_affine_le(p, gs_poly_addc(arena, order, alike || lower.truncated));
  if (ordered && (alike || lower.truncated)) {
    const gs_poly *strictly = gs_poly_addc(arena, below, 1);
    if (!gs_affine_le(p, strictly))
      gs_problem_le(p, strictly);
  } else if (!ordered && (alike || upper.truncated) && gs_affine_le(p, below)) {
    // Around 0 two steps of a truncated quotient are one.
    bool apart = !lower.truncated && !upper.truncated &&
                 gs_affine_le(p, gs_poly_add(arena, below, lower.y));
    const gs_poly *found = gs_poly_addc(arena, order, apart);
    if (!gs_affine_le(p, found))
      gs_problem_le(p, found);
  }
}

static void order_divisions(gs_problem *p) {
  enum { MAX_ORDERED = 12 };
  uint32_t count = p->division_count < MAX_ORDERED ? p->division_count : MAX_ORDERED;
  for (uint32_t i = 0; i < count && !p->contradiction; i++)
    for (uint32_t k = 0; k < count && !p->contradiction; k++)
      if (i != k && p->divisions[i].q && p->divisions[k].q)
        order_quotients(p, p->divisions[i], p->divisions[k]);
}

void gs_affine_relate_divisions(gs_problem *p) {
  uint32_t count = p->division_count; // those made on the way wait for the next time
  for (uint32_t i = 0; i < count; i++) {
    gs_division *d = &p->divisions[i];
    d->x = gs_problem_norm(p, d->x);
    d->y = gs_problem_norm(p, d->y);
    d->q = gs_problem_norm(p, d->q);
    d->r = gs_problem_norm(p, d->r);
  }
  uint32_t before = p->version;
  for (uint32_t i = 0; i < count && !p->contradiction; i++) {
    gs_division *d = &p->divisions[i];
    if (d->related == p->version || !d->x || !d->y || !d->q)
      continue;
    d->related = p->version;
    const gs_poly *q = gs_problem_norm(p, quotient_again(p, i));
    if (q && gs_problem_step(p, 1))
      gs_problem_eq(p, gs_poly_sub(p->arena, gs_problem_norm(p, p->divisions[i].q), q));
  }
  if (p->version == before && !p->contradiction && p->ordered != p->version) {
    p->ordered = p->version;
    order_divisions(p);
  }
}
