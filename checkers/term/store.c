// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The store: interning, symbols and walks.
#include "term_store.h"

#include <stdlib.h>
#include <string.h>

static const uint8_t op_arity[] = {
#define GS_OP(name, arity) arity,
#include "term_ops.def"
};

static bool grow(void **array, uint32_t *capacity, uint32_t need, size_t size) {
  if (need <= *capacity)
    return true;
  uint32_t next = *capacity ? *capacity : 256;
  while (next < need)
    next *= 2;
  void *moved = realloc(*array, next * size);
  if (!moved)
    return false;
  *array = moved;
  *capacity = next;
  return true;
}

gs_terms *gs_terms_new(void) {
  gs_terms *terms = calloc(1, sizeof *terms);
  if (!terms)
    return NULL;
  terms->table_size = 1024;
  terms->table = calloc(terms->table_size, sizeof *terms->table);
  if (!terms->table || !grow((void **)&terms->nodes, &terms->capacity, 256, sizeof(gs_node))) {
    gs_terms_free(terms);
    return NULL;
  }
  memset(&terms->nodes[0], 0, sizeof(gs_node)); // index 0: no term
  terms->count = 1;
  return terms;
}

void gs_terms_free(gs_terms *terms) {
  if (!terms)
    return;
  for (uint32_t i = 0; i < terms->sym_count; i++) {
    free((char *)terms->syms[i].name);
    free((char *)terms->syms[i].reason);
  }
  free(terms->nodes);
  free(terms->syms);
  free(terms->sym_terms);
  free(terms->table);
  free(terms->mark);
  free(terms->order);
  free(terms);
}

bool gs_terms_failed(const gs_terms *terms) { return terms->failed; }
size_t gs_terms_count(const gs_terms *terms) { return terms->count; }
const gs_node *gs_term_node(const gs_terms *terms, gs_term t) { return &terms->nodes[t]; }
uint8_t gs_term_width(const gs_terms *terms, gs_term t) { return terms->nodes[t].width; }

bool gs_term_const(const gs_terms *terms, gs_term t, uint64_t *value) {
  if (terms->nodes[t].op != GS_OP_CONST)
    return false;
  *value = terms->nodes[t].value;
  return true;
}

static uint32_t hash_node(const gs_node *node) {
  uint64_t h = node->op * 0x9E3779B97F4A7C15u + node->width;
  h = (h ^ node->flags) * 0xBF58476D1CE4E5B9u;
  for (int i = 0; i < 3; i++)
    h = (h ^ node->arg[i] ^ (h >> 29)) * 0x94D049BB133111EBu;
  h = (h ^ node->value ^ (h >> 32)) * 0xBF58476D1CE4E5B9u;
  return (uint32_t)(h ^ (h >> 31));
}

static bool same_node(const gs_node *a, const gs_node *b) {
  return a->op == b->op && a->width == b->width && a->flags == b->flags &&
         a->value == b->value && memcmp(a->arg, b->arg, sizeof a->arg) == 0;
}

static bool rehash(gs_terms *terms) {
  uint32_t size = terms->table_size * 2;
  uint32_t *table = calloc(size, sizeof *table);
  if (!table)
    return false;
  for (uint32_t t = 1; t < terms->count; t++) {
    uint32_t slot = hash_node(&terms->nodes[t]) & (size - 1);
    while (table[slot])
      slot = (slot + 1) & (size - 1);
    table[slot] = t;
  }
  free(terms->table);
  terms->table = table;
  terms->table_size = size;
  return true;
}

gs_term gs_store_intern(gs_terms *terms, const gs_node *node) {
  if (terms->failed)
    return GS_NO_TERM;
  for (uint32_t i = 0; i < op_arity[node->op]; i++)
    if (!node->arg[i])
      return GS_NO_TERM;
  uint32_t slot = hash_node(node) & (terms->table_size - 1);
  for (; terms->table[slot]; slot = (slot + 1) & (terms->table_size - 1))
    if (same_node(&terms->nodes[terms->table[slot]], node))
      return terms->table[slot];
  if (!grow((void **)&terms->nodes, &terms->capacity, terms->count + 1, sizeof(gs_node))) {
    terms->failed = true;
    return GS_NO_TERM;
  }
  gs_term t = terms->count++;
  uint8_t level = node->op == GS_OP_SYM ? (uint8_t)terms->syms[node->value].level : 0;
  for (uint32_t i = 0; i < op_arity[node->op]; i++)
    if (terms->nodes[node->arg[i]].level > level)
      level = terms->nodes[node->arg[i]].level;
  terms->nodes[t] = *node;
  terms->nodes[t].level = level;
  terms->table[slot] = t;
  if (terms->count * 2 > terms->table_size && !rehash(terms))
    terms->failed = true;
  return t;
}

