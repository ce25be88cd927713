// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Evaluation of verified bytecode. This is on the path of every launch: no
/// allocation, no checks that the verifier has made already.
#include "bytecode_arith.h"

#include <string.h>

const char *gs_eval_code_text(gs_eval_code code) {
  switch (code) {
  case GS_EVAL_OK:
    return "no error";
  case GS_EVAL_OVERFLOW:
    return "a result that does not fit into 64 bits";
  case GS_EVAL_DIVISION_BY_ZERO:
    return "a division by zero";
  case GS_EVAL_SHIFT:
    return "a shift by less than 0 or more than 62";
  case GS_EVAL_NEGATIVE:
    return "a negative operand of a bit operation";
  case GS_EVAL_UNSIGNED:
    return "an unsigned argument above 2^63 - 1";
  case GS_EVAL_ARGUMENT:
    return "a function argument outside of its domain";
  case GS_EVAL_UNAVAILABLE:
    return "a pointer about which nothing is known";
  case GS_EVAL_MALFORMED:
    return "a malformed program";
  }
  return "an unknown error";
}

// ----------------------------------------------------------------- machine ----

typedef struct machine {
  const uint8_t *next;
  const gs_eval_env *env;
  gs_eval_result *result;
  int64_t *top; ///< one past the topmost value
} machine;

static inline uint64_t take_varint(machine *m) {
  uint64_t value = *m->next & 0x7F;
  for (unsigned shift = 7; *m->next++ & 0x80; shift += 7)
    value |= (uint64_t)(*m->next & 0x7F) << shift;
  return value;
}

static gs_eval_code load_param(machine *m, int64_t *out) {
  uint64_t param = take_varint(m), offset = take_varint(m);
  unsigned type = *m->next++;
  return gs_bc_load(m->env, param, offset, (type & 0x3F) + 1, (type & 0x40) != 0, out);
}

gs_eval_code gs_name_value(const gs_eval_env *env, const gs_name *name, int64_t *value) {
  switch (name->kind) {
  case GS_NAME_PARAM:
    return gs_bc_load(env, name->param, name->offset, name->bits, name->is_signed, value);
  case GS_NAME_POINTER:
    return gs_bc_load(env, name->param, name->offset, 64, true, value);
  case GS_NAME_CONSTANT:
    *value = name->value;
    break;
  case GS_NAME_BLOCK:
    *value = env->block[name->axis];
    break;
  case GS_NAME_GRID:
    *value = env->grid[name->axis];
    break;
  case GS_NAME_CLUSTER:
    *value = env->cluster[name->axis];
    break;
  case GS_NAME_DYNAMIC_SMEM:
    *value = env->dynamic_smem;
    break;
  case GS_NAME_CC:
    *value = env->cc;
    break;
  case GS_NAME_WARP_SIZE:
    *value = env->warp_size;
    break;
  case GS_NAME_COOPERATIVE:
    *value = env->cooperative;
    break;
  }
  return GS_EVAL_OK;
}

static gs_eval_code name(machine *m, int64_t *out) {
  const gs_eval_env *env = m->env;
  gs_name_kind kind = (gs_name_kind)*m->next++;
  switch (kind) {
  case GS_NAME_PARAM:
    return load_param(m, out);
  case GS_NAME_BLOCK:
    *out = env->block[*m->next++];
    break;
  case GS_NAME_GRID:
    *out = env->grid[*m->next++];
    break;
  case GS_NAME_CLUSTER:
    *out = env->cluster[*m->next++];
    break;
  case GS_NAME_DYNAMIC_SMEM:
    *out = env->dynamic_smem;
    break;
  case GS_NAME_CC:
    *out = env->cc;
    break;
  case GS_NAME_WARP_SIZE:
    *out = env->warp_size;
    break;
  case GS_NAME_COOPERATIVE:
    *out = env->cooperative;
    break;
  case GS_NAME_POINTER:
  case GS_NAME_CONSTANT:
    return GS_EVAL_MALFORMED; // the verifier lets none pass
  }
  return GS_EVAL_OK;
}

