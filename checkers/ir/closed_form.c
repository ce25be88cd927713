// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each form is exact modulo 2^width for every k. Linear forms of counters are
// built in 64 bits and truncated with a flag that says "fits": either the
// increment carries a no-wrap flag, or the loop's own test bounds the counter.
#include "closed_form.h"

#include <stdlib.h>
#include <string.h>

/// Does t contain a symbol that changes with the iterations of `loop`, other
/// than `except`?
static bool varies(gs_lowering *low, gs_term t, uint32_t loop, gs_term except) {
  uint32_t count = gs_sym_count(low->terms), holder = UINT32_MAX;
  if (except)
    holder = (uint32_t)gs_term_node(low->terms, except)->value;
  unsigned char *seen = calloc(count + 1u, 1);
  bool found = !seen;
  if (seen) {
    gs_term_syms(low->terms, t, seen);
    for (uint32_t s = 0; s < count && !found; s++)
      found = seen[s] && s != holder && gs_sym_get(low->terms, s)->loop == loop + 1;
  }
  free(seen);
  return found;
}

static bool mentions(gs_lowering *low, gs_term t, gs_term sym) {
  unsigned char *seen = calloc(gs_sym_count(low->terms) + 1u, 1);
  bool found = !seen;
  if (seen) {
    gs_term_syms(low->terms, t, seen);
    found = seen[gs_term_node(low->terms, sym)->value];
  }
  free(seen);
  return found;
}

/// The low `width` bits of t with the truncation pushed to the leaves.
static gs_term narrow(gs_terms *terms, gs_term t, uint8_t width, int depth) {
  gs_node node = *gs_term_node(terms, t);
  bool ring = node.op == GS_OP_ADD || node.op == GS_OP_SUB || node.op == GS_OP_MUL ||
              node.op == GS_OP_AND || node.op == GS_OP_OR || node.op == GS_OP_XOR;
  if (node.width == width || depth > 20)
    return gs_mk_cast(terms, GS_OP_TRUNC, t, width);
  if (ring)
    return gs_mk_bin(terms, (gs_op)node.op, narrow(terms, node.arg[0], width, depth + 1),
                     narrow(terms, node.arg[1], width, depth + 1));
  return gs_mk_cast(terms, GS_OP_TRUNC, t, width);
}

enum { MAX_PARTS = 4 };

typedef struct step {
  gs_term rest; ///< what is added in each iteration, modulo 2^width
  gs_term parts[MAX_PARTS]; ///< the same as a sum: that may not fit where each part does
  bool minus[MAX_PARTS];
  uint32_t count;
  uint8_t flags;
  uint32_t origin;
} step;

/// Writes t as holder + rest, where rest does not mention the holder.
static bool split_add(gs_lowering *low, gs_term t, gs_term holder, step *out) {
  gs_terms *terms = low->terms;
  if (t == holder) {
    *out = (step){.rest = gs_mk_const(terms, 0, gs_term_width(terms, t)), .flags = GS_NSW | GS_NUW};
    return true;
  }
  gs_node node = *gs_term_node(terms, t);
  if (node.op == GS_OP_TRUNC) {
    gs_term inner = narrow(terms, node.arg[0], node.width, 0);
    return inner != t && split_add(low, inner, holder, out);
  }
  if (node.op != GS_OP_ADD && node.op != GS_OP_SUB)
    return false;
  bool left = mentions(low, node.arg[0], holder);
  if (left == mentions(low, node.arg[1], holder) || (!left && node.op == GS_OP_SUB))
    return false;
  gs_term with = node.arg[left ? 0 : 1], other = node.arg[left ? 1 : 0];
  if (!split_add(low, with, holder, out))
    return false;
  uint64_t c = 0;
  bool nothing = gs_term_const(terms, out->rest, &c) && c == 0;
  out->flags = (uint8_t)(out->flags & node.flags);
  // A subtraction without unsigned wrap is not an addition without it.
  if (node.op == GS_OP_SUB)
    out->flags &= GS_NSW;
  if (node.flags)
    out->origin = node.origin;
  if (out->count == MAX_PARTS) {
    out->flags = 0;
  } else {
    out->parts[out->count] = other;
    out->minus[out->count++] = node.op == GS_OP_SUB;
  }
  if (node.op == GS_OP_SUB)
    out->rest = gs_mk_bin(terms, GS_OP_SUB, out->rest, other);
  else
    out->rest = nothing ? other : gs_mk_bin(terms, GS_OP_ADD, out->rest, other);
  return true;
}

