// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every node is encoded in as few bits as its bounds need (smt_range.h): most
// index arithmetic is on ten or twenty bits, whatever the type says.
#include "smt_encode.h"

#include <stdlib.h>

static gs_rep *rep_of(gs_encoding *e, gs_term t) { return &e->reps[gs_dag_at(&e->dag, t)]; }
static gs_range range_of(const gs_encoding *e, gs_term t) {
  return e->ranges.node[gs_dag_at(&e->dag, t)];
}
static uint8_t width_of(const gs_encoding *e, gs_term t) { return gs_term_width(e->terms, t); }

gs_bv gs_encoded_bits(gs_encoding *e, gs_term t, unsigned bits) {
  gs_rep *r = rep_of(e, t);
  if (!r->value) {
    gs_bv one = gs_bv_number(e->core, 1, 1), zero = gs_bv_number(e->core, 0, 1);
    r->value = gs_bv_ite(e->core, r->truth, one, zero);
  }
  return gs_bv_resize(e->core, r->value, r->bits, bits, r->is_signed);
}

gs_bv gs_encoded_truth(gs_encoding *e, gs_term t) {
  gs_rep *r = rep_of(e, t);
  if (!r->truth)
    r->truth = gs_bv_bin(e->core, GS_BV_EQ, r->value, gs_bv_number(e->core, 1, 1));
  return r->truth;
}

gs_bv gs_encoded_defined(const gs_encoding *e, gs_term t) {
  return e->reps[gs_dag_at(&e->dag, t)].defined;
}

/// t read as signed or unsigned, in any number of bits.
static gs_bv extended(gs_encoding *e, gs_term t, unsigned bits, bool is_signed) {
  unsigned width = width_of(e, t), inside = bits < width ? bits : width;
  return gs_bv_resize(e->core, gs_encoded_bits(e, t, inside), inside, bits, is_signed);
}

static unsigned bit_length(uint64_t a) { return a ? 64u - (unsigned)__builtin_clzll(a) : 0; }

/// Bits that the range needs as an unsigned number, at least 1.
static unsigned unsigned_size(gs_range r) { return r.hi ? bit_length(r.hi) : 1; }

/// Bits that the range needs in two's complement.
static unsigned signed_size(gs_range r) {
  unsigned low = bit_length((uint64_t)(r.slo < 0 ? ~r.slo : r.slo));
  unsigned high = bit_length((uint64_t)(r.shi < 0 ? ~r.shi : r.shi));
  return (low > high ? low : high) + 1;
}

static unsigned size_of(gs_range r, bool is_signed) {
  return is_signed ? signed_size(r) : unsigned_size(r);
}

/// Bits in which both operands are exact, at most their width.
static unsigned common_size(const gs_encoding *e, const gs_node *node, bool is_signed) {
  unsigned a = size_of(range_of(e, node->arg[0]), is_signed);
  unsigned b = size_of(range_of(e, node->arg[1]), is_signed);
  return a > b ? a : b;
}

static bool not_negative(const gs_encoding *e, const gs_node *node) {
  return range_of(e, node->arg[0]).slo >= 0 && range_of(e, node->arg[1]).slo >= 0;
}

/// A value in a number of bits of the builder's choice, and how it extends.
typedef struct built {
  gs_bv value;
  unsigned bits;
  bool is_signed;
} built;

static built apply(gs_encoding *e, const gs_node *node, gs_bv_op op, unsigned bits,
                   bool is_signed) {
  gs_bv a = gs_encoded_bits(e, node->arg[0], bits), b = gs_encoded_bits(e, node->arg[1], bits);
  return (built){gs_bv_bin(e->core, op, a, b), bits, is_signed};
}

static void require_order(gs_encoding *e, gs_bv_op op, gs_bv a, gs_bv b) {
  gs_core_require(e->core, gs_bv_bin(e->core, op, a, b));
}

