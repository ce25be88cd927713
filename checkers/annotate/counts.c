// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts: what indices are compared with and multiplied by, and which of that is proved.
#include "annotate.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/// What the accesses of one parameter are made of.
typedef struct traits {
  gs_texts bounds;  ///< launch-wide terms that something is compared with
  gs_texts strides; ///< launch-wide factors of indices
  uint64_t end;     ///< of the accesses at a constant offset: bytes
  bool constant;    ///< all accesses are
} traits;

/// A lowered instance, read for one parameter after the other.
typedef struct reader {
  gs_search *s;
  gs_program *p;
  const uint32_t *block_of; ///< by access
  unsigned char *seen;      ///< by term
  size_t terms;
} reader;

static bool is_number(const char *text) { return text[0] == '-' || (text[0] >= '0' && text[0] <= '9'); }

/// Is it about what the kernel gets, and no size of the launch?
static bool is_argument(const char *text) {
  return !is_number(text) && !strstr(text, "block.") && !strstr(text, "grid.");
}

/// The other side of a comparison of what differs between threads.
static void read_comparison(reader *r, gs_texts *out, const gs_node *n) {
  for (int side = 0; side < 2; side++) {
    const gs_node *other = gs_term_node(r->p->terms, n->arg[!side]);
    if (gs_term_node(r->p->terms, n->arg[side])->level != GS_LEVEL_GRID || other->op == GS_OP_CONST)
      continue;
    const char *text = gs_uniform_text(r->s->arena, r->p, n->arg[side]);
    if (text && text[0] != '-' && strcmp(text, "0") != 0)
      gs_texts_add(out, r->s->arena, "%s", text);
  }
}

static void read_guard(reader *r, gs_texts *out, gs_term guard) {
  if (!guard)
    return;
  memset(r->seen, 0, r->terms);
  gs_term_mark(r->p->terms, guard, r->seen);
  for (size_t t = 1; t < r->terms; t++) {
    const gs_node n = *gs_term_node(r->p->terms, (gs_term)t);
    bool compares = n.op == GS_OP_ULT || n.op == GS_OP_ULE || n.op == GS_OP_SLT || n.op == GS_OP_SLE ||
                    n.op == GS_OP_EQ;
    if (r->seen[t] && compares)
      read_comparison(r, out, &n);
  }
}

static void read_guards(reader *r, traits *out, uint32_t access) {
  const gs_block *block = &r->p->blocks[r->block_of[access]];
  read_guard(r, &out->bounds, block->guard);
  for (uint32_t l = block->loop; l != GS_NONE; l = r->p->loops[l].parent) {
    read_guard(r, &out->bounds, r->p->loops[l].again);
    read_guard(r, &out->bounds, r->p->loops[l].entry);
  }
}

static void read_strides(reader *r, traits *out, gs_term offset) {
  memset(r->seen, 0, r->terms);
  gs_term_mark(r->p->terms, offset, r->seen);
  for (size_t t = 1; t < r->terms; t++) {
    const gs_node n = *gs_term_node(r->p->terms, (gs_term)t);
    if (!r->seen[t] || n.op != GS_OP_MUL)
      continue;
    for (int side = 0; side < 2; side++) {
      const char *text = gs_uniform_text(r->s->arena, r->p, n.arg[side]);
      if (text && !is_number(text))
        gs_texts_add(&out->strides, r->s->arena, "%s", text);
    }
  }
}

static void read_param(reader *r, uint32_t param, traits *out) {
  gs_own *own = &r->s->owns[param];
  out->constant = true;
  for (uint32_t a = 0; a < r->p->access_count; a++)
    for (uint32_t t = 0; t < r->p->accesses[a].target_count; t++) {
      const gs_target *target = &r->p->accesses[a].targets[t];
      const gs_object *object = &r->p->objects[target->object];
      uint64_t at = 0;
      if (object->kind != GS_OBJECT_PARAM || object->param != param || object->offset)
        continue;
      own->is_accessed = true;
      own->is_written |= r->p->accesses[a].is_write;
      if (gs_term_const(r->p->terms, target->offset, &at)) {
        uint64_t end = at + r->p->accesses[a].size;
        out->end = end > out->end ? end : out->end;
        continue;
      }
      out->constant = false;
      read_guards(r, out, a);
      read_strides(r, out, target->offset);
    }
}

