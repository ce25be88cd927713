// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The nodes that a set of terms is made of, as a compact array in which
/// operands come before their users. What the provers walk.
#ifndef GS_SMT_DAG_H
#define GS_SMT_DAG_H

#include "term.h"

typedef struct gs_dag {
  gs_term *terms; ///< every reachable term once, operands first
  uint32_t count;
  uint32_t *slot;      ///< by term: its place in `terms` + 1; 0 = not in the DAG
  uint32_t slot_count; ///< entries of `slot`
} gs_dag;

/// Collects what is reachable from `roots`. No recursion: depth is not limited.
/// \returns false when memory is short or a root is GS_NO_TERM; *dag is then
/// empty. Free with gs_dag_free in either case.
bool gs_dag_collect(const gs_terms *terms, const gs_term *roots, size_t root_count, gs_dag *dag);
void gs_dag_free(gs_dag *dag);

/// Place of a term that is known to be in the DAG.
static inline uint32_t gs_dag_at(const gs_dag *dag, gs_term t) { return dag->slot[t] - 1; }

/// Number of term operands of an operator.
uint32_t gs_op_arity(gs_op op);

#endif
