// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shifts and bit operations as quotients and remainders ("digits").
#include "problem.h"

static gs_i128 power(unsigned k) { return (gs_i128)1 << k; }

// ----------------------------------------------------------------- shifts ----

/// The power of two of this exponent at this width, if there is one.
static const gs_atom *known_power(gs_problem *p, const gs_poly *e, uint8_t width) {
  for (uint32_t i = 0; i < p->atom_count; i++) {
    gs_atom *a = &p->atoms[i];
    if (a->op != GS_OP_SHL || a->width != width)
      continue;
    a->arg[0] = gs_problem_norm(p, a->arg[0]);
    if (gs_poly_equal(a->arg[0], e))
      return a;
  }
  return NULL;
}

/// 2^t, or 2^width when t is `width` or more: shifting by that is then a product
/// or a quotient as well, with the result that PTX gives. (LLVM leaves it undefined.)
/// It is 2^low times a variable, where low is the least value of t.
static const gs_poly *power_of_two(gs_problem *p, gs_term t, uint8_t width) {
  const gs_poly *e = gs_affine_value(p, t, GS_VIEW_U);
  gs_span s = gs_span_of(p, e);
  if (!e || s.lo < 0 || s.lo >= width)
    return NULL;
  if (s.lo == s.hi)
    return gs_poly_const(p->arena, power((unsigned)s.lo));
  const gs_atom *known = known_power(p, e, width);
  if (known)
    return gs_problem_norm(p, gs_poly_mono(p->arena, power(known->low), gs_mono_var(known->var)));
  gs_atom proto = {.op = GS_OP_SHL,
                   .width = width,
                   .view = GS_VIEW_U,
                   .low = (uint8_t)s.lo,
                   .arg = {e, NULL}};
  unsigned high = s.hi < width ? (unsigned)s.hi : width;
  gs_span range = {1, power(high - proto.low)};
  const gs_poly *v = gs_affine_atom(p, &proto, range, GS_PVAR_POW2);
  return gs_poly_scale(p->arena, v, power(proto.low));
}

void gs_affine_powers(gs_problem *p) {
  for (uint32_t i = 0; i < p->atom_count && !p->contradiction; i++) {
    const gs_atom *a = &p->atoms[i];
    gs_span e = gs_span_of(p, a->arg[0]);
    if (a->op != GS_OP_SHL || p->vars[a->var].subst || e.lo < 0 || e.lo > a->width)
      continue;
    if (e.hi < a->low) { // less than it ever was
      p->contradiction = true;
      return;
    }
    gs_span v = {power((unsigned)(e.lo > a->low ? e.lo - a->low : 0)), GS_INFINITE};
    if (e.hi < a->width)
      v.hi = power((unsigned)e.hi - a->low);
    gs_problem_narrow(p, a->var, v);
    // And back: the exponent is at most the logarithm.
    gs_pvar exponent = 0;
    v = p->vars[a->var].span;
    if (!gs_poly_is_var(a->arg[0], &exponent) || v.hi >= power(a->width - a->low))
      continue;
    gs_span log = {a->low, a->low};
    while (power((unsigned)(log.hi - a->low + 1)) <= v.hi)
      log.hi++;
    while (power((unsigned)(log.lo - a->low)) < v.lo)
      log.lo++;
    gs_problem_narrow(p, exponent, log);
  }
}

const gs_poly *gs_affine_shift(gs_problem *p, gs_term t, gs_view view) {
  gs_node node = *gs_term_node(p->terms, t);
  const gs_poly *y = power_of_two(p, node.arg[1], node.width), *q = NULL, *r = NULL;
  gs_view own = node.op == GS_OP_ASHR ? GS_VIEW_S : GS_VIEW_U;
  if (!y || (node.op != GS_OP_SHL && view != own))
    return NULL;
  const gs_poly *x = gs_affine_value(p, node.arg[0], view);
  y = gs_problem_norm(p, y);
  if (node.op == GS_OP_SHL) {
    bool flagged = node.flags & (view == GS_VIEW_U ? GS_NUW : GS_NSW);
    return gs_affine_wrap(p, t, gs_poly_mul(p->arena, x, y), node.width, view, flagged);
  }
  gs_affine_divide(p, x, y, &q, &r);
  return q;
}

