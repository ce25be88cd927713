// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels made for proofs by phases: control that all threads share, barriers, and a few
// accesses to one array through a few indices.
#include "make.h"

static fz_node **append(fz_node **tail, fz_node *n) {
  *tail = n;
  while (n->next)
    n = n->next;
  return &n->next;
}

static fz_node *index_form(fz_maker *m) {
  const fz_array *a = &m->k->arrays[m->array];
  if (fz_chance(&m->r, 20))
    return fz_index(m, a); // may use the counters around here
  return fz_node_copy(m->k, m->forms[fz_below(&m->r, 3)]);
}

static fz_node *access(fz_maker *m) {
  fz_kernel *k = m->k;
  const fz_array *a = &k->arrays[m->array];
  fz_node *n;
  fz_node place = {.value = m->array};
  if (a->rows)
    fz_element(m, &place);
  else
    place.kid[0] = index_form(m);
  if (fz_chance(&m->r, 50)) {
    n = fz_one(k, FZ_STORE, m->array, fz_chance(&m->r, 25) ? FZ_ADD : 0, place.kid[0]);
    n->kid[1] = place.kid[1];
    n->kid[2] = fz_chance(&m->r, 50) ? fz_var_of(k, fz_below(&m->r, k->var_count)) : fz_any(m, 1);
    n->type = fz_access_type(m, m->array);
  } else {
    fz_node *from = fz_one(k, FZ_LOAD, m->array, 0, place.kid[0]);
    from->kid[1] = place.kid[1];
    from->type = fz_access_type(m, m->array);
    uint32_t v = k->var_count - 1;
    n = fz_one(k, FZ_ASSIGN, v, FZ_ADD, NULL);
    n->kid[2] = from;
    if (m->reserved >> v & 1)
      return fz_sync(m);
  }
  if (fz_chance(&m->r, 35)) {
    fz_node *guard = fz_one(k, FZ_IF, 0, 0, fz_condition(m));
    guard->kid[1] = n;
    return guard;
  }
  return n;
}

static fz_node *uniform_test(fz_maker *m) {
  if (m->warps && fz_chance(&m->r, 60))
    return fz_warp_test(m);
  static const uint32_t ops[] = {FZ_LT, FZ_LE, FZ_GT, FZ_EQ, FZ_EQ, FZ_NE};
  return fz_binary(m->k, ops[fz_below(&m->r, FZ_COUNT(ops))], fz_uniform(m),
                   fz_chance(&m->r, 60) ? fz_const(m->k, fz_below(&m->r, 4)) : fz_uniform(m));
}

/// A bound of a loop.
static fz_node *bound(fz_maker *m) {
  if (m->warps && fz_chance(&m->r, 30)) // the number of the warp, or of one more than that
    return fz_binary(m->k, FZ_DIV, fz_var_of(m->k, FZ_V_THREAD), fz_const(m->k, fz_chance(&m->r, 80) ? 32 : 16));
  return fz_uniform(m);
}

static fz_node *loop(fz_maker *m) {
  fz_kernel *k = m->k;
  uint32_t v = FZ_V_FIRST_FREE + fz_below(&m->r, k->var_count - FZ_V_FIRST_FREE - 1);
  if (m->reserved >> v & 1)
    return access(m);
  static const uint32_t kinds[] = {FZ_UP, FZ_UP, FZ_UP, FZ_DOWN, FZ_HALVE, FZ_DOUBLE, FZ_DO};
  fz_node *n = fz_one(k, FZ_FOR, v, kinds[fz_below(&m->r, FZ_COUNT(kinds))], NULL);
  bool down = n->op == FZ_DOWN || n->op == FZ_HALVE;
  n->kid[0] = down ? bound(m) : n->op == FZ_DOUBLE ? fz_const(k, 1) : fz_chance(&m->r, 70) ? fz_const(k, 0) : fz_uniform(m);
  n->kid[1] = down ? fz_const(k, n->op == FZ_DOWN && fz_chance(&m->r, 30)) : bound(m);
  n->kid[2] = fz_const(k, n->op == FZ_UP && fz_chance(&m->r, 30) ? 2 : 1);
  uint32_t before = m->reserved;
  m->reserved |= 1u << v;
  m->loops++;
  m->depth++;
  fz_skeleton(m, &n->kid[3]);
  m->depth--;
  m->loops--;
  m->reserved = before;
  return n;
}

