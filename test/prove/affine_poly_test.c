// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Polynomials: ring laws on random values, limits that end in NULL.
#include "poly.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;
static uint64_t state = 1;

static uint32_t pick(uint32_t n) {
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)((state >> 33) % n);
}

static void check(int fine, const char *what) {
  if (fine)
    return;
  printf("failed: %s\n", what);
  failures++;
}

static const gs_poly *random_poly(gs_arena *arena) {
  gs_pterm terms[6];
  uint32_t n = pick(6);
  for (uint32_t i = 0; i < n; i++) {
    terms[i].coef = (gs_i128)pick(11) - 5;
    terms[i].mono = 0;
    for (uint32_t d = pick(4); d; d--)
      gs_mono_mul(terms[i].mono, gs_mono_var((gs_pvar)(1 + pick(3))), &terms[i].mono);
  }
  return gs_poly_make(arena, terms, n);
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

static void ring_laws(gs_arena *arena) {
  for (int round = 0; round < 2000; round++) {
    gs_i128 at[4] = {0, (gs_i128)pick(9) - 4, (gs_i128)pick(9) - 4, (gs_i128)pick(9) - 4};
    const gs_poly *a = random_poly(arena), *b = random_poly(arena);
    gs_pvar v = (gs_pvar)(1 + pick(3));
    gs_i128 x = eval(a, at), y = eval(b, at), moved[4];
    check(eval(gs_poly_add(arena, a, b), at) == x + y, "add");
    check(eval(gs_poly_sub(arena, a, b), at) == x - y, "sub");
    check(eval(gs_poly_mul(arena, a, b), at) == x * y, "mul");
    check(eval(gs_poly_scale(arena, a, -3), at) == -3 * x, "scale");
    check(gs_poly_sub(arena, a, a)->count == 0, "a - a");
    memcpy(moved, at, sizeof moved);
    moved[v] = y;
    const gs_poly *s = gs_poly_subst(arena, a, v, b);
    check(!s || eval(s, at) == eval(a, moved), "subst");
    const gs_poly *q = gs_poly_quotient(arena, a, gs_mono_var(v));
    const gs_poly *r = gs_poly_rest(arena, a, gs_mono_var(v));
    check(eval(q, at) * at[v] + eval(r, at) == x, "quotient and rest");
    check(!gs_poly_has(r, v), "rest is free of the variable");
    check(gs_poly_equal(a, b) == (gs_poly_sub(arena, a, b)->count == 0), "equal");
  }
}

static void limits(gs_arena *arena) {
  const gs_poly *big = gs_poly_const(arena, (gs_i128)1 << 119);
  check(big != NULL, "2^119 fits");
  check(gs_poly_mul(arena, big, big) == NULL, "product too big");
  check(gs_poly_add(arena, big, big) == NULL, "sum too big");
  check(gs_poly_add(arena, NULL, big) == NULL, "NULL is handed on");
  const gs_poly *x = gs_poly_var(arena, 3), *power = x;
  for (int i = 1; i < GS_MONO_MAX; i++)
    power = gs_poly_mul(arena, power, x);
  check(power != NULL, "degree 8");
  check(gs_poly_mul(arena, power, x) == NULL, "degree 9");
  gs_arena small;
  gs_arena_init(&small, 100);
  check(gs_poly_var(&small, 1) == NULL && small.failed, "arena limit");
  gs_arena_free(&small);
}

static void monomials(void) {
  gs_mono ab = 0, abc = 0, q = 0;
  gs_mono_mul(gs_mono_var(7), gs_mono_var(2), &ab);
  gs_mono_mul(gs_mono_var(3), ab, &abc);
  check(gs_mono_degree(abc) == 3, "degree");
  check(gs_mono_div(abc, ab, &q) && q == gs_mono_var(3), "division");
  check(!gs_mono_div(ab, abc, &q), "no division");
  check(gs_mono_gcd(abc, ab) == ab, "gcd");
  check(gs_i128_floordiv(-7, 2) == -4 && gs_i128_ceildiv(-7, 2) == -3, "rounding");
  check(gs_i128_floordiv(7, 2) == 3 && gs_i128_ceildiv(7, 2) == 4, "rounding");
  check(gs_i128_gcd(-12, 18) == 6 && gs_i128_gcd(0, 5) == 5, "gcd of numbers");
}

int main(void) {
  gs_arena arena;
  gs_arena_init(&arena, (size_t)64 << 20);
  ring_laws(&arena);
  limits(&arena);
  monomials();
  gs_arena_free(&arena);
  printf("%d failures\n", failures);
  return failures != 0;
}
