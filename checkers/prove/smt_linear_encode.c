// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Machine integers as mathematical ones. Each node is read as signed or unsigned,
// whichever its bounds make smaller; an operation that may leave its type is
// `x - 2^w * q` with an unknown q. Products of unknowns, bit operations and
// divisions by unknowns become new unknowns within their bounds.
#include "smt_linear.h"

#include "smt_linear_private.h"
#include "smt_overlap.h"

#include <stdlib.h>

static gs_wide power(unsigned bits) { return (gs_wide)1 << bits; }

static gs_wide floor_div(gs_wide a, gs_wide b) { return a / b - (a % b != 0 && (a < 0)); }

static const gs_node *node_at(const gs_linear *l, uint32_t at) {
  return gs_term_node(l->query->terms, l->query->dag->terms[at]);
}

static uint32_t place_of(const gs_linear *l, gs_term t) { return gs_dag_at(l->query->dag, t); }

static gs_range range_of(const gs_linear *l, gs_term t) {
  return l->query->ranges->node[place_of(l, t)];
}

static bool is_exact(const gs_linear *l, uint32_t at) {
  return l->query->exact && l->query->exact[at];
}

/// Bounds, inclusive.
typedef struct span {
  gs_wide lo, hi;
} span;

static span span_of(gs_range r, bool is_signed) {
  return is_signed ? (span){r.slo, r.shi} : (span){(gs_wide)r.lo, (gs_wide)r.hi};
}

static span type_span(uint8_t width, bool is_signed) {
  return is_signed ? (span){-power(width - 1u), power(width - 1u) - 1}
                   : (span){0, power(width) - 1};
}

/// Is a node better read as signed? Both readings agree on what is not negative.
static bool prefers_sign(const gs_linear *l, uint32_t at) {
  const gs_node *node = node_at(l, at);
  gs_range r = l->query->ranges->node[at];
  uint64_t as_unsigned = r.hi - r.lo, as_signed = (uint64_t)r.shi - (uint64_t)r.slo;
  if (node->width == 1 || r.slo >= 0)
    return false;
  if (as_unsigned != as_signed)
    return as_signed < as_unsigned;
  if (is_exact(l, at) && node->flags)
    return node->flags & GS_NSW;
  if (node->op != GS_OP_SYM)
    return true;
  const gs_sym *sym = gs_sym_get(l->query->terms, (uint32_t)node->value);
  return sym->kind != GS_SYM_PARAM || sym->is_signed;
}

// ----------------------------------------------------------- constraints ----

static void require(gs_linear *l, gs_int_op op, gs_bv a, gs_bv b) {
  gs_core_require(l->core, gs_int_bin(l->core, op, a, b));
}

static gs_bv number(gs_linear *l, gs_wide value) { return gs_int_number(l->core, value); }

static gs_bv variable(gs_linear *l, span within) {
  gs_bv x = gs_int_variable(l->core);
  require(l, GS_INT_LE, number(l, within.lo), x);
  require(l, GS_INT_LE, x, number(l, within.hi));
  return x;
}

static gs_bv sum(gs_linear *l, gs_bv a, gs_bv b) { return gs_int_bin(l->core, GS_INT_ADD, a, b); }
static gs_bv less(gs_linear *l, gs_bv a, gs_bv b) { return gs_int_bin(l->core, GS_INT_SUB, a, b); }

gs_bv gs_linear_read(gs_linear *l, gs_term t, bool is_signed) {
  gs_number *n = &l->numbers[place_of(l, t)];
  gs_range r = range_of(l, t);
  gs_core *core = l->core;
  unsigned width = gs_term_width(l->query->terms, t);
  if (!n->value)
    n->value = gs_bv_ite(core, n->truth, number(l, 1), number(l, 0));
  bool negative_bit = width == 1 ? r.hi > 0 : r.slo < 0;
  if (n->is_signed == is_signed || !negative_bit)
    return n->value;
  gs_bv zero = number(l, is_signed ? power(width - 1) : 0);
  gs_bv below = gs_int_bin(core, GS_INT_LT, n->value, zero);
  gs_bv moved = sum(l, n->value, number(l, is_signed ? -power(width) : power(width)));
  return is_signed ? gs_bv_ite(core, below, n->value, moved)
                   : gs_bv_ite(core, below, moved, n->value);
}

