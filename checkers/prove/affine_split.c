// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Case splits over disjunctions, conditionals, truth values and which of the
// distinct pairs differs. Every case must be refuted.
#include "problem.h"

enum { MAX_LEAVES = 64, MAX_SPLIT_DEPTH = 8 };

typedef enum split_kind { SPLIT_OR, SPLIT_COND, SPLIT_TRUTH, SPLIT_PAIR } split_kind;

typedef struct split {
  split_kind kind;
  uint32_t index;
  uint32_t cases;
} split;

typedef struct search {
  uint32_t leaves;
} search;

/// Does it matter what v is? One that was found equal to something may.
static bool occurs(const gs_problem *p, gs_pvar v) {
  if (p->vars[v].subst)
    return !p->vars[v].subst->count || p->vars[v].subst->term[0].mono;
  for (uint32_t i = 0; i < p->eq.count; i++)
    if (gs_poly_has(p->eq.at[i], v))
      return true;
  for (uint32_t i = 0; i < p->le.count; i++)
    if (gs_poly_has(p->le.at[i], v))
      return true;
  return false;
}

/// Open pairs come first in `distinct`. \returns how many there are.
static uint32_t open_pairs(gs_problem *p) {
  uint32_t kept = 0;
  gs_i128 value = 0;
  for (uint32_t i = 0; i < p->distinct.count; i++) {
    const gs_poly *d = gs_problem_norm(p, p->distinct.at[i]);
    if (gs_poly_is_const(d, &value) && value == 0)
      continue; // equal: this pair does not make the difference
    p->distinct.at[kept++] = d;
  }
  p->distinct.count = kept;
  return kept;
}

static bool is_open(gs_problem *p, gs_term t) {
  gs_memo *m = gs_affine_memo(p, t);
  return m && !m->truth;
}

/// The n-th split that makes sense. \returns false when there are no more.
static bool next_split(gs_problem *p, uint32_t *cursor, split *out) {
  uint32_t at = *cursor, base = 0;
  for (; at < p->cond_count; at++)
    if (!p->conds[at].done && occurs(p, p->conds[at].var) &&
        is_open(p, gs_term_node(p->terms, p->conds[at].term)->arg[0])) {
      *out = (split){SPLIT_COND, at, 2};
      *cursor = at + 1;
      return true;
    }
  base = p->cond_count;
  for (; at - base < p->disjunction_count; at++)
    if (!p->disjunctions[at - base].done) {
      *out = (split){SPLIT_OR, at - base, 2};
      *cursor = at + 1;
      return true;
    }
  base += p->disjunction_count;
  for (; at - base < p->var_count; at++)
    if (p->vars[at - base].kind == GS_PVAR_BOOL && occurs(p, (gs_pvar)(at - base)) &&
        is_open(p, p->vars[at - base].term)) {
      *out = (split){SPLIT_TRUTH, at - base, 2};
      *cursor = at + 1;
      return true;
    }
  base += p->var_count;
  *cursor = at + 1;
  *out = (split){SPLIT_PAIR, 0, 2 * p->distinct.count};
  return at == base && p->has_distinct && p->distinct.count;
}

/// The pairs before this one are equal, and this one is ordered.
static void apply_pair(gs_problem *p, uint32_t which) {
  gs_arena *arena = p->arena;
  for (uint32_t i = 0; i < which / 2; i++)
    gs_problem_eq(p, p->distinct.at[i]);
  const gs_poly *d = p->distinct.at[which / 2];
  d = which % 2 ? gs_poly_neg(arena, d) : d;
  if (d)
    gs_problem_le(p, gs_poly_addc(arena, d, 1));
  p->has_distinct = false;
}

