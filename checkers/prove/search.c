// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Most conflicts show in small launches with ordinary values: two blocks, a few
// iterations, sizes near the constants of the source. Trying those is cheaper
// than any solver, and blind to how an address is computed.
#include "search.h"

#include "enumerate.h"
#include "smt_dag.h"
#include "smt_model.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_CONSTANTS = 24, MAX_SYMS = 256, ROUNDS = 40 /* of single-thread trials */ };

typedef struct search {
  gs_terms *terms;
  gs_goal goal; ///< facts are ours, with room for one pin for each symbol
  gs_term *facts;
  size_t fact_count; ///< of the goal proper
  gs_dag dag;
  uint32_t syms[MAX_SYMS]; ///< not pinned
  uint32_t sym_count;
  const gs_search_options *options;
  uint64_t constants[MAX_CONSTANTS];
  uint32_t constant_count;
  uint64_t *values; ///< by symbol
  uint32_t random;
  uint64_t steps;
} search;

static uint32_t pick(search *s, uint32_t n) {
  s->random = s->random * 1664525u + 1013904223u;
  return (s->random >> 8) % n;
}

// ------------------------------------------------------------------ setup ----

static void add_constant(search *s, uint64_t value) {
  for (uint32_t i = 0; i < s->constant_count; i++)
    if (s->constants[i] == value)
      return;
  if (s->constant_count < MAX_CONSTANTS && value < UINT32_MAX)
    s->constants[s->constant_count++] = value;
}

static bool is_pinned(const search *s, uint32_t sym) {
  for (uint32_t i = 0; i < s->options->pin_count; i++)
    if (s->options->pins[i].sym == sym)
      return true;
  return false;
}

/// Symbols and constants of the goal. \returns false when there are too many.
static bool survey(search *s) {
  for (uint32_t i = 0; i < s->dag.count; i++) {
    const gs_node *node = gs_term_node(s->terms, s->dag.terms[i]);
    if (node->op == GS_OP_CONST && node->width >= 8) {
      add_constant(s, node->value);
      add_constant(s, node->value + 1);
    }
    if (node->op != GS_OP_SYM || is_pinned(s, (uint32_t)node->value))
      continue;
    if (s->sym_count == MAX_SYMS)
      return false;
    s->syms[s->sym_count++] = (uint32_t)node->value;
  }
  return true;
}

/// Memory is all zero, and then no LOAD stands in the way of enumeration.
static bool without_loads(search *s, gs_term *roots, size_t count) {
  gs_subst *subst = gs_subst_new(s->terms, NULL, 0);
  if (!subst)
    return false;
  gs_subst_zero_loads(subst);
  bool fine = true;
  for (size_t i = 0; i < count; i++)
    fine &= (roots[i] = gs_subst_apply(subst, roots[i])) != GS_NO_TERM;
  gs_subst_free(subst);
  return fine;
}

static bool setup(search *s, const gs_goal *goal) {
  size_t n = goal->fact_count;
  bool pair = goal->a && goal->b;
  s->goal = *goal;
  s->fact_count = n;
  s->facts = malloc((n + 2 + MAX_SYMS + GS_SEARCH_PINS) * sizeof *s->facts);
  s->values = calloc(gs_sym_count(s->terms) + 1u, sizeof *s->values);
  if (!s->facts || !s->values)
    return false;
  memcpy(s->facts, goal->facts, n * sizeof *s->facts);
  if (pair) {
    s->facts[n] = goal->a;
    s->facts[n + 1] = goal->b;
  }
  if (!without_loads(s, s->facts, n + (pair ? 2 : 0)) ||
      !gs_dag_collect(s->terms, s->facts, n + (pair ? 2 : 0), &s->dag))
    return false;
  if (pair) {
    s->goal.a = s->facts[n];
    s->goal.b = s->facts[n + 1];
  }
  s->goal.facts = s->facts;
  return survey(s);
}

// ----------------------------------------------------------------- values ----

static uint64_t pinned_value(const search *s, gs_sym_kind kind, uint32_t axis, uint64_t other) {
  for (uint32_t i = 0; i < s->options->pin_count; i++) {
    const gs_sym *sym = gs_sym_get(s->terms, s->options->pins[i].sym);
    if (sym->kind == kind && sym->index == axis)
      return s->options->pins[i].value;
  }
  return other;
}