gs_bv gs_linear_truth(gs_linear *l, gs_term t) {
  gs_number *n = &l->numbers[place_of(l, t)];
  if (!n->truth)
    n->truth = gs_int_bin(l->core, GS_INT_EQ, n->value, number(l, 1));
  return n->truth;
}

/// An unknown within the bounds of the node.
static gs_bv fresh(gs_linear *l, uint32_t at) {
  return variable(l, span_of(l->query->ranges->node[at], l->numbers[at].is_signed));
}

/// The node's value, given the exact result of its operation within `s`.
static gs_bv wrapped(gs_linear *l, uint32_t at, gs_bv v, span s) {
  const gs_node *node = node_at(l, at);
  bool is_signed = l->numbers[at].is_signed;
  span type = type_span(node->width, is_signed);
  span bounds = span_of(l->query->ranges->node[at], is_signed);
  if (s.lo >= type.lo && s.hi <= type.hi)
    return v;
  if (is_exact(l, at) && (node->flags & (is_signed ? GS_NSW : GS_NUW))) {
    require(l, GS_INT_LE, number(l, type.lo), v);
    require(l, GS_INT_LE, v, number(l, type.hi));
    return v;
  }
  gs_wide modulus = power(node->width);
  span turns = {floor_div(s.lo - type.lo, modulus), floor_div(s.hi - type.lo, modulus)};
  gs_bv q = variable(l, turns);
  gs_bv r = less(l, v, gs_int_times(l->core, modulus, q));
  require(l, GS_INT_LE, number(l, bounds.lo), r);
  require(l, GS_INT_LE, r, number(l, bounds.hi));
  return r;
}

// ------------------------------------------------------------ operations ----

static gs_bv build_sum(gs_linear *l, uint32_t at) {
  const gs_node *node = node_at(l, at);
  bool is_signed = l->numbers[at].is_signed;
  span a = span_of(range_of(l, node->arg[0]), is_signed);
  span b = span_of(range_of(l, node->arg[1]), is_signed);
  gs_bv x = gs_linear_read(l, node->arg[0], is_signed);
  gs_bv y = gs_linear_read(l, node->arg[1], is_signed);
  if (node->op == GS_OP_ADD)
    return wrapped(l, at, sum(l, x, y), (span){a.lo + b.lo, a.hi + b.hi});
  return wrapped(l, at, less(l, x, y), (span){a.lo - b.hi, a.hi - b.lo});
}

/// factor * t, or an unknown when it is too large to be counted with.
static gs_bv build_multiple(gs_linear *l, uint32_t at, gs_term t, gs_wide factor) {
  bool is_signed = l->numbers[at].is_signed;
  span a = span_of(range_of(l, t), is_signed), s;
  if (__builtin_mul_overflow(a.lo, factor, &s.lo) || __builtin_mul_overflow(a.hi, factor, &s.hi) ||
      s.lo >= power(126) || s.lo <= -power(126) || s.hi >= power(126) || s.hi <= -power(126))
    return fresh(l, at);
  if (factor < 0)
    s = (span){s.hi, s.lo};
  return wrapped(l, at, gs_int_times(l->core, factor, gs_linear_read(l, t, is_signed)), s);
}

/// p >= (or <=) x*v + y*u - u*v, one side of McCormick's envelope of the product x*y.
static void require_plane(gs_linear *l, gs_bv p, gs_bv x, gs_bv y, gs_wide u, gs_wide v,
                          bool above) {
  gs_bv plane = sum(l, gs_int_times(l->core, v, x), gs_int_times(l->core, u, y));
  plane = less(l, plane, number(l, u * v));
  require(l, GS_INT_LE, above ? plane : p, above ? p : plane);
}

