// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Index shapes of real kernels: strides, tiles, trees, swizzles. Each must be
// refuted, and a racy neighbour must not.
#include "affine_cases.h"

static void access(kit *k, gs_term a, gs_term b, int64_t size) {
  k->w.a = kit_bytes(k, a, size, 0);
  k->w.b = kit_bytes(k, b, size, 0);
  k->w.size_a = k->w.size_b = (uint32_t)size;
}

static gs_term lift_tid(kit *k, int copy, int axis) { return kit_lift(k, k->tid[copy][axis]); }

/// An int parameter that is positive: 0 < p.
static gs_term positive(kit *k, const char *name) {
  gs_term p = kit_param(k, name);
  world_fact(&k->w, kit_op(k, GS_OP_SLT, kit_c32(k, 0), p));
  return kit_lift(k, p);
}

/// Column-major a[col*ld + row], row < m <= ld. Racy: m may exceed ld.
static void column_major(kit *k, bool racy) {
  kit_launch(k, 2, true);
  gs_term m = positive(k, "m"), n = positive(k, "n"), ld = positive(k, "ld"), i[3];
  if (!racy)
    world_fact(&k->w, gs_mk_not(k->w.terms, kit_less(k, ld, m)));
  for (int c = 1; c <= 2; c++) {
    gs_term row = kit_global(k, c, 0), col = kit_global(k, c, 1);
    world_fact(&k->w, kit_less(k, row, m));
    world_fact(&k->w, kit_less(k, col, n));
    i[c] = kit_add(k, kit_mul(k, col, ld), row);
  }
  access(k, i[1], i[2], 8);
}

/// (z*h + y)*w + x. Racy: y may reach h.
static void volume(kit *k, bool racy) {
  kit_launch(k, 3, false);
  gs_term w = positive(k, "w"), h = positive(k, "h"), i[3];
  for (int c = 1; c <= 2; c++) {
    gs_term x = lift_tid(k, c, 0), y = lift_tid(k, c, 1), z = lift_tid(k, c, 2);
    world_fact(&k->w, kit_less(k, x, w));
    world_fact(&k->w, kit_less(k, y, racy ? kit_add(k, h, kit_num(k, 1)) : h));
    i[c] = kit_add(k, kit_mul(k, kit_add(k, kit_mul(k, z, h), y), w), x);
  }
  access(k, i[1], i[2], 4);
}

/// for (i = gid; i < n; i += blockDim.x*gridDim.x). Racy: the stride is too short.
static void grid_stride(kit *k, bool racy) {
  kit_launch(k, 1, true);
  gs_terms *t = k->w.terms;
  gs_term n = positive(k, "n"), trip[3], i[3];
  kit_each(k, "k", 64, 0, UINT32_MAX, trip);
  world_distinct(&k->w, trip[1], trip[2]);
  gs_term stride = racy ? k->ntid[0] : kit_op(k, GS_OP_MUL, k->ntid[0], k->nctaid[0]);
  for (int c = 1; c <= 2; c++) {
    gs_term gid = kit_op(k, GS_OP_ADD, kit_op(k, GS_OP_MUL, k->ctaid[c][0], k->ntid[0]),
                         k->tid[c][0]);
    gs_op ext = k->s == SPELL_INT ? GS_OP_SEXT : GS_OP_ZEXT;
    gs_term steps = kit_op(k, GS_OP_MUL, trip[c], gs_mk_cast(t, ext, stride, 64));
    gs_term sum = kit_op(k, GS_OP_ADD, gs_mk_cast(t, ext, gid, 64), steps);
    uint8_t flag = k->s == SPELL_INT ? GS_NSW : GS_NUW;
    i[c] = k->s == SPELL_SIZE ? sum : gs_mk_trunc_flags(t, sum, 32, flag, ++k->next_origin);
    world_fact(&k->w, kit_less(k, i[c], n));
  }
  access(k, i[1], i[2], 4);
}

