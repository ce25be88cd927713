// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Terms as linear integer arithmetic. Private to the solver.
#ifndef GS_SMT_LINEAR_H
#define GS_SMT_LINEAR_H

#include "smt_core.h"
#include "smt_range.h"

/// The question, in what smt_solve.c has prepared of it.
typedef struct gs_linear_query {
  const gs_terms *terms;
  const gs_dag *dag;       ///< of all hard and soft terms
  const gs_ranges *ranges; ///< bounds that the hard terms imply
  const uint8_t *exact;    ///< by place: no wrapping and definedness are assumed; NULL = nowhere
  const gs_term *hard;
  size_t hard_count;
  const gs_term *soft; ///< kept one after another while there are models
  size_t soft_count;
  uint64_t budget; ///< resource units
} gs_linear_query;

/// Decides a relaxation of the conjunction: what the encoding cannot say in linear
/// arithmetic is left open within its bounds. NO is therefore a NO of the
/// conjunction itself; a model is one only if it stands up to evaluation, else the
/// answer is DONT_KNOW.
/// \param model filled on YES; free with gs_model_free.
/// \param units receives the resource units used.
gs_answer gs_linear_solve(const gs_linear_query *query, gs_model *model, uint64_t *units);

#endif
