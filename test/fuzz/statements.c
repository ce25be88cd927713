// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random statements and known algorithms.
#include "make.h"

static fz_node *statement(fz_maker *m, fz_kind kind, int64_t value, uint32_t op) {
  return fz_one(m->k, kind, value, op, NULL);
}

static fz_node **append(fz_node **tail, fz_node *n) {
  *tail = n;
  while (n->next)
    n = n->next;
  return &n->next;
}

static fz_node *list(fz_maker *m, uint32_t count) {
  fz_node *first = NULL;
  m->depth++;
  fz_statements(m, count, &first);
  m->depth--;
  return first;
}

static uint32_t free_var(fz_maker *m) {
  for (int i = 0; i < 8; i++) {
    uint32_t v = FZ_V_FIRST_FREE + fz_below(&m->r, m->k->var_count - FZ_V_FIRST_FREE);
    if (!(m->reserved >> v & 1))
      return v;
  }
  return FZ_V_FIRST_FREE;
}

/// Is there a bound that keeps the access inside? Often.
static fz_node *guarded(fz_maker *m, fz_node *access) {
  const fz_array *a = &m->k->arrays[access->value];
  if (a->rows || fz_chance(&m->r, 40))
    return access;
  fz_kernel *k = m->k;
  fz_node *bound = a->space == FZ_PARAM || a->space == FZ_FIELD ? fz_size(m) : fz_const(k, a->cols);
  fz_node *what = fz_chance(&m->r, 70) ? fz_node_copy(k, access->kid[0]) : fz_var_of(k, FZ_V_GLOBAL);
  fz_node *test = fz_binary(k, FZ_LT, what, bound);
  if (fz_chance(&m->r, 50))
    test = fz_binary(k, FZ_BOTH, fz_binary(k, FZ_GE, fz_node_copy(k, access->kid[0]), fz_const(k, 0)), test);
  fz_node *n = fz_one(k, FZ_IF, 0, 0, test);
  n->kid[1] = access;
  return n;
}

/// Now and then an access is wider or narrower than the element.
fz_type fz_access_type(fz_maker *m, uint32_t array) {
  static const fz_type types[] = {FZ_I64, FZ_U8, FZ_I16, FZ_F64, FZ_U32, FZ_I64};
  const fz_array *a = &m->k->arrays[array];
  if (!fz_chance(&m->r, 7) || a->space == FZ_CONSTANT || a->is_const)
    return FZ_I32;
  return types[fz_below(&m->r, FZ_COUNT(types))];
}

static fz_node *store(fz_maker *m) {
  uint32_t a = fz_pick_array(m, ~(1u << FZ_CONSTANT), true);
  if (a == UINT32_MAX)
    return statement(m, FZ_BARRIER, 0, 0);
  fz_node *n = statement(m, FZ_STORE, a, fz_chance(&m->r, 20) ? FZ_ADD : 0);
  fz_element(m, n);
  n->kid[2] = fz_any(m, 2);
  n->type = fz_access_type(m, a);
  return guarded(m, n);
}

static fz_node *load(fz_maker *m) {
  uint32_t a = fz_pick_array(m, ~0u, false);
  uint32_t v = free_var(m);
  if (a == UINT32_MAX)
    return statement(m, FZ_BARRIER, 0, 0);
  fz_node *n = fz_one(m->k, FZ_LOAD, a, 0, NULL);
  fz_element(m, n);
  n->type = fz_access_type(m, a);
  fz_node *assign = statement(m, FZ_ASSIGN, v, fz_chance(&m->r, 30) ? FZ_ADD : 0);
  assign->kid[2] = n;
  return assign;
}

static fz_node *atomic(fz_maker *m) {
  for (int i = 0; i < 6; i++) {
    uint32_t a = fz_pick_array(m, 1u << FZ_PARAM | 1u << FZ_SHARED | 1u << FZ_GLOBAL | 1u << FZ_DYNAMIC, true);
    if (a == UINT32_MAX || m->k->arrays[a].elem < FZ_I32 || m->k->arrays[a].elem > FZ_U32 ||
        m->k->arrays[a].is_volatile)
      continue;
    uint32_t op = fz_below(&m->r, 8);
    if (op >= 6)
      op = m->k->arrays[a].elem == FZ_U32 ? op : 0;
    fz_node *n = statement(m, FZ_ATOMIC, a, op);
    fz_element(m, n);
    if (fz_chance(&m->r, 50) && !m->k->arrays[a].rows)
      n->kid[0] = fz_binary(m->k, FZ_AND, fz_any(m, 1), fz_const(m->k, 7));
    n->kid[2] = fz_any(m, 1);
    return guarded(m, n);
  }
  return store(m);
}

