// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The enumeration tier: the addresses it was made for, each way to give up, and
// random accesses against a search over all pairs.
#include "enumerate.h"
#include "random_terms.h"
#include "test_check.h"

#include <stdlib.h>

typedef struct fixture {
  gs_terms *terms;
  gs_term tid;
  gs_enum_sym syms[4];
  gs_enum_query query;
} fixture;

static gs_term symbol(gs_terms *terms, const char *name, uint8_t width, uint64_t lo, uint64_t hi) {
  gs_sym proto = test_sym(name, width, lo, hi);
  return gs_mk_sym(terms, &proto);
}

static uint32_t index_of(const gs_terms *terms, gs_term sym) {
  return (uint32_t)gs_term_node(terms, sym)->value;
}

static gs_enum_sym listed(const gs_terms *terms, gs_term sym, uint64_t lo, uint64_t hi,
                          bool is_identity) {
  uint32_t s = index_of(terms, sym);
  return (gs_enum_sym){.sym = {s, s}, .lo = lo, .hi = hi, .is_identity = is_identity};
}

/// One block of `threads` threads that store 4 bytes.
static fixture one_block(uint64_t threads) {
  fixture f = {.terms = gs_terms_new()};
  f.tid = symbol(f.terms, "tid.x", 32, 0, threads - 1);
  f.syms[0] = listed(f.terms, f.tid, 0, threads - 1, true);
  f.query = (gs_enum_query){.sym_count = 1};
  return f;
}

static gs_term number(gs_terms *t, uint64_t value) { return gs_mk_const(t, value, 32); }
static gs_term with(gs_terms *t, gs_op op, gs_term a, uint64_t c) {
  return gs_mk_bin(t, op, a, number(t, c));
}
static gs_term plus(gs_terms *t, gs_term a, gs_term b) { return gs_mk_bin(t, GS_OP_ADD, a, b); }

static gs_term bytes_of(gs_terms *t, gs_term index) {
  return gs_mk_bin(t, GS_OP_MUL, gs_mk_cast(t, GS_OP_SEXT, index, 64), gs_mk_const(t, 4, 64));
}

/// The access of every thread to the element `index`, against itself.
static gs_answer meet(fixture *f, gs_term index, gs_term guard, gs_model out[2]) {
  gs_enum_access access = {.guard = guard, .offset = bytes_of(f->terms, index), .size = 4};
  f->query.access[0] = f->query.access[1] = access;
  f->query.syms = f->syms;
  return gs_enumerate(f->terms, &f->query, out, NULL);
}

static void test_swizzles(void) {
  fixture f = one_block(1024);
  gs_terms *t = f.terms;
  gs_term row = with(t, GS_OP_LSHR, f.tid, 5), column = with(t, GS_OP_AND, f.tid, 31);
  gs_term swizzled = gs_mk_bin(t, GS_OP_XOR, column, with(t, GS_OP_AND, row, 31));
  gs_term good[] = {
      gs_mk_bin(t, GS_OP_XOR, f.tid, with(t, GS_OP_LSHR, f.tid, 3)),
      plus(t, with(t, GS_OP_MUL, row, 32), swizzled),
      plus(t, with(t, GS_OP_MUL, with(t, GS_OP_UDIV, f.tid, 33), 40),
           with(t, GS_OP_UREM, f.tid, 33)),
      with(t, GS_OP_LSHR, gs_mk_un(t, GS_OP_BITREVERSE, f.tid), 22),
      with(t, GS_OP_UREM, with(t, GS_OP_MUL, f.tid, 7), 1024),
      with(t, GS_OP_SUB, f.tid, 500),
  };
  for (size_t i = 0; i < sizeof good / sizeof *good; i++)
    CHECK_U64(meet(&f, good[i], GS_NO_TERM, NULL), GS_ANSWER_NO);
  gs_term bad[] = {
      with(t, GS_OP_AND, f.tid, 1022), with(t, GS_OP_UREM, with(t, GS_OP_MUL, f.tid, 7), 1021),
      gs_mk_un(t, GS_OP_CTPOP, f.tid), with(t, GS_OP_LSHR, f.tid, 9), number(t, 3)};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    CHECK_U64(meet(&f, bad[i], GS_NO_TERM, NULL), GS_ANSWER_YES);
  gs_terms_free(t);
}