/// A product of two unknowns lies within the envelope of its factors' bounds
/// (McCormick, Mathematical Programming 10, 1976) where it does not wrap.
static gs_bv build_product(gs_linear *l, uint32_t at) {
  const gs_node *node = node_at(l, at);
  bool is_signed = l->numbers[at].is_signed;
  span a = span_of(range_of(l, node->arg[0]), is_signed);
  span b = span_of(range_of(l, node->arg[1]), is_signed), type = type_span(node->width, is_signed);
  gs_wide most = power(33);
  gs_bv p = fresh(l, at);
  if (a.lo < 0 || b.lo < 0 || a.hi > most || b.hi > most)
    return p;
  bool kept = is_exact(l, at) && (node->flags & (is_signed ? GS_NSW : GS_NUW));
  if (a.hi * b.hi > type.hi && !kept)
    return p;
  gs_bv x = gs_linear_read(l, node->arg[0], is_signed);
  gs_bv y = gs_linear_read(l, node->arg[1], is_signed);
  require_plane(l, p, x, y, a.lo, b.lo, true);
  require_plane(l, p, x, y, a.hi, b.hi, true);
  require_plane(l, p, x, y, a.hi, b.lo, false);
  require_plane(l, p, x, y, a.lo, b.hi, false);
  return p;
}

static gs_bv build_mul(gs_linear *l, uint32_t at) {
  const gs_node *node = node_at(l, at);
  bool is_signed = l->numbers[at].is_signed;
  for (int i = 0; i < 2; i++) {
    gs_range r = range_of(l, node->arg[i]);
    if (r.lo == r.hi)
      return build_multiple(l, at, node->arg[1 - i], span_of(r, is_signed).lo);
  }
  return build_product(l, at);
}

/// The division of a by a constant, made once.
static const gs_quotient *divide(gs_linear *l, gs_term a, gs_wide divisor, gs_division_kind kind) {
  for (uint32_t i = 0; i < l->quotient_count; i++)
    if (l->quotients[i].a == a && l->quotients[i].divisor == divisor && l->quotients[i].kind == kind)
      return &l->quotients[i];
  if (l->quotient_count == l->quotient_capacity) {
    uint32_t capacity = l->quotient_capacity ? 2 * l->quotient_capacity : 16;
    gs_quotient *moved = realloc(l->quotients, capacity * sizeof *moved);
    if (!moved)
      return NULL;
    l->quotients = moved;
    l->quotient_capacity = capacity;
  }
  gs_core *core = l->core;
  gs_bv x = gs_linear_read(l, a, kind != GS_FLOOR_UNSIGNED), zero = number(l, 0);
  span s = span_of(range_of(l, a), kind != GS_FLOOR_UNSIGNED), q, r = {0, divisor - 1};
  if (kind == GS_TRUNCATED) {
    q = (span){s.lo / divisor, s.hi / divisor};
    r.lo = 1 - divisor;
  } else {
    q = (span){floor_div(s.lo, divisor), floor_div(s.hi, divisor)};
  }
  gs_quotient made = {.a = a, .divisor = divisor, .kind = kind, .lo = q.lo, .hi = q.hi};
  made.quotient = variable(l, q);
  made.remainder = variable(l, r);
  require(l, GS_INT_EQ, x, sum(l, gs_int_times(core, divisor, made.quotient), made.remainder));
  if (kind == GS_TRUNCATED) { // the remainder has the sign of the dividend
    gs_bv negative = gs_int_bin(core, GS_INT_LT, x, zero);
    gs_bv low = gs_int_bin(core, GS_INT_LE, made.remainder, zero);
    gs_bv high = gs_int_bin(core, GS_INT_LE, zero, made.remainder);
    gs_core_require(core, gs_bv_ite(core, negative, low, high));
  }
  l->quotients[l->quotient_count] = made;
  return &l->quotients[l->quotient_count++];
}