static fz_node *branch(fz_maker *m) {
  fz_node *n = fz_one(m->k, FZ_IF, 0, 0, fz_condition(m));
  n->kid[1] = list(m, 1 + fz_below(&m->r, 2));
  if (fz_chance(&m->r, 30))
    n->kid[2] = list(m, 1 + fz_below(&m->r, 2));
  return n;
}

static fz_node *loop(fz_maker *m) {
  fz_kernel *k = m->k;
  uint32_t v = free_var(m), op = fz_chance(&m->r, 50) ? FZ_UP : fz_below(&m->r, 6);
  fz_node *n = statement(m, FZ_FOR, v, op);
  if (m->reserved >> v & 1)
    return store(m);
  fz_node *from = fz_chance(&m->r, 50) ? fz_const(k, 0)
                  : fz_chance(&m->r, 60) ? fz_var_of(k, fz_below(&m->r, 2)) : fz_any(m, 1);
  fz_node *to = fz_chance(&m->r, 60) ? fz_size(m) : fz_const(k, 1 + fz_below(&m->r, 9));
  fz_node *by = fz_chance(&m->r, 60) ? fz_const(k, 1 + fz_below(&m->r, 3))
                : fz_chance(&m->r, 50) ? fz_binary(k, FZ_MUL, fz_sreg(k, FZ_NTID), fz_sreg(k, FZ_NCTAID))
                : fz_sreg(k, FZ_NTID);
  if (op == FZ_DOWN || op == FZ_HALVE) {
    fz_node *swap = from;
    from = to;
    to = fz_chance(&m->r, 80) ? fz_const(k, 0) : swap;
  }
  if (op == FZ_HALVE || op == FZ_DOUBLE)
    by = fz_const(k, 1);
  if (op == FZ_TIMES)
    by = fz_const(k, 2 + fz_below(&m->r, 2));
  if ((op == FZ_DOUBLE || op == FZ_TIMES) && fz_chance(&m->r, 90))
    from = fz_const(k, 1 + fz_below(&m->r, 2));
  n->kid[0] = from;
  n->kid[1] = to;
  n->kid[2] = by;
  uint32_t before = m->reserved;
  m->reserved |= 1u << v;
  m->loops++;
  n->kid[3] = list(m, 1 + fz_below(&m->r, 4));
  m->loops--;
  m->reserved = before;
  return n;
}

static fz_node *pointer(fz_maker *m) {
  fz_kernel *k = m->k;
  if (!k->pointer_count)
    return store(m);
  uint32_t q = fz_below(&m->r, k->pointer_count), a = UINT32_MAX;
  for (int i = 0; i < 8 && a == UINT32_MAX; i++) {
    a = fz_pick_array(m, ~(1u << FZ_CONSTANT | 1u << FZ_LOCAL), true);
    if (a != UINT32_MAX && (k->arrays[a].elem != k->pointer_elem[q] || k->arrays[a].rows || k->arrays[a].is_volatile))
      a = UINT32_MAX;
  }
  uint32_t dice = fz_below(&m->r, 10);
  if (dice < 4 && a != UINT32_MAX) {
    fz_node *n = statement(m, FZ_AIM, q, a);
    n->kid[0] = fz_chance(&m->r, 70) ? fz_index(m, &k->arrays[a]) : fz_const(k, 0);
    n->kid[1] = fz_chance(&m->r, 25) ? fz_condition(m) : NULL;
    return n;
  }
  if (dice < 6) {
    fz_node *n = statement(m, FZ_MOVE, q, 0);
    n->kid[0] = fz_chance(&m->r, 60) ? fz_size(m) : fz_any(m, 1);
    return n;
  }
  if (dice < 8) {
    fz_node *n = statement(m, FZ_ASSIGN, free_var(m), 0);
    n->kid[2] = fz_one(k, FZ_DEREF, q, 0, fz_chance(&m->r, 60) ? fz_const(k, fz_below(&m->r, 3)) : fz_any(m, 1));
    return n;
  }
  fz_node *n = statement(m, FZ_POKE, q, 0);
  n->kid[0] = fz_chance(&m->r, 60) ? fz_const(k, fz_below(&m->r, 3)) : fz_any(m, 1);
  n->kid[2] = fz_any(m, 1);
  return n;
}

static fz_node *leave(fz_maker *m) {
  fz_kind kind = FZ_RETURN;
  if (m->loops && fz_chance(&m->r, 70))
    kind = fz_chance(&m->r, 50) && !m->in_switch ? FZ_BREAK : FZ_CONTINUE;
  fz_node *n = fz_one(m->k, FZ_IF, 0, 0, fz_condition(m));
  n->kid[1] = statement(m, kind, 0, 0);
  return n;
}

