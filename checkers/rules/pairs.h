// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Walking the pairs of accesses of a kernel. Shared by the rules about pairs.
#ifndef GS_PAIRS_H
#define GS_PAIRS_H

#include "rule.h"

/// Which pairs: those with an atomic operation among them are a rule of their own.
typedef enum gs_mix { GS_MIX_ALL, GS_MIX_PLAIN, GS_MIX_ATOMIC } gs_mix;

/// One kind of conflict to look for.
typedef struct gs_pair_query {
  gs_rule rule;
  const char *what;      ///< "absence of data races on"
  const char *headline;  ///< "data race on"
  int32_t param;         ///< only this parameter's object; -1 = all
  gs_loc claim;          ///< of the attribute; unknown for none
  bool atomics_count;    ///< atomics conflict with each other
  bool barriers_order;   ///< same-block pairs separated by barriers do not conflict
  bool inside_block;     ///< look at pairs of one block
  bool across_blocks;    ///< look at pairs of different blocks
  gs_mix mix;
} gs_pair_query;

/// Conflicts of one object and one offending write are one finding.
typedef struct gs_cause {
  uint32_t object;
  uint32_t place; ///< of the write
} gs_cause;

/// A claim that each thread has its own elements is stronger than the absence of
/// races: where it is checked, a race would be the same finding twice.
bool gs_claimed_disjoint(const gs_kernel *kernel, const gs_object *object);

/// Checks every pair and reports what is found; one finding for each root cause.
void gs_check_pairs(gs_kernel *kernel, const gs_pair_query *query);

/// Is every conflict of a cause refuted? Nothing is reported. Writes of the same value
/// do not count unless the options say so.
/// \param first, second a pair of accesses to begin with
bool gs_pairs_refuted(gs_kernel *kernel, const gs_pair_query *query, gs_cause cause, uint32_t first,
                      uint32_t second);

/// How to fix a conflict, from its shape.
const char *gs_advice(gs_kernel *kernel, const gs_violation *violation, const gs_object *object);

#endif
