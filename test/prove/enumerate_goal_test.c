// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two-thread goals by enumeration: what is listed, what ties, what cancels, what
// is left out; and random goals against a search over all assignments.
#include "enumerate.h"
#include "random_terms.h"
#include "test_check.h"

#include <stdlib.h>

enum { MAX_FACTS = 8 };

typedef struct fixture {
  gs_terms *terms;
  gs_term tid[2];
  uint32_t distinct[1][2];
  gs_term facts[MAX_FACTS];
  gs_goal goal;
} fixture;

/// Copies of one symbol for the two threads.
static void two_copies(gs_terms *terms, const char *name, uint8_t width, uint64_t hi,
                       gs_term out[2]) {
  gs_sym proto = test_sym(name, width, 0, hi);
  proto.origin = (uint32_t)gs_term_node(terms, gs_mk_sym(terms, &proto))->value;
  for (uint32_t who = 0; who < 2; who++) {
    proto.copy = who + 1;
    out[who] = gs_mk_sym(terms, &proto);
  }
}

static uint32_t index_of(const gs_terms *terms, gs_term sym) {
  return (uint32_t)gs_term_node(terms, sym)->value;
}

static gs_term number(gs_terms *t, uint64_t value) { return gs_mk_const(t, value, 32); }
static gs_term with(gs_terms *t, gs_op op, gs_term a, uint64_t c) {
  return gs_mk_bin(t, op, a, number(t, c));
}
static gs_term plus(gs_terms *t, gs_term a, gs_term b) { return gs_mk_bin(t, GS_OP_ADD, a, b); }
static gs_term less(gs_terms *t, gs_term a, gs_term b) { return gs_mk_bin(t, GS_OP_SLT, a, b); }

static gs_term bytes_of(gs_terms *t, gs_term index) {
  return gs_mk_bin(t, GS_OP_MUL, gs_mk_cast(t, GS_OP_SEXT, index, 64), gs_mk_const(t, 4, 64));
}

static void set_up(fixture *f) {
  *f = (fixture){.terms = gs_terms_new()};
  two_copies(f->terms, "tid.x", 32, 1023, f->tid);
  f->distinct[0][0] = index_of(f->terms, f->tid[0]);
  f->distinct[0][1] = index_of(f->terms, f->tid[1]);
  f->goal = (gs_goal){.facts = f->facts,
                      .size_a = 4,
                      .size_b = 4,
                      .distinct = (const uint32_t (*)[2])f->distinct,
                      .distinct_count = 1};
}

static void fact(fixture *f, gs_term t) { f->facts[f->goal.fact_count++] = t; }

static gs_answer ask(fixture *f, gs_term a, gs_term b, gs_model *out) {
  f->goal.a = bytes_of(f->terms, a);
  f->goal.b = bytes_of(f->terms, b);
  return gs_enumerate_goal(f->terms, &f->goal, 0, out, NULL);
}

static gs_term swizzle(gs_terms *t, gs_term i) {
  return gs_mk_bin(t, GS_OP_XOR, i, with(t, GS_OP_LSHR, i, 3));
}

static void test_guard_on_parameter(void) {
  fixture f;
  set_up(&f);
  gs_terms *t = f.terms;
  gs_sym proto = test_sym("n", 32, 0, UINT32_MAX);
  gs_term n = gs_mk_sym(t, &proto);
  fact(&f, less(t, f.tid[0], n));
  fact(&f, less(t, f.tid[1], n));
  CHECK_U64(ask(&f, swizzle(t, f.tid[0]), swizzle(t, f.tid[1]), NULL), GS_ANSWER_NO);
  // A meeting may hang on n: the solver's business.
  CHECK_U64(ask(&f, f.tid[0], plus(t, f.tid[1], number(t, 1)), NULL), GS_ANSWER_DONT_KNOW);
  gs_terms_free(t);
}