static fz_node *choose(fz_maker *m) {
  fz_node *n = fz_one(m->k, FZ_SWITCH, 0, fz_chance(&m->r, 30), fz_any(m, 1));
  if (fz_chance(&m->r, 60))
    n->kid[0] = fz_binary(m->k, FZ_REM, n->kid[0], fz_const(m->k, 3));
  bool before = m->in_switch;
  m->in_switch = true;
  for (int i = 1; i < 4; i++)
    n->kid[i] = list(m, 1);
  m->in_switch = before;
  return n;
}

static fz_node *any_statement(fz_maker *m) {
  uint32_t dice = fz_below(&m->r, 100);
  bool deep = m->depth > 3;
  if (dice < 26)
    return store(m);
  if (dice < 42)
    return load(m);
  if (dice < 56) {
    fz_node *n = statement(m, FZ_BARRIER, free_var(m), fz_chance(&m->r, 4) ? 1 : fz_chance(&m->r, 4) ? 2 : 0);
    n->kid[0] = n->op == 1 ? fz_condition(m) : NULL;
    return n;
  }
  if (dice < 63) {
    static const uint32_t ops[] = {FZ_SUB, FZ_MUL, FZ_SHR, FZ_SHL, FZ_XOR, FZ_DIV};
    fz_node *n = statement(m, FZ_ASSIGN, free_var(m), fz_chance(&m->r, 40) ? FZ_ADD : 0);
    n->kid[2] = n->op && fz_chance(&m->r, 60) ? fz_const(m->k, 1 + fz_below(&m->r, 4)) : fz_any(m, 2);
    if (n->op && n->kid[2]->kind == FZ_CONST && fz_chance(&m->r, 35))
      n->op = ops[fz_below(&m->r, FZ_COUNT(ops))];
    return n;
  }
  if (dice < 68)
    return atomic(m);
  if (dice < 75)
    return pointer(m);
  if (dice < 79)
    return leave(m);
  if (deep)
    return store(m);
  if (dice < 88)
    return branch(m);
  if (dice < 97)
    return loop(m);
  return choose(m);
}

fz_node **fz_statements(fz_maker *m, uint32_t count, fz_node **tail) {
  for (uint32_t i = 0; i < count; i++)
    tail = append(tail, any_statement(m));
  return tail;
}

// ---------------------------------------------------------------- idioms ----

static fz_node *element(fz_maker *m, fz_kind kind, uint32_t a, fz_node *index, fz_node *value) {
  fz_node *n = fz_one(m->k, kind, a, 0, index);
  n->kid[2] = value;
  return n;
}

static fz_node *barrier(fz_maker *m) {
  return m->warps && fz_chance(&m->r, 80) ? fz_sync(m) : statement(m, FZ_BARRIER, 0, 0);
}

/// s[t] += s[t + d] for d in 64, 32, …, 1 (or upwards).
static fz_node **reduction(fz_maker *m, uint32_t s, fz_node **tail) {
  fz_kernel *k = m->k;
  uint32_t v = free_var(m);
  bool down = fz_chance(&m->r, 60);
  fz_node *n = statement(m, FZ_FOR, v, down ? FZ_HALVE : fz_chance(&m->r, 50) ? FZ_DOUBLE : FZ_TIMES);
  n->kid[0] = down ? (fz_chance(&m->r, 50) ? fz_binary(k, FZ_DIV, fz_sreg(k, FZ_NTID), fz_const(k, 2)) : fz_const(k, 32))
                   : fz_const(k, 1);
  n->kid[1] = down ? fz_const(k, 0) : fz_sreg(k, FZ_NTID);
  n->kid[2] = fz_const(k, n->op == FZ_TIMES ? 2 : 1);
  fz_node *t = fz_var_of(k, FZ_V_THREAD), *d = fz_var_of(k, v);
  fz_node *sum = element(m, FZ_STORE, s, t, fz_one(k, FZ_LOAD, s, 0, fz_binary(k, FZ_ADD, t, d)));
  sum->op = FZ_ADD;
  fz_node *test = down ? fz_binary(k, FZ_LT, fz_node_copy(k, t), fz_node_copy(k, d))
                       : fz_binary(k, FZ_EQ,
                                   fz_binary(k, FZ_REM, fz_node_copy(k, t),
                                             fz_binary(k, FZ_MUL, fz_const(k, 2), fz_node_copy(k, d))),
                                   fz_const(k, 0));
  fz_node *inside = fz_one(k, FZ_IF, 0, 0, test);
  inside->kid[1] = sum;
  if (fz_chance(&m->r, 20)) {
    n->kid[3] = barrier(m);
    n->kid[3]->next = inside;
  } else {
    n->kid[3] = inside;
    inside->next = barrier(m);
  }
  return append(append(tail, barrier(m)), n);
}

