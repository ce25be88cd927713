// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Models by trying values: what is found, that flags and facts are kept, that
// nothing is found where there is nothing; and models made easier to read.
#include "friendly.h"
#include "random_terms.h"
#include "search.h"
#include "smt_model.h"
#include "test_check.h"

#include <stdlib.h>

enum { MAX_FACTS = 16 };

typedef struct fixture {
  gs_terms *terms;
  gs_term tid[2], ctaid[2], ntid, nctaid;
  uint32_t distinct[2][2];
  gs_term facts[MAX_FACTS];
  gs_goal goal;
} fixture;

static uint32_t index_of(const gs_terms *terms, gs_term sym) {
  return (uint32_t)gs_term_node(terms, sym)->value;
}
static gs_term symbol(gs_terms *t, const char *name, gs_sym_kind kind, uint64_t hi) {
  gs_sym proto = test_sym(name, 32, 0, hi);
  proto.kind = kind;
  return gs_mk_sym(t, &proto);
}
static void two_copies(gs_terms *terms, const char *name, gs_sym_kind kind, uint64_t hi,
                       gs_term out[2]) {
  gs_sym proto = test_sym(name, 32, 0, hi);
  proto.kind = kind;
  proto.origin = index_of(terms, gs_mk_sym(terms, &proto));
  for (uint32_t who = 0; who < 2; who++) {
    proto.copy = who + 1;
    out[who] = gs_mk_sym(terms, &proto);
  }
}
static gs_term bin(gs_terms *t, gs_op op, gs_term a, gs_term b) { return gs_mk_bin(t, op, a, b); }
static gs_term number(gs_terms *t, uint64_t value) { return gs_mk_const(t, value, 32); }
static void fact(fixture *f, gs_term t) { f->facts[f->goal.fact_count++] = t; }

/// Two threads of a launch of 64 threads in 2 blocks.
static void set_up(fixture *f) {
  *f = (fixture){.terms = gs_terms_new()};
  gs_terms *t = f->terms;
  two_copies(t, "tid.x", GS_SYM_TID, 1023, f->tid);
  two_copies(t, "ctaid.x", GS_SYM_CTAID, INT32_MAX - 1, f->ctaid);
  f->ntid = symbol(t, "ntid.x", GS_SYM_NTID, 1024);
  f->nctaid = symbol(t, "nctaid.x", GS_SYM_NCTAID, INT32_MAX);
  for (int who = 0; who < 2; who++) {
    f->distinct[0][who] = index_of(t, f->tid[who]);
    f->distinct[1][who] = index_of(t, f->ctaid[who]);
    fact(f, bin(t, GS_OP_ULT, f->tid[who], f->ntid));
    fact(f, bin(t, GS_OP_ULT, f->ctaid[who], f->nctaid));
  }
  f->goal = (gs_goal){.facts = f->facts,
                      .fact_count = 4,
                      .size_a = 4,
                      .size_b = 4,
                      .distinct = (const uint32_t (*)[2])f->distinct,
                      .distinct_count = 2};
}

static gs_term bytes_of(gs_terms *t, gs_term index) {
  return bin(t, GS_OP_MUL, gs_mk_cast(t, GS_OP_SEXT, index, 64), gs_mk_const(t, 4, 64));
}

static gs_answer look(fixture *f, gs_model *model) {
  gs_pin pins[] = {{index_of(f->terms, f->ntid), 64}, {index_of(f->terms, f->nctaid), 2}};
  gs_search_options options = {.pins = pins, .pin_count = 2, .trials = 24, .steps = 20000000};
  uint64_t steps = 0;
  gs_answer answer = gs_search_goal(f->terms, &f->goal, &options, model, &steps);
  CHECK(steps <= options.steps + 1000000);
  return answer;
}

static gs_answer look_at(fixture *f, gs_term a, gs_term b, gs_model *model) {
  f->goal.a = bytes_of(f->terms, a);
  f->goal.b = bytes_of(f->terms, b);
  return look(f, model);
}

static gs_term global_index(fixture *f, int who) {
  gs_terms *t = f->terms;
  return bin(t, GS_OP_ADD, bin(t, GS_OP_MUL, f->ctaid[who], f->ntid), f->tid[who]);
}

/// (i * i) % n meets for n below the number of threads.
static void test_product_of_indices(void) {
  fixture f;
  set_up(&f);
  gs_terms *t = f.terms;
  gs_term n = symbol(t, "n", GS_SYM_PARAM, INT32_MAX), at[2];
  fact(&f, bin(t, GS_OP_ULT, number(t, 100), n));
  for (int who = 0; who < 2; who++) {
    gs_term i = global_index(&f, who);
    at[who] = bin(t, GS_OP_UREM, bin(t, GS_OP_MUL, i, i), n);
  }
  gs_model model;
  CHECK_U64(look_at(&f, at[0], at[1], &model), GS_ANSWER_YES);
  CHECK(model.values[index_of(t, n)] > 100);
  CHECK_U64(model.values[index_of(t, f.ntid)], 64);
  gs_model_free(&model);
  // Each thread its own element: nothing to find.
  CHECK_U64(look_at(&f, global_index(&f, 0), global_index(&f, 1), &model), GS_ANSWER_DONT_KNOW);
  gs_terms_free(t);
}

