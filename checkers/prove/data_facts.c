// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "data_facts.h"

#include "clause_terms.h"
#include "smt_dag.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_FACTS = 32, MAX_LOADS = 12, MAX_KNOWN = 4096, MAX_DEPTH = 64, BOTH = 3 };

/// An element that the case loads.
typedef struct load {
  gs_term value;  ///< as a signed 64-bit number, where its type has such a value
  gs_term raw;    ///< the LOAD
  gs_term offset; ///< in bytes, a multiple of the element's size
  bool is_wide;   ///< an unsigned 64-bit number: only equality and unsigned order mean anything
} load;

/// An answer that was given before.
typedef struct known {
  uint64_t key[2];
  bool holds;
} known;

struct gs_data_facts {
  gs_program *program;
  gs_scene *scene;
  gs_terms *terms;
  gs_data_fact facts[MAX_FACTS];
  uint32_t fact_count;
  bool lost;    ///< some clause about data is not among the facts
  bool partial; ///< of the latest case
  gs_term *all; ///< facts of the latest case
  size_t count, capacity;
  gs_term *own; ///< scratch: facts of one thread
  known *known; ///< open addressing, MAX_KNOWN
  gs_data_refute_fn refute; ///< answers the questions on the way

  void *user;
};

gs_data_facts *gs_data_facts_new(gs_program *program, gs_scene *scene, uint32_t sm) {
  gs_data_facts *d = calloc(1, sizeof *d);
  const gs_kernel_desc *desc = program->desc;
  if (!d)
    return NULL;
  *d = (gs_data_facts){.program = program, .scene = scene, .terms = program->terms};
  for (uint32_t i = 0; desc && i < desc->fact_count; i++)
    d->fact_count += gs_clause_data(program, desc->facts[i].clause, sm, d->facts + d->fact_count,
                                    MAX_FACTS - d->fact_count, &d->lost);
  for (uint32_t i = 0; i < d->fact_count; i++) {
    gs_data_fact *f = &d->facts[i];
    gs_term *parts[] = {&f->count, &f->lo, &f->hi, &f->when};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
      *parts[k] = gs_scene_launch_term(scene, *parts[k]);
  }
  if (d->fact_count)
    d->known = calloc(MAX_KNOWN, sizeof *d->known);
  if (d->lost || d->known)
    return d;
  free(d);
  return NULL;
}

void gs_data_facts_free(gs_data_facts *d) {
  if (!d)
    return;
  free(d->all);
  free(d->own);
  free(d->known);
  free(d);
}

bool gs_data_facts_partial(const gs_data_facts *d) { return d && (d->lost || d->partial); }

static void push(gs_data_facts *d, gs_term t) {
  uint64_t value = 0;
  if (!t || (gs_term_const(d->terms, t, &value) && value))
    return;
  if (d->count == d->capacity) {
    size_t capacity = d->capacity ? d->capacity * 2 : 64;
    gs_term *all = realloc(d->all, capacity * sizeof *all);
    gs_term *own = all ? realloc(d->own, capacity * sizeof *own) : NULL;
    d->all = all ? all : d->all;
    d->own = own ? own : d->own;
    if (!all || !own) {
      d->partial = true; // a fact less
      return;
    }
    d->capacity = capacity;
  }
  d->all[d->count++] = t;
}

// -------------------------------------------------------------- questions ----

/// Which threads' symbols a term has: bit 0 the first's, bit 1 the second's.
static unsigned threads_of(const gs_data_facts *d, gs_term t, unsigned char *seen, uint32_t syms) {
  unsigned out = 0;
  memset(seen, 0, syms);
  gs_term_syms(d->terms, t, seen);
  for (uint32_t s = 0; s < syms && out != BOTH; s++)
    if (seen[s] && (gs_sym_get(d->terms, s)->copy == 1 || gs_sym_get(d->terms, s)->copy == 2))
      out |= gs_sym_get(d->terms, s)->copy;
  return out;
}

static uint64_t mix(uint64_t h, uint64_t v) {
  h ^= v + 0x9E3779B97F4A7C15u + (h << 6) + (h >> 2);
  return (h * 0xBF58476D1CE4E5B9u) ^ (h >> 29);
}

