// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constructors with local simplification. Every rewrite keeps the value for
// every assignment; flags survive only where the operation itself survives.
#include "term_store.h"

#include <string.h>

uint64_t gs_mask(uint8_t width) { return width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1; }

int64_t gs_sign_extend(uint64_t value, uint8_t width) {
  if (width >= 64)
    return (int64_t)value;
  uint64_t sign = UINT64_C(1) << (width - 1);
  value &= gs_mask(width);
  return (int64_t)((value ^ sign) - sign);
}

static uint64_t count_leading_zeros(uint64_t a, uint8_t width) {
  uint64_t n = 0;
  for (int bit = width - 1; bit >= 0 && !(a >> bit & 1); bit--)
    n++;
  return n;
}

static uint64_t reverse_bits(uint64_t a, uint8_t width) {
  uint64_t r = 0;
  for (int bit = 0; bit < width; bit++)
    r |= (a >> bit & 1) << (width - 1 - bit);
  return r;
}

static bool fold_division(gs_op op, uint8_t width, uint64_t a, uint64_t b, uint64_t *out) {
  if (b == 0)
    return false;
  int64_t sa = gs_sign_extend(a, width), sb = gs_sign_extend(b, width);
  bool overflow = sb == -1 && a == (UINT64_C(1) << (width - 1));
  if (op == GS_OP_UDIV)
    *out = a / b;
  else if (op == GS_OP_UREM)
    *out = a % b;
  else if (overflow)
    return false; // undefined in LLVM, for srem as well
  else
    *out = (uint64_t)(op == GS_OP_SDIV ? sa / sb : sa % sb);
  return true;
}

static bool fold_shift(gs_op op, uint8_t width, uint64_t a, uint64_t b, uint64_t *out) {
  if (b >= width)
    return false;
  if (op == GS_OP_SHL)
    *out = a << b;
  else if (op == GS_OP_LSHR)
    *out = a >> b;
  else
    *out = (uint64_t)(gs_sign_extend(a, width) >> b);
  return true;
}

bool gs_fold(gs_op op, uint8_t width, uint64_t a, uint64_t b, uint64_t *out) {
  int64_t sa = gs_sign_extend(a, width), sb = gs_sign_extend(b, width);
  bool fine = true;
  uint64_t r = 0;
  switch (op) {
  case GS_OP_ADD: r = a + b; break;
  case GS_OP_SUB: r = a - b; break;
  case GS_OP_MUL: r = a * b; break;
  case GS_OP_UDIV:
  case GS_OP_SDIV:
  case GS_OP_UREM:
  case GS_OP_SREM: fine = fold_division(op, width, a, b, &r); break;
  case GS_OP_SHL:
  case GS_OP_LSHR:
  case GS_OP_ASHR: fine = fold_shift(op, width, a, b, &r); break;
  case GS_OP_AND: r = a & b; break;
  case GS_OP_OR: r = a | b; break;
  case GS_OP_XOR: r = a ^ b; break;
  case GS_OP_EQ: r = a == b; break;
  case GS_OP_ULT: r = a < b; break;
  case GS_OP_ULE: r = a <= b; break;
  case GS_OP_SLT: r = sa < sb; break;
  case GS_OP_SLE: r = sa <= sb; break;
  case GS_OP_CTLZ: r = count_leading_zeros(a, width); break;
  case GS_OP_CTPOP:
    for (uint64_t v = a; v; v &= v - 1)
      r++;
    break;
  case GS_OP_BITREVERSE: r = reverse_bits(a, width); break;
  case GS_OP_NONE:
  case GS_OP_CONST:
  case GS_OP_SYM:
  case GS_OP_ITE:
  case GS_OP_ZEXT:
  case GS_OP_SEXT:
  case GS_OP_TRUNC:
  case GS_OP_LOAD:
  case GS_OP_COUNT: return false;
  }
  *out = r & gs_mask(width);
  return fine;
}

gs_term gs_mk_const(gs_terms *terms, uint64_t value, uint8_t width) {
  gs_node node = {.op = GS_OP_CONST, .width = width, .value = value & gs_mask(width)};
  return gs_store_intern(terms, &node);
}

gs_term gs_mk_bool(gs_terms *terms, bool value) { return gs_mk_const(terms, value, 1); }

static bool is_comparison(gs_op op) { return op >= GS_OP_EQ && op <= GS_OP_SLE; }
/// Comparisons whose negation is one comparison.
static bool is_order(gs_op op) { return op >= GS_OP_ULT && op <= GS_OP_SLE; }
static bool is_commutative(gs_op op) {
  return op == GS_OP_ADD || op == GS_OP_MUL || op == GS_OP_AND || op == GS_OP_OR ||
         op == GS_OP_XOR || op == GS_OP_EQ;
}