// -------------------------------------------------------------- candidates ----

static void offer_product(gs_texts *out, gs_pool *arena, const char *a, const char *b) {
  bool wrap_a = strpbrk(a, "+-/") != NULL, wrap_b = strpbrk(b, "+-/") != NULL;
  if (strcmp(a, "1") != 0 && strcmp(b, "1") != 0)
    gs_texts_add(out, arena, wrap_a && wrap_b ? "(%s) * (%s)" : wrap_a ? "(%s) * %s" : wrap_b ? "%s * (%s)" : "%s * %s",
                 a, b);
}

/// Bounds as they are, and rows times row lengths.
static void offer_products(gs_texts *out, gs_pool *arena, const traits *t) {
  for (uint32_t i = 0; i < t->bounds.count; i++)
    for (uint32_t k = 0; k < t->strides.count; k++)
      if (strcmp(t->bounds.items[i], t->strides.items[k]) != 0 || t->bounds.count == 1)
        offer_product(out, arena, t->bounds.items[i], t->strides.items[k]);
  for (uint32_t k = 0; k < t->strides.count; k++) // a square
    if (gs_texts_have(&t->bounds, t->strides.items[k]))
      offer_product(out, arena, t->strides.items[k], t->strides.items[k]);
  for (uint32_t i = 0; i < t->bounds.count && i < 4; i++)
    for (uint32_t k = 0; k < t->strides.count && k < 4; k++)
      for (uint32_t j = k; j < t->strides.count && j < 4; j++)
        gs_texts_add(out, arena, "%s * %s * %s", t->bounds.items[i], t->strides.items[k], t->strides.items[j]);
}

static void offer_counts(gs_search *s, uint32_t param, const traits *t) {
  gs_own *own = &s->owns[param];
  gs_texts *out = &own->counts;
  uint32_t size = s->desc->params[param].elem_size;
  if (!size || !own->is_accessed)
    return;
  if (t->constant) {
    gs_texts_add(out, s->arena, "%" PRIu64, (t->end + size - 1) / size);
    own->of_launch = out->count;
    return;
  }
  for (uint32_t i = 0; i < t->bounds.count; i++)
    gs_texts_add(out, s->arena, "%s", t->bounds.items[i]);
  offer_products(out, s->arena, t);
  for (uint32_t i = 0; i < t->bounds.count && i < 4; i++)
    gs_texts_add(out, s->arena, "%s + 1", t->bounds.items[i]);
  for (uint32_t i = 0; i < t->bounds.count; i++)
    if (is_argument(t->bounds.items[i]))
      gs_texts_add(&s->bounds, s->arena, "%s", t->bounds.items[i]);
  own->of_launch = out->count;
  static const char *const launch[] = {"grid.x", "block.x", "grid.x * block.x", "grid.x * grid.y"};
  for (size_t i = 0; i < sizeof launch / sizeof *launch; i++)
    gs_texts_add(out, s->arena, "%s", launch[i]);
  for (uint32_t i = 0; i < t->strides.count && i < 4; i++) {
    gs_texts_add(out, s->arena, "%s", t->strides.items[i]);
    gs_texts_add(out, s->arena, "grid.x * %s", t->strides.items[i]);
    gs_texts_add(out, s->arena, "grid.x * block.x * %s", t->strides.items[i]);
  }
}

/// `ld >= m`: a row is as long as what runs in it.
static void offer_relations(gs_search *s, const traits *t) {
  for (uint32_t i = 0; i < t->strides.count && i < 4; i++)
    for (uint32_t k = 0; k < t->bounds.count && k < 6; k++)
      if (strcmp(t->strides.items[i], t->bounds.items[k]) != 0 && is_argument(t->bounds.items[k]) &&
          is_argument(t->strides.items[i]))
        gs_texts_add(&s->relations, s->arena, "%s >= %s", t->strides.items[i], t->bounds.items[k]);
}

