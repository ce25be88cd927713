// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Real widths, where exhaustive search is no option: bounds contain the values
// that random assignments give, and the solver computes what evaluation does.
#include "random_terms.h"
#include "smt.h"
#include "smt_range.h"
#include "test_check.h"

#include <stdlib.h>

__extension__ typedef __int128 wide;

static uint64_t pick_in(test_rng *rng, const gs_sym *sym) {
  uint64_t span = sym->hi - sym->lo, r = test_random(rng);
  switch (test_below(rng, 4)) {
  case 0: return sym->lo;
  case 1: return sym->hi;
  case 2: r &= 7; break;
  default: break;
  }
  return span == UINT64_MAX ? r : sym->lo + r % (span + 1);
}

static void narrow_symbols(test_pool *pool) {
  for (uint32_t i = 0; i < pool->sym_count; i++) {
    gs_sym *sym = gs_sym_edit(pool->terms, i);
    uint64_t mask = gs_mask(pool->sym_width[i]), half = mask / 2;
    uint64_t few = test_random(&pool->rng) % 1000 & mask;
    sym->hi = mask;
    switch (test_below(&pool->rng, 6)) {
    case 0: sym->hi = few; break;
    case 1: sym->lo = few, sym->hi = few > mask - few ? mask : 2 * few; break;
    case 2: sym->lo = mask - few; break;                  // small negative numbers
    case 3: sym->hi = half; break;                        // not negative
    case 4: sym->lo = half - few % (half + 1), sym->hi = half + 1; break; // across the sign
    default: break;
    }
  }
}

static bool fits(wide value, uint8_t width, bool is_signed) {
  wide span = (wide)1 << width;
  return is_signed ? value >= -span / 2 && value < span / 2 : value >= 0 && value < span;
}

static bool mul_overflows(uint64_t a, uint64_t b) {
  uint64_t r = 0;
  return __builtin_mul_overflow(a, b, &r);
}

/// Does the operation wrap on these operands?
static bool wraps(const gs_node *node, uint8_t in, uint64_t a, uint64_t b, bool is_signed) {
  wide x = is_signed ? (wide)gs_sign_extend(a, in) : (wide)a;
  wide y = is_signed ? (wide)gs_sign_extend(b, in) : (wide)b;
  wide r = x; // TRUNC
  if (node->op == GS_OP_SHL)
    r = b < 64 && in <= 32 ? x * ((wide)1 << b) : 0; // wider products leave 128 bits
  else if (node->op == GS_OP_MUL)
    r = in <= 32 || is_signed ? x * y : mul_overflows(a, b) ? -1 : 0;
  else if (node->op != GS_OP_TRUNC)
    r = node->op == GS_OP_ADD ? x + y : x - y;
  return !fits(r, node->width, is_signed);
}

static bool contains(gs_range r, uint64_t value, uint8_t width) {
  int64_t s = gs_sign_extend(value, width);
  return value >= r.lo && value <= r.hi && s >= r.slo && s <= r.shi;
}

static bool eval(const gs_terms *t, gs_term x, const uint64_t *values, uint64_t *out) {
  return gs_term_eval(t, x, values, NULL, NULL, out);
}

/// The values of one node against its bounds.
static void check_node(const gs_terms *t, const gs_dag *dag, const gs_ranges *ranges, uint32_t at,
                       const uint64_t *values, uint64_t seed) {
  gs_term x = dag->terms[at];
  const gs_node *node = gs_term_node(t, x);
  uint64_t value = 0, a = 0, b = 0;
  bool arithmetic = (node->op >= GS_OP_ADD && node->op <= GS_OP_MUL) || node->op == GS_OP_SHL ||
                    node->op == GS_OP_TRUNC;
  if (!eval(t, x, values, &value))
    return;
  bool fine = contains(ranges->node[at], value, node->width);
  if (arithmetic && eval(t, node->arg[0], values, &a) &&
      (!node->arg[1] || eval(t, node->arg[1], values, &b))) {
    uint8_t may = gs_ranges_wraps(t, dag, ranges, x), in = gs_term_width(t, node->arg[0]);
    fine &= (may & GS_NSW) || !wraps(node, in, a, b, true);
    fine &= (may & GS_NUW) || !wraps(node, in, a, b, false);
  }
  if (!fine) {
    char text[1000];
    gs_term_print(t, x, text, sizeof text);
    fprintf(stderr, "seed %llu: %s\n", (unsigned long long)seed, text);
  }
  CHECK(fine);
}

