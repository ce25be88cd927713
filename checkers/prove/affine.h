// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The affine tier: refutes conjunctions of terms with symbolic strides.
///
/// See affine.md beside this file for the method and why each step is sound.
#ifndef GS_AFFINE_H
#define GS_AFFINE_H

#include "smt.h"
#include "term.h"

/// Can all of this hold at once?
///   - every term of `facts` (width 1) is true;
///   - when a and b are given: the byte ranges [a, a+size_a) and [b, b+size_b)
///     overlap, where a and b are 64-bit offsets read as signed integers;
///   - when distinct_count > 0: at least one of the pairs of symbols differs.
/// Symbols of copy 0 are common to both threads; copies 1 and 2 belong to the
/// two threads. Symbol ranges (gs_sym lo, hi) are facts too.
typedef struct gs_goal {
  const gs_term *facts;
  size_t fact_count;
  gs_term a, b;
  uint32_t size_a, size_b;
  const uint32_t (*distinct)[2];
  size_t distinct_count;
} gs_goal;

/// What a refutation relied on: places (gs_node.origin) of operations whose
/// GS_NSW/GS_NUW flag was used because no range showed that they do not wrap.
/// Origin 0 is never listed: such a flag is already proved.
typedef struct gs_used {
  uint32_t *origins; ///< sorted, unique; owned by whoever initialised it, free with free()
  uint32_t count, capacity;
  bool undefined; ///< a divisor was taken not to be 0
} gs_used;

/// Adds one origin. \returns false when memory is short.
bool gs_used_add(gs_used *used, uint32_t origin);

typedef struct gs_affine_options {
  uint64_t budget;  ///< steps (deterministic); 0 = default
  bool use_flags;   ///< may rely on GS_NSW/GS_NUW flags
  bool dump;        ///< reserved for debugging: trace on *trace when not NULL
  void *trace;      ///< FILE *
  gs_model *witness; ///< NULL, or receives a model when one turned up
} gs_affine_options;

/// \returns GS_ANSWER_NO when the goal is proved impossible; GS_ANSWER_YES when
/// options->witness is given and was filled: memory is all zero in it, every fact,
/// the overlap and the difference have been evaluated with gs_term_eval, and no
/// operation with a flag wraps (free it with gs_model_free); else
/// GS_ANSWER_DONT_KNOW.
/// \param used  receives what the refutation relied on, also on DONT_KNOW (then
///              meaningless). May be NULL.
/// \param steps receives the work done, when not NULL.
gs_answer gs_affine_refute(gs_terms *terms, const gs_goal *goal,
                           const gs_affine_options *options, gs_used *used, uint64_t *steps);

#endif
