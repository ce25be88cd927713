// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The affine tier from inside: random polynomial facts over a few integers. All
// points that satisfy them are known, and everything the tier concludes is
// checked at each: bounds, ranges, substitutions, facts, contradictions.
// Usage: affine_problem_fuzz [first seed] [number of seeds].
#include "problem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_BASE = 4, MAX_ALL = 64, MAX_MODELS = 3000, MAX_GIVEN = 12 };

typedef struct fuzz {
  gs_problem p;
  gs_arena arena;
  uint64_t state, seed;
  uint32_t base; ///< variables 1 to base are enumerated
  gs_span span[MAX_BASE + 1];
  const gs_poly *given[MAX_GIVEN];
  int relation[MAX_GIVEN]; ///< 0: <= 0, 1: == 0, 2: != 0
  uint32_t given_count;
  gs_division divisions[8]; ///< as they were made: variables in order
  uint32_t division_count;
  gs_i128 (*models)[MAX_ALL];
  uint32_t model_count;
  uint32_t checks, proofs;
} fuzz;

static uint32_t pick(fuzz *f, uint32_t n) {
  f->state = f->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)((f->state >> 33) % n);
}

static gs_i128 eval(const gs_poly *a, const gs_i128 *at) {
  gs_i128 sum = 0;
  for (uint32_t i = 0; i < a->count; i++) {
    gs_i128 t = a->term[i].coef;
    for (gs_mono m = a->term[i].mono; m; m >>= 16)
      t *= at[(gs_pvar)m];
    sum += t;
  }
  return sum;
}

static const gs_poly *random_poly(fuzz *f, uint32_t terms) {
  gs_pterm t[8];
  static const int coefs[] = {1, -1, 1, -1, 2, -2, 3, 4, -4, 1, -1};
  for (uint32_t i = 0; i < terms; i++) {
    t[i].coef = coefs[pick(f, 11)];
    t[i].mono = 0;
    for (uint32_t d = pick(f, 8) ? 1 + pick(f, 2) : 0; d; d--)
      gs_mono_mul(t[i].mono, gs_mono_var((gs_pvar)(1 + pick(f, f->base))), &t[i].mono);
  }
  return gs_poly_make(&f->arena, t, terms);
}

static void give(fuzz *f, const gs_poly *a, int relation) {
  f->given[f->given_count] = a;
  f->relation[f->given_count++] = relation;
  if (relation == 0)
    gs_problem_le(&f->p, a);
  else if (relation == 1)
    gs_problem_eq(&f->p, a);
  else
    gs_problem_ne(&f->p, a);
}

/// Facts that hold at one random point, mostly.
static void give_facts(fuzz *f) {
  gs_i128 at[MAX_ALL] = {0};
  for (uint32_t v = 1; v <= f->base; v++)
    at[v] = f->span[v].lo + pick(f, (uint32_t)(f->span[v].hi - f->span[v].lo + 1));
  for (uint32_t n = 1 + pick(f, 5); n; n--) {
    const gs_poly *a = random_poly(f, 1 + pick(f, 4));
    int relation = pick(f, 3) ? 0 : 1 + (int)pick(f, 3) / 2;
    gs_i128 slack = relation == 1 ? 0 : relation == 0 ? pick(f, 3) : 1;
    if (pick(f, 10))
      a = gs_poly_addc(&f->arena, a, -eval(a, at) - slack);
    give(f, a, relation);
  }
}

