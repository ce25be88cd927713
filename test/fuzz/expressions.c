// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random expressions: indices that are nearly right.
#include "make.h"

fz_node *fz_const(fz_kernel *k, int64_t value) {
  fz_node *n = fz_node_new(k, FZ_CONST, FZ_I32);
  n->value = value;
  return n;
}

fz_node *fz_one(fz_kernel *k, fz_kind kind, int64_t value, uint32_t op, fz_node *a) {
  fz_node *n = fz_node_new(k, kind, FZ_I32);
  n->value = value;
  n->op = op;
  n->kid[0] = a;
  return n;
}

fz_node *fz_var_of(fz_kernel *k, uint32_t v) { return fz_one(k, FZ_VAR, v, 0, NULL); }
fz_node *fz_sreg(fz_kernel *k, uint32_t which) { return fz_one(k, FZ_SREG, which, 0, NULL); }

fz_node *fz_binary(fz_kernel *k, uint32_t op, fz_node *a, fz_node *b) {
  fz_node *n = fz_one(k, FZ_BINARY, 0, op, a);
  n->kid[1] = b;
  return n;
}

static int64_t constant(fz_maker *m) {
  static const int64_t values[] = {0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 31, 32, 33, 63, 64, 100, 128, 255, 256, -1, -2, 1000};
  return values[fz_below(&m->r, FZ_COUNT(values))];
}

static fz_node *scalar(fz_maker *m) {
  if (!m->k->scalar_count)
    return fz_const(m->k, constant(m));
  return fz_one(m->k, FZ_SCALAR, fz_below(&m->r, m->k->scalar_count), 0, NULL);
}

fz_node *fz_size(fz_maker *m) {
  switch (fz_below(&m->r, 5)) {
  case 0: return fz_const(m->k, 1 + fz_below(&m->r, 40));
  case 1: return fz_sreg(m->k, FZ_NTID);
  case 2: return fz_const(m->k, INT64_C(1) << fz_below(&m->r, 8));
  default: return scalar(m);
  }
}

static fz_node *leaf(fz_maker *m) {
  fz_kernel *k = m->k;
  switch (fz_below(&m->r, 10)) {
  case 0: return fz_const(k, constant(m));
  case 1:
  case 2: return scalar(m);
  case 3:
  case 4: return fz_var_of(k, fz_below(&m->r, k->var_count));
  case 5: return fz_var_of(k, FZ_V_THREAD);
  case 6: return fz_var_of(k, FZ_V_GLOBAL);
  case 7: return fz_sreg(k, fz_below(&m->r, 4) * 3 + (k->flat ? 0 : fz_below(&m->r, 2)));
  default: return fz_sreg(k, FZ_TID);
  }
}

uint32_t fz_pick_array(fz_maker *m, uint32_t spaces, bool writable) {
  uint32_t found[FZ_MAX_ARRAYS], count = 0;
  for (uint32_t i = 0; i < m->k->array_count; i++) {
    const fz_array *a = &m->k->arrays[i];
    if ((spaces >> a->space & 1) && !(writable && (a->is_const || a->space == FZ_CONSTANT)))
      found[count++] = i;
  }
  return count ? found[fz_below(&m->r, count)] : UINT32_MAX;
}

static fz_node *load(fz_maker *m) {
  uint32_t a = fz_pick_array(m, ~0u, false);
  if (a == UINT32_MAX)
    return leaf(m);
  fz_node *n = fz_one(m->k, FZ_LOAD, a, 0, NULL);
  fz_element(m, n);
  return n;
}