static void test_facts_narrow(void) {
  fixture f;
  set_up(&f);
  gs_terms *t = f.terms;
  gs_term masked[2] = {with(t, GS_OP_AND, f.tid[0], 63), with(t, GS_OP_AND, f.tid[1], 63)};
  gs_model model;
  CHECK_U64(ask(&f, masked[0], masked[1], &model), GS_ANSWER_YES);
  CHECK_U64(model.values[f.distinct[0][0]], 0);
  CHECK_U64(model.values[f.distinct[0][1]], 64);
  gs_model_free(&model);
  for (int who = 0; who < 2; who++)
    fact(&f, less(t, f.tid[who], number(t, 64)));
  CHECK_U64(ask(&f, masked[0], masked[1], NULL), GS_ANSWER_NO);
  fact(&f, less(t, number(t, 70), f.tid[1])); // contradicts
  CHECK_U64(ask(&f, masked[0], masked[0], NULL), GS_ANSWER_NO);
  gs_terms_free(t);
}

/// Double buffering: (k & 1)*1024 + swizzle(t), the same trip for both; a base
/// that is any multiple of 4096; a row of unknown length.
static void test_common_addends(void) {
  fixture f;
  set_up(&f);
  gs_terms *t = f.terms;
  gs_sym proto = test_sym("k", 32, 0, 1 << 20);
  gs_term k = gs_mk_sym(t, &proto), row = gs_mk_bin(t, GS_OP_MUL, k, with(t, GS_OP_AND, k, 255));
  gs_term parity = with(t, GS_OP_MUL, with(t, GS_OP_AND, k, 1), 1024);
  gs_term base = with(t, GS_OP_MUL, k, 1024);
  gs_term common[] = {parity, base, row};
  for (size_t i = 0; i < 3; i++) {
    gs_term a = plus(t, common[i], swizzle(t, f.tid[0]));
    gs_term b = plus(t, common[i], swizzle(t, f.tid[1]));
    CHECK_U64(ask(&f, a, b, NULL), GS_ANSWER_NO);
  }
  // One thread is a tile ahead.
  gs_term here = plus(t, base, swizzle(t, f.tid[0]));
  gs_term ahead = plus(t, plus(t, base, number(t, 1024)), swizzle(t, f.tid[1]));
  CHECK_U64(ask(&f, here, ahead, NULL), GS_ANSWER_NO);
  // Not the same addend: nothing can be said.
  gs_term twice = with(t, GS_OP_MUL, k, 2048);
  CHECK_U64(ask(&f, plus(t, base, f.tid[0]), plus(t, twice, f.tid[1]), NULL), GS_ANSWER_DONT_KNOW);
  // The sum of 32 bits may wrap before it is extended: no cancelling.
  gs_sym wild = test_sym("w", 32, 0, UINT32_MAX);
  gs_term w = gs_mk_sym(t, &wild);
  CHECK_U64(ask(&f, plus(t, w, f.tid[0]), plus(t, w, f.tid[1]), NULL), GS_ANSWER_DONT_KNOW);
  gs_terms_free(t);
}

static void test_tied_counters(void) {
  fixture f;
  set_up(&f);
  gs_terms *t = f.terms;
  gs_term k[2];
  two_copies(t, "k", 32, 15, k);
  gs_term a = plus(t, f.tid[0], k[0]), b = plus(t, f.tid[1], k[1]);
  gs_model model;
  CHECK_U64(ask(&f, a, b, &model), GS_ANSWER_YES);
  CHECK_U64(model.values[f.distinct[0][0]] + model.values[index_of(t, k[0])],
            model.values[f.distinct[0][1]] + model.values[index_of(t, k[1])]);
  gs_model_free(&model);
  fact(&f, gs_mk_bin(t, GS_OP_EQ, k[0], k[1]));
  CHECK_U64(ask(&f, a, b, NULL), GS_ANSWER_NO);
  f.goal.fact_count = 0;
  fact(&f, gs_mk_bin(t, GS_OP_EQ, plus(t, k[1], number(t, 1)), k[0]));
  CHECK_U64(ask(&f, a, b, NULL), GS_ANSWER_YES);
  gs_terms_free(t);
}

