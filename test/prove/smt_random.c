// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random conjunctions over small symbols: the solver against exhaustive search.
#include "random_terms.h"
#include "smt.h"
#include "test_check.h"

#include <stdlib.h>

__extension__ typedef __int128 wide;

enum { MAX_CERTAIN = 4096 };

/// Which terms are certainly executed, straight from the definition in smt.h.
typedef struct certain_set {
  gs_term items[MAX_CERTAIN];
  uint32_t count;
} certain_set;

static void add_value(const gs_terms *terms, gs_term t, certain_set *set) {
  for (uint32_t i = 0; i < set->count; i++)
    if (set->items[i] == t)
      return;
  if (set->count == MAX_CERTAIN)
    return;
  set->items[set->count++] = t;
  const gs_node *node = gs_term_node(terms, t);
  if (node->width == 1 && (node->op == GS_OP_AND || node->op == GS_OP_OR))
    return;
  for (uint32_t i = 0; i < 3 && node->arg[i]; i++)
    if (node->op != GS_OP_ITE || i == 0)
      add_value(terms, node->arg[i], set);
}

static void add_fact(const gs_terms *terms, gs_term t, bool holds, certain_set *set) {
  const gs_node *node = gs_term_node(terms, t);
  uint64_t one = 0;
  if (node->width == 1 && node->op == (holds ? GS_OP_AND : GS_OP_OR)) {
    add_fact(terms, node->arg[0], holds, set);
    add_fact(terms, node->arg[1], holds, set);
  } else if (node->op == GS_OP_XOR && gs_term_const(terms, node->arg[1], &one) && one == 1 &&
             node->width == 1) {
    add_fact(terms, node->arg[0], !holds, set);
  } else {
    add_value(terms, t, set);
  }
}

static bool fits(wide value, uint8_t width, bool is_signed) {
  wide span = (wide)1 << width;
  return is_signed ? value >= -span / 2 && value < span / 2 : value >= 0 && value < span;
}

static bool keeps(const gs_node *node, uint8_t in, uint64_t a, uint64_t b, bool is_signed) {
  wide x = is_signed ? (wide)gs_sign_extend(a, in) : (wide)a;
  wide y = is_signed ? (wide)gs_sign_extend(b, in) : (wide)b;
  wide exact = node->op == GS_OP_ADD   ? x + y
               : node->op == GS_OP_SUB ? x - y
               : node->op == GS_OP_MUL ? x * y
               : node->op == GS_OP_SHL ? x * ((wide)1 << b)
                                       : x;
  return fits(exact, node->width, is_signed);
}

/// Does a certainly executed operation keep its flags and have a value?
static bool is_kept(const gs_terms *terms, gs_term t, const uint64_t *values) {
  const gs_node *node = gs_term_node(terms, t);
  uint64_t a = 0, b = 0, r = 0;
  bool risky = node->op >= GS_OP_UDIV && node->op <= GS_OP_ASHR;
  if (!node->flags && !risky)
    return true;
  if (!gs_term_eval(terms, node->arg[0], values, NULL, NULL, &a))
    return false;
  if (node->arg[1] && !gs_term_eval(terms, node->arg[1], values, NULL, NULL, &b))
    return false;
  if (!gs_term_eval(terms, t, values, NULL, NULL, &r))
    return false;
  uint8_t in = gs_term_width(terms, node->arg[0]);
  return (!(node->flags & GS_NSW) || keeps(node, in, a, b, true)) &&
         (!(node->flags & GS_NUW) || keeps(node, in, a, b, false));
}

typedef struct outcome {
  bool holds;     ///< some assignment makes the conjunction true
  bool undefined; ///< some assignment leaves it without a value
} outcome;

