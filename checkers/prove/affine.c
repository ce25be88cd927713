// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The affine tier's entry: facts first, then the overlap, then the search.
#include "affine.h"

#include "problem.h"

#include <stdlib.h>

enum { MEMORY_LIMIT = 64 << 20, DEFAULT_BUDGET = 3000 };

bool gs_used_add(gs_used *used, uint32_t origin) {
  uint32_t at = 0;
  while (at < used->count && used->origins[at] < origin)
    at++;
  if (at < used->count && used->origins[at] == origin)
    return true;
  if (used->count == used->capacity) {
    uint32_t capacity = used->capacity ? 2 * used->capacity : 8;
    uint32_t *moved = realloc(used->origins, capacity * sizeof *moved);
    if (!moved)
      return false;
    used->origins = moved;
    used->capacity = capacity;
  }
  for (uint32_t i = used->count++; i > at; i--)
    used->origins[i] = used->origins[i - 1];
  used->origins[at] = origin;
  return true;
}

/// The index that an offset is a multiple of, where the product does not overflow as
/// its flag says and the index is read as unsigned; else GS_NO_TERM.
static gs_term unsigned_index(const gs_problem *p, gs_term offset, uint32_t size) {
  const gs_node *node = gs_term_node(p->terms, offset);
  uint64_t factor = 0;
  if (node->op != GS_OP_MUL || !(node->flags & GS_NSW) ||
      !gs_term_const(p->terms, node->arg[1], &factor) || factor < size || factor > INT32_MAX ||
      gs_term_is(p->terms, node->arg[0], GS_OP_SEXT))
    return GS_NO_TERM;
  return node->arg[0];
}

/// Elements that overlap are one element: their indices are equal as bits, however the
/// address reads them. (As signed numbers, indices of size_t drag their wrap along.)
static void add_equal_indices(gs_problem *p, const gs_goal *goal) {
  uint32_t size = goal->size_a > goal->size_b ? goal->size_a : goal->size_b;
  gs_term x = unsigned_index(p, goal->a, size), y = unsigned_index(p, goal->b, size);
  if (!x || !y || !p->options->use_flags ||
      gs_term_node(p->terms, goal->a)->arg[1] != gs_term_node(p->terms, goal->b)->arg[1])
    return;
  gs_term both[2] = {goal->a, goal->b};
  for (int i = 0; i < 2 && p->used; i++) {
    uint32_t origin = gs_term_node(p->terms, both[i])->origin;
    if (origin && !gs_used_add(p->used, origin))
      return;
  }
  const gs_poly *a = gs_affine_value(p, x, GS_VIEW_U), *b = gs_affine_value(p, y, GS_VIEW_U);
  gs_problem_eq(p, gs_poly_sub(p->arena, gs_problem_norm(p, a), gs_problem_norm(p, b)));
}

/// -size_a < a - b < size_b. Of the possible differences only those count that
/// the common divisor of the address terms allows.
static void add_overlap(gs_problem *p, const gs_goal *goal) {
  gs_arena *arena = p->arena;
  const gs_poly *a = gs_affine_value(p, goal->a, GS_VIEW_S);
  const gs_poly *b = gs_affine_value(p, goal->b, GS_VIEW_S);
  gs_affine_mark(p, goal->a);
  gs_affine_mark(p, goal->b);
  gs_affine_saturate(p, false);
  const gs_poly *d = gs_poly_sub(arena, gs_problem_norm(p, a), gs_problem_norm(p, b));
  gs_i128 size_a = goal->size_a ? goal->size_a : 1, size_b = goal->size_b ? goal->size_b : 1;
  gs_i128 value = 0;
  if (!d || p->contradiction)
    return;
  if (gs_poly_is_const(d, &value)) {
    p->contradiction |= value <= -size_a || value >= size_b;
    return;
  }
  gs_i128 g = gs_poly_content(d), c = gs_poly_constant(d); // d = g*k + c
  gs_span k = {gs_i128_ceildiv(1 - size_a - c, g), gs_i128_floordiv(size_b - 1 - c, g)};
  d = gs_poly_addc(arena, d, -c);
  if (k.lo > k.hi) {
    p->contradiction = true;
  } else if (k.lo == k.hi) {
    gs_problem_eq(p, gs_poly_addc(arena, d, -g * k.lo));
  } else {
    gs_pvar slack = gs_problem_var(p, k, GS_PVAR_SLACK, GS_NO_TERM);
    if (slack)
      gs_problem_eq(p, gs_poly_sub(arena, d, gs_poly_mono(arena, g, gs_mono_var(slack))));
  }
}

