// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Evaluation of decoded programs: for kernels that are launched again and again.
/// Operands are found in advance: a launch value is a place in the environment, an
/// argument has its width and sign in the operation.
#include "bytecode_arith.h"

#include <stddef.h>

/// Operations beside those of the language, above their numbers.
enum {
  OP_BOOL = GS_BC_OPERATORS,
  OP_JUMP,
  OP_ENV,  ///< int64_t at u.at.offset of the environment
  OP_I32,  ///< argument, signed 32 bits
  OP_U32,  ///< argument, unsigned 32 bits
  OP_I64,  ///< argument, signed 64 bits
  OP_LOAD, ///< argument, any other type
};

// -------------------------------------------------------------------- decode ----

static uint32_t env_offset(const gs_name *name) {
  size_t axis = name->axis * sizeof(int64_t);
  switch (name->kind) {
  case GS_NAME_BLOCK:
    return (uint32_t)(offsetof(gs_eval_env, block) + axis);
  case GS_NAME_GRID:
    return (uint32_t)(offsetof(gs_eval_env, grid) + axis);
  case GS_NAME_CLUSTER:
    return (uint32_t)(offsetof(gs_eval_env, cluster) + axis);
  case GS_NAME_DYNAMIC_SMEM:
    return offsetof(gs_eval_env, dynamic_smem);
  case GS_NAME_CC:
    return offsetof(gs_eval_env, cc);
  case GS_NAME_WARP_SIZE:
    return offsetof(gs_eval_env, warp_size);
  case GS_NAME_COOPERATIVE:
    return offsetof(gs_eval_env, cooperative);
  case GS_NAME_PARAM:
  case GS_NAME_POINTER:
  case GS_NAME_CONSTANT:
    break;
  }
  return 0;
}

static void decode_name(const gs_name *name, gs_insn *out) {
  if (name->kind != GS_NAME_PARAM) {
    out->op = OP_ENV;
    out->u.at.offset = env_offset(name);
    return;
  }
  out->op = OP_LOAD;
  if (name->bits == 32)
    out->op = name->is_signed ? OP_I32 : OP_U32;
  else if (name->bits == 64 && name->is_signed)
    out->op = OP_I64;
  out->type = (uint8_t)((name->bits - 1) | (name->is_signed ? 0x40u : 0u));
  out->param = name->param;
  out->u.at.offset = name->offset;
}

static void decode_one(const gs_bc_insn *from, gs_insn *out) {
  memset(out, 0, sizeof *out);
  out->op = from->op == GS_BC_BOOL ? OP_BOOL : from->op == GS_BC_JUMP ? OP_JUMP : (uint8_t)from->op;
  if (from->op == GS_BC_INT)
    out->u.value = from->value;
  else if (from->op == GS_BC_NAME)
    decode_name(&from->name, out);
  else if (gs_bc_shape_of(from->op) == GS_BC_SHAPE_POINTER) {
    out->param = from->name.param;
    out->u.at.offset = from->name.offset;
  }
}

/// How many instructions lie in the `skip` bytes from `at`.
static uint32_t count_skipped(const uint8_t *code, size_t size, size_t at, uint32_t skip) {
  gs_bc_insn insn;
  size_t end = at + skip;
  uint32_t count = 0;
  for (; at < end && gs_bc_decode(code, size, at, &insn); at = insn.end)
    count++;
  return count;
}

size_t gs_bytecode_decode(const uint8_t *code, size_t size, gs_insn *insns, size_t capacity) {
  gs_bc_insn insn;
  size_t count = 0;
  for (size_t at = GS_BC_HEADER; gs_bc_decode(code, size, at, &insn); at = insn.end, count++) {
    if (!insns || count >= capacity)
      continue;
    decode_one(&insn, &insns[count]);
    if (gs_bc_shape_of(insn.op) == GS_BC_SHAPE_SKIP)
      insns[count].u.at.skip = count_skipped(code, size, insn.end, insn.skip);
  }
  return count;
}

// ---------------------------------------------------------------------- eval ----

typedef struct runner {
  const gs_insn *next;
  const gs_eval_env *env;
  gs_eval_result *result;
  int64_t *top; ///< one past the topmost value
} runner;

static inline const void *argument(const runner *r, const gs_insn *insn) {
  const gs_eval_env *env = r->env;
  if (insn->param >= env->param_count || !env->params || !env->params[insn->param])
    return NULL;
  return (const char *)env->params[insn->param] + insn->u.at.offset;
}

static inline gs_eval_code load_word(runner *r, const gs_insn *insn) {
  const void *at = argument(r, insn);
  int32_t word;
  if (!at)
    return GS_EVAL_UNAVAILABLE;
  if (insn->op == OP_I64) {
    memcpy(r->top++, at, sizeof(int64_t));
    return GS_EVAL_OK;
  }
  memcpy(&word, at, sizeof word);
  *r->top++ = insn->op == OP_I32 ? word : (int64_t)(uint32_t)word;
  return GS_EVAL_OK;
}