static void try_assignment(const gs_terms *terms, const gs_smt_query *q, const uint64_t *values,
                           const certain_set *certain, outcome *out) {
  bool holds = true, defined = true;
  for (size_t i = 0; i < q->hard_count; i++) {
    uint64_t value = 0;
    bool has = gs_term_eval(terms, q->hard[i], values, NULL, NULL, &value);
    if (has && !value)
      return; // false, whatever the others are
    defined &= has;
    holds &= has && value;
  }
  out->undefined |= !defined;
  for (uint32_t i = 0; q->assume_flags && i < certain->count; i++)
    if (!is_kept(terms, certain->items[i], values))
      return;
  out->holds |= holds && defined;
}

/// \param used by symbol: whether it counts; NULL = all do.
static bool in_range(const gs_terms *terms, const uint64_t *values, const unsigned char *used) {
  for (uint32_t i = 0; i < gs_sym_count(terms); i++)
    if ((!used || used[i]) &&
        (values[i] < gs_sym_get(terms, i)->lo || values[i] > gs_sym_get(terms, i)->hi))
      return false;
  return true;
}

static outcome exhaust(const test_pool *pool, const gs_smt_query *q) {
  static certain_set certain;
  outcome out = {false, false};
  certain.count = 0;
  unsigned char used[POOL_SYMS] = {0};
  for (size_t i = 0; i < q->hard_count; i++) {
    gs_term_syms(pool->terms, q->hard[i], used);
    add_fact(pool->terms, q->hard[i], true, &certain);
  }
  for (size_t i = 0; i < q->soft_count; i++)
    gs_term_syms(pool->terms, q->soft[i], used);
  uint32_t bits = 0;
  for (uint32_t i = 0; i < pool->sym_count; i++)
    bits += pool->sym_width[i];
  for (uint64_t code = 0; code < UINT64_C(1) << bits && !out.holds; code++) {
    uint64_t values[POOL_SYMS], rest = code;
    for (uint32_t i = 0; i < pool->sym_count; i++) {
      values[i] = rest & gs_mask(pool->sym_width[i]);
      rest >>= pool->sym_width[i];
    }
    if (in_range(pool->terms, values, used))
      try_assignment(pool->terms, q, values, &certain, &out);
  }
  return out;
}

static void narrow_symbols(test_pool *pool) {
  for (uint32_t i = 0; i < pool->sym_count; i++) {
    gs_sym *sym = gs_sym_edit(pool->terms, i);
    uint32_t span = 1u << pool->sym_width[i];
    sym->lo = test_below(&pool->rng, 3) ? 0 : test_below(&pool->rng, span);
    sym->hi = test_below(&pool->rng, 3) ? span - 1 : test_below(&pool->rng, span);
    if (sym->lo > sym->hi && test_below(&pool->rng, 8)) {
      uint64_t low = sym->hi;
      sym->hi = sym->lo;
      sym->lo = low;
    }
  }
}

static const char *answer_name(gs_answer answer) {
  return answer == GS_ANSWER_NO ? "NO" : answer == GS_ANSWER_YES ? "YES" : "DONT_KNOW";
}

static void show(const gs_terms *terms, const gs_smt_query *q, uint64_t seed, gs_answer got,
                 outcome wanted) {
  char text[4096];
  fprintf(stderr, "seed %llu: %s, but holds %d undefined %d flags %d\n", (unsigned long long)seed,
          answer_name(got), wanted.holds, wanted.undefined, q->assume_flags);
  for (size_t i = 0; i < q->hard_count; i++) {
    gs_term_print(terms, q->hard[i], text, sizeof text);
    fprintf(stderr, "  %s\n", text);
  }
}

/// Checks a model against the definition.
static bool is_model(const gs_terms *terms, const gs_smt_query *q, const uint64_t *values) {
  static certain_set certain;
  unsigned char used[POOL_SYMS] = {0};
  outcome check = {false, false};
  certain.count = 0;
  for (size_t i = 0; i < q->hard_count; i++) {
    gs_term_syms(terms, q->hard[i], used);
    add_fact(terms, q->hard[i], true, &certain);
  }
  try_assignment(terms, q, values, &certain, &check);
  return check.holds && in_range(terms, values, used);
}

