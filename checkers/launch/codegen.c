// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen.h"

#include "gs_bytecode.h"
#include "gs_descriptor.h"

#include <stdlib.h>
#include <string.h>

/// Bounds of the threads of a block along each axis, and of axes together.
typedef struct bounds {
  int64_t lo[3], hi[3];
  int64_t product[8]; ///< at most so many threads along the axes of that bit set
} bounds;

// -------------------------------------------------------------------- constants ----

static bool has_names(const gs_clause *clause, uint32_t at) {
  const gs_expr *e = &clause->nodes[at];
  if (e->op == GS_EXPR_NAME)
    return e->name.kind != GS_NAME_CONSTANT;
  for (unsigned i = 0; i < gs_expr_op_arity(e->op); i++)
    if (has_names(clause, e->args[i]))
      return true;
  return e->op >= GS_EXPR_ALIGNED; // what is asked of pointers
}

/// The value of a part that names nothing: computed as the runtime does it.
static bool constant(const gs_clause *clause, uint32_t at, int64_t *value) {
  gs_clause part = {.text = clause->text, .nodes = clause->nodes, .count = at + 1};
  gs_eval_env none = {.warp_size = 32};
  gs_eval_result result = {.code = GS_EVAL_MALFORMED};
  size_t size = 0;
  if (has_names(clause, at) || gs_bytecode_compile(&part, NULL, 0, &size) != GS_OK)
    return false;
  uint8_t *code = malloc(size);
  if (code && gs_bytecode_compile(&part, code, size, &size) == GS_OK)
    gs_bytecode_eval(code, size, &none, &result);
  free(code);
  *value = result.value;
  return result.code == GS_EVAL_OK;
}

// ---------------------------------------------------------------------- clauses ----

/// The axes of `block.x * block.y` as a bit set; 0 when it is anything else.
static unsigned axes_of(const gs_clause *clause, uint32_t at) {
  const gs_expr *e = &clause->nodes[at];
  if (e->op == GS_EXPR_NAME && e->name.kind == GS_NAME_BLOCK)
    return 1u << e->name.axis;
  if (e->op != GS_EXPR_MUL)
    return 0;
  unsigned a = axes_of(clause, e->args[0]), b = axes_of(clause, e->args[1]);
  return a && b && !(a & b) ? a | b : 0;
}

static void at_most(bounds *b, unsigned axes, int64_t value) {
  for (int d = 0; d < 3; d++)
    if (axes == 1u << d && value < b->hi[d])
      b->hi[d] = value;
  if (value < b->product[axes])
    b->product[axes] = value;
}

static void at_least(bounds *b, unsigned axes, int64_t value) {
  for (int d = 0; d < 3; d++)
    if (axes == 1u << d && value > b->lo[d])
      b->lo[d] = value;
}

/// `a op b` read from its other end.
static gs_expr_op mirrored(gs_expr_op op) {
  return op == GS_EXPR_LT   ? GS_EXPR_GT
         : op == GS_EXPR_LE ? GS_EXPR_GE
         : op == GS_EXPR_GT ? GS_EXPR_LT
         : op == GS_EXPR_GE ? GS_EXPR_LE
                            : op;
}

static void compare(bounds *b, unsigned axes, gs_expr_op op, int64_t value) {
  if (op == GS_EXPR_EQ || op == GS_EXPR_LE)
    at_most(b, axes, value);
  if (op == GS_EXPR_LT && value > INT64_MIN)
    at_most(b, axes, value - 1);
  if (op == GS_EXPR_EQ || op == GS_EXPR_GE)
    at_least(b, axes, value);
  if (op == GS_EXPR_GT && value < INT64_MAX)
    at_least(b, axes, value + 1);
}