static gs_bv build_divide(gs_linear *l, uint32_t at) {
  const gs_node *node = node_at(l, at);
  gs_range a = range_of(l, node->arg[0]), b = range_of(l, node->arg[1]);
  bool quotient = node->op == GS_OP_UDIV || node->op == GS_OP_SDIV;
  bool is_signed = (node->op == GS_OP_SDIV || node->op == GS_OP_SREM) && (a.slo < 0 || b.slo < 0);
  span d = span_of(b, is_signed);
  if (d.lo == d.hi && d.lo > 0) {
    const gs_quotient *q =
        divide(l, node->arg[0], d.lo, is_signed ? GS_TRUNCATED : GS_FLOOR_UNSIGNED);
    if (!q)
      return NULL;
    return quotient ? wrapped(l, at, q->quotient, (span){q->lo, q->hi})
                    : wrapped(l, at, q->remainder, (span){is_signed ? 1 - d.lo : 0, d.lo - 1});
  }
  gs_bv r = fresh(l, at);
  if (is_signed || b.lo == 0 || l->numbers[at].is_signed)
    return r;
  require(l, GS_INT_LE, r, gs_linear_read(l, node->arg[0], false));
  if (!quotient)
    require(l, GS_INT_LT, r, gs_linear_read(l, node->arg[1], false));
  return r;
}

static gs_bv build_shift(gs_linear *l, uint32_t at) {
  const gs_node *node = node_at(l, at);
  gs_range amount = range_of(l, node->arg[1]);
  if (amount.lo != amount.hi || amount.lo >= node->width)
    return fresh(l, at);
  gs_wide factor = power((unsigned)amount.lo);
  if (node->op == GS_OP_SHL)
    return build_multiple(l, at, node->arg[0], factor);
  gs_division_kind kind = node->op == GS_OP_LSHR ? GS_FLOOR_UNSIGNED : GS_FLOOR_SIGNED;
  const gs_quotient *q = divide(l, node->arg[0], factor, kind);
  return q ? wrapped(l, at, q->quotient, (span){q->lo, q->hi}) : NULL;
}

/// t modulo 2^bits.
static gs_bv low_bits(gs_linear *l, gs_term t, unsigned bits) {
  if (bits == 0)
    return number(l, 0);
  if (bits == gs_term_width(l->query->terms, t))
    return gs_linear_read(l, t, false);
  const gs_quotient *q = divide(l, t, power(bits), GS_FLOOR_UNSIGNED);
  return q ? q->remainder : NULL;
}

/// t & mask, for a mask whose ones are neighbours: what is below its end less what
/// is below its start.
static gs_bv build_mask(gs_linear *l, uint32_t at, gs_term t, uint64_t mask) {
  unsigned start = (unsigned)__builtin_ctzll(mask);
  unsigned end = 64 - (unsigned)__builtin_clzll(mask);
  gs_bv bits = less(l, low_bits(l, t, end), low_bits(l, t, start));
  return wrapped(l, at, bits, (span){0, (gs_wide)mask});
}

/// Can two nodes have no one in the same place? Then or, exclusive or and sum agree.
static bool disjoint_bits(const gs_linear *l, gs_term a, gs_term b) {
  gs_range ra = range_of(l, a), rb = range_of(l, b);
  uint8_t za = l->zeros[place_of(l, a)], zb = l->zeros[place_of(l, b)];
  return (zb >= 64 || ra.hi >> zb == 0) || (za >= 64 || rb.hi >> za == 0);
}