/// Defines quotient and remainder by multiplication: for a solver that is easier
/// than a divider, and index arithmetic often multiplies the quotient again.
static void define_division(gs_encoding *e, gs_division *d) {
  uint64_t hi = range_of(e, d->a).hi, most = hi / d->divisor, sum = 0;
  gs_core *core = e->core;
  unsigned bits = bit_length(hi);
  d->quotient_bits = unsigned_size((gs_range){.hi = most});
  d->remainder_bits = bit_length(d->divisor - 1);
  d->quotient = gs_bv_variable(core, d->quotient_bits);
  d->remainder = gs_bv_variable(core, d->remainder_bits);
  require_order(e, GS_BV_ULE, d->quotient, gs_bv_number(core, most, d->quotient_bits));
  require_order(e, GS_BV_ULE, d->remainder, gs_bv_number(core, d->divisor - 1, d->remainder_bits));
  bool carries = __builtin_add_overflow(most * d->divisor, d->divisor - 1, &sum);
  bits += bits == 64 ? carries : sum >> bits != 0; // one above `hi` rounded up
  gs_bv a = gs_encoded_bits(e, d->a, bit_length(hi));
  a = gs_bv_resize(core, a, bit_length(hi), bits, false);
  gs_bv q = gs_bv_resize(core, d->quotient, d->quotient_bits, bits, false);
  gs_bv r = gs_bv_resize(core, d->remainder, d->remainder_bits, bits, false);
  gs_bv product = gs_bv_bin(core, GS_BV_MUL, q, gs_bv_number(core, d->divisor, bits));
  gs_bv back = gs_bv_bin(core, GS_BV_ADD, product, r);
  gs_core_require(core, gs_bv_bin(core, GS_BV_EQ, a, back));
}

/// The division of a by a constant that is no power of two and at most a's bound.
static gs_division *find_division(gs_encoding *e, gs_term a, uint64_t divisor) {
  for (uint32_t i = 0; i < e->division_count; i++)
    if (e->divisions[i].a == a && e->divisions[i].divisor == divisor)
      return &e->divisions[i];
  if (e->division_count == e->division_capacity) {
    uint32_t capacity = e->division_capacity ? 2 * e->division_capacity : 16;
    gs_division *moved = realloc(e->divisions, capacity * sizeof *moved);
    if (!moved)
      return NULL;
    e->divisions = moved;
    e->division_capacity = capacity;
  }
  gs_division *d = &e->divisions[e->division_count++];
  *d = (gs_division){.a = a, .divisor = divisor};
  define_division(e, d);
  return d;
}

static built build_unsigned_divide(gs_encoding *e, const gs_node *node, bool quotient) {
  gs_range a = range_of(e, node->arg[0]), b = range_of(e, node->arg[1]);
  bool by_constant = b.lo == b.hi && b.lo > 1 && (b.lo & (b.lo - 1)) && b.lo <= a.hi;
  gs_division *d = by_constant ? find_division(e, node->arg[0], b.lo) : NULL;
  if (d && quotient)
    return (built){d->quotient, d->quotient_bits, false};
  if (d)
    return (built){d->remainder, d->remainder_bits, false};
  gs_bv_op op = quotient ? GS_BV_UDIV : GS_BV_UREM;
  return apply(e, node, op, common_size(e, node, false), false);
}

static built build_divide(gs_encoding *e, const gs_node *node) {
  bool quotient = node->op == GS_OP_UDIV || node->op == GS_OP_SDIV;
  bool is_signed = node->op == GS_OP_SDIV || node->op == GS_OP_SREM;
  if (!is_signed || not_negative(e, node))
    return build_unsigned_divide(e, node, quotient);
  unsigned bits = common_size(e, node, true) + 1; // -2^k / -1 fits
  bits = bits > node->width ? node->width : bits;
  return apply(e, node, quotient ? GS_BV_SDIV : GS_BV_SREM, bits, true);
}

