// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How fast the solver and the enumeration answer the questions that kernels
/// raise: one line for each shape with its answer, the work counted (the same on
/// every machine) and queries per second of processor time (of this one).
///
///   solver_bench [milliseconds per shape, default 300] [name of a shape]
#define _POSIX_C_SOURCE 199309L
#include "enumerate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_FACTS = 32 };

/// A query under construction; thread 0 and 1 are its two threads.
typedef struct query {
  gs_terms *terms;
  gs_term hard[MAX_FACTS], soft[MAX_FACTS];
  size_t hard_count, soft_count;
  bool assume_flags;
} query;

static gs_term symbol(query *q, const char *name, uint8_t width, uint64_t lo, uint64_t hi) {
  gs_sym proto = {.kind = GS_SYM_OPAQUE, .width = width, .exact = true, .lo = lo, .hi = hi};
  proto.name = name;
  return gs_mk_sym(q->terms, &proto);
}

static gs_term number(query *q, uint64_t value) { return gs_mk_const(q->terms, value, 32); }
static gs_term bin(query *q, gs_op op, gs_term a, gs_term b) {
  return gs_mk_bin(q->terms, op, a, b);
}
static gs_term add(query *q, gs_term a, gs_term b) { return bin(q, GS_OP_ADD, a, b); }
static gs_term mul(query *q, gs_term a, gs_term b) { return bin(q, GS_OP_MUL, a, b); }
static gs_term scaled(query *q, gs_term a, uint64_t factor) { return mul(q, a, number(q, factor)); }
static gs_term binc(query *q, gs_op op, gs_term a, uint64_t c) {
  return bin(q, op, a, number(q, c));
}

static void require(query *q, gs_term fact) { q->hard[q->hard_count++] = fact; }
static void prefer(query *q, gs_term fact) { q->soft[q->soft_count++] = fact; }
static void require_differ(query *q, gs_term a, gs_term b) {
  require(q, gs_mk_not(q->terms, bin(q, GS_OP_EQ, a, b)));
}

/// Byte offset of element `index` of an array of 4-byte elements.
static gs_term offset(query *q, gs_term index) {
  gs_term wide = gs_mk_cast(q->terms, GS_OP_SEXT, index, 64);
  return gs_mk_bin(q->terms, GS_OP_MUL, wide, gs_mk_const(q->terms, 4, 64));
}

/// Two 4-byte accesses overlap, said as the prover says it.
static void require_overlap(query *q, gs_term index_a, gs_term index_b) {
  gs_term a = offset(q, index_a), b = offset(q, index_b), four = gs_mk_const(q->terms, 4, 64);
  gs_term forth = gs_mk_bin(q->terms, GS_OP_SUB, a, b);
  gs_term back = gs_mk_bin(q->terms, GS_OP_SUB, b, a);
  require(q, gs_mk_bin(q->terms, GS_OP_SLT, forth, four));
  require(q, gs_mk_bin(q->terms, GS_OP_SLT, back, four));
}

typedef gs_term (*index_fn)(query *, gs_term thread);

/// Do two threads of one block of 1024 meet under an index function?
static void one_block(query *q, index_fn index) {
  gs_term t[2] = {symbol(q, "t1", 32, 0, 1023), symbol(q, "t2", 32, 0, 1023)};
  require_differ(q, t[0], t[1]);
  require_overlap(q, index(q, t[0]), index(q, t[1]));
}

static gs_term xor_swizzle(query *q, gs_term t) {
  return bin(q, GS_OP_XOR, t, binc(q, GS_OP_LSHR, t, 3));
}
static gs_term padded(query *q, gs_term t) {
  return add(q, scaled(q, binc(q, GS_OP_UDIV, t, 32), 33), binc(q, GS_OP_UREM, t, 32));
}
static gs_term padded_odd(query *q, gs_term t) {
  return add(q, scaled(q, binc(q, GS_OP_UDIV, t, 33), 40), binc(q, GS_OP_UREM, t, 33));
}
static gs_term padded_signed(query *q, gs_term t) {
  return add(q, scaled(q, binc(q, GS_OP_SDIV, t, 12), 13), binc(q, GS_OP_SREM, t, 12));
}
static gs_term folded(query *q, gs_term t) { return binc(q, GS_OP_UREM, scaled(q, t, 7), 1021); }
static gs_term tile_swizzle(query *q, gs_term t) {
  gs_term row = binc(q, GS_OP_LSHR, t, 5), column = binc(q, GS_OP_AND, t, 31);
  gs_term moved = bin(q, GS_OP_XOR, column, binc(q, GS_OP_AND, row, 7));
  return add(q, scaled(q, row, 32), moved);
}
static gs_term reversed(query *q, gs_term t) {
  return binc(q, GS_OP_LSHR, gs_mk_un(q->terms, GS_OP_BITREVERSE, t), 22);
}

