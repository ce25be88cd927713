// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Random expressions built twice: as terms, and as a plain list of operations
/// that is evaluated by a reference of its own. For property tests.
#ifndef GS_RANDOM_TERMS_H
#define GS_RANDOM_TERMS_H

#include "term.h"

typedef struct test_rng {
  uint64_t state; ///< not 0
} test_rng;

uint64_t test_random(test_rng *rng);
/// A number below `bound`.
uint32_t test_below(test_rng *rng, uint32_t bound);

/// One operation as it was asked for, before any simplification.
typedef struct plain_node {
  gs_op op;
  uint8_t width;
  uint8_t flags;
  uint32_t arg[3]; ///< earlier entries of the pool
  uint64_t value;  ///< CONST: the value; SYM: the symbol
  gs_term term;    ///< what the constructor returned
} plain_node;

typedef struct plain_value {
  uint64_t value;
  bool defined;
} plain_value;

enum { POOL_MAX = 128, POOL_SYMS = 8 };

typedef struct test_pool {
  gs_terms *terms;
  test_rng rng;
  plain_node nodes[POOL_MAX];
  uint32_t count;
  uint8_t sym_width[POOL_SYMS];
  uint32_t sym_count;
} test_pool;

typedef struct pool_options {
  const uint8_t *widths; ///< widths to choose from; must include 1
  uint32_t width_count;
  uint32_t syms;  ///< symbols to make, at most POOL_SYMS
  const gs_term *leaves; ///< symbols to use besides
  uint32_t leaf_count;
  uint32_t nodes; ///< operations to add, up to POOL_MAX - 32
  bool division;  ///< UDIV .. SREM and shifts by any amount
  bool loads;     ///< LOAD, when 64 is among the widths
  bool flags;     ///< random GS_NSW, GS_NUW
} pool_options;

/// Fills a pool with symbols, constants and random operations on them.
void pool_fill(test_pool *pool, gs_terms *terms, uint64_t seed, const pool_options *options);
/// A random entry of that width; the pool has one for each of its widths.
uint32_t pool_pick(test_pool *pool, uint8_t width);
/// Evaluates every entry. `out` has room for pool->count values.
void pool_eval(const test_pool *pool, const uint64_t *values, gs_load_fn load, plain_value *out);
/// The meaning of one operator in the LLVM reference manual.
plain_value plain_operation(gs_op op, uint8_t width, uint8_t result, plain_value a, plain_value b);
/// A symbol proto of the given width and range.
gs_sym test_sym(const char *name, uint8_t width, uint64_t lo, uint64_t hi);

#endif