/// AND, OR, XOR in two unknowns: what their order says.
static gs_bv build_loose_bits(gs_linear *l, uint32_t at) {
  const gs_node *node = node_at(l, at);
  gs_bv r = fresh(l, at);
  if (l->numbers[at].is_signed)
    return r;
  gs_bv x = gs_linear_read(l, node->arg[0], false), y = gs_linear_read(l, node->arg[1], false);
  if (node->op == GS_OP_AND) {
    require(l, GS_INT_LE, r, x);
    require(l, GS_INT_LE, r, y);
    return r;
  }
  require(l, GS_INT_LE, r, sum(l, x, y));
  if (node->op == GS_OP_OR) {
    require(l, GS_INT_LE, x, r);
    require(l, GS_INT_LE, y, r);
    return r;
  }
  gs_bv same = gs_int_bin(l->core, GS_INT_EQ, x, y);
  gs_bv none = gs_int_bin(l->core, GS_INT_EQ, r, number(l, 0));
  gs_core_require(l->core, gs_bv_bin(l->core, GS_BV_EQ, same, none));
  return r;
}

static gs_bv build_bits(gs_linear *l, uint32_t at) {
  const gs_node *node = node_at(l, at);
  for (int i = 0; i < 2; i++) {
    gs_range r = range_of(l, node->arg[i]);
    gs_term other = node->arg[1 - i];
    bool run = r.lo && (((r.lo >> __builtin_ctzll(r.lo)) + 1) & (r.lo >> __builtin_ctzll(r.lo))) == 0;
    if (r.lo != r.hi)
      continue;
    if (node->op == GS_OP_AND && run)
      return build_mask(l, at, other, r.lo);
    if (node->op == GS_OP_XOR && r.lo == gs_mask(node->width)) { // all ones less t
      bool is_signed = l->numbers[at].is_signed;
      span s = span_of(range_of(l, other), is_signed);
      gs_wide ones = is_signed ? -1 : (gs_wide)r.lo;
      return wrapped(l, at, less(l, number(l, ones), gs_linear_read(l, other, is_signed)),
                     (span){ones - s.hi, ones - s.lo});
    }
  }
  if (node->op != GS_OP_AND && disjoint_bits(l, node->arg[0], node->arg[1])) {
    span a = span_of(range_of(l, node->arg[0]), false), b = span_of(range_of(l, node->arg[1]), false);
    gs_bv all = sum(l, gs_linear_read(l, node->arg[0], false), gs_linear_read(l, node->arg[1], false));
    return wrapped(l, at, all, (span){a.lo + b.lo, a.hi + b.hi});
  }
  return build_loose_bits(l, at);
}

static gs_bv build_cast(gs_linear *l, uint32_t at) {
  const gs_node *node = node_at(l, at);
  bool is_signed = node->op == GS_OP_TRUNC ? l->numbers[at].is_signed : node->op == GS_OP_SEXT;
  gs_bv x = gs_linear_read(l, node->arg[0], is_signed);
  span s = span_of(range_of(l, node->arg[0]), is_signed);
  if (is_signed && gs_term_width(l->query->terms, node->arg[0]) == 1)
    s = (span){-1, 0};
  return wrapped(l, at, x, s);
}

static gs_bv build_ite(gs_linear *l, uint32_t at) {
  const gs_node *node = node_at(l, at);
  bool is_signed = l->numbers[at].is_signed;
  return gs_bv_ite(l->core, gs_linear_truth(l, node->arg[0]),
                   gs_linear_read(l, node->arg[1], is_signed),
                   gs_linear_read(l, node->arg[2], is_signed));
}

