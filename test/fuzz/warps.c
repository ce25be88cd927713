// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What warps do: barriers of their own, control that their lanes share, slices of arrays.
#include "make.h"

static fz_node *thread(fz_maker *m) { return fz_var_of(m->k, FZ_V_THREAD); }

static fz_node *lane(fz_maker *m) {
  return fz_binary(m->k, fz_chance(&m->r, 50) ? FZ_REM : FZ_AND, thread(m),
                   fz_const(m->k, 32)); // "& 32" now and then: nearly right
}

static fz_node *good_lane(fz_maker *m) {
  return fz_chance(&m->r, 92) ? fz_binary(m->k, FZ_AND, thread(m), fz_const(m->k, 31)) : lane(m);
}

static fz_node *warp(fz_maker *m) {
  return fz_chance(&m->r, 50) ? fz_binary(m->k, FZ_DIV, thread(m), fz_const(m->k, 32))
                              : fz_binary(m->k, FZ_SHR, thread(m), fz_const(m->k, 5));
}

/// Masks: some lanes, the lower half, the thread's own tile.
static fz_node *mask(fz_maker *m) {
  static const int64_t some[] = {0xFFFF, 0xFF, 0xFFFF0000, 0xFFFFFFFF, 0x0F0F0F0F, 1, 3};
  fz_kernel *k = m->k;
  uint32_t size = 2u << fz_below(&m->r, 4); // 2 to 16
  if (fz_chance(&m->r, 40))
    return fz_const(k, some[fz_below(&m->r, FZ_COUNT(some))]);
  fz_node *first = fz_binary(k, FZ_AND, thread(m), fz_const(k, 32 - (int64_t)size));
  return fz_binary(k, FZ_SHL, fz_const(k, (INT64_C(1) << size) - 1), first);
}

/// A barrier of some warps, or an arrival there.
static fz_node *named(fz_maker *m) {
  fz_kernel *k = m->k;
  fz_node *n = fz_one(k, FZ_BARRIER, 1 + fz_below(&m->r, 2), fz_chance(&m->r, 85) ? FZ_SYNC_NAMED : FZ_ARRIVE, NULL);
  n->kid[0] = fz_chance(&m->r, 70) ? fz_const(k, 32 + 32 * fz_below(&m->r, 3)) : fz_sreg(k, FZ_NTID);
  return n;
}

fz_node *fz_sync(fz_maker *m) {
  uint32_t dice = m->warps ? fz_below(&m->r, 100) : 100;
  if (fz_chance(&m->r, 2))
    return fz_one(m->k, FZ_BARRIER, 0, FZ_SYNC_GRID, NULL);
  if (m->warps && fz_chance(&m->r, 15))
    return named(m);
  fz_node *n = fz_one(m->k, FZ_BARRIER, 0, dice < 60 ? FZ_SYNC_WARP : dice < 75 ? FZ_SYNC_MASK : FZ_SYNC, NULL);
  if (n->op == FZ_SYNC_MASK)
    n->kid[0] = mask(m);
  return n;
}

fz_node *fz_warp_test(fz_maker *m) {
  static const uint32_t ops[] = {FZ_LT, FZ_LE, FZ_GT, FZ_GE, FZ_EQ, FZ_NE};
  fz_kernel *k = m->k;
  uint32_t op = ops[fz_below(&m->r, FZ_COUNT(ops))];
  switch (fz_below(&m->r, 6)) {
  case 0:
  case 1: return fz_binary(k, op, warp(m), fz_const(k, fz_below(&m->r, 3)));
  case 2: return fz_binary(k, op, thread(m), fz_const(k, 32 * fz_below(&m->r, 3) + (fz_chance(&m->r, 20) ? 31 : 0)));
  case 3: return fz_binary(k, op, good_lane(m), fz_const(k, fz_chance(&m->r, 70) ? 16 : 8));
  case 4: return fz_binary(k, op, fz_binary(k, FZ_AND, thread(m), fz_const(k, 16 << fz_below(&m->r, 3))), fz_const(k, 0));
  default: return fz_binary(k, op, fz_binary(k, FZ_DIV, fz_var_of(k, FZ_V_GLOBAL), fz_const(k, 32)), fz_uniform(m));
  }
}

fz_node *fz_warp_index(fz_maker *m) {
  fz_kernel *k = m->k;
  fz_node *own = fz_binary(k, FZ_MUL, warp(m), fz_const(k, 32));
  switch (fz_below(&m->r, 7)) {
  case 0:
  case 1: return thread(m);
  case 2: return fz_binary(k, FZ_ADD, own, good_lane(m));
  case 3: return fz_binary(k, FZ_ADD, own, fz_binary(k, FZ_SUB, fz_const(k, 31), good_lane(m)));
  case 4: return fz_binary(k, FZ_XOR, thread(m), fz_const(k, INT64_C(1) << fz_below(&m->r, 6)));
  case 5: return fz_binary(k, FZ_ADD, own, fz_binary(k, FZ_AND, fz_binary(k, FZ_ADD, thread(m), fz_const(k, 1)), fz_const(k, 31)));
  default: return fz_binary(k, FZ_ADD, thread(m), fz_const(k, 1 << fz_below(&m->r, 6)));
  }
}

static fz_node **append(fz_node **tail, fz_node *n) {
  *tail = n;
  return &n->next;
}

/// A barrier that all come to, or some lanes, or all in one of two places.
static fz_node *some_sync(fz_maker *m) {
  fz_kernel *k = m->k;
  uint32_t dice = fz_below(&m->r, 10);
  if (dice < 6)
    return fz_sync(m);
  fz_node *n = fz_one(k, FZ_IF, 0, 0, dice < 9 ? fz_warp_test(m) : fz_condition(m));
  n->kid[1] = fz_sync(m);
  if (fz_chance(&m->r, 50))
    n->kid[2] = fz_sync(m);
  return n;
}

static fz_node *touch(fz_maker *m, uint32_t v) {
  fz_kernel *k = m->k;
  fz_node *index = m->k->arrays[m->array].rows ? fz_const(k, 0) : fz_warp_index(m);
  fz_node *n;
  if (fz_chance(&m->r, 50)) {
    n = fz_one(k, FZ_STORE, m->array, 0, index);
    n->kid[2] = fz_var_of(k, FZ_V_THREAD);
  } else {
    n = fz_one(k, FZ_ASSIGN, v, FZ_ADD, NULL);
    n->kid[2] = fz_one(k, FZ_LOAD, m->array, 0, index);
  }
  if (fz_chance(&m->r, 75))
    return n;
  fz_node *guard = fz_one(k, FZ_IF, 0, 0, fz_chance(&m->r, 70) ? fz_warp_test(m) : fz_condition(m));
  guard->kid[1] = n;
  return guard;
}

fz_node **fz_warp_exchange(fz_maker *m, fz_node **tail) {
  uint32_t v = m->k->var_count - 1, rounds = 1 + fz_below(&m->r, 3);
  m->array = fz_pick_array(m, 1u << FZ_SHARED, true);
  if (m->array == UINT32_MAX || m->k->arrays[m->array].rows)
    return fz_skeleton(m, tail);
  if (fz_chance(&m->r, 40)) // lanes that wait early, or leave
    tail = append(tail, some_sync(m));
  for (uint32_t i = 0; i < rounds; i++) {
    tail = append(tail, touch(m, v));
    if (fz_chance(&m->r, 90))
      tail = append(tail, some_sync(m));
    tail = append(tail, touch(m, v));
    if (fz_chance(&m->r, 70))
      tail = append(tail, some_sync(m));
  }
  return tail;
}
