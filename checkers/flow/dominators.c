// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dominators.h"

#include <stdlib.h>
#include <string.h>

struct gs_dominators {
  const gs_program *program;
  uint32_t *idom;  ///< by block; the entry's is itself, GS_NONE = not reached
  uint32_t *order; ///< reverse post-order
  uint32_t *number; ///< by block: its place in `order`
  uint32_t count;
};

/// Post-order from the entry, without recursion.
static bool number_blocks(gs_dominators *d) {
  const gs_program *p = d->program;
  uint32_t *stack = malloc((p->block_count + 1u) * sizeof *stack);
  uint32_t *next = calloc(p->block_count + 1u, sizeof *next);
  uint32_t depth = 0, left = p->block_count;
  if (stack && next) {
    stack[depth++] = 0;
    next[0] = 1; // one more than the successor to look at
    while (depth) {
      uint32_t b = stack[depth - 1];
      const gs_block *block = &p->blocks[b];
      if (next[b] > block->succ_count) {
        depth--;
        d->order[--left] = b;
        continue;
      }
      uint32_t to = block->succ[next[b]++ - 1];
      if (!next[to]) {
        next[to] = 1;
        stack[depth++] = to;
      }
    }
    d->count = p->block_count - left;
    for (uint32_t i = 0; i < d->count; i++) {
      d->order[i] = d->order[i + left];
      d->number[d->order[i]] = i;
    }
  }
  bool fine = stack && next;
  free(stack);
  free(next);
  return fine;
}

static uint32_t meet(const gs_dominators *d, uint32_t a, uint32_t b) {
  while (a != b) {
    if (d->number[a] > d->number[b])
      a = d->idom[a];
    else
      b = d->idom[b];
  }
  return a;
}

static void find_dominators(gs_dominators *d) {
  const gs_program *p = d->program;
  d->idom[0] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < d->count; i++) {
      uint32_t from = d->order[i];
      for (uint32_t s = 0; s < p->blocks[from].succ_count; s++) {
        uint32_t to = p->blocks[from].succ[s];
        if (to == 0 || d->idom[from] == GS_NONE)
          continue;
        uint32_t now = d->idom[to] == GS_NONE ? from : meet(d, d->idom[to], from);
        changed |= now != d->idom[to];
        d->idom[to] = now;
      }
    }
  }
}

gs_dominators *gs_dominators_new(const gs_program *program) {
  gs_dominators *d = calloc(1, sizeof *d);
  if (!d)
    return NULL;
  d->program = program;
  d->idom = malloc((program->block_count + 1u) * sizeof *d->idom);
  d->order = calloc(program->block_count + 1u, sizeof *d->order);
  d->number = calloc(program->block_count + 1u, sizeof *d->number);
  if (!d->idom || !d->order || !d->number) {
    gs_dominators_free(d);
    return NULL;
  }
  for (uint32_t b = 0; b < program->block_count; b++)
    d->idom[b] = GS_NONE;
  if (program->block_count && number_blocks(d)) {
    find_dominators(d);
  } else if (program->block_count) {
    gs_dominators_free(d);
    return NULL;
  }
  return d;
}

void gs_dominators_free(gs_dominators *d) {
  if (!d)
    return;
  free(d->idom);
  free(d->order);
  free(d->number);
  free(d);
}

uint32_t gs_dominator_of(const gs_dominators *d, uint32_t block) {
  return block && d->idom[block] != block ? d->idom[block] : GS_NONE;
}

/// Does the edge end at the header of a loop that its beginning is in?
static bool goes_back(const gs_program *p, uint32_t from, uint32_t to) {
  uint32_t l = p->blocks[to].loop;
  return l != GS_NONE && p->loops[l].header == to && gs_loop_holds(p, l, from);
}

bool gs_reach_ahead(const gs_program *p, uint32_t from, unsigned char *out) {
  uint32_t *stack = malloc((p->block_count + 1u) * sizeof *stack), depth = 0;
  memset(out, 0, p->block_count);
  if (stack) {
    stack[depth++] = from;
    out[from] = 1;
  }
  while (depth) {
    uint32_t b = stack[--depth];
    for (uint32_t s = 0; s < p->blocks[b].succ_count; s++) {
      uint32_t next = p->blocks[b].succ[s];
      if (out[next] || goes_back(p, b, next))
        continue;
      out[next] = 1;
      stack[depth++] = next;
    }
  }
  bool fine = stack != NULL;
  free(stack);
  return fine;
}

bool gs_path_ahead(const gs_program *p, uint32_t from, uint32_t to) {
  unsigned char *seen = calloc(p->block_count + 1u, 1);
  bool found = seen && gs_reach_ahead(p, from, seen) && seen[to];
  free(seen);
  return found;
}