static fz_node *any_binary(fz_maker *m, int depth) {
  static const uint32_t ops[] = {FZ_ADD, FZ_ADD, FZ_ADD, FZ_SUB, FZ_SUB, FZ_MUL, FZ_MUL, FZ_DIV,
                                 FZ_REM, FZ_SHL, FZ_SHR, FZ_AND, FZ_AND, FZ_OR, FZ_XOR};
  uint32_t op = ops[fz_below(&m->r, FZ_COUNT(ops))];
  fz_node *a = fz_any(m, depth - 1), *b = fz_any(m, depth - 1);
  if (op == FZ_DIV || op == FZ_REM || op == FZ_SHL || op == FZ_SHR)
    b = fz_chance(&m->r, 80) ? fz_const(m->k, 1 + fz_below(&m->r, op >= FZ_SHL ? 6 : 40)) : fz_size(m);
  return fz_binary(m->k, op, a, b);
}

static fz_node *cast(fz_maker *m, fz_node *of) {
  static const fz_type types[] = {FZ_I8, FZ_U8, FZ_I16, FZ_U16, FZ_I32, FZ_U32, FZ_U32, FZ_I64, FZ_I64, FZ_U64};
  fz_node *n = fz_one(m->k, FZ_CAST, 0, 0, of);
  n->type = types[fz_below(&m->r, FZ_COUNT(types))];
  return n;
}

fz_node *fz_any(fz_maker *m, int depth) {
  if (depth <= 0)
    return leaf(m);
  uint32_t dice = fz_below(&m->r, 20);
  if (dice < 7)
    return leaf(m);
  if (dice < 14)
    return any_binary(m, depth);
  if (dice < 16)
    return cast(m, fz_any(m, depth - 1));
  if (dice == 16) {
    fz_node *n = fz_one(m->k, FZ_CALL, 0, fz_below(&m->r, 8), fz_any(m, depth - 1));
    n->kid[1] = fz_any(m, depth - 1);
    return n;
  }
  if (dice == 17) {
    fz_node *n = fz_one(m->k, FZ_CHOOSE, 0, 0, fz_condition(m));
    n->kid[1] = fz_any(m, depth - 1);
    n->kid[2] = fz_any(m, depth - 1);
    return n;
  }
  if (dice == 18)
    return fz_one(m->k, FZ_UNARY, 0, fz_below(&m->r, 2), fz_any(m, depth - 1));
  return load(m);
}

/// What makes threads different: in the block, or in the grid.
static fz_node *identity(fz_maker *m, bool shared) {
  fz_kernel *k = m->k;
  if (fz_chance(&m->r, 6))
    shared = !shared;
  if (fz_chance(&m->r, 70))
    return fz_var_of(k, shared ? FZ_V_THREAD : FZ_V_GLOBAL);
  fz_node *t = fz_sreg(k, FZ_TID), *width = fz_sreg(k, FZ_NTID);
  if (!k->flat && fz_chance(&m->r, 70))
    t = fz_chance(&m->r, 50)
            ? fz_binary(k, FZ_ADD, fz_binary(k, FZ_MUL, fz_sreg(k, FZ_TID + 1), width), t)
            : fz_binary(k, FZ_ADD, fz_binary(k, FZ_MUL, t, fz_sreg(k, FZ_NTID + 1)), fz_sreg(k, FZ_TID + 1));
  if (shared)
    return t;
  if (fz_chance(&m->r, 30)) // interleaved blocks
    return fz_binary(k, FZ_ADD, fz_binary(k, FZ_MUL, t, fz_sreg(k, FZ_NCTAID)), fz_sreg(k, FZ_CTAID));
  return fz_binary(k, FZ_ADD, fz_binary(k, FZ_MUL, fz_sreg(k, FZ_CTAID), fz_size(m)), t);
}

static fz_node *digits(fz_maker *m, fz_node *i) {
  fz_kernel *k = m->k;
  uint64_t where = m->r.state;
  fz_node *w = fz_size(m), *h = fz_chance(&m->r, 60) ? fz_node_copy(k, w) : fz_size(m);
  (void)where;
  if (fz_chance(&m->r, 50)) // (i % w) * h + i / w
    return fz_binary(k, FZ_ADD, fz_binary(k, FZ_MUL, fz_binary(k, FZ_REM, i, w), h),
                     fz_binary(k, FZ_DIV, fz_node_copy(k, i), fz_node_copy(k, w)));
  // (i / w) * h + i % w
  return fz_binary(k, FZ_ADD, fz_binary(k, FZ_MUL, fz_binary(k, FZ_DIV, i, w), h),
                   fz_binary(k, FZ_REM, fz_node_copy(k, i), fz_node_copy(k, w)));
}

