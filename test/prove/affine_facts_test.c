// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bounds, conditionals, disjunctions, bit tricks and loads; each with a
// neighbour that has a solution.
#include "affine_cases.h"

static void access(kit *k, gs_term a, gs_term b, int64_t size) {
  k->w.a = kit_bytes(k, a, size, 0);
  k->w.b = kit_bytes(k, b, size, 0);
  k->w.size_a = k->w.size_b = (uint32_t)size;
}

static gs_term lift_tid(kit *k, int copy, int axis) { return kit_lift(k, k->tid[copy][axis]); }

static gs_term positive(kit *k, const char *name) {
  gs_term p = kit_param(k, name);
  world_fact(&k->w, kit_op(k, GS_OP_SLT, kit_c32(k, 0), p));
  return kit_lift(k, p);
}

/// One thread alone.
static void facts_only(kit *k) { k->w.pair_count = 0; }

static void block_1d(kit *k, uint64_t top) {
  static const uint64_t values[] = {0, 1, 2, 7, 8, 9, 15, 16, 17, 23, 24, 25, 31, 32, 33, 256};
  for (uint32_t c = 1; c <= 2; c++)
    k->tid[c][0] = world_sym(&k->w, "tid", c, 32, 0, top, values, 16);
  world_distinct(&k->w, k->tid[1][0], k->tid[2][0]);
}

/// ctaid*ntid + tid <= 2^31 - 2. Racy: <= 2.
static void global_limit(kit *k, bool racy) {
  kit_launch(k, 1, true);
  facts_only(k);
  world_fact(&k->w, kit_less(k, kit_num(k, racy ? 2 : 2147483646), kit_global(k, 1, 0)));
}

/// tid + ntid*ctaid < ntid*nctaid. Racy: < ntid*(nctaid - 1).
static void global_count(kit *k, bool racy) {
  kit_launch(k, 1, true);
  facts_only(k);
  gs_term blocks = k->nctaid[0];
  if (racy)
    blocks = kit_op(k, GS_OP_ADD, blocks, kit_c32(k, -1));
  gs_term count = kit_lift(k, kit_op(k, GS_OP_MUL, k->ntid[0], blocks));
  world_fact(&k->w, gs_mk_not(k->w.terms, kit_less(k, kit_global(k, 1, 0), count)));
}

/// y*w + x < w*h under x < w, y < h. Racy: y <= h.
static void rows_limit(kit *k, bool racy) {
  kit_launch(k, 2, true);
  facts_only(k);
  gs_term w = positive(k, "w"), h = positive(k, "h");
  gs_term x = kit_global(k, 1, 0), y = kit_global(k, 1, 1);
  world_fact(&k->w, kit_less(k, x, w));
  world_fact(&k->w, racy ? gs_mk_not(k->w.terms, kit_less(k, h, y)) : kit_less(k, y, h));
  gs_term i = kit_add(k, kit_mul(k, y, w), x);
  world_fact(&k->w, gs_mk_not(k->w.terms, kit_less(k, i, kit_mul(k, w, h))));
}

/// Bytes [4*i, 4*i + 4) of 4*n under i < n; out of bounds is a disjunction.
/// Racy: i <= n.
static void extent(kit *k, bool racy) {
  kit_launch(k, 1, true);
  facts_only(k);
  gs_term n = positive(k, "n"), i = kit_global(k, 1, 0);
  world_fact(&k->w, racy ? gs_mk_not(k->w.terms, kit_less(k, n, i)) : kit_less(k, i, n));
  gs_term from = kit_bytes(k, i, 4, 0), size = kit_bytes(k, n, 4, 0);
  gs_term to = kit_op(k, GS_OP_ADD, from, kit_c64(k, 4));
  world_fact(&k->w, gs_mk_or(k->w.terms, kit_op(k, GS_OP_SLT, from, kit_c64(k, 0)),
                             kit_op(k, GS_OP_SLT, size, to)));
}

/// min(i, n - 1) < n. Racy: min(i, n).
static void clamp(kit *k, bool racy) {
  kit_launch(k, 1, true);
  facts_only(k);
  gs_term n = positive(k, "n"), i = kit_global(k, 1, 0);
  gs_term last = racy ? n : kit_sub(k, n, kit_num(k, 1));
  gs_term m = gs_mk_ite(k->w.terms, kit_less(k, i, last), i, last);
  world_fact(&k->w, gs_mk_not(k->w.terms, kit_less(k, m, n)));
}

/// t < 16 ? t : t + 16. Racy: t - 16.
static void moved(kit *k, bool racy) {
  block_1d(k, 255);
  gs_term i[3];
  for (int c = 1; c <= 2; c++) {
    gs_term t = lift_tid(k, c, 0), by = kit_num(k, 16);
    i[c] = gs_mk_ite(k->w.terms, kit_op(k, GS_OP_ULT, k->tid[c][0], kit_c32(k, 16)), t,
                     racy ? kit_sub(k, t, by) : kit_add(k, t, by));
  }
  access(k, i[1], i[2], 4);
}