static gs_eval_code pointer(machine *m, gs_bc_op op) {
  gs_name which = {.kind = GS_NAME_POINTER, .bits = 64};
  int64_t args[3] = {0}, value = 0;
  unsigned pops = gs_bc_pops(op);
  which.param = (uint32_t)take_varint(m);
  which.offset = (uint32_t)take_varint(m);
  m->top -= pops;
  memcpy(args, m->top, pops * sizeof *args);
  if (pops > 0 && args[0] < (op == GS_BC_ALIGNED ? 1 : 0))
    return GS_EVAL_ARGUMENT;
  if (!m->env->query)
    return GS_EVAL_UNAVAILABLE;
  gs_eval_code code = m->env->query(m->env->user, (gs_expr_op)op, &which, args, &value);
  *m->top++ = value;
  return code;
}

/// AND, OR, COND and JUMP.
static void skip(machine *m, gs_bc_op op) {
  uint64_t length = take_varint(m);
  if (op == GS_BC_JUMP) {
    m->next += length;
    return;
  }
  bool truth = *--m->top != 0;
  if (truth == (op == GS_BC_OR))
    m->next += length;
  if (op != GS_BC_COND && truth == (op == GS_BC_OR))
    *m->top++ = truth;
}

static inline void keep_sides(machine *m, gs_bc_op op, int64_t a, int64_t b) {
  m->result->compared = true;
  m->result->compare = (gs_expr_op)op;
  m->result->left = a;
  m->result->right = b;
}

static gs_eval_code operate(machine *m, gs_bc_op op) {
  if (op == GS_BC_NEG || op == GS_BC_NOT || op == GS_BC_BITNOT || op == GS_BC_ABS ||
      op == GS_BC_IS_POW2)
    return gs_bc_unary(op, m->top[-1], &m->top[-1]);
  int64_t b = *--m->top, a = m->top[-1];
  if (op >= GS_BC_EQ && op <= GS_BC_GE) {
    keep_sides(m, op, a, b);
    m->top[-1] = gs_bc_compare(op, a, b);
    return GS_EVAL_OK;
  }
  return gs_bc_binary(op, a, b, &m->top[-1]);
}

static inline gs_eval_code run_one(machine *m) {
  gs_bc_op op = (gs_bc_op)*m->next++;
  if (op == GS_BC_NAME)
    return name(m, m->top++);
  if (op == GS_BC_INT) {
    uint64_t raw = take_varint(m);
    *m->top++ = (int64_t)(raw >> 1) ^ -(int64_t)(raw & 1);
    return GS_EVAL_OK;
  }
  if (op == GS_BC_AND || op == GS_BC_OR || op == GS_BC_COND || op == GS_BC_JUMP) {
    skip(m, op);
    return GS_EVAL_OK;
  }
  if (op == GS_BC_BOOL) {
    m->top[-1] = m->top[-1] != 0;
    return GS_EVAL_OK;
  }
  if (op >= GS_BC_ALIGNED && op <= GS_BC_IN_RANGE)
    return pointer(m, op);
  return operate(m, op);
}

void gs_bytecode_eval(const uint8_t *code, size_t size, const gs_eval_env *env,
                      gs_eval_result *result) {
  int64_t stack[GS_BYTECODE_MAX_STACK]; // the verifier bounds it: left unset
  machine m = {code + GS_BC_HEADER, env, result, stack};
  const uint8_t *end = code + size;
  result->compared = false;
  result->value = 0;
  while (m.next < end) {
    const uint8_t *at = m.next;
    result->code = run_one(&m);
    if (result->code != GS_EVAL_OK) {
      result->at = (uint32_t)(at - code);
      return;
    }
  }
  result->code = GS_EVAL_OK;
  result->value = stack[0];
}
