// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random goals over few values: every NO of the affine tier is checked against
// all assignments. Usage: affine_fuzz [first seed] [number of seeds].
#include "affine_harness.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct gen {
  world w;
  uint64_t state;
  uint8_t width;      ///< of the machine words in this goal
  uint32_t origin;
  bool flags;
  bool flaggy; ///< mostly flagged operations below conditionals, near the ends of ranges
  gs_term uniform[3]; ///< symbols of copy 0
  unsigned uniform_count;
  gs_term own[3][3]; ///< [copy][i]
  unsigned own_count;
} gen;

static uint32_t pick(gen *g, uint32_t n) {
  g->state = g->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)((g->state >> 33) % n);
}

static gs_term leaf(gen *g, int copy) {
  uint32_t k = pick(g, 10);
  if (k < 5)
    return g->own[copy][pick(g, g->own_count)];
  if (k < 8 && g->uniform_count)
    return g->uniform[pick(g, g->uniform_count)];
  static const uint64_t constants[] = {0, 1, 2, 3, 4, 5, 7, 8, UINT64_MAX, UINT64_MAX - 1};
  return gs_mk_const(g->w.terms, constants[pick(g, 10)], g->width);
}

static gs_term condition(gen *g, int copy, int depth);

static gs_term expression(gen *g, int copy, int depth) {
  static const gs_op ops[] = {GS_OP_ADD,  GS_OP_ADD,  GS_OP_ADD,  GS_OP_SUB,  GS_OP_MUL,
                              GS_OP_MUL,  GS_OP_MUL,  GS_OP_SHL,  GS_OP_UDIV, GS_OP_UREM,
                              GS_OP_SDIV, GS_OP_SREM, GS_OP_LSHR, GS_OP_ASHR, GS_OP_AND,
                              GS_OP_OR,   GS_OP_XOR};
  gs_terms *terms = g->w.terms;
  if (depth == 0 || pick(g, 8) == 0)
    return leaf(g, copy);
  uint32_t k = g->flaggy && pick(g, 2) ? 0 : pick(g, 24);
  if (k == 0) {
    gs_term c = condition(g, copy, 1);
    gs_term a = expression(g, copy, depth - 1);
    return gs_mk_ite(terms, c, a, expression(g, copy, depth - 1));
  }
  if (k == 1) // a truth value as a number
    return gs_mk_cast(terms, GS_OP_ZEXT, condition(g, copy, 1), g->width);
  if (k == 2 && g->width <= 32) { // through a wider type and back
    gs_term a = expression(g, copy, depth - 1), b = expression(g, copy, depth - 1);
    gs_op ext = pick(g, 2) ? GS_OP_ZEXT : GS_OP_SEXT;
    uint8_t wide = (uint8_t)(2 * g->width);
    gs_term sum = gs_mk_bin(terms, pick(g, 2) ? GS_OP_ADD : GS_OP_MUL,
                            gs_mk_cast(terms, ext, a, wide), gs_mk_cast(terms, ext, b, wide));
    uint8_t flags = g->flags && pick(g, 2) ? (uint8_t)(1 + pick(g, 2)) : 0;
    return gs_mk_trunc_flags(terms, sum, g->width, flags, ++g->origin);
  }
  if (k == 3) {
    static const gs_op unary[] = {GS_OP_CTLZ, GS_OP_CTPOP, GS_OP_BITREVERSE};
    return gs_mk_un(terms, unary[pick(g, 3)], expression(g, copy, depth - 1));
  }
  if (k == 4)
    return gs_mk_load(terms, gs_mk_cast(terms, GS_OP_ZEXT, expression(g, copy, depth - 1), 64),
                      g->width, 0);
  gs_op op = ops[pick(g, g->flaggy ? 7 : sizeof ops / sizeof *ops)];
  gs_term a = expression(g, copy, depth - 1), b = expression(g, copy, depth - 1);
  if ((op >= GS_OP_UDIV && op <= GS_OP_SREM && pick(g, 2)) || (op == GS_OP_AND && pick(g, 2)))
    b = gs_mk_const(terms, 1 + pick(g, 7), g->width);
  if ((op == GS_OP_SHL || op == GS_OP_LSHR || op == GS_OP_ASHR) && pick(g, 4))
    b = gs_mk_const(terms, pick(g, 3), g->width);
  bool may = op == GS_OP_ADD || op == GS_OP_SUB || op == GS_OP_MUL || op == GS_OP_SHL;
  uint8_t flags = g->flags && may && (g->flaggy || pick(g, 2)) ? (uint8_t)(1 + pick(g, 3)) : 0;
  return gs_mk_bin_flags(terms, op, a, b, flags, ++g->origin);
}