static void test_lowest_witness(void) {
  fixture f = one_block(256);
  gs_model m[2];
  gs_term from_ten = with(f.terms, GS_OP_UREM, f.tid, 100);
  gs_term guard = gs_mk_bin(f.terms, GS_OP_ULE, number(f.terms, 10), f.tid);
  uint32_t tid = index_of(f.terms, f.tid);
  CHECK_U64(meet(&f, from_ten, guard, m), GS_ANSWER_YES);
  CHECK_U64(m[0].values[tid], 10);
  CHECK_U64(m[1].values[tid], 110);
  gs_model_free(&m[0]);
  gs_model_free(&m[1]);
  gs_term late = gs_mk_bin(f.terms, GS_OP_ULE, number(f.terms, 156), f.tid);
  CHECK_U64(meet(&f, from_ten, late, NULL), GS_ANSWER_NO);
  gs_terms_free(f.terms);
}

/// Bytes, not elements: accesses of different sizes that overlap in part.
static void test_partial_overlap(void) {
  fixture f = one_block(64);
  gs_terms *t = f.terms;
  gs_term wide = gs_mk_cast(t, GS_OP_ZEXT, f.tid, 64);
  gs_term eight = gs_mk_bin(t, GS_OP_MUL, wide, gs_mk_const(t, 8, 64));
  f.query.syms = f.syms;
  for (uint32_t shift = 0; shift < 20; shift++) {
    gs_term moved = gs_mk_bin(t, GS_OP_ADD, eight, gs_mk_const(t, shift, 64));
    f.query.access[0] = (gs_enum_access){.offset = eight, .size = 4};
    f.query.access[1] = (gs_enum_access){.offset = moved, .size = 2};
    // thread a's [8a, 8a+4) against another's [8b+shift, 8b+shift+2)
    bool overlaps = (shift > 6 && shift < 12) || (shift > 14 && shift < 20);
    CHECK_U64(gs_enumerate(t, &f.query, NULL, NULL), overlaps ? GS_ANSWER_YES : GS_ANSWER_NO);
  }
  gs_terms_free(t);
}

/// Offsets are signed: -4 and 0 are neighbours, both ends of the range are not.
static void test_signed_offsets(void) {
  fixture f = one_block(2);
  gs_terms *t = f.terms;
  gs_term first = gs_mk_bin(t, GS_OP_EQ, f.tid, number(t, 0));
  gs_term minus = gs_mk_const(t, (uint64_t)-2, 64), zero = gs_mk_const(t, 0, 64);
  f.query.syms = f.syms;
  f.query.access[0] = f.query.access[1] =
      (gs_enum_access){.offset = gs_mk_ite(t, first, minus, zero), .size = 2};
  CHECK_U64(gs_enumerate(t, &f.query, NULL, NULL), GS_ANSWER_NO);
  f.query.access[0].size = f.query.access[1].size = 3;
  CHECK_U64(gs_enumerate(t, &f.query, NULL, NULL), GS_ANSWER_YES);
  gs_term top = gs_mk_const(t, INT64_MAX, 64), bottom = gs_mk_const(t, (uint64_t)INT64_MIN, 64);
  f.query.access[0] = f.query.access[1] =
      (gs_enum_access){.offset = gs_mk_ite(t, first, top, bottom), .size = 4};
  CHECK_U64(gs_enumerate(t, &f.query, NULL, NULL), GS_ANSWER_NO);
  f.query.modular = true; // then they may be neighbours
  CHECK_U64(gs_enumerate(t, &f.query, NULL, NULL), GS_ANSWER_DONT_KNOW);
  gs_terms_free(t);
}

