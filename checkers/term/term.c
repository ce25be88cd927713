// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluation and printing.
#include "term_store.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const op_names[] = {
#define GS_OP(name, arity) #name,
#include "term_ops.def"
};
static const uint8_t op_arity[] = {
#define GS_OP(name, arity) arity,
#include "term_ops.def"
};

typedef struct eval_value {
  uint64_t value;
  bool defined;
} eval_value;

/// AND with a false side and OR with a true side are defined whatever the other
/// side is: guards are evaluated from the left and stop there.
static eval_value eval_bin(const gs_node *node, uint8_t width, eval_value a, eval_value b) {
  eval_value r = {0, false};
  if (node->width == 1 && node->op == GS_OP_AND &&
      ((a.defined && !a.value) || (b.defined && !b.value)))
    return (eval_value){0, true};
  if (node->width == 1 && node->op == GS_OP_OR &&
      ((a.defined && a.value) || (b.defined && b.value)))
    return (eval_value){1, true};
  r.defined =
      a.defined && b.defined && gs_fold((gs_op)node->op, width, a.value, b.value, &r.value);
  if (node->width == 1)
    r.value &= 1;
  return r;
}

static eval_value eval_node(const gs_terms *terms, const gs_node *node, const eval_value *memo,
                            const uint64_t *values, gs_load_fn load, void *user) {
  eval_value a = memo[node->arg[0]], r = a;
  uint8_t in_width = terms->nodes[node->arg[0]].width;
  switch ((gs_op)node->op) {
  case GS_OP_CONST: return (eval_value){node->value, true};
  case GS_OP_SYM: return (eval_value){values[node->value] & gs_mask(node->width), true};
  case GS_OP_ITE:
    if (!a.defined)
      return a;
    return memo[node->arg[a.value ? 1 : 2]];
  case GS_OP_ZEXT: return r;
  case GS_OP_SEXT:
    r.value = (uint64_t)gs_sign_extend(a.value, in_width) & gs_mask(node->width);
    return r;
  case GS_OP_TRUNC: r.value = a.value & gs_mask(node->width); return r;
  case GS_OP_CTLZ:
  case GS_OP_CTPOP:
  case GS_OP_BITREVERSE:
    r.defined = a.defined && gs_fold((gs_op)node->op, in_width, a.value, 0, &r.value);
    return r;
  case GS_OP_LOAD:
    r.defined = a.defined && load;
    if (r.defined)
      r.value = load(user, a.value, node->width) & gs_mask(node->width);
    return r;
  case GS_OP_NONE:
  case GS_OP_COUNT: return (eval_value){0, false};
  case GS_OP_ADD:
  case GS_OP_SUB:
  case GS_OP_MUL:
  case GS_OP_UDIV:
  case GS_OP_SDIV:
  case GS_OP_UREM:
  case GS_OP_SREM:
  case GS_OP_SHL:
  case GS_OP_LSHR:
  case GS_OP_ASHR:
  case GS_OP_AND:
  case GS_OP_OR:
  case GS_OP_XOR:
  case GS_OP_EQ:
  case GS_OP_ULT:
  case GS_OP_ULE:
  case GS_OP_SLT:
  case GS_OP_SLE: break;
  }
  return eval_bin(node, in_width, a, memo[node->arg[1]]);
}

bool gs_term_eval(const gs_terms *terms, gs_term t, const uint64_t *values, gs_load_fn load,
                  void *user, uint64_t *out) {
  gs_terms *scratch = (gs_terms *)(uintptr_t)terms; // the walk's scratch is not state
  if (!t || !gs_store_walk(scratch, t, NULL, 0))
    return false;
  uint32_t top = 0;
  for (uint32_t i = 0; i < scratch->order_count; i++)
    top = scratch->order[i] > top ? scratch->order[i] : top;
  eval_value *memo = malloc((top + 1u) * sizeof *memo);
  if (!memo)
    return false;
  memo[0] = (eval_value){0, false};
  for (uint32_t i = 0; i < scratch->order_count; i++) {
    uint32_t at = scratch->order[i];
    memo[at] = eval_node(terms, &terms->nodes[at], memo, values, load, user);
  }
  eval_value result = memo[t];
  free(memo);
  *out = result.value;
  return result.defined;
}

typedef struct printer {
  char *buffer;
  size_t size, used;
} printer;

static void put(printer *p, const char *text) {
  size_t n = strlen(text);
  for (size_t i = 0; i < n; i++, p->used++)
    if (p->used + 1 < p->size)
      p->buffer[p->used] = text[i];
}

static void print_term(const gs_terms *terms, gs_term t, printer *p, int depth) {
  char text[64];
  const gs_node *node = gs_term_node(terms, t);
  if (node->op == GS_OP_CONST) {
    snprintf(text, sizeof text, "%" PRId64 ":%u", gs_sign_extend(node->value, node->width),
             (unsigned)node->width);
    put(p, text);
    return;
  }
  if (node->op == GS_OP_SYM) {
    const gs_sym *sym = gs_sym_get(terms, (uint32_t)node->value);
    put(p, sym->name ? sym->name : "?");
    if (sym->copy) {
      snprintf(text, sizeof text, "'%" PRIu32, sym->copy);
      put(p, text);
    }
    return;
  }
  if (depth > 200) { // trees of shared nodes can be astronomically deep
    put(p, "...");
    return;
  }
  snprintf(text, sizeof text, "(%s:%u", op_names[node->op], (unsigned)node->width);
  put(p, text);
  if (node->flags & GS_NSW)
    put(p, " nsw");
  if (node->flags & GS_NUW)
    put(p, " nuw");
  for (uint32_t i = 0; i < op_arity[node->op]; i++) {
    put(p, " ");
    if (p->used > p->size + 4096)
      break; // the caller only learns "too long"
    print_term(terms, node->arg[i], p, depth + 1);
  }
  put(p, ")");
}

size_t gs_term_print(const gs_terms *terms, gs_term t, char *buffer, size_t size) {
  printer p = {buffer, size, 0};
  if (t)
    print_term(terms, t, &p, 0);
  if (size)
    buffer[p.used < size ? p.used : size - 1] = 0;
  return p.used;
}
