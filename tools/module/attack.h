// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Attacks a verdict: runs a kernel with random launches inside of its contract and looks for
/// what the verdict says cannot be.
#ifndef GS_ATTACK_H
#define GS_ATTACK_H

#include "gs.h"
#include "replay.h"

typedef enum gs_attack_outcome {
  GS_ATTACK_HOLDS,  ///< no run showed anything
  GS_ATTACK_BREAKS, ///< a run did: a conflict, an access outside of its array, or threads at different barriers
  GS_ATTACK_UNRUN   ///< no launch was found that the contract allows
} gs_attack_outcome;

typedef struct gs_attack {
  const gs_code *code;
  const gs_kernel_desc *desc;
  const gs_kernel_result *result; ///< its assumptions bind the launches and excuse runs that
                                  ///< break them; NULL: a run that breaks any counts for nothing
  uint32_t flat;   ///< sizes that are to be 1: GS_DESC_ASSUME_… (gs_descriptor.h), besides those
                   ///< that the result assumes
  uint64_t seed;
  uint32_t runs;
  uint64_t budget; ///< instructions of one run
} gs_attack;

typedef struct gs_attack_report {
  gs_attack_outcome outcome;
  uint32_t runs; ///< made
  uint32_t unclear; ///< of them: ended early, or broke an assumption
  char text[1000]; ///< BREAKS: what was seen, and the launch
} gs_attack_report;

/// Deterministic: equal attacks have equal reports.
void gs_attack_run(const gs_attack *attack, gs_attack_report *out);

#endif