/// Threads (t < 8 || t >= 24) write, threads 8 <= t < 24 read. Racy: t <= 24.
static void halves(kit *k, bool racy) {
  block_1d(k, 255);
  gs_term t1 = k->tid[1][0], t2 = k->tid[2][0], eight = kit_c32(k, 8);
  world_fact(&k->w, gs_mk_or(k->w.terms, kit_op(k, GS_OP_ULT, t1, eight),
                             kit_op(k, GS_OP_ULE, kit_c32(k, 24), t1)));
  world_fact(&k->w, gs_mk_not(k->w.terms, kit_op(k, GS_OP_ULT, t2, eight)));
  world_fact(&k->w, kit_op(k, GS_OP_ULT, t2, kit_c32(k, racy ? 25 : 24)));
  k->w.pair_count = 0;
  access(k, kit_lift(k, t1), kit_lift(k, t2), 4);
}

/// 2*t + (t < 8). Racy: t + 8*(t < 8).
static void truth_in_index(kit *k, bool racy) {
  block_1d(k, 255);
  gs_term i[3];
  for (int c = 1; c <= 2; c++) {
    gs_term below = kit_op(k, GS_OP_ULT, k->tid[c][0], kit_c32(k, 8));
    gs_term b = kit_lift(k, gs_mk_cast(k->w.terms, GS_OP_ZEXT, below, 32));
    gs_term t = lift_tid(k, c, 0);
    i[c] = racy ? kit_add(k, t, kit_mul(k, b, kit_num(k, 8)))
                : kit_add(k, kit_mul(k, t, kit_num(k, 2)), b);
  }
  access(k, i[1], i[2], 4);
}

/// t ^ 1 against itself. Racy: against t.
static void neighbour(kit *k, bool racy) {
  block_1d(k, 255);
  gs_term i[3];
  for (int c = 1; c <= 2; c++) {
    gs_term x = kit_op(k, GS_OP_XOR, k->tid[c][0], kit_c32(k, 1));
    i[c] = kit_lift(k, racy && c == 2 ? k->tid[c][0] : x);
  }
  access(k, i[1], i[2], 4);
}

static gs_term shifted(kit *k, gs_op op, int64_t value, gs_term trip) {
  gs_term small = kit_op(k, GS_OP_ULT, trip, kit_c32(k, 32));
  return gs_mk_ite(k->w.terms, small, kit_op(k, op, kit_c32(k, value), trip), kit_c32(k, 0));
}

/// s = 8 >> k with any k, as loops give it: t + s < 16 under t < s. Racy: < 15.
static void tree_limit(kit *k, bool racy) {
  static const uint64_t trips[] = {0, 1, 2, 3, 4, 31, 32, 33};
  block_1d(k, 255);
  facts_only(k);
  gs_term trip = world_sym(&k->w, "k", 0, 32, 0, UINT32_MAX, trips, 8);
  gs_term s = shifted(k, GS_OP_LSHR, 8, trip), t = k->tid[1][0];
  world_fact(&k->w, kit_op(k, GS_OP_ULT, t, s));
  world_fact(&k->w, kit_op(k, GS_OP_ULE, kit_c32(k, racy ? 15 : 16), kit_op(k, GS_OP_ADD, t, s)));
}

/// d = 1 << k below 16; t % d == 0 writes t, t % d == 0 reads t + d/2.
/// Racy: reads t + d.
static void tree_divide(kit *k, bool racy) {
  static const uint64_t trips[] = {0, 1, 2, 3, 4, 31, 32, 33};
  block_1d(k, 15);
  gs_term trip = world_sym(&k->w, "k", 0, 32, 1, UINT32_MAX, trips, 8), i[3];
  gs_term d = shifted(k, GS_OP_SHL, 1, trip);
  world_fact(&k->w, kit_op(k, GS_OP_SLE, d, kit_c32(k, 16)));
  gs_op rem = k->s == SPELL_INT ? GS_OP_SREM : GS_OP_UREM;
  for (int c = 1; c <= 2; c++)
    world_fact(&k->w, kit_op(k, GS_OP_EQ, kit_op(k, rem, k->tid[c][0], d), kit_c32(k, 0)));
  gs_term half = racy ? d : kit_op(k, GS_OP_LSHR, d, kit_c32(k, 1));
  i[1] = lift_tid(k, 1, 0);
  i[2] = kit_add(k, lift_tid(k, 2, 0), kit_lift(k, half));
  access(k, i[1], i[2], 4);
}