/// What is extended, if t is an extension. The innermost one says how its bits are
/// read, whatever the comparison of the extended value is: an unsigned char in `c < n`
/// is compared as an int and is unsigned all the same.
static gs_term strip_extensions(gs_terms *terms, gs_term t, bool *is_signed) {
  while (gs_term_is(terms, t, GS_OP_ZEXT) || gs_term_is(terms, t, GS_OP_SEXT)) {
    *is_signed = gs_term_is(terms, t, GS_OP_SEXT);
    t = gs_term_node(terms, t)->arg[0];
  }
  return t;
}

/// A conjunct of "go round again" that bounds the counter from one side.
typedef struct bound {
  bool found, is_signed, on_next, strict, upper, extended;
  bool as_unsigned; ///< the comparison is one of unsigned numbers, however the counter is read
  gs_term limit;
} bound;

static bool match_bound(gs_lowering *low, gs_term test, gs_term holder, gs_term next, bound *out) {
  gs_terms *terms = low->terms;
  gs_node node = *gs_term_node(terms, test);
  if (node.op != GS_OP_SLT && node.op != GS_OP_SLE && node.op != GS_OP_ULT &&
      node.op != GS_OP_ULE)
    return false;
  for (int side = 0; side < 2; side++) {
    bool is_signed = node.op == GS_OP_SLT || node.op == GS_OP_SLE;
    gs_term x = strip_extensions(terms, node.arg[side], &is_signed), limit = node.arg[1 - side];
    if ((x != holder && x != next) || mentions(low, limit, holder))
      continue;
    *out = (bound){.found = true,
                   .is_signed = is_signed,
                   .on_next = x == next,
                   .strict = node.op == GS_OP_SLT || node.op == GS_OP_ULT,
                   .upper = side == 0,
                   .extended = x != node.arg[side],
                   .as_unsigned = node.op == GS_OP_ULT || node.op == GS_OP_ULE,
                   .limit = limit};
    return true;
  }
  return false;
}

static bool find_bound(gs_lowering *low, gs_term again, gs_term holder, gs_term next, bound *out) {
  gs_terms *terms = low->terms;
  for (; again && gs_term_is(terms, again, GS_OP_AND); again = gs_term_node(terms, again)->arg[0])
    if (match_bound(low, gs_term_node(terms, again)->arg[1], holder, next, out))
      return true;
  return again && match_bound(low, again, holder, next, out);
}

/// True when holder + c cannot leave the type because holder < limit (or <=).
static bool bound_proves(gs_lowering *low, const bound *b, int64_t c, uint8_t width, gs_term init) {
  uint64_t limit = 0, start = 0;
  bool known = gs_term_const(low->terms, b->limit, &limit);
  bool known_start = gs_term_const(low->terms, init, &start);
  if (!b->found || b->extended || !b->upper || c <= 0)
    return false;
  uint64_t top = b->is_signed ? gs_mask((uint8_t)(width - 1)) : gs_mask(width);
  if (b->is_signed && known && gs_sign_extend(limit, width) < 0)
    return false;
  // In iteration k >= 1 of a loop that tests the next value the counter is below
  // the limit as well; in iteration 0 it is the start.
  if (b->on_next && !known_start)
    return false;
  if (b->on_next && (b->is_signed ? gs_sign_extend(start, width) > (int64_t)(top / 2)
                                  : start > top / 2))
    return false;
  if (b->strict && c == 1)
    return true;
  uint64_t highest = b->strict ? limit - 1 : limit;
  return known && highest <= top && top - highest >= (uint64_t)c;
}