static known *slot_of(gs_data_facts *d, const uint64_t key[2]) {
  for (uint32_t i = 0, at = (uint32_t)key[0] & (MAX_KNOWN - 1); i < MAX_KNOWN / 2;
       i++, at = (at + 1) & (MAX_KNOWN - 1)) {
    known *k = &d->known[at];
    if (!k->key[0] || (k->key[0] == key[0] && k->key[1] == key[1]))
      return k;
  }
  return NULL;
}

/// Collects what is known of the threads that `goal` is about. \returns how many facts, and
/// a key for them.
static size_t own_facts(gs_data_facts *d, gs_term goal, uint64_t key[2]) {
  uint32_t syms = gs_sym_count(d->terms);
  unsigned char *seen = malloc(syms + 1u);
  uint64_t sum = 0, other = 0;
  size_t n = 0;
  unsigned own = seen ? threads_of(d, goal, seen, syms) : BOTH;
  for (size_t i = 0; i < d->count && own != BOTH; i++)
    if (!(threads_of(d, d->all[i], seen, syms) & ~own)) {
      d->own[n++] = d->all[i];
      sum += mix(1, d->all[i]);
      other ^= mix(7, d->all[i]);
    }
  free(seen);
  key[0] = mix(goal, sum) | 1;
  key[1] = mix(other, goal);
  return own == BOTH ? SIZE_MAX : n;
}

/// Does `goal` hold, from what is known of its own thread? Many questions share that one.
static bool holds(gs_data_facts *d, gs_term goal) {
  uint64_t key[2], value = 0;
  if (gs_term_const(d->terms, goal, &value))
    return value != 0;
  size_t n = own_facts(d, goal, key);
  known *k = n < d->capacity ? slot_of(d, key) : NULL;
  if (!k)
    return false;
  if (!k->key[0]) {
    d->own[n] = gs_mk_not(d->terms, goal);
    *k = (known){.key = {key[0], key[1]}, .holds = d->refute(d->user, d->own, n + 1)};
  }
  return k->holds;
}

// ------------------------------------------------------------------ loads ----

/// Is the term certainly a multiple of 2^bits, whatever wraps?
static bool is_multiple(const gs_terms *terms, gs_term t, unsigned bits, int depth) {
  const gs_node *n = gs_term_node(terms, t);
  uint64_t c = 0;
  if (bits == 0)
    return true;
  if (depth == MAX_DEPTH)
    return false;
  if (gs_term_const(terms, t, &c))
    return (c & ((UINT64_C(1) << bits) - 1)) == 0;
  switch ((gs_op)n->op) {
  case GS_OP_MUL:
    return is_multiple(terms, n->arg[0], bits, depth + 1) || is_multiple(terms, n->arg[1], bits, depth + 1);
  case GS_OP_SHL:
    return (gs_term_const(terms, n->arg[1], &c) && c >= bits) ||
           is_multiple(terms, n->arg[0], bits, depth + 1);
  case GS_OP_ADD:
  case GS_OP_SUB:
    return is_multiple(terms, n->arg[0], bits, depth + 1) && is_multiple(terms, n->arg[1], bits, depth + 1);
  case GS_OP_ITE:
    return is_multiple(terms, n->arg[1], bits, depth + 1) && is_multiple(terms, n->arg[2], bits, depth + 1);
  case GS_OP_ZEXT:
  case GS_OP_SEXT: return is_multiple(terms, n->arg[0], bits, depth + 1);
  case GS_OP_NONE:
  case GS_OP_CONST:
  case GS_OP_SYM:
  case GS_OP_UDIV:
  case GS_OP_SDIV:
  case GS_OP_UREM:
  case GS_OP_SREM:
  case GS_OP_LSHR:
  case GS_OP_ASHR:
  case GS_OP_AND:
  case GS_OP_OR:
  case GS_OP_XOR:
  case GS_OP_EQ:
  case GS_OP_ULT:
  case GS_OP_ULE:
  case GS_OP_SLT:
  case GS_OP_SLE:
  case GS_OP_TRUNC:
  case GS_OP_CTLZ:
  case GS_OP_CTPOP:
  case GS_OP_BITREVERSE:
  case GS_OP_LOAD:
  case GS_OP_COUNT: break;
  }
  return false;
}

