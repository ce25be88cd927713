// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The linear tier: what it proves that bit-vectors take too long for, what it must
// not prove because machine integers wrap, and models that are models.
#include "random_terms.h"
#include "smt.h"
#include "test_check.h"

enum { MAX_TERMS = 16 };

typedef struct question {
  gs_terms *t;
  gs_term hard[MAX_TERMS];
  gs_smt_query query;
  bool by_linear;
} question;

/// Without bit-vectors: what the linear tier cannot decide stays open.
static void set_up(question *q) {
  *q = (question){.t = gs_terms_new()};
  q->query.hard = q->hard;
  q->query.linear_budget = q->query.budget = 200000;
  q->query.by_linear = &q->by_linear;
}

static gs_term wide(question *q, const char *name, uint64_t hi) {
  gs_sym proto = test_sym(name, 64, 0, hi);
  return gs_mk_sym(q->t, &proto);
}

static gs_term word(question *q, const char *name) {
  gs_sym proto = test_sym(name, 32, 0, UINT32_MAX);
  return gs_mk_sym(q->t, &proto);
}

static gs_term bin(question *q, gs_op op, gs_term a, gs_term b) { return gs_mk_bin(q->t, op, a, b); }
static gs_term binc(question *q, gs_op op, gs_term a, uint64_t c) {
  return bin(q, op, a, gs_mk_const(q->t, c, gs_term_width(q->t, a)));
}
static void require(question *q, gs_term t) { q->hard[q->query.hard_count++] = t; }
static void differ(question *q, gs_term a, gs_term b) {
  require(q, gs_mk_not(q->t, bin(q, GS_OP_EQ, a, b)));
}

static void expect(question *q, gs_answer wanted) {
  gs_model model;
  CHECK_U64(gs_smt_solve(q->t, &q->query, &model, NULL), wanted);
  CHECK(q->by_linear);
  gs_model_free(&model);
  gs_terms_free(q->t);
}

/// a*1000 + b == c*1000 + d with digits b and d: wide numbers, at once.
static void test_digits(uint64_t most, gs_answer wanted) {
  question q;
  set_up(&q);
  gs_term a = wide(&q, "a", UINT32_MAX), b = wide(&q, "b", most);
  gs_term c = wide(&q, "c", UINT32_MAX), d = wide(&q, "d", most);
  gs_term x = bin(&q, GS_OP_ADD, binc(&q, GS_OP_MUL, a, 1000), b);
  gs_term y = bin(&q, GS_OP_ADD, binc(&q, GS_OP_MUL, c, 1000), d);
  require(&q, bin(&q, GS_OP_EQ, x, y));
  differ(&q, b, d);
  expect(&q, wanted);
}

/// i < n and n + 3 <= m do not give i + 3 < m on 32 bits, for n + 3 may wrap; with
/// the flag they do.
static void test_wrap(bool flag) {
  question q;
  set_up(&q);
  gs_term i = word(&q, "i"), n = word(&q, "n"), m = word(&q, "m");
  gs_term three = gs_mk_const(q.t, 3, 32);
  gs_term sum = flag ? gs_mk_bin_flags(q.t, GS_OP_ADD, n, three, GS_NUW, 1)
                     : gs_mk_bin(q.t, GS_OP_ADD, n, three);
  q.query.assume_flags = true;
  require(&q, bin(&q, GS_OP_ULT, i, n));
  require(&q, bin(&q, GS_OP_ULE, sum, m));
  require(&q, gs_mk_not(q.t, bin(&q, GS_OP_ULT, i, m)));
  expect(&q, flag ? GS_ANSWER_NO : GS_ANSWER_YES);
}

/// Quotient and remainder fit together again, signed ones towards zero.
static void test_division(gs_op divide, gs_op rest, uint64_t divisor) {
  question q;
  set_up(&q);
  gs_term a = word(&q, "a");
  gs_term whole = binc(&q, GS_OP_MUL, binc(&q, divide, a, divisor), divisor);
  differ(&q, bin(&q, GS_OP_ADD, whole, binc(&q, rest, a, divisor)), a);
  expect(&q, GS_ANSWER_NO);
}