/// An instruction whose place stands for the loop: phis have none.
static LLVMValueRef loop_test(gs_lowering *low, uint32_t loop) {
  return LLVMGetBasicBlockTerminator(low->cfg.bbs[low->cfg.loops[loop].header]);
}

/// The step in 64 bits, where it is exact: v + a + b may stay in range although a + b
/// does not, and so may v - a where -a is out of range.
static gs_term wide_step(gs_terms *terms, const step *s, gs_op extend) {
  gs_term sum = GS_NO_TERM;
  for (uint32_t i = 0; i < s->count; i++) {
    gs_term part = gs_mk_cast(terms, extend, s->parts[i], 64);
    if (s->minus[i])
      sum = gs_mk_bin(terms, GS_OP_SUB, sum ? sum : gs_mk_const(terms, 0, 64), part);
    else
      sum = sum ? gs_mk_bin(terms, GS_OP_ADD, sum, part) : part;
  }
  return sum ? sum : gs_mk_const(terms, 0, 64);
}

/// Does the counter move towards its bound, so that it meets it before it wraps?
/// `for (k = n - 1; k < n; k--)` ends because it wraps.
static bool approaches(gs_lowering *low, const step *s, const bound *b, bool known, int64_t c) {
  if (known)
    return b->upper ? c > 0 : c < 0;
  bool all = s->count > 0;
  for (uint32_t i = 0; i < s->count; i++)
    all &= s->minus[i] != b->upper && gs_lower_is_unsigned(low, s->parts[i]);
  return all;
}

/// Can the counter come to its bound at all? One that is compared as a wider number may wrap first:
/// `for (signed char i = 0; i < n; i++)` with an `unsigned n` of 1000 goes on at -128.
static bool can_reach(gs_lowering *low, const bound *b, uint8_t width) {
  gs_terms *terms = low->terms;
  bool is_signed = false;
  uint64_t raw = 0;
  if (!b->extended || width >= 32)
    return true;
  if (gs_term_const(terms, b->limit, &raw)) {
    int64_t limit = gs_sign_extend(raw, gs_term_width(terms, b->limit));
    int64_t top = (int64_t)gs_mask((uint8_t)(b->is_signed ? width - 1 : width));
    return limit <= top && limit >= (b->is_signed && !b->as_unsigned ? -top - 1 : 0);
  }
  gs_term inner = strip_extensions(terms, b->limit, &is_signed);
  uint8_t held = gs_term_width(terms, inner);
  if (inner == b->limit || (is_signed && b->as_unsigned)) // below 0 is beyond all
    return false;
  if (is_signed)
    return held <= width && (b->is_signed || b->upper);
  return held < width || (held == width && !(b->is_signed && b->upper));
}