static uint64_t usual_value(search *s, uint32_t trial) {
  static const uint64_t usual[] = {1, 2, 3, 4, 5, 7, 8, 16, 17, 32, 33, 64, 100, 256, 300, 1000};
  enum { SMALL = 5, ALL = sizeof usual / sizeof *usual };
  if (trial % 4 == 1)
    return usual[pick(s, SMALL)];
  if (trial % 4 == 2 && s->constant_count)
    return s->constants[pick(s, s->constant_count)];
  return pick(s, 3) && s->constant_count && trial % 4 == 3
             ? s->constants[pick(s, s->constant_count)]
             : usual[pick(s, ALL)];
}

static uint64_t index_value(search *s, uint64_t count) {
  uint64_t last = count ? count - 1 : 0;
  switch (pick(s, 4)) {
  case 0: return 0;
  case 1: return last;
  case 2: return last ? 1 : 0;
  default: return last ? pick(s, (uint32_t)(last + 1)) : 0;
  }
}

/// A value for one symbol in this trial; `same` is one for all sizes.
static uint64_t choose(search *s, const gs_sym *sym, uint32_t trial, uint64_t same) {
  uint64_t value = 0;
  switch (sym->kind) {
  case GS_SYM_TID: value = index_value(s, pinned_value(s, GS_SYM_NTID, sym->index, 1)); break;
  case GS_SYM_CTAID: value = index_value(s, pinned_value(s, GS_SYM_NCTAID, sym->index, 1)); break;
  case GS_SYM_LOOP: value = trial % 2 ? pick(s, 4) : trial / 2 % 2; break;
  case GS_SYM_NTID:
  case GS_SYM_NCTAID: value = 1; break;
  case GS_SYM_BASE: value = sym->lo; break;
  case GS_SYM_PARAM:
  case GS_SYM_LAUNCH:
  case GS_SYM_PHI:
  case GS_SYM_OPAQUE:
    value = sym->is_address ? sym->lo
            : sym->width <= 8 ? pick(s, 2)
            : trial % 4 == 0 ? same
                             : usual_value(s, trial);
    break;
  }
  value &= gs_mask(sym->width);
  return value < sym->lo ? sym->lo : value > sym->hi ? sym->hi : value;
}

static bool is_of_thread(const gs_sym *sym) {
  return sym->kind == GS_SYM_TID || sym->kind == GS_SYM_CTAID;
}

static void assign(search *s, uint32_t trial) {
  static const uint64_t sizes[] = {1024, 300, 65536, 64, 17, 4096};
  uint64_t same = sizes[trial / 4 % (sizeof sizes / sizeof *sizes)];
  for (uint32_t i = 0; i < s->options->pin_count; i++)
    s->values[s->options->pins[i].sym] = s->options->pins[i].value;
  for (uint32_t i = 0; i < s->sym_count; i++)
    s->values[s->syms[i]] = choose(s, gs_sym_get(s->terms, s->syms[i]), trial, same);
  const gs_model *hint = trial == 0 ? s->options->hint : NULL;
  for (uint32_t i = 0; hint && i < s->sym_count; i++)
    if (s->syms[i] < hint->count && !is_of_thread(gs_sym_get(s->terms, s->syms[i])))
      s->values[s->syms[i]] = hint->values[s->syms[i]];
}

static uint64_t zero(void *user, uint64_t address, uint8_t width) {
  (void)user;
  (void)address;
  (void)width;
  return 0;
}

static bool holds(search *s, gs_term fact) {
  uint64_t value = 0;
  return gs_term_eval(s->terms, fact, s->values, zero, NULL, &value) && value;
}

// ----------------------------------------------------------------- trials ----

/// Does what concerns no single thread hold?
static bool launch_fits(search *s, const unsigned char *shared) {
  for (size_t i = 0; i < s->fact_count; i++)
    if (shared[i] && !holds(s, s->facts[i]))
      return false;
  return true;
}

/// Marks the facts without an index of a thread.
static unsigned char *find_shared(search *s) {
  unsigned char *shared = malloc(s->fact_count + 1);
  unsigned char *seen = malloc(gs_sym_count(s->terms) + 1u);
  for (size_t i = 0; shared && seen && i < s->fact_count; i++) {
    memset(seen, 0, gs_sym_count(s->terms) + 1u);
    gs_term_syms(s->terms, s->facts[i], seen);
    shared[i] = 1;
    for (uint32_t k = 0; k < s->sym_count; k++)
      shared[i] &= !(seen[s->syms[k]] && is_of_thread(gs_sym_get(s->terms, s->syms[k])));
  }
  if (!seen) {
    free(shared);
    shared = NULL;
  }
  free(seen);
  return shared;
}

