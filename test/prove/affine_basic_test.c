// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Index shapes that the affine tier must refute, each with a neighbour that has
// a solution. Every answer is checked by a search over small values.
#include "affine_cases.h"

static void access(kit *k, gs_term a, gs_term b, int64_t size) {
  k->w.a = kit_bytes(k, a, size, 0);
  k->w.b = kit_bytes(k, b, size, 0);
  k->w.size_a = k->w.size_b = (uint32_t)size;
}

/// c[blockIdx.x * blockDim.x + threadIdx.x]; racy: the block index is left out.
static void linear(kit *k, bool racy, int64_t size) {
  kit_launch(k, 1, true);
  gs_term i[3];
  for (int c = 1; c <= 2; c++)
    i[c] = racy ? kit_lift(k, k->tid[c][0]) : kit_global(k, c, 0);
  access(k, i[1], i[2], size);
}
static void linear1(kit *k, bool racy) { linear(k, racy, 1); }
static void linear4(kit *k, bool racy) { linear(k, racy, 4); }
static void linear8(kit *k, bool racy) { linear(k, racy, 8); }
static void linear16(kit *k, bool racy) { linear(k, racy, 16); }

/// Bytes of four from elements of two apart.
static void overlap(kit *k, bool racy) {
  linear(k, false, racy ? 2 : 4);
  k->w.size_a = k->w.size_b = 4;
}

/// y*w + x with x < w, y < h; racy: without the guard on x.
static void rows(kit *k, bool racy) {
  kit_launch(k, 2, true);
  gs_term w = kit_lift(k, kit_param(k, "w")), h = kit_lift(k, kit_param(k, "h")), i[3];
  for (int c = 1; c <= 2; c++) {
    gs_term x = kit_global(k, c, 0), y = kit_global(k, c, 1);
    if (!racy)
      world_fact(&k->w, kit_less(k, x, w));
    world_fact(&k->w, kit_less(k, y, h));
    i[c] = kit_add(k, kit_mul(k, y, w), x);
  }
  access(k, i[1], i[2], 4);
}

/// The same in a block, for small index types.
static void rows_block(kit *k, bool racy) {
  kit_launch(k, 2, false);
  gs_term w = kit_lift(k, kit_param(k, "w")), i[3];
  for (int c = 1; c <= 2; c++) {
    gs_term x = kit_lift(k, k->tid[c][0]), y = kit_lift(k, k->tid[c][1]);
    if (!racy)
      world_fact(&k->w, kit_less(k, x, w));
    i[c] = kit_add(k, kit_mul(k, y, w), x);
  }
  access(k, i[1], i[2], 4);
}

static const shape shapes[] = {
    {"linear-1", linear1, 0},   {"linear-4", linear4, 0}, {"linear-8", linear8, 0},
    {"linear-16", linear16, 0}, {"overlap", overlap, 0},  {"rows", rows, NOT_UNSIGNED},
    {"rows-block", rows_block, NOT_UNSIGNED},
};

int main(void) { return run_shapes(shapes, sizeof shapes / sizeof *shapes); }
