// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Declarations, contracts and the order of a random kernel.
#include "make.h"

#include <string.h>

static fz_type any_int(fz_random *r) {
  static const fz_type types[] = {FZ_I32, FZ_I32, FZ_I32, FZ_I32, FZ_U32, FZ_U32, FZ_I64, FZ_U64,
                                  FZ_I16, FZ_U16, FZ_I8, FZ_U8};
  return types[fz_below(r, FZ_COUNT(types))];
}

static void add_fact(fz_kernel *k, const char *text) {
  if (k->fact_count < FZ_MAX_FACTS)
    snprintf(k->facts[k->fact_count++], sizeof k->facts[0], "%s", text);
}

static const char *scalar_name(const fz_kernel *k, uint32_t i, char *buffer, size_t size) {
  snprintf(buffer, size, "%sn%u", k->scalars[i].is_field ? "p." : "", i);
  return buffer;
}

static void make_launch(fz_maker *m) {
  fz_kernel *k = m->k;
  static const uint32_t sizes[] = {8, 16, 24, 32, 33, 48, 64, 64, 96, 128};
  static const uint32_t pairs[][2] = {{8, 8}, {16, 4}, {4, 16}, {32, 2}, {5, 7}, {16, 16}};
  char text[64];
  k->flat = fz_chance(&m->r, 72);
  uint32_t pair = fz_below(&m->r, FZ_COUNT(pairs)), dice = fz_below(&m->r, 10);
  if (dice < 5) {
    k->block[0] = k->flat ? sizes[fz_below(&m->r, FZ_COUNT(sizes))] : pairs[pair][0];
    k->block[1] = k->flat ? 0 : pairs[pair][1];
    snprintf(text, sizeof text, "block.x == %u", k->block[0]);
    add_fact(k, text);
    snprintf(text, sizeof text, "block.y == %u", k->block[1]);
    if (!k->flat)
      add_fact(k, text);
  } else if (dice < 8) {
    snprintf(text, sizeof text, "block.x <= %u", k->flat ? sizes[fz_below(&m->r, FZ_COUNT(sizes))] : 16);
    add_fact(k, text);
    snprintf(text, sizeof text, "block.y <= %u", 1 + fz_below(&m->r, 8));
    if (!k->flat)
      add_fact(k, text);
  } else if (dice == 8) {
    add_fact(k, "is_pow2(block.x)");
  }
  if (fz_chance(&m->r, 30)) {
    k->grid[0] = 1 + fz_below(&m->r, 3);
    snprintf(text, sizeof text, "grid.x == %u", k->grid[0]);
    add_fact(k, text);
  }
  if (!k->flat && fz_chance(&m->r, 70))
    add_fact(k, "grid.y == 1");
}

static void make_scalars(fz_maker *m) {
  fz_kernel *k = m->k;
  static const char *const templates[] = {
      "%s >= 0", "%s >= 1", "%s > 0", "%s <= 100", "%s >= block.x", "%s == block.x",
      "%s <= grid.x * block.x", "%s == grid.x * block.x", "%s %% 2 == 0", "%s < 1000",
      "%s >= 0 && %s <= 64", "%s * 2 <= 500", "grid.x * block.x >= %s", "%s == 7",
      "%s >= 1 && block.x %% %s == 0", "%s %% block.x == 0", "%s >= 1 && is_pow2(%s)",
      "%s > 0 && %s < block.x", "%s == 2 * block.x", "%s != 0"};
  char name[16], text[64];
  k->scalar_count = 1 + fz_below(&m->r, 3);
  for (uint32_t i = 0; i < k->scalar_count; i++) {
    k->scalars[i] = (fz_scalar){i ? any_int(&m->r) : fz_chance(&m->r, 75) ? FZ_I32 : FZ_U32,
                                fz_chance(&m->r, 20)};
    if (fz_chance(&m->r, 55)) {
      const char *t = templates[fz_below(&m->r, FZ_COUNT(templates))];
      scalar_name(k, i, name, sizeof name);
      snprintf(text, sizeof text, t, name, name);
      add_fact(k, text);
    }
  }
}