static built build_shift(gs_encoding *e, const gs_node *node, unsigned result_bits) {
  gs_range a = range_of(e, node->arg[0]);
  unsigned amount = unsigned_size(range_of(e, node->arg[1]));
  bool left = node->op == GS_OP_SHL, arithmetic = node->op == GS_OP_ASHR && a.slo < 0;
  unsigned bits = left ? result_bits : size_of(a, arithmetic);
  gs_bv_op op = left ? GS_BV_SHL : arithmetic ? GS_BV_ASHR : GS_BV_LSHR;
  return apply(e, node, op, bits > amount ? bits : amount, arithmetic);
}

static gs_bv bit_of(gs_encoding *e, gs_bv a, unsigned bit) {
  return gs_bv_extract(e->core, bit, bit, a);
}

static built build_ctlz(gs_encoding *e, const gs_node *node, unsigned bits) {
  unsigned in = unsigned_size(range_of(e, node->arg[0]));
  gs_bv a = gs_encoded_bits(e, node->arg[0], in), r = gs_bv_number(e->core, node->width, bits);
  for (unsigned bit = 0; bit < in; bit++) {
    gs_bv one = gs_bv_number(e->core, 1, 1);
    gs_bv set = gs_bv_bin(e->core, GS_BV_EQ, bit_of(e, a, bit), one);
    r = gs_bv_ite(e->core, set, gs_bv_number(e->core, node->width - 1u - bit, bits), r);
  }
  return (built){r, bits, false};
}

static built build_ctpop(gs_encoding *e, const gs_node *node, unsigned bits) {
  unsigned in = unsigned_size(range_of(e, node->arg[0]));
  gs_bv a = gs_encoded_bits(e, node->arg[0], in), r = gs_bv_number(e->core, 0, bits);
  for (unsigned bit = 0; bit < in; bit++)
    r = gs_bv_bin(e->core, GS_BV_ADD, r, gs_bv_resize(e->core, bit_of(e, a, bit), 1, bits, false));
  return (built){r, bits, false};
}

static built build_bitreverse(gs_encoding *e, const gs_node *node) {
  gs_bv a = gs_encoded_bits(e, node->arg[0], node->width), r = bit_of(e, a, 0);
  for (unsigned bit = 1; bit < node->width; bit++)
    r = gs_bv_bin(e->core, GS_BV_CONCAT, r, bit_of(e, a, bit));
  return (built){r, node->width, false};
}

static gs_bv build_compare(gs_encoding *e, const gs_node *node) {
  unsigned u = common_size(e, node, false), i = common_size(e, node, true);
  bool as_unsigned = node->op == GS_OP_ULT || node->op == GS_OP_ULE || not_negative(e, node);
  bool strict = node->op == GS_OP_ULT || node->op == GS_OP_SLT;
  if (node->op == GS_OP_EQ && width_of(e, node->arg[0]) == 1) {
    gs_bv a = gs_encoded_truth(e, node->arg[0]), b = gs_encoded_truth(e, node->arg[1]);
    return gs_bv_bin(e->core, GS_BV_EQ, a, b);
  }
  if (node->op == GS_OP_EQ)
    return apply(e, node, GS_BV_EQ, u < i ? u : i, false).value;
  if (as_unsigned)
    return apply(e, node, strict ? GS_BV_ULT : GS_BV_ULE, u, false).value;
  return apply(e, node, strict ? GS_BV_SLT : GS_BV_SLE, i, false).value;
}

/// AND, OR, XOR of truth values.
static gs_bv build_logic(gs_encoding *e, const gs_node *node) {
  gs_bv a = gs_encoded_truth(e, node->arg[0]), b = gs_encoded_truth(e, node->arg[1]);
  gs_bv_op op = node->op == GS_OP_AND  ? GS_BV_BOTH
                : node->op == GS_OP_OR ? GS_BV_EITHER
                                       : GS_BV_UNEQUAL;
  return gs_bv_bin(e->core, op, a, b);
}

