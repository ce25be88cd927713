// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The solver's contract, clause by clause: ranges, budgets, soft constraints,
// flags, memory, undefined operations, size.
#include "random_terms.h"
#include "smt.h"
#include "test_check.h"

#include <stdlib.h>

enum { MAX_TERMS = 64 };

typedef struct question {
  gs_terms *t;
  gs_term hard[MAX_TERMS], soft[MAX_TERMS];
  gs_smt_query query;
} question;

static void set_up(question *q) {
  *q = (question){.t = gs_terms_new()};
  q->query.hard = q->hard;
  q->query.soft = q->soft;
}

static gs_term symbol(question *q, const char *name, uint8_t width, uint64_t lo, uint64_t hi) {
  gs_sym proto = test_sym(name, width, lo, hi);
  return gs_mk_sym(q->t, &proto);
}

static void require(question *q, gs_term t) { q->hard[q->query.hard_count++] = t; }
static void prefer(question *q, gs_term t) { q->soft[q->query.soft_count++] = t; }

static gs_term num(question *q, uint64_t value, uint8_t width) {
  return gs_mk_const(q->t, value, width);
}
static gs_term bin(question *q, gs_op op, gs_term a, gs_term b) {
  return gs_mk_bin(q->t, op, a, b);
}
static gs_term binc(question *q, gs_op op, gs_term a, uint64_t c) {
  return bin(q, op, a, num(q, c, gs_term_width(q->t, a)));
}
static gs_term differ(question *q, gs_term a, gs_term b) {
  return gs_mk_not(q->t, bin(q, GS_OP_EQ, a, b));
}

static gs_answer ask(question *q, gs_model *model) {
  return gs_smt_solve(q->t, &q->query, model, NULL);
}

static uint64_t value_of(const question *q, const gs_model *m, gs_term sym) {
  return m->values[gs_term_node(q->t, sym)->value];
}

static void expect(question *q, gs_answer wanted) {
  gs_model model;
  CHECK_U64(ask(q, &model), wanted);
  CHECK((wanted == GS_ANSWER_YES) == (model.values != NULL));
  gs_model_free(&model);
}

static void test_ranges(void) {
  question q;
  set_up(&q);
  gs_term x = symbol(&q, "x", 32, 10, 20), y = symbol(&q, "y", 32, 0, UINT32_MAX);
  gs_model m;
  expect(&q, GS_ANSWER_YES); // nothing is asked
  require(&q, binc(&q, GS_OP_ULE, y, 5));
  require(&q, bin(&q, GS_OP_EQ, bin(&q, GS_OP_ADD, x, y), num(&q, 25, 32)));
  CHECK_U64(ask(&q, &m), GS_ANSWER_YES);
  CHECK(value_of(&q, &m, x) == 20 && value_of(&q, &m, y) == 5);
  gs_model_free(&m);
  require(&q, differ(&q, x, num(&q, 20, 32)));
  expect(&q, GS_ANSWER_NO);
  q.query.hard_count = 0;
  require(&q, binc(&q, GS_OP_SLT, x, 0)); // ranges alone refute this
  uint64_t units = 1;
  CHECK_U64(gs_smt_solve(q.t, &q.query, NULL, &units), GS_ANSWER_NO);
  CHECK_U64(units, 0);
  gs_terms_free(q.t);
}

static void test_budget(void) {
  question q;
  set_up(&q);
  gs_term a = symbol(&q, "a", 32, 2, 65535), b = symbol(&q, "b", 32, 2, 65535);
  require(&q, bin(&q, GS_OP_EQ, bin(&q, GS_OP_MUL, a, b), num(&q, 65521u * 65519u, 32)));
  require(&q, bin(&q, GS_OP_ULT, a, b));
  uint64_t units[2] = {0, 0};
  q.query.budget = 5000;
  for (int i = 0; i < 2; i++)
    CHECK_U64(gs_smt_solve(q.t, &q.query, NULL, &units[i]), GS_ANSWER_DONT_KNOW);
  CHECK_U64(units[0], units[1]);
  q.query.budget = 1; // not even enough to begin
  CHECK_U64(ask(&q, NULL), GS_ANSWER_DONT_KNOW);
  gs_terms_free(q.t);
}