/// Two accesses of a few bytes that overlap, most of them aligned.
static size_t add_overlap(test_pool *pool, gs_term *out) {
  gs_terms *t = pool->terms;
  gs_term x[2], size[2];
  for (int i = 0; i < 2; i++) {
    gs_term scale = gs_mk_const(t, UINT64_C(1) << test_below(&pool->rng, 4), 5);
    x[i] = gs_mk_bin(t, GS_OP_MUL, pool->nodes[pool_pick(pool, 5)].term, scale);
    size[i] = gs_mk_const(t, 1 + test_below(&pool->rng, 5), 5);
  }
  out[0] = gs_mk_bin(t, GS_OP_SLT, gs_mk_bin(t, GS_OP_SUB, x[0], x[1]), size[1]);
  out[1] = gs_mk_bin(t, GS_OP_SLT, gs_mk_bin(t, GS_OP_SUB, x[1], x[0]), size[0]);
  return 2;
}

/// Counts of what was seen, so that the test cannot pass by never deciding.
static unsigned seen[3], linear[2];

/// Solves and compares with what exhaustive search found.
static void test_query(gs_terms *terms, const gs_smt_query *q, outcome wanted, uint64_t seed) {
  gs_model model = {0};
  gs_answer got = gs_smt_solve(terms, q, &model, NULL);
  bool fine = got == (wanted.holds ? GS_ANSWER_YES : GS_ANSWER_NO);
  if (!wanted.holds && wanted.undefined)
    fine |= got == GS_ANSWER_DONT_KNOW;
  fine &= got != GS_ANSWER_YES || is_model(terms, q, model.values);
  if (!fine)
    show(terms, q, seed, got, wanted);
  CHECK(fine);
  seen[got]++;
  if (q->by_linear && *q->by_linear)
    linear[got]++;
  gs_model_free(&model);
}

static void test_seed(uint64_t seed) {
  static const uint8_t widths[] = {1, 1, 2, 3, 4, 5};
  gs_terms *terms = gs_terms_new();
  static test_pool pool;
  pool_options options = {.widths = widths,
                          .width_count = 6,
                          .syms = 1 + (uint32_t)(seed % 3),
                          .nodes = 5 + (uint32_t)(seed % 31),
                          .division = seed % 4 != 0,
                          .flags = true};
  pool_fill(&pool, terms, seed, &options);
  narrow_symbols(&pool);
  gs_term hard[5], soft[2];
  for (int i = 0; i < 3; i++)
    hard[i] = pool.nodes[pool_pick(&pool, 1)].term;
  for (int i = 0; i < 2; i++)
    soft[i] = pool.nodes[pool_pick(&pool, 1)].term;
  gs_smt_query q = {.hard = hard,
                    .hard_count = 1 + seed % 3,
                    .soft = soft,
                    .soft_count = seed % 3,
                    .assume_flags = seed % 2};
  if (seed % 5 == 0)
    q.hard_count += add_overlap(&pool, hard + q.hard_count);
  outcome wanted = exhaust(&pool, &q);
  bool by_linear = false;
  test_query(terms, &q, wanted, seed);
  q.linear_budget = GS_SMT_DEFAULT_BUDGET / 2;
  q.by_linear = &by_linear;
  test_query(terms, &q, wanted, seed);
  gs_terms_free(terms);
}

int main(int argc, char **argv) {
  uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : 400;
  for (uint64_t seed = first; seed < first + count; seed++)
    test_seed(seed);
  printf("NO %u, YES %u, DONT_KNOW %u\n", seen[GS_ANSWER_NO], seen[GS_ANSWER_YES],
         seen[GS_ANSWER_DONT_KNOW]);
  printf("linear: NO %u, YES %u\n", linear[GS_ANSWER_NO], linear[GS_ANSWER_YES]);
  return test_result();
}