/// A leaf is a variable within its bounds.
static built build_leaf(gs_encoding *e, gs_range range, const gs_rep *form, unsigned width) {
  unsigned bits = form->bits;
  gs_bv x = gs_bv_variable(e->core, bits);
  gs_range all = gs_range_full((uint8_t)bits);
  bool by_sign = form->is_signed || bits == width;
  unsigned wide = form->is_signed ? width : bits; // where it can be read as unsigned
  gs_bv y = gs_bv_resize(e->core, x, bits, wide, true);
  if (range.lo > 0)
    require_order(e, GS_BV_ULE, gs_bv_number(e->core, range.lo, wide), y);
  if (range.hi < gs_mask((uint8_t)wide))
    require_order(e, GS_BV_ULE, y, gs_bv_number(e->core, range.hi, wide));
  if (by_sign && range.slo > all.slo)
    require_order(e, GS_BV_SLE, gs_bv_number(e->core, (uint64_t)range.slo, bits), x);
  if (by_sign && range.shi < all.shi)
    require_order(e, GS_BV_SLE, x, gs_bv_number(e->core, (uint64_t)range.shi, bits));
  return (built){x, bits, form->is_signed};
}

static gs_bv_op arithmetic(gs_op op) {
  if (op == GS_OP_ADD)
    return GS_BV_ADD;
  if (op == GS_OP_SUB)
    return GS_BV_SUB;
  if (op == GS_OP_MUL)
    return GS_BV_MUL;
  if (op == GS_OP_AND)
    return GS_BV_AND;
  return op == GS_OP_OR ? GS_BV_OR : GS_BV_XOR;
}

static built build_ite(gs_encoding *e, const gs_node *node, unsigned bits) {
  gs_bv b = gs_encoded_bits(e, node->arg[1], bits), c = gs_encoded_bits(e, node->arg[2], bits);
  return (built){gs_bv_ite(e->core, gs_encoded_truth(e, node->arg[0]), b, c), bits, false};
}

static built build_value(gs_encoding *e, uint32_t at, const gs_rep *form) {
  const gs_node *node = gs_term_node(e->terms, e->dag.terms[at]);
  unsigned bits = form->bits;
  switch ((gs_op)node->op) {
  case GS_OP_SYM:
  case GS_OP_LOAD: return build_leaf(e, e->ranges.node[at], form, node->width);
  case GS_OP_ADD:
  case GS_OP_SUB:
  case GS_OP_MUL:
  case GS_OP_AND:
  case GS_OP_OR:
  case GS_OP_XOR: // low bits of the result depend on low bits of the operands only
    return apply(e, node, arithmetic((gs_op)node->op), bits, false);
  case GS_OP_UDIV:
  case GS_OP_SDIV:
  case GS_OP_UREM:
  case GS_OP_SREM: return build_divide(e, node);
  case GS_OP_SHL:
  case GS_OP_LSHR:
  case GS_OP_ASHR: return build_shift(e, node, bits);
  case GS_OP_ITE: return build_ite(e, node, bits);
  case GS_OP_ZEXT: return (built){extended(e, node->arg[0], bits, false), bits, false};
  case GS_OP_SEXT: return (built){extended(e, node->arg[0], bits, true), bits, false};
  case GS_OP_TRUNC: return (built){gs_encoded_bits(e, node->arg[0], bits), bits, false};
  case GS_OP_CTLZ: return build_ctlz(e, node, bits);
  case GS_OP_CTPOP: return build_ctpop(e, node, bits);
  case GS_OP_BITREVERSE: return build_bitreverse(e, node);
  case GS_OP_EQ: // truth values and constants are made by encode_node
  case GS_OP_ULT:
  case GS_OP_ULE:
  case GS_OP_SLT:
  case GS_OP_SLE:
  case GS_OP_CONST:
  case GS_OP_NONE:
  case GS_OP_COUNT: break;
  }
  return (built){NULL, bits, false};
}

/// Ways in which an operation may have no value.
enum { DIVIDES_BY_ZERO = 1, OVERFLOWS = 2, SHIFTS_TOO_FAR = 4 };