static void shape_xor_swizzle(query *q) { one_block(q, xor_swizzle); }
static void shape_padded(query *q) { one_block(q, padded); }
static void shape_padded_odd(query *q) { one_block(q, padded_odd); }
static void shape_padded_signed(query *q) { one_block(q, padded_signed); }
static void shape_folded(query *q) { one_block(q, folded); }
static void shape_tile_swizzle(query *q) { one_block(q, tile_swizzle); }
static void shape_bit_reversal(query *q) { one_block(q, reversed); }

/// ctaid*256 + tid with a guard i < n; the neighbour is read: a race.
static void shape_neighbour(query *q) {
  gs_term n = symbol(q, "n", 32, 0, UINT32_MAX), i[2];
  for (int k = 0; k < 2; k++) {
    gs_term t = symbol(q, "t", 32, 0, 255), b = symbol(q, "b", 32, 0, 0x7ffffe);
    i[k] = add(q, scaled(q, b, 256), t);
    require(q, bin(q, GS_OP_SLT, k ? add(q, i[k], number(q, 1)) : i[k], n));
    prefer(q, bin(q, GS_OP_EQ, b, number(q, 0)));
    prefer(q, bin(q, GS_OP_ULT, t, number(q, 2)));
  }
  require_differ(q, i[0], i[1]);
  require_overlap(q, i[0], add(q, i[1], number(q, 1)));
  prefer(q, bin(q, GS_OP_SLE, n, number(q, 16)));
}

/// The same without the neighbour: no race.
static void shape_vector_add(query *q) {
  gs_term n = symbol(q, "n", 32, 0, UINT32_MAX), i[2];
  for (int k = 0; k < 2; k++) {
    gs_term t = symbol(q, "t", 32, 0, 255), b = symbol(q, "b", 32, 0, 0x7ffffe);
    i[k] = add(q, scaled(q, b, 256), t);
    require(q, bin(q, GS_OP_SLT, i[k], n));
  }
  require_differ(q, i[0], i[1]);
  require_overlap(q, i[0], i[1]);
}

/// t + 256*k, k untied, in a loop of at most 64 trips.
static void shape_block_stride(query *q) {
  gs_term i[2], t[2];
  for (int k = 0; k < 2; k++) {
    t[k] = symbol(q, "t", 32, 0, 255);
    i[k] = add(q, t[k], scaled(q, symbol(q, "k", 32, 0, 63), 256));
  }
  require_differ(q, t[0], t[1]);
  require_overlap(q, i[0], i[1]);
}

/// y*w + x, x < w, for a symbolic w of `bits` bits.
static void row_major(query *q, unsigned bits) {
  uint64_t top = (UINT64_C(1) << bits) - 1;
  gs_term w = symbol(q, "w", 32, 1, top), x[2], y[2], i[2];
  for (int k = 0; k < 2; k++) {
    x[k] = symbol(q, "x", 32, 0, top);
    y[k] = symbol(q, "y", 32, 0, top);
    require(q, bin(q, GS_OP_SLT, x[k], w));
    i[k] = add(q, mul(q, y[k], w), x[k]);
  }
  gs_term same = gs_mk_and(q->terms, bin(q, GS_OP_EQ, x[0], x[1]), bin(q, GS_OP_EQ, y[0], y[1]));
  require(q, gs_mk_not(q->terms, same));
  require_overlap(q, i[0], i[1]);
}
static void shape_row_major_4(query *q) { row_major(q, 4); }
static void shape_row_major_6(query *q) { row_major(q, 6); }
static void shape_row_major_10(query *q) { row_major(q, 10); }

/// Product of two symbols of ten bits hits a given element.
static void shape_product(query *q) {
  gs_term a = symbol(q, "a", 32, 2, 1023), b = symbol(q, "b", 32, 2, 1023);
  require(q, bin(q, GS_OP_EQ, mul(q, a, b), number(q, 1009 * 1013)));
  require(q, bin(q, GS_OP_ULT, a, b));
}

