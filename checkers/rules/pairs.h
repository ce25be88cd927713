// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Walking the pairs of accesses of a kernel. Shared by the rules about pairs.
#ifndef GS_PAIRS_H
#define GS_PAIRS_H

#include "rule.h"

/// Which pairs: those with an atomic operation among them are a rule of their own.
typedef enum gs_mix { GS_MIX_ALL, GS_MIX_PLAIN, GS_MIX_ATOMIC } gs_mix;
/// Pairs of threads that a query is narrowed to, beside "in one block" and "in two".
typedef enum gs_pair_group {
  GS_GROUP_ANY,
  GS_GROUP_SAME_WARP,    ///< inside of a block: linear thread numbers / 32 agree
  GS_GROUP_OTHER_WARP,   ///< inside of a block: they do not
  GS_GROUP_SAME_CLUSTER, ///< of different blocks of one cluster
  GS_GROUP_OTHER_CLUSTER ///< of blocks of different clusters
} gs_pair_group;

/// One kind of conflict to look for.
typedef struct gs_pair_query {
  gs_rule rule;
  const char *what;      ///< "absence of data races on"
  const char *headline;  ///< "data race on"
  int32_t param;         ///< only this parameter's object; -1 = all
  gs_loc claim;          ///< of the attribute; unknown for none
  bool atomics_count;    ///< atomics conflict with each other
  bool barriers_order;   ///< what is ordered does not conflict: by barriers in one block, by locks, by
                         ///< tickets of blocks. Who owns an element is no matter of order
  bool inside_block;     ///< look at pairs of one block
  bool across_blocks;    ///< look at pairs of different blocks
  gs_mix mix;
  gs_pair_group group;
  const char *advice;    ///< the last note, where a barrier does not help; NULL = from the shape
} gs_pair_query;

/// Conflicts of one object and one offending write are one finding.
typedef struct gs_cause {
  uint32_t object;
  uint32_t place; ///< of the write
} gs_cause;

/// Checks every pair for each of the queries, and reports what is found; one finding for
/// each root cause, that of the first query which finds it.
void gs_check_pairs(gs_kernel *kernel, const gs_pair_query *queries, uint32_t count);

/// Is every conflict of a cause refuted? Nothing is reported. Writes of the same value
/// do not count unless the options say so.
/// \param first, second a pair of accesses to begin with
bool gs_pairs_refuted(gs_kernel *kernel, const gs_pair_query *query, gs_cause cause, uint32_t first,
                      uint32_t second);

/// What holds of the two threads of the scene's latest case when they are such a pair;
/// GS_NO_TERM when nothing more is known.
gs_term gs_pair_group_fact(gs_kernel *kernel, gs_pair_group group);

/// The rule that a conflict comes under: one with a copy in flight under that about copies.
gs_rule gs_pair_rule(const gs_kernel *kernel, const gs_pair_query *query, const uint32_t access[2]);

/// What holds of the two threads of the scene's latest case when they conflict. What the last
/// block of a grid does may be ordered behind all others (last_block.h). What one
/// instruction of a warp does is no conflict, nor what two do to a matrix that they spread over
/// the lanes alike: one lane touches both times what it touches.
/// \param ordered accesses that are ordered do not conflict
gs_term gs_pair_threads_fact(gs_kernel *kernel, const gs_meeting *meeting, uint32_t a, uint32_t b, bool ordered);

/// Rows that a thread points to are touched by other lanes of its warp, so that it may conflict
/// with itself. Makes the meeting one with itself.
bool gs_pair_meets_itself(const gs_kernel *kernel, gs_meeting *meeting, uint32_t a, uint32_t b);

/// Writes what a conflict is into f->message; the finding has its verdict and witness.
void gs_pair_message(gs_kernel *kernel, const gs_pair_query *query, const gs_violation *violation,
                     const gs_object *object, gs_finding *f);

/// How to fix a conflict, from its shape.
const char *gs_advice(gs_kernel *kernel, const gs_violation *violation, const gs_object *object);

#endif