/// Those that the bounds of its operands leave open.
static unsigned dangers(const gs_encoding *e, const gs_node *node) {
  bool shifts = node->op >= GS_OP_SHL && node->op <= GS_OP_ASHR;
  bool is_signed = node->op == GS_OP_SDIV || node->op == GS_OP_SREM;
  if (node->op < GS_OP_UDIV || node->op > GS_OP_ASHR)
    return 0;
  gs_range a = range_of(e, node->arg[0]), b = range_of(e, node->arg[1]);
  if (shifts)
    return b.hi < node->width ? 0 : SHIFTS_TOO_FAR;
  bool overflows = is_signed && b.slo <= -1 && b.shi >= -1 &&
                   a.slo == gs_sign_extend(UINT64_C(1) << (node->width - 1), node->width);
  return (b.lo ? 0u : DIVIDES_BY_ZERO) | (overflows ? OVERFLOWS : 0u);
}

bool gs_encoding_assumes(const gs_encoding *e, uint32_t at) {
  gs_term t = e->dag.terms[at];
  const gs_node *node = gs_term_node(e->terms, t);
  if (node->flags & (node->flags ? gs_ranges_wraps(e->terms, &e->dag, &e->ranges, t) : 0))
    return true;
  return dangers(e, node) != 0;
}

/// The condition under which an operation has no value, or NULL: never.
static gs_bv undefined(gs_encoding *e, const gs_node *node) {
  unsigned danger = dangers(e, node), width = node->width;
  if (!danger)
    return NULL;
  gs_bv y = gs_encoded_bits(e, node->arg[1], width), zero = NULL;
  if (danger & SHIFTS_TOO_FAR)
    return gs_bv_bin(e->core, GS_BV_ULE, gs_bv_number(e->core, width, width), y);
  if (danger & DIVIDES_BY_ZERO)
    zero = gs_bv_bin(e->core, GS_BV_EQ, y, gs_bv_number(e->core, 0, width));
  if (!(danger & OVERFLOWS))
    return zero;
  uint64_t least = UINT64_C(1) << (width - 1);
  gs_bv x = gs_encoded_bits(e, node->arg[0], width);
  gs_bv is_least = gs_bv_bin(e->core, GS_BV_EQ, x, gs_bv_number(e->core, least, width));
  gs_bv is_minus = gs_bv_bin(e->core, GS_BV_EQ, y, gs_bv_number(e->core, UINT64_MAX, width));
  gs_bv overflow = gs_bv_bin(e->core, GS_BV_BOTH, is_least, is_minus);
  return zero ? gs_bv_bin(e->core, GS_BV_EITHER, zero, overflow) : overflow;
}

/// a and b, where NULL stands for true.
static gs_bv both(gs_encoding *e, gs_bv a, gs_bv b) {
  return a && b ? gs_bv_bin(e->core, GS_BV_BOTH, a, b) : a ? a : b;
}

/// Hardware gives some value where LLVM gives none: any value, for soundness of
/// NO, unless the query excludes the case. A model that needs it is no model.
static gs_bv value_or_any(gs_encoding *e, uint32_t at, gs_bv value) {
  gs_rep *r = &e->reps[at];
  gs_bv is_undefined = undefined(e, gs_term_node(e->terms, e->dag.terms[at]));
  if (!is_undefined)
    return value;
  gs_bv defined = gs_bv_not(e->core, is_undefined);
  if (e->exact && e->exact[at]) {
    gs_core_require(e->core, defined);
    return value;
  }
  r->defined = both(e, r->defined, defined);
  return gs_bv_ite(e->core, is_undefined, gs_bv_variable(e->core, r->bits), value);
}