/// The only meeting would need a signed product that overflows.
static void test_flags_are_kept(void) {
  fixture f;
  set_up(&f);
  gs_terms *t = f.terms;
  gs_term big = number(t, UINT64_C(1) << 31 >> 1), at[2]; // 2^30: four of them wrap
  for (int flags = 0; flags < 2; flags++) {
    for (int who = 0; who < 2; who++)
      at[who] = gs_mk_bin_flags(t, GS_OP_MUL, global_index(&f, who), big,
                                flags ? GS_NSW : 0, 1);
    gs_model model;
    CHECK_U64(look_at(&f, at[0], at[1], &model), flags ? GS_ANSWER_DONT_KNOW : GS_ANSWER_YES);
    gs_model_free(&model);
  }
  gs_terms_free(t);
}

/// What memory holds is zero in every trial.
static void test_memory(void) {
  fixture f;
  set_up(&f);
  gs_terms *t = f.terms;
  gs_term at[2];
  for (int who = 0; who < 2; who++)
    at[who] = gs_mk_load(t, bytes_of(t, global_index(&f, who)), 32, 1);
  gs_model model;
  CHECK_U64(look_at(&f, at[0], at[1], &model), GS_ANSWER_YES);
  gs_model_free(&model);
  for (int who = 0; who < 2; who++)
    fact(&f, bin(t, GS_OP_ULT, number(t, 0), at[who]));
  CHECK_U64(look_at(&f, at[0], at[1], &model), GS_ANSWER_DONT_KNOW);
  gs_terms_free(t);
}

/// One thread that leaves an array of n*n elements by n*n + n.
static void test_one_thread(void) {
  fixture f;
  set_up(&f);
  gs_terms *t = f.terms;
  gs_term n = symbol(t, "n", GS_SYM_PARAM, 1000);
  gs_term i = bin(t, GS_OP_MUL, bin(t, GS_OP_MUL, global_index(&f, 0), n), n);
  f.goal.distinct_count = 0;
  f.goal.fact_count = 2; // of the first thread
  fact(&f, bin(t, GS_OP_ULT, number(t, 0), n));
  fact(&f, bin(t, GS_OP_ULE, bin(t, GS_OP_ADD, bin(t, GS_OP_MUL, n, n), n), i));
  gs_model model;
  CHECK_U64(look(&f, &model), GS_ANSWER_YES);
  CHECK(gs_model_check(t, f.facts, f.goal.fact_count, &model) == GS_CHECK_TRUE);
  gs_model_befriend(t, f.facts, f.goal.fact_count, &model);
  CHECK(gs_model_check(t, f.facts, f.goal.fact_count, &model) == GS_CHECK_TRUE);
  gs_model_free(&model);
  gs_terms_free(t);
}

/// Block 1 and block 0, thread 7, n = 9 become block 0 and block 1, thread 0, n = 300.
static void test_befriend(void) {
  fixture f;
  set_up(&f);
  gs_terms *t = f.terms;
  gs_term n = symbol(t, "n", GS_SYM_PARAM, INT32_MAX);
  for (int who = 0; who < 2; who++)
    fact(&f, bin(t, GS_OP_ULT, f.tid[who], n));
  fact(&f, bin(t, GS_OP_EQ, f.tid[0], f.tid[1]));
  fact(&f, gs_mk_not(t, bin(t, GS_OP_EQ, f.ctaid[0], f.ctaid[1])));
  gs_model model;
  CHECK(gs_model_init(&model, t, 0));
  const struct { gs_term sym; uint64_t before, after; } values[] = {
      {f.ntid, 64, 64}, {f.nctaid, 2, 2}, {f.tid[0], 7, 0},
      {f.tid[1], 7, 0}, {f.ctaid[0], 1, 0}, {f.ctaid[1], 0, 1}, {n, 9, 300}};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++)
    model.values[index_of(t, values[i].sym)] = values[i].before;
  gs_model_befriend(t, f.facts, f.goal.fact_count, &model);
  for (size_t i = 0; i < sizeof values / sizeof *values; i++)
    CHECK_U64(model.values[index_of(t, values[i].sym)], values[i].after);
  gs_model_free(&model);
  gs_terms_free(t);
}

int main(void) {
  test_product_of_indices();
  test_flags_are_kept();
  test_memory();
  test_one_thread();
  test_befriend();
  return test_failures ? 1 : 0;
}