static void read_clause(bounds *b, const gs_clause *clause, uint32_t at) {
  const gs_expr *e = &clause->nodes[at];
  int64_t value = 0;
  if (e->op == GS_EXPR_AND) {
    read_clause(b, clause, e->args[0]);
    read_clause(b, clause, e->args[1]);
  }
  if (e->op < GS_EXPR_EQ || e->op > GS_EXPR_GE)
    return;
  unsigned left = axes_of(clause, e->args[0]), right = axes_of(clause, e->args[1]);
  if (left && constant(clause, e->args[1], &value))
    compare(b, left, e->op, value);
  else if (right && constant(clause, e->args[0], &value))
    compare(b, right, mirrored(e->op), value);
}

/// The best of all ways to split the three axes into known products.
static int64_t most_threads(const bounds *b, unsigned axes) {
  int64_t best = b->product[axes];
  for (unsigned part = (axes - 1) & axes; part; part = (part - 1) & axes) {
    int64_t first = b->product[part], rest = most_threads(b, axes & ~part);
    if (first > 0 && first <= UINT32_MAX && rest > 0 && rest <= UINT32_MAX && first * rest < best)
      best = first * rest;
  }
  return best;
}

gs_codegen gs_contract_codegen(const gs_kernel_desc *kernel, uint32_t assumed) {
  enum { EVERY_DEVICE = 1024 };
  gs_codegen out = {0};
  bounds b = {.lo = {1, 1, 1}};
  for (int d = 0; d < 3; d++)
    b.hi[d] = INT64_MAX;
  for (int i = 0; i < 8; i++)
    b.product[i] = INT64_MAX;
  if (assumed & GS_DESC_ASSUME_BLOCK_Y_ONE)
    at_most(&b, 2, 1);
  if (assumed & GS_DESC_ASSUME_BLOCK_Z_ONE)
    at_most(&b, 4, 1);
  for (uint32_t i = 0; i < kernel->fact_count; i++)
    if (kernel->facts[i].origin == GS_FACT_CONTRACT)
      read_clause(&b, kernel->facts[i].clause, kernel->facts[i].clause->count - 1);
  int64_t most = most_threads(&b, 7);
  if (most < 1 || most >= EVERY_DEVICE + 1)
    most = 0; // no launch is allowed, or any
  bool fixed = most > 0;
  for (int d = 0; d < 3; d++)
    fixed = fixed && b.lo[d] == b.hi[d];
  for (int d = 0; fixed && d < 3; d++)
    out.block[d] = (uint32_t)b.lo[d];
  out.max_threads = (uint32_t)(most < EVERY_DEVICE || fixed ? most : 0);
  return out;
}

// --------------------------------------------------------------------- pointers ----

static bool has_count(const gs_kernel_desc *kernel, uint32_t param) {
  for (uint32_t i = 0; i < kernel->claim_count; i++) {
    const gs_claim *claim = &kernel->claims[i];
    if (claim->kind != GS_CLAIM_TRUSTED && claim->param == (int32_t)param && claim->count)
      return true;
  }
  return false;
}

bool gs_contract_no_alias(const gs_kernel_desc *kernel, const gs_kernel_result *result) {
  unsigned pointers = 0;
  // Without a contract the proof may hang on the launches that the unit shows.
  bool any_launch = kernel->fact_count > 0 && !result->reaches_beyond;
  for (uint32_t i = 0; i < kernel->fact_count; i++)
    any_launch = any_launch && kernel->facts[i].origin == GS_FACT_CONTRACT;
  if (!any_launch)
    return false;
  for (uint32_t i = 0; i < kernel->param_count; i++) {
    const gs_param_desc *param = &kernel->params[i];
    for (uint32_t k = 0; k < param->field_count; k++)
      if (param->fields[k].kind == GS_TYPE_POINTER)
        return false; // in a structure: has no count
    if (param->kind == GS_TYPE_OTHER)
      return false;
    if (param->kind == GS_TYPE_POINTER && !has_count(kernel, i))
      return false;
    pointers += param->kind == GS_TYPE_POINTER;
  }
  return pointers > 1;
}