/// A junction is defined by both sides or by one defined side that decides it.
static gs_bv junction_defined(gs_encoding *e, const gs_node *node) {
  gs_bv sides = NULL, decided[2] = {NULL, NULL};
  for (int i = 0; i < 2; i++) {
    gs_bv defined = gs_encoded_defined(e, node->arg[i]);
    gs_bv truth = gs_encoded_truth(e, node->arg[i]);
    if (node->op == GS_OP_AND)
      truth = gs_bv_not(e->core, truth);
    sides = both(e, sides, defined);
    decided[i] = both(e, truth, defined);
  }
  if (!sides)
    return NULL;
  gs_bv either = gs_bv_bin(e->core, GS_BV_EITHER, decided[0], decided[1]);
  return gs_bv_bin(e->core, GS_BV_EITHER, sides, either);
}

/// When the operands give the node a value, as gs_term_eval has it; NULL = always.
static gs_bv operands_defined(gs_encoding *e, const gs_node *node) {
  gs_bv of[3] = {NULL, NULL, NULL}, all = NULL;
  for (uint32_t i = 0; i < gs_op_arity((gs_op)node->op); i++) {
    of[i] = gs_encoded_defined(e, node->arg[i]);
    all = both(e, all, of[i]);
  }
  if (!all)
    return NULL;
  if (node->width == 1 && (node->op == GS_OP_AND || node->op == GS_OP_OR))
    return junction_defined(e, node);
  if (node->op != GS_OP_ITE || (!of[1] && !of[2]))
    return all;
  gs_bv yes = gs_bv_truth(e->core, true), c = gs_encoded_truth(e, node->arg[0]);
  gs_bv arm = gs_bv_ite(e->core, c, of[1] ? of[1] : yes, of[2] ? of[2] : yes);
  return both(e, of[0], arm);
}

/// The exact result of a flagged operation, in more bits than its width.
static built exact_result(gs_encoding *e, const gs_node *node, bool is_signed) {
  unsigned bits = size_of(range_of(e, node->arg[0]), is_signed);
  if (node->op == GS_OP_MUL)
    bits += size_of(range_of(e, node->arg[1]), is_signed);
  else if (node->op != GS_OP_TRUNC) // for SUB read as unsigned the top bit is the borrow
    bits = common_size(e, node, is_signed) + 1;
  bits = bits > node->width ? bits : node->width + 1u;
  gs_bv a = extended(e, node->arg[0], bits, is_signed);
  if (node->op == GS_OP_TRUNC)
    return (built){a, bits, is_signed};
  gs_bv b = extended(e, node->arg[1], bits, is_signed);
  return (built){gs_bv_bin(e->core, arithmetic((gs_op)node->op), a, b), bits, is_signed};
}

/// A shift to the left loses nothing if the shift back restores the operand.
static gs_bv shift_restores(gs_encoding *e, const gs_node *node, bool is_signed) {
  unsigned width = node->width;
  gs_bv a = gs_encoded_bits(e, node->arg[0], width), b = gs_encoded_bits(e, node->arg[1], width);
  gs_bv back = gs_bv_bin(e->core, is_signed ? GS_BV_ASHR : GS_BV_LSHR,
                         gs_bv_bin(e->core, GS_BV_SHL, a, b), b);
  return gs_bv_bin(e->core, GS_BV_EQ, back, a);
}

/// Requires that an operation keeps what its flags promise.
static void require_flags(gs_encoding *e, gs_term t) {
  const gs_node *node = gs_term_node(e->terms, t);
  uint8_t flags = node->flags & gs_ranges_wraps(e->terms, &e->dag, &e->ranges, t);
  for (uint8_t flag = GS_NSW; flag <= GS_NUW; flag++) {
    bool is_signed = flag == GS_NSW;
    if (!(flags & flag))
      continue;
    if (node->op == GS_OP_SHL) {
      gs_core_require(e->core, shift_restores(e, node, is_signed));
      continue;
    }
    built r = exact_result(e, node, is_signed);
    gs_bv cut = gs_bv_resize(e->core, r.value, r.bits, node->width, false);
    gs_bv back = gs_bv_resize(e->core, cut, node->width, r.bits, is_signed);
    gs_core_require(e->core, gs_bv_bin(e->core, GS_BV_EQ, back, r.value));
  }
}