static void add_distinct(gs_problem *p, const gs_goal *goal) {
  p->has_distinct = goal->distinct_count > 0;
  for (size_t i = 0; i < goal->distinct_count; i++) {
    const gs_poly *side[2];
    for (int k = 0; k < 2; k++)
      side[k] = gs_affine_value(p, gs_sym_term(p->terms, goal->distinct[i][k]), GS_VIEW_U);
    const gs_poly *d = gs_poly_sub(p->arena, gs_problem_norm(p, side[0]), side[1]);
    if (!d || !gs_polys_add(p, &p->distinct, d)) {
      p->has_distinct = false; // forgotten: the pairs say nothing
      return;
    }
  }
}

static bool solve(gs_problem *p, const gs_goal *goal, bool quick) {
  if (!gs_problem_init(p))
    return false;
  p->quick = true; // while the goal is set up
  for (size_t i = 0; i < goal->fact_count && !p->contradiction; i++) {
    gs_affine_assert(p, goal->facts[i], true, true);
    gs_problem_propagate(p);
  }
  gs_affine_saturate(p, false);
  if (!p->contradiction)
    add_distinct(p, goal);
  if (!p->contradiction && goal->a && goal->b)
    add_equal_indices(p, goal);
  if (!p->contradiction && goal->a && goal->b)
    add_overlap(p, goal);
  p->quick = quick;
  return p->contradiction || gs_affine_search(p);
}

static bool run(gs_terms *terms, const gs_goal *goal, const gs_affine_options *options,
                gs_used *used, bool quick, uint64_t budget, uint64_t *steps) {
  gs_arena arena;
  gs_arena_init(&arena, MEMORY_LIMIT);
  bool satisfiable = false;
  gs_problem p = {.terms = terms,
                  .goal = goal,
                  .satisfiable = &satisfiable,
                  .arena = &arena,
                  .options = options,
                  .used = used,
                  .steps = steps,
                  .budget = *steps + budget};
  bool refuted = solve(&p, goal, quick);
  gs_arena_free(&arena);
  return refuted && !gs_terms_failed(terms);
}

gs_answer gs_affine_refute(gs_terms *terms, const gs_goal *goal,
                           const gs_affine_options *options, gs_used *used, uint64_t *steps) {
  uint64_t count = 0, budget = options->budget ? options->budget : DEFAULT_BUDGET;
  gs_used mine = {NULL, 0, 0, false};
  if (options->witness)
    *options->witness = (gs_model){0};
  bool refuted = run(terms, goal, options, &mine, false, budget, &count);
  if (refuted && (mine.count || mine.undefined)) {
    // Perhaps no flag was needed: an obligation less for the caller.
    gs_affine_options plain = *options;
    plain.use_flags = false;
    plain.witness = NULL;
    uint64_t extra = count + 50;
    if (run(terms, goal, &plain, NULL, true, extra, &count))
      mine = (gs_used){.origins = mine.origins};
  }
  bool listed = true;
  for (uint32_t i = 0; used && i < mine.count; i++)
    listed &= gs_used_add(used, mine.origins[i]);
  if (used)
    used->undefined |= mine.undefined;
  free(mine.origins);
  if (steps)
    *steps = count;
  if (refuted && listed)
    return GS_ANSWER_NO;
  return options->witness && options->witness->values ? GS_ANSWER_YES : GS_ANSWER_DONT_KNOW;
}