/// One pass in the order of making. \returns true when something changed.
static bool raise_once(gs_terms *terms, const gs_dependence *all, const uint32_t *head,
                       const uint32_t *next) {
  bool changed = false;
  for (uint32_t t = 1; t < terms->count; t++) {
    gs_node *node = &terms->nodes[t];
    uint8_t level = node->level;
    for (uint32_t i = 0; i < op_arity[node->op]; i++)
      if (terms->nodes[node->arg[i]].level > level)
        level = terms->nodes[node->arg[i]].level;
    for (uint32_t d = node->op == GS_OP_SYM ? head[node->value] : 0; d; d = next[d])
      if (terms->nodes[all[d - 1].on].level > level)
        level = terms->nodes[all[d - 1].on].level;
    changed |= level != node->level;
    node->level = level;
    if (node->op == GS_OP_SYM)
      terms->syms[node->value].level = (gs_level)level;
  }
  return changed;
}

void gs_terms_raise_levels(gs_terms *terms, const gs_dependence *all, uint32_t count) {
  uint32_t *head = calloc(terms->sym_count + 1u, sizeof *head), *next = calloc(count + 1u, sizeof *next);
  if (!head || !next)
    terms->failed = true;
  for (uint32_t d = 0; head && next && d < count; d++) {
    next[d + 1] = head[all[d].sym];
    head[all[d].sym] = d + 1;
  }
  while (head && next && raise_once(terms, all, head, next))
    ;
  free(head);
  free(next);
}

/// Do the widths of operands and result fit? Operands are there.
static bool fits(const gs_terms *terms, const gs_node *node) {
  uint8_t a = terms->nodes[node->arg[0]].width, b = terms->nodes[node->arg[1]].width;
  switch ((gs_op)node->op) {
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
  case GS_OP_XOR: return a == b && node->width == a;
  case GS_OP_EQ:
  case GS_OP_ULT:
  case GS_OP_ULE:
  case GS_OP_SLT:
  case GS_OP_SLE: return a == b && node->width == 1;
  case GS_OP_ITE:
    return a == 1 && node->width == b && node->width == terms->nodes[node->arg[2]].width;
  case GS_OP_ZEXT:
  case GS_OP_SEXT: return a < node->width && node->width <= 64;
  case GS_OP_TRUNC: return a > node->width && node->width > 0;
  case GS_OP_CTLZ:
  case GS_OP_CTPOP:
  case GS_OP_BITREVERSE: return a == node->width;
  case GS_OP_LOAD: return a == 64 && node->width > 0 && node->width <= 64;
  case GS_OP_NONE:
  case GS_OP_CONST:
  case GS_OP_SYM:
  case GS_OP_COUNT: break;
  }
  return false;
}

gs_term gs_mk_exact(gs_terms *terms, const gs_node *node) {
  bool flagged = node->op == GS_OP_ADD || node->op == GS_OP_SUB || node->op == GS_OP_MUL ||
                 node->op == GS_OP_SHL || node->op == GS_OP_TRUNC;
  if (node->op >= GS_OP_COUNT || node->value || node->flags & (flagged ? ~(GS_NSW | GS_NUW) : ~0))
    return GS_NO_TERM;
  for (uint32_t i = 0; i < 3; i++)
    if ((i < op_arity[node->op]) != (node->arg[i] != 0) || node->arg[i] >= terms->count)
      return GS_NO_TERM;
  return fits(terms, node) ? gs_store_intern(terms, node) : GS_NO_TERM;
}

static char *copy_text(const char *text) {
  if (!text)
    return NULL;
  size_t size = strlen(text) + 1;
  char *copy = malloc(size);
  if (copy)
    memcpy(copy, text, size);
  return copy;
}

