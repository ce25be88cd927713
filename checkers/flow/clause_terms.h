// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Contract clauses and counts as terms.
#ifndef GS_CLAUSE_TERMS_H
#define GS_CLAUSE_TERMS_H

#include "program.h"

/// Values of a clause are 64-bit signed terms; the operations carry GS_NSW with
/// origin 0, because a clause that overflows is a violation (design, section 4).
/// \returns the clause as a truth value, or GS_NO_TERM when it says something the
/// prover has no term for (allocation extents). Of a fact about data that stands in it
/// remains that its count is not negative; gs_clause_data has the rest.
gs_term gs_clause_fact(gs_program *program, const gs_clause *clause, uint32_t sm);

/// A fact about the contents of an array: injective, monotone, strictly_monotone or
/// in_range over p[0..count).
typedef struct gs_data_fact {
  gs_expr_op op;
  uint32_t param, offset; ///< of the pointer
  uint32_t elem_size;     ///< bytes: 1, 2, 4 or 8
  bool is_signed;         ///< elements
  gs_term count, lo, hi;  ///< 64 bits, signed; lo and hi: in_range
  gs_term when;           ///< it holds if this does; may be none
} gs_data_fact;

/// The facts about data that a clause states, alone or under `&&`, `||` and `?:`.
/// \param lost set when the clause says more about data than the result does
/// \returns how many were stored in `out`, at most `capacity`.
uint32_t gs_clause_data(gs_program *program, const gs_clause *clause, uint32_t sm,
                        gs_data_fact *out, uint32_t capacity, bool *lost);

/// Does the clause state a fact about data, or about an allocation?
bool gs_clause_has_data(const gs_clause *clause);

/// A count (`rows * ld`) as a 64-bit signed term, or GS_NO_TERM.
gs_term gs_clause_value(gs_program *program, const gs_clause *clause, uint32_t sm);

/// cluster.{x,y,z}, 32 bits: 1 without clusters. Made when nothing has named it before.
gs_term gs_program_cluster(gs_program *program, uint32_t axis);

/// Does the clause speak of this (GS_NAME_DYNAMIC_SMEM)?
bool gs_clause_names(const gs_clause *clause, gs_name_kind kind);

/// Bits (as gs_program.axes_used) of the axes whose block or grid size the clause
/// mentions, except to say that it is 1.
uint32_t gs_clause_axes(const gs_clause *clause);

#endif