/// x op x.
static gs_term same_operands(gs_terms *terms, gs_op op, gs_term a, uint8_t width) {
  if (op == GS_OP_SUB || op == GS_OP_XOR)
    return gs_mk_const(terms, 0, width);
  if (op == GS_OP_AND || op == GS_OP_OR)
    return a;
  if (op == GS_OP_EQ || op == GS_OP_ULE || op == GS_OP_SLE)
    return gs_mk_bool(terms, true);
  if (op == GS_OP_ULT || op == GS_OP_SLT)
    return gs_mk_bool(terms, false);
  return GS_NO_TERM;
}

/// x op c.
static gs_term right_constant(gs_terms *terms, gs_op op, gs_term a, uint64_t c, uint8_t width) {
  uint64_t ones = gs_mask(width);
  if (c == 0 && (op == GS_OP_ADD || op == GS_OP_SUB || op == GS_OP_OR || op == GS_OP_XOR ||
                 op == GS_OP_SHL || op == GS_OP_LSHR || op == GS_OP_ASHR))
    return a;
  if (c == 0 && (op == GS_OP_MUL || op == GS_OP_AND))
    return gs_mk_const(terms, 0, width);
  if (c == 0 && op == GS_OP_ULT)
    return gs_mk_bool(terms, false);
  if (c == 1 && width > 1 && (op == GS_OP_MUL || op == GS_OP_UDIV || op == GS_OP_SDIV))
    return a;
  if (c == 1 && width > 1 && (op == GS_OP_UREM || op == GS_OP_SREM))
    return gs_mk_const(terms, 0, width);
  if (c == ones && op == GS_OP_AND)
    return a;
  if (c == ones && op == GS_OP_OR)
    return gs_mk_const(terms, ones, width);
  if (c == ones && op == GS_OP_ULE)
    return gs_mk_bool(terms, true);
  if (op == GS_OP_EQ && width == 1)
    return c ? a : gs_mk_not(terms, a);
  return GS_NO_TERM;
}

enum { MAX_CONJUNCTS = 48 };

static bool add_conjunct(gs_term *list, size_t *count, gs_term t) {
  for (size_t i = 0; i < *count; i++)
    if (list[i] == t)
      return true;
  if (*count == MAX_CONJUNCTS)
    return false;
  list[(*count)++] = t;
  return true;
}

/// Conjuncts of t in order; false when there are too many.
static bool conjuncts(const gs_terms *terms, gs_term t, gs_term *list, size_t *count) {
  while (terms->nodes[t].op == GS_OP_AND && terms->nodes[t].width == 1) {
    if (!conjuncts(terms, terms->nodes[t].arg[0], list, count))
      return false;
    t = terms->nodes[t].arg[1];
  }
  return add_conjunct(list, count, t);
}

static bool contains(const gs_term *list, size_t count, gs_term t) {
  for (size_t i = 0; i < count; i++)
    if (list[i] == t)
      return true;
  return false;
}

static gs_term raw_bin(gs_terms *terms, gs_op op, gs_term a, gs_term b, uint8_t width) {
  gs_node node = {.op = (uint8_t)op, .width = width, .arg = {a, b}};
  return gs_store_intern(terms, &node);
}

/// Joins conjuncts left to right, so that guards of nested branches share prefixes.
static gs_term join(gs_terms *terms, const gs_term *list, size_t count) {
  if (!count)
    return gs_mk_bool(terms, true);
  gs_term t = list[0];
  for (size_t i = 1; i < count; i++)
    t = raw_bin(terms, GS_OP_AND, t, list[i], 1);
  return t;
}

static gs_term and_bool(gs_terms *terms, gs_term a, gs_term b) {
  gs_term list[MAX_CONJUNCTS];
  size_t count = 0;
  if (!conjuncts(terms, a, list, &count))
    return raw_bin(terms, GS_OP_AND, a, b, 1);
  size_t first = count;
  if (!conjuncts(terms, b, list, &count))
    return raw_bin(terms, GS_OP_AND, a, b, 1);
  for (size_t i = first; i < count; i++)
    if (contains(list, count, gs_mk_not(terms, list[i])))
      return gs_mk_bool(terms, false);
  gs_term t = a;
  for (size_t i = first; i < count; i++)
    t = raw_bin(terms, GS_OP_AND, t, list[i], 1);
  return t;
}