gs_term gs_mk_sym(gs_terms *terms, const gs_sym *proto) {
  if (terms->failed)
    return GS_NO_TERM;
  uint32_t capacity = terms->sym_capacity;
  if (!grow((void **)&terms->syms, &terms->sym_capacity, terms->sym_count + 1, sizeof(gs_sym)) ||
      !grow((void **)&terms->sym_terms, &capacity, terms->sym_count + 1, sizeof(gs_term))) {
    terms->failed = true;
    return GS_NO_TERM;
  }
  uint32_t index = terms->sym_count++;
  gs_sym *sym = &terms->syms[index];
  *sym = *proto;
  sym->name = copy_text(proto->name);
  sym->reason = copy_text(proto->reason);
  if (proto->copy == 0)
    sym->origin = index;
  uint64_t mask = gs_mask(proto->width);
  if (sym->hi > mask)
    sym->hi = mask;
  gs_node node = {.op = GS_OP_SYM, .width = proto->width, .value = index};
  terms->sym_terms[index] = gs_store_intern(terms, &node);
  return terms->sym_terms[index];
}

uint32_t gs_sym_count(const gs_terms *terms) { return terms->sym_count; }
const gs_sym *gs_sym_get(const gs_terms *terms, uint32_t sym) { return &terms->syms[sym]; }
gs_sym *gs_sym_edit(gs_terms *terms, uint32_t sym) { return &terms->syms[sym]; }
gs_term gs_sym_term(const gs_terms *terms, uint32_t sym) { return terms->sym_terms[sym]; }

static bool push(gs_terms *terms, uint32_t value) {
  if (!grow((void **)&terms->order, &terms->order_capacity, terms->order_count + 1,
            sizeof(uint32_t)))
    return false;
  terms->order[terms->order_count++] = value;
  return true;
}

bool gs_store_walk(gs_terms *terms, gs_term root, const gs_term *known,
                   uint32_t known_count) {
  terms->order_count = 0;
  uint32_t old = terms->mark_capacity;
  if (!grow((void **)&terms->mark, &terms->mark_capacity, terms->count, sizeof(uint32_t)))
    return false;
  if (terms->mark_capacity > old)
    memset(terms->mark + old, 0, (terms->mark_capacity - old) * sizeof(uint32_t));
  if (++terms->epoch == 0) {
    memset(terms->mark, 0, terms->mark_capacity * sizeof(uint32_t));
    terms->epoch = 1;
  }
  // Collect by depth-first search; a path entry is (term, next operand).
  typedef struct frame {
    gs_term t;
    uint32_t next;
  } frame;
  uint32_t depth = 0, capacity = 0;
  frame *stack = NULL;
  bool fine = grow((void **)&stack, &capacity, 1, sizeof(frame));
  if (fine) {
    stack[depth++] = (frame){root, 0};
    terms->mark[root] = terms->epoch;
  }
  while (fine && depth) {
    frame *top = &stack[depth - 1];
    const gs_node *node = &terms->nodes[top->t];
    if (top->next == op_arity[node->op]) {
      fine = push(terms, top->t);
      depth--;
      continue;
    }
    gs_term arg = node->arg[top->next++];
    if (terms->mark[arg] == terms->epoch || (arg < known_count && known[arg]))
      continue;
    terms->mark[arg] = terms->epoch;
    fine = grow((void **)&stack, &capacity, depth + 1, sizeof(frame));
    if (fine)
      stack[depth++] = (frame){arg, 0};
  }
  free(stack);
  return fine;
}

void gs_term_syms(const gs_terms *terms, gs_term t, unsigned char *seen) {
  gs_terms *scratch = (gs_terms *)(uintptr_t)terms; // the walk's scratch is not state
  if (!t || !gs_store_walk(scratch, t, NULL, 0))
    return;
  for (uint32_t i = 0; i < scratch->order_count; i++) {
    const gs_node *node = &terms->nodes[scratch->order[i]];
    if (node->op == GS_OP_SYM)
      seen[node->value] = 1;
  }
}

size_t gs_term_size(const gs_terms *terms, gs_term t) {
  gs_terms *scratch = (gs_terms *)(uintptr_t)terms; // the walk's scratch is not state
  return t && gs_store_walk(scratch, t, NULL, 0) ? scratch->order_count : 0;
}

void gs_term_mark(const gs_terms *terms, gs_term t, unsigned char *seen) {
  gs_terms *scratch = (gs_terms *)(uintptr_t)terms; // the walk's scratch is not state
  if (!t || !gs_store_walk(scratch, t, NULL, 0))
    return;
  for (uint32_t i = 0; i < scratch->order_count; i++)
    seen[scratch->order[i]] = 1;
}