static void test_giving_up(void) {
  fixture f;
  set_up(&f);
  gs_terms *t = f.terms;
  gs_term b[2];
  two_copies(t, "ctaid.x", 32, 0x7ffffffe, b);
  gs_term i[2];
  for (int who = 0; who < 2; who++)
    i[who] = plus(t, with(t, GS_OP_MUL, b[who], 1024), f.tid[who]);
  CHECK_U64(ask(&f, i[0], i[1], NULL), GS_ANSWER_DONT_KNOW); // too many blocks
  gs_term read[2];
  for (int who = 0; who < 2; who++)
    read[who] = gs_mk_load(t, bytes_of(t, f.tid[who]), 32, 0);
  CHECK_U64(ask(&f, read[0], read[1], NULL), GS_ANSWER_DONT_KNOW);
  fact(&f, gs_mk_bin(t, GS_OP_EQ, read[0], number(t, 0))); // a fact that is left out
  CHECK_U64(ask(&f, f.tid[0], f.tid[1], NULL), GS_ANSWER_NO);
  f.goal.distinct_count = 0;
  CHECK_U64(ask(&f, f.tid[0], f.tid[1], NULL), GS_ANSWER_DONT_KNOW);
  f.goal.distinct_count = 1;
  f.distinct[0][1] = index_of(t, b[1]); // no copies of one symbol
  CHECK_U64(ask(&f, f.tid[0], f.tid[1], NULL), GS_ANSWER_DONT_KNOW);
  gs_terms_free(t);
}

// ------------------------------------------------------------ random goals ----

enum { RANDOM_SYMS = 8 }; // x k (originals), then their copies, u, n

typedef struct random_goal {
  gs_terms *terms;
  gs_term x[2], k[2], u, n;
  gs_term facts[MAX_FACTS];
  uint32_t distinct[1][2];
  gs_goal goal;
} random_goal;

static bool overlap(uint64_t a, uint32_t size_a, uint64_t b, uint32_t size_b) {
  int64_t x = (int64_t)a, y = (int64_t)b;
  return x <= y ? (uint64_t)y - (uint64_t)x < size_a : (uint64_t)x - (uint64_t)y < size_b;
}

/// Is this assignment a solution? -1: it has no value.
static int solves(const random_goal *g, const uint64_t *values) {
  const gs_goal *goal = &g->goal;
  uint64_t a = 0, b = 0;
  bool defined = true, holds = true;
  for (size_t i = 0; i < goal->fact_count; i++) {
    uint64_t value = 0;
    bool has = gs_term_eval(g->terms, goal->facts[i], values, NULL, NULL, &value);
    if (has && !value)
      return 0;
    defined &= has;
  }
  if (values[g->distinct[0][0]] == values[g->distinct[0][1]])
    return 0;
  defined &= gs_term_eval(g->terms, goal->a, values, NULL, NULL, &a);
  defined &= gs_term_eval(g->terms, goal->b, values, NULL, NULL, &b);
  holds &= overlap(a, goal->size_a, b, goal->size_b);
  return !defined ? -1 : holds;
}

static bool has_solution(const random_goal *g) {
  uint64_t v[RANDOM_SYMS] = {0};
  uint32_t at[6] = {index_of(g->terms, g->x[0]), index_of(g->terms, g->x[1]),
                    index_of(g->terms, g->k[0]), index_of(g->terms, g->k[1]),
                    index_of(g->terms, g->u), index_of(g->terms, g->n)};
  static const uint32_t bits[6] = {3, 3, 1, 1, 1, 4};
  for (uint32_t code = 0; code < 1u << 13; code++) {
    uint32_t rest = code;
    for (int i = 0; i < 6; i++) {
      v[at[i]] = rest & ((1u << bits[i]) - 1);
      rest >>= bits[i];
    }
    v[at[5]] <<= 28; // few values of a wide parameter
    if (solves(g, v) == 1)
      return true;
  }
  return false;
}