/// g&c | g&!c is g; more generally common conjuncts move out and a conjunct
/// that the other side refutes is dropped: c | (!c & d) is c | d.
static gs_term or_bool(gs_terms *terms, gs_term a, gs_term b) {
  gs_term la[MAX_CONJUNCTS], lb[MAX_CONJUNCTS], common[MAX_CONJUNCTS];
  size_t na = 0, nb = 0, nc = 0, ra = 0, rb = 0;
  if (!conjuncts(terms, a, la, &na) || !conjuncts(terms, b, lb, &nb))
    return raw_bin(terms, GS_OP_OR, a < b ? a : b, a < b ? b : a, 1);
  for (size_t i = 0; i < na; i++)
    if (contains(lb, nb, la[i]))
      common[nc++] = la[i];
    else
      la[ra++] = la[i];
  for (size_t i = 0; i < nb; i++)
    if (!contains(common, nc, lb[i]))
      lb[rb++] = lb[i];
  if (!ra || !rb)
    return join(terms, common, nc);
  if (ra == 1 || rb == 1) {
    gs_term *single = ra == 1 ? la : lb, *other = ra == 1 ? lb : la;
    size_t *n = ra == 1 ? &rb : &ra, kept = 0;
    gs_term refuted = gs_mk_not(terms, single[0]);
    for (size_t i = 0; i < *n; i++)
      if (other[i] != refuted)
        other[kept++] = other[i];
    *n = kept;
    if (!kept)
      return join(terms, common, nc);
  }
  gs_term ja = join(terms, la, ra), jb = join(terms, lb, rb);
  gs_term rest = raw_bin(terms, GS_OP_OR, ja < jb ? ja : jb, ja < jb ? jb : ja, 1);
  return nc ? raw_bin(terms, GS_OP_AND, join(terms, common, nc), rest, 1) : rest;
}

gs_term gs_mk_bin(gs_terms *terms, gs_op op, gs_term a, gs_term b) {
  return gs_mk_bin_flags(terms, op, a, b, 0, 0);
}

/// The one address symbol of a sum, GS_NO_TERM when there is none; *rest receives
/// the sum without it.
static gs_term split_address(gs_terms *terms, gs_term t, gs_term *rest, int depth) {
  gs_node node = terms->nodes[t];
  if (node.op == GS_OP_SYM && terms->syms[node.value].is_address) {
    *rest = gs_mk_const(terms, 0, 64);
    return t;
  }
  if (node.op != GS_OP_ADD || depth > 16)
    return GS_NO_TERM;
  for (int side = 0; side < 2; side++) {
    gs_term base = split_address(terms, node.arg[side], rest, depth + 1);
    if (!base)
      continue;
    uint64_t c = 0;
    bool nothing = gs_term_const(terms, *rest, &c) && c == 0;
    gs_term other = node.arg[1 - side];
    // A flag of the sum with the base says nothing about the sum without it.
    *rest = nothing ? other : gs_mk_bin(terms, GS_OP_ADD, *rest, other);
    return base;
  }
  return GS_NO_TERM;
}

/// Removes one addend that both sums have at their top.
static void drop_common(gs_terms *terms, gs_term *a, gs_term *b) {
  gs_term pa[2] = {*a, GS_NO_TERM}, pb[2] = {*b, GS_NO_TERM};
  if (terms->nodes[*a].op == GS_OP_ADD)
    memcpy(pa, terms->nodes[*a].arg, sizeof pa);
  if (terms->nodes[*b].op == GS_OP_ADD)
    memcpy(pb, terms->nodes[*b].arg, sizeof pb);
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++)
      if (pa[i] && pa[i] == pb[j]) {
        gs_term zero = gs_mk_const(terms, 0, 64);
        *a = pa[1 - i] ? pa[1 - i] : zero;
        *b = pb[1 - j] ? pb[1 - j] : zero;
        return;
      }
}

