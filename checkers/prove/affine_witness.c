// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sample point that satisfies the goal itself ends the search for a
// refutation: there is none.
#include "problem.h"

#include <stdlib.h>
#include <string.h>

static uint64_t zero(void *user, uint64_t address, uint8_t width) {
  (void)user;
  (void)address;
  (void)width;
  return 0;
}

/// The bits of every symbol at a sample point.
static bool symbol_values(gs_problem *p, const gs_sample *s, uint64_t *values) {
  uint32_t count = gs_sym_count(p->terms);
  for (uint32_t i = 0; i < count; i++)
    values[i] = gs_sym_get(p->terms, i)->lo;
  for (uint32_t i = 0; i < p->memo_size; i++) {
    const gs_memo *m = &p->memo[i];
    gs_i128 value = 0;
    if (!m->term || !m->var || !gs_term_is(p->terms, m->term, GS_OP_SYM))
      continue;
    const gs_poly *a = gs_problem_norm(p, gs_poly_var(p->arena, m->var));
    if (!a || !gs_sample_value(s, a, &value))
      return false;
    values[gs_term_node(p->terms, m->term)->value] =
        (uint64_t)value & gs_mask(gs_term_width(p->terms, m->term));
  }
  return true;
}

/// Would a flag exclude this point?
static bool keeps_flags(gs_problem *p, const gs_sample *s) {
  for (uint32_t i = 0; i < p->wrap_count; i++) {
    gs_i128 value = 0;
    if (!p->wraps[i].flagged)
      continue;
    const gs_poly *q = gs_problem_norm(p, gs_poly_var(p->arena, p->wraps[i].q));
    if (!q || !gs_sample_value(s, q, &value) || value != 0)
      return false;
  }
  return true;
}

static bool satisfies(gs_problem *p, const uint64_t *values) {
  const gs_goal *goal = p->goal;
  bool differs = goal->distinct_count == 0;
  uint64_t a = 0, b = 0;
  for (size_t i = 0; i < goal->distinct_count; i++)
    differs |= values[goal->distinct[i][0]] != values[goal->distinct[i][1]];
  if (!differs)
    return false;
  if (goal->a && goal->b) {
    if (!gs_term_eval(p->terms, goal->a, values, zero, NULL, &a) ||
        !gs_term_eval(p->terms, goal->b, values, zero, NULL, &b))
      return false;
    gs_i128 d = (gs_i128)(int64_t)a - (int64_t)b;
    if (d <= -(gs_i128)goal->size_a || d >= (gs_i128)goal->size_b)
      return false;
  }
  for (size_t i = 0; i < goal->fact_count; i++)
    if (!gs_term_eval(p->terms, goal->facts[i], values, zero, NULL, &a) || !a)
      return false;
  return true;
}

/// Keeps the first witness for the caller, when one is wanted.
static void keep(const gs_problem *p, const uint64_t *values) {
  gs_model *out = p->options->witness;
  uint32_t count = gs_sym_count(p->terms);
  if (!out || out->values)
    return;
  out->values = malloc((count + 1u) * sizeof *values);
  if (!out->values)
    return;
  memcpy(out->values, values, count * sizeof *values);
  out->count = count;
}

static bool is_witness(gs_problem *p, const gs_sample *s) {
  uint64_t *values = gs_arena_alloc(p->arena, gs_sym_count(p->terms) * sizeof *values);
  if (!values || !keeps_flags(p, s) || !symbol_values(p, s, values) || !satisfies(p, values))
    return false;
  keep(p, values);
  return true;
}

/// Some pair has to differ: looks for points where one does.
static void look_for_difference(gs_problem *p) {
  enum { TRIES = 4 };
  for (uint32_t i = 0; i < p->distinct.count && i < TRIES; i++) {
    const gs_poly *d = gs_problem_norm(p, p->distinct.at[i]);
    if (d && !gs_sample_known(p, d) && gs_sample_found(p, d))
      return;
  }
}

bool gs_affine_witnessed(gs_problem *p) {
  if (!gs_sample_exists(p))
    return false;
  if (p->has_distinct)
    look_for_difference(p);
  for (int i = 0; i < GS_SAMPLES; i++) {
    const gs_sample *s = &p->samples[i];
    bool differs = !p->has_distinct;
    for (uint32_t k = 0; k < p->distinct.count && !differs; k++) {
      gs_i128 value = 0;
      const gs_poly *d = gs_problem_norm(p, p->distinct.at[k]);
      differs = s->holds && d && gs_sample_value(s, d, &value) && value != 0;
    }
    if (s->holds && s->count == p->var_count && differs && gs_problem_step(p, 4) &&
        is_witness(p, s))
      return true;
  }
  return false;
}