/// Each thread a chunk: t*c + j, j < c. Racy: j <= c.
static void chunks(kit *k, bool racy) {
  kit_launch(k, 1, true);
  gs_term c = positive(k, "c"), j[3], i[3];
  kit_each(k, "j", 32, 0, INT32_MAX, j);
  for (int x = 1; x <= 2; x++) {
    gs_term lj = kit_lift(k, j[x]);
    world_fact(&k->w, kit_less(k, lj, racy ? kit_add(k, c, kit_num(k, 1)) : c));
    i[x] = kit_add(k, kit_mul(k, kit_global(k, x, 0), c), lj);
  }
  access(k, i[1], i[2], 4);
}

/// t*s with s >= 1. Racy: s may be 0.
static void strided(kit *k, bool racy) {
  kit_launch(k, 1, true);
  gs_term s = racy ? kit_lift(k, kit_param(k, "s")) : positive(k, "s");
  access(k, kit_mul(k, kit_global(k, 1, 0), s), kit_mul(k, kit_global(k, 2, 0), s), 4);
}

/// n-1-i against itself. Racy: against i.
static void reverse(kit *k, bool racy) {
  kit_launch(k, 1, true);
  gs_term n = positive(k, "n"), i[3];
  for (int c = 1; c <= 2; c++) {
    gs_term g = kit_global(k, c, 0);
    world_fact(&k->w, kit_less(k, g, n));
    i[c] = racy && c == 2 ? g : kit_sub(k, kit_sub(k, n, kit_num(k, 1)), g);
  }
  access(k, i[1], i[2], 4);
}

/// (gridDim.x-1-blockIdx.x)*blockDim.x + tid. Racy: against the plain order.
static void reverse_blocks(kit *k, bool racy) {
  kit_launch(k, 1, true);
  gs_term i[3];
  for (int c = 1; c <= 2; c++) {
    gs_term last = kit_op(k, GS_OP_ADD, k->nctaid[0], kit_c32(k, -1));
    gs_term block = kit_op(k, GS_OP_SUB, last, k->ctaid[c][0]);
    gs_term sum = kit_op(k, GS_OP_ADD, kit_op(k, GS_OP_MUL, block, k->ntid[0]), k->tid[c][0]);
    i[c] = racy && c == 2 ? kit_global(k, c, 0) : kit_lift(k, sum);
  }
  access(k, i[1], i[2], 4);
}

/// s[t] written and s[t + d] read by threads below d. Racy: t <= d.
static void tree(kit *k, gs_term d, bool racy) {
  gs_term d_index = kit_lift(k, d);
  for (int c = 1; c <= 2; c++) {
    gs_term limit = racy ? kit_op(k, GS_OP_ADD, d, kit_c32(k, 1)) : d;
    world_fact(&k->w, kit_op(k, GS_OP_ULT, k->tid[c][0], limit));
  }
  access(k, lift_tid(k, 1, 0), kit_add(k, lift_tid(k, 2, 0), d_index), 4);
}
static void tree_symbolic(kit *k, bool racy) {
  kit_launch(k, 1, false);
  gs_term d = world_sym(&k->w, "d", 0, 32, 1, 512, NULL, 4);
  tree(k, d, racy);
}
static void tree_shift(kit *k, bool racy) {
  static const uint64_t trips[] = {7, 6, 5};
  kit_launch(k, 1, false);
  gs_term trip = world_sym(&k->w, "k", 0, 32, 0, 7, trips, 3);
  tree(k, kit_op(k, GS_OP_LSHR, kit_c32(k, 128), trip), racy);
}

/// if (t % (2*d) == 0) s[t] += s[t + d]. Racy: t % d == 0.
static void interleaved(kit *k, bool racy) {
  kit_launch(k, 1, false);
  gs_term d = world_sym(&k->w, "d", 0, 32, 1, 512, NULL, 4);
  gs_term two = kit_op(k, GS_OP_SHL, d, kit_c32(k, 1));
  gs_op rem = k->s == SPELL_INT ? GS_OP_SREM : GS_OP_UREM;
  for (int c = 1; c <= 2; c++)
    world_fact(&k->w, kit_op(k, GS_OP_EQ, kit_op(k, rem, k->tid[c][0], racy ? d : two),
                             kit_c32(k, 0)));
  access(k, lift_tid(k, 1, 0), kit_add(k, lift_tid(k, 2, 0), kit_lift(k, d)), 4);
}

