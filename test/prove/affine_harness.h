// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Goals for the affine tier, and the exhaustive search that checks its answers.
#ifndef AFFINE_HARNESS_H
#define AFFINE_HARNESS_H

#include "affine.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MAX_SYMS = 32, MAX_FACTS = 48, MAX_PAIRS = 8, MAX_VALUES = 16 };

/// One goal with the values each symbol takes in the exhaustive search.
typedef struct world {
  gs_terms *terms;
  gs_term facts[MAX_FACTS];
  size_t fact_count;
  gs_term a, b;
  uint32_t size_a, size_b;
  uint32_t pairs[MAX_PAIRS][2];
  size_t pair_count;
  bool use_flags;
  const gs_used *used; ///< the search believes only these flags; NULL: all
  uint64_t try_value[MAX_SYMS][MAX_VALUES];
  uint32_t try_count[MAX_SYMS];
} world;

void world_init(world *w);
void world_free(world *w);

/// A symbol; tries `values` (NULL: lo, lo+1, … at most `count` of them).
gs_term world_sym(world *w, const char *name, uint32_t copy, uint8_t width, uint64_t lo,
                  uint64_t hi, const uint64_t *values, uint32_t count);
void world_fact(world *w, gs_term fact);
void world_distinct(world *w, gs_term x, gs_term y);

/// Asks the affine tier. `used` may be NULL.
gs_answer world_refute(world *w, gs_used *used, uint64_t *steps);

/// Looks for values that satisfy the goal. With use_flags an assignment counts
/// only if the flags of all executed operations (listed in `used`) hold; of a disjunction, some
/// true operand must have been executed.
/// \returns true and the values when there are some. *tried: assignments seen.
bool world_search(world *w, uint64_t *values, uint64_t limit, uint64_t *tried);

/// Prints the goal and, when not NULL, values of its symbols.
void world_print(const world *w, const uint64_t *values);

#endif
