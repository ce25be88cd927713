// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "smt_range.h"

#include <stdlib.h>

typedef struct collector {
  const gs_terms *terms;
  const gs_dag *dag;
  gs_literals *out;
  uint32_t capacity;
  gs_literal *work; ///< still to split
  uint32_t work_count, work_capacity;
  uint8_t *split; ///< by place: bit 0 = seen as false, bit 1 = seen as true
} collector;

static bool append(gs_literal **items, uint32_t *count, uint32_t *capacity, gs_literal literal) {
  if (*count == *capacity) {
    uint32_t next = *capacity ? 2 * *capacity : 64;
    gs_literal *moved = realloc(*items, next * sizeof *moved);
    if (!moved)
      return false;
    *items = moved;
    *capacity = next;
  }
  (*items)[(*count)++] = literal;
  return true;
}

/// Notes work once for each term and polarity: a DAG of shared ANDs stays linear.
static bool schedule(collector *c, gs_term t, bool holds) {
  uint8_t *seen = &c->split[gs_dag_at(c->dag, t)], bit = holds ? 2 : 1;
  if (*seen & bit)
    return true;
  *seen |= bit;
  return append(&c->work, &c->work_count, &c->work_capacity, (gs_literal){t, holds});
}

static bool is_true(const gs_terms *terms, gs_term t) {
  uint64_t value = 0;
  return gs_term_const(terms, t, &value) && value == 1;
}

static bool split(collector *c, gs_literal literal) {
  const gs_node *node = gs_term_node(c->terms, literal.term);
  gs_op junction = literal.holds ? GS_OP_AND : GS_OP_OR;
  if (node->op == (uint8_t)junction)
    return schedule(c, node->arg[0], literal.holds) && schedule(c, node->arg[1], literal.holds);
  if (node->op == GS_OP_XOR && is_true(c->terms, node->arg[1]))
    return schedule(c, node->arg[0], !literal.holds);
  return append(&c->out->items, &c->out->count, &c->capacity, literal);
}

/// From each literal downwards, in reverse order so that users come first.
static void mark_certain(const collector *c, uint8_t *certain) {
  for (uint32_t i = 0; i < c->out->count; i++)
    certain[gs_dag_at(c->dag, c->out->items[i].term)] = 1;
  for (uint32_t at = c->dag->count; at-- > 0;) {
    const gs_node *node = gs_term_node(c->terms, c->dag->terms[at]);
    bool is_junction = node->width == 1 && (node->op == GS_OP_AND || node->op == GS_OP_OR);
    if (!certain[at] || is_junction)
      continue;
    uint32_t run = node->op == GS_OP_ITE ? 1 : gs_op_arity((gs_op)node->op);
    for (uint32_t a = 0; a < run; a++)
      certain[gs_dag_at(c->dag, node->arg[a])] = 1;
  }
}

bool gs_literals_collect(const gs_terms *terms, const gs_dag *dag, const gs_term *hard,
                         size_t count, gs_literals *out, uint8_t *certain) {
  *out = (gs_literals){0};
  collector c = {.terms = terms, .dag = dag, .out = out};
  c.split = calloc(dag->count ? dag->count : 1, 1);
  bool fine = c.split != NULL;
  for (size_t i = 0; fine && i < count; i++)
    fine = schedule(&c, hard[i], true);
  for (uint32_t i = 0; fine && i < c.work_count; i++)
    fine = split(&c, c.work[i]);
  if (fine && certain)
    mark_certain(&c, certain);
  free(c.split);
  free(c.work);
  if (!fine) {
    free(out->items);
    *out = (gs_literals){0};
  }
  return fine;
}