static void give_division(fuzz *f) {
  gs_problem *p = &f->p;
  const gs_poly *x = random_poly(f, 1 + pick(f, 3)), *q = NULL, *r = NULL;
  gs_pvar v = (gs_pvar)(1 + pick(f, f->base));
  const gs_poly *y = gs_poly_const(&f->arena, 2 + pick(f, 4));
  if (pick(f, 2) && p->vars[v].span.lo >= 1)
    y = gs_poly_var(&f->arena, v);
  uint32_t before = p->division_count;
  x = gs_problem_norm(p, x);
  gs_affine_divide(p, x, y, &q, &r);
  for (uint32_t i = before; i < p->division_count && f->division_count < 8; i++)
    f->divisions[f->division_count++] = p->divisions[i];
  if (!q || !r)
    return;
  // What is made of the digits takes part in the facts as well.
  if (pick(f, 2))
    give(f, gs_poly_sub(&f->arena, q, random_poly(f, 2)), 0);
  if (pick(f, 3) == 0)
    give(f, gs_poly_addc(&f->arena, r, -(gs_i128)pick(f, 3)), pick(f, 2) ? 0 : 1);
}

/// Values of the variables that divisions introduced.
static void derived(const fuzz *f, gs_i128 *at) {
  for (uint32_t i = 0; i < f->division_count; i++) {
    const gs_division *d = &f->divisions[i];
    gs_i128 x = eval(d->x, at), y = eval(d->y, at);
    gs_i128 q = y >= 1 ? gs_i128_floordiv(x, y) : 0;
    at[(gs_pvar)d->q->term[0].mono] = q;
    at[(gs_pvar)d->r->term[0].mono] = x - y * q;
  }
}

static bool given_hold(const fuzz *f, const gs_i128 *at) {
  for (uint32_t i = 0; i < f->given_count; i++) {
    gs_i128 value = eval(f->given[i], at);
    if (f->relation[i] == 0 ? value > 0 : f->relation[i] == 1 ? value != 0 : value == 0)
      return false;
  }
  return true;
}

static void enumerate(fuzz *f, gs_i128 *at, uint32_t v) {
  if (v > f->base || v > MAX_BASE) {
    derived(f, at);
    if (given_hold(f, at) && f->model_count < MAX_MODELS)
      memcpy(f->models[f->model_count++], at, sizeof *f->models);
    return;
  }
  for (at[v] = f->span[v].lo; at[v] <= f->span[v].hi; at[v]++)
    enumerate(f, at, v + 1);
}

static void fail(const fuzz *f, const char *what, const gs_poly *a, const gs_i128 *at) {
  char text[400];
  printf("seed %" PRIu64 ": %s", f->seed, what);
  if (a) {
    gs_poly_print(a, text, sizeof text);
    printf(": %s", text);
  }
  printf("\n");
  for (uint32_t i = 0; i < f->given_count; i++) {
    gs_poly_print(f->given[i], text, sizeof text);
    printf("  given %s %s 0\n", text, f->relation[i] == 0 ? "<=" : f->relation[i] == 1 ? "==" : "!=");
  }
  for (uint32_t v = 1; at && v < f->p.var_count && v < MAX_ALL; v++)
    printf("  v%u = %" PRId64 "\n", v, (int64_t)at[v]);
  exit(1);
}

/// Everything the problem holds must be true at every model.
static void check_state(fuzz *f) {
  gs_problem *p = &f->p;
  if (p->contradiction && f->model_count)
    fail(f, "contradiction, but there is a point", NULL, f->models[0]);
  if (p->contradiction || p->var_count > MAX_ALL)
    return;
  for (uint32_t m = 0; m < f->model_count; m++) {
    const gs_i128 *at = f->models[m];
    for (uint32_t v = 1; v < p->var_count; v++) {
      if (at[v] < p->vars[v].span.lo || at[v] > p->vars[v].span.hi)
        fail(f, "outside of the range", gs_poly_var(&f->arena, (gs_pvar)v), at);
      if (p->vars[v].subst && eval(p->vars[v].subst, at) != at[v])
        fail(f, "substituted wrongly", p->vars[v].subst, at);
    }
    for (uint32_t i = 0; i < p->le.count; i++)
      if (eval(p->le.at[i], at) > 0)
        fail(f, "learnt <= 0", p->le.at[i], at);
    for (uint32_t i = 0; i < p->eq.count; i++)
      if (eval(p->eq.at[i], at) != 0)
        fail(f, "learnt == 0", p->eq.at[i], at);
    for (uint32_t i = 0; i < p->ne.count; i++)
      if (eval(p->ne.at[i], at) == 0)
        fail(f, "learnt != 0", p->ne.at[i], at);
    for (uint32_t i = 0; i < p->product_count; i++) {
      gs_poly *a = (gs_poly *)(uintptr_t)gs_poly_mono(&f->arena, 1, p->products[i].mono);
      gs_i128 value = eval(a, at);
      if (value < p->products[i].span.lo || value > p->products[i].span.hi)
        fail(f, "bound of a product", a, at);
    }
  }
}

