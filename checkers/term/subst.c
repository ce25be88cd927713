// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Substitution of symbols.
#include "term_store.h"

#include <stdlib.h>
#include <string.h>

static const uint8_t op_arity[] = {
#define GS_OP(name, arity) arity,
#include "term_ops.def"
};

struct gs_subst {
  gs_terms *terms;
  const gs_term *map;
  uint32_t count;
  bool zero_loads;
  gs_term *image; ///< by term; 0 = not yet known
  uint32_t capacity;
  gs_term *order; ///< of the walk in progress
  uint32_t order_capacity;
};

static gs_term rebuild(gs_terms *terms, const gs_node *node, const gs_term *arg) {
  gs_op op = (gs_op)node->op;
  uint64_t c = 0;
  if (op == GS_OP_ITE)
    return gs_mk_ite(terms, arg[0], arg[1], arg[2]);
  if (op == GS_OP_TRUNC)
    return gs_mk_trunc_flags(terms, arg[0], node->width, node->flags, node->origin);
  if (op == GS_OP_ZEXT || op == GS_OP_SEXT)
    return gs_mk_cast(terms, op, arg[0], node->width);
  if (op == GS_OP_LOAD)
    return gs_mk_load(terms, arg[0], node->width, node->origin);
  if (op_arity[op] == 1)
    return gs_mk_un(terms, op, arg[0]);
  if (op == GS_OP_XOR && node->width == 1 && gs_term_const(terms, arg[1], &c) && c)
    return gs_mk_not(terms, arg[0]); // keeps comparisons negated in place
  return gs_mk_bin_flags(terms, op, arg[0], arg[1], node->flags, node->origin);
}

gs_subst *gs_subst_new(gs_terms *terms, const gs_term *map, uint32_t count) {
  gs_subst *subst = calloc(1, sizeof *subst);
  if (subst)
    *subst = (gs_subst){.terms = terms, .map = map, .count = count};
  return subst;
}

void gs_subst_zero_loads(gs_subst *subst) { subst->zero_loads = true; }

void gs_subst_free(gs_subst *subst) {
  if (!subst)
    return;
  free(subst->image);
  free(subst->order);
  free(subst);
}

static bool reserve(gs_subst *subst, uint32_t walked) {
  uint32_t need = subst->terms->count;
  if (subst->capacity < need) {
    uint32_t capacity = need + need / 2;
    gs_term *image = realloc(subst->image, capacity * sizeof *image);
    if (!image)
      return false;
    memset(image + subst->capacity, 0, (capacity - subst->capacity) * sizeof *image);
    subst->image = image;
    subst->capacity = capacity;
  }
  if (subst->order_capacity < walked) {
    gs_term *order = realloc(subst->order, walked * sizeof *order);
    if (!order)
      return false;
    subst->order = order;
    subst->order_capacity = walked;
  }
  return true;
}

static gs_term image_of(gs_subst *subst, gs_term t) {
  gs_terms *terms = subst->terms;
  gs_node node = terms->nodes[t];
  if (node.op == GS_OP_SYM)
    return node.value < subst->count && subst->map[node.value] ? subst->map[node.value] : t;
  if (node.op == GS_OP_LOAD && subst->zero_loads)
    return gs_mk_const(terms, 0, node.width);
  gs_term arg[3] = {0, 0, 0};
  bool changed = false;
  for (uint32_t a = 0; a < op_arity[node.op]; a++) {
    arg[a] = subst->image[node.arg[a]];
    changed |= arg[a] != node.arg[a];
  }
  return changed ? rebuild(terms, &node, arg) : t;
}

gs_term gs_subst_apply(gs_subst *subst, gs_term t) {
  gs_terms *terms = subst->terms;
  if (t && t < subst->capacity && subst->image[t])
    return subst->image[t];
  if (!t || terms->failed || !gs_store_walk(terms, t, subst->image, subst->capacity))
    return GS_NO_TERM;
  // Rebuilding may walk the store again: keep this walk's order.
  uint32_t n = terms->order_count;
  if (!reserve(subst, n))
    return GS_NO_TERM;
  memcpy(subst->order, terms->order, n * sizeof *subst->order);
  for (uint32_t i = 0; i < n; i++)
    if (!subst->image[subst->order[i]])
      subst->image[subst->order[i]] = image_of(subst, subst->order[i]);
  return terms->failed ? GS_NO_TERM : subst->image[t];
}

gs_term gs_term_drop_flags(gs_terms *terms, gs_term t, gs_keep_fn keep, void *user) {
  gs_subst *subst = gs_subst_new(terms, NULL, 0);
  if (!subst || !t || !gs_store_walk(terms, t, NULL, 0) || !reserve(subst, terms->order_count)) {
    gs_subst_free(subst);
    return GS_NO_TERM;
  }
  uint32_t n = terms->order_count;
  memcpy(subst->order, terms->order, n * sizeof *subst->order);
  for (uint32_t i = 0; i < n; i++) {
    gs_term at = subst->order[i], image = image_of(subst, at);
    gs_node node = terms->nodes[image];
    if (node.flags && !keep(user, at, &terms->nodes[at])) {
      node.flags = 0;
      image = rebuild(terms, &node, node.arg);
    }
    subst->image[at] = image;
  }
  gs_term result = subst->image[t];
  gs_subst_free(subst);
  return result;
}

gs_term gs_term_subst(gs_terms *terms, gs_term t, const gs_term *map, uint32_t count) {
  gs_subst *subst = gs_subst_new(terms, map, count);
  gs_term result = subst ? gs_subst_apply(subst, t) : GS_NO_TERM;
  gs_subst_free(subst);
  return result;
}