/// A map that keeps different numbers different, nearly always.
static fz_node *twist(fz_maker *m, fz_node *i) {
  fz_kernel *k = m->k;
  int64_t c = constant(m);
  switch (fz_below(&m->r, 16)) {
  case 0: return fz_binary(k, FZ_ADD, i, fz_const(k, c));
  case 1: return fz_binary(k, FZ_SUB, i, fz_const(k, 1 + fz_below(&m->r, 3)));
  case 2: return fz_binary(k, FZ_SUB, fz_size(m), i);
  case 3: return fz_binary(k, FZ_MUL, i, fz_chance(&m->r, 50) ? fz_const(k, c) : fz_size(m));
  case 4: return fz_binary(k, FZ_XOR, i, fz_const(k, c));
  case 5: return fz_binary(k, FZ_SHL, i, fz_const(k, fz_below(&m->r, 5)));
  case 6: return digits(m, i);
  case 7: return fz_binary(k, FZ_ADD, i, fz_size(m));
  case 8: return fz_binary(k, FZ_ADD, fz_binary(k, FZ_MUL, i, fz_const(k, 2 + fz_below(&m->r, 3))), fz_const(k, fz_below(&m->r, 3)));
  case 9: return fz_binary(k, FZ_REM, i, fz_size(m));
  case 10: return fz_binary(k, FZ_AND, i, fz_const(k, (INT64_C(1) << fz_below(&m->r, 9)) - 1));
  case 11: return cast(m, i);
  case 12: return fz_binary(k, FZ_ADD, i, fz_any(m, 1));
  case 13: return fz_binary(k, FZ_SHR, i, fz_const(k, fz_below(&m->r, 3)));
  case 14: return fz_binary(k, FZ_XOR, i, fz_binary(k, FZ_SHR, fz_node_copy(k, i), fz_const(k, 1 + fz_below(&m->r, 4))));
  default: return fz_binary(k, FZ_SUB, fz_binary(k, FZ_SUB, fz_size(m), fz_const(k, 1)), i);
  }
}

fz_node *fz_index(fz_maker *m, const fz_array *a) {
  bool shared = a->space == FZ_SHARED || a->space == FZ_DYNAMIC;
  if (fz_chance(&m->r, 6))
    return fz_any(m, 2);
  fz_node *i = identity(m, shared);
  if (m->reserved && fz_chance(&m->r, 45)) { // with the counter of a loop around
    uint32_t v = fz_below(&m->r, m->k->var_count);
    while (!(m->reserved >> v & 1))
      v = (v + 1) % m->k->var_count;
    fz_node *j = fz_var_of(m->k, v);
    switch (fz_below(&m->r, 6)) {
    case 0: i = fz_binary(m->k, FZ_ADD, i, j); break;
    case 1: i = fz_binary(m->k, FZ_ADD, i, fz_binary(m->k, FZ_MUL, j, fz_size(m))); break;
    case 2: i = fz_binary(m->k, FZ_ADD, fz_binary(m->k, FZ_MUL, i, fz_size(m)), j); break;
    case 3: i = j; break;
    case 4: i = fz_binary(m->k, FZ_XOR, i, j); break;
    default: i = fz_binary(m->k, FZ_MUL, i, j); break;
    }
  }
  else if (m->loops && fz_chance(&m->r, 20)) // with anything that a loop may change
    i = fz_binary(m->k, FZ_ADD, i, fz_var_of(m->k, fz_below(&m->r, m->k->var_count)));
  while (fz_chance(&m->r, 35))
    i = twist(m, i);
  return i;
}