static gs_bv build_value(gs_linear *l, uint32_t at) {
  switch ((gs_op)node_at(l, at)->op) {
  case GS_OP_ADD:
  case GS_OP_SUB: return build_sum(l, at);
  case GS_OP_MUL: return build_mul(l, at);
  case GS_OP_UDIV:
  case GS_OP_SDIV:
  case GS_OP_UREM:
  case GS_OP_SREM: return build_divide(l, at);
  case GS_OP_SHL:
  case GS_OP_LSHR:
  case GS_OP_ASHR: return build_shift(l, at);
  case GS_OP_AND:
  case GS_OP_OR:
  case GS_OP_XOR: return build_bits(l, at);
  case GS_OP_ITE: return build_ite(l, at);
  case GS_OP_ZEXT:
  case GS_OP_SEXT:
  case GS_OP_TRUNC: return build_cast(l, at);
  case GS_OP_SYM:
  case GS_OP_LOAD:
  case GS_OP_CTLZ:
  case GS_OP_CTPOP:
  case GS_OP_BITREVERSE: return fresh(l, at);
  case GS_OP_EQ: // truth values and constants are made by encode_node
  case GS_OP_ULT:
  case GS_OP_ULE:
  case GS_OP_SLT:
  case GS_OP_SLE:
  case GS_OP_CONST:
  case GS_OP_NONE:
  case GS_OP_COUNT: break;
  }
  return NULL;
}

// ---------------------------------------------------------- truth values ----

static gs_bv build_compare(gs_linear *l, const gs_node *node) {
  gs_term a = node->arg[0], b = node->arg[1];
  bool strict = node->op == GS_OP_ULT || node->op == GS_OP_SLT;
  bool is_signed = node->op == GS_OP_SLT || node->op == GS_OP_SLE;
  if (node->op == GS_OP_EQ && gs_term_width(l->query->terms, a) == 1)
    return gs_bv_bin(l->core, GS_BV_EQ, gs_linear_truth(l, a), gs_linear_truth(l, b));
  if (node->op == GS_OP_EQ)
    is_signed = l->numbers[place_of(l, a)].is_signed || l->numbers[place_of(l, b)].is_signed;
  gs_int_op op = node->op == GS_OP_EQ ? GS_INT_EQ : strict ? GS_INT_LT : GS_INT_LE;
  return gs_int_bin(l->core, op, gs_linear_read(l, a, is_signed), gs_linear_read(l, b, is_signed));
}

static gs_bv build_logic(gs_linear *l, const gs_node *node) {
  gs_bv_op op = node->op == GS_OP_AND  ? GS_BV_BOTH
                : node->op == GS_OP_OR ? GS_BV_EITHER
                                       : GS_BV_UNEQUAL;
  return gs_bv_bin(l->core, op, gs_linear_truth(l, node->arg[0]), gs_linear_truth(l, node->arg[1]));
}

static void encode_node(gs_linear *l, uint32_t at) {
  const gs_node *node = node_at(l, at);
  gs_range r = l->query->ranges->node[at];
  gs_number *n = &l->numbers[at];
  bool logic = node->op == GS_OP_AND || node->op == GS_OP_OR || node->op == GS_OP_XOR;
  bool compares = node->op >= GS_OP_EQ && node->op <= GS_OP_SLE;
  n->is_signed = prefers_sign(l, at);
  if (compares || (logic && node->width == 1))
    n->truth = r.lo == r.hi ? gs_bv_truth(l->core, r.lo)
               : compares   ? build_compare(l, node)
                            : build_logic(l, node);
  else if (r.lo == r.hi)
    n->value = number(l, span_of(r, n->is_signed).lo);
  else
    n->value = build_value(l, at);
}

bool gs_linear_encode(gs_linear *l) {
  const gs_dag *dag = l->query->dag;
  l->numbers = calloc(dag->count ? dag->count : 1, sizeof *l->numbers);
  l->zeros = gs_low_zeros(l->query->terms, dag);
  for (uint32_t at = 0; l->numbers && l->zeros && at < dag->count && !gs_core_failed(l->core); at++)
    encode_node(l, at);
  return l->numbers && l->zeros && !gs_core_failed(l->core);
}

void gs_linear_free(gs_linear *l) {
  gs_core_free(l->core);
  free(l->numbers);
  free(l->quotients);
  free(l->zeros);
}