static void test_signs(void) {
  question q;
  set_up(&q);
  gs_term a = word(&q, "a");
  require(&q, binc(&q, GS_OP_SLT, a, 0));
  require(&q, binc(&q, GS_OP_ULT, a, 0x80000000u));
  gs_answer answer = gs_smt_solve(q.t, &q.query, NULL, NULL);
  CHECK_U64(answer, GS_ANSWER_NO); // by the bounds or by the tier
  gs_terms_free(q.t);
  set_up(&q); // -7 / 2 == -3 and -7 % 2 == -1
  a = word(&q, "a");
  require(&q, binc(&q, GS_OP_EQ, binc(&q, GS_OP_SDIV, a, 2), (uint64_t)-3));
  require(&q, binc(&q, GS_OP_EQ, binc(&q, GS_OP_SREM, a, 2), (uint64_t)-1));
  gs_model model;
  CHECK_U64(gs_smt_solve(q.t, &q.query, &model, NULL), GS_ANSWER_YES);
  CHECK_U64(model.values[gs_term_node(q.t, a)->value], (uint32_t)-7);
  gs_model_free(&model);
  gs_terms_free(q.t);
}

/// A row of tiles cut by masks and shifts.
static void test_bits(void) {
  question q;
  set_up(&q);
  gs_term a = word(&q, "a"), b = word(&q, "b");
  require(&q, bin(&q, GS_OP_EQ, binc(&q, GS_OP_LSHR, a, 5), binc(&q, GS_OP_LSHR, b, 5)));
  require(&q, bin(&q, GS_OP_EQ, binc(&q, GS_OP_AND, a, 31), binc(&q, GS_OP_AND, b, 31)));
  differ(&q, a, b);
  expect(&q, GS_ANSWER_NO);
  set_up(&q);
  a = word(&q, "a");
  gs_term low = binc(&q, GS_OP_AND, a, 0xF0), high = binc(&q, GS_OP_SHL, binc(&q, GS_OP_LSHR, a, 8), 8);
  require(&q, bin(&q, GS_OP_ULT, a, bin(&q, GS_OP_OR, high, low)));
  expect(&q, GS_ANSWER_NO);
}

/// What hangs on a product of unknowns is left to the bit-vectors.
static void test_product(void) {
  question q;
  set_up(&q);
  gs_term a = wide(&q, "a", 200), b = wide(&q, "b", 200);
  gs_term p = bin(&q, GS_OP_MUL, a, b);
  require(&q, binc(&q, GS_OP_EQ, p, 39203));
  CHECK_U64(gs_smt_solve(q.t, &q.query, NULL, NULL), GS_ANSWER_YES); // 197 * 199
  gs_terms_free(q.t);
  set_up(&q); // the envelope of the product is enough: (a + 3) * b is at least 3 * b
  a = wide(&q, "a", 200), b = wide(&q, "b", 200);
  gs_term c = wide(&q, "c", 200);
  p = bin(&q, GS_OP_MUL, binc(&q, GS_OP_ADD, a, 3), b);
  require(&q, bin(&q, GS_OP_ULT, p, bin(&q, GS_OP_ADD, b, c)));
  require(&q, bin(&q, GS_OP_ULE, c, b));
  expect(&q, GS_ANSWER_NO);
}

int main(void) {
  test_digits(999, GS_ANSWER_NO);
  test_digits(1000, GS_ANSWER_YES);
  test_wrap(false);
  test_wrap(true);
  test_division(GS_OP_UDIV, GS_OP_UREM, 7);
  test_division(GS_OP_SDIV, GS_OP_SREM, 7);
  test_division(GS_OP_UDIV, GS_OP_UREM, 64);
  test_signs();
  test_bits();
  test_product();
  return test_result();
}
