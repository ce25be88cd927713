// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The solver interface: satisfiability of terms at their real widths. How it
/// works is in solver.md; smt_z3.c is the only file of gpusafe that includes z3.h.
#ifndef GS_SMT_H
#define GS_SMT_H

#include "term.h"

typedef enum gs_answer { GS_ANSWER_NO, GS_ANSWER_YES, GS_ANSWER_DONT_KNOW } gs_answer;

/// Contents of memory that the model chose for one LOAD.
typedef struct gs_model_load {
  uint64_t address;
  uint64_t value;
  uint8_t width;
} gs_model_load;

/// A satisfying assignment. Free with gs_model_free.
typedef struct gs_model {
  uint64_t *values; ///< by symbol index; symbols the query lacks have 0
  uint32_t count;
  gs_model_load *loads; ///< in no particular but deterministic order
  uint32_t load_count;
} gs_model;

void gs_model_free(gs_model *model);
/// A gs_load_fn over a model (`user` is the gs_model): the chosen contents, else 0.
uint64_t gs_model_load_value(void *model, uint64_t address, uint8_t width);

/// Resource units of a query that names no budget: some seconds at most.
#define GS_SMT_DEFAULT_BUDGET UINT64_C(4000000)

typedef struct gs_smt_query {
  const gs_term *hard; ///< width-1 terms that must all hold
  size_t hard_count;
  const gs_term *soft; ///< tried one after another, kept while satisfiable:
  size_t soft_count;   ///< they only make a model friendlier
  uint64_t budget;     ///< solver resource units for the whole query; 0 = default
  uint64_t linear_budget; ///< of them, those for linear integers, which are tried
                          ///< first; 0 = bit-vectors only
  bool assume_flags;   ///< add "does not wrap" for every GS_NSW/GS_NUW operation
                       ///< that is certainly executed: reachable from the
                       ///< conjunction without passing below an OR (unless it
                       ///< is false), an AND that need not be true, or an arm of
                       ///< an ITE. Likewise "divides by no zero" and "shifts
                       ///< within its width"
  /// NULL, or called for each operation of which assume_flags assumes something
  /// that the bounds of its operands do not prove: flags of the node, or for a
  /// division or shift that it has a value. In the order of the terms.
  void (*assumed)(void *user, gs_term t);
  void *user; ///< for `assumed`
  bool *by_linear; ///< NULL, or told whether linear integers decided
} gs_smt_query;

/// Decides the conjunction in linear integer arithmetic where that is enough, else
/// in bit-vector arithmetic. Symbol ranges are hard
/// constraints. LOADs read one little-endian memory of any contents.
/// NO holds for whatever value an undefined operation (division by zero, shift
/// too far) gives, unless assume_flags excludes it.
/// \param model filled on YES when not NULL. Every YES has been re-evaluated
///              with gs_term_eval: an assignment that fails it is DONT_KNOW.
/// \param units receives the resource units used, when not NULL.
/// Deterministic: the same terms and budget give the same answer and model.
gs_answer gs_smt_solve(gs_terms *terms, const gs_smt_query *query, gs_model *model,
                       uint64_t *units);

#endif