static gs_eval_code load_any(runner *r, const gs_insn *insn) {
  return gs_bc_load(r->env, insn->param, insn->u.at.offset, (insn->type & 0x3Fu) + 1,
                    (insn->type & 0x40) != 0, r->top++);
}

static gs_eval_code ask(runner *r, const gs_insn *insn) {
  gs_name which = {.kind = GS_NAME_POINTER, .bits = 64, .param = insn->param};
  int64_t args[3] = {0}, value = 0;
  gs_bc_op op = (gs_bc_op)insn->op;
  unsigned pops = gs_bc_pops(op);
  which.offset = insn->u.at.offset;
  r->top -= pops;
  memcpy(args, r->top, pops * sizeof *args);
  if (pops > 0 && args[0] < (op == GS_BC_ALIGNED ? 1 : 0))
    return GS_EVAL_ARGUMENT;
  if (!r->env->query)
    return GS_EVAL_UNAVAILABLE;
  gs_eval_code code = r->env->query(r->env->user, (gs_expr_op)op, &which, args, &value);
  *r->top++ = value;
  return code;
}

/// AND and OR leave their verdict when they decide.
static inline void skip(runner *r, const gs_insn *insn) {
  bool truth = *--r->top != 0, stop = insn->op == GS_BC_OR;
  if (truth != stop)
    return;
  r->next += insn->u.at.skip;
  if (insn->op != GS_BC_COND)
    *r->top++ = truth;
}

static inline void relate(runner *r, gs_bc_op op) {
  int64_t b = *--r->top, a = r->top[-1];
  r->result->compared = true;
  r->result->compare = (gs_expr_op)op;
  r->result->left = a;
  r->result->right = b;
  r->top[-1] = gs_bc_compare(op, a, b);
}

static inline gs_eval_code combine(runner *r, gs_bc_op op) {
  int64_t b = *--r->top, a = r->top[-1];
  return gs_bc_binary(op, a, b, &r->top[-1]);
}

static inline gs_eval_code run_one(runner *r, const gs_insn *insn) {
  switch (insn->op) {
  case GS_BC_INT:
    *r->top++ = insn->u.value;
    return GS_EVAL_OK;
  case OP_ENV:
    memcpy(r->top++, (const char *)r->env + insn->u.at.offset, sizeof(int64_t));
    return GS_EVAL_OK;
  case OP_I32:
  case OP_U32:
  case OP_I64:
    return load_word(r, insn);
  case OP_LOAD:
    return load_any(r, insn);
  case GS_BC_EQ:
  case GS_BC_NE:
  case GS_BC_LT:
  case GS_BC_LE:
  case GS_BC_GT:
  case GS_BC_GE:
    relate(r, (gs_bc_op)insn->op);
    return GS_EVAL_OK;
  case GS_BC_ADD:
    return combine(r, GS_BC_ADD);
  case GS_BC_SUB:
    return combine(r, GS_BC_SUB);
  case GS_BC_MUL:
    return combine(r, GS_BC_MUL);
  case GS_BC_AND:
  case GS_BC_OR:
  case GS_BC_COND:
    skip(r, insn);
    return GS_EVAL_OK;
  case OP_JUMP:
    r->next += insn->u.at.skip;
    return GS_EVAL_OK;
  case OP_BOOL:
    r->top[-1] = r->top[-1] != 0;
    return GS_EVAL_OK;
  case GS_BC_NEG:
  case GS_BC_NOT:
  case GS_BC_BITNOT:
  case GS_BC_ABS:
  case GS_BC_IS_POW2:
    return gs_bc_unary((gs_bc_op)insn->op, r->top[-1], &r->top[-1]);
  case GS_BC_ALIGNED:
  case GS_BC_EXTENT:
  case GS_BC_INJECTIVE:
  case GS_BC_MONOTONE:
  case GS_BC_STRICTLY_MONOTONE:
  case GS_BC_IN_RANGE:
    return ask(r, insn);
  default:
    return combine(r, (gs_bc_op)insn->op);
  }
}

void gs_insns_eval(const gs_insn *insns, size_t count, const gs_eval_env *env,
                   gs_eval_result *result) {
  int64_t stack[GS_BYTECODE_MAX_STACK]; // the verifier bounds it: left unset
  runner r = {insns, env, result, stack};
  const gs_insn *end = insns + count;
  result->compared = false;
  result->value = 0;
  while (r.next < end) {
    const gs_insn *insn = r.next++;
    result->code = run_one(&r, insn);
    if (result->code != GS_EVAL_OK) {
      result->at = (uint32_t)(insn - insns);
      return;
    }
  }
  result->code = GS_EVAL_OK;
  result->value = stack[0];
}
