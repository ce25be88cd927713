// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernel.h"

#include <stdlib.h>
#include <string.h>

struct fz_arena {
  fz_arena *next;
  uint32_t used;
  fz_node nodes[256];
};

uint64_t fz_next(fz_random *r) {
  uint64_t x = r->state += UINT64_C(0x9E3779B97F4A7C15);
  x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
  return x ^ (x >> 31);
}

uint32_t fz_below(fz_random *r, uint32_t n) { return (uint32_t)((fz_next(r) >> 32) * n >> 32); }

bool fz_chance(fz_random *r, uint32_t percent) { return fz_below(r, 100) < percent; }

static void *must(void *p) {
  if (!p)
    abort();
  return p;
}

fz_node *fz_node_new(fz_kernel *k, fz_kind kind, fz_type type) {
  if (!k->arena || k->arena->used == FZ_COUNT(k->arena->nodes)) {
    fz_arena *more = must(calloc(1, sizeof *more));
    more->next = k->arena;
    k->arena = more;
  }
  fz_node *n = &k->arena->nodes[k->arena->used++];
  n->kind = kind;
  n->type = type;
  return n;
}

fz_node *fz_node_copy(fz_kernel *k, const fz_node *n) {
  if (!n)
    return NULL;
  fz_node *c = fz_node_new(k, n->kind, n->type);
  *c = *n;
  for (int i = 0; i < 4; i++)
    c->kid[i] = fz_node_copy(k, n->kid[i]);
  c->next = fz_node_copy(k, n->next);
  return c;
}

fz_kernel *fz_kernel_new(uint64_t seed) {
  fz_kernel *k = must(calloc(1, sizeof *k));
  k->seed = seed;
  return k;
}

fz_kernel *fz_kernel_copy(const fz_kernel *k) {
  fz_kernel *c = must(malloc(sizeof *c));
  *c = *k;
  c->arena = NULL;
  for (uint32_t i = 0; i < k->var_count; i++)
    c->vars[i].init = fz_node_copy(c, k->vars[i].init);
  c->body = fz_node_copy(c, k->body);
  return c;
}

void fz_kernel_free(fz_kernel *k) {
  if (!k)
    return;
  while (k->arena) {
    fz_arena *next = k->arena->next;
    free(k->arena);
    k->arena = next;
  }
  free(k);
}

static bool node_reads(const fz_node *n) {
  if (!n)
    return false;
  if (n->kind == FZ_LOAD || n->kind == FZ_DEREF || n->kind == FZ_ATOMIC ||
      (n->kind == FZ_BARRIER && n->op >= FZ_SYNC_COUNT && n->op != FZ_SYNC_WARP && n->op != FZ_SYNC_MASK &&
       n->op < FZ_SYNC_NAMED))
    return true;
  for (int i = 0; i < 4; i++)
    if (node_reads(n->kid[i]))
      return true;
  return node_reads(n->next);
}

bool fz_reads_memory(const fz_kernel *k) {
  for (uint32_t i = 0; i < k->var_count; i++)
    if (!k->vars[i].init || node_reads(k->vars[i].init))
      return true;
  return node_reads(k->body);
}