/// The literals that hold under an assignment, of some random conditions.
static uint32_t true_facts(test_pool *pool, const uint64_t *values, gs_term *out, uint32_t max) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < max; i++) {
    uint64_t value = 0;
    gs_term fact = pool->nodes[pool_pick(pool, 1)].term;
    if (!eval(pool->terms, fact, values, &value))
      continue;
    out[count++] = value ? fact : gs_mk_not(pool->terms, fact);
  }
  return count;
}

static void check_bounds(test_pool *pool, const uint64_t *values, uint64_t seed) {
  gs_terms *t = pool->terms;
  gs_term roots[POOL_MAX];
  uint32_t facts = true_facts(pool, values, roots, seed % 4), count = facts;
  for (uint32_t i = 0; i < pool->count && count < POOL_MAX; i++)
    roots[count++] = pool->nodes[i].term;
  gs_dag dag;
  gs_literals literals;
  gs_ranges ranges;
  CHECK(gs_dag_collect(t, roots, count, &dag));
  CHECK(gs_literals_collect(t, &dag, roots, facts, &literals, NULL));
  CHECK(gs_ranges_compute(t, &dag, &literals, NULL, &ranges));
  CHECK(!ranges.empty); // the assignment is a model
  for (uint32_t at = 0; at < dag.count && !ranges.empty; at++)
    check_node(t, &dag, &ranges, at, values, seed);
  gs_dag_free(&dag);
  free(literals.items);
  free(ranges.node);
}

static unsigned answers[3];

/// With all symbols given, a term has its value and no other.
static void check_solver(test_pool *pool, const uint64_t *values, uint64_t seed) {
  gs_terms *t = pool->terms;
  uint32_t i = pool->count - 1 - test_below(&pool->rng, 20), count = 0;
  gs_term term = pool->nodes[i].term, hard[POOL_SYMS + 1];
  uint64_t value = 0;
  if (!eval(t, term, values, &value))
    return;
  for (uint32_t s = 0; s < pool->sym_count; s++) { // in a way that bounds do not see through
    gs_term sym = gs_sym_term(t, s);
    uint8_t width = gs_term_width(t, sym);
    gs_term mixed = gs_mk_bin(t, GS_OP_MUL, sym, gs_mk_const(t, 0xdeadbeef5, width));
    uint64_t product = values[s] * 0xdeadbeef5 & gs_mask(width);
    hard[count++] = gs_mk_bin(t, GS_OP_EQ, mixed, gs_mk_const(t, product, width));
  }
  gs_term is = gs_mk_bin(t, GS_OP_EQ, term, gs_mk_const(t, value, gs_term_width(t, term)));
  for (int no = 0; no < 2; no++) {
    hard[count] = no ? gs_mk_not(t, is) : is;
    gs_smt_query q = {.hard = hard, .hard_count = count + 1, .budget = 3000000};
    gs_answer got = gs_smt_solve(t, &q, NULL, NULL), wanted = no ? GS_ANSWER_NO : GS_ANSWER_YES;
    bool fine = got == wanted || got == GS_ANSWER_DONT_KNOW; // too hard is no error
    if (!fine) {
      char text[2000];
      gs_term_print(t, term, text, sizeof text);
      fprintf(stderr, "seed %llu: %llu is not the value of %s\n", (unsigned long long)seed,
              (unsigned long long)value, text);
    }
    CHECK(fine);
    answers[got]++;
  }
}

// ------------------------------------------------------------ small intervals ----

enum { TINY = 3, VALUES = 1 << TINY };

/// Interval number i of the VALUES * VALUES pairs of ends, as a symbol's range or
/// (the second half) as facts about its signed value.
typedef struct tiny {
  gs_term sym;
  gs_term facts[2];
  bool has[VALUES];
} tiny;

