// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "affine_kit.h"

#include <string.h>

void kit_init(kit *k, spelling s) {
  memset(k, 0, sizeof *k);
  world_init(&k->w);
  k->w.use_flags = true;
  k->s = s;
}

gs_term kit_op(kit *k, gs_op op, gs_term a, gs_term b) { return gs_mk_bin(k->w.terms, op, a, b); }

void kit_launch(kit *k, unsigned axes, bool blocks) {
  static const uint64_t sizes[] = {2, 1, 3, 4};
  for (unsigned i = 0; i < axes; i++) {
    k->ntid[i] = world_sym(&k->w, "ntid", 0, 32, 1, 1024, sizes, axes > 1 ? 3 : 4);
    k->nctaid[i] = blocks ? world_sym(&k->w, "nctaid", 0, 32, 1, i ? 65535 : 2147483647, sizes, 3)
                          : kit_c32(k, 1);
    gs_term product = kit_op(k, GS_OP_MUL, gs_mk_cast(k->w.terms, GS_OP_ZEXT, k->nctaid[i], 64),
                             gs_mk_cast(k->w.terms, GS_OP_ZEXT, k->ntid[i], 64));
    if (blocks)
      world_fact(&k->w, kit_op(k, GS_OP_SLE, product, kit_c64(k, 2147483647)));
    for (uint32_t c = 1; c <= 2; c++) {
      k->tid[c][i] = world_sym(&k->w, "tid", c, 32, 0, 1023, NULL, 4);
      world_fact(&k->w, kit_op(k, GS_OP_ULT, k->tid[c][i], k->ntid[i]));
      k->ctaid[c][i] = kit_c32(k, 0);
      if (blocks) {
        k->ctaid[c][i] = world_sym(&k->w, "ctaid", c, 32, 0, 2147483646, NULL, 4);
        world_fact(&k->w, kit_op(k, GS_OP_ULT, k->ctaid[c][i], k->nctaid[i]));
      }
    }
    world_distinct(&k->w, k->tid[1][i], k->tid[2][i]);
    if (blocks)
      world_distinct(&k->w, k->ctaid[1][i], k->ctaid[2][i]);
  }
}

gs_term kit_c32(kit *k, int64_t value) { return gs_mk_const(k->w.terms, (uint64_t)value, 32); }
gs_term kit_c64(kit *k, int64_t value) { return gs_mk_const(k->w.terms, (uint64_t)value, 64); }

gs_term kit_param(kit *k, const char *name) {
  static const uint64_t values[] = {2, 3, 4, 1, 5, 0, 8, 0xFFFFFFFF};
  return world_sym(&k->w, name, 0, 32, 0, UINT32_MAX, values, 8);
}

void kit_each(kit *k, const char *name, uint8_t width, uint64_t lo, uint64_t hi,
              gs_term out[3]) {
  for (uint32_t c = 1; c <= 2; c++)
    out[c] = world_sym(&k->w, name, c, width, lo, hi, NULL, 6);
}

static gs_term arithmetic(kit *k, gs_op op, gs_term a, gs_term b) {
  uint8_t flags = k->s == SPELL_INT ? GS_NSW : 0;
  return gs_mk_bin_flags(k->w.terms, op, a, b, flags, ++k->next_origin);
}

gs_term kit_add(kit *k, gs_term a, gs_term b) { return arithmetic(k, GS_OP_ADD, a, b); }
gs_term kit_sub(kit *k, gs_term a, gs_term b) { return arithmetic(k, GS_OP_SUB, a, b); }
gs_term kit_mul(kit *k, gs_term a, gs_term b) { return arithmetic(k, GS_OP_MUL, a, b); }

gs_term kit_num(kit *k, int64_t value) {
  return gs_mk_const(k->w.terms, (uint64_t)value, k->s == SPELL_SIZE ? 64 : 32);
}

gs_term kit_lift(kit *k, gs_term t) {
  return k->s == SPELL_SIZE ? gs_mk_cast(k->w.terms, GS_OP_ZEXT, t, 64) : t;
}

gs_term kit_global(kit *k, int copy, int axis) {
  gs_term base = kit_op(k, GS_OP_MUL, k->ctaid[copy][axis], k->ntid[axis]);
  return kit_lift(k, kit_op(k, GS_OP_ADD, base, k->tid[copy][axis]));
}

gs_term kit_less(kit *k, gs_term a, gs_term b) {
  return kit_op(k, k->s == SPELL_INT ? GS_OP_SLT : GS_OP_ULT, a, b);
}

gs_term kit_bytes(kit *k, gs_term index, int64_t size, int64_t base) {
  index = gs_mk_cast(k->w.terms, k->s == SPELL_INT ? GS_OP_SEXT : GS_OP_ZEXT, index, 64);
  gs_term bytes = kit_op(k, GS_OP_MUL, index, kit_c64(k, size));
  return kit_op(k, GS_OP_ADD, bytes, kit_c64(k, base));
}
