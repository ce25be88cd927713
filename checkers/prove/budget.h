// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How much work a kernel may cost. All of it is counted, never timed, so that a
/// verdict does not depend on the machine.
#ifndef GS_BUDGET_H
#define GS_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

/// What is left for one kernel, and what one query may take of it.
typedef struct gs_budget {
  uint64_t affine;             ///< steps of the affine tier
  uint64_t affine_query;       ///< for one goal
  uint64_t affine_patient;     ///< for a second look at one goal; 0 = none
  uint64_t affine_last;        ///< steps once `affine` is gone: easy goals are still proved
  uint64_t enumeration;        ///< steps
  uint64_t enumeration_query;
  uint64_t search;             ///< steps
  uint32_t trials;             ///< of one search
  uint64_t solver;             ///< Z3 resource units
  uint64_t solver_query;
} gs_budget;

typedef enum gs_effort {
  GS_EFFORT_FULL,     ///< a claim: what is not proved is an error
  GS_EFFORT_MODERATE, ///< claims nothing, but its verdict goes into a report
  GS_EFFORT_TRIAL,    ///< many looks at one kernel: proofs that are found at once
  GS_EFFORT_THRIFTY   ///< claims nothing, and nobody reads its verdict: only what is
                      ///< certain is reported, and its build must not notice
} gs_effort;

/// \param crowd kernels that share a thrifty budget: those of the module
gs_budget gs_budget_new(gs_effort effort, uint32_t crowd);

/// What one rule may find: a reserve of what a kernel started with, however much the rules
/// before it have spent.
void gs_budget_reserve(gs_budget *left, const gs_budget *start);

/// Takes what a look cost that brought nothing. One that brought an answer costs an eighth:
/// kernels whose questions are answered may have many.
static inline void gs_budget_charge(uint64_t *left, uint64_t spent, bool answered) {
  spent = answered ? spent / 8 : spent;
  *left = spent < *left ? *left - spent : 0;
}

/// Takes what was spent, never below 0.
static inline void gs_budget_spend(uint64_t *left, uint64_t spent) {
  *left = spent < *left ? *left - spent : 0;
}

#endif