/// The same with d = 1 << k.
static void interleaved_shift(kit *k, bool racy) {
  kit_launch(k, 1, false);
  gs_term trip = world_sym(&k->w, "k", 0, 32, 0, 8, NULL, 2);
  gs_term d = kit_op(k, GS_OP_SHL, kit_c32(k, 1), trip);
  gs_term two = kit_op(k, GS_OP_SHL, d, kit_c32(k, 1));
  gs_op rem = k->s == SPELL_INT ? GS_OP_SREM : GS_OP_UREM;
  for (int c = 1; c <= 2; c++)
    world_fact(&k->w, kit_op(k, GS_OP_EQ, kit_op(k, rem, k->tid[c][0], racy ? d : two),
                             kit_c32(k, 0)));
  access(k, lift_tid(k, 1, 0), kit_add(k, lift_tid(k, 2, 0), kit_lift(k, d)), 4);
}

/// p[i].x and p[i].y of a struct of eight bytes. Racy: p[i].y and p[i + 1].
static void fields(kit *k, bool racy) {
  kit_launch(k, 1, true);
  k->w.a = kit_bytes(k, kit_global(k, 1, 0), 8, 0);
  k->w.b = kit_bytes(k, kit_global(k, 2, 0), 8, racy ? 8 : 4);
  k->w.size_a = k->w.size_b = 4;
}

/// A float4 at 16*i against a float at 16*i + 4. Racy: a stride of 12.
static void vectors(kit *k, bool racy) {
  kit_launch(k, 1, true);
  k->w.a = kit_bytes(k, kit_global(k, 1, 0), 16, 0);
  k->w.b = kit_bytes(k, kit_global(k, 2, 0), racy ? 12 : 16, 4);
  k->w.size_a = 16;
  k->w.size_b = 4;
}

static gs_term tid_op(kit *k, int c, gs_op u, gs_op s, int64_t by) {
  gs_term v = kit_op(k, k->s == SPELL_INT ? s : u, k->tid[c][0], kit_c32(k, by));
  return kit_lift(k, v);
}
static gs_term tid_div(kit *k, int c, int64_t by) {
  return tid_op(k, c, GS_OP_UDIV, GS_OP_SDIV, by);
}
static gs_term tid_rem(kit *k, int c, int64_t by) {
  return tid_op(k, c, GS_OP_UREM, GS_OP_SREM, by);
}

static void block_1d(kit *k, unsigned tries) {
  static const uint64_t values[] = {0, 1, 16, 17, 31, 32, 33, 63, 64, 15, 2, 47, 48, 49, 240, 3};
  for (uint32_t c = 1; c <= 2; c++)
    k->tid[c][0] = world_sym(&k->w, "tid", c, 32, 0, 255, values, tries);
  world_distinct(&k->w, k->tid[1][0], k->tid[2][0]);
}

/// s[(t/32)*33 + t%32]. Racy: 31 instead of 33.
static void padded(kit *k, bool racy) {
  block_1d(k, 16);
  gs_term i[3];
  for (int c = 1; c <= 2; c++)
    i[c] = kit_add(k, kit_mul(k, tid_div(k, c, 32), kit_num(k, racy ? 31 : 33)),
                   tid_rem(k, c, 32));
  access(k, i[1], i[2], 4);
}

/// tile[t/16][t%16] in a tile of width w >= 16. Racy: width above 8.
static void tile_symbolic(kit *k, bool racy) {
  static const uint64_t widths[] = {16, 17, 9, 15};
  block_1d(k, 16);
  gs_term w = kit_lift(k, world_sym(&k->w, "w", 0, 32, racy ? 8 : 16, 4096, widths, 4)), i[3];
  for (int c = 1; c <= 2; c++)
    i[c] = kit_add(k, kit_mul(k, tid_div(k, c, 16), w), tid_rem(k, c, 16));
  access(k, i[1], i[2], 4);
}

/// tile[t%16][t/16] of 17 columns. Racy: 15 columns.
static void tile_transposed(kit *k, bool racy) {
  block_1d(k, 16);
  gs_term i[3];
  for (int c = 1; c <= 2; c++)
    i[c] = kit_add(k, kit_mul(k, tid_rem(k, c, 16), kit_num(k, racy ? 15 : 17)),
                   tid_div(k, c, 16));
  access(k, i[1], i[2], 4);
}

