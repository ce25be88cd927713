// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Interval arithmetic on machine integers, unsigned and signed side by side.
#include "smt_range.h"

#include <stdlib.h>

static uint64_t max_u(uint64_t a, uint64_t b) { return a > b ? a : b; }
static uint64_t min_u(uint64_t a, uint64_t b) { return a < b ? a : b; }
static int64_t max_s(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t min_s(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t most(uint8_t width) { return (int64_t)(gs_mask(width) >> 1); }
static int64_t least(uint8_t width) { return -most(width) - 1; }

gs_range gs_range_full(uint8_t width) {
  return (gs_range){0, gs_mask(width), least(width), most(width)};
}

static gs_range sharpen(gs_range r, uint8_t width) {
  uint64_t mask = gs_mask(width), top = mask >> 1;
  if (gs_range_empty(r))
    return r;
  if (r.hi <= top || r.lo > top) { // one sign: the order is the same in both readings
    r.slo = max_s(r.slo, gs_sign_extend(r.lo, width));
    r.shi = min_s(r.shi, gs_sign_extend(r.hi, width));
  }
  if (r.slo >= 0 || r.shi < 0) {
    r.lo = max_u(r.lo, (uint64_t)r.slo & mask);
    r.hi = min_u(r.hi, (uint64_t)r.shi & mask);
  }
  return r;
}

gs_range gs_range_meet(gs_range a, gs_range b, uint8_t width) {
  gs_range r = {max_u(a.lo, b.lo), min_u(a.hi, b.hi), max_s(a.slo, b.slo), min_s(a.shi, b.shi)};
  return sharpen(sharpen(r, width), width);
}

static gs_range unsigned_range(uint64_t lo, uint64_t hi, uint8_t width) {
  gs_range r = gs_range_full(width);
  r.lo = lo;
  r.hi = hi;
  return r;
}

static gs_range signed_range(int64_t lo, int64_t hi, uint8_t width) {
  gs_range r = gs_range_full(width);
  r.slo = lo;
  r.shi = hi;
  return r;
}

static gs_range constant(uint64_t value, uint8_t width) {
  int64_t s = gs_sign_extend(value, width);
  return (gs_range){value, value, s, s};
}

// Arithmetic that stops at the ends of 64 bits: what leaves the width of a term
// leaves it in the same direction.
static int64_t add_s(int64_t a, int64_t b) {
  int64_t r = 0;
  return __builtin_add_overflow(a, b, &r) ? (a < 0 ? INT64_MIN : INT64_MAX) : r;
}
static int64_t sub_s(int64_t a, int64_t b) {
  int64_t r = 0;
  return __builtin_sub_overflow(a, b, &r) ? (a < 0 ? INT64_MIN : INT64_MAX) : r;
}
static int64_t mul_s(int64_t a, int64_t b) {
  int64_t r = 0;
  return __builtin_mul_overflow(a, b, &r) ? ((a < 0) == (b < 0) ? INT64_MAX : INT64_MIN) : r;
}

/// Does an exact result in [lo, hi] fit the width? Saturated ends count as outside:
/// at 64 bits INT64_MIN and INT64_MAX themselves are given up.
static bool fits_signed(int64_t lo, int64_t hi, uint8_t width) {
  if (width == 64)
    return lo > INT64_MIN && hi < INT64_MAX;
  return lo >= least(width) && hi <= most(width);
}

/// The value of an operation whose exact signed result lies in [lo, hi].
static gs_range wrap_signed(int64_t lo, int64_t hi, uint8_t width, bool no_wrap) {
  if (fits_signed(lo, hi, width))
    return signed_range(lo, hi, width);
  if (!no_wrap)
    return gs_range_full(width);
  return signed_range(max_s(lo, least(width)), min_s(hi, most(width)), width);
}

typedef struct operands {
  gs_range a, b;
  uint8_t width;
  bool nsw, nuw; ///< known not to wrap
  bool defined;  ///< known not to divide by zero or shift too far
} operands;

static gs_range range_add(operands o) {
  gs_range s = wrap_signed(add_s(o.a.slo, o.b.slo), add_s(o.a.shi, o.b.shi), o.width, o.nsw);
  uint64_t mask = gs_mask(o.width), lo = 0, hi = 0;
  bool lo_wraps = __builtin_add_overflow(o.a.lo, o.b.lo, &lo) || lo > mask;
  bool hi_wraps = __builtin_add_overflow(o.a.hi, o.b.hi, &hi) || hi > mask;
  if (lo_wraps == hi_wraps && !(lo_wraps && o.nuw)) // none wraps, or all do
    return gs_range_meet(s, unsigned_range(lo & mask, hi & mask, o.width), o.width);
  if (o.nuw)
    return gs_range_meet(s, unsigned_range(lo_wraps ? mask : lo, mask, o.width), o.width);
  return s;
}

static gs_range range_sub(operands o) {
  gs_range s = wrap_signed(sub_s(o.a.slo, o.b.shi), sub_s(o.a.shi, o.b.slo), o.width, o.nsw);
  uint64_t mask = gs_mask(o.width);
  bool never = o.a.lo >= o.b.hi, always = o.a.hi < o.b.lo;
  if (never || (always && !o.nuw))
    return gs_range_meet(
        s, unsigned_range((o.a.lo - o.b.hi) & mask, (o.a.hi - o.b.lo) & mask, o.width), o.width);
  if (o.nuw)
    return gs_range_meet(s, unsigned_range(0, always ? 0 : o.a.hi - o.b.lo, o.width), o.width);
  return s;
}

static void signed_product(operands o, int64_t *lo, int64_t *hi) {
  int64_t p[4] = {mul_s(o.a.slo, o.b.slo), mul_s(o.a.slo, o.b.shi), mul_s(o.a.shi, o.b.slo),
                  mul_s(o.a.shi, o.b.shi)};
  *lo = min_s(min_s(p[0], p[1]), min_s(p[2], p[3]));
  *hi = max_s(max_s(p[0], p[1]), max_s(p[2], p[3]));
}

static bool product_wraps(uint64_t a, uint64_t b, uint8_t width, uint64_t *r) {
  return __builtin_mul_overflow(a, b, r) || *r > gs_mask(width);
}

static gs_range range_mul(operands o) {
  int64_t slo = 0, shi = 0;
  signed_product(o, &slo, &shi);
  gs_range s = wrap_signed(slo, shi, o.width, o.nsw);
  uint64_t mask = gs_mask(o.width), lo = 0, hi = 0;
  bool lo_wraps = product_wraps(o.a.lo, o.b.lo, o.width, &lo);
  if (!product_wraps(o.a.hi, o.b.hi, o.width, &hi))
    return gs_range_meet(s, unsigned_range(lo, hi, o.width), o.width);
  if (o.nuw)
    return gs_range_meet(s, unsigned_range(lo_wraps ? mask : lo, mask, o.width), o.width);
  return s;
}

static gs_range range_shl(operands o) {
  if (o.b.hi >= o.width)
    return gs_range_full(o.width);
  if (o.b.lo == o.b.hi && o.b.lo < 63) {
    o.b = constant(UINT64_C(1) << o.b.lo, 64); // its sign is that of 2^k, not of k bits
    return range_mul(o);
  }
  if (o.a.hi <= gs_mask(o.width) >> o.b.hi)
    return unsigned_range(o.a.lo << o.b.lo, o.a.hi << o.b.hi, o.width);
  return gs_range_full(o.width);
}

static gs_range range_shift_right(operands o, gs_op op) {
  if (o.b.hi >= o.width)
    return gs_range_full(o.width);
  if (op == GS_OP_LSHR)
    return unsigned_range(o.a.lo >> o.b.hi, o.a.hi >> o.b.lo, o.width);
  return signed_range(min_s(o.a.slo >> o.b.lo, o.a.slo >> o.b.hi),
                      max_s(o.a.shi >> o.b.lo, o.a.shi >> o.b.hi), o.width);
}

static gs_range range_udiv(operands o) {
  return unsigned_range(o.a.lo / o.b.hi, o.a.hi / o.b.lo, o.width);
}

static gs_range range_urem(operands o) {
  if (o.a.hi < o.b.lo)
    return o.a;
  return unsigned_range(0, min_u(o.a.hi, o.b.hi - 1), o.width);
}

/// A divisor of one sign: the quotient is monotone in both operands.
static gs_range range_sdiv(operands o) {
  bool may_overflow = o.a.slo == least(o.width) && o.b.slo <= -1 && o.b.shi >= -1;
  if (may_overflow || (o.b.slo <= 0 && o.b.shi >= 0))
    return gs_range_full(o.width);
  int64_t q[4] = {o.a.slo / o.b.slo, o.a.slo / o.b.shi, o.a.shi / o.b.slo, o.a.shi / o.b.shi};
  return signed_range(min_s(min_s(q[0], q[1]), min_s(q[2], q[3])),
                      max_s(max_s(q[0], q[1]), max_s(q[2], q[3])), o.width);
}

/// The remainder has the dividend's sign and is smaller than the divisor.
static gs_range range_srem(operands o) {
  bool may_overflow = o.a.slo == least(o.width) && o.b.slo <= -1 && o.b.shi >= -1;
  if (may_overflow || (o.b.slo <= 0 && o.b.shi >= 0 && !o.defined) || o.b.slo == INT64_MIN)
    return gs_range_full(o.width);
  int64_t bound = max_s(o.b.shi, -o.b.slo) - 1;
  if (bound < 0)
    return gs_range_full(o.width);
  return signed_range(o.a.slo >= 0 ? 0 : max_s(o.a.slo, -bound),
                      o.a.shi <= 0 ? 0 : min_s(o.a.shi, bound), o.width);
}

/// All ones up to the highest bit of a.
static uint64_t smear(uint64_t a) {
  for (unsigned shift = 1; shift < 64; shift *= 2)
    a |= a >> shift;
  return a;
}

static gs_range range_bitwise(operands o, gs_op op) {
  uint64_t mask = gs_mask(o.width), ceiling = smear(o.a.hi | o.b.hi);
  if (op == GS_OP_AND)
    return unsigned_range(0, min_u(o.a.hi, o.b.hi), o.width);
  if (op == GS_OP_OR)
    return unsigned_range(max_u(o.a.lo, o.b.lo), ceiling, o.width);
  if (o.b.lo == mask) { // complement
    gs_range r = {mask - o.a.hi, mask - o.a.lo, -1 - o.a.shi, -1 - o.a.slo};
    return r;
  }
  return unsigned_range(0, ceiling, o.width);
}

static gs_range truth(bool is_true, bool is_false) {
  if (is_true)
    return constant(1, 1);
  return is_false ? constant(0, 1) : gs_range_full(1);
}

static gs_range range_compare(operands o, gs_op op) {
  gs_range both = gs_range_meet(o.a, o.b, o.width);
  if (op == GS_OP_EQ)
    return truth(o.a.lo == o.a.hi && o.b.lo == o.b.hi && o.a.lo == o.b.lo, gs_range_empty(both));
  if (op == GS_OP_ULT)
    return truth(o.a.hi < o.b.lo, o.a.lo >= o.b.hi);
  if (op == GS_OP_ULE)
    return truth(o.a.hi <= o.b.lo, o.a.lo > o.b.hi);
  if (op == GS_OP_SLT)
    return truth(o.a.shi < o.b.slo, o.a.slo >= o.b.shi);
  return truth(o.a.shi <= o.b.slo, o.a.slo > o.b.shi); // SLE
}

static uint64_t bit_length(uint64_t a) {
  return a ? 64 - (uint64_t)__builtin_clzll(a) : 0;
}

static gs_range range_trunc(gs_range a, uint8_t width, uint8_t flags) {
  uint64_t mask = gs_mask(width);
  gs_range r = gs_range_full(width);
  if ((a.lo & ~mask) == (a.hi & ~mask))
    r = unsigned_range(a.lo & mask, a.hi & mask, width);
  else if (flags & GS_NUW)
    r = unsigned_range(a.lo, min_u(a.hi, mask), width);
  if ((a.slo >= least(width) && a.shi <= most(width)) || (flags & GS_NSW)) {
    gs_range s = signed_range(max_s(a.slo, least(width)), min_s(a.shi, most(width)), width);
    r = gs_range_meet(r, s, width);
  }
  return r;
}

static gs_range join(gs_range a, gs_range b) {
  return (gs_range){min_u(a.lo, b.lo), max_u(a.hi, b.hi), min_s(a.slo, b.slo),
                    max_s(a.shi, b.shi)};
}

static gs_range range_divide(operands o, gs_op op) {
  if (o.defined && o.b.lo == 0 && o.b.hi)
    o.b = gs_range_meet(o.b, unsigned_range(1, o.b.hi, o.width), o.width);
  if (op == GS_OP_SDIV)
    return range_sdiv(o);
  if (op == GS_OP_SREM)
    return range_srem(o);
  if (o.b.lo == 0)
    return gs_range_full(o.width);
  return op == GS_OP_UDIV ? range_udiv(o) : range_urem(o);
}

static gs_range range_shift(operands o, gs_op op) {
  if (o.defined && o.b.hi >= o.width && o.b.lo < o.width)
    o.b.hi = o.width - 1u;
  return op == GS_OP_SHL ? range_shl(o) : range_shift_right(o, op);
}

static gs_range range_binary(gs_op op, operands o) {
  if (op == GS_OP_ADD)
    return range_add(o);
  if (op == GS_OP_SUB)
    return range_sub(o);
  if (op == GS_OP_MUL)
    return range_mul(o);
  if (op >= GS_OP_UDIV && op <= GS_OP_SREM)
    return range_divide(o, op);
  if (op >= GS_OP_SHL && op <= GS_OP_ASHR)
    return range_shift(o, op);
  return op <= GS_OP_XOR ? range_bitwise(o, op) : range_compare(o, op);
}

static bool may_wrap_signed(gs_op op, operands o) {
  int64_t lo = o.a.slo, hi = o.a.shi; // TRUNC
  if (op == GS_OP_ADD)
    lo = add_s(lo, o.b.slo), hi = add_s(hi, o.b.shi);
  else if (op == GS_OP_SUB)
    lo = sub_s(lo, o.b.shi), hi = sub_s(hi, o.b.slo);
  else if (op == GS_OP_MUL)
    signed_product(o, &lo, &hi);
  return !fits_signed(lo, hi, o.width);
}

static bool may_wrap_unsigned(gs_op op, operands o) {
  uint64_t r = o.a.hi; // TRUNC
  if (op == GS_OP_SUB)
    return o.a.lo < o.b.hi;
  if (op == GS_OP_MUL)
    return product_wraps(o.a.hi, o.b.hi, o.width, &r);
  return (op == GS_OP_ADD && __builtin_add_overflow(r, o.b.hi, &r)) || r > gs_mask(o.width);
}

uint8_t gs_ranges_wraps(const gs_terms *terms, const gs_dag *dag, const gs_ranges *ranges,
                        gs_term t) {
  const gs_node *node = gs_term_node(terms, t);
  gs_op op = (gs_op)node->op;
  operands o = {.a = ranges->node[gs_dag_at(dag, node->arg[0])], .width = node->width};
  if (op != GS_OP_TRUNC)
    o.b = ranges->node[gs_dag_at(dag, node->arg[1])];
  if (op == GS_OP_SHL) {
    if (o.b.lo != o.b.hi || o.b.lo >= o.width || o.b.lo >= 63)
      return GS_NSW | GS_NUW;
    o.b = constant(UINT64_C(1) << o.b.lo, 64);
    op = GS_OP_MUL;
  }
  unsigned flags = may_wrap_signed(op, o) ? GS_NSW : 0u;
  return (uint8_t)(flags | (may_wrap_unsigned(op, o) ? GS_NUW : 0u));
}

typedef struct propagation {
  const gs_terms *terms;
  const gs_dag *dag;
  const uint8_t *exact;
  gs_range *node;
  bool empty, changed;
} propagation;

static gs_range *range_of(const propagation *p, gs_term t) {
  return &p->node[gs_dag_at(p->dag, t)];
}

/// Bounds of one node from those of its operands.
static gs_range range_node(const propagation *p, uint32_t at) {
  const gs_node *node = gs_term_node(p->terms, p->dag->terms[at]);
  gs_range full = gs_range_full(node->width);
  if (node->op == GS_OP_CONST)
    return constant(node->value, node->width);
  if (node->op == GS_OP_NONE)
    return full;
  gs_range a = *range_of(p, node->arg[0]);
  uint8_t width = gs_term_width(p->terms, node->arg[0]);
  if (node->op == GS_OP_ITE) {
    gs_range b = *range_of(p, node->arg[1]), c = *range_of(p, node->arg[2]);
    return a.lo == 1 ? b : a.hi == 0 ? c : join(b, c);
  }
  if (node->op == GS_OP_ZEXT)
    return unsigned_range(a.lo, a.hi, node->width);
  if (node->op == GS_OP_SEXT)
    return signed_range(a.slo, a.shi, node->width);
  bool exact = p->exact && p->exact[at];
  if (node->op == GS_OP_TRUNC)
    return range_trunc(a, node->width, exact ? node->flags : 0);
  if (node->op == GS_OP_CTLZ)
    full = unsigned_range(width - bit_length(a.hi), width - bit_length(a.lo), width);
  if (node->op == GS_OP_CTPOP)
    full = unsigned_range(a.lo != 0, bit_length(a.hi), width);
  if (gs_op_arity((gs_op)node->op) == 1)
    return full;
  operands o = {.a = a,
                .b = *range_of(p, node->arg[1]),
                .width = width,
                .nsw = exact && (node->flags & GS_NSW),
                .nuw = exact && (node->flags & GS_NUW),
                .defined = exact};
  return range_binary((gs_op)node->op, o);
}

/// Leaves keep what was imposed on them, for the caller makes that a constraint.
/// An operator's bounds are those of its operands alone: an encoding that took
/// `x + y < 10` for granted in order to say it would say nothing.
static void compute_nodes(propagation *p) {
  for (uint32_t at = 0; at < p->dag->count && !p->empty; at++) {
    const gs_node *node = gs_term_node(p->terms, p->dag->terms[at]);
    bool is_leaf = node->op == GS_OP_SYM || node->op == GS_OP_LOAD;
    gs_range bounds = is_leaf ? p->node[at] : range_node(p, at);
    p->node[at] = gs_range_meet(bounds, gs_range_full(node->width), node->width);
    p->empty = gs_range_empty(p->node[at]);
  }
}

/// Bounds for the operand of a cast from those of the cast.
static gs_range through_cast(const gs_node *node, gs_range r, uint8_t width) {
  if (node->op == GS_OP_SEXT)
    return signed_range(max_s(r.slo, least(width)), min_s(r.shi, most(width)), width);
  return unsigned_range(r.lo, min_u(r.hi, gs_mask(width)), width);
}

/// Bounds for x from those of x + c, where neither reading can wrap.
static gs_range through_add(gs_range sum, gs_range x, gs_range c, uint8_t width) {
  gs_range r = gs_range_full(width);
  int64_t lo = add_s(x.slo, c.slo), hi = add_s(x.shi, c.slo);
  if (lo > least(width) && hi < most(width)) {
    r.slo = sub_s(sum.slo, c.slo);
    r.shi = sub_s(sum.shi, c.slo);
  }
  if (x.hi <= gs_mask(width) - c.lo && sum.hi >= c.lo) {
    r.lo = sum.lo > c.lo ? sum.lo - c.lo : 0;
    r.hi = sum.hi - c.lo;
  }
  return r;
}

/// Meets t's bounds with r, then those of what t is a cast or an offset of.
static void impose(propagation *p, gs_term t, gs_range r) {
  for (;;) {
    const gs_node *node = gs_term_node(p->terms, t);
    gs_range *old = range_of(p, t), met = gs_range_meet(*old, r, node->width);
    bool changed = met.lo != old->lo || met.hi != old->hi || met.slo != old->slo ||
                   met.shi != old->shi;
    *old = met;
    p->empty |= gs_range_empty(met);
    p->changed |= changed;
    if (!changed || p->empty)
      return;
    if (node->op == GS_OP_ZEXT || node->op == GS_OP_SEXT)
      r = through_cast(node, met, gs_term_width(p->terms, node->arg[0]));
    else if (node->op == GS_OP_ADD && gs_term_is(p->terms, node->arg[1], GS_OP_CONST))
      r = through_add(met, *range_of(p, node->arg[0]), *range_of(p, node->arg[1]), node->width);
    else
      return;
    t = node->arg[0];
  }
}

/// a < b or a <= b in one reading.
static void impose_order(propagation *p, gs_term a, gs_term b, bool strict, bool is_signed) {
  uint8_t width = gs_term_width(p->terms, a);
  gs_range ra = gs_range_full(width), rb = ra;
  gs_range va = *range_of(p, a), vb = *range_of(p, b);
  if (is_signed) {
    if (strict && (vb.shi == least(width) || va.slo == most(width))) {
      p->empty = true;
      return;
    }
    ra.shi = vb.shi - strict;
    rb.slo = va.slo + strict;
  } else {
    if (strict && (vb.hi == 0 || va.lo == gs_mask(width))) {
      p->empty = true;
      return;
    }
    ra.hi = vb.hi - strict;
    rb.lo = va.lo + strict;
  }
  impose(p, a, ra);
  impose(p, b, rb);
}

/// a != b, where b is one value: only the ends of a's bounds can move.
static void impose_unequal(propagation *p, gs_term a, gs_term b) {
  gs_range va = *range_of(p, a), vb = *range_of(p, b);
  if (vb.lo != vb.hi)
    return;
  if (va.lo == va.hi && va.lo == vb.lo) {
    p->empty = true;
    return;
  }
  va.lo += va.lo == vb.lo;
  va.hi -= va.hi == vb.lo;
  va.slo += va.slo == vb.slo;
  va.shi -= va.shi == vb.slo;
  impose(p, a, va);
}

static void impose_literal(propagation *p, gs_literal literal) {
  const gs_node *node = gs_term_node(p->terms, literal.term);
  gs_term a = node->arg[0], b = node->arg[1];
  impose(p, literal.term, constant(literal.holds, 1));
  bool strict = node->op == GS_OP_ULT || node->op == GS_OP_SLT;
  bool is_signed = node->op == GS_OP_SLT || node->op == GS_OP_SLE;
  if (p->empty)
    return;
  if (node->op == GS_OP_EQ && literal.holds) {
    impose(p, a, *range_of(p, b));
    impose(p, b, *range_of(p, a));
  } else if (node->op == GS_OP_EQ) {
    impose_unequal(p, a, b);
    impose_unequal(p, b, a);
  } else if (node->op >= GS_OP_ULT && node->op <= GS_OP_SLE) {
    if (literal.holds)
      impose_order(p, a, b, strict, is_signed);
    else
      impose_order(p, b, a, !strict, is_signed);
  }
}

static void start(propagation *p) {
  for (uint32_t at = 0; at < p->dag->count; at++) {
    const gs_node *node = gs_term_node(p->terms, p->dag->terms[at]);
    p->node[at] = gs_range_full(node->width);
    if (node->op != GS_OP_SYM)
      continue;
    const gs_sym *sym = gs_sym_get(p->terms, (uint32_t)node->value);
    p->node[at] = gs_range_meet(
        p->node[at], unsigned_range(sym->lo, sym->hi, node->width), node->width);
  }
}

enum { ROUNDS = 8 }; // x < y and y < x would otherwise creep through the whole range

bool gs_ranges_compute(const gs_terms *terms, const gs_dag *dag, const gs_literals *literals,
                       const uint8_t *exact, gs_ranges *out) {
  propagation p = {.terms = terms, .dag = dag, .exact = exact};
  *out = (gs_ranges){0};
  p.node = malloc((dag->count ? dag->count : 1) * sizeof *p.node);
  if (!p.node)
    return false;
  start(&p);
  p.changed = true;
  for (int round = 0; round < ROUNDS && p.changed && !p.empty; round++) {
    compute_nodes(&p);
    p.changed = false;
    for (uint32_t i = 0; i < literals->count && !p.empty; i++)
      impose_literal(&p, literals->items[i]);
  }
  if (!p.empty)
    compute_nodes(&p);
  out->node = p.node;
  out->empty = p.empty;
  return true;
}