/// What is added to `base` in an address, in bytes; GS_NO_TERM when it is another's.
static gs_term offset_from(gs_terms *terms, gs_term address, gs_term base, int depth) {
  enum { MAX_SUMS = 10 };
  if (address == base)
    return gs_mk_const(terms, 0, 64);
  gs_node n = *gs_term_node(terms, address);
  if (n.op != GS_OP_ADD || depth == MAX_SUMS)
    return GS_NO_TERM;
  for (int side = 0; side < 2; side++) {
    gs_term rest = offset_from(terms, n.arg[side], base, depth + 1);
    if (rest)
      return gs_mk_bin(terms, GS_OP_ADD, rest, n.arg[1 - side]);
  }
  return GS_NO_TERM;
}

static gs_term base_of(const gs_data_facts *d, const gs_data_fact *f) {
  for (uint32_t i = 0; i < d->program->object_count; i++) {
    const gs_object *o = &d->program->objects[i];
    if (o->kind == GS_OBJECT_PARAM && o->param == f->param && o->offset == f->offset)
      return o->base;
  }
  return GS_NO_TERM;
}

static uint32_t log2_of(uint32_t size) {
  uint32_t k = 0;
  while (k < 3 && UINT32_C(1) << k != size)
    k++;
  return k;
}

/// Is t an element of the fact's array? Notes what is one, but cannot be put in.
static bool is_load_of(gs_data_facts *d, const gs_data_fact *f, gs_term t, load *out) {
  gs_terms *terms = d->terms;
  gs_term base = base_of(d, f);
  gs_node n = *gs_term_node(terms, t);
  if (n.op != GS_OP_LOAD || !base)
    return false;
  gs_term offset = offset_from(terms, n.arg[0], base, 0);
  if (!offset)
    return false;
  if (n.width != 8 * f->elem_size || !is_multiple(terms, offset, log2_of(f->elem_size), 0)) {
    d->partial = true;
    return false;
  }
  *out = (load){.raw = t, .offset = offset, .is_wide = !f->is_signed && n.width == 64};
  out->value = gs_mk_cast(terms, f->is_signed ? GS_OP_SEXT : GS_OP_ZEXT, t, 64);
  return true;
}

// -------------------------------------------------------------- instances ----

static gs_term le(gs_terms *t, gs_term a, gs_term b) { return gs_mk_bin(t, GS_OP_SLE, a, b); }

/// The element is one of those that the fact is about.
static gs_term inside(gs_data_facts *d, const gs_data_fact *f, const load *l) {
  gs_terms *t = d->terms;
  gs_term bytes = gs_mk_bin_flags(t, GS_OP_MUL, f->count, gs_mk_const(t, f->elem_size, 64), GS_NSW, 0);
  return gs_mk_and(t, le(t, gs_mk_const(t, 0, 64), l->offset),
                   gs_mk_bin(t, GS_OP_SLT, l->offset, bytes));
}

static gs_term order(gs_data_facts *d, const load *x, const load *y) {
  return x->is_wide ? gs_mk_bin(d->terms, GS_OP_ULE, x->raw, y->raw) : le(d->terms, x->value, y->value);
}

/// y's value is not below x's, whose index is not above; where the order is strict, values
/// are at least as far apart as indices.
static gs_term ordered(gs_data_facts *d, const gs_data_fact *f, const load *x, const load *y) {
  gs_terms *t = d->terms;
  if (f->op != GS_EXPR_STRICTLY_MONOTONE || f->elem_size > 4)
    return order(d, x, y);
  gs_term size = gs_mk_const(t, f->elem_size, 64);
  gs_term a = gs_mk_bin_flags(t, GS_OP_MUL, x->value, size, GS_NSW, 0);
  gs_term b = gs_mk_bin_flags(t, GS_OP_MUL, y->value, size, GS_NSW, 0);
  gs_term gap = gs_mk_bin_flags(t, GS_OP_SUB, y->offset, x->offset, GS_NSW, 0);
  return le(t, gs_mk_bin_flags(t, GS_OP_ADD, a, gap, GS_NSW, 0), b);
}

static gs_term distinct(gs_data_facts *d, const load *x, const load *y) {
  gs_terms *t = d->terms;
  return gs_mk_or(t, gs_mk_bin(t, GS_OP_EQ, x->offset, y->offset),
                  gs_mk_not(t, gs_mk_bin(t, GS_OP_EQ, x->raw, y->raw)));
}

