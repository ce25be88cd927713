// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "contract_fuzz.h"
#include "contract_names.h"
#include "gs_bytecode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef __int128 wide;

#define REQUIRE(condition)                                                                         \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                              \
      abort();                                                                                     \
    }                                                                                              \
  } while (0)

// ------------------------------------------------------------------ launch ----

enum { PARAMS = 7 };
static const uint32_t param_sizes[PARAMS] = {8, 8, 4, 4, 8, 8, 8};

static uint32_t size_of(const void *user, uint32_t param) {
  (void)user;
  return param < PARAMS ? param_sizes[param] : 0;
}

/// Some answer that depends on everything asked, or a failure.
static gs_eval_code answer(void *user, gs_expr_op op, const gs_name *name, const int64_t *args,
                           int64_t *value) {
  (void)user;
  uint64_t mix = (uint64_t)op * 31 + name->param * 7 + name->offset + (uint64_t)args[0] * 3 +
                 (uint64_t)args[1] * 5 + (uint64_t)args[2] * 11;
  *value = op == GS_EXPR_EXTENT ? (int64_t)(mix % 5000) : (int64_t)(mix & 1);
  return mix % 17 == 0 ? GS_EVAL_UNAVAILABLE : GS_EVAL_OK;
}

/// A launch derived from `seed`; the arguments lie in blocks of exact size.
static void make_env(gs_eval_env *env, void **params, uint64_t seed) {
  static const uint64_t corner[] = {
      0, 1, 255, 256, 1u << 31, UINT32_MAX, INT64_MAX, UINT64_MAX, (uint64_t)INT64_MAX + 1, 1000};
  memset(env, 0, sizeof *env);
  for (unsigned i = 0; i < 3; i++) {
    env->block[i] = (int64_t)(seed % 1024 + i);
    env->grid[i] = (int64_t)(seed / 3 % 70000 + i);
    env->cluster[i] = (int64_t)(seed % 8);
  }
  env->dynamic_smem = (int64_t)(seed % 229376);
  env->cc = 70 + (int64_t)(seed % 50);
  env->warp_size = 32;
  env->cooperative = (int64_t)(seed & 1);
  for (unsigned i = 0; i < PARAMS; i++) {
    uint64_t value = seed % 3 ? corner[(seed / 3 + i) % 10] : seed * (i + 1);
    params[i] = malloc(param_sizes[i]);
    REQUIRE(params[i]);
    memcpy(params[i], &value, param_sizes[i]);
  }
  env->params = (const void *const *)params;
  env->param_count = PARAMS;
  env->query = answer;
}

static void drop_env(void **params) {
  for (unsigned i = 0; i < PARAMS; i++)
    free(params[i]);
}

// --------------------------------------------------------------- reference ----

typedef struct reference {
  const gs_clause *clause;
  const gs_eval_env *env;
  gs_eval_code code;
} reference;

static wide stop(reference *r, gs_eval_code code) {
  r->code = code;
  return 0;
}

static wide ref_param(reference *r, const gs_name *name) {
  uint64_t raw = 0;
  size_t bytes = name->bits <= 8 ? 1 : name->bits <= 16 ? 2 : name->bits <= 32 ? 4 : 8;
  memcpy(&raw, (const char *)r->env->params[name->param] + name->offset, bytes);
  wide value = raw, limit = (wide)1 << name->bits;
  value %= limit;
  if (name->is_signed)
    return value >= limit / 2 ? value - limit : value;
  return value > INT64_MAX ? stop(r, GS_EVAL_UNSIGNED) : value;
}