// -------------------------------------------------------- bit operations ----

enum { MAX_RUNS = 4 };

/// Bits [at, at+size) of a word.
typedef struct bit_run {
  unsigned at, size;
} bit_run;

/// The runs of ones in c. \returns how many, or MAX_RUNS + 1 for too many.
static unsigned bit_runs(uint64_t c, bit_run *runs) {
  unsigned n = 0;
  for (unsigned at = 0; at < 64; at++) {
    if (!(c >> at & 1))
      continue;
    if (n == MAX_RUNS)
      return MAX_RUNS + 1;
    runs[n].at = at;
    while (at < 64 && (c >> at & 1))
      at++;
    runs[n].size = at - runs[n].at;
    n++;
  }
  return n;
}

/// Bits [at, at+size) of a term as a number. The bits below 2^w are the same in
/// both views, so the simpler one is taken.
static const gs_poly *digit(gs_problem *p, gs_term t, bit_run run) {
  uint8_t width = gs_term_width(p->terms, t);
  const gs_poly *q = NULL, *r = NULL;
  bool top = run.at + run.size == width;
  gs_view view = top ? GS_VIEW_U : gs_affine_view_used(p, t, GS_VIEW_U);
  const gs_poly *x = gs_affine_value(p, t, view);
  if (!top) {
    gs_affine_divide(p, x, gs_poly_const(p->arena, power(run.at + run.size)), &q, &r);
    x = r;
  }
  if (run.at) {
    gs_affine_divide(p, x, gs_poly_const(p->arena, power(run.at)), &q, &r);
    x = q;
  }
  return x;
}

/// x & c for c without the top bit.
static const gs_poly *masked(gs_problem *p, gs_term t, uint64_t c) {
  bit_run runs[MAX_RUNS];
  unsigned n = bit_runs(c, runs);
  const gs_poly *sum = gs_poly_const(p->arena, 0);
  if (n > MAX_RUNS)
    return NULL;
  for (unsigned i = 0; i < n; i++) {
    const gs_poly *d = digit(p, t, runs[i]);
    sum = gs_poly_combine(p->arena, sum, 1, d, power(runs[i].at), 0);
  }
  return gs_problem_norm(p, sum);
}

/// Bit operations with a constant: x&c = x - (x & ~c), x|c = x + c - (x & c),
/// x^c = x + c - 2*(x & c). The top bit of c decides in which view that holds.
static const gs_poly *with_constant(gs_problem *p, gs_term t, uint64_t c, gs_view view) {
  gs_node node = *gs_term_node(p->terms, t);
  uint64_t ones = gs_mask(node.width);
  bool top = c >> (node.width - 1) & 1;
  gs_arena *arena = p->arena;
  if (node.op == GS_OP_AND && !top)
    return masked(p, node.arg[0], c);
  if (node.op == GS_OP_XOR && c == ones) {
    const gs_poly *x = gs_affine_value(p, node.arg[0], view);
    return gs_poly_addc(arena, gs_poly_neg(arena, x), view == GS_VIEW_U ? (gs_i128)ones : -1);
  }
  if (node.op != GS_OP_AND && top)
    return NULL;
  const gs_poly *part = masked(p, node.arg[0], node.op == GS_OP_AND ? ones & ~c : c);
  const gs_poly *x = gs_affine_value(p, node.arg[0], view);
  part = gs_problem_norm(p, part);
  if (node.op == GS_OP_AND)
    return gs_poly_sub(arena, x, part);
  x = gs_poly_combine(arena, x, 1, part, node.op == GS_OP_OR ? -1 : -2, 0);
  return gs_poly_addc(arena, x, (gs_i128)c);
}

/// The largest power of two (at most 2^64) that divides every value of a.
static gs_i128 alignment(const gs_poly *a) {
  gs_i128 g = gs_i128_gcd(gs_poly_content(a), gs_poly_constant(a)), k = 1;
  while (k < power(64) && g % (2 * k) == 0)
    k *= 2;
  return k;
}

