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

static inline const void *argument(const gs_eval_env *env, const gs_insn *insn) {
  if (insn->param >= env->param_count || !env->params || !env->params[insn->param])
    return NULL;
  return (const char *)env->params[insn->param] + insn->u.at.offset;
}

/// Arguments of 32 bits, and signed ones of 64.
static inline gs_eval_code load_word(const gs_eval_env *env, const gs_insn *insn, int64_t *out) {
  const void *at = argument(env, insn);
  int32_t word;
  if (!at)
    return GS_EVAL_UNAVAILABLE;
  if (insn->op == OP_I64) {
    memcpy(out, at, sizeof *out);
    return GS_EVAL_OK;
  }
  memcpy(&word, at, sizeof word);
  *out = insn->op == OP_I32 ? word : (int64_t)(uint32_t)word;
  return GS_EVAL_OK;
}

static gs_eval_code load_any(const gs_eval_env *env, const gs_insn *insn, int64_t *out) {
  return gs_bc_load(env, insn->param, insn->u.at.offset, (insn->type & 0x3Fu) + 1,
                    (insn->type & 0x40) != 0, out);
}

/// \param args the values that the function takes; the first becomes the answer
static gs_eval_code ask(const gs_eval_env *env, const gs_insn *insn, int64_t *args) {
  gs_name which = {.kind = GS_NAME_POINTER, .bits = 64, .param = insn->param};
  int64_t copy[3] = {0}, value = 0;
  gs_bc_op op = (gs_bc_op)insn->op;
  unsigned pops = gs_bc_pops(op);
  which.offset = insn->u.at.offset;
  memcpy(copy, args, pops * sizeof *copy);
  if (pops > 0 && copy[0] < (op == GS_BC_ALIGNED ? 1 : 0))
    return GS_EVAL_ARGUMENT;
  if (!env->query)
    return GS_EVAL_UNAVAILABLE;
  gs_eval_code code = env->query(env->user, (gs_expr_op)op, &which, copy, &value);
  args[0] = value;
  return code;
}

static gs_eval_code unary(unsigned op, int64_t *value) {
  return gs_bc_unary((gs_bc_op)op, *value, value);
}

static gs_eval_code binary(unsigned op, int64_t *sides) {
  return gs_bc_binary((gs_bc_op)op, sides[0], sides[1], &sides[0]);
}

static inline void relate(unsigned op, int64_t *sides, gs_eval_result *result) {
  result->compared = true;
  result->compare = (gs_expr_op)op;
  result->left = sides[0];
  result->right = sides[1];
  sides[0] = gs_bc_compare((gs_bc_op)op, sides[0], sides[1]);
}

/// The loop. Its state lives in local variables, so that it stays in registers: no
/// helper gets the address of `top` or `next`.
void gs_insns_eval(const gs_insn *insns, size_t count, const gs_eval_env *env,
                   gs_eval_result *result) {
  int64_t stack[GS_BYTECODE_MAX_STACK]; // the verifier bounds it: left unset
  int64_t *top = stack;                 // one past the topmost value
  const gs_insn *next = insns, *end = insns + count;
  gs_eval_code code = GS_EVAL_OK;
  bool truth;
  result->compared = false;
  result->value = 0;
  while (next < end && code == GS_EVAL_OK) {
    const gs_insn *insn = next++;
    switch (insn->op) {
    case GS_BC_INT:
      *top++ = insn->u.value;
      break;
    case OP_ENV:
      memcpy(top++, (const char *)env + insn->u.at.offset, sizeof *top);
      break;
    case OP_I32:
    case OP_U32:
    case OP_I64:
      code = load_word(env, insn, top++);
      break;
    case OP_LOAD:
      code = load_any(env, insn, top++);
      break;
    case GS_BC_EQ:
    case GS_BC_NE:
    case GS_BC_LT:
    case GS_BC_LE:
    case GS_BC_GT:
    case GS_BC_GE:
      relate(insn->op, --top - 1, result);
      break;
    case GS_BC_AND:
    case GS_BC_OR:
    case GS_BC_COND:
      truth = *--top != 0;
      if (truth != (insn->op == GS_BC_OR))
        break;
      next += insn->u.at.skip;
      if (insn->op != GS_BC_COND) // AND and OR leave their verdict when they decide
        *top++ = truth;
      break;
    case OP_JUMP:
      next += insn->u.at.skip;
      break;
    case OP_BOOL:
      top[-1] = top[-1] != 0;
      break;
    case GS_BC_NEG:
    case GS_BC_NOT:
    case GS_BC_BITNOT:
    case GS_BC_ABS:
    case GS_BC_IS_POW2:
      code = unary(insn->op, top - 1);
      break;
    case GS_BC_ALIGNED:
    case GS_BC_EXTENT:
    case GS_BC_INJECTIVE:
    case GS_BC_MONOTONE:
    case GS_BC_STRICTLY_MONOTONE:
    case GS_BC_IN_RANGE:
      top -= gs_bc_pops((gs_bc_op)insn->op);
      code = ask(env, insn, top++);
      break;
    default:
      code = binary(insn->op, --top - 1);
      break;
    }
  }
  result->code = code;
  result->at = (uint32_t)(next - insns - 1);
  result->value = code == GS_EVAL_OK ? stack[0] : 0;
}