/// Differences and comparisons of two addresses in one object are those of the
/// offsets. An object does not wrap around the address space, so the unsigned
/// order of its addresses is the signed order of the offsets.
static gs_term same_object(gs_terms *terms, gs_op op, gs_term a, gs_term b) {
  gs_term ra = GS_NO_TERM, rb = GS_NO_TERM;
  if (op != GS_OP_SUB && op != GS_OP_EQ && op != GS_OP_ULT && op != GS_OP_ULE)
    return GS_NO_TERM;
  gs_term base = split_address(terms, a, &ra, 0);
  if (!base || split_address(terms, b, &rb, 0) != base)
    return GS_NO_TERM;
  if (op == GS_OP_ULT || op == GS_OP_ULE)
    op = op == GS_OP_ULT ? GS_OP_SLT : GS_OP_SLE;
  gs_term pa = ra, pb = rb;
  drop_common(terms, &pa, &pb);
  if (pa == ra || (op != GS_OP_SLT && op != GS_OP_SLE))
    return gs_mk_bin(terms, op, pa, pb);
  // Offsets in one object are less than 2^63 apart, so their order is the sign of
  // the difference; p < q alone would not be exact where p and q are far from 0.
  return gs_mk_bin(terms, op, gs_mk_const(terms, 0, 64), gs_mk_bin(terms, GS_OP_SUB, pb, pa));
}

/// Comparison of a choice between constants with a constant: a condition.
/// (clang's cleanup destinations after an early return look like this.)
static gs_term compare_choice(gs_terms *terms, gs_op op, gs_term a, gs_term b, int depth) {
  gs_term choice = terms->nodes[a].op == GS_OP_ITE ? a : b;
  gs_node node = terms->nodes[choice];
  if (depth > 8 || node.op != GS_OP_ITE)
    return GS_NO_TERM;
  gs_term arm[2];
  for (int i = 0; i < 2; i++) {
    gs_term value = node.arg[i + 1], x = choice == a ? value : a, y = choice == a ? b : value;
    gs_op inner = (gs_op)terms->nodes[value].op;
    if (inner == GS_OP_CONST)
      arm[i] = gs_mk_bin(terms, op, x, y);
    else
      arm[i] = inner == GS_OP_ITE ? compare_choice(terms, op, x, y, depth + 1) : GS_NO_TERM;
    if (!arm[i])
      return GS_NO_TERM;
  }
  return gs_mk_ite(terms, node.arg[0], arm[0], arm[1]);
}

gs_term gs_mk_bin_flags(gs_terms *terms, gs_op op, gs_term a, gs_term b, uint8_t flags,
                        uint32_t origin) {
  if (!a || !b)
    return GS_NO_TERM;
  uint8_t width = terms->nodes[a].width;
  uint64_t ca = 0, cb = 0, folded = 0;
  bool is_ca = gs_term_const(terms, a, &ca), is_cb = gs_term_const(terms, b, &cb);
  if (is_ca && is_cb && gs_fold(op, width, ca, cb, &folded))
    return gs_mk_const(terms, folded, is_comparison(op) ? 1 : width);
  if (is_commutative(op) && (is_ca || (!is_cb && a > b))) {
    gs_term t = a;
    a = b, b = t;
    bool is = is_ca;
    is_ca = is_cb, is_cb = is;
    uint64_t c = ca;
    ca = cb, cb = c;
  }
  gs_term simple = GS_NO_TERM;
  if (a == b)
    simple = same_operands(terms, op, a, width);
  if (!simple && is_cb)
    simple = right_constant(terms, op, a, cb, width);
  if (!simple && is_comparison(op) && (is_ca || is_cb))
    simple = compare_choice(terms, op, a, b, 0);
  if (!simple && width == 64 && !is_ca && !is_cb)
    simple = same_object(terms, op, a, b);
  if (!simple && is_ca && ca == 0 && op == GS_OP_ULE)
    simple = gs_mk_bool(terms, true);
  if (width == 1 && op == GS_OP_XOR && is_cb && cb && is_order((gs_op)terms->nodes[a].op))
    simple = gs_mk_not(terms, a);
  if (simple || terms->failed)
    return simple;
  if (width == 1 && op == GS_OP_AND)
    return and_bool(terms, a, b);
  if (width == 1 && op == GS_OP_OR)
    return or_bool(terms, a, b);
  gs_node node = {.op = (uint8_t)op,
                  .width = is_comparison(op) ? 1 : width,
                  .flags = flags,
                  .arg = {a, b},
                  .origin = origin};
  return gs_store_intern(terms, &node);
}

gs_term gs_mk_not(gs_terms *terms, gs_term a) {
  if (!a)
    return GS_NO_TERM;
  gs_node node = terms->nodes[a];
  uint64_t ones = gs_mask(node.width), c = 0;
  if (node.op == GS_OP_CONST)
    return gs_mk_const(terms, ~node.value, node.width);
  if (node.op == GS_OP_XOR && gs_term_const(terms, node.arg[1], &c) && c == ones)
    return node.arg[0];
  if (node.op == GS_OP_ULT || node.op == GS_OP_SLT)
    return gs_mk_bin(terms, node.op == GS_OP_ULT ? GS_OP_ULE : GS_OP_SLE, node.arg[1],
                     node.arg[0]);
  if (node.op == GS_OP_ULE || node.op == GS_OP_SLE)
    return gs_mk_bin(terms, node.op == GS_OP_ULE ? GS_OP_ULT : GS_OP_SLT, node.arg[1],
                     node.arg[0]);
  return gs_mk_bin(terms, GS_OP_XOR, a, gs_mk_const(terms, ones, node.width));
}

