// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When a no-wrap flag may be used, and that its use is reported.
#include "affine_kit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static int failures;

/// \param origins how many flags a refutation must report; -1: none is expected.
static void expect(const char *what, kit *k, int origins) {
  gs_used used = {0};
  uint64_t values[MAX_SYMS] = {0};
  bool no = world_refute(&k->w, &used, NULL) == GS_ANSWER_NO;
  k->w.used = no ? &used : NULL;
  bool found = world_search(&k->w, values, 1000000, NULL);
  bool fine = no == (origins >= 0) && no != found && (!no || (int)used.count == origins);
  if (!fine) {
    printf("%s: %s, %" PRIu32 " flags, %s\n", what, no ? "refuted" : "not refuted", used.count,
           found ? "has a solution" : "no solution found");
    world_print(&k->w, found ? values : NULL);
    failures++;
  }
  free(used.origins);
  world_free(&k->w);
}

static gs_term value(kit *k, const char *name) {
  static const uint64_t values[] = {0, 1, 2, 3, INT32_MAX, INT32_MAX - 1, UINT32_MAX};
  return world_sym(&k->w, name, 0, 32, 0, UINT32_MAX, values, 7);
}

/// x + 1 with the nsw flag, from place `origin`.
static gs_term next(kit *k, gs_term x, uint32_t origin) {
  return gs_mk_bin_flags(k->w.terms, GS_OP_ADD, x, kit_c32(k, 1), GS_NSW, origin);
}

/// y == 0 ("true" case of the conditionals below).
static gs_term is_zero(kit *k, gs_term y) { return kit_op(k, GS_OP_EQ, y, kit_c32(k, 0)); }

static void executed(void) {
  kit k;
  kit_init(&k, SPELL_INT);
  gs_term x = value(&k, "x");
  world_fact(&k.w, kit_op(&k, GS_OP_SLT, next(&k, x, 7), x));
  expect("x + 1 < x with nsw", &k, 1);

  kit_init(&k, SPELL_INT);
  x = value(&k, "x");
  k.w.use_flags = false;
  world_fact(&k.w, kit_op(&k, GS_OP_SLT, next(&k, x, 7), x));
  expect("x + 1 < x where flags may not be used", &k, -1);

  kit_init(&k, SPELL_INT);
  x = value(&k, "x");
  world_fact(&k.w, kit_op(&k, GS_OP_SLT, next(&k, x, 0), x));
  expect("a flag that is proved already is not reported", &k, 0);

  kit_init(&k, SPELL_INT);
  x = value(&k, "x");
  world_fact(&k.w, kit_op(&k, GS_OP_SLT, x, kit_c32(&k, 100)));
  world_fact(&k.w, kit_op(&k, GS_OP_SLT, next(&k, x, 7), x));
  expect("a flag that ranges show is not reported", &k, 0);
}

static void below_or(void) {
  kit k;
  kit_init(&k, SPELL_INT);
  gs_term x = value(&k, "x"), y = value(&k, "y");
  world_fact(&k.w, gs_mk_or(k.w.terms, is_zero(&k, y), kit_op(&k, GS_OP_SLT, next(&k, x, 7), x)));
  expect("an operand of a disjunction", &k, -1);

  kit_init(&k, SPELL_INT);
  x = value(&k, "x"), y = value(&k, "y");
  world_fact(&k.w, gs_mk_not(k.w.terms, is_zero(&k, y)));
  world_fact(&k.w, gs_mk_or(k.w.terms, is_zero(&k, y), kit_op(&k, GS_OP_SLT, next(&k, x, 7), x)));
  expect("the operand that is left", &k, 1);

  // y == 0 || x + 1 < 5, at x = INT_MAX and y = 0: the sum was not executed.
  kit_init(&k, SPELL_INT);
  x = value(&k, "x"), y = value(&k, "y");
  world_fact(&k.w,
             gs_mk_or(k.w.terms, is_zero(&k, y),
                      kit_op(&k, GS_OP_SLT, next(&k, x, 7), kit_c32(&k, 5))));
  world_fact(&k.w, kit_op(&k, GS_OP_EQ, x, kit_c32(&k, INT32_MAX)));
  expect("an operand that need not have been executed", &k, -1);

  kit_init(&k, SPELL_INT);
  x = value(&k, "x"), y = value(&k, "y");
  gs_term both = gs_mk_and(k.w.terms, gs_mk_not(k.w.terms, is_zero(&k, y)),
                           kit_op(&k, GS_OP_SLE, x, next(&k, x, 7)));
  world_fact(&k.w, gs_mk_not(k.w.terms, both));
  world_fact(&k.w, kit_op(&k, GS_OP_EQ, y, kit_c32(&k, 1)));
  expect("an operand of a negated conjunction", &k, 1);
}