static bool differs(const search *s, const uint64_t *values) {
  for (size_t i = 0; i < s->goal.distinct_count; i++)
    if (values[s->goal.distinct[i][0]] != values[s->goal.distinct[i][1]])
      return true;
  return s->goal.distinct_count == 0;
}

static bool meet(const search *s, const uint64_t *values) {
  uint64_t a = 0, b = 0;
  if (!s->goal.a || !s->goal.b)
    return true;
  if (!gs_term_eval(s->terms, s->goal.a, values, zero, NULL, &a) ||
      !gs_term_eval(s->terms, s->goal.b, values, zero, NULL, &b))
    return false;
  int64_t d = (int64_t)(a - b);
  return d > -(int64_t)s->goal.size_a && d < (int64_t)s->goal.size_b;
}

/// The whole goal, evaluated, and no flag broken.
static bool is_model(search *s, gs_model *model) {
  size_t n = s->fact_count;
  if (!differs(s, model->values) || !meet(s, model->values) ||
      gs_model_check(s->terms, s->facts, n, model) != GS_CHECK_TRUE)
    return false;
  gs_term roots[2] = {s->goal.a, s->goal.b};
  return gs_model_keeps_flags(s->terms, s->facts, n, model) &&
         (!s->goal.a || gs_model_keeps_flags(s->terms, roots, 2, model));
}

/// Two threads: everything else has its value, enumeration finds them.
static bool try_pair(search *s, gs_model *out) {
  size_t n = s->fact_count;
  for (uint32_t i = 0; i < s->options->pin_count + s->sym_count; i++) {
    uint32_t sym = i < s->options->pin_count ? s->options->pins[i].sym
                                             : s->syms[i - s->options->pin_count];
    if (is_of_thread(gs_sym_get(s->terms, sym)))
      continue;
    gs_term value = gs_mk_const(s->terms, s->values[sym], gs_sym_get(s->terms, sym)->width);
    s->facts[n++] = gs_mk_bin(s->terms, GS_OP_EQ, gs_sym_term(s->terms, sym), value);
  }
  s->goal.fact_count = n;
  uint64_t steps = 0;
  uint64_t room = s->options->steps - s->steps;
  gs_answer answer = gs_enumerate_goal(s->terms, &s->goal, room, out, &steps);
  s->steps += steps + s->dag.count;
  if (answer != GS_ANSWER_YES)
    return false;
  if (is_model(s, out))
    return true;
  gs_model_free(out);
  return false;
}

/// One thread, or two that no enumeration can tell apart: all values at once.
static bool try_point(search *s, uint32_t trial, gs_model *out) {
  for (uint32_t round = 0; round < ROUNDS && s->steps < s->options->steps; round++) {
    bool good = true;
    if (round)
      assign(s, trial);
    for (size_t i = 0; i < s->fact_count && good; i++)
      good = holds(s, s->facts[i]);
    s->steps += s->dag.count;
    if (!good)
      continue;
    if (!gs_model_init(out, s->terms, 0))
      return false;
    memcpy(out->values, s->values, out->count * sizeof *out->values);
    if (is_model(s, out))
      return true;
    gs_model_free(out);
  }
  return false;
}

gs_answer gs_search_goal(gs_terms *terms, const gs_goal *goal, const gs_search_options *options,
                         gs_model *out, uint64_t *spent) {
  search *s = calloc(1, sizeof *s);
  unsigned char *shared = NULL;
  bool found = false;
  *out = (gs_model){0};
  *spent = 0;
  if (!s)
    return GS_ANSWER_DONT_KNOW;
  s->terms = terms;
  s->options = options;
  s->random = 12345;
  if (options->pin_count <= GS_SEARCH_PINS && setup(s, goal) && (shared = find_shared(s))) {
    bool pair = goal->a && goal->b && goal->distinct_count;
    for (uint32_t t = 0; t < options->trials && !found && s->steps < options->steps; t++) {
      assign(s, t);
      s->steps += s->dag.count;
      if (launch_fits(s, shared) || !pair)
        found = pair ? try_pair(s, out) : try_point(s, t, out);
    }
  }
  *spent = s->steps;
  gs_dag_free(&s->dag);
  free(shared);
  free(s->facts);
  free(s->values);
  free(s);
  return found ? GS_ANSWER_YES : GS_ANSWER_DONT_KNOW;
}
