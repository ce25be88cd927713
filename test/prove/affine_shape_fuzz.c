// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random goals in the shape of kernels: indices built from thread, block and
// row with symbolic sizes on 8-bit words, so that wrapping is near. Every NO is
// checked against small and extreme values of all symbols.
// Usage: affine_shape_fuzz [first seed] [number of seeds].
#include "affine_harness.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 8, SEARCH_LIMIT = 150000 };

typedef struct gen {
  world w;
  uint64_t state;
  uint32_t origin;
  bool flags, is_signed;
  gs_term size[4];   ///< ntid, nctaid, w, h
  gs_term own[3][3]; ///< [copy]: tid, ctaid, j
} gen;

static uint32_t pick(gen *g, uint32_t n) {
  g->state = g->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)((g->state >> 33) % n);
}

static gs_term constant(gen *g, uint64_t value) {
  return gs_mk_const(g->w.terms, value, WIDTH);
}

static gs_term op(gen *g, gs_op o, gs_term a, gs_term b) {
  uint8_t own = g->is_signed ? GS_NSW : GS_NUW;
  uint8_t flags = g->flags && pick(g, 3) ? own : 0;
  return gs_mk_bin_flags(g->w.terms, o, a, b, flags, ++g->origin);
}

static void guard(gen *g, gs_term a, gs_term b) {
  if (g->w.fact_count < 24)
    world_fact(&g->w, gs_mk_bin(g->w.terms, g->is_signed ? GS_OP_SLT : GS_OP_ULT, a, b));
}

static gs_term index_of(gen *g, int c, int depth);

/// Something below a size, usually with the guard that says so.
static gs_term digit(gen *g, int c, gs_term radix, int depth) {
  gs_term d = depth ? index_of(g, c, depth - 1) : g->own[c][pick(g, 3)];
  if (pick(g, 6))
    guard(g, d, radix);
  return d;
}

static gs_term index_of(gen *g, int c, int depth) {
  static const uint64_t small[] = {1, 2, 3, 4, 5, 8, 16, 17};
  gs_term x = g->own[c][pick(g, 3)], y = 0, radix = g->size[pick(g, 4)];
  switch (depth ? pick(g, 10) : 0) {
  case 0: return x;
  case 1:
  case 2:
    x = op(g, GS_OP_MUL, g->own[c][1], g->size[0]);
    return op(g, GS_OP_ADD, x, g->own[c][0]);
  case 3:
  case 4:
  case 5:
    if (pick(g, 4) == 0)
      radix = op(g, GS_OP_ADD, radix, constant(g, 1));
    y = index_of(g, c, depth - 1);
    return op(g, GS_OP_ADD, op(g, GS_OP_MUL, y, radix), digit(g, c, radix, depth - 1));
  case 6: return op(g, GS_OP_MUL, index_of(g, c, depth - 1), constant(g, small[pick(g, 8)]));
  case 7: return op(g, GS_OP_ADD, index_of(g, c, depth - 1), constant(g, small[pick(g, 8)]));
  case 8:
    y = op(g, GS_OP_SUB, radix, constant(g, 1));
    return op(g, GS_OP_SUB, y, index_of(g, c, depth - 1));
  default: break;
  }
  x = index_of(g, c, depth - 1);
  y = pick(g, 3) ? constant(g, small[pick(g, 8)]) : radix;
  gs_term q = gs_mk_bin(g->w.terms, g->is_signed ? GS_OP_SDIV : GS_OP_UDIV, x, y);
  gs_term r = gs_mk_bin(g->w.terms, g->is_signed ? GS_OP_SREM : GS_OP_UREM, x, y);
  if (pick(g, 2))
    return op(g, GS_OP_ADD, op(g, GS_OP_MUL, q, constant(g, small[pick(g, 8)])), r);
  return op(g, GS_OP_ADD, op(g, GS_OP_MUL, r, constant(g, small[pick(g, 8)])), q);
}