static gs_term comparison(gen *g, int copy, int depth) {
  static const gs_op ops[] = {GS_OP_EQ, GS_OP_ULT, GS_OP_ULE, GS_OP_SLT, GS_OP_SLE};
  gs_op op = ops[pick(g, 5)];
  gs_term a = expression(g, copy, depth), b = pick(g, 2) ? leaf(g, copy) : expression(g, copy, 1);
  gs_term t = gs_mk_bin(g->w.terms, op, a, b);
  return pick(g, 4) ? t : gs_mk_not(g->w.terms, t);
}

static gs_term condition(gen *g, int copy, int depth) {
  gs_terms *terms = g->w.terms;
  if (depth == 0 || pick(g, 2))
    return comparison(g, copy, depth);
  gs_term a = condition(g, copy, depth - 1), b = condition(g, copy, depth - 1);
  switch (pick(g, 6)) {
  case 0: return gs_mk_and(terms, a, b);
  case 1: return gs_mk_not(terms, gs_mk_and(terms, a, b));
  case 2: return gs_mk_bin(terms, GS_OP_XOR, a, b);
  case 3: return gs_mk_ite(terms, comparison(g, copy, 0), a, b);
  default: return gs_mk_or(terms, a, b);
  }
}

/// Somewhere near 0, the sign bit or the top of the range.
static uint64_t start(gen *g) {
  uint64_t top = gs_mask(g->width);
  switch (pick(g, g->flaggy ? 3 : 6)) {
  case 0: return top - pick(g, 6);
  case 1: return top / 2 - pick(g, 4);
  case 2: return pick(g, 3);
  default: return 0;
  }
}

static void symbols(gen *g) {
  static const char *const names[] = {"u0", "u1", "u2", "x0", "x1", "x2"};
  uint64_t top = gs_mask(g->width);
  g->uniform_count = pick(g, 3);
  g->own_count = 1 + pick(g, 2);
  for (unsigned i = 0; i < g->uniform_count; i++) {
    uint64_t lo = start(g), hi = lo + 1 + pick(g, 4);
    hi = hi > top || hi < lo ? top : hi;
    g->uniform[i] =
        world_sym(&g->w, names[i], 0, g->width, lo, hi, NULL, (uint32_t)(hi - lo + 1));
  }
  for (unsigned i = 0; i < g->own_count; i++) {
    uint64_t lo = start(g), hi = lo + 2 + pick(g, 7);
    hi = hi > top || hi < lo ? top : hi;
    for (uint32_t c = 1; c <= 2; c++)
      g->own[c][i] =
          world_sym(&g->w, names[3 + i], c, g->width, lo, hi, NULL, (uint32_t)(hi - lo + 1));
    if (pick(g, 4))
      world_distinct(&g->w, g->own[1][i], g->own[2][i]);
  }
}

/// Something about 0 that may be divided.
static gs_term dividend(gen *g, int copy) {
  gs_terms *terms = g->w.terms;
  uint64_t factor = 1 + pick(g, 4), less = pick(g, 9);
  gs_term x = gs_mk_bin(terms, GS_OP_MUL, g->own[copy][pick(g, g->own_count)],
                        gs_mk_const(terms, factor, g->width));
  if (g->uniform_count && pick(g, 3) == 0)
    x = gs_mk_bin(terms, GS_OP_MUL, x, g->uniform[0]);
  return gs_mk_bin(terms, GS_OP_SUB, x, gs_mk_const(terms, less, g->width));
}

/// Rounded in either way by one divisor for the whole goal.
static gs_term quotient(gen *g, int copy, gs_term divisor) {
  uint64_t constant = 0;
  gs_term x = dividend(g, copy);
  bool power = gs_term_const(g->w.terms, divisor, &constant) && (constant == 2 || constant == 4);
  if (power && pick(g, 3) == 0)
    return gs_mk_bin(g->w.terms, GS_OP_ASHR, x,
                     gs_mk_const(g->w.terms, constant == 2 ? 1 : 2, g->width));
  return gs_mk_bin(g->w.terms, GS_OP_SDIV, x, divisor);
}