/// A tree reduction: s[t] and s[t+d] for t < d, d = 128, 64, ..., 1.
static void test_uniform_cases(void) {
  static const uint64_t halves[] = {128, 64, 32, 16, 8, 4, 2, 1}, odd[] = {128, 64, 100};
  fixture f = one_block(256);
  gs_terms *t = f.terms;
  gs_term d = symbol(t, "d", 32, 0, 1024);
  gs_term below = gs_mk_bin(t, GS_OP_ULT, f.tid, d);
  gs_enum_uniform u = {.sym = index_of(t, d), .values = halves, .value_count = 8};
  f.query.syms = f.syms;
  f.query.uniforms = &u;
  f.query.uniform_count = 1;
  f.query.access[0] = (gs_enum_access){.guard = below, .offset = bytes_of(t, f.tid), .size = 4};
  f.query.access[1] =
      (gs_enum_access){.guard = below, .offset = bytes_of(t, plus(t, f.tid, d)), .size = 4};
  CHECK_U64(gs_enumerate(t, &f.query, NULL, NULL), GS_ANSWER_NO);
  gs_term fewer = gs_mk_bin(t, GS_OP_ULE, f.tid, d); // one thread too many
  f.query.access[0].guard = fewer;
  gs_model m[2];
  u.values = odd;
  u.value_count = 3;
  CHECK_U64(gs_enumerate(t, &f.query, m, NULL), GS_ANSWER_YES);
  CHECK_U64(m[0].values[u.sym], 128);
  CHECK_U64(m[0].values[index_of(t, f.tid)], 128);
  CHECK_U64(m[1].values[index_of(t, f.tid)], 0);
  gs_model_free(&m[0]);
  gs_model_free(&m[1]);
  u = (gs_enum_uniform){.sym = index_of(t, d), .lo = 3, .hi = 2}; // no case at all
  CHECK_U64(gs_enumerate(t, &f.query, NULL, NULL), GS_ANSWER_NO);
  gs_terms_free(t);
}

/// A loop counter: untied, each thread meets the next one's element in another
/// trip; tied, they stay apart.
static void test_ties(void) {
  fixture f = one_block(32);
  gs_terms *t = f.terms;
  gs_term k = symbol(t, "k", 32, 0, 7);
  f.syms[1] = listed(t, k, 0, 7, false);
  f.query.sym_count = 2;
  CHECK_U64(meet(&f, plus(t, f.tid, k), GS_NO_TERM, NULL), GS_ANSWER_YES);
  gs_enum_access access = {.offset = bytes_of(t, plus(t, f.tid, k)), .size = 4, .tie = {k}};
  f.query.access[0] = f.query.access[1] = access;
  f.query.tie_count = 1;
  CHECK_U64(gs_enumerate(t, &f.query, NULL, NULL), GS_ANSWER_NO);
  // one trip apart: k of one thread is k+1 of the other
  f.query.access[1].tie[0] = with(t, GS_OP_ADD, k, 1);
  CHECK_U64(gs_enumerate(t, &f.query, NULL, NULL), GS_ANSWER_YES);
  // the same element again and again by one thread is no meeting
  f.query.tie_count = 0;
  CHECK_U64(meet(&f, f.tid, GS_NO_TERM, NULL), GS_ANSWER_NO);
  gs_terms_free(t);
}