static void below_conditional(void) {
  kit k;
  kit_init(&k, SPELL_INT);
  gs_term x = value(&k, "x"), y = value(&k, "y");
  gs_term z = gs_mk_ite(k.w.terms, is_zero(&k, y), x, next(&k, x, 7));
  world_fact(&k.w, kit_op(&k, GS_OP_SLT, z, x));
  expect("each arm in its own case", &k, 1);

  // z is x + 1 only when y == 0, and y is not.
  kit_init(&k, SPELL_INT);
  x = value(&k, "x"), y = value(&k, "y");
  z = gs_mk_ite(k.w.terms, is_zero(&k, y), next(&k, x, 7), kit_c32(&k, 3));
  world_fact(&k.w, kit_op(&k, GS_OP_EQ, x, kit_c32(&k, INT32_MAX)));
  world_fact(&k.w, kit_op(&k, GS_OP_EQ, z, kit_c32(&k, 3)));
  expect("an arm that was not taken", &k, -1);

  kit_init(&k, SPELL_INT);
  x = value(&k, "x"), y = value(&k, "y");
  z = gs_mk_ite(k.w.terms, is_zero(&k, y), next(&k, x, 7), kit_c32(&k, 3));
  world_fact(&k.w, kit_op(&k, GS_OP_EQ, x, kit_c32(&k, INT32_MAX)));
  world_fact(&k.w, is_zero(&k, y));
  world_fact(&k.w, kit_op(&k, GS_OP_SLT, z, kit_c32(&k, 3)));
  expect("an arm that was taken", &k, 1);

  // As an operand of an offset's sum, outside of the conditional.
  kit_init(&k, SPELL_INT);
  x = value(&k, "x"), y = value(&k, "y");
  z = gs_mk_ite(k.w.terms, is_zero(&k, y), kit_c32(&k, 0), next(&k, x, 7));
  k.w.a = kit_bytes(&k, z, 4, 0);
  k.w.b = kit_bytes(&k, gs_mk_ite(k.w.terms, is_zero(&k, y), kit_c32(&k, 1), x), 4, 0);
  k.w.size_a = k.w.size_b = 4;
  expect("offsets: 0 against 1, or x + 1 against x", &k, 0);
}

static void other_flags(void) {
  kit k;
  kit_init(&k, SPELL_INT);
  gs_term x = value(&k, "x");
  gs_term wide = kit_op(&k, GS_OP_ADD, gs_mk_cast(k.w.terms, GS_OP_SEXT, x, 64), kit_c64(&k, 1));
  gs_term t = gs_mk_trunc_flags(k.w.terms, wide, 32, GS_NSW, 9);
  world_fact(&k.w, kit_op(&k, GS_OP_SLT, t, x));
  expect("a truncation that keeps the signed value", &k, 1);

  kit_init(&k, SPELL_INT);
  x = value(&k, "x");
  wide = kit_op(&k, GS_OP_ADD, gs_mk_cast(k.w.terms, GS_OP_ZEXT, x, 64), kit_c64(&k, 1));
  t = gs_mk_trunc_flags(k.w.terms, wide, 32, GS_NSW, 9);
  world_fact(&k.w, kit_op(&k, GS_OP_ULT, t, x));
  expect("the signed flag of a value that is not negative", &k, 1);

  kit_init(&k, SPELL_INT);
  x = value(&k, "x");
  t = gs_mk_bin_flags(k.w.terms, GS_OP_ADD, x, kit_c32(&k, 1), GS_NUW, 5);
  world_fact(&k.w, kit_op(&k, GS_OP_SLT, t, x));
  expect("an unsigned flag says nothing of the sign", &k, -1);

  kit_init(&k, SPELL_INT);
  x = value(&k, "x");
  t = gs_mk_bin_flags(k.w.terms, GS_OP_SHL, x, kit_c32(&k, 1), GS_NUW, 5);
  world_fact(&k.w, kit_op(&k, GS_OP_ULT, t, x));
  expect("a shift without unsigned wrap", &k, 1);

  kit_init(&k, SPELL_INT);
  x = value(&k, "x");
  t = gs_mk_bin_flags(k.w.terms, GS_OP_ADD, x, kit_c32(&k, -1), GS_NUW, 5);
  world_fact(&k.w, kit_op(&k, GS_OP_EQ, t, kit_c32(&k, 3)));
  expect("x + 0xffffffff without unsigned wrap: x is 0", &k, 1);
}

int main(void) {
  executed();
  below_or();
  below_conditional();
  other_flags();
  printf("%d failures\n", failures);
  return failures != 0;
}