static wide ref_name(reference *r, const gs_name *name) {
  switch (name->kind) {
  case GS_NAME_PARAM:
    return ref_param(r, name);
  case GS_NAME_CONSTANT:
    return name->value;
  case GS_NAME_BLOCK:
    return r->env->block[name->axis];
  case GS_NAME_GRID:
    return r->env->grid[name->axis];
  case GS_NAME_CLUSTER:
    return r->env->cluster[name->axis];
  case GS_NAME_DYNAMIC_SMEM:
    return r->env->dynamic_smem;
  case GS_NAME_CC:
    return r->env->cc;
  case GS_NAME_WARP_SIZE:
    return r->env->warp_size;
  case GS_NAME_COOPERATIVE:
    return r->env->cooperative;
  case GS_NAME_POINTER:
    break;
  }
  abort();
}

static wide floor_div(wide a, wide b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

static wide ref_divide(reference *r, gs_expr_op op, wide a, wide b) {
  if (b == 0)
    return stop(r, GS_EVAL_DIVISION_BY_ZERO);
  return op == GS_EXPR_DIV ? a / b : op == GS_EXPR_MOD ? a % b : -floor_div(-a, b);
}

static wide ref_bits(reference *r, gs_expr_op op, wide a, wide b) {
  bool shift = op == GS_EXPR_SHL || op == GS_EXPR_SHR;
  if (a < 0 || (!shift && b < 0))
    return stop(r, GS_EVAL_NEGATIVE);
  if (shift && (b < 0 || b > 62))
    return stop(r, GS_EVAL_SHIFT);
  wide power = shift ? (wide)1 << (int)b : 1;
  return op == GS_EXPR_SHL      ? a * power
         : op == GS_EXPR_SHR    ? a / power
         : op == GS_EXPR_BITAND ? (a & b)
         : op == GS_EXPR_BITOR  ? (a | b)
                                : (a ^ b);
}

static wide ref_pointer(reference *r, const gs_expr *node, const wide *x) {
  int64_t args[3] = {(int64_t)x[1], (int64_t)x[2], (int64_t)x[3]}, value = 0;
  if (node->op != GS_EXPR_EXTENT && args[0] < (node->op == GS_EXPR_ALIGNED))
    return stop(r, GS_EVAL_ARGUMENT);
  gs_eval_code code = answer(NULL, node->op, &r->clause->nodes[node->args[0]].name, args, &value);
  return code == GS_EVAL_OK ? value : stop(r, code);
}

static wide ref_apply(reference *r, const gs_expr *node, const wide *x) {
  switch (node->op) {
  case GS_EXPR_INT:
    return node->value;
  case GS_EXPR_NAME:
    return ref_name(r, &node->name);
  case GS_EXPR_ADD:
    return x[0] + x[1];
  case GS_EXPR_SUB:
    return x[0] - x[1];
  case GS_EXPR_MUL:
    return x[0] * x[1];
  case GS_EXPR_DIV:
  case GS_EXPR_MOD:
  case GS_EXPR_CEIL_DIV:
    return ref_divide(r, node->op, x[0], x[1]);
  case GS_EXPR_SHL:
  case GS_EXPR_SHR:
  case GS_EXPR_BITAND:
  case GS_EXPR_BITOR:
  case GS_EXPR_BITXOR:
    return ref_bits(r, node->op, x[0], x[1]);
  case GS_EXPR_BITNOT:
    return x[0] < 0 ? stop(r, GS_EVAL_NEGATIVE) : -x[0] - 1;
  case GS_EXPR_NEG:
    return -x[0];
  case GS_EXPR_NOT:
    return x[0] == 0;
  case GS_EXPR_EQ:
    return x[0] == x[1];
  case GS_EXPR_NE:
    return x[0] != x[1];
  case GS_EXPR_LT:
    return x[0] < x[1];
  case GS_EXPR_LE:
    return x[0] <= x[1];
  case GS_EXPR_GT:
    return x[0] > x[1];
  case GS_EXPR_GE:
    return x[0] >= x[1];
  case GS_EXPR_MIN:
    return x[0] < x[1] ? x[0] : x[1];
  case GS_EXPR_MAX:
    return x[0] > x[1] ? x[0] : x[1];
  case GS_EXPR_ABS:
    return x[0] < 0 ? -x[0] : x[0];
  case GS_EXPR_IS_POW2:
    return x[0] > 0 && (x[0] & (x[0] - 1)) == 0;
  case GS_EXPR_ALIGNED:
  case GS_EXPR_EXTENT:
  case GS_EXPR_INJECTIVE:
  case GS_EXPR_MONOTONE:
  case GS_EXPR_STRICTLY_MONOTONE:
  case GS_EXPR_IN_RANGE:
    return ref_pointer(r, node, x);
  case GS_EXPR_AND:
  case GS_EXPR_OR:
  case GS_EXPR_COND:
    break;
  }
  abort();
}

static wide ref_eval(reference *r, uint32_t index) {
  const gs_expr *node = &r->clause->nodes[index];
  wide x[4] = {0};
  if (node->op == GS_EXPR_AND || node->op == GS_EXPR_OR || node->op == GS_EXPR_COND) {
    bool truth = ref_eval(r, node->args[0]) != 0;
    if (r->code != GS_EVAL_OK)
      return 0;
    if (node->op == GS_EXPR_COND)
      return ref_eval(r, node->args[truth ? 1 : 2]);
    return truth == (node->op == GS_EXPR_OR) ? truth : ref_eval(r, node->args[1]) != 0;
  }
  bool pointer = node->op >= GS_EXPR_ALIGNED;
  for (unsigned i = pointer; i < gs_expr_op_arity(node->op); i++) {
    x[i] = ref_eval(r, node->args[i]);
    if (r->code != GS_EVAL_OK)
      return 0;
  }
  wide value = ref_apply(r, node, x);
  if (r->code == GS_EVAL_OK && (value > INT64_MAX || value < INT64_MIN))
    return stop(r, GS_EVAL_OVERFLOW);
  return r->code == GS_EVAL_OK ? value : 0;
}

/// The decoded program must give what the bytes give.
static void check_decoded(const uint8_t *code, size_t size, const gs_eval_env *env,
                          const gs_eval_result *want) {
  size_t count = gs_bytecode_decode(code, size, NULL, 0);
  gs_insn *insns = malloc(count * sizeof *insns);
  gs_eval_result got;
  REQUIRE(insns && count > 0 && gs_bytecode_decode(code, size, insns, count) == count);
  gs_insns_eval(insns, count, env, &got);
  REQUIRE(got.code == want->code && got.compared == want->compared);
  REQUIRE(got.code != GS_EVAL_OK || got.value == want->value);
  if (got.compared)
    REQUIRE(got.compare == want->compare && got.left == want->left && got.right == want->right);
  free(insns);
}

// -------------------------------------------------------------------- text ----

static void check_value(const gs_clause *clause, const uint8_t *code, size_t size, uint64_t seed) {
  gs_eval_env env;
  void *params[PARAMS];
  gs_eval_result result;
  make_env(&env, params, seed);
  reference r = {clause, &env, GS_EVAL_OK};
  wide want = ref_eval(&r, clause->count - 1);
  gs_bytecode_eval(code, size, &env, &result);
  check_decoded(code, size, &env, &result);
  REQUIRE(result.code == r.code);
  REQUIRE(r.code != GS_EVAL_OK || result.value == (int64_t)want);
  drop_env(params);
}

static void check_program(const gs_clause *clause, uint64_t seed) {
  size_t size = 0, again = 0;
  gs_status status = gs_bytecode_compile(clause, NULL, 0, &size);
  REQUIRE(status == GS_OK || status == GS_ERROR_LIMIT);
  if (status != GS_OK)
    return;
  uint8_t *code = malloc(size);
  REQUIRE(code && gs_bytecode_compile(clause, code, size, &again) == GS_OK && again == size);
  REQUIRE(gs_bytecode_verify(code, size, size_of, NULL, NULL) == GS_OK);
  for (uint64_t i = 0; i < 4; i++)
    check_value(clause, code, size, seed + i * 977);
  free(code);
}

/// Equal but for the order of the nodes, which dim(…) changes, and places.
static bool same_tree(const gs_clause *a, uint32_t i, const gs_clause *b, uint32_t j) {
  const gs_expr *x = &a->nodes[i], *y = &b->nodes[j];
  if (x->op != y->op || x->value != y->value || x->name.kind != y->name.kind ||
      x->name.axis != y->name.axis || x->name.param != y->name.param ||
      x->name.offset != y->name.offset || x->name.value != y->name.value)
    return false;
  for (unsigned k = 0; k < gs_expr_op_arity(x->op); k++)
    if (!same_tree(a, x->args[k], b, y->args[k]))
      return false;
  return true;
}

static void check_print(const gs_clause *clause) {
  size_t need = gs_clause_print(clause, NULL, 0);
  char *once = malloc(need + 1), *twice = malloc(need + 1);
  gs_clause *again = NULL;
  REQUIRE(once && twice && gs_clause_print(clause, once, need + 1) == need);
  gs_status status = gs_clause_parse(once, need, test_resolve, NULL, &again, NULL);
  if (status == GS_ERROR_LIMIT && need > GS_CLAUSE_MAX_TEXT) { // printing may widen
    free(once);
    free(twice);
    return;
  }
  REQUIRE(status == GS_OK && again->count == clause->count);
  REQUIRE(gs_clause_print(again, twice, need + 1) == need && strcmp(once, twice) == 0);
  REQUIRE(same_tree(clause, clause->count - 1, again, again->count - 1));
  gs_clause_free(again);
  free(once);
  free(twice);
}

int fuzz_text(const uint8_t *data, size_t size) {
  gs_clause *clause = NULL;
  gs_parse_error error;
  size_t spans[16][2];
  // A copy of exact size: reading past the text is an error for the sanitizer.
  char *text = malloc(size ? size : 1);
  REQUIRE(text);
  memcpy(text, data, size);
  size_t parts = gs_clause_split(text, size, spans, 16);
  for (size_t i = 0; i < parts && i < 16; i++)
    REQUIRE(spans[i][0] <= spans[i][1] && spans[i][1] <= size);
  gs_status status = gs_clause_parse(text, size, test_resolve, NULL, &clause, &error);
  REQUIRE((status == GS_OK) == (clause != NULL));
  REQUIRE(status == GS_OK || (error.message[0] && error.column <= size));
  if (clause) {
    uint64_t seed = 1469598103934665603u;
    for (size_t i = 0; i < size; i++)
      seed = (seed ^ data[i]) * 1099511628211u;
    check_print(clause);
    check_program(clause, seed);
  }
  gs_clause_free(clause);
  free(text);
  return status == GS_OK;
}

// -------------------------------------------------------------------- code ----

int fuzz_code(const uint8_t *data, size_t size) {
  uint8_t *code = malloc(size ? size : 1);
  char dump[256];
  REQUIRE(code);
  memcpy(code, data, size);
  size_t where = 0, at = 0;
  gs_name name;
  gs_status status = gs_bytecode_verify(code, size, size_of, NULL, &where);
  REQUIRE(where <= size);
  gs_bytecode_print(code, size, dump, sizeof dump);
  while (gs_bytecode_next_name(code, size, &at, &name))
    REQUIRE(at <= size);
  if (status == GS_OK) {
    gs_eval_env env;
    void *params[PARAMS];
    gs_eval_result result;
    uint64_t seed = size > 4 ? data[3] * 257u + data[4] * 65537u : 0;
    make_env(&env, params, seed);
    gs_bytecode_eval(code, size, &env, &result);
    REQUIRE(result.code <= GS_EVAL_UNAVAILABLE);
    check_decoded(code, size, &env, &result);
    drop_env(params);
  }
  free(code);
  return status == GS_OK;
}