static void test_giving_up(void) {
  fixture f = one_block(1024);
  gs_terms *t = f.terms;
  gs_term n = symbol(t, "n", 32, 0, UINT32_MAX);
  uint64_t steps = 1;
  gs_term guard = gs_mk_bin(t, GS_OP_ULT, f.tid, n);
  CHECK_U64(meet(&f, f.tid, guard, NULL), GS_ANSWER_DONT_KNOW); // n is not listed
  gs_term read = gs_mk_load(t, bytes_of(t, f.tid), 32, 0);
  CHECK_U64(meet(&f, read, GS_NO_TERM, NULL), GS_ANSWER_DONT_KNOW);
  f.query.budget = 4000;
  CHECK_U64(meet(&f, f.tid, GS_NO_TERM, NULL), GS_ANSWER_DONT_KNOW); // 1024 * 11 steps
  CHECK_U64(gs_enumerate(t, &f.query, NULL, &steps), GS_ANSWER_DONT_KNOW);
  CHECK_U64(steps, 0);
  f.query.budget = 0;
  CHECK_U64(meet(&f, with(t, GS_OP_UDIV, number(t, 5000), 0), GS_NO_TERM, NULL),
            GS_ANSWER_DONT_KNOW);
  gs_term by_tid = gs_mk_bin(t, GS_OP_UDIV, number(t, 4096), f.tid);
  CHECK_U64(meet(&f, by_tid, GS_NO_TERM, NULL), GS_ANSWER_YES); // 4096/3000 and others
  gs_term few = with(t, GS_OP_ULT, f.tid, 30);
  CHECK_U64(meet(&f, by_tid, few, NULL), GS_ANSWER_DONT_KNOW); // 4096/0
  gs_term defined = gs_mk_and(t, few, gs_mk_not(t, gs_mk_bin(t, GS_OP_EQ, f.tid, number(t, 0))));
  CHECK_U64(meet(&f, by_tid, defined, NULL), GS_ANSWER_NO);
  f.syms[0].hi = UINT32_MAX; // too many threads
  CHECK_U64(meet(&f, f.tid, GS_NO_TERM, NULL), GS_ANSWER_DONT_KNOW);
  f.syms[0].hi = 1023;
  f.query.access[0].offset = f.tid; // 32 bits
  CHECK_U64(gs_enumerate(t, &f.query, NULL, NULL), GS_ANSWER_DONT_KNOW);
  gs_terms_free(t);
}

// ------------------------------------------------------------ random cores ----

enum { RANDOM_SYMS = 3 };

/// Does access `who` touch bytes at this point? 1 yes, 0 no, -1 nobody knows.
static int touches(const gs_terms *t, const gs_enum_access *a, const uint64_t *values,
                   uint32_t ties, uint64_t *offset, uint64_t *tie) {
  uint64_t guard = 1;
  if (a->guard && !gs_term_eval(t, a->guard, values, NULL, NULL, &guard))
    return -1;
  if (!guard)
    return 0;
  for (uint32_t i = 0; i < ties; i++)
    if (!gs_term_eval(t, a->tie[i], values, NULL, NULL, &tie[i]))
      return -1;
  return gs_term_eval(t, a->offset, values, NULL, NULL, offset) ? 1 : -1;
}

static bool overlap(uint64_t a, uint32_t size_a, uint64_t b, uint32_t size_b) {
  int64_t x = (int64_t)a, y = (int64_t)b;
  return x <= y ? (uint64_t)y - (uint64_t)x < size_a : (uint64_t)x - (uint64_t)y < size_b;
}

/// All pairs of points (two symbols of a thread each) under one uniform value.
static void all_pairs(const gs_terms *t, const gs_enum_query *q, uint64_t uniform, bool *meet,
                      bool *unknown) {
  const gs_enum_sym *s = q->syms;
  uint64_t p[2], o[2], ties[2][GS_ENUM_TIES], values[RANDOM_SYMS] = {0, 0, uniform};
  for (p[0] = s[0].lo; p[0] <= s[0].hi; p[0]++)
    for (o[0] = s[1].lo; o[0] <= s[1].hi; o[0]++)
      for (p[1] = s[0].lo; p[1] <= s[0].hi; p[1]++)
        for (o[1] = s[1].lo; o[1] <= s[1].hi; o[1]++) {
          uint64_t at[2] = {0, 0};
          int does[2];
          for (int who = 0; who < 2; who++) {
            values[0] = p[who];
            values[1] = o[who];
            does[who] = touches(t, &q->access[who], values, q->tie_count, &at[who], ties[who]);
          }
          *unknown |= does[0] < 0 || does[1] < 0;
          bool same = memcmp(ties[0], ties[1], q->tie_count * sizeof **ties) == 0;
          bool other = p[0] != p[1] || (s[1].is_identity && o[0] != o[1]);
          *meet |= does[0] > 0 && does[1] > 0 && same && other &&
                   overlap(at[0], q->access[0].size, at[1], q->access[1].size);
        }
}

