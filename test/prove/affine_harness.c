// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "affine_harness.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void world_init(world *w) {
  memset(w, 0, sizeof *w);
  w->terms = gs_terms_new();
  w->size_a = w->size_b = 1;
}

void world_free(world *w) { gs_terms_free(w->terms); }

gs_term world_sym(world *w, const char *name, uint32_t copy, uint8_t width, uint64_t lo,
                  uint64_t hi, const uint64_t *values, uint32_t count) {
  uint32_t index = gs_sym_count(w->terms);
  gs_sym proto = {.kind = GS_SYM_OPAQUE,
                  .level = copy ? GS_LEVEL_THREAD : GS_LEVEL_GRID,
                  .copy = copy,
                  .width = width,
                  .exact = true,
                  .lo = lo,
                  .hi = hi,
                  .name = name};
  if (index >= MAX_SYMS)
    abort();
  for (uint32_t i = 0; i < count && i < MAX_VALUES; i++) {
    uint64_t v = values ? values[i] : lo + i;
    if (v >= lo && v <= hi)
      w->try_value[index][w->try_count[index]++] = v;
  }
  return gs_mk_sym(w->terms, &proto);
}

void world_fact(world *w, gs_term fact) {
  if (w->fact_count == MAX_FACTS || !fact)
    abort();
  w->facts[w->fact_count++] = fact;
}

void world_distinct(world *w, gs_term x, gs_term y) {
  if (w->pair_count == MAX_PAIRS)
    abort();
  w->pairs[w->pair_count][0] = (uint32_t)gs_term_node(w->terms, x)->value;
  w->pairs[w->pair_count++][1] = (uint32_t)gs_term_node(w->terms, y)->value;
}

gs_answer world_refute(world *w, gs_used *used, uint64_t *steps) {
  gs_goal goal = {.facts = w->facts,
                  .fact_count = w->fact_count,
                  .a = w->a,
                  .b = w->b,
                  .size_a = w->size_a,
                  .size_b = w->size_b,
                  .distinct = (const uint32_t(*)[2])w->pairs,
                  .distinct_count = w->pair_count};
  bool trace = getenv("AFFINE_TRACE") != NULL;
  gs_affine_options options = {.use_flags = w->use_flags, .dump = trace, .trace = stdout};
  return gs_affine_refute(w->terms, &goal, &options, used, steps);
}

// ------------------------------------------------------ exhaustive search ----

/// Memory: some function of address and width, with repetitions.
static uint64_t contents(void *user, uint64_t address, uint8_t width) {
  (void)user;
  return (address * 7 + width) % 5;
}

static bool value_of(const world *w, gs_term t, const uint64_t *values, uint64_t *out) {
  return gs_term_eval(w->terms, t, values, contents, NULL, out);
}

__extension__ typedef __int128 wide;

static bool is_used(const world *w, uint32_t origin) {
  bool found = !w->used || !origin;
  for (uint32_t i = 0; w->used && i < w->used->count; i++)
    found |= w->used->origins[i] == origin;
  return found;
}

/// Do the flags of this operation hold?
static bool flags_hold(const world *w, const gs_node *node, const uint64_t *values) {
  uint64_t a = 0, b = 0;
  if (!node->flags || !is_used(w, node->origin) || !value_of(w, node->arg[0], values, &a))
    return true;
  if (node->arg[1] && !value_of(w, node->arg[1], values, &b))
    return true;
  uint8_t in = gs_term_width(w->terms, node->arg[0]);
  for (int is_signed = 0; is_signed < 2; is_signed++) {
    if (!(node->flags & (is_signed ? GS_NSW : GS_NUW)))
      continue;
    wide x = is_signed ? (wide)gs_sign_extend(a, in) : (wide)a;
    wide y = is_signed ? (wide)gs_sign_extend(b, in) : (wide)b;
    wide r = x;
    if (node->op == GS_OP_SHL)
      r = b < 64 ? x * ((wide)1 << b) : x;
    else if (node->op == GS_OP_ADD)
      r = x + y;
    else if (node->op == GS_OP_SUB)
      r = x - y;
    else if (node->op == GS_OP_MUL)
      r = x * y;
    wide size = (wide)1 << node->width;
    wide lo = is_signed ? -size / 2 : 0, hi = is_signed ? size / 2 - 1 : size - 1;
    if (r < lo || r > hi)
      return false;
  }
  return true;
}

static bool executed_fine(const world *w, gs_term t, const uint64_t *values);

/// A truth value that was found to be `truth`: could it have been computed so
/// without breaking a promise?
static bool asserted_fine(const world *w, gs_term t, bool truth, const uint64_t *values) {
  gs_node node = *gs_term_node(w->terms, t);
  uint64_t c = 0;
  if (node.op == GS_OP_XOR && gs_term_const(w->terms, node.arg[1], &c))
    return asserted_fine(w, node.arg[0], truth != (c & 1), values);
  if (node.width == 1 && (node.op == GS_OP_AND || node.op == GS_OP_OR)) {
    bool all = (node.op == GS_OP_AND) == truth, result = all;
    for (int i = 0; i < 2; i++) {
      bool taken = value_of(w, node.arg[i], values, &c) && (c & 1) == truth &&
                   asserted_fine(w, node.arg[i], truth, values);
      result = all ? result && taken : result || taken;
    }
    return result;
  }
  if (node.op == GS_OP_ITE) {
    if (!value_of(w, node.arg[0], values, &c))
      return true;
    return asserted_fine(w, node.arg[0], c & 1, values) &&
           asserted_fine(w, node.arg[c & 1 ? 1 : 2], truth, values);
  }
  return executed_fine(w, t, values);
}