static bool disjoint_bits(gs_problem *p, const gs_poly *a, const gs_poly *b) {
  gs_span s = gs_span_of(p, b);
  return a && b && s.lo >= 0 && s.hi < alignment(a);
}

/// x & (2^k - 1) for a power of two that is a variable.
static const gs_poly *modulo_power(gs_problem *p, gs_term x, const gs_poly *mask, uint8_t width) {
  const gs_poly *y = gs_poly_addc(p->arena, mask, 1), *q = NULL, *r = NULL;
  if (!y || y->count != 1 || gs_mono_degree(y->term[0].mono) != 1 || y->term[0].coef < 1 ||
      (y->term[0].coef & (y->term[0].coef - 1)) ||
      p->vars[(gs_pvar)y->term[0].mono].kind != GS_PVAR_POW2 ||
      gs_span_of(p, y).hi > power(width))
    return NULL;
  gs_affine_divide(p, gs_affine_value(p, x, GS_VIEW_U), y, &q, &r);
  return r;
}

/// Smallest 2^k - 1 that is at least a.
static gs_i128 ones_above(gs_i128 a) {
  gs_i128 k = 1;
  while (k <= a)
    k *= 2;
  return k - 1;
}

static const gs_poly *general(gs_problem *p, const gs_node *node) {
  gs_arena *arena = p->arena;
  const gs_poly *a = gs_affine_value(p, node->arg[0], GS_VIEW_U);
  const gs_poly *b = gs_affine_value(p, node->arg[1], GS_VIEW_U);
  a = gs_problem_norm(p, a);
  if (!a || !b)
    return NULL;
  if (node->op == GS_OP_AND) {
    const gs_poly *r = modulo_power(p, node->arg[0], b, node->width);
    if (!r)
      r = modulo_power(p, node->arg[1], a, node->width);
    if (r)
      return r;
  }
  gs_span sa = gs_span_of(p, a), sb = gs_span_of(p, b), span = {0, 0};
  gs_i128 high = sa.hi > sb.hi ? sa.hi : sb.hi, low = sa.hi < sb.hi ? sa.hi : sb.hi;
  if (sa.lo < 0 || sb.lo < 0 || high > power(64))
    return NULL; // a view lost its range: nothing to say
  span.hi = node->op == GS_OP_AND ? low : ones_above(high);
  if (node->op == GS_OP_OR)
    span.lo = sa.lo > sb.lo ? sa.lo : sb.lo;
  gs_atom proto = {
      .op = (gs_op)node->op, .width = node->width, .view = GS_VIEW_U, .arg = {a, b}};
  const gs_poly *v = gs_affine_atom(p, &proto, span, GS_PVAR_ATOM);
  const gs_poly *over_a = gs_poly_sub(arena, v, a), *over_b = gs_poly_sub(arena, v, b);
  if (node->op == GS_OP_AND) {
    gs_problem_le(p, over_a);
    gs_problem_le(p, over_b);
    return v;
  }
  gs_problem_le(p, gs_poly_sub(arena, over_a, b)); // a|b and a^b are at most a+b
  if (node->op == GS_OP_OR) {
    gs_problem_le(p, gs_poly_neg(arena, over_a));
    gs_problem_le(p, gs_poly_neg(arena, over_b));
  }
  return v;
}

const gs_poly *gs_affine_bitwise(gs_problem *p, gs_term t, gs_view view) {
  gs_node node = *gs_term_node(p->terms, t);
  uint64_t c = 0;
  if (gs_term_const(p->terms, node.arg[1], &c)) {
    const gs_poly *value = with_constant(p, t, c, view);
    if (value)
      return value;
  }
  if (node.op != GS_OP_AND) {
    const gs_poly *a = gs_affine_value(p, node.arg[0], view);
    const gs_poly *b = gs_affine_value(p, node.arg[1], view);
    a = gs_problem_norm(p, a);
    if (disjoint_bits(p, a, b) || disjoint_bits(p, b, a))
      return gs_poly_add(p->arena, a, b);
  }
  return view == GS_VIEW_U ? general(p, &node) : NULL;
}