/// i+1 and i with nsw: equal only if it wraps.
static void shape_flags(query *q) {
  gs_term i = symbol(q, "i", 32, 0, UINT32_MAX), j = symbol(q, "j", 32, 0, UINT32_MAX);
  gs_term next = gs_mk_bin_flags(q->terms, GS_OP_ADD, i, number(q, 1), GS_NSW, 1);
  gs_term twice = gs_mk_bin_flags(q->terms, GS_OP_MUL, j, number(q, 3), GS_NSW, 2);
  require(q, bin(q, GS_OP_SLT, next, i));
  require_overlap(q, twice, next);
  q->assume_flags = true;
}

/// Scatter through an index array: may two threads meet?
static void shape_scatter(query *q) {
  gs_term base = symbol(q, "base", 64, 0, UINT64_MAX), n = symbol(q, "n", 32, 1, 1 << 20), t[2],
          value[2];
  for (int k = 0; k < 2; k++) {
    t[k] = symbol(q, "t", 32, 0, (1 << 20) - 1);
    gs_term at = gs_mk_bin(q->terms, GS_OP_ADD, base, offset(q, t[k]));
    value[k] = gs_mk_load(q->terms, at, 32, 0);
    require(q, bin(q, GS_OP_SLT, t[k], n));
    require(q, bin(q, GS_OP_ULT, value[k], n));
  }
  require_differ(q, t[0], t[1]);
  require_overlap(q, value[0], value[1]);
  prefer(q, bin(q, GS_OP_EQ, t[0], number(q, 0)));
  prefer(q, bin(q, GS_OP_ULE, n, number(q, 2)));
}

/// Out of bounds: (by*16+ty)*w + bx*16+tx under x < w, y < h against w*h.
static void shape_bounds(query *q) {
  gs_term w = symbol(q, "w", 32, 1, 4096), h = symbol(q, "h", 32, 1, 4096);
  gs_term x = add(q, scaled(q, symbol(q, "bx", 32, 0, 255), 16), symbol(q, "tx", 32, 0, 15));
  gs_term y = add(q, scaled(q, symbol(q, "by", 32, 0, 255), 16), symbol(q, "ty", 32, 0, 15));
  require(q, bin(q, GS_OP_SLT, x, w));
  require(q, bin(q, GS_OP_SLE, y, h)); // off by one: a violation
  require(q, bin(q, GS_OP_SLE, mul(q, w, h), add(q, mul(q, y, w), x)));
  prefer(q, bin(q, GS_OP_ULE, w, number(q, 16)));
  prefer(q, bin(q, GS_OP_ULE, h, number(q, 16)));
  prefer(q, bin(q, GS_OP_EQ, x, number(q, 0)));
}

typedef struct shape {
  const char *name;
  void (*build)(query *);
  gs_answer wanted;
} shape;

static const shape shapes[] = {
    {"vector-add", shape_vector_add, GS_ANSWER_NO},
    {"neighbour", shape_neighbour, GS_ANSWER_YES},
    {"block-stride", shape_block_stride, GS_ANSWER_NO},
    {"xor-swizzle", shape_xor_swizzle, GS_ANSWER_NO},
    {"tile-swizzle", shape_tile_swizzle, GS_ANSWER_NO},
    {"bit-reversal", shape_bit_reversal, GS_ANSWER_NO},
    {"padded-32", shape_padded, GS_ANSWER_NO},
    {"padded-33", shape_padded_odd, GS_ANSWER_NO},
    {"padded-signed", shape_padded_signed, GS_ANSWER_NO},
    {"remainder", shape_folded, GS_ANSWER_YES},
    {"row-major-4", shape_row_major_4, GS_ANSWER_NO},
    {"row-major-6", shape_row_major_6, GS_ANSWER_NO},
    {"row-major-10", shape_row_major_10, GS_ANSWER_NO},
    {"product", shape_product, GS_ANSWER_YES},
    {"flags", shape_flags, GS_ANSWER_NO},
    {"scatter", shape_scatter, GS_ANSWER_YES},
    {"bounds", shape_bounds, GS_ANSWER_YES},
};