static void make_array(fz_maker *m, uint32_t i) {
  fz_kernel *k = m->k;
  static const fz_type elems[] = {FZ_I32, FZ_I32, FZ_I32, FZ_I32, FZ_U32, FZ_F32, FZ_F32, FZ_U8,
                                  FZ_I16, FZ_I64, FZ_F64, FZ_I8};
  static const uint32_t sizes[] = {16, 32, 64, 65, 128, 128, 256, 256, 130};
  static const fz_space spaces[] = {FZ_PARAM, FZ_PARAM, FZ_PARAM, FZ_SHARED, FZ_SHARED, FZ_SHARED,
                                    FZ_FIELD, FZ_DYNAMIC, FZ_LOCAL, FZ_GLOBAL, FZ_CONSTANT};
  fz_array *a = &k->arrays[i];
  char name[16];
  *a = (fz_array){.space = i == 0 ? FZ_PARAM : i == 1 ? FZ_SHARED : spaces[fz_below(&m->r, FZ_COUNT(spaces))],
                  .elem = elems[fz_below(&m->r, FZ_COUNT(elems))],
                  .cols = sizes[fz_below(&m->r, FZ_COUNT(sizes))]};
  for (uint32_t j = 0; j < i && a->space == FZ_DYNAMIC; j++)
    if (k->arrays[j].space == FZ_DYNAMIC)
      a->space = FZ_PARAM; // one is enough: all of them overlap
  a->is_volatile = (a->space == FZ_PARAM || a->space == FZ_SHARED) && fz_chance(&m->r, 4);
  if (a->space == FZ_SHARED && fz_chance(&m->r, 25)) {
    a->rows = 8 + fz_below(&m->r, 2) * 8;
    a->cols = a->rows + fz_below(&m->r, 2);
  }
  if (a->space == FZ_LOCAL || a->space == FZ_CONSTANT)
    a->cols = 8;
  if (a->space != FZ_PARAM)
    return;
  a->is_const = i > 0 && fz_chance(&m->r, 40);
  a->claim = fz_chance(&m->r, 65) ? FZ_NO_CLAIM : fz_chance(&m->r, 60) ? FZ_EXTENT : FZ_DISJOINT;
  scalar_name(k, fz_below(&m->r, k->scalar_count), name, sizeof name);
  switch (fz_below(&m->r, 6)) {
  case 3: snprintf(a->count, sizeof a->count, "%s * block.x", name); break;
  case 0: snprintf(a->count, sizeof a->count, "%s * 2", name); break;
  case 1: snprintf(a->count, sizeof a->count, "grid.x * block.x"); break;
  case 2: snprintf(a->count, sizeof a->count, "%s + 1", name); break;
  default: snprintf(a->count, sizeof a->count, "%s", name); break;
  }
}

static void make_vars(fz_maker *m) {
  fz_kernel *k = m->k;
  fz_node *t = fz_sreg(k, FZ_TID), *g = fz_sreg(k, FZ_CTAID);
  if (!k->flat)
    t = fz_binary(k, FZ_ADD, fz_binary(k, FZ_MUL, fz_sreg(k, FZ_TID + 1), fz_sreg(k, FZ_NTID)), t);
  fz_node *size = k->flat ? fz_sreg(k, FZ_NTID)
                          : fz_binary(k, FZ_MUL, fz_sreg(k, FZ_NTID), fz_sreg(k, FZ_NTID + 1));
  k->vars[FZ_V_THREAD] = (fz_var){fz_chance(&m->r, 80) ? FZ_I32 : any_int(&m->r), t};
  k->vars[FZ_V_GLOBAL] = (fz_var){fz_chance(&m->r, 80) ? FZ_I32 : any_int(&m->r),
                                  fz_binary(k, FZ_ADD, fz_binary(k, FZ_MUL, g, size), fz_var_of(k, FZ_V_THREAD))};
  k->var_count = FZ_V_FIRST_FREE;
  uint32_t more = 3 + fz_below(&m->r, 3);
  for (uint32_t i = 0; i < more; i++) {
    fz_node *init = fz_chance(&m->r, 3) ? NULL : fz_chance(&m->r, 40) ? fz_const(k, 0) : fz_any(m, 1);
    k->vars[k->var_count] = (fz_var){any_int(&m->r), init};
    k->var_count++;
  }
}

static void make_pointers(fz_maker *m) {
  fz_kernel *k = m->k;
  k->pointer_count = fz_chance(&m->r, 40) ? 1 + fz_below(&m->r, 2) : 0;
  for (uint32_t i = 0; i < k->pointer_count; i++)
    k->pointer_elem[i] = k->arrays[fz_below(&m->r, k->array_count)].elem;
}

fz_kernel *fz_generate(uint64_t seed) {
  fz_kernel *k = fz_kernel_new(seed);
  fz_maker m = {.k = k, .r = {seed * UINT64_C(0xD1342543DE82EF95) + 1}};
  make_launch(&m);
  make_scalars(&m);
  k->array_count = 2 + fz_below(&m.r, 3);
  for (uint32_t i = 0; i < k->array_count; i++)
    make_array(&m, i);
  k->var_count = FZ_V_FIRST_FREE;
  make_vars(&m);
  make_pointers(&m);
  fz_node **tail = &k->body;
  uint32_t style = fz_below(&m.r, 6);
  m.warps = fz_chance(&m.r, 30);
  if (m.warps && fz_chance(&m.r, 50)) {
    tail = fz_warp_exchange(&m, tail);
  } else if (style >= 3) {
    m.array = fz_pick_array(&m, style == 3 ? 1u << FZ_PARAM : 1u << FZ_SHARED | 1u << FZ_DYNAMIC, true);
    for (int i = 0; i < 3; i++)
      m.forms[i] = m.warps && fz_chance(&m.r, 60) ? fz_warp_index(&m) : fz_index(&m, &k->arrays[m.array]);
    tail = fz_skeleton(&m, tail);
  } else if (style == 0) {
    tail = fz_statements(&m, 1 + fz_below(&m.r, 2), tail);
    tail = fz_idiom(&m, tail);
    tail = fz_statements(&m, fz_below(&m.r, 2), tail);
  } else {
    tail = fz_statements(&m, 1 + fz_below(&m.r, style == 1 ? 3 : 7), tail);
  }
  for (uint32_t n = fz_below(&m.r, 3); n; n--)
    fz_mutate(k, &m.r);
  return k;
}
