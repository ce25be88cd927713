// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Terms: every operator against a reference, the simplifications, substitution,
// printing, and random expressions built with and without simplification.
#include "random_terms.h"
#include "test_check.h"

#include <stdlib.h>

static const uint8_t all_widths[] = {1, 2, 3, 7, 8, 16, 31, 32, 33, 63, 64};
enum { WIDTHS = sizeof all_widths / sizeof *all_widths };

static gs_term symbol(gs_terms *t, const char *name, uint8_t width) {
  gs_sym proto = test_sym(name, width, 0, UINT64_MAX);
  return gs_mk_sym(t, &proto);
}

static uint64_t some_value(test_rng *rng, uint8_t width) {
  static const uint64_t edges[] = {0, 1, 2, 31, 32, 63, 64, UINT64_MAX, UINT64_MAX - 1};
  uint64_t r = test_random(rng);
  switch (test_below(rng, 4)) {
  case 0: r = edges[test_below(rng, 9)]; break;
  case 1: r = UINT64_C(1) << (width - 1); break;
  case 2: r &= 15; break;
  default: break;
  }
  return r & gs_mask(width);
}

// -------------------------------------------------------------- operators ----

/// The folded constant, the evaluated symbol term and the reference agree.
static void check_operation(gs_op op, uint8_t width, uint64_t a, uint64_t b) {
  gs_terms *t = gs_terms_new();
  uint64_t values[2] = {a, b}, folded = 0, got = 0;
  bool is_compare = op >= GS_OP_EQ && op <= GS_OP_SLE;
  plain_value wanted = plain_operation(op, width, is_compare ? 1 : width, (plain_value){a, true},
                                       (plain_value){b, true});
  gs_term x = symbol(t, "x", width), y = symbol(t, "y", width);
  gs_term constant = gs_mk_bin(t, op, gs_mk_const(t, a, width), gs_mk_const(t, b, width));
  gs_term term = gs_mk_bin(t, op, x, y);
  CHECK_U64(gs_term_const(t, constant, &folded), wanted.defined);
  CHECK_U64(gs_term_eval(t, term, values, NULL, NULL, &got), wanted.defined);
  CHECK(!wanted.defined || (folded == wanted.value && got == wanted.value));
  CHECK_U64(gs_term_width(t, term), is_compare ? 1 : width);
  gs_term half[2] = {gs_mk_bin(t, op, x, gs_mk_const(t, b, width)),
                     gs_mk_bin(t, op, gs_mk_const(t, a, width), y)};
  for (int i = 0; i < 2; i++) // one operand constant: identities apply
    CHECK(!wanted.defined || (gs_term_eval(t, half[i], values, NULL, NULL, &got) &&
                              got == wanted.value));
  gs_terms_free(t);
}

static void check_unary(gs_op op, uint8_t width, uint8_t result, uint64_t a) {
  gs_terms *t = gs_terms_new();
  uint64_t folded = 0, got = 0;
  plain_value wanted =
      plain_operation(op, width, result, (plain_value){a, true}, (plain_value){0, true});
  bool is_cast = op == GS_OP_ZEXT || op == GS_OP_SEXT || op == GS_OP_TRUNC;
  gs_term in[2] = {gs_mk_const(t, a, width), symbol(t, "x", width)};
  for (int i = 0; i < 2; i++) {
    gs_term term = is_cast ? gs_mk_cast(t, op, in[i], result) : gs_mk_un(t, op, in[i]);
    CHECK_U64(gs_term_width(t, term), result);
    CHECK(gs_term_eval(t, term, &a, NULL, NULL, &got) && got == wanted.value);
    CHECK(i || (gs_term_const(t, term, &folded) && folded == wanted.value));
  }
  gs_terms_free(t);
}

static void test_operators(void) {
  test_rng rng = {.state = 7};
  for (int round = 0; round < 12; round++)
    for (int w = 0; w < WIDTHS; w++) {
      uint8_t width = all_widths[w];
      for (int op = GS_OP_ADD; op <= GS_OP_SLE; op++)
        check_operation((gs_op)op, width, some_value(&rng, width), some_value(&rng, width));
      for (int op = GS_OP_CTLZ; op <= GS_OP_BITREVERSE; op++)
        check_unary((gs_op)op, width, width, some_value(&rng, width));
      for (int v = 0; v < WIDTHS; v++) {
        uint64_t a = some_value(&rng, width);
        if (all_widths[v] < width)
          check_unary(GS_OP_TRUNC, width, all_widths[v], a);
        if (all_widths[v] > width) {
          check_unary(GS_OP_ZEXT, width, all_widths[v], a);
          check_unary(GS_OP_SEXT, width, all_widths[v], a);
        }
      }
    }
}