static gs_term linear(gs_lowering *low, const gs_pending *p, step s) {
  gs_terms *terms = low->terms;
  uint8_t width = gs_term_width(terms, p->holder);
  gs_term trip = low->program->loops[p->loop].trip;
  bool pointer = LLVMGetTypeKind(LLVMTypeOf(p->phi)) == LLVMPointerTypeKind;
  uint64_t raw = 0;
  bool known = gs_term_const(terms, s.rest, &raw);
  int64_t c = gs_sign_extend(raw, width);
  if (known && c == 0)
    return p->init;
  bound b = {0};
  if (!pointer)
    find_bound(low, low->loops[p->loop].again, p->holder, p->next, &b);
  uint8_t flags = s.flags;
  uint32_t origin = s.origin;
  // In 64 bits there is no wider place to add the parts up.
  if (width == 64 && !known && (s.count > 1 || s.minus[0]))
    flags = 0;
  // An addition of a negative constant never is free of unsigned wrap.
  if (known && c < 0)
    flags &= GS_NSW;
  if (b.found && known && bound_proves(low, &b, c, width, p->init)) {
    flags = b.is_signed ? GS_NSW : GS_NUW;
    origin = 0;
  } else if (!flags && b.found && (b.upper || b.is_signed) && can_reach(low, &b, width) &&
             approaches(low, &s, &b, known, c)) {
    flags = b.is_signed ? GS_NSW : GS_NUW;
    origin = gs_lower_origin(low, GS_ORIGIN_COUNTER, loop_test(low, p->loop));
  } else if (pointer) {
    flags = GS_NSW;
    origin = gs_lower_origin(low, GS_ORIGIN_POINTER, loop_test(low, p->loop));
  }
  if (pointer || width == 64) {
    gs_term product = gs_mk_bin_flags(terms, GS_OP_MUL, trip, s.rest, flags, origin);
    return gs_mk_bin_flags(terms, GS_OP_ADD, p->init, product, pointer ? 0 : flags, origin);
  }
  if (!flags) {
    gs_term k = gs_mk_cast(terms, GS_OP_TRUNC, trip, width);
    return gs_mk_bin(terms, GS_OP_ADD, p->init, gs_mk_bin(terms, GS_OP_MUL, k, s.rest));
  }
  if (flags & GS_NSW)
    flags = GS_NSW; // one reading is enough, and the extension must agree with it
  gs_op extend = flags == GS_NSW ? GS_OP_SEXT : GS_OP_ZEXT;
  gs_term from = gs_mk_cast(terms, extend, p->init, 64), by = wide_step(terms, &s, extend);
  gs_term product = gs_mk_bin_flags(terms, GS_OP_MUL, trip, by, flags, origin);
  gs_term sum = gs_mk_bin_flags(terms, GS_OP_ADD, from, product, flags, origin);
  return gs_mk_trunc_flags(terms, sum, width, flags, origin);
}

/// Is the sign bit of t certainly clear?
static bool not_negative(const gs_terms *terms, gs_term t, int depth) {
  const gs_node *node = gs_term_node(terms, t);
  uint64_t c = 0, half = gs_mask((uint8_t)(node->width - 1));
  bool known = node->arg[1] && gs_term_const(terms, node->arg[1], &c);
  switch ((int)node->op) {
  case GS_OP_CONST: return node->value <= half;
  case GS_OP_SYM: return gs_sym_get(terms, (uint32_t)node->value)->hi <= half;
  case GS_OP_ZEXT: return true;
  case GS_OP_LSHR: return (known && c >= 1 && c < node->width) ||
                          (depth < 8 && not_negative(terms, node->arg[0], depth + 1));
  case GS_OP_UDIV: return (known && c >= 2) ||
                          (depth < 8 && not_negative(terms, node->arg[0], depth + 1));
  case GS_OP_ASHR: return depth < 8 && not_negative(terms, node->arg[0], depth + 1);
  case GS_OP_SDIV: return known && c <= half && depth < 8 &&
                          not_negative(terms, node->arg[0], depth + 1);
  case GS_OP_AND: return (known && c <= half) ||
                         (depth < 8 && (not_negative(terms, node->arg[0], depth + 1) ||
                                        not_negative(terms, node->arg[1], depth + 1)));
  case GS_OP_ITE: return depth < 8 && not_negative(terms, node->arg[1], depth + 1) &&
                         not_negative(terms, node->arg[2], depth + 1);
  default: return false;
  }
}

