// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The arithmetic of clauses, for both evaluators; private to attrs/.
#ifndef GS_BYTECODE_ARITH_H
#define GS_BYTECODE_ARITH_H

#include "bytecode_format.h"

#include <string.h>

static inline gs_eval_code gs_bc_add(int64_t a, int64_t b, int64_t *out) {
  if (b > 0 ? a > INT64_MAX - b : a < INT64_MIN - b)
    return GS_EVAL_OVERFLOW;
  *out = a + b;
  return GS_EVAL_OK;
}

static inline gs_eval_code gs_bc_sub(int64_t a, int64_t b, int64_t *out) {
  if (b > 0 ? a < INT64_MIN + b : a > INT64_MAX + b)
    return GS_EVAL_OVERFLOW;
  *out = a - b;
  return GS_EVAL_OK;
}

static inline gs_eval_code gs_bc_mul(int64_t a, int64_t b, int64_t *out) {
#if defined(__GNUC__)
  return __builtin_mul_overflow(a, b, out) ? GS_EVAL_OVERFLOW : GS_EVAL_OK;
#else
  bool over = a > 0 ? (b > 0 ? a > INT64_MAX / b : b < INT64_MIN / a)
                    : (b > 0 ? a < INT64_MIN / b : a != 0 && b < INT64_MAX / a);
  if (over)
    return GS_EVAL_OVERFLOW;
  *out = a * b;
  return GS_EVAL_OK;
#endif
}

/// Truncates, as C does.
static inline gs_eval_code gs_bc_divide(gs_bc_op op, int64_t a, int64_t b, int64_t *out) {
  if (b == 0)
    return GS_EVAL_DIVISION_BY_ZERO;
  if (b == -1) { // INT64_MIN / -1 traps; its remainder is 0 all the same
    *out = 0;
    return op == GS_BC_MOD ? GS_EVAL_OK : gs_bc_sub(0, a, out);
  }
  // ceil_div rounds up: truncation is that already when the signs differ.
  bool up = op == GS_BC_CEIL_DIV && a % b != 0 && (a < 0) == (b < 0);
  *out = op == GS_BC_MOD ? a % b : a / b + up;
  return GS_EVAL_OK;
}

static inline gs_eval_code gs_bc_shift(gs_bc_op op, int64_t a, int64_t b, int64_t *out) {
  if (a < 0)
    return GS_EVAL_NEGATIVE;
  if (b < 0 || b > 62)
    return GS_EVAL_SHIFT;
  if (op == GS_BC_SHL && a > INT64_MAX >> b)
    return GS_EVAL_OVERFLOW;
  *out = op == GS_BC_SHL ? (int64_t)((uint64_t)a << b) : a >> b;
  return GS_EVAL_OK;
}

static inline gs_eval_code gs_bc_bitwise(gs_bc_op op, int64_t a, int64_t b, int64_t *out) {
  if (a < 0 || b < 0)
    return GS_EVAL_NEGATIVE;
  *out = op == GS_BC_BITAND ? a & b : op == GS_BC_BITOR ? a | b : a ^ b;
  return GS_EVAL_OK;
}

static inline gs_eval_code gs_bc_unary(gs_bc_op op, int64_t a, int64_t *out) {
  if (op == GS_BC_NEG || (op == GS_BC_ABS && a < 0))
    return gs_bc_sub(0, a, out);
  if (op == GS_BC_BITNOT && a < 0)
    return GS_EVAL_NEGATIVE;
  *out = op == GS_BC_BITNOT    ? ~a
         : op == GS_BC_NOT     ? a == 0
         : op == GS_BC_IS_POW2 ? a > 0 && (a & (a - 1)) == 0
                               : a; // ABS
  return GS_EVAL_OK;
}

static inline bool gs_bc_compare(gs_bc_op op, int64_t a, int64_t b) {
  return op == GS_BC_EQ   ? a == b
         : op == GS_BC_NE ? a != b
         : op == GS_BC_LT ? a < b
         : op == GS_BC_LE ? a <= b
         : op == GS_BC_GT ? a > b
                          : a >= b;
}

static inline gs_eval_code gs_bc_binary(gs_bc_op op, int64_t a, int64_t b, int64_t *out) {
  if (op == GS_BC_ADD)
    return gs_bc_add(a, b, out);
  if (op == GS_BC_SUB)
    return gs_bc_sub(a, b, out);
  if (op == GS_BC_MUL)
    return gs_bc_mul(a, b, out);
  if (op == GS_BC_DIV || op == GS_BC_MOD || op == GS_BC_CEIL_DIV)
    return gs_bc_divide(op, a, b, out);
  if (op == GS_BC_SHL || op == GS_BC_SHR)
    return gs_bc_shift(op, a, b, out);
  if (op == GS_BC_BITAND || op == GS_BC_BITOR || op == GS_BC_BITXOR)
    return gs_bc_bitwise(op, a, b, out);
  *out = (op == GS_BC_MIN) == (a < b) ? a : b;
  return GS_EVAL_OK;
}

/// Reads an integer of 1 to 64 bits out of an argument.
static inline gs_eval_code gs_bc_load(const gs_eval_env *env, uint64_t param, uint64_t offset,
                                      unsigned bits, bool is_signed, int64_t *out) {
  uint64_t value;
  uint8_t narrow;
  uint16_t half;
  uint32_t word;
  if (param >= env->param_count || !env->params || !env->params[param])
    return GS_EVAL_UNAVAILABLE;
  const unsigned char *at = (const unsigned char *)env->params[param] + offset;
  if (bits <= 8) {
    memcpy(&narrow, at, sizeof narrow);
    value = narrow;
  } else if (bits <= 16) {
    memcpy(&half, at, sizeof half);
    value = half;
  } else if (bits <= 32) {
    memcpy(&word, at, sizeof word);
    value = word;
  } else
    memcpy(&value, at, sizeof value);
  uint64_t sign = (uint64_t)1 << (bits - 1);
  value &= sign | (sign - 1); // padding bits of a bool or _BitInt
  if (is_signed)
    *out = (int64_t)((value ^ sign) - sign);
  else if (value > INT64_MAX)
    return GS_EVAL_UNSIGNED;
  else
    *out = (int64_t)value;
  return GS_EVAL_OK;
}

#endif
