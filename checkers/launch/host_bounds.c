// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Interval arithmetic over the expressions of host code.
#include "host_private.h"

static const gs_host_bounds anything = {-GS_HOST_FAR, GS_HOST_FAR};

gs_host_bounds gs_host_type_bounds(gs_host_type type) {
  gs_host_int one = 1;
  if (type.is_signed)
    return (gs_host_bounds){-(one << (type.bits - 1)), (one << (type.bits - 1)) - 1};
  return (gs_host_bounds){0, (one << type.bits) - 1};
}

static gs_host_int clamp(gs_host_int value) {
  return value > GS_HOST_FAR ? GS_HOST_FAR : value < -GS_HOST_FAR ? -GS_HOST_FAR : value;
}

static gs_host_int least(gs_host_int a, gs_host_int b) { return a < b ? a : b; }
static gs_host_int most(gs_host_int a, gs_host_int b) { return a > b ? a : b; }

/// A product; |a| and |b| are at most 2^100.
static gs_host_int times(gs_host_int a, gs_host_int b) {
  gs_host_int product = 0;
  if (__builtin_mul_overflow(a, b, &product))
    return (a < 0) == (b < 0) ? GS_HOST_FAR : -GS_HOST_FAR;
  return clamp(product);
}

static gs_host_bounds hull4(gs_host_int a, gs_host_int b, gs_host_int c, gs_host_int d) {
  return (gs_host_bounds){least(least(a, b), least(c, d)), most(most(a, b), most(c, d))};
}

static gs_host_bounds product(gs_host_bounds a, gs_host_bounds b) {
  return hull4(times(a.lo, b.lo), times(a.lo, b.hi), times(a.hi, b.lo), times(a.hi, b.hi));
}

/// A division, by what is not 0: the quotients are monotone in each operand on either
/// side of 0.
static gs_host_bounds quotient(gs_host_bounds a, gs_host_bounds b, bool up) {
  gs_host_bounds out = {0, 0};
  bool first = true;
  const gs_host_int divisors[4] = {b.lo, least(b.hi, -1), most(b.lo, 1), b.hi};
  for (int i = 0; i < 4; i++) {
    gs_host_int d = divisors[i];
    bool inside = d >= b.lo && d <= b.hi && d != 0;
    for (int j = 0; inside && j < 2; j++) {
      gs_host_int n = j ? a.hi : a.lo, q = n / d;
      if (up && n % d != 0 && (n < 0) == (d < 0))
        q++;
      out.lo = first ? q : least(out.lo, q);
      out.hi = first ? q : most(out.hi, q);
      first = false;
    }
  }
  return first ? anything : out; // only a division by 0
}

static gs_host_bounds modulo(gs_host_bounds a, gs_host_bounds b) {
  if (a.lo == a.hi && b.lo == b.hi && b.lo != 0)
    return (gs_host_bounds){a.lo % b.lo, a.lo % b.lo};
  gs_host_int largest = most(most(b.hi, -b.lo) - 1, 0);
  gs_host_bounds out = {a.lo < 0 ? -largest : 0, a.hi > 0 ? largest : 0};
  out.lo = most(out.lo, least(a.lo, 0));
  out.hi = least(out.hi, most(a.hi, 0));
  return out;
}

static gs_host_bounds bits(gs_expr_op op, gs_host_bounds a, gs_host_bounds b) {
  if (a.lo < 0 || b.lo < 0)
    return anything;
  if (a.lo == a.hi && b.lo == b.hi) {
    gs_host_int value = op == GS_EXPR_BITAND  ? a.lo & b.lo
                        : op == GS_EXPR_BITOR ? a.lo | b.lo
                                              : a.lo ^ b.lo;
    return (gs_host_bounds){value, value};
  }
  if (op == GS_EXPR_BITAND)
    return (gs_host_bounds){0, least(a.hi, b.hi)};
  gs_host_int top = 1;
  while (top <= a.hi || top <= b.hi)
    top *= 2;
  return (gs_host_bounds){op == GS_EXPR_BITOR ? most(a.lo, b.lo) : 0, top - 1};
}

static gs_host_bounds shifted(gs_expr_op op, gs_host_bounds a, gs_host_bounds b) {
  if (a.lo < 0 || b.lo < 0 || b.hi > 62)
    return anything;
  gs_host_int low = (gs_host_int)1 << b.lo, high = (gs_host_int)1 << b.hi;
  if (op == GS_EXPR_SHL)
    return (gs_host_bounds){times(a.lo, low), times(a.hi, high)};
  return (gs_host_bounds){a.lo / high, a.hi / low};
}

static gs_host_bounds truth(bool certain, bool impossible) {
  return (gs_host_bounds){certain ? 1 : 0, impossible ? 0 : 1};
}