/// `width <= 10` where something of ten elements is walked over up to `width`.
static void offer_array_bounds(reader *r, uint32_t object) {
  enum { MOST = 3 };
  const gs_object *o = &r->p->objects[object];
  bool known = o->kind == GS_OBJECT_SHARED || o->kind == GS_OBJECT_CONSTANT || o->kind == GS_OBJECT_GLOBAL ||
               o->kind == GS_OBJECT_LOCAL;
  traits *t = known && o->size && o->elem_size ? gs_pool_alloc(r->s->arena, sizeof *t) : NULL;
  for (uint32_t a = 0; t && a < r->p->access_count; a++)
    for (uint32_t k = 0; k < r->p->accesses[a].target_count; k++)
      if (r->p->accesses[a].targets[k].object == object)
        read_guards(r, t, a);
  for (uint32_t i = 0; t && i < t->bounds.count && i < MOST; i++)
    if (is_argument(t->bounds.items[i]))
      gs_texts_add(&r->s->sizes, r->s->arena, "%s <= %" PRIu64, t->bounds.items[i], o->size / o->elem_size);
}

void gs_collect_counts(gs_search *s, gs_program *program) {
  reader r = {.s = s, .p = program, .terms = gs_terms_count(program->terms)};
  uint32_t *block_of = calloc(program->access_count + 1u, sizeof *block_of);
  r.seen = calloc(r.terms + 1, 1);
  for (uint32_t b = 0; block_of && b < program->block_count; b++)
    for (uint32_t e = 0; e < program->blocks[b].event_count; e++)
      if (program->blocks[b].events[e].kind == GS_EVENT_ACCESS)
        block_of[program->blocks[b].events[e].index] = b;
  r.block_of = block_of;
  for (uint32_t i = 0; block_of && r.seen && i < s->desc->param_count; i++) {
    traits *t = s->owns[i].is_pointer ? gs_pool_alloc(s->arena, sizeof *t) : NULL;
    if (!t)
      continue;
    read_param(&r, i, t);
    offer_counts(s, i, t);
    offer_relations(s, t);
  }
  for (uint32_t o = 0; block_of && r.seen && o < program->object_count; o++)
    offer_array_bounds(&r, o);
  if (!block_of || !r.seen)
    s->status = GS_ERROR_MEMORY;
  free(block_of);
  free(r.seen);
}

// ------------------------------------------------------------------- search ----

/// Tries the candidates from `first` to before `end`.
static void try_counts(gs_search *s, gs_attempt *a, const gs_texts *texts, uint32_t first, uint32_t end) {
  gs_own *own = &s->owns[a->param];
  for (uint32_t i = first; i < end && !own->count && !gs_search_is_spent(s); i++) {
    a->count = texts->items[i];
    if (gs_try(s, a, NULL, NULL))
      own->count = a->count;
  }
}

/// A clause with which a count is proved that is not proved alone: only one that the launches
/// are known to keep.
static void try_with_clause(gs_search *s, gs_attempt *a, const char *count, const char *clause) {
  if (s->clause_count == GS_MOST_CLAUSES || gs_search_is_spent(s) || !clause ||
      gs_ask_launches(s, clause) != GS_LAUNCH_KEEPS)
    return;
  a->count = count;
  a->more[0] = clause;
  a->more_count = 1;
  if (gs_try(s, a, NULL, NULL)) {
    s->owns[a->param].count = count;
    s->clauses[s->clause_count++] = clause;
  }
  a->more_count = 0;
}

static void find_count(gs_search *s, uint32_t param) {
  enum { MOST = 24, WITH_CLAUSE = 3 };
  gs_own *own = &s->owns[param];
  gs_attempt a = {.param = param, .only_proof = true};
  uint32_t plain = own->of_launch < MOST ? own->of_launch : MOST;
  try_counts(s, &a, &own->counts, 0, plain);
  for (uint32_t i = 0; i < s->bounds.count && i < WITH_CLAUSE && !s->fixed && !own->count; i++)
    for (int form = 0; form < 2 && !own->count; form++)
      try_with_clause(s, &a, s->bounds.items[i],
                      gs_pool_format(s->arena, form ? "%s >= 1" : "grid.x * block.x <= %s", s->bounds.items[i]));
  try_counts(s, &a, &own->counts, own->of_launch, own->counts.count);
}

void gs_find_counts(gs_search *s) {
  for (uint32_t i = 0; i < s->desc->param_count; i++) {
    gs_own *own = &s->owns[i];
    if (own->is_pointer && own->is_accessed && !own->is_claimed && !own->count)
      find_count(s, i);
  }
}
