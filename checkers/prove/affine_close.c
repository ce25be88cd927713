// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Saturation: one pass after another over what is known, until nothing changes.
#include "problem.h"

enum { MAX_ROUNDS = 60 };

static const gs_poly *difference(gs_problem *p, const gs_poly *a, const gs_poly *b) {
  return gs_poly_sub(p->arena, gs_problem_norm(p, a), gs_problem_norm(p, b));
}

static void assign_constants(gs_problem *p) {
  for (uint32_t v = 1; v < p->var_count && !p->contradiction; v++)
    if (!p->vars[v].subst && p->vars[v].span.lo == p->vars[v].span.hi)
      gs_problem_assign(p, (gs_pvar)v, gs_poly_const(p->arena, p->vars[v].span.lo));
}

/// One pass over the equalities, with Euclidean splitting only on demand.
static void solve_equalities(gs_problem *p, bool split) {
  for (uint32_t i = 0; i < p->eq.count && !p->contradiction;) {
    const gs_poly *a = p->eq.at[i];
    gs_polys_remove(&p->eq, i);
    if (gs_affine_solve(p, &a) || (split && gs_affine_euclid(p, a))) {
      p->version++;
      if (split)
        return;
      continue;
    }
    // Put it back where it was; the list has room for it.
    for (uint32_t k = p->eq.count++; k > i; k--)
      p->eq.at[k] = p->eq.at[k - 1];
    p->eq.at[i++] = a;
  }
}

// ------------------------------------------------------------------ wraps ----

static bool is_certain(gs_problem *p, gs_term t) {
  gs_memo *m = gs_affine_memo(p, t);
  return m && m->certain;
}

static bool use_flag(gs_problem *p, const gs_wrap *w) {
  if (!w->flagged || !p->options->use_flags || !is_certain(p, w->term))
    return false;
  uint32_t origin = gs_term_node(p->terms, w->term)->origin;
  return !origin || !p->used || gs_used_add(p->used, origin);
}

enum effort { BY_RANGE, BY_BOUNDS, BY_FLAGS };

/// Is q known? A flagged one that is known not to be 0 stays open: the flag
/// will contradict it.
static bool is_settled(gs_problem *p, gs_wrap *w) {
  gs_i128 value = 0;
  const gs_poly *q = gs_problem_norm(p, gs_poly_var(p->arena, w->q));
  w->exact = gs_problem_norm(p, w->exact);
  return !w->exact || !q || (gs_poly_is_const(q, &value) && (value == 0 || !w->flagged));
}

static void set_wrap(gs_problem *p, gs_wrap *w, gs_i128 value) {
  w->done = true;
  gs_problem_eq(p, gs_poly_addc(p->arena, gs_poly_var(p->arena, w->q), -value));
}

static void resolve_wraps(gs_problem *p, enum effort effort) {
  for (uint32_t i = 0; i < p->wrap_count && !p->contradiction; i++) {
    gs_wrap *w = &p->wraps[i];
    w->done = w->done || is_settled(p, w);
    if (w->done)
      continue;
    if (effort == BY_FLAGS) {
      if (use_flag(p, w))
        set_wrap(p, w, 0);
      continue;
    }
    gs_span range = gs_span_view(w->view, w->width);
    gs_span count = gs_span_wraps(gs_span_of(p, w->exact), range, w->width);
    if (p->vars[w->q].subst)
      continue;
    gs_problem_narrow(p, w->q, count);
    count = p->vars[w->q].span;
    bool open = count.lo < count.hi && count.lo <= 0 && count.hi >= 0;
    if (open && effort == BY_BOUNDS && w->tried != p->version) {
      w->tried = p->version;
      bool was_quick = p->quick;
      p->quick |= w->flagged && p->options->use_flags && is_certain(p, w->term);
      bool fits = gs_affine_within(p, w->exact, range);
      p->quick = was_quick;
      if (fits)
        set_wrap(p, w, 0);
    } else if (count.lo == count.hi && (count.lo == 0 || !w->flagged)) {
      set_wrap(p, w, count.lo);
    }
  }
}

// ------------------------------------------------- conditionals and truths ----

/// Tries to decide a comparison. \returns 1, -1 or 0 (not decided).
static int decide(gs_problem *p, gs_term t) {
  gs_node node = *gs_term_node(p->terms, t);
  bool is_unsigned = node.op == GS_OP_ULT || node.op == GS_OP_ULE;
  bool is_signed = node.op == GS_OP_SLT || node.op == GS_OP_SLE;
  if (!is_unsigned && !is_signed)
    return 0;
  gs_view view = is_unsigned ? GS_VIEW_U : GS_VIEW_S;
  gs_i128 strict = node.op == GS_OP_ULT || node.op == GS_OP_SLT;
  const gs_poly *a = gs_affine_value(p, node.arg[0], view);
  const gs_poly *b = gs_affine_value(p, node.arg[1], view);
  const gs_poly *d = gs_poly_addc(p->arena, difference(p, a, b), strict);
  if (gs_affine_le(p, d))
    return 1;
  d = gs_poly_addc(p->arena, gs_poly_neg(p->arena, d), 1);
  return gs_affine_le(p, d) ? -1 : 0;
}