static void test_same_again(void) {
  question q;
  set_up(&q);
  gs_term a = symbol(&q, "a", 16, 0, 4000), b = symbol(&q, "b", 16, 0, 4000);
  gs_term r = bin(&q, GS_OP_UREM, bin(&q, GS_OP_MUL, a, num(&q, 7, 16)), num(&q, 1021, 16));
  require(&q, bin(&q, GS_OP_EQ, r, bin(&q, GS_OP_XOR, b, num(&q, 77, 16))));
  require(&q, bin(&q, GS_OP_ULT, a, b));
  prefer(&q, binc(&q, GS_OP_ULE, b, 100));
  gs_model m[2];
  uint64_t units[2] = {0, 0};
  for (int i = 0; i < 2; i++)
    CHECK_U64(gs_smt_solve(q.t, &q.query, &m[i], &units[i]), GS_ANSWER_YES);
  CHECK_U64(units[0], units[1]);
  CHECK(memcmp(m[0].values, m[1].values, m[0].count * sizeof *m[0].values) == 0);
  gs_model_free(&m[0]);
  gs_model_free(&m[1]);
  gs_terms_free(q.t);
}

/// Each is kept if it can be beside those kept before.
static void test_soft(void) {
  question q;
  set_up(&q);
  gs_term x = symbol(&q, "x", 32, 0, UINT32_MAX), y = symbol(&q, "y", 32, 0, UINT32_MAX);
  gs_model m;
  require(&q, bin(&q, GS_OP_ULT, x, y));
  prefer(&q, binc(&q, GS_OP_EQ, y, 7));
  prefer(&q, binc(&q, GS_OP_EQ, x, 9)); // cannot be
  prefer(&q, gs_mk_bool(q.t, false));
  prefer(&q, bin(&q, GS_OP_ULE, num(&q, 6, 32), x));
  prefer(&q, bin(&q, GS_OP_EQ, bin(&q, GS_OP_UDIV, x, num(&q, 0, 32)), y)); // has no value
  CHECK_U64(ask(&q, &m), GS_ANSWER_YES);
  CHECK(value_of(&q, &m, x) == 6 && value_of(&q, &m, y) == 7);
  gs_model_free(&m);
  CHECK_U64(ask(&q, NULL), GS_ANSWER_YES);
  gs_terms_free(q.t);
}

/// i + 1 <= i, signed, is possible by wrapping only: excluded where it certainly runs.
static void test_flags(void) {
  enum { CERTAIN = 4, PLACES = 6 };
  for (int place = 0; place < PLACES; place++) {
    question q;
    set_up(&q);
    gs_term i = symbol(&q, "i", 32, 0, UINT32_MAX), a = symbol(&q, "a", 1, 0, 1);
    gs_term next = gs_mk_bin_flags(q.t, GS_OP_ADD, i, num(&q, 1, 32), GS_NSW, 1);
    gs_term wraps = bin(&q, GS_OP_SLE, next, i), not_a = gs_mk_not(q.t, a);
    gs_term by_case = gs_mk_ite(q.t, wraps, num(&q, 1, 8), num(&q, 2, 8));
    gs_term both = gs_mk_and(q.t, gs_mk_not(q.t, wraps), a);
    gs_term facts[PLACES] = {
        wraps,
        gs_mk_and(q.t, a, wraps),
        gs_mk_not(q.t, gs_mk_or(q.t, gs_mk_not(q.t, wraps), a)),
        binc(&q, GS_OP_ULT, by_case, 2), // the condition of a choice runs
        bin(&q, GS_OP_SLT, gs_mk_ite(q.t, a, next, num(&q, 0, 32)), num(&q, 0x80000001, 32)),
        gs_mk_or(q.t, gs_mk_not(q.t, both), not_a),
    };
    require(&q, facts[place]);
    expect(&q, GS_ANSWER_YES);
    q.query.assume_flags = true;
    expect(&q, place < CERTAIN ? GS_ANSWER_NO : GS_ANSWER_YES);
    gs_terms_free(q.t);
  }
}

