// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The search tier: looks for a model by trying values. Never proves anything.
#ifndef GS_SEARCH_H
#define GS_SEARCH_H

#include "affine.h"

/// A symbol and the value it is to have.
typedef struct gs_pin {
  uint32_t sym;
  uint64_t value;
} gs_pin;

enum { GS_SEARCH_PINS = 8 };

typedef struct gs_search_options {
  const gs_pin *pins; ///< the launch: at most GS_SEARCH_PINS
  uint32_t pin_count;
  uint32_t trials; ///< choices of values for all that is not pinned
  uint64_t steps;  ///< most work, as gs_enumerate counts it
  const gs_model *hint; ///< NULL, or a model of the goal in another launch: its
                        ///< parameters are tried first
} gs_search_options;

/// Each trial gives parameters, loop counters and unknown values small or
/// telling values (the constants of the goal and their neighbours), memory all
/// zero, and asks gs_enumerate_goal for two threads; a goal about one thread is
/// evaluated for some threads. Deterministic.
/// \returns GS_ANSWER_YES with a model in which every fact, the overlap and the
/// difference have been evaluated and no operation with a flag wraps (free with
/// gs_model_free), else GS_ANSWER_DONT_KNOW.
/// \param spent receives the steps done.
gs_answer gs_search_goal(gs_terms *terms, const gs_goal *goal, const gs_search_options *options,
                         gs_model *out, uint64_t *spent);

#endif