static gs_term random_term(const random_goal *g, uint64_t seed, uint8_t width, int who) {
  static const uint8_t widths[] = {1, 8, 32, 64};
  static test_pool pool;
  gs_term leaves[5] = {g->u, g->n, g->x[who & 1], g->k[who & 1], g->x[1]};
  pool_options options = {.widths = widths,
                          .width_count = 4,
                          .leaves = leaves,
                          .leaf_count = who == 2 ? 5 : 4,
                          .nodes = 6 + (uint32_t)(seed % 20),
                          .division = seed % 5 == 0};
  pool_fill(&pool, g->terms, seed, &options);
  return pool.nodes[pool_pick(&pool, width)].term;
}

static unsigned answers[3];

static void random_one(uint64_t seed) {
  random_goal g = {.terms = gs_terms_new()};
  gs_terms *t = g.terms;
  two_copies(t, "x", 8, 7, g.x);
  two_copies(t, "k", 32, 1, g.k);
  gs_sym u = test_sym("u", 32, 0, 1), n = test_sym("n", 32, 0, UINT32_MAX);
  g.u = gs_mk_sym(t, &u);
  g.n = gs_mk_sym(t, &n);
  g.distinct[0][0] = index_of(t, g.x[0]);
  g.distinct[0][1] = index_of(t, g.x[1]);
  g.goal = (gs_goal){.facts = g.facts,
                     .fact_count = seed % 4,
                     .distinct = (const uint32_t (*)[2])g.distinct,
                     .distinct_count = 1,
                     .size_a = 1 + (uint32_t)(seed % 3),
                     .size_b = 1 + (uint32_t)(seed / 3 % 3)};
  for (size_t i = 0; i < g.goal.fact_count; i++)
    g.facts[i] = random_term(&g, seed * 11 + i, 1, (int)((seed + i) % 3));
  if (seed % 5 == 1 && g.goal.fact_count)
    g.facts[0] = gs_mk_bin(t, GS_OP_EQ, g.k[0], g.k[1]);
  gs_term offsets[2];
  for (int who = 0; who < 2; who++) { // common + random(own) + 2*x
    gs_term x = gs_mk_cast(t, GS_OP_ZEXT, g.x[who], 64);
    gs_term own = gs_mk_cast(t, GS_OP_SEXT, random_term(&g, seed * 13 + 5, 8, who), 64);
    gs_term base = gs_mk_cast(t, GS_OP_ZEXT, random_term(&g, seed * 17, 8, 0), 64);
    gs_term common = gs_mk_cast(t, seed % 2 ? GS_OP_ZEXT : GS_OP_SEXT, g.n, 64);
    offsets[who] = gs_mk_bin(t, GS_OP_MUL, x, gs_mk_const(t, seed % 4, 64));
    offsets[who] = gs_mk_bin(t, GS_OP_ADD, offsets[who], seed % 7 < 5 ? own : base);
    if (seed % 3 == 0)
      offsets[who] = gs_mk_bin(t, GS_OP_ADD, offsets[who], common);
  }
  g.goal.a = offsets[0];
  g.goal.b = offsets[1];
  gs_model model;
  gs_answer got = gs_enumerate_goal(t, &g.goal, 0, &model, NULL);
  bool fine = got != GS_ANSWER_NO || !has_solution(&g);
  if (got == GS_ANSWER_YES)
    fine = solves(&g, model.values) == 1;
  if (!fine)
    fprintf(stderr, "seed %llu: answer %d\n", (unsigned long long)seed, got);
  CHECK(fine);
  answers[got]++;
  gs_model_free(&model);
  gs_terms_free(t);
}

int main(int argc, char **argv) {
  uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 600;
  test_guard_on_parameter();
  test_facts_narrow();
  test_common_addends();
  test_tied_counters();
  test_giving_up();
  for (uint64_t seed = 1; seed <= count; seed++)
    random_one(seed);
  printf("random: NO %u, YES %u, DONT_KNOW %u\n", answers[0], answers[1], answers[2]);
  CHECK(answers[0] && answers[1] && answers[2]);
  return test_result();
}
