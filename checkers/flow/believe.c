// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "believe.h"

#include <stdlib.h>
#include <string.h>

typedef struct believed {
  const gs_program *program;
  unsigned char *marks; ///< by term: part of the address, or a bound
  unsigned char *asked; ///< by term: its comparisons were looked at
  unsigned char *syms;  ///< scratch
  size_t count;
} believed;

static bool keeps_flags(void *user, gs_term t, const gs_node *node) {
  const believed *b = user;
  if (!node->origin || node->origin >= b->program->origin_count ||
      b->program->origins[node->origin].kind == GS_ORIGIN_COUNTER)
    return true;
  return t < b->count && b->marks[t];
}

static bool has_sym(const believed *b, gs_term t, uint32_t sym) {
  memset(b->syms, 0, gs_sym_count(b->program->terms) + 1u);
  gs_term_syms(b->program->terms, t, b->syms);
  return b->syms[sym];
}

static gs_level level_of(const believed *b, gs_term t) {
  return (gs_level)gs_term_node(b->program->terms, t)->level;
}

/// \param trip of a loop; GS_NONE: what is not one value for the launch is compared with what is
static void mark_bound(believed *b, const gs_node *node, uint32_t trip) {
  for (int side = 0; side < 2; side++) {
    gs_term index = node->arg[side], bound = node->arg[1 - side];
    bool bounds = trip == GS_NONE ? level_of(b, index) > GS_LEVEL_GRID && level_of(b, bound) == GS_LEVEL_GRID
                                  : has_sym(b, index, trip) && !has_sym(b, bound, trip);
    if (b->marks[index] && bounds)
      gs_term_mark(b->program->terms, bound, b->marks);
  }
}

/// Follows a condition down to its comparisons, each term once.
static void mark_bounds(believed *b, gs_term t, uint32_t trip, int depth) {
  enum { MAX_DEPTH = 64 };
  const gs_node node = *gs_term_node(b->program->terms, t);
  if (b->asked[t] || depth == MAX_DEPTH)
    return;
  b->asked[t] = 1;
  if (node.width == 1 && (node.op == GS_OP_AND || node.op == GS_OP_OR || node.op == GS_OP_XOR)) {
    mark_bounds(b, node.arg[0], trip, depth + 1);
    mark_bounds(b, node.arg[1], trip, depth + 1);
  } else if (node.op == GS_OP_SLT || node.op == GS_OP_SLE || node.op == GS_OP_ULT ||
             node.op == GS_OP_ULE) {
    mark_bound(b, &node, trip);
  }
}

bool gs_believe(const gs_program *p, uint32_t access, uint32_t block, gs_term *terms,
                uint32_t count) {
  believed b = {.program = p, .count = gs_terms_count(p->terms)};
  const gs_access *a = &p->accesses[access];
  b.marks = calloc(b.count + 1, 1);
  b.asked = calloc(b.count + 1, 1);
  b.syms = malloc(gs_sym_count(p->terms) + 1u);
  bool fine = b.marks && b.asked && b.syms;
  for (uint32_t i = 0; fine && i < a->target_count; i++)
    gs_term_mark(p->terms, a->targets[i].offset, b.marks);
  for (uint32_t l = p->blocks[block].loop; fine && l != GS_NONE; l = p->loops[l].parent) {
    memset(b.asked, 0, b.count);
    mark_bounds(&b, p->loops[l].again, p->loops[l].trip_sym, 0);
  }
  if (fine)
    memset(b.asked, 0, b.count);
  for (uint32_t i = 0; fine && i < count; i++)
    if (gs_term_width(p->terms, terms[i]) == 1)
      mark_bounds(&b, terms[i], GS_NONE, 0);
  for (uint32_t i = 0; fine && i < count; i++)
    terms[i] = gs_term_drop_flags(p->terms, terms[i], keeps_flags, &b);
  free(b.marks);
  free(b.asked);
  free(b.syms);
  return fine;
}

bool gs_believe_counters(const gs_program *p, gs_term *terms, uint32_t count) {
  believed b = {.program = p}; // nothing is marked
  for (uint32_t i = 0; i < count; i++)
    terms[i] = gs_term_drop_flags(p->terms, terms[i], keeps_flags, &b);
  return !gs_terms_failed(p->terms);
}

static bool is_no_index(void *user, gs_term t, const gs_node *node) {
  const gs_program *p = user;
  (void)t;
  return !node->origin || node->origin >= p->origin_count || p->origins[node->origin].kind != GS_ORIGIN_INDEX;
}

void gs_believe_no_wraps_in_shared(gs_program *p) {
  for (uint32_t a = 0; a < p->access_count; a++) {
    gs_target *targets = (gs_target *)(uintptr_t)p->accesses[a].targets;
    for (uint32_t t = 0; t < p->accesses[a].target_count; t++)
      if (gs_is_shared(p->objects[targets[t].object].kind))
        targets[t].offset = gs_term_drop_flags(p->terms, targets[t].offset, is_no_index, p);
  }
}
