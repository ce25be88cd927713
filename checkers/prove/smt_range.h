// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a conjunction says before any search: its literals, the operations it
/// certainly executes, and bounds on every node. Bounds let the solver's
/// encoding use as few bits as the values need.
#ifndef GS_SMT_RANGE_H
#define GS_SMT_RANGE_H

#include "smt_dag.h"

/// One member of a conjunction: `term` (width 1) has the value `holds`.
typedef struct gs_literal {
  gs_term term;
  bool holds;
} gs_literal;

typedef struct gs_literals {
  gs_literal *items;
  uint32_t count;
} gs_literals;

/// Splits terms that must all hold into literals: through AND, through a
/// negated OR and through NOT. The terms must be in the DAG.
/// \param certain NULL, or an array by place in the DAG: set to 1 for each node
///        that is evaluated whenever the conjunction holds. Nodes below an OR,
///        below an AND that need not hold (its right side may not have run) or
///        in an arm of an ITE are not certain.
/// \returns false when memory is short. Free out->items.
bool gs_literals_collect(const gs_terms *terms, const gs_dag *dag, const gs_term *hard,
                         size_t count, gs_literals *out, uint8_t *certain);

/// Bounds of a value, inclusive, read as unsigned and as signed: both hold.
/// Empty when lo > hi or slo > shi.
typedef struct gs_range {
  uint64_t lo, hi;
  int64_t slo, shi;
} gs_range;

gs_range gs_range_full(uint8_t width);
/// Intersection; each reading then sharpens the other.
gs_range gs_range_meet(gs_range a, gs_range b, uint8_t width);
static inline bool gs_range_empty(gs_range r) { return r.lo > r.hi || r.slo > r.shi; }

/// Bounds that follow from the ranges of symbols and from the literals.
typedef struct gs_ranges {
  gs_range *node; ///< by place in the DAG. A SYM's or LOAD's is a consequence of the
                  ///< literals, all others follow from those of their operands
  bool empty;     ///< a contradiction was found: the conjunction has no model
} gs_ranges;

/// Interval propagation, upwards through every operator and from comparisons
/// back to symbols, for a bounded number of rounds.
/// \param exact NULL, or by place: the caller adds the constraint that this
///        operation does not wrap as its flags say, divides by no zero and
///        shifts within its width. Bounds then use it.
/// \returns false when memory is short. Free out->node.
bool gs_ranges_compute(const gs_terms *terms, const gs_dag *dag, const gs_literals *literals,
                       const uint8_t *exact, gs_ranges *out);

/// How an ADD, SUB, MUL, SHL or TRUNC may wrap for all its operands' bounds say:
/// GS_NSW set when as signed, GS_NUW when as unsigned; 0 when not at all.
uint8_t gs_ranges_wraps(const gs_terms *terms, const gs_dag *dag, const gs_ranges *ranges,
                        gs_term t);

#endif