/// Conditionals whose condition is known are their arm.
static void resolve_conditionals(gs_problem *p) {
  for (uint32_t i = 0; i < p->cond_count && !p->contradiction; i++) {
    gs_cond c = p->conds[i];
    gs_node node = *gs_term_node(p->terms, c.term);
    gs_memo *m = c.done ? NULL : gs_affine_memo(p, node.arg[0]);
    if (!m || !m->truth)
      continue;
    gs_term arm = node.arg[m->truth > 0 ? 1 : 2];
    p->conds[i].done = true;
    if (is_certain(p, c.term))
      gs_affine_mark(p, arm);
    const gs_poly *value = gs_affine_value(p, arm, c.view);
    gs_problem_eq(p, gs_poly_sub(p->arena, gs_poly_var(p->arena, c.var), value));
  }
}

static void decide_conditionals(gs_problem *p) {
  for (uint32_t i = 0; i < p->cond_count && !p->contradiction; i++) {
    gs_term t = gs_term_node(p->terms, p->conds[i].term)->arg[0];
    if (p->conds[i].done || p->conds[i].tried == p->version)
      continue;
    int truth = decide(p, t);
    p->conds[i].tried = p->version;
    if (truth && !p->contradiction)
      gs_affine_assert(p, t, truth > 0, is_certain(p, t));
  }
}

/// A truth value that became 0 or 1 by arithmetic says what its term says.
static void resolve_truths(gs_problem *p) {
  for (uint32_t v = 1; v < p->var_count && !p->contradiction; v++) {
    gs_i128 value = 0;
    gs_term t = p->vars[v].term;
    if (p->vars[v].kind != GS_PVAR_BOOL || !p->vars[v].subst ||
        !gs_poly_is_const(p->vars[v].subst, &value))
      continue;
    gs_memo *m = gs_affine_memo(p, t);
    if (m && !m->truth)
      gs_affine_assert(p, t, value != 0, m->certain);
  }
}

/// A literal known to be true or false; 0 when open.
static int known(gs_problem *p, gs_literal l) {
  gs_memo *m = l.term ? gs_affine_memo(p, l.term) : NULL;
  return !m ? 1 : l.truth ? m->truth : -m->truth;
}

static void assert_literals(gs_problem *p, const gs_literal l[2], bool certain) {
  for (int k = 0; k < 2; k++)
    if (l[k].term)
      gs_affine_assert(p, l[k].term, l[k].truth, certain);
}

static void resolve_disjunctions(gs_problem *p) {
  for (uint32_t i = 0; i < p->disjunction_count && !p->contradiction; i++) {
    gs_disjunction d = p->disjunctions[i];
    if (d.done)
      continue;
    bool no_first = known(p, d.first[0]) < 0 || known(p, d.first[1]) < 0;
    bool no_second = known(p, d.second[0]) < 0 || known(p, d.second[1]) < 0;
    if (no_first && no_second)
      p->contradiction = true;
    if (!no_first && !no_second)
      continue;
    p->disjunctions[i].done = true;
    assert_literals(p, no_first ? d.second : d.first, d.certain);
  }
}

// ---------------------------------------------------------------- the rest ----

/// Operations on equal operands have equal results.
static void congruence(gs_problem *p) {
  for (uint32_t i = 0; i < p->atom_count; i++)
    for (int k = 0; k < 2; k++)
      p->atoms[i].arg[k] = gs_problem_norm(p, p->atoms[i].arg[k]);
  for (uint32_t i = 0; i < p->atom_count; i++)
    for (uint32_t j = 0; j < i; j++) {
      const gs_atom *a = &p->atoms[i], *b = &p->atoms[j];
      if (a->op != b->op || a->width != b->width || a->low != b->low || a->view != b->view ||
          !gs_poly_equal(a->arg[0], b->arg[0]) ||
          (a->arg[1] ? !gs_poly_equal(a->arg[1], b->arg[1]) : b->arg[1] != NULL))
        continue;
      gs_problem_eq(p, difference(p, gs_poly_var(p->arena, a->var),
                                  gs_poly_var(p->arena, b->var)));
      break;
    }
}