static unsigned answers[3];

static void random_core(uint64_t seed) {
  static const uint8_t widths[] = {1, 3, 8, 64};
  static test_pool pool;
  gs_terms *t = gs_terms_new();
  gs_term syms[RANDOM_SYMS] = {symbol(t, "x", 8, 0, 255), symbol(t, "y", 3, 0, 7),
                               symbol(t, "u", 8, 0, 255)};
  pool_options options = {.widths = widths,
                          .width_count = 4,
                          .leaves = syms,
                          .leaf_count = RANDOM_SYMS,
                          .nodes = 30 + (uint32_t)(seed % 40),
                          .division = seed % 3 == 0};
  pool_fill(&pool, t, seed, &options);
  gs_enum_query q = {.sym_count = 2, .uniform_count = 1, .tie_count = seed % 3 == 1};
  gs_enum_sym listed_syms[2] = {listed(t, syms[0], 10, 10 + seed % 9, true),
                                listed(t, syms[1], 0, seed % 4, seed % 5 == 0)};
  gs_enum_uniform u = {.sym = 2, .lo = 1, .hi = 1 + seed % 3};
  q.syms = listed_syms;
  q.uniforms = &u;
  for (int who = 0; who < 2; who++) {
    gs_term x = gs_mk_cast(t, GS_OP_ZEXT, syms[0], 64), y = gs_mk_cast(t, GS_OP_ZEXT, syms[1], 64);
    gs_term o = gs_mk_bin(t, (gs_op)(GS_OP_ADD + test_below(&pool.rng, 3)), x,
                          pool.nodes[pool_pick(&pool, 64)].term);
    o = test_below(&pool.rng, 2) ? gs_mk_bin(t, GS_OP_XOR, o, y) : o;
    gs_term small = gs_mk_cast(t, GS_OP_TRUNC, o, 8);
    gs_term bound = pool.nodes[pool_pick(&pool, 8)].term;
    gs_term ratio = gs_mk_bin(t, seed % 3 ? GS_OP_XOR : GS_OP_UDIV, bound, syms[who]);
    q.access[who] = (gs_enum_access){
        .guard = test_below(&pool.rng, 3)
                     ? gs_mk_bin(t, GS_OP_ULE, gs_mk_cast(t, GS_OP_TRUNC, ratio, 3), syms[1])
                     : GS_NO_TERM,
        .offset = seed % 2 ? o : gs_mk_bin(t, GS_OP_SHL, gs_mk_cast(t, GS_OP_SEXT, small, 64),
                                           gs_mk_const(t, 1, 64)),
        .size = 1 + test_below(&pool.rng, 4),
        .tie = {test_below(&pool.rng, 2) ? syms[1] : gs_mk_const(t, 2, 3)}};
  }
  if (seed % 7 == 0)
    q.access[1] = q.access[0];
  bool meets = false, unknown = false;
  for (uint64_t v = u.lo; v <= u.hi; v++)
    all_pairs(t, &q, v, &meets, &unknown);
  gs_answer got = gs_enumerate(t, &q, NULL, NULL);
  gs_answer wanted = meets ? GS_ANSWER_YES : unknown ? GS_ANSWER_DONT_KNOW : GS_ANSWER_NO;
  if (got != wanted)
    fprintf(stderr, "seed %llu\n", (unsigned long long)seed);
  CHECK_U64(got, wanted);
  answers[got]++;
  gs_terms_free(t);
}

int main(int argc, char **argv) {
  uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000;
  test_swizzles();
  test_lowest_witness();
  test_partial_overlap();
  test_signed_offsets();
  test_uniform_cases();
  test_ties();
  test_giving_up();
  for (uint64_t seed = 1; seed <= count; seed++)
    random_core(seed);
  printf("random: NO %u, YES %u, DONT_KNOW %u\n", answers[0], answers[1], answers[2]);
  CHECK(answers[0] && answers[1] && answers[2]);
  return test_result();
}
