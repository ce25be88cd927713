// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Where threads part: one comes to a block of the program and another, which came the same
/// way, does not. Shared by the rules about what threads have to do together.
#ifndef GS_PARTING_H
#define GS_PARTING_H

#include "dominators.h"
#include "rule.h"

/// Where two threads that came the same way can part.
typedef enum gs_part_kind {
  GS_PART_ENTRY, ///< one enters a loop around the block
  GS_PART_AGAIN, ///< one goes round such a loop once more
  GS_PART_GUARD, ///< one comes to the block
  GS_PART_SKIP   ///< one takes an edge past it, and does not return there
} gs_part_kind;

typedef struct gs_part {
  gs_part_kind kind;
  uint32_t loop;  ///< ENTRY, AGAIN: that loop; else the innermost around `block`
  uint32_t block; ///< where the condition leads to; SKIP: the branch
  gs_term missed; ///< holds of the thread that does not come
  bool loose;     ///< ... and perhaps of others
} gs_part;

/// Why a model of a loose part is no certain one.
#define GS_LOOSE_REASON "which way threads take at a switch"

enum { GS_MAX_HOLDS = 72 };

/// Two threads that part, if the case can happen. Must not be moved.
typedef struct gs_pair {
  gs_part part;
  uint32_t branch; ///< block where they part, GS_NONE = not known
  gs_term holds[2][GS_MAX_HOLDS];
  gs_spot spots[2];
  gs_meeting meeting;
  gs_case c;
} gs_pair;

/// How a question ended, the worst last.
typedef enum gs_outcome {
  GS_OUTCOME_NO,        ///< no two threads part
  GS_OUTCOME_UNDECIDED, ///< spent, or not known
  GS_OUTCOME_DOUBTFUL,  ///< they do, but for something abstracted
  GS_OUTCOME_CERTAIN
} gs_outcome;

/// Looks at one case; the scene's latest case is the pair's.
typedef gs_outcome (*gs_judge_fn)(void *user, gs_pair *pair);

typedef struct gs_parting {
  gs_kernel *k;
  const gs_dominators *dominators;
  uint32_t block; ///< that all should come to
  bool exited;    ///< threads that returned before count as missing
  uint8_t same;   ///< only threads of one team of 2^same of a warp; 0 = of the block
  gs_judge_fn judge;
  void *user;
} gs_parting;

/// Judges every condition around the block on which threads of a block may disagree, until
/// one is certain. \returns the worst outcome.
gs_outcome gs_parting_conditions(const gs_parting *p);

/// Judges edges that lead past the block, wherever they leave the ways to it:
/// `if (c) { ... }` at the end of a kernel is no return.
gs_outcome gs_parting_skips(const gs_parting *p);

/// The line at which the threads part; 0 = not known.
uint32_t gs_part_line(const gs_program *program, const gs_pair *pair);

/// Do the threads part because one has left a loop?
bool gs_part_leaves_loop(const gs_program *program, const gs_pair *pair);

#endif