static gs_host_bounds negate(gs_host_bounds t) { return (gs_host_bounds){1 - t.hi, 1 - t.lo}; }

static gs_host_bounds compare(gs_expr_op op, gs_host_bounds a, gs_host_bounds b, bool same) {
  gs_host_bounds equal = truth(same || (a.lo == a.hi && b.lo == b.hi && a.lo == b.lo),
                               !same && (a.hi < b.lo || b.hi < a.lo));
  gs_host_bounds less = truth(!same && a.hi < b.lo, same || a.lo >= b.hi);
  gs_host_bounds more = truth(!same && b.hi < a.lo, same || b.lo >= a.hi);
  return op == GS_EXPR_EQ   ? equal
         : op == GS_EXPR_NE ? negate(equal)
         : op == GS_EXPR_LT ? less
         : op == GS_EXPR_GE ? negate(less)
         : op == GS_EXPR_GT ? more
                            : negate(more);
}

/// Is it certainly not 0 (lo), may it be (hi)?
static gs_host_bounds as_truth(gs_host_bounds b) {
  return truth(b.lo > 0 || b.hi < 0, b.lo == 0 && b.hi == 0);
}

static gs_host_bounds magnitude(gs_host_bounds a) {
  gs_host_int far = most(a.hi, -a.lo);
  return (gs_host_bounds){a.lo >= 0 ? a.lo : a.hi <= 0 ? -a.hi : 0, far};
}

static gs_host_bounds power_of_two(gs_host_bounds a) {
  bool is = a.lo == a.hi && a.lo > 0 && (a.lo & (a.lo - 1)) == 0;
  return truth(is, a.hi < 1 || (a.lo == a.hi && !is));
}

gs_host_bounds gs_host_op_bounds(const gs_hosts *hosts, gs_expr_op op, const uint32_t args[3]) {
  gs_host_bounds a = hosts->nodes[args[0]].bounds;
  gs_host_bounds b = args[1] ? hosts->nodes[args[1]].bounds : anything;
  gs_host_bounds c = args[2] ? hosts->nodes[args[2]].bounds : anything;
  gs_host_bounds x = as_truth(a), y = as_truth(b);
  switch (op) {
  case GS_EXPR_ADD: return (gs_host_bounds){clamp(a.lo + b.lo), clamp(a.hi + b.hi)};
  case GS_EXPR_SUB: return (gs_host_bounds){clamp(a.lo - b.hi), clamp(a.hi - b.lo)};
  case GS_EXPR_MUL: return product(a, b);
  case GS_EXPR_DIV: return quotient(a, b, false);
  case GS_EXPR_CEIL_DIV: return quotient(a, b, true);
  case GS_EXPR_MOD: return modulo(a, b);
  case GS_EXPR_SHL:
  case GS_EXPR_SHR: return shifted(op, a, b);
  case GS_EXPR_BITAND:
  case GS_EXPR_BITOR:
  case GS_EXPR_BITXOR: return bits(op, a, b);
  case GS_EXPR_BITNOT: return (gs_host_bounds){clamp(-a.hi - 1), clamp(-a.lo - 1)};
  case GS_EXPR_NEG: return (gs_host_bounds){-a.hi, -a.lo};
  case GS_EXPR_NOT: return negate(x);
  case GS_EXPR_AND: return (gs_host_bounds){least(x.lo, y.lo), least(x.hi, y.hi)};
  case GS_EXPR_OR: return (gs_host_bounds){most(x.lo, y.lo), most(x.hi, y.hi)};
  case GS_EXPR_COND: return (gs_host_bounds){least(b.lo, c.lo), most(b.hi, c.hi)};
  case GS_EXPR_EQ:
  case GS_EXPR_NE:
  case GS_EXPR_LT:
  case GS_EXPR_LE:
  case GS_EXPR_GT:
  case GS_EXPR_GE: return compare(op, a, b, args[0] == args[1]);
  case GS_EXPR_MIN: return (gs_host_bounds){least(a.lo, b.lo), least(a.hi, b.hi)};
  case GS_EXPR_MAX: return (gs_host_bounds){most(a.lo, b.lo), most(a.hi, b.hi)};
  case GS_EXPR_ABS: return magnitude(a);
  case GS_EXPR_IS_POW2: return power_of_two(a);
  case GS_EXPR_INT:
  case GS_EXPR_NAME:
  case GS_EXPR_ALIGNED:
  case GS_EXPR_EXTENT:
  case GS_EXPR_INJECTIVE:
  case GS_EXPR_MONOTONE:
  case GS_EXPR_STRICTLY_MONOTONE:
  case GS_EXPR_IN_RANGE: return anything;
  }
  return anything;
}