/// Shifts and masks for the same: (t >> 5)*33 + (t & 31).
static void padded_bits(kit *k, bool racy) {
  block_1d(k, 16);
  gs_term i[3];
  for (int c = 1; c <= 2; c++) {
    gs_term warp = kit_op(k, k->s == SPELL_INT ? GS_OP_ASHR : GS_OP_LSHR, k->tid[c][0],
                          kit_c32(k, 5));
    gs_term lane = kit_op(k, GS_OP_AND, k->tid[c][0], kit_c32(k, 31));
    i[c] = kit_add(k, kit_mul(k, kit_lift(k, warp), kit_num(k, racy ? 31 : 33)),
                   kit_lift(k, lane));
  }
  access(k, i[1], i[2], 4);
}

/// 2*t against 2*t + 1. Racy: against 2*t + 2.
static void parity(kit *k, bool racy) {
  kit_launch(k, 1, true);
  gs_term two = kit_num(k, 2), g1 = kit_global(k, 1, 0), g2 = kit_global(k, 2, 0);
  access(k, kit_mul(k, g1, two),
         kit_add(k, kit_mul(k, g2, two), kit_num(k, racy ? 2 : 1)), 4);
}

/// o*(2*t + 1) against o*(2*t + 2), o >= 1. Racy: against o*(2*t + 3).
static void scan_offsets(kit *k, bool racy) {
  kit_launch(k, 1, false);
  gs_term o = kit_lift(k, world_sym(&k->w, "o", 0, 32, 1, 1024, NULL, 3)), two = kit_num(k, 2);
  gs_term a = kit_mul(k, o, kit_add(k, kit_mul(k, lift_tid(k, 1, 0), two), kit_num(k, 1)));
  gs_term b = kit_mul(k, o, kit_add(k, kit_mul(k, lift_tid(k, 2, 0), two),
                                    kit_num(k, racy ? 3 : 2)));
  access(k, a, b, 4);
}

/// In-place transpose: y*n + x against x*n + y, x < y. Racy: x <= y.
static void transpose(kit *k, bool racy) {
  kit_launch(k, 2, true);
  gs_term n = positive(k, "n"), i[3];
  for (int c = 1; c <= 2; c++) {
    gs_term x = kit_global(k, c, 0), y = kit_global(k, c, 1);
    world_fact(&k->w, kit_less(k, x, n));
    world_fact(&k->w, kit_less(k, y, n));
    world_fact(&k->w, racy ? gs_mk_not(k->w.terms, kit_less(k, y, x)) : kit_less(k, x, y));
    i[c] = c == 1 ? kit_add(k, kit_mul(k, y, n), x) : kit_add(k, kit_mul(k, x, n), y);
  }
  if (racy) // the diagonal, one thread on both sides
    k->w.pair_count = 0;
  access(k, i[1], i[2], 4);
}

static const shape shapes[] = {
    {"column-major", column_major, NOT_UNSIGNED},
    {"volume", volume, NOT_UNSIGNED | NOT_SIZE},
    {"grid-stride", grid_stride, 0},
    {"chunks", chunks, NOT_UNSIGNED},
    {"strided", strided, NOT_UNSIGNED},
    {"reverse", reverse, 0},
    {"reverse-blocks", reverse_blocks, 0},
    {"tree", tree_symbolic, 0},
    {"tree-shift", tree_shift, 0},
    {"interleaved", interleaved, 0},
    {"interleaved-shift", interleaved_shift, 0},
    {"fields", fields, 0},
    {"vectors", vectors, 0},
    {"padded", padded, 0},
    {"padded-bits", padded_bits, 0},
    {"tile-symbolic", tile_symbolic, 0},
    {"tile-transposed", tile_transposed, 0},
    {"parity", parity, 0},
    {"scan-offsets", scan_offsets, 0},
    {"transpose", transpose, NOT_UNSIGNED},
};

int main(void) { return run_shapes(shapes, sizeof shapes / sizeof *shapes); }