/// Processor time: other work on the machine does not count.
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static gs_answer ask(const shape *s, uint64_t *units, double *seconds) {
  query q = {.terms = gs_terms_new()};
  s->build(&q);
  gs_smt_query smt = {.hard = q.hard,
                      .hard_count = q.hard_count,
                      .soft = q.soft,
                      .soft_count = q.soft_count,
                      .assume_flags = q.assume_flags};
  gs_model model = {0};
  double start = now();
  gs_answer answer = gs_smt_solve(q.terms, &smt, &model, units);
  *seconds += now() - start;
  gs_model_free(&model);
  gs_terms_free(q.terms);
  return answer;
}

/// Shapes of one block that enumeration can decide.
typedef struct block_shape {
  const char *name;
  index_fn index;
} block_shape;

static const block_shape block_shapes[] = {
    {"xor-swizzle", xor_swizzle}, {"tile-swizzle", tile_swizzle}, {"bit-reversal", reversed},
    {"padded-32", padded},        {"padded-33", padded_odd},      {"padded-signed", padded_signed},
    {"remainder", folded},
};

static gs_answer enumerate(const block_shape *s, uint64_t *steps, double *seconds) {
  query q = {.terms = gs_terms_new()};
  gs_term t = symbol(&q, "t", 32, 0, 1023);
  uint32_t sym = (uint32_t)gs_term_node(q.terms, t)->value;
  gs_enum_sym thread = {.sym = {sym, sym}, .hi = 1023, .is_identity = true};
  gs_enum_query e = {.syms = &thread, .sym_count = 1};
  e.access[0] = (gs_enum_access){.offset = offset(&q, s->index(&q, t)), .size = 4};
  e.access[1] = e.access[0];
  double start = now();
  gs_answer answer = gs_enumerate(q.terms, &e, NULL, steps);
  *seconds += now() - start;
  gs_terms_free(q.terms);
  return answer;
}

static const char *answer_name(gs_answer answer) {
  return answer == GS_ANSWER_NO ? "no" : answer == GS_ANSWER_YES ? "yes" : "don't know";
}

static void print_line(const char *name, gs_answer answer, uint64_t work, uint64_t count,
                       double seconds, bool known) {
  printf("%-14s %-11s %12llu %12.1f%s\n", name, answer_name(answer), (unsigned long long)work,
         (double)count / seconds, known ? "" : "   (the answer is not known)");
  fflush(stdout);
}

/// \returns whether an answer was wrong.
static bool bench_solver(double limit, const char *only) {
  bool wrong = false;
  printf("%-14s %-11s %12s %12s\n", "solver", "answer", "units", "queries/s");
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    uint64_t units = 0, count = 0;
    double seconds = 0;
    gs_answer answer = GS_ANSWER_DONT_KNOW;
    if (only && strcmp(only, shapes[i].name) != 0)
      continue;
    do {
      answer = ask(&shapes[i], &units, &seconds);
      count++;
    } while (seconds < limit);
    print_line(shapes[i].name, answer, units, count, seconds, answer == shapes[i].wanted);
    wrong |= answer != shapes[i].wanted && answer != GS_ANSWER_DONT_KNOW;
  }
  return wrong;
}

static void bench_enumeration(double limit, const char *only) {
  double work = 0, total = 0;
  printf("\n%-14s %-11s %12s %12s\n", "enumeration", "answer", "steps", "queries/s");
  for (size_t i = 0; i < sizeof block_shapes / sizeof *block_shapes; i++) {
    uint64_t steps = 0, count = 0;
    double seconds = 0;
    gs_answer answer = GS_ANSWER_DONT_KNOW;
    if (only && strcmp(only, block_shapes[i].name) != 0)
      continue;
    do {
      answer = enumerate(&block_shapes[i], &steps, &seconds);
      count++;
    } while (seconds < limit);
    print_line(block_shapes[i].name, answer, steps, count, seconds, true);
    work += (double)steps * (double)count;
    total += seconds;
  }
  if (total > 0)
    printf("%.0f million steps per second\n", work / total / 1e6);
}

int main(int argc, char **argv) {
  double limit = (argc > 1 ? strtod(argv[1], NULL) : 300) / 1000;
  const char *only = argc > 2 ? argv[2] : NULL;
  bool wrong = bench_solver(limit, only);
  bench_enumeration(limit, only);
  return wrong;
}