static void test_every_small_value(void) {
  for (uint8_t width = 1; width <= 3; width++)
    for (uint64_t a = 0; a <= gs_mask(width); a++)
      for (uint64_t b = 0; b <= gs_mask(width); b++)
        for (int op = GS_OP_ADD; op <= GS_OP_SLE; op++)
          check_operation((gs_op)op, width, a, b);
}

// -------------------------------------------------------- simplifications ----

static void test_identities(void) {
  gs_terms *t = gs_terms_new();
  gs_term x = symbol(t, "x", 32), y = symbol(t, "y", 32), zero = gs_mk_const(t, 0, 32);
  gs_term one = gs_mk_const(t, 1, 32), ones = gs_mk_const(t, UINT64_MAX, 32);
  gs_term yes = gs_mk_bool(t, true), no = gs_mk_bool(t, false);
  struct {
    gs_op op;
    gs_term a, b, wanted;
  } const cases[] = {
      {GS_OP_ADD, x, zero, x},   {GS_OP_ADD, zero, x, x},   {GS_OP_SUB, x, zero, x},
      {GS_OP_SUB, x, x, zero},   {GS_OP_MUL, x, one, x},    {GS_OP_MUL, zero, x, zero},
      {GS_OP_UDIV, x, one, x},   {GS_OP_UREM, x, one, zero}, {GS_OP_SHL, x, zero, x},
      {GS_OP_AND, x, ones, x},   {GS_OP_AND, x, zero, zero}, {GS_OP_AND, x, x, x},
      {GS_OP_OR, x, zero, x},    {GS_OP_OR, ones, x, ones}, {GS_OP_XOR, x, x, zero},
      {GS_OP_EQ, x, x, yes},     {GS_OP_ULT, x, x, no},     {GS_OP_SLE, x, x, yes},
      {GS_OP_ULT, x, zero, no},  {GS_OP_ULE, zero, x, yes}, {GS_OP_ULE, x, ones, yes},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    CHECK_U64(gs_mk_bin(t, cases[i].op, cases[i].a, cases[i].b), cases[i].wanted);
  for (int op = GS_OP_ADD; op <= GS_OP_EQ; op++) {
    bool commutes = op == GS_OP_ADD || op == GS_OP_MUL || (op >= GS_OP_AND && op <= GS_OP_EQ);
    CHECK_U64(gs_mk_bin(t, (gs_op)op, x, y) == gs_mk_bin(t, (gs_op)op, y, x), commutes);
    CHECK_U64(gs_mk_bin(t, (gs_op)op, x, y), gs_mk_bin(t, (gs_op)op, x, y));
  }
  CHECK(gs_mk_bin_flags(t, GS_OP_ADD, x, y, GS_NSW, 3) != gs_mk_bin(t, GS_OP_ADD, x, y));
  CHECK_U64(gs_mk_not(t, gs_mk_not(t, x)), x);
  CHECK_U64(gs_mk_not(t, gs_mk_bin(t, GS_OP_SLT, x, y)), gs_mk_bin(t, GS_OP_SLE, y, x));
  gs_term equal = gs_mk_bin(t, GS_OP_EQ, x, y);
  CHECK_U64(gs_mk_not(t, gs_mk_not(t, equal)), equal);
  gs_terms_free(t);
}

static void test_logic(void) {
  gs_terms *t = gs_terms_new();
  gs_term a = symbol(t, "a", 1), b = symbol(t, "b", 1), c = symbol(t, "c", 1);
  gs_term yes = gs_mk_bool(t, true), no = gs_mk_bool(t, false), not_a = gs_mk_not(t, a);
  gs_term ab = gs_mk_and(t, a, b);
  CHECK_U64(gs_mk_and(t, a, not_a), no);
  CHECK_U64(gs_mk_and(t, ab, gs_mk_and(t, c, not_a)), no);
  CHECK_U64(gs_mk_and(t, ab, a), ab);
  CHECK_U64(gs_mk_or(t, ab, gs_mk_and(t, a, gs_mk_not(t, b))), a);
  CHECK_U64(gs_mk_or(t, a, gs_mk_and(t, not_a, b)), gs_mk_or(t, a, b));
  CHECK_U64(gs_mk_ite(t, a, yes, no), a);
  CHECK_U64(gs_mk_ite(t, a, no, yes), not_a);
  CHECK_U64(gs_mk_ite(t, a, b, b), b);
  CHECK_U64(gs_mk_ite(t, yes, b, c), b);
  CHECK_U64(gs_mk_ite(t, a, yes, b), gs_mk_or(t, a, b));
  CHECK_U64(gs_mk_bin(t, GS_OP_EQ, a, no), not_a);
  gs_term many = yes, wide = symbol(t, "w", 8);
  for (uint64_t i = 0; i < 200; i++) // more conjuncts than are compared with one another
    many = gs_mk_and(t, many, gs_mk_not(t, gs_mk_bin(t, GS_OP_EQ, wide, gs_mk_const(t, i, 8))));
  uint64_t values[4] = {0, 0, 0, 199}, got = 1;
  CHECK(gs_term_eval(t, many, values, NULL, NULL, &got) && got == 0);
  values[3] = 200;
  CHECK(gs_term_eval(t, many, values, NULL, NULL, &got) && got == 1);
  gs_terms_free(t);
}

static void test_casts(void) {
  gs_terms *t = gs_terms_new();
  gs_term x = symbol(t, "x", 16);
  gs_term z = gs_mk_cast(t, GS_OP_ZEXT, x, 32), s = gs_mk_cast(t, GS_OP_SEXT, x, 32);
  CHECK_U64(gs_mk_cast(t, GS_OP_TRUNC, z, 16), x);
  CHECK_U64(gs_mk_cast(t, GS_OP_TRUNC, s, 16), x);
  CHECK_U64(gs_mk_cast(t, GS_OP_TRUNC, s, 24), gs_mk_cast(t, GS_OP_SEXT, x, 24));
  CHECK_U64(gs_mk_cast(t, GS_OP_TRUNC, s, 8), gs_mk_cast(t, GS_OP_TRUNC, x, 8));
  CHECK_U64(gs_mk_cast(t, GS_OP_SEXT, z, 64), gs_mk_cast(t, GS_OP_ZEXT, x, 64));
  CHECK_U64(gs_mk_cast(t, GS_OP_SEXT, s, 64), gs_mk_cast(t, GS_OP_SEXT, x, 64));
  CHECK(gs_mk_cast(t, GS_OP_ZEXT, s, 64) != gs_mk_cast(t, GS_OP_SEXT, x, 64));
  CHECK_U64(gs_mk_trunc_flags(t, z, 16, GS_NUW, 4), x);
  gs_term cut = gs_mk_trunc_flags(t, x, 8, GS_NUW, 4);
  CHECK(cut != gs_mk_cast(t, GS_OP_TRUNC, x, 8));
  CHECK_U64(gs_term_node(t, cut)->flags, GS_NUW);
  CHECK_U64(gs_term_node(t, cut)->origin, 4);
  gs_terms_free(t);
}

// ------------------------------------------------------------ random terms ----

static uint64_t memory(void *user, uint64_t address, uint8_t width) {
  (void)user;
  return (address * UINT64_C(0x9E3779B97F4A7C15) >> 7) ^ width;
}

static void show(const test_pool *pool, uint32_t i, const char *what, uint64_t seed) {
  char text[2000];
  gs_term_print(pool->terms, pool->nodes[i].term, text, sizeof text);
  fprintf(stderr, "seed %llu, entry %u, %s: %s\n", (unsigned long long)seed, (unsigned)i, what,
          text);
}

/// A simplified term has the value of the expression it was made of, wherever
/// that has one.
static void check_values(const test_pool *pool, test_rng *rng, uint64_t seed) {
  plain_value wanted[POOL_MAX];
  uint64_t values[POOL_SYMS];
  for (uint32_t i = 0; i < pool->sym_count; i++)
    values[i] = some_value(rng, pool->sym_width[i]);
  pool_eval(pool, values, memory, wanted);
  for (uint32_t i = 0; i < pool->count; i++) {
    uint64_t got = 0;
    bool has = gs_term_eval(pool->terms, pool->nodes[i].term, values, memory, NULL, &got);
    bool fine = !wanted[i].defined || (has && got == wanted[i].value);
    fine &= gs_term_width(pool->terms, pool->nodes[i].term) == pool->nodes[i].width;
    if (!fine)
      show(pool, i, "value", seed);
    CHECK(fine);
  }
}

/// Substituting and evaluating is evaluating with what was substituted.
static void check_substitution(test_pool *pool, uint64_t seed) {
  gs_term map[POOL_SYMS] = {0};
  uint64_t values[POOL_SYMS], mapped[POOL_SYMS];
  bool fine = true;
  for (uint32_t i = 0; i < pool->sym_count; i++)
    values[i] = mapped[i] = some_value(&pool->rng, pool->sym_width[i]);
  for (uint32_t i = 0; i < pool->sym_count; i++) {
    uint64_t v = 0;
    uint32_t by = pool_pick(pool, pool->sym_width[i]);
    gs_term constant = gs_mk_const(pool->terms, mapped[i] ^ 1, pool->sym_width[i]);
    gs_term image = seed % 2 ? constant : pool->nodes[by].term;
    if (!gs_term_eval(pool->terms, image, values, memory, NULL, &v))
      continue;
    map[i] = image;
    mapped[i] = v;
  }
  gs_subst *subst = gs_subst_new(pool->terms, map, pool->sym_count);
  for (uint32_t i = 0; i < pool->count; i++) {
    uint64_t wanted = 0, got = 0;
    gs_term image = gs_term_subst(pool->terms, pool->nodes[i].term, map, pool->sym_count);
    bool same = gs_subst_apply(subst, pool->nodes[i].term) == image;
    bool has = gs_term_eval(pool->terms, pool->nodes[i].term, mapped, memory, NULL, &wanted);
    fine = same && (!has || (gs_term_eval(pool->terms, image, values, memory, NULL, &got) &&
                             got == wanted));
    if (!fine)
      show(pool, i, same ? "substitution" : "two ways of substitution", seed);
    CHECK(fine);
  }
  gs_subst_free(subst);
}

static bool keep_even(void *user, gs_term t, const gs_node *node) {
  (void)node;
  (*(uint32_t *)user)++;
  return t % 2 == 0;
}

/// Dropping flags changes no value, and no dropped flag stays.
static void check_flags(test_pool *pool, uint64_t seed) {
  uint64_t values[POOL_SYMS];
  uint32_t calls = 0;
  for (uint32_t i = 0; i < pool->sym_count; i++)
    values[i] = some_value(&pool->rng, pool->sym_width[i]);
  for (uint32_t i = 0; i < pool->count; i += 7) {
    gs_term t = pool->nodes[i].term;
    gs_term bare = gs_term_drop_flags(pool->terms, t, keep_even, &calls);
    uint64_t a = 0, b = 0;
    bool has = gs_term_eval(pool->terms, t, values, memory, NULL, &a);
    bool still = gs_term_eval(pool->terms, bare, values, memory, NULL, &b);
    bool fine = bare && (!has || (still && a == b));
    if (!fine)
      show(pool, i, "flags", seed);
    CHECK(fine);
  }
}

static void test_random_terms(uint64_t count) {
  static const uint8_t small[] = {1, 1, 2, 3, 8}, real[] = {1, 8, 16, 32, 64};
  static test_pool pool;
  for (uint64_t seed = 1; seed <= count; seed++) {
    gs_terms *t = gs_terms_new();
    pool_options options = {.widths = seed % 2 ? small : real,
                            .width_count = 5,
                            .syms = 1 + (uint32_t)(seed % 6),
                            .nodes = 90,
                            .division = seed % 3 != 0,
                            .loads = seed % 2 == 0,
                            .flags = true};
    pool_fill(&pool, t, seed, &options);
    test_rng rng = {.state = seed};
    for (int round = 0; round < 6; round++)
      check_values(&pool, &rng, seed);
    check_substitution(&pool, seed);
    check_flags(&pool, seed);
    CHECK(!gs_terms_failed(t));
    gs_terms_free(t);
  }
}

// ------------------------------------------------------------------- rest ----

static void test_symbols(void) {
  gs_terms *t = gs_terms_new();
  char name[] = "tid.x";
  gs_sym proto = test_sym(name, 8, 3, 1000);
  proto.reason = "because";
  gs_term x = gs_mk_sym(t, &proto), again = gs_mk_sym(t, &proto);
  memset(name, 'z', sizeof name - 1);
  CHECK(x != again); // every symbol is a new one
  const gs_sym *sym = gs_sym_get(t, 0);
  CHECK_TEXT(sym->name, "tid.x");
  CHECK_TEXT(sym->reason, "because");
  CHECK_U64(sym->lo, 3);
  CHECK_U64(sym->hi, 255); // cut to the width
  CHECK_U64(sym->origin, 0);
  CHECK_U64(gs_sym_term(t, 1), again);
  proto.copy = 2;
  proto.origin = 0;
  gs_mk_sym(t, &proto);
  CHECK_U64(gs_sym_get(t, 2)->origin, 0);
  CHECK_U64(gs_sym_count(t), 3);
  unsigned char seen[3] = {0};
  gs_term_syms(t, gs_mk_bin(t, GS_OP_ADD, x, gs_sym_term(t, 2)), seen);
  CHECK(seen[0] && !seen[1] && seen[2]);
  gs_terms_free(t);
}

static void test_levels(void) {
  gs_terms *t = gs_terms_new();
  gs_sym proto = test_sym("n", 32, 0, UINT64_MAX);
  proto.level = GS_LEVEL_GRID;
  gs_term n = gs_mk_sym(t, &proto);
  proto.level = GS_LEVEL_BLOCK;
  gs_term b = gs_mk_sym(t, &proto);
  proto.level = GS_LEVEL_THREAD;
  gs_term x = gs_mk_sym(t, &proto), nb = gs_mk_bin(t, GS_OP_MUL, n, b);
  CHECK_U64(gs_term_node(t, gs_mk_const(t, 4, 32))->level, GS_LEVEL_GRID);
  CHECK_U64(gs_term_node(t, n)->level, GS_LEVEL_GRID);
  CHECK_U64(gs_term_node(t, nb)->level, GS_LEVEL_BLOCK);
  CHECK_U64(gs_term_node(t, gs_mk_bin(t, GS_OP_ADD, nb, x))->level, GS_LEVEL_THREAD);
  gs_terms_free(t);
}

static void test_printing(void) {
  gs_terms *t = gs_terms_new();
  gs_sym proto = test_sym("x", 32, 0, UINT64_MAX);
  gs_term x = gs_mk_sym(t, &proto);
  proto.copy = 2;
  gs_term other = gs_mk_sym(t, &proto);
  gs_term sum = gs_mk_bin_flags(t, GS_OP_ADD, x, other, GS_NSW, 1);
  gs_term all = gs_mk_bin(t, GS_OP_SLT, sum, gs_mk_const(t, UINT64_MAX, 32));
  char text[100];
  const char wanted[] = "(SLT:1 (ADD:32 nsw x x'2) -1:32)";
  CHECK_U64(gs_term_print(t, all, text, sizeof text), sizeof wanted - 1);
  CHECK_TEXT(text, wanted);
  CHECK_U64(gs_term_print(t, all, text, 8), sizeof wanted - 1);
  CHECK_TEXT(text, "(SLT:1 ");
  CHECK_U64(gs_term_print(t, all, NULL, 0), sizeof wanted - 1);
  CHECK_U64(gs_term_print(t, GS_NO_TERM, text, sizeof text), 0);
  CHECK_TEXT(text, "");
  gs_terms_free(t);
}

/// Depth and sharing: nothing may recurse over a chain or walk a DAG as a tree.
static void test_big_terms(void) {
  gs_terms *t = gs_terms_new();
  gs_term x = symbol(t, "x", 64), y = symbol(t, "y", 64), chain = x, shared = x;
  for (uint64_t i = 1; i <= 200000; i++)
    chain = gs_mk_bin(t, i % 2 ? GS_OP_ADD : GS_OP_XOR, chain, y);
  for (int i = 0; i < 60; i++)
    shared = gs_mk_bin(t, i % 2 ? GS_OP_ADD : GS_OP_MUL, shared,
                       gs_mk_bin(t, GS_OP_XOR, shared, y));
  uint64_t values[2] = {3, 5}, a = 3, b = 3, got = 0;
  for (uint64_t i = 1; i <= 200000; i++)
    a = i % 2 ? a + 5 : a ^ 5;
  for (int i = 0; i < 60; i++)
    b = i % 2 ? b + (b ^ 5) : b * (b ^ 5);
  CHECK(gs_term_eval(t, chain, values, NULL, NULL, &got) && got == a);
  CHECK(gs_term_eval(t, shared, values, NULL, NULL, &got) && got == b);
  gs_term map[2] = {gs_mk_const(t, 3, 64), gs_mk_const(t, 5, 64)};
  CHECK(gs_term_const(t, gs_term_subst(t, chain, map, 2), &got) && got == a);
  CHECK(gs_term_const(t, gs_term_subst(t, shared, map, 2), &got) && got == b);
  char text[64];
  CHECK(gs_term_print(t, chain, text, sizeof text) > sizeof text);
  CHECK(gs_term_print(t, shared, text, sizeof text) > sizeof text);
  gs_terms_free(t);
}

static void test_no_term(void) {
  gs_terms *t = gs_terms_new();
  gs_term x = symbol(t, "x", 32);
  uint64_t got = 0, value = 1;
  CHECK_U64(gs_mk_bin(t, GS_OP_ADD, x, GS_NO_TERM), GS_NO_TERM);
  CHECK_U64(gs_mk_not(t, GS_NO_TERM), GS_NO_TERM);
  CHECK_U64(gs_mk_ite(t, GS_NO_TERM, x, x), GS_NO_TERM);
  CHECK_U64(gs_mk_cast(t, GS_OP_ZEXT, GS_NO_TERM, 64), GS_NO_TERM);
  CHECK_U64(gs_mk_un(t, GS_OP_CTLZ, GS_NO_TERM), GS_NO_TERM);
  CHECK_U64(gs_mk_load(t, GS_NO_TERM, 32, 0), GS_NO_TERM);
  CHECK_U64(gs_term_subst(t, GS_NO_TERM, NULL, 0), GS_NO_TERM);
  CHECK(!gs_term_eval(t, GS_NO_TERM, &value, NULL, NULL, &got));
  gs_term read = gs_mk_load(t, gs_mk_const(t, 8, 64), 32, 0);
  CHECK(!gs_term_eval(t, read, &value, NULL, NULL, &got)); // no memory given
  gs_terms_free(t);
  gs_terms_free(NULL);
}

/// Differences and comparisons of addresses in one object.
static void test_addresses(void) {
  gs_terms *t = gs_terms_new();
  gs_sym proto = test_sym("p", 64, 0, UINT64_MAX);
  proto.is_address = true;
  gs_term p = gs_mk_sym(t, &proto), i = symbol(t, "i", 64), j = symbol(t, "j", 64);
  gs_term pi = gs_mk_bin(t, GS_OP_ADD, p, i), pj = gs_mk_bin(t, GS_OP_ADD, j, p);
  CHECK_U64(gs_mk_bin(t, GS_OP_EQ, pi, pj), gs_mk_bin(t, GS_OP_EQ, i, j));
  CHECK_U64(gs_mk_bin(t, GS_OP_SUB, pi, pj), gs_mk_bin(t, GS_OP_SUB, i, j));
  CHECK_U64(gs_mk_bin(t, GS_OP_SUB, pi, p), i);
  CHECK_U64(gs_mk_bin(t, GS_OP_ULT, pi, pj), gs_mk_bin(t, GS_OP_SLT, i, j));
  gs_terms_free(t);
}

int main(int argc, char **argv) {
  test_operators();
  test_every_small_value();
  test_identities();
  test_logic();
  test_casts();
  test_symbols();
  test_levels();
  test_printing();
  test_big_terms();
  test_no_term();
  test_addresses();
  test_random_terms(argc > 1 ? strtoull(argv[1], NULL, 10) : 400);
  return test_result();
}