/// holder << c, >> c, * 2^c, / 2^c with an invariant c: shifts by k*c, and what
/// is shifted out is gone.
static gs_term geometric(gs_lowering *low, const gs_pending *p) {
  gs_terms *terms = low->terms;
  gs_node node = *gs_term_node(terms, p->next);
  uint8_t width = node.width;
  uint64_t c = 0;
  bool shift = node.op == GS_OP_SHL || node.op == GS_OP_LSHR || node.op == GS_OP_ASHR;
  bool scale = node.op == GS_OP_MUL || node.op == GS_OP_UDIV || node.op == GS_OP_SDIV;
  if ((!shift && !scale) || node.arg[0] != p->holder ||
      !gs_term_const(terms, node.arg[1], &c))
    return GS_NO_TERM;
  gs_op op = (gs_op)node.op;
  if (scale) {
    if (c < 2 || (c & (c - 1)) || c > gs_mask((uint8_t)(width - 1)))
      return GS_NO_TERM;
    // A signed quotient is a shift only of what is not negative.
    if (op == GS_OP_SDIV && !not_negative(terms, p->init, 0))
      return GS_NO_TERM;
    op = op == GS_OP_MUL ? GS_OP_SHL : GS_OP_LSHR;
    uint64_t power = 0;
    while (c > 1)
      c >>= 1, power++;
    c = power;
  }
  if (c == 0 || c >= width)
    return GS_NO_TERM;
  if (op == GS_OP_ASHR && not_negative(terms, p->init, 0))
    op = GS_OP_LSHR;
  gs_term trip = low->program->loops[p->loop].trip;
  gs_term steps = gs_mk_const(terms, (width - 1u) / c, 64); // the last that is in range
  gs_term inside = gs_mk_bin(terms, GS_OP_ULE, trip, steps);
  gs_term amount = gs_mk_bin(terms, GS_OP_MUL, gs_mk_cast(terms, GS_OP_TRUNC, trip, width),
                             gs_mk_const(terms, c, width));
  gs_term all = gs_mk_const(terms, width - 1u, width);
  gs_term gone = op == GS_OP_ASHR ? gs_mk_bin(terms, op, p->init, all)
                                  : gs_mk_const(terms, 0, width);
  return gs_mk_ite(terms, inside, gs_mk_bin(terms, op, p->init, amount), gone);
}

static gs_term odd_trip(gs_lowering *low, const gs_pending *p) {
  return gs_mk_cast(low->terms, GS_OP_TRUNC, low->program->loops[p->loop].trip, 1);
}

/// p ^= c and p = c - p alternate.
static gs_term alternating(gs_lowering *low, const gs_pending *p) {
  gs_terms *terms = low->terms;
  gs_node node = *gs_term_node(terms, p->next);
  gs_term other = GS_NO_TERM;
  if (node.op == GS_OP_XOR && node.arg[0] == p->holder)
    other = gs_mk_bin(terms, GS_OP_XOR, p->init, node.arg[1]);
  if (node.op == GS_OP_XOR && node.arg[1] == p->holder)
    other = gs_mk_bin(terms, GS_OP_XOR, p->init, node.arg[0]);
  if (node.op == GS_OP_SUB && node.arg[1] == p->holder)
    other = gs_mk_bin(terms, GS_OP_SUB, node.arg[0], p->init);
  if (!other || varies(low, other, p->loop, GS_NO_TERM))
    return GS_NO_TERM;
  return gs_mk_ite(terms, odd_trip(low, p), other, p->init);
}

/// p = (p + s) % m from a start below m.
static gs_term modular(gs_lowering *low, const gs_pending *p) {
  gs_terms *terms = low->terms;
  gs_node node = *gs_term_node(terms, p->next);
  uint64_t m = 0, start = 0, s = 0;
  step add;
  if ((node.op != GS_OP_UREM && node.op != GS_OP_SREM) || !gs_term_const(terms, node.arg[1], &m) ||
      !split_add(low, node.arg[0], p->holder, &add) || !gs_term_const(terms, add.rest, &s) ||
      !gs_term_const(terms, p->init, &start))
    return GS_NO_TERM;
  if (m == 0 || m > (1u << 20) || start >= m || s >= m || node.width < 22)
    return GS_NO_TERM; // sums stay far from wrapping and from negative numbers
  gs_term wide = gs_mk_const(terms, m, 64);
  gs_term k = gs_mk_bin(terms, GS_OP_UREM, low->program->loops[p->loop].trip, wide);
  gs_term sum = gs_mk_bin(terms, GS_OP_ADD, gs_mk_const(terms, start, 64),
                          gs_mk_bin(terms, GS_OP_MUL, k, gs_mk_const(terms, s, 64)));
  return gs_mk_cast(terms, GS_OP_TRUNC, gs_mk_bin(terms, GS_OP_UREM, sum, wide), node.width);
}