static void note_assumed(void *user, gs_term t) {
  uint64_t *seen = user;
  *seen = *seen * 1000 + t;
}

/// Only what is certainly executed and not shown by bounds is assumed.
static void test_assumed(void) {
  question q;
  set_up(&q);
  gs_term small = symbol(&q, "small", 32, 0, 100), any = symbol(&q, "any", 32, 0, UINT32_MAX);
  gs_term fits = gs_mk_bin_flags(q.t, GS_OP_ADD, small, num(&q, 5, 32), GS_NSW, 1);
  gs_term wraps = gs_mk_bin_flags(q.t, GS_OP_ADD, any, num(&q, 5, 32), GS_NSW, 2);
  gs_term in_arm = gs_mk_bin_flags(q.t, GS_OP_MUL, any, any, GS_NUW, 3);
  gs_term divides = bin(&q, GS_OP_UDIV, small, any);
  gs_term chosen = gs_mk_ite(q.t, bin(&q, GS_OP_SLT, wraps, fits), in_arm, divides);
  uint64_t seen = 0;
  q.query.assume_flags = true;
  q.query.assumed = note_assumed;
  q.query.user = &seen;
  require(&q, differ(&q, chosen, num(&q, 9, 32)));
  expect(&q, GS_ANSWER_YES);
  CHECK_U64(seen, wraps);
  seen = 0;
  require(&q, bin(&q, GS_OP_ULT, divides, fits));
  expect(&q, GS_ANSWER_YES);
  CHECK_U64(seen, wraps * UINT64_C(1000) + divides);
  gs_terms_free(q.t);
}

