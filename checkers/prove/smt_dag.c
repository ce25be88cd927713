// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "smt_dag.h"

#include <stdlib.h>

static const uint8_t arity[] = {
#define GS_OP(name, arity) arity,
#include "term_ops.def"
};

uint32_t gs_op_arity(gs_op op) { return arity[op]; }

typedef struct stack {
  gs_term *items;
  size_t count, capacity;
} stack;

static bool push(stack *s, gs_term t) {
  if (s->count == s->capacity) {
    size_t capacity = s->capacity ? 2 * s->capacity : 256;
    gs_term *items = realloc(s->items, capacity * sizeof *items);
    if (!items)
      return false;
    s->items = items;
    s->capacity = capacity;
  }
  s->items[s->count++] = t;
  return true;
}

/// Marks t in `slot` and notes it when it was not seen before.
static bool visit(gs_dag *dag, stack *found, gs_term t) {
  if (dag->slot[t])
    return true;
  dag->slot[t] = 1;
  return push(found, t);
}

static int by_index(const void *a, const void *b) {
  gs_term x = *(const gs_term *)a, y = *(const gs_term *)b;
  return (x > y) - (x < y);
}

bool gs_dag_collect(const gs_terms *terms, const gs_term *roots, size_t root_count, gs_dag *dag) {
  stack found = {0};
  *dag = (gs_dag){.slot_count = (uint32_t)gs_terms_count(terms)};
  dag->slot = calloc(dag->slot_count ? dag->slot_count : 1, sizeof *dag->slot);
  bool fine = dag->slot != NULL;
  for (size_t i = 0; fine && i < root_count; i++)
    fine = roots[i] && roots[i] < dag->slot_count && visit(dag, &found, roots[i]);
  for (size_t i = 0; fine && i < found.count; i++) {
    const gs_node *node = gs_term_node(terms, found.items[i]);
    for (uint32_t a = 0; fine && a < arity[node->op]; a++)
      fine = visit(dag, &found, node->arg[a]);
  }
  if (!fine) {
    free(found.items);
    gs_dag_free(dag);
    return false;
  }
  // A node can only refer to nodes made before it, so index order is operand order.
  if (found.count)
    qsort(found.items, found.count, sizeof *found.items, by_index);
  dag->terms = found.items;
  dag->count = (uint32_t)found.count;
  for (uint32_t i = 0; i < dag->count; i++)
    dag->slot[dag->terms[i]] = i + 1;
  return true;
}

void gs_dag_free(gs_dag *dag) {
  free(dag->terms);
  free(dag->slot);
  *dag = (gs_dag){0};
}