/// `fact`, unless one of the elements is outside or the clause does not speak.
static void push_if(gs_data_facts *d, const gs_term *conditions, uint32_t count, gs_term fact) {
  gs_terms *t = d->terms;
  for (uint32_t i = 0; i < count; i++)
    if (conditions[i] && !holds(d, conditions[i]))
      fact = gs_mk_or(t, gs_mk_not(t, conditions[i]), fact);
  push(d, fact);
}

static void instance(gs_data_facts *d, const gs_data_fact *f, const load *l) {
  gs_terms *t = d->terms;
  if (f->op != GS_EXPR_IN_RANGE)
    return;
  gs_term range = gs_mk_and(t, le(t, f->lo, l->value), gs_mk_bin(t, GS_OP_SLT, l->value, f->hi));
  if (l->is_wide)
    range = gs_mk_and(t, range, le(t, gs_mk_const(t, 0, 64), l->value));
  push_if(d, (gs_term[]){inside(d, f, l), f->when}, 2, range);
}

static void instance_of_two(gs_data_facts *d, const gs_data_fact *f, const load *x, const load *y) {
  gs_terms *t = d->terms;
  gs_term conditions[] = {inside(d, f, x), inside(d, f, y), f->when};
  bool sorted = f->op == GS_EXPR_MONOTONE || f->op == GS_EXPR_STRICTLY_MONOTONE;
  if (sorted) {
    gs_term up = le(t, x->offset, y->offset), down = le(t, y->offset, x->offset);
    gs_term rise = ordered(d, f, x, y), fall = ordered(d, f, y, x);
    if (holds(d, up)) {
      push_if(d, conditions, 3, rise);
    } else if (holds(d, down)) {
      push_if(d, conditions, 3, fall);
    } else {
      // Two cases for the order; and in the first, what follows where both are one.
      push_if(d, conditions, 3,
              gs_mk_or(t, gs_mk_and(t, up, rise), gs_mk_and(t, gs_mk_not(t, up), fall)));
      push_if(d, conditions, 3, gs_mk_or(t, gs_mk_not(t, down), fall));
    }
  }
  bool apart = f->op == GS_EXPR_INJECTIVE ||
               (f->op == GS_EXPR_STRICTLY_MONOTONE && f->elem_size > 4);
  if (apart)
    push_if(d, conditions, 3, distinct(d, x, y));
}

/// Operands come before their users: what is known of an element helps to show that the
/// element it is the index of is inside.
static void put_in(gs_data_facts *d, const gs_dag *dag) {
  load loads[MAX_FACTS][MAX_LOADS];
  uint32_t counts[MAX_FACTS] = {0};
  for (uint32_t i = 0; i < dag->count; i++)
    for (uint32_t f = 0; f < d->fact_count; f++) {
      load *l = &loads[f][counts[f]];
      if (counts[f] == MAX_LOADS) {
        d->partial = true;
        continue;
      }
      if (!is_load_of(d, &d->facts[f], dag->terms[i], l))
        continue;
      instance(d, &d->facts[f], l);
      for (uint32_t y = 0; y < counts[f]; y++)
        instance_of_two(d, &d->facts[f], &loads[f][y], l);
      counts[f]++;
    }
}

bool gs_data_facts_extend(gs_data_facts *d, const gs_case *c, gs_term extra,
                          gs_data_refute_fn refute, void *user, gs_case *out) {
  gs_dag dag = {0};
  d->partial = false;
  if (!d->fact_count)
    return false;
  d->refute = refute;
  d->user = user;
  d->count = 0;
  for (size_t i = 0; i < c->fact_count; i++)
    push(d, c->facts[i]);
  push(d, extra);
  // The last of the roots are not facts; they are taken off again.
  size_t facts = d->count;
  for (int who = 0; who < 2; who++) {
    push(d, c->offset[who]);
    push(d, c->size[who]);
  }
  bool fine = gs_dag_collect(d->terms, d->all, d->count, &dag);
  d->count = facts;
  if (fine)
    put_in(d, &dag);
  gs_dag_free(&dag);
  d->partial |= !fine;
  *out = *c;
  out->facts = d->all;
  out->fact_count = d->count;
  return d->count > facts;
}