static void apply(gs_problem *p, const split *s, uint32_t which) {
  if (s->kind == SPLIT_OR) {
    gs_disjunction *d = &p->disjunctions[s->index];
    const gs_literal *l = which ? d->second : d->first;
    gs_literal taken[2] = {l[0], l[1]};
    bool certain = d->certain;
    d->done = true;
    for (int k = 0; k < 2; k++)
      if (taken[k].term)
        gs_affine_assert(p, taken[k].term, taken[k].truth, certain);
  } else if (s->kind == SPLIT_PAIR) {
    apply_pair(p, which);
  } else {
    gs_term t = s->kind == SPLIT_COND
                    ? gs_term_node(p->terms, p->conds[s->index].term)->arg[0]
                    : p->vars[s->index].term;
    gs_memo *m = gs_affine_memo(p, t);
    gs_affine_assert(p, t, which == 0, m && m->certain);
  }
}

/// After everything was eliminated: is some fact impossible?
static bool impossible(gs_problem *p) {
  gs_arena *arena = p->arena;
  if (p->contradiction || (p->has_distinct && !open_pairs(p)))
    return true;
  if (gs_sample_exists(p))
    return false;
  for (uint32_t i = 0; i < p->le.count; i++)
    if (gs_affine_le(p, gs_poly_addc(arena, gs_poly_neg(arena, p->le.at[i]), 1)))
      return true;
  for (uint32_t i = 0; i < p->eq.count; i++)
    if (gs_affine_le(p, gs_poly_addc(arena, p->eq.at[i], 1)) ||
        gs_affine_le(p, gs_poly_addc(arena, gs_poly_neg(arena, p->eq.at[i]), 1)))
      return true;
  return false;
}

/// Tries without splitting. `p` is saturated but keeps its equalities.
static bool attempt(gs_problem *p) {
  gs_affine_saturate(p, false);
  if (p->contradiction)
    return true;
  gs_problem work;
  if (!gs_problem_clone(p, &work))
    return false;
  gs_affine_saturate(&work, true);
  return impossible(&work);
}

static bool attempt_quickly(gs_problem *p) {
  bool was = p->quick;
  p->quick = true;
  bool refuted = attempt(p);
  p->quick = was;
  return refuted;
}

/// First without long proofs; with them only when no witness turns up.
static bool refute_directly(gs_problem *p) {
  if (attempt_quickly(p))
    return true;
  *p->satisfiable = *p->satisfiable || gs_affine_witnessed(p);
  if (*p->satisfiable || p->quick)
    return false;
  p->version++; // what was tried quickly is worth another look
  return attempt(p);
}

static bool refute(gs_problem *p, search *s, int depth);

/// Looks for a split all of whose cases are refuted at once; a single case that
/// is left holds. \returns true when the problem is refuted.
static bool probe(gs_problem *p, bool *progress) {
  split candidate;
  for (uint32_t cursor = 0; !*p->satisfiable && next_split(p, &cursor, &candidate);) {
    uint32_t open = 0, last = 0;
    for (uint32_t c = 0; c < candidate.cases && open < 2; c++) {
      gs_problem one;
      if (!gs_problem_clone(p, &one))
        return false;
      apply(&one, &candidate, c);
      if (!gs_problem_step(p, 1) || !attempt_quickly(&one)) {
        open++;
        last = c;
      }
    }
    if (!open)
      return true;
    if (open == 1) {
      apply(p, &candidate, last);
      *progress = true;
      return false;
    }
  }
  return false;
}

static bool refute(gs_problem *p, search *s, int depth) {
  open_pairs(p);
  if (refute_directly(p))
    return true;
  for (bool progress = true; progress;) {
    progress = false;
    if (probe(p, &progress) || (progress && refute_directly(p)))
      return true;
  }
  split chosen;
  uint32_t cursor = 0;
  if (depth == 0 || *p->satisfiable || !next_split(p, &cursor, &chosen))
    return false;
  for (uint32_t c = 0; c < chosen.cases; c++) {
    gs_problem one;
    if (++s->leaves > MAX_LEAVES || !gs_problem_step(p, 1) || !gs_problem_clone(p, &one))
      return false;
    apply(&one, &chosen, c);
    if (!refute(&one, s, depth - 1))
      return false;
  }
  return true;
}

bool gs_affine_search(gs_problem *p) {
  search s = {.leaves = 0};
  return refute(p, &s, MAX_SPLIT_DEPTH);
}