/// The low byte of t < 256. Racy: t <= 256.
static void low_byte(kit *k, bool racy) {
  block_1d(k, racy ? 256 : 255);
  gs_term i[3];
  for (int c = 1; c <= 2; c++) {
    gs_term t = gs_mk_cast(k->w.terms, GS_OP_TRUNC, k->tid[c][0], 8);
    i[c] = kit_lift(k, gs_mk_cast(k->w.terms, GS_OP_ZEXT, t, 32));
  }
  access(k, i[1], i[2], 4);
}

/// Row and column by division: (g % w)*h + g / w under g < w*h. Racy: g <= w*h.
static void row_column(kit *k, bool racy) {
  kit_launch(k, 1, true);
  gs_term w = positive(k, "w"), h = positive(k, "h"), i[3], total = kit_mul(k, w, h);
  gs_op div = k->s == SPELL_INT ? GS_OP_SDIV : GS_OP_UDIV;
  gs_op rem = k->s == SPELL_INT ? GS_OP_SREM : GS_OP_UREM;
  for (int c = 1; c <= 2; c++) {
    gs_term g = kit_global(k, c, 0);
    world_fact(&k->w, racy ? gs_mk_not(k->w.terms, kit_less(k, total, g)) : kit_less(k, g, total));
    i[c] = kit_add(k, kit_mul(k, kit_op(k, rem, g, w), h), kit_op(k, div, g, w));
  }
  access(k, i[1], i[2], 4);
}

/// base[0] + t, with base read from memory. Racy: base[t].
static void loaded(kit *k, bool racy) {
  block_1d(k, 255);
  gs_term i[3];
  for (int c = 1; c <= 2; c++) {
    gs_term at = racy ? gs_mk_cast(k->w.terms, GS_OP_ZEXT, k->tid[c][0], 64) : kit_c64(k, 64);
    gs_term v = gs_mk_load(k->w.terms, at, 32, 0);
    v = gs_mk_cast(k->w.terms, k->s == SPELL_INT ? GS_OP_SEXT : GS_OP_ZEXT, v, 64);
    gs_term t = gs_mk_cast(k->w.terms, GS_OP_ZEXT, k->tid[c][0], 64);
    i[c] = kit_op(k, GS_OP_ADD, v, racy ? kit_c64(k, 0) : t);
  }
  k->w.a = kit_op(k, GS_OP_MUL, i[1], kit_c64(k, 4));
  k->w.b = kit_op(k, GS_OP_MUL, i[2], kit_c64(k, 4));
  k->w.size_a = k->w.size_b = 4;
}

/// Padded rows (w + 1)*y + x with x <= w. Racy: x <= w + 1.
static void padded_rows(kit *k, bool racy) {
  kit_launch(k, 2, false);
  gs_term w = positive(k, "w"), i[3], pitch = kit_add(k, w, kit_num(k, 1));
  for (int c = 1; c <= 2; c++) {
    gs_term x = lift_tid(k, c, 0), y = lift_tid(k, c, 1);
    world_fact(&k->w, gs_mk_not(k->w.terms, kit_less(k, racy ? pitch : w, x)));
    i[c] = kit_add(k, kit_mul(k, y, pitch), x);
  }
  access(k, i[1], i[2], 4);
}

/// A stencil: a[(y+1)*p + x+1] written, padded pitch p >= w + 2, x < w.
/// Racy: p >= w - 1.
static void halo(kit *k, bool racy) {
  kit_launch(k, 2, false);
  gs_term w = positive(k, "w"), p = positive(k, "p"), i[3];
  gs_term least = kit_add(k, w, kit_num(k, racy ? -1 : 2));
  world_fact(&k->w, gs_mk_not(k->w.terms, kit_less(k, p, least)));
  for (int c = 1; c <= 2; c++) {
    gs_term x = lift_tid(k, c, 0), y = lift_tid(k, c, 1), one = kit_num(k, 1);
    world_fact(&k->w, kit_less(k, x, w));
    i[c] = kit_add(k, kit_mul(k, kit_add(k, y, one), p), kit_add(k, x, one));
  }
  access(k, i[1], i[2], 4);
}

static const shape shapes[] = {
    {"global-limit", global_limit, 0},
    {"global-count", global_count, 0},
    {"rows-limit", rows_limit, NOT_UNSIGNED},
    {"extent", extent, 0},
    {"clamp", clamp, 0},
    {"moved", moved, 0},
    {"halves", halves, 0},
    {"truth", truth_in_index, 0},
    {"neighbour", neighbour, 0},
    {"tree-limit", tree_limit, 0},
    {"tree-divide", tree_divide, 0},
    {"low-byte", low_byte, 0},
    {"row-column", row_column, NOT_UNSIGNED},
    {"loaded", loaded, 0},
    {"padded-rows", padded_rows, NOT_UNSIGNED},
    {"halo", halo, NOT_UNSIGNED},
};

int main(void) { return run_shapes(shapes, sizeof shapes / sizeof *shapes); }