static bool make_tiny(gs_terms *t, uint32_t i, tiny *out) {
  bool is_signed = i >= VALUES * VALUES;
  uint64_t lo = i % VALUES, hi = i / VALUES % VALUES;
  gs_sym proto = test_sym("x", TINY, is_signed ? 0 : lo, is_signed ? VALUES - 1 : hi);
  bool any = false;
  for (uint64_t v = 0; v < VALUES; v++) {
    int64_t s = gs_sign_extend(v, TINY);
    out->has[v] = is_signed ? s >= gs_sign_extend(lo, TINY) && s <= gs_sign_extend(hi, TINY)
                            : v >= lo && v <= hi;
    any |= out->has[v];
  }
  if (!any)
    return false;
  out->sym = gs_mk_sym(t, &proto);
  gs_term low = gs_mk_const(t, lo, TINY), high = gs_mk_const(t, hi, TINY);
  out->facts[0] = is_signed ? gs_mk_bin(t, GS_OP_SLE, low, out->sym) : gs_mk_bool(t, true);
  out->facts[1] = is_signed ? gs_mk_bin(t, GS_OP_SLE, out->sym, high) : gs_mk_bool(t, true);
  return true;
}

/// Every operator on every pair of intervals of three bits.
static void check_tiny(gs_terms *t, const tiny x[2]) {
  gs_term roots[4 + GS_OP_SLE + 1] = {x[0].facts[0], x[0].facts[1], x[1].facts[0], x[1].facts[1]};
  uint32_t count = 4;
  for (int op = GS_OP_ADD; op <= GS_OP_SLE; op++)
    roots[count++] = gs_mk_bin(t, (gs_op)op, x[0].sym, x[1].sym);
  gs_dag dag;
  gs_literals literals;
  gs_ranges ranges;
  CHECK(gs_dag_collect(t, roots, count, &dag));
  CHECK(gs_literals_collect(t, &dag, roots, 4, &literals, NULL));
  CHECK(gs_ranges_compute(t, &dag, &literals, NULL, &ranges));
  CHECK(!ranges.empty);
  for (uint64_t code = 0; code < VALUES * VALUES; code++) {
    uint64_t values[2] = {code % VALUES, code / VALUES};
    for (uint32_t at = 0; x[0].has[values[0]] && x[1].has[values[1]] && at < dag.count; at++)
      check_node(t, &dag, &ranges, at, values, code);
  }
  gs_dag_free(&dag);
  free(literals.items);
  free(ranges.node);
}

static void test_tiny_intervals(void) {
  for (uint32_t i = 0; i < 2 * VALUES * VALUES; i++)
    for (uint32_t k = 0; k < 2 * VALUES * VALUES; k++) {
      gs_terms *t = gs_terms_new();
      tiny x[2];
      if (make_tiny(t, i, &x[0]) && make_tiny(t, k, &x[1]))
        check_tiny(t, x);
      gs_terms_free(t);
    }
}

// ------------------------------------------------------------------ division ----

static gs_term wide_of(gs_terms *t, gs_term x, bool is_signed) {
  return gs_mk_cast(t, is_signed ? GS_OP_SEXT : GS_OP_ZEXT, x, 16);
}

/// |x| of 16 bits.
static gs_term magnitude(gs_terms *t, gs_term x) {
  gs_term zero = gs_mk_const(t, 0, 16);
  return gs_mk_ite(t, gs_mk_bin(t, GS_OP_SLT, x, zero), gs_mk_bin(t, GS_OP_SUB, zero, x), x);
}