void fz_element(fz_maker *m, fz_node *n) {
  const fz_array *a = &m->k->arrays[n->value];
  n->kid[0] = NULL;
  n->kid[1] = NULL;
  if (!a->rows) {
    n->kid[0] = a->space == FZ_LOCAL || a->space == FZ_CONSTANT
                    ? fz_binary(m->k, FZ_AND, fz_any(m, 1), fz_const(m->k, 7))
                    : fz_index(m, a);
    return;
  }
  fz_kernel *k = m->k;
  bool swap = fz_chance(&m->r, 40);
  fz_node *row = k->flat ? fz_binary(k, fz_chance(&m->r, 50) ? FZ_DIV : FZ_REM, fz_sreg(k, FZ_TID), fz_const(k, 8))
                         : fz_sreg(k, FZ_TID + 1);
  fz_node *col = k->flat ? fz_binary(k, fz_chance(&m->r, 50) ? FZ_DIV : FZ_REM, fz_sreg(k, FZ_TID), fz_const(k, 8))
                         : fz_sreg(k, FZ_TID);
  if (fz_chance(&m->r, 20))
    row = twist(m, row);
  if (fz_chance(&m->r, 20))
    col = twist(m, col);
  n->kid[0] = swap ? col : row;
  n->kid[1] = swap ? row : col;
}

fz_node *fz_condition(fz_maker *m) {
  fz_kernel *k = m->k;
  static const uint32_t compare[] = {FZ_LT, FZ_LT, FZ_LT, FZ_LE, FZ_GT, FZ_GE, FZ_EQ, FZ_NE};
  uint32_t op = compare[fz_below(&m->r, FZ_COUNT(compare))];
  fz_node *t = fz_chance(&m->r, 50) ? fz_var_of(k, FZ_V_THREAD) : fz_var_of(k, FZ_V_GLOBAL);
  switch (fz_below(&m->r, 9)) {
  case 0: return fz_binary(k, FZ_EQ, t, fz_const(k, fz_below(&m->r, 2)));
  case 1:
  case 2: return fz_binary(k, FZ_LT, t, fz_size(m));
  case 3: return fz_binary(k, FZ_EQ, fz_binary(k, FZ_REM, t, fz_const(k, 2 + fz_below(&m->r, 3))), fz_const(k, fz_below(&m->r, 2)));
  case 4: return fz_binary(k, op, scalar(m), fz_const(k, constant(m)));
  case 5: return fz_binary(k, op, t, fz_any(m, 1));
  case 6:
    if (m->depth > 3)
      return fz_binary(k, op, t, fz_size(m));
    m->depth++;
    fz_node *both = fz_binary(k, fz_chance(&m->r, 60) ? FZ_BOTH : FZ_EITHER, fz_condition(m), fz_condition(m));
    m->depth--;
    return both;
  case 7: return fz_binary(k, op, load(m), fz_const(k, constant(m)));
  default: return fz_binary(k, op, fz_any(m, 1), fz_any(m, 1));
  }
}

fz_node *fz_uniform(fz_maker *m) {
  fz_kernel *k = m->k;
  if (m->reserved && fz_chance(&m->r, 35)) {
    uint32_t v = fz_below(&m->r, k->var_count);
    while (!(m->reserved >> v & 1))
      v = (v + 1) % k->var_count;
    fz_node *j = fz_var_of(k, v);
    switch (fz_below(&m->r, 4)) {
    case 0: return fz_binary(k, FZ_AND, j, fz_const(k, 1 + fz_below(&m->r, 3)));
    case 1: return fz_binary(k, FZ_REM, j, fz_const(k, 2 + fz_below(&m->r, 2)));
    default: return j;
    }
  }
  if (fz_chance(&m->r, 10))
    return fz_sreg(k, FZ_CTAID);
  if (fz_chance(&m->r, 3))
    return fz_any(m, 1);
  return fz_size(m);
}