static bool executed_fine(const world *w, gs_term t, const uint64_t *values) {
  gs_node node = *gs_term_node(w->terms, t);
  uint64_t c = 0;
  if (node.op == GS_OP_CONST || node.op == GS_OP_SYM)
    return true;
  bool is_not = node.op == GS_OP_XOR && gs_term_const(w->terms, node.arg[1], &c);
  if (node.width == 1 &&
      (node.op == GS_OP_AND || node.op == GS_OP_OR || node.op == GS_OP_ITE || is_not))
    return value_of(w, t, values, &c) ? asserted_fine(w, t, c & 1, values) : true;
  if (node.op == GS_OP_ITE) {
    if (!value_of(w, node.arg[0], values, &c))
      return true;
    return executed_fine(w, node.arg[0], values) &&
           executed_fine(w, node.arg[c & 1 ? 1 : 2], values);
  }
  if (!flags_hold(w, &node, values))
    return false;
  for (int i = 0; i < 3; i++)
    if (node.arg[i] && !executed_fine(w, node.arg[i], values))
      return false;
  return true;
}

static bool satisfied(const world *w, const uint64_t *values) {
  bool differs = w->pair_count == 0;
  for (size_t i = 0; i < w->pair_count; i++)
    differs |= values[w->pairs[i][0]] != values[w->pairs[i][1]];
  if (!differs)
    return false;
  if (w->a) {
    uint64_t a = 0, b = 0;
    if (!value_of(w, w->a, values, &a) || !value_of(w, w->b, values, &b))
      return false;
    wide d = (wide)(int64_t)a - (int64_t)b;
    if (d <= -(wide)w->size_a || d >= (wide)w->size_b)
      return false;
  }
  if (!w->use_flags)
    return true;
  for (size_t i = 0; i < w->fact_count; i++)
    if (!asserted_fine(w, w->facts[i], true, values))
      return false;
  return !w->a || (executed_fine(w, w->a, values) && executed_fine(w, w->b, values));
}

typedef struct searcher {
  const world *w;
  uint32_t count;
  uint64_t *values;
  uint64_t limit, tried;
  uint32_t last[MAX_FACTS]; ///< the last symbol of each fact
} searcher;

/// Facts are checked as soon as their symbols have values.
static bool assign(searcher *s, uint32_t at) {
  const world *w = s->w;
  if (s->tried >= s->limit)
    return false;
  if (at == s->count)
    return satisfied(w, s->values);
  for (uint32_t i = 0; i < w->try_count[at]; i++) {
    bool fits = true;
    s->values[at] = w->try_value[at][i];
    s->tried++;
    for (size_t f = 0; f < w->fact_count && fits; f++) {
      uint64_t truth = 0;
      if (s->last[f] == at)
        fits = value_of(w, w->facts[f], s->values, &truth) && truth;
    }
    if (fits && assign(s, at + 1))
      return true;
  }
  return false;
}

bool world_search(world *w, uint64_t *values, uint64_t limit, uint64_t *tried) {
  searcher s = {.w = w, .count = gs_sym_count(w->terms), .values = values, .limit = limit};
  for (size_t f = 0; f < w->fact_count; f++) {
    unsigned char seen[MAX_SYMS] = {0};
    uint64_t truth = 0;
    gs_term_syms(w->terms, w->facts[f], seen);
    s.last[f] = UINT32_MAX;
    for (uint32_t i = 0; i < s.count; i++)
      if (seen[i])
        s.last[f] = i;
    if (s.last[f] == UINT32_MAX && (!value_of(w, w->facts[f], values, &truth) || !truth))
      return false;
  }
  bool found = assign(&s, 0);
  if (tried)
    *tried = s.tried;
  return found;
}

static void print_term(const world *w, const char *what, gs_term t) {
  size_t size = gs_term_print(w->terms, t, NULL, 0) + 1;
  char *text = malloc(size);
  if (!text)
    abort();
  gs_term_print(w->terms, t, text, size);
  printf("  %s %s\n", what, text);
  free(text);
}

void world_print(const world *w, const uint64_t *values) {
  for (uint32_t i = 0; i < gs_sym_count(w->terms); i++) {
    const gs_sym *sym = gs_sym_get(w->terms, i);
    printf("  sym %s'%" PRIu32 ":%u in [%" PRIu64 ", %" PRIu64 "]", sym->name, sym->copy,
           (unsigned)sym->width, sym->lo, sym->hi);
    printf(values ? " = %" PRIu64 "\n" : "\n", values ? values[i] : 0);
  }
  for (size_t i = 0; i < w->fact_count; i++)
    print_term(w, "fact", w->facts[i]);
  if (w->a) {
    print_term(w, "a", w->a);
    print_term(w, "b", w->b);
    printf("  sizes %" PRIu32 " %" PRIu32 "\n", w->size_a, w->size_b);
  }
  for (size_t i = 0; i < w->pair_count; i++)
    printf("  distinct %" PRIu32 " %" PRIu32 "\n", w->pairs[i][0], w->pairs[i][1]);
}