/// No a and b of these ranges break a == q*b + r, |r| < |b|, r of a's sign. With
/// those three, q and r are the quotient and the remainder. A range whose low end
/// is above its high end is one of signed numbers.
static void check_division(uint8_t width, uint64_t alo, uint64_t ahi, uint64_t blo, uint64_t bhi,
                           bool is_signed) {
  gs_terms *t = gs_terms_new();
  bool across = alo > ahi;
  gs_sym pa = test_sym("a", width, across ? 0 : alo, across ? UINT64_MAX : ahi);
  gs_sym pb = test_sym("b", width, blo, bhi);
  gs_term a = gs_mk_sym(t, &pa), b = blo == bhi ? gs_mk_const(t, blo, width) : gs_mk_sym(t, &pb);
  gs_term q = gs_mk_bin(t, is_signed ? GS_OP_SDIV : GS_OP_UDIV, a, b);
  gs_term r = gs_mk_bin(t, is_signed ? GS_OP_SREM : GS_OP_UREM, a, b), zero = gs_mk_const(t, 0, 16);
  gs_term wa = wide_of(t, a, is_signed), wb = wide_of(t, b, is_signed);
  gs_term wq = wide_of(t, q, is_signed), wr = wide_of(t, r, is_signed);
  gs_term back = gs_mk_bin(t, GS_OP_ADD, gs_mk_bin(t, GS_OP_MUL, wq, wb), wr);
  gs_term fine = gs_mk_bin(t, GS_OP_EQ, wa, back);
  fine = gs_mk_and(t, fine, gs_mk_bin(t, GS_OP_ULT, magnitude(t, wr), magnitude(t, wb)));
  gs_term no_rest = gs_mk_bin(t, GS_OP_EQ, wr, zero);
  gs_term same_sign = gs_mk_bin(t, GS_OP_EQ, gs_mk_bin(t, GS_OP_SLT, wr, zero),
                                gs_mk_bin(t, GS_OP_SLT, wa, zero));
  fine = gs_mk_and(t, fine, gs_mk_or(t, no_rest, same_sign));
  // The second fact is true and makes the divisions certain: 0 and -2^k / -1 are out.
  gs_term hard[4] = {gs_mk_not(t, fine),
                     gs_mk_bin(t, GS_OP_ULE, gs_mk_bin(t, GS_OP_AND, q, r),
                               gs_mk_bin(t, GS_OP_OR, q, r)),
                     gs_mk_bin(t, GS_OP_SLE, gs_mk_const(t, alo, width), a),
                     gs_mk_bin(t, GS_OP_SLE, a, gs_mk_const(t, ahi, width))};
  gs_smt_query query = {.hard = hard, .hard_count = across ? 4 : 2, .assume_flags = true};
  gs_answer got = gs_smt_solve(t, &query, NULL, NULL);
  if (got != GS_ANSWER_NO)
    fprintf(stderr, "width %d, a %llu to %llu, b %llu to %llu, signed %d\n", width,
            (unsigned long long)alo, (unsigned long long)ahi, (unsigned long long)blo,
            (unsigned long long)bhi, is_signed);
  CHECK_U64(got, GS_ANSWER_NO);
  gs_terms_free(t);
}

static void test_division(void) {
  for (int is_signed = 0; is_signed < 2; is_signed++) {
    check_division(4, 0, 15, 0, 15, is_signed);
    check_division(6, 0, 63, 1, 9, is_signed);
    check_division(6, 40, 63, 50, 63, is_signed); // both negative when signed
    check_division(5, 0, 31, 29, 31, is_signed);
    check_division(8, 240, 255, 250, 255, is_signed); // -16 / -1 needs a bit more
    check_division(8, 240, 15, 255, 255, is_signed);
    check_division(8, 240, 15, 250, 255, is_signed);
    check_division(8, 250, 9, 2, 3, is_signed);
    for (uint64_t c = 1; c < 16; c++)
      check_division(4, 0, 15, c, c, is_signed);
    for (uint64_t hi = 5; hi < 16; hi += 2) // remainders that reach past the bound
      check_division(8, 1, hi, 5, 5, is_signed);
    check_division(8, 3, 100, 7, 7, is_signed);
  }
}

int main(int argc, char **argv) {
  static const uint8_t widths[] = {1, 8, 16, 32, 32, 64};
  static test_pool pool;
  uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : 200;
  for (uint64_t seed = first; seed < first + count; seed++) {
    gs_terms *t = gs_terms_new();
    uint64_t values[POOL_SYMS];
    pool_options options = {.widths = widths,
                            .width_count = 6,
                            .syms = 1 + (uint32_t)(seed % 5),
                            .nodes = 60,
                            .division = seed % 3 != 0,
                            .flags = seed % 2};
    pool_fill(&pool, t, seed, &options);
    narrow_symbols(&pool);
    for (int round = 0; round < 5; round++) {
      for (uint32_t i = 0; i < pool.sym_count; i++)
        values[i] = pick_in(&pool.rng, gs_sym_get(t, i));
      check_bounds(&pool, values, seed);
    }
    check_solver(&pool, values, seed);
    gs_terms_free(t);
  }
  test_tiny_intervals();
  test_division();
  printf("NO %u, YES %u, DONT_KNOW %u\n", answers[0], answers[1], answers[2]);
  CHECK(answers[0] > 4 * answers[2] && answers[1] > 4 * answers[2]);
  return test_result();
}