static fz_node *branch(fz_maker *m) {
  fz_node *n = fz_one(m->k, FZ_IF, 0, 0, fz_chance(&m->r, 92) ? uniform_test(m) : fz_condition(m));
  m->depth++;
  fz_skeleton(m, &n->kid[1]);
  if (fz_chance(&m->r, 30))
    fz_skeleton(m, &n->kid[2]);
  m->depth--;
  return n;
}

static fz_node *choose(fz_maker *m) {
  fz_node *n = fz_one(m->k, FZ_SWITCH, 0, fz_chance(&m->r, 30), fz_uniform(m));
  bool before = m->in_switch;
  m->in_switch = true;
  m->depth++;
  for (int i = 1; i < 4; i++)
    fz_skeleton(m, &n->kid[i]);
  m->depth--;
  m->in_switch = before;
  return n;
}

/// A second counter, or a value that all threads get from a barrier.
static fz_node *counter(fz_maker *m) {
  uint32_t v = FZ_V_FIRST_FREE + fz_below(&m->r, m->k->var_count - FZ_V_FIRST_FREE - 1);
  if (m->reserved >> v & 1)
    return access(m);
  if (m->warps && fz_chance(&m->r, 60))
    return fz_one(m->k, FZ_BARRIER, v, FZ_WARP_ANY + fz_below(&m->r, 4),
                  fz_chance(&m->r, 50) ? fz_condition(m) : fz_any(m, 1));
  if (fz_chance(&m->r, 30)) {
    fz_node *n = fz_one(m->k, FZ_BARRIER, v, FZ_SYNC_COUNT, fz_condition(m));
    return n;
  }
  static const uint32_t ops[] = {FZ_ADD, FZ_ADD, FZ_ADD, FZ_SUB, FZ_MUL, FZ_SHL, FZ_SHR, FZ_XOR, FZ_DIV};
  fz_node *n = fz_one(m->k, FZ_ASSIGN, v, ops[fz_below(&m->r, FZ_COUNT(ops))], NULL);
  n->kid[2] = n->op == FZ_ADD && fz_chance(&m->r, 40) ? fz_uniform(m) : fz_const(m->k, 1 + fz_below(&m->r, 3));
  return n;
}

static fz_node *leave(fz_maker *m) {
  fz_kind kind = !m->loops || fz_chance(&m->r, 15) ? FZ_RETURN : fz_chance(&m->r, 50) && !m->in_switch ? FZ_BREAK : FZ_CONTINUE;
  fz_node *n = fz_one(m->k, FZ_IF, 0, 0, fz_chance(&m->r, 85) ? uniform_test(m) : fz_condition(m));
  n->kid[1] = fz_one(m->k, kind, 0, 0, NULL);
  return n;
}

fz_node **fz_skeleton(fz_maker *m, fz_node **tail) {
  uint32_t count = 1 + fz_below(&m->r, m->depth ? 4 : 5);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t dice = fz_below(&m->r, 100);
    if (dice < 40 || m->depth > 3)
      tail = append(tail, dice % 3 == 0 ? fz_sync(m) : access(m));
    else if (dice < 65)
      tail = append(tail, fz_sync(m));
    else if (dice < 82)
      tail = append(tail, loop(m));
    else if (dice < 89)
      tail = append(tail, branch(m));
    else if (dice < 91)
      tail = append(tail, choose(m));
    else if (dice < 95)
      tail = append(tail, counter(m));
    else
      tail = append(tail, leave(m));
  }
  return tail;
}