gs_term gs_mk_and(gs_terms *terms, gs_term a, gs_term b) {
  return gs_mk_bin(terms, GS_OP_AND, a, b);
}

gs_term gs_mk_or(gs_terms *terms, gs_term a, gs_term b) {
  return gs_mk_bin(terms, GS_OP_OR, a, b);
}

gs_term gs_mk_ite(gs_terms *terms, gs_term c, gs_term a, gs_term b) {
  uint64_t value = 0;
  if (!c || !a || !b)
    return GS_NO_TERM;
  if (gs_term_const(terms, c, &value))
    return value ? a : b;
  if (a == b)
    return a;
  if (terms->nodes[a].width == 1) {
    if (gs_term_const(terms, a, &value))
      return value ? gs_mk_or(terms, c, b) : gs_mk_and(terms, gs_mk_not(terms, c), b);
    if (gs_term_const(terms, b, &value))
      return value ? gs_mk_or(terms, gs_mk_not(terms, c), a) : gs_mk_and(terms, c, a);
  }
  gs_node node = {.op = GS_OP_ITE, .width = terms->nodes[a].width, .arg = {c, a, b}};
  return gs_store_intern(terms, &node);
}

gs_term gs_mk_cast(gs_terms *terms, gs_op op, gs_term a, uint8_t width) {
  if (!a)
    return GS_NO_TERM;
  gs_node in = terms->nodes[a];
  if (in.width == width)
    return a;
  if (in.op == GS_OP_CONST)
    return gs_mk_const(
        terms, op == GS_OP_SEXT ? (uint64_t)gs_sign_extend(in.value, in.width) : in.value, width);
  bool in_extends = in.op == GS_OP_ZEXT || in.op == GS_OP_SEXT;
  if (op == GS_OP_TRUNC && in_extends) {
    uint8_t inner = terms->nodes[in.arg[0]].width;
    return gs_mk_cast(terms, width > inner ? (gs_op)in.op : GS_OP_TRUNC, in.arg[0], width);
  }
  if (op == GS_OP_TRUNC && in.op == GS_OP_TRUNC)
    return gs_mk_cast(terms, GS_OP_TRUNC, in.arg[0], width);
  // A zero-extended value is not negative, so both extensions of it agree.
  if (op != GS_OP_TRUNC && (in.op == (uint8_t)op || in.op == GS_OP_ZEXT))
    return gs_mk_cast(terms, (gs_op)in.op, in.arg[0], width);
  gs_node node = {.op = (uint8_t)op, .width = width, .arg = {a}};
  return gs_store_intern(terms, &node);
}

gs_term gs_mk_trunc_flags(gs_terms *terms, gs_term a, uint8_t width, uint8_t flags,
                          uint32_t origin) {
  if (!a)
    return GS_NO_TERM;
  gs_node in = terms->nodes[a];
  bool extends = in.op == GS_OP_ZEXT || in.op == GS_OP_SEXT;
  if (in.width == width || in.op == GS_OP_CONST || in.op == GS_OP_TRUNC || extends)
    return gs_mk_cast(terms, GS_OP_TRUNC, a, width);
  gs_node node = {
      .op = GS_OP_TRUNC, .width = width, .flags = flags, .arg = {a}, .origin = origin};
  return gs_store_intern(terms, &node);
}

gs_term gs_mk_un(gs_terms *terms, gs_op op, gs_term a) {
  uint64_t folded = 0;
  if (!a)
    return GS_NO_TERM;
  gs_node in = terms->nodes[a];
  if (in.op == GS_OP_CONST && gs_fold(op, in.width, in.value, 0, &folded))
    return gs_mk_const(terms, folded, in.width);
  gs_node node = {.op = (uint8_t)op, .width = in.width, .arg = {a}};
  return gs_store_intern(terms, &node);
}

gs_term gs_mk_load(gs_terms *terms, gs_term address, uint8_t width, uint32_t origin) {
  gs_node node = {.op = GS_OP_LOAD, .width = width, .arg = {address}, .origin = origin};
  return gs_store_intern(terms, &node);
}