/// Tile: fill, barrier, read elsewhere, barrier.
static fz_node **tile(fz_maker *m, uint32_t s, fz_node **tail) {
  fz_kernel *k = m->k;
  uint32_t v = free_var(m);
  fz_node *n = statement(m, FZ_FOR, v, FZ_UP);
  n->kid[0] = fz_const(k, 0);
  n->kid[1] = fz_size(m);
  n->kid[2] = fz_const(k, 1 + fz_below(&m->r, 2));
  uint32_t before = m->reserved;
  m->reserved |= 1u << v;
  m->loops++;
  fz_node **inner = &n->kid[3];
  fz_node *fill = fz_one(k, FZ_STORE, s, 0, NULL);
  fz_element(m, fill);
  fill->kid[2] = fz_any(m, 1);
  inner = append(inner, fill);
  inner = append(inner, barrier(m));
  fz_node *use = fz_one(k, FZ_LOAD, s, 0, NULL);
  fz_element(m, use);
  fz_node *assign = statement(m, FZ_ASSIGN, free_var(m), FZ_ADD);
  assign->kid[2] = use;
  inner = append(inner, assign);
  if (fz_chance(&m->r, 75))
    append(inner, barrier(m));
  m->loops--;
  m->reserved = before;
  return append(tail, n);
}

/// Hillis and Steele: v = s[t - d]; barrier; s[t] += v; barrier.
static fz_node **scan(fz_maker *m, uint32_t s, fz_node **tail) {
  fz_kernel *k = m->k;
  uint32_t d = free_var(m), v = free_var(m);
  if (d == v)
    return tile(m, s, tail);
  fz_node *n = statement(m, FZ_FOR, d, FZ_DOUBLE);
  n->kid[0] = fz_const(k, 1);
  n->kid[1] = fz_sreg(k, FZ_NTID);
  n->kid[2] = fz_const(k, 1);
  fz_node *t = fz_var_of(k, FZ_V_THREAD);
  fz_node *guard = fz_binary(k, FZ_GE, t, fz_var_of(k, d));
  fz_node *read = fz_one(k, FZ_IF, 0, 0, guard), *write = fz_one(k, FZ_IF, 0, 0, fz_node_copy(k, guard));
  read->kid[1] = statement(m, FZ_ASSIGN, v, 0);
  read->kid[1]->kid[2] = fz_one(k, FZ_LOAD, s, 0, fz_binary(k, FZ_SUB, fz_node_copy(k, t), fz_var_of(k, d)));
  write->kid[1] = element(m, FZ_STORE, s, fz_node_copy(k, t), fz_var_of(k, v));
  write->kid[1]->op = FZ_ADD;
  fz_node **inner = append(&n->kid[3], read);
  inner = append(append(inner, barrier(m)), write);
  append(inner, barrier(m));
  return append(append(tail, barrier(m)), n);
}

/// Double buffer: parity of the iteration chooses the half.
static fz_node **parity(fz_maker *m, uint32_t s, fz_node **tail) {
  fz_kernel *k = m->k;
  uint32_t v = free_var(m);
  fz_node *n = statement(m, FZ_FOR, v, FZ_UP);
  n->kid[0] = fz_const(k, 0);
  n->kid[1] = fz_size(m);
  n->kid[2] = fz_const(k, 1);
  uint32_t half = k->arrays[s].cols / 2;
  fz_node *side = fz_binary(k, FZ_MUL, fz_binary(k, FZ_AND, fz_var_of(k, v), fz_const(k, 1)), fz_const(k, half));
  fz_node *t = fz_var_of(k, FZ_V_THREAD);
  fz_node *fill = element(m, FZ_STORE, s, fz_binary(k, FZ_ADD, side, t), fz_any(m, 1));
  fz_node *use = statement(m, FZ_ASSIGN, free_var(m), FZ_ADD);
  use->kid[2] = fz_one(k, FZ_LOAD, s, 0,
                       fz_binary(k, FZ_ADD, fz_node_copy(k, side),
                                 fz_binary(k, FZ_XOR, fz_node_copy(k, t), fz_const(k, 1))));
  fz_node **inner = append(&n->kid[3], fill);
  append(append(inner, barrier(m)), use);
  return append(tail, n);
}

fz_node **fz_idiom(fz_maker *m, fz_node **tail) {
  uint32_t s = fz_pick_array(m, 1u << FZ_SHARED | 1u << FZ_DYNAMIC, true);
  if (s == UINT32_MAX || m->k->arrays[s].elem == FZ_F64)
    return fz_statements(m, 2, tail);
  if (m->k->arrays[s].rows)
    return tile(m, s, tail);
  switch (fz_below(&m->r, 5)) {
  case 0:
  case 1: return reduction(m, s, tail);
  case 2: return tile(m, s, tail);
  case 3: return scan(m, s, tail);
  default: return parity(m, s, tail);
  }
}
