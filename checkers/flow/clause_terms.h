// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Contract clauses and counts as terms.
#ifndef GS_CLAUSE_TERMS_H
#define GS_CLAUSE_TERMS_H

#include "program.h"

/// Values of a clause are 64-bit signed terms; the operations carry GS_NSW with
/// origin 0, because a clause that overflows is a violation (design, section 4).
/// \returns the clause as a truth value, or GS_NO_TERM when it says something the
/// prover has no term for (data facts, alignment, allocation extents).
gs_term gs_clause_fact(gs_program *program, const gs_clause *clause, uint32_t sm);

/// A count (`rows * ld`) as a 64-bit signed term, or GS_NO_TERM.
gs_term gs_clause_value(gs_program *program, const gs_clause *clause, uint32_t sm);

/// Bits (as gs_program.axes_used) of the axes whose block or grid size the clause
/// mentions, except to say that it is 1.
uint32_t gs_clause_axes(const gs_clause *clause);

#endif