/// Facts that order quotients and dividends; offsets made of quotients.
static void build_quotients(gen *g) {
  gs_terms *terms = g->w.terms;
  gs_term divisor = g->uniform_count > 1 && pick(g, 3) == 0
                        ? g->uniform[1]
                        : gs_mk_const(terms, 1 + pick(g, 5), g->width);
  for (uint32_t n = 1 + pick(g, 3); n; n--) {
    gs_op op = pick(g, 2) ? GS_OP_SLT : GS_OP_SLE;
    gs_term a = pick(g, 3) ? quotient(g, 1, divisor) : dividend(g, 1);
    gs_term b = pick(g, 3) ? quotient(g, 2, divisor) : dividend(g, 2);
    world_fact(&g->w, pick(g, 2) ? gs_mk_bin(terms, op, a, b) : gs_mk_bin(terms, op, b, a));
  }
  uint64_t recipe = g->state;
  gs_term offset[3];
  for (int copy = 1; copy <= 2; copy++) {
    g->state = pick(g, 6) ? recipe : g->state;
    gs_term q = gs_mk_bin(terms, GS_OP_MUL, quotient(g, copy, divisor),
                          gs_mk_const(terms, 1 + pick(g, 4), g->width));
    gs_term low = gs_mk_bin(terms, GS_OP_AND, g->own[copy][0],
                            gs_mk_const(terms, pick(g, 2) ? 1 : 3, g->width));
    q = pick(g, 3) ? gs_mk_bin(terms, GS_OP_ADD, q, low) : q;
    offset[copy] = gs_mk_cast(terms, GS_OP_SEXT, q, 64);
  }
  g->w.a = offset[1];
  g->w.b = offset[2];
  g->w.size_a = g->w.size_b = 1;
}

/// Facts and offsets: mostly one recipe for both copies, as in a kernel.
static void build(gen *g, uint64_t seed) {
  g->state = seed * UINT64_C(0x9E3779B97F4A7C15) + 1;
  pick(g, 2);
  world_init(&g->w);
  g->flags = g->w.use_flags = pick(g, 2);
  g->flaggy = g->flags && pick(g, 2);
  static const uint8_t widths[] = {3, 4, 5, 6, 3, 4, 5, 8, 16, 32, 32, 64};
  g->width = widths[pick(g, 12)];
  symbols(g);
  gs_terms *terms = g->w.terms;
  if (pick(g, 4) == 0) {
    build_quotients(g);
    return;
  }
  for (uint32_t n = pick(g, 4); n; n--) {
    uint64_t recipe = g->state;
    world_fact(&g->w, condition(g, 1, 2));
    if (pick(g, 5)) {
      g->state = recipe;
      world_fact(&g->w, condition(g, 2, 2));
    }
  }
  if (pick(g, 8) == 0)
    return; // facts alone
  gs_op ext = pick(g, 2) ? GS_OP_ZEXT : GS_OP_SEXT;
  gs_term scale = gs_mk_const(terms, UINT64_C(1) << pick(g, 3), 64);
  gs_term base = gs_mk_const(terms, pick(g, 3) ? 0 : pick(g, 6), 64);
  uint64_t recipe = g->state;
  gs_term a = expression(g, 1, 3);
  if (pick(g, 6))
    g->state = recipe; // the same expression for the other copy
  gs_term b = expression(g, 2, 3);
  g->w.a = gs_mk_bin(terms, GS_OP_MUL, gs_mk_cast(terms, ext, a, 64), scale);
  b = gs_mk_bin(terms, GS_OP_MUL, gs_mk_cast(terms, ext, b, 64), scale);
  g->w.b = gs_mk_bin(terms, GS_OP_ADD, b, base);
  g->w.size_a = 1 + pick(g, 4);
  g->w.size_b = 1 + pick(g, 4);
}

int main(int argc, char **argv) {
  uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 0) : 0;
  uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 0) : 3000;
  uint64_t no = 0, missed = 0, total_steps = 0;
  for (uint64_t seed = first; seed < first + count; seed++) {
    gen g = {.state = 0};
    uint64_t values[MAX_SYMS] = {0}, steps = 0, tried = 0;
    build(&g, seed);
    gs_used used = {0};
    bool refuted = world_refute(&g.w, &used, &steps) == GS_ANSWER_NO;
    g.w.used = refuted ? &used : NULL;
    bool measure = argc > 3; // also how often a refutation is missed
    total_steps += steps;
    no += refuted;
    if (refuted || measure) {
      bool found = world_search(&g.w, values, UINT64_MAX, &tried);
      missed += !refuted && !found;
      if (refuted && found) {
        printf("seed %" PRIu64 ": refuted, but there is a solution\n", seed);
        world_print(&g.w, values);
        free(used.origins);
        world_free(&g.w);
        return 1;
      }
    }
    free(used.origins);
    world_free(&g.w);
  }
  printf("%" PRIu64 " goals, %" PRIu64 " refuted, %" PRIu64 " steps, %" PRIu64 " missed\n", count,
         no, total_steps, missed);
  return 0;
}