/// A truncating division of a value that turns out not to be negative.
static void resolve_divisions(gs_problem *p) {
  for (uint32_t i = 0; i < p->division_count && !p->contradiction; i++) {
    gs_division *d = &p->divisions[i];
    if (!d->truncated || d->loose || d->tried == p->version)
      continue;
    d->tried = p->version;
    d->x = gs_problem_norm(p, d->x);
    if (!d->x || !gs_affine_le(p, gs_poly_neg(p->arena, d->x)))
      continue;
    d->truncated = false;
    p->version++;
    gs_problem_le(p, gs_poly_neg(p->arena, d->r));
    gs_problem_le(p, gs_poly_neg(p->arena, p->divisions[i].q));
  }
}

/// Divisions whose divisor turns out to be at least 1.
static void resolve_postponed(gs_problem *p) {
  for (uint32_t i = 0; i < p->postponed_count && !p->contradiction; i++) {
    gs_postponed d = p->postponed[i];
    if (d.done || d.tried == p->version)
      continue;
    p->postponed[i].tried = p->version;
    const gs_poly *value = gs_affine_division(p, d.term, d.view, false);
    if (!value)
      continue;
    p->postponed[i].done = true;
    gs_problem_eq(p, difference(p, gs_affine_value(p, d.term, d.view), value));
  }
}

// ------------------------------------------------------------- elimination ----

static int preference(gs_pvar_kind kind) {
  switch (kind) {
  case GS_PVAR_REM: return 7;
  case GS_PVAR_SLACK: return 6;
  case GS_PVAR_QUOT: return 5;
  case GS_PVAR_ITE: return 4;
  case GS_PVAR_ATOM: return 3;
  case GS_PVAR_SYM: return 2;
  case GS_PVAR_BOOL:
  case GS_PVAR_POW2: return 1;
  case GS_PVAR_WRAP: return 0;
  }
  return 0;
}

/// The best variable that occurs in `a` just once, with coefficient 1 or -1.
static gs_pvar solvable(const gs_problem *p, const gs_poly *a, int *best) {
  gs_pvar found = 0;
  for (uint32_t i = 0; i < a->count; i++) {
    gs_pterm t = a->term[i];
    gs_pvar v = (gs_pvar)t.mono;
    if (gs_mono_degree(t.mono) != 1 || (t.coef != 1 && t.coef != -1))
      continue;
    bool alone = true;
    for (uint32_t j = 0; j < a->count; j++)
      alone &= j == i || !gs_mono_has(a->term[j].mono, v);
    int rank = preference(p->vars[v].kind);
    if (!alone || rank < *best || (rank == *best && v < found))
      continue;
    *best = rank;
    found = v;
  }
  return found;
}

/// Uses up one equality by substitution.
static void eliminate_one(gs_problem *p) {
  uint32_t which = 0;
  gs_pvar v = 0;
  int best = -1;
  for (uint32_t i = 0; i < p->eq.count; i++) {
    int rank = best + 1;
    gs_pvar found = solvable(p, p->eq.at[i], &rank);
    if (found) {
      v = found;
      which = i;
      best = rank;
    }
  }
  if (!v)
    return;
  const gs_poly *a = p->eq.at[which];
  gs_i128 c = gs_poly_coef(a, gs_mono_var(v));
  const gs_poly *rest = gs_poly_rest(p->arena, a, gs_mono_var(v));
  gs_polys_remove(&p->eq, which);
  gs_problem_assign(p, v, c > 0 ? gs_poly_neg(p->arena, rest) : rest);
}

/// One step of saturation, the cheapest that teaches something.
static void advance(gs_problem *p, bool eliminate) {
  uint32_t before = p->version;
  gs_problem_propagate(p);
  assign_constants(p);
  solve_equalities(p, false);
  resolve_wraps(p, BY_RANGE);
  resolve_truths(p);
  resolve_disjunctions(p);
  resolve_conditionals(p);
  congruence(p);
  gs_affine_powers(p);
  if (p->version == before)
    resolve_wraps(p, BY_BOUNDS);
  if (p->version == before)
    solve_equalities(p, true);
  if (p->version == before)
    decide_conditionals(p);
  if (p->version == before)
    resolve_divisions(p);
  if (p->version == before)
    resolve_postponed(p);
  if (p->version == before)
    gs_affine_relate_divisions(p);
  if (p->version == before && p->options->use_flags)
    resolve_wraps(p, BY_FLAGS);
  if (p->version == before && eliminate)
    eliminate_one(p);
}

void gs_affine_saturate(gs_problem *p, bool eliminate) {
  for (int round = 0; round < MAX_ROUNDS && !p->contradiction; round++) {
    uint32_t before = p->version;
    if (!gs_problem_step(p, 1))
      return;
    advance(p, eliminate);
    if (p->version == before)
      return;
  }
}