static void launch(gen *g) {
  static const uint64_t values[] = {2, 1, 3, 0, 4, 127, 128, 129, 254, 255, 16, 17};
  static const char *const sizes[] = {"ntid", "nctaid", "w", "h"};
  static const char *const own[] = {"tid", "ctaid", "j"};
  gs_terms *terms = g->w.terms;
  for (int i = 0; i < 4; i++)
    g->size[i] = world_sym(&g->w, sizes[i], 0, WIDTH, i < 2, 255, values, 5 + 5 * (i >= 2));
  for (int i = 0; i < 3; i++)
    for (uint32_t c = 1; c <= 2; c++)
      g->own[c][i] = world_sym(&g->w, own[i], c, WIDTH, 0, i == 2 ? 127 : 254, values, 6);
  gs_term product = gs_mk_bin(terms, GS_OP_MUL, gs_mk_cast(terms, GS_OP_ZEXT, g->size[0], 16),
                              gs_mk_cast(terms, GS_OP_ZEXT, g->size[1], 16));
  if (pick(g, 8))
    world_fact(&g->w, gs_mk_bin(terms, GS_OP_ULE, product,
                                gs_mk_const(terms, pick(g, 2) ? 127 : 255, 16)));
  for (uint32_t c = 1; c <= 2; c++)
    for (int i = 0; i < 2; i++)
      if (pick(g, 12))
        world_fact(&g->w, gs_mk_bin(terms, GS_OP_ULT, g->own[c][i], g->size[i]));
  for (int i = 0; i < 3; i++)
    if (i < 2 || pick(g, 2))
      world_distinct(&g->w, g->own[1][i], g->own[2][i]);
}

static gs_term bytes(gen *g, gs_term index, uint64_t size, uint64_t base) {
  gs_terms *terms = g->w.terms;
  index = gs_mk_cast(terms, g->is_signed ? GS_OP_SEXT : GS_OP_ZEXT, index, 64);
  index = gs_mk_bin(terms, GS_OP_MUL, index, gs_mk_const(terms, size, 64));
  return gs_mk_bin(terms, GS_OP_ADD, index, gs_mk_const(terms, base, 64));
}

static void build(gen *g, uint64_t seed) {
  g->state = seed * UINT64_C(0x9E3779B97F4A7C15) + 77;
  pick(g, 2);
  world_init(&g->w);
  g->flags = g->w.use_flags = pick(g, 2);
  g->is_signed = pick(g, 2);
  launch(g);
  uint32_t size = 1u << pick(g, 3);
  uint64_t recipe = g->state;
  gs_term a = index_of(g, 1, 3);
  if (pick(g, 8))
    g->state = recipe;
  gs_term b = index_of(g, 2, 3);
  g->w.a = bytes(g, a, size, 0);
  g->w.b = bytes(g, b, size, pick(g, 4) ? 0 : pick(g, 2 * size));
  g->w.size_a = pick(g, 6) ? size : 1 + pick(g, 4);
  g->w.size_b = pick(g, 6) ? size : 1 + pick(g, 4);
}

int main(int argc, char **argv) {
  uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 0) : 0;
  uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 0) : 500;
  uint64_t no = 0, steps = 0, all = 0, with_flags = 0;
  for (uint64_t seed = first; seed < first + count; seed++) {
    gen g = {.state = 0};
    gs_used used = {0};
    uint64_t values[MAX_SYMS] = {0};
    build(&g, seed);
    bool refuted = world_refute(&g.w, &used, &steps) == GS_ANSWER_NO;
    g.w.used = refuted ? &used : NULL;
    all += steps;
    no += refuted;
    with_flags += refuted && used.count;
    if (refuted && world_search(&g.w, values, SEARCH_LIMIT, NULL)) {
      printf("seed %" PRIu64 ": refuted, but there is a solution\n", seed);
      world_print(&g.w, values);
      free(used.origins);
      world_free(&g.w);
      return 1;
    }
    free(used.origins);
    world_free(&g.w);
  }
  printf("%" PRIu64 " goals, %" PRIu64 " refuted (%" PRIu64 " by flags), %" PRIu64 " steps\n",
         count, no, with_flags, all);
  return 0;
}