static bool is_truth(const gs_node *node) {
  bool logic = node->op == GS_OP_AND || node->op == GS_OP_OR || node->op == GS_OP_XOR;
  return (logic && node->width == 1) || (node->op >= GS_OP_EQ && node->op <= GS_OP_SLE);
}

static void encode_node(gs_encoding *e, uint32_t at) {
  const gs_node *node = gs_term_node(e->terms, e->dag.terms[at]);
  gs_range range = e->ranges.node[at];
  gs_rep *r = &e->reps[at];
  unsigned u = unsigned_size(range), i = signed_size(range);
  r->is_signed = i < u;
  r->bits = (uint8_t)(i < u ? i : u);
  if (e->exact && e->exact[at] && node->flags)
    require_flags(e, e->dag.terms[at]);
  r->defined = operands_defined(e, node);
  if (is_truth(node)) {
    r->truth = range.lo == range.hi  ? gs_bv_truth(e->core, range.lo)
               : node->op <= GS_OP_XOR ? build_logic(e, node)
                                       : build_compare(e, node);
    return;
  }
  built value = {NULL, r->bits, r->is_signed};
  if (range.lo == range.hi)
    value.value = gs_bv_number(e->core, range.lo, r->bits);
  else
    value = build_value(e, at, r);
  gs_bv sized = gs_bv_resize(e->core, value.value, value.bits, r->bits, value.is_signed);
  r->value = value_or_any(e, at, sized);
}

/// Partial products of a multiplication: a constant has one for each of its ones.
static uint64_t rows_of(gs_range r) {
  return r.lo == r.hi ? (uint64_t)__builtin_popcountll(r.lo) : size_of(r, r.slo < 0);
}

static uint64_t node_cells(const gs_encoding *e, uint32_t at) {
  const gs_node *node = gs_term_node(e->terms, e->dag.terms[at]);
  gs_range range = e->ranges.node[at];
  gs_op op = (gs_op)node->op;
  uint64_t bits = size_of(range, range.slo < 0 && range.hi >> (node->width - 1));
  if (range.lo == range.hi || gs_op_arity(op) == 0)
    return 0;
  gs_range a = range_of(e, node->arg[0]);
  bool divides = op >= GS_OP_UDIV && op <= GS_OP_SREM, shifts = op >= GS_OP_SHL && op <= GS_OP_ASHR;
  uint64_t in = size_of(a, a.slo < 0);
  if (gs_op_arity(op) == 1) // counting bits is a tree of adders
    return op == GS_OP_CTLZ || op == GS_OP_CTPOP ? 3 * in : op == GS_OP_LOAD ? 64 : 0;
  gs_range b = range_of(e, node->arg[1]);
  uint64_t rows = rows_of(a) < rows_of(b) ? rows_of(a) : rows_of(b);
  if (op == GS_OP_MUL)
    return (bits > in ? bits : in) * rows;
  if (divides)
    return b.lo == b.hi ? in * rows_of(b) : 2 * in * in;
  if (shifts)
    return b.lo == b.hi ? 0 : 3 * bits;
  if (op == GS_OP_EQ)
    return in / 4 + 1;
  return op == GS_OP_ITE ? bits / 2 + 1 : op > GS_OP_EQ ? in : bits;
}

uint64_t gs_encoding_cells(const gs_encoding *e) {
  uint64_t cells = 0;
  for (uint32_t at = 0; at < e->dag.count; at++)
    cells += node_cells(e, at);
  return cells;
}

bool gs_encode(gs_encoding *e) {
  e->reps = calloc(e->dag.count ? e->dag.count : 1, sizeof *e->reps);
  for (uint32_t at = 0; e->reps && at < e->dag.count && !gs_core_failed(e->core); at++)
    encode_node(e, at);
  return e->reps && !gs_core_failed(e->core);
}

void gs_encoding_free(gs_encoding *e) {
  gs_core_free(e->core);
  gs_dag_free(&e->dag);
  free(e->ranges.node);
  free(e->exact);
  free(e->reps);
  free(e->divisions);
}
