// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Equations that overlapping byte ranges imply. Private to the solver.
#ifndef GS_SMT_OVERLAP_H
#define GS_SMT_OVERLAP_H

#include "smt_range.h"

/// Consequences of the literals: for each pair `x - y < s`, `y - x < t` (signed)
/// where x and y have an alignment of at least s and t, that x and y are equal
/// (or differ by the least number).
/// \param out receives up to `capacity` terms of width 1. \returns how many.
size_t gs_overlap_equations(gs_terms *terms, const gs_dag *dag, const gs_literals *literals,
                            gs_term *out, size_t capacity);

/// By place in the DAG: how many low bits of a node are always zero.
/// \returns an array that the caller frees, or NULL when memory is short.
uint8_t *gs_low_zeros(const gs_terms *terms, const gs_dag *dag);

#endif