/// The value of the iteration before, when that has a closed form itself.
static gs_term previous(gs_lowering *low, const gs_pending *p) {
  gs_terms *terms = low->terms;
  gs_term trip = low->program->loops[p->loop].trip;
  if (mentions(low, p->next, p->holder) || varies(low, p->next, p->loop, trip))
    return GS_NO_TERM;
  uint32_t sym = low->program->loops[p->loop].trip_sym, count = sym + 1;
  gs_term *map = calloc(count, sizeof *map);
  if (!map)
    return GS_NO_TERM;
  map[sym] = gs_mk_bin(terms, GS_OP_SUB, trip, gs_mk_const(terms, 1, 64));
  gs_term before = gs_term_subst(terms, p->next, map, count);
  free(map);
  gs_term first = gs_mk_bin(terms, GS_OP_EQ, trip, gs_mk_const(terms, 0, 64));
  return gs_mk_ite(terms, first, p->init, before);
}

static const gs_pending *pending_of(const gs_lowering *low, gs_term holder, uint32_t loop) {
  for (uint32_t i = 0; i < low->pending_count; i++)
    if (low->pending[i].holder == holder && low->pending[i].loop == loop && !low->pending[i].done)
      return &low->pending[i];
  return NULL;
}

/// Values that rotate among a few variables (swapped buffers).
static gs_term rotating(gs_lowering *low, const gs_pending *p) {
  enum { MAX_CYCLE = 4 };
  gs_terms *terms = low->terms;
  const gs_pending *cycle[MAX_CYCLE];
  uint32_t n = 0;
  for (const gs_pending *q = p; q && n < MAX_CYCLE; q = pending_of(low, q->next, p->loop)) {
    if (n && q == p)
      break;
    cycle[n++] = q;
    if (!q->next)
      return GS_NO_TERM;
  }
  if (n < 2 || cycle[n - 1]->next != p->holder)
    return GS_NO_TERM;
  gs_term k = gs_mk_bin(terms, GS_OP_UREM, low->program->loops[p->loop].trip,
                        gs_mk_const(terms, n, 64));
  // Constants in equal steps (buffers 0, 1, 2) are a product, which is easier to
  // reason about than a choice.
  uint64_t first = 0, second = 0, value = 0;
  uint8_t width = gs_term_width(terms, p->holder);
  bool even = gs_term_const(terms, cycle[0]->init, &first) &&
              gs_term_const(terms, cycle[1]->init, &second);
  for (uint32_t i = 2; i < n && even; i++)
    even = gs_term_const(terms, cycle[i]->init, &value) &&
           value == ((first + i * (second - first)) & gs_mask(width));
  if (even)
    return gs_mk_bin(terms, GS_OP_ADD, cycle[0]->init,
                     gs_mk_bin(terms, GS_OP_MUL, gs_mk_cast(terms, GS_OP_TRUNC, k, width),
                               gs_mk_const(terms, second - first, width)));
  gs_term result = cycle[n - 1]->init;
  for (uint32_t i = n - 1; i-- > 0;)
    result = gs_mk_ite(terms, gs_mk_bin(terms, GS_OP_EQ, k, gs_mk_const(terms, i, 64)),
                       cycle[i]->init, result);
  return result;
}

gs_term gs_closed_form(gs_lowering *low, const gs_pending *p) {
  if (!p->next || !p->init)
    return GS_NO_TERM;
  if (p->next == p->holder)
    return p->init;
  step s;
  if (split_add(low, p->next, p->holder, &s) && !varies(low, s.rest, p->loop, GS_NO_TERM))
    return linear(low, p, s);
  gs_term form = geometric(low, p);
  if (!form)
    form = alternating(low, p);
  if (!form)
    form = modular(low, p);
  if (!form)
    form = rotating(low, p);
  return form ? form : previous(low, p);
}