/// Each flagged operation at the edge of its type, at real widths.
static void test_flag_edges(void) {
  static const struct {
    gs_op op;
    uint8_t flags;
    uint64_t a, b; ///< the last values that keep the flag are a op b
    uint64_t worse;
  } cases[] = {
      {GS_OP_ADD, GS_NSW, 0x7ffffff0, 15, 16},
      {GS_OP_ADD, GS_NUW, 0xfffffff0, 15, 16},
      {GS_OP_SUB, GS_NSW, 0x80000005, 5, 6},
      {GS_OP_SUB, GS_NUW, 5, 5, 6},
      {GS_OP_MUL, GS_NSW, 0x10000, 0x7fff, 0x8000},
      {GS_OP_MUL, GS_NUW, 0x10000, 0xffff, 0x10000},
      {GS_OP_MUL, GS_NSW, 0xffffffff, 0x80000001, 0x80000000},
      {GS_OP_SHL, GS_NSW, 1, 30, 31},
      {GS_OP_SHL, GS_NUW, 1, 31, 32},
      {GS_OP_SHL, GS_NUW, 3, 30, 31},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (int worse = 0; worse < 2; worse++) {
      question q;
      set_up(&q);
      gs_term a = symbol(&q, "a", 32, 0, UINT32_MAX), b = symbol(&q, "b", 32, 0, UINT32_MAX);
      gs_term r = gs_mk_bin_flags(q.t, cases[i].op, a, b, cases[i].flags, 1);
      gs_term parity = gs_mk_cast(q.t, GS_OP_TRUNC, r, 1); // asks nothing of r
      require(&q, gs_mk_not(q.t, bin(&q, GS_OP_ULT, parity, gs_mk_bool(q.t, false))));
      require(&q, bin(&q, GS_OP_ULE, bin(&q, GS_OP_AND, r, num(&q, 1, 32)), num(&q, 1, 32)));
      // through MUL by 3 no bound of a or b is known to the interval analysis
      gs_term odd = bin(&q, GS_OP_MUL, a, num(&q, 3, 32));
      require(&q, bin(&q, GS_OP_EQ, odd, num(&q, cases[i].a * 3, 32)));
      gs_term odd_b = bin(&q, GS_OP_MUL, b, num(&q, 3, 32));
      uint64_t vb = worse ? cases[i].worse : cases[i].b;
      require(&q, bin(&q, GS_OP_EQ, odd_b, num(&q, vb * 3, 32)));
      q.query.assume_flags = true;
      expect(&q, worse ? GS_ANSWER_NO : GS_ANSWER_YES);
      gs_terms_free(q.t);
    }
}

static void test_truncation_flags(void) {
  for (int worse = 0; worse < 2; worse++)
    for (int is_signed = 0; is_signed < 2; is_signed++) {
      question q;
      set_up(&q);
      gs_term a = symbol(&q, "a", 64, 0, UINT64_MAX), odd = binc(&q, GS_OP_MUL, a, 3);
      uint64_t last = is_signed ? UINT64_C(0xffffffff80000000) : UINT64_C(0xffffffff);
      uint64_t value = worse ? (is_signed ? last - 1 : last + 1) : last;
      gs_term cut = gs_mk_trunc_flags(q.t, a, 32, is_signed ? GS_NSW : GS_NUW, 1);
      require(&q, binc(&q, GS_OP_EQ, odd, value * 3));
      require(&q, differ(&q, cut, num(&q, 77, 32)));
      q.query.assume_flags = true;
      expect(&q, worse ? GS_ANSWER_NO : GS_ANSWER_YES);
      gs_terms_free(q.t);
    }
}

static void test_loads(void) {
  question q;
  set_up(&q);
  gs_term p = symbol(&q, "p", 64, 0, UINT64_MAX), i = symbol(&q, "i", 64, 0, 7);
  gs_term j = symbol(&q, "j", 64, 0, 7), four = num(&q, 4, 64);
  gs_term at_i = bin(&q, GS_OP_ADD, p, bin(&q, GS_OP_MUL, i, four));
  gs_term at_j = bin(&q, GS_OP_ADD, p, bin(&q, GS_OP_MUL, j, four));
  gs_term a = gs_mk_load(q.t, at_i, 32, 0), b = gs_mk_load(q.t, at_j, 32, 0);
  gs_model m;
  require(&q, binc(&q, GS_OP_EQ, a, 5));
  require(&q, binc(&q, GS_OP_EQ, b, 6));
  CHECK_U64(ask(&q, &m), GS_ANSWER_YES);
  CHECK_U64(m.load_count, 2);
  for (int k = 0; k < 2; k++) {
    uint64_t at = value_of(&q, &m, p) + 4 * value_of(&q, &m, k ? j : i);
    CHECK_U64(gs_model_load_value(&m, at, 32), k ? 6 : 5);
    CHECK_U64(gs_model_load_value(&m, at, 16), 0); // not asked for
  }
  gs_model_free(&m);
  require(&q, bin(&q, GS_OP_EQ, i, j));
  expect(&q, GS_ANSWER_NO);
  gs_terms_free(q.t);
}

/// A byte has one content, whatever the width it is read with.
static void test_overlapping_loads(void) {
  for (uint64_t byte = 0; byte < 5; byte++) {
    question q;
    set_up(&q);
    gs_term p = symbol(&q, "p", 64, 0, UINT64_MAX);
    gs_term word = gs_mk_load(q.t, p, 32, 0);
    gs_term one = gs_mk_load(q.t, binc(&q, GS_OP_ADD, p, byte), 8, 0);
    require(&q, binc(&q, GS_OP_EQ, word, 0x44332211));
    require(&q, binc(&q, GS_OP_EQ, one, byte < 4 ? 0x11 * (byte + 1) : 0x99));
    expect(&q, GS_ANSWER_YES);
    q.query.hard_count = 1;
    require(&q, binc(&q, GS_OP_EQ, one, 0x99));
    expect(&q, byte < 4 ? GS_ANSWER_NO : GS_ANSWER_YES);
    gs_terms_free(q.t);
  }
}

/// More loads than are related from the start.
static void test_many_loads(void) {
  question q;
  set_up(&q);
  gs_term p = symbol(&q, "p", 64, 0, UINT64_MAX), first = GS_NO_TERM;
  for (uint64_t i = 0; i < 30; i++) {
    gs_term k = symbol(&q, "k", 64, 0, 30);
    gs_term a = gs_mk_load(q.t, bin(&q, GS_OP_ADD, p, binc(&q, GS_OP_MUL, k, 4)), 32, 0);
    first = first ? first : k;
    require(&q, binc(&q, GS_OP_EQ, a, i));
  }
  gs_model m;
  CHECK_U64(ask(&q, &m), GS_ANSWER_YES); // thirty different places
  CHECK_U64(m.load_count, 30);
  gs_model_free(&m);
  gs_terms_free(q.t);
}

static void test_undefined(void) {
  question q;
  set_up(&q);
  gs_term x = symbol(&q, "x", 32, 0, 100), n = symbol(&q, "n", 32, 0, 100);
  gs_term quotient = bin(&q, GS_OP_UDIV, x, n);
  gs_model m;
  require(&q, bin(&q, GS_OP_ULT, num(&q, 1000, 32), quotient));
  expect(&q, GS_ANSWER_DONT_KNOW); // only n == 0 could; hardware gives some value
  q.query.assume_flags = true;
  expect(&q, GS_ANSWER_NO); // division by zero is excluded where it is executed
  q.query.hard_count = 0;
  gs_term safe = gs_mk_ite(q.t, binc(&q, GS_OP_EQ, n, 0), num(&q, 5000, 32), quotient);
  require(&q, bin(&q, GS_OP_ULT, num(&q, 1000, 32), safe));
  CHECK_U64(ask(&q, &m), GS_ANSWER_YES); // in an arm that is not taken
  CHECK_U64(value_of(&q, &m, n), 0);
  gs_model_free(&m);
  q.query.hard_count = 0;
  q.query.assume_flags = false;
  gs_term wide = bin(&q, GS_OP_SHL, num(&q, 1, 32), n);
  require(&q, binc(&q, GS_OP_EQ, wide, 6));
  expect(&q, GS_ANSWER_DONT_KNOW);
  q.query.assume_flags = true;
  expect(&q, GS_ANSWER_NO);
  gs_terms_free(q.t);
}

static void test_bad_input(void) {
  question q;
  set_up(&q);
  gs_term x = symbol(&q, "x", 32, 0, 3);
  require(&q, GS_NO_TERM);
  expect(&q, GS_ANSWER_DONT_KNOW);
  q.query.hard_count = 0;
  gs_term none = symbol(&q, "none", 32, 5, 4);
  require(&q, bin(&q, GS_OP_ULE, x, none));
  expect(&q, GS_ANSWER_NO); // a symbol without values
  gs_terms_free(q.t);
}

/// Too large to ask: DONT_KNOW at once, and no stack is exhausted.
static void test_large(void) {
  question q;
  set_up(&q);
  gs_term x = symbol(&q, "x", 64, 0, UINT64_MAX), y = symbol(&q, "y", 64, 0, UINT64_MAX), z = x;
  for (int i = 0; i < 100000; i++)
    z = bin(&q, i % 2 ? GS_OP_ADD : GS_OP_XOR, z, y);
  require(&q, binc(&q, GS_OP_EQ, z, 12345));
  expect(&q, GS_ANSWER_DONT_KNOW);
  q.query.hard_count = 0;
  gs_term all = gs_mk_bool(q.t, true), few = symbol(&q, "few", 8, 0, 255);
  for (uint64_t i = 0; i < 200; i++)
    all = gs_mk_and(q.t, all, differ(&q, few, num(&q, i, 8)));
  require(&q, all);
  expect(&q, GS_ANSWER_YES);
  for (uint64_t i = 200; i < 256; i++)
    require(&q, differ(&q, few, num(&q, i, 8)));
  expect(&q, GS_ANSWER_NO);
  gs_terms_free(q.t);
}

int main(void) {
  test_ranges();
  test_budget();
  test_same_again();
  test_soft();
  test_flags();
  test_assumed();
  test_flag_edges();
  test_truncation_flags();
  test_loads();
  test_overlapping_loads();
  test_many_loads();
  test_undefined();
  test_bad_input();
  test_large();
  return test_result();
}