/// Statements that hold at all models or nearly so: are they proved, and rightly?
static void check_bounds(fuzz *f, uint32_t count) {
  for (; count && f->model_count; count--) {
    const gs_poly *a = random_poly(f, 2 + pick(f, 3));
    if (f->division_count && pick(f, 2)) {
      const gs_division *d = &f->divisions[pick(f, f->division_count)];
      a = gs_poly_combine(&f->arena, a, 1, pick(f, 2) ? d->q : d->r, pick(f, 2) ? 1 : -1, 0);
    }
    gs_i128 most = eval(a, f->models[0]);
    uint32_t where = 0;
    for (uint32_t m = 1; m < f->model_count; m++)
      if (eval(a, f->models[m]) > most) {
        most = eval(a, f->models[m]);
        where = m;
      }
    a = gs_poly_addc(&f->arena, a, -most + (gs_i128)pick(f, 3) - 1);
    f->checks++;
    if (!gs_affine_le(&f->p, a))
      continue;
    f->proofs++;
    if (eval(a, f->models[where]) > 0)
      fail(f, "proved <= 0", a, f->models[where]);
  }
}

static void run(fuzz *f, uint64_t seed) {
  static const gs_affine_options options = {.use_flags = false};
  uint64_t steps = 0;
  bool satisfiable = false;
  gs_i128 at[MAX_ALL] = {0};
  gs_arena_init(&f->arena, (size_t)32 << 20);
  f->seed = seed;
  f->state = seed * UINT64_C(0x9E3779B97F4A7C15) + 5;
  f->base = 2 + pick(f, 3);
  f->given_count = f->division_count = f->model_count = 0;
  memset(&f->p, 0, sizeof f->p);
  f->p.arena = &f->arena;
  f->p.options = &options;
  f->p.steps = &steps;
  f->p.budget = 20000;
  f->p.satisfiable = &satisfiable;
  if (!gs_problem_init(&f->p))
    exit(2);
  for (uint32_t v = 1; v <= f->base; v++) {
    gs_i128 lo = (gs_i128)pick(f, 6) - (pick(f, 3) ? 0 : 5);
    f->span[v] = (gs_span){lo, lo + 1 + pick(f, f->base == 4 ? 4 : 8)};
    gs_problem_var(&f->p, f->span[v], GS_PVAR_SYM, GS_NO_TERM);
  }
  give_facts(f);
  for (uint32_t n = pick(f, 3); n; n--)
    give_division(f);
  enumerate(f, at, 1);
  check_state(f);
  check_bounds(f, 4);
  gs_affine_saturate(&f->p, false);
  check_state(f);
  check_bounds(f, 4);
  gs_affine_saturate(&f->p, true);
  check_state(f);
  check_bounds(f, 4);
  gs_arena_free(&f->arena);
}

int main(int argc, char **argv) {
  uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 0) : 0;
  uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 0) : 2000;
  fuzz *f = calloc(1, sizeof *f);
  if (!f || !(f->models = malloc(MAX_MODELS * sizeof *f->models)))
    return 2;
  for (uint64_t seed = first; seed < first + count; seed++)
    run(f, seed);
  printf("%" PRIu64 " problems, %" PRIu32 " of %" PRIu32 " bounds proved\n", count, f->proofs,
         f->checks);
  free(f->models);
  free(f);
  return 0;
}
