// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Private to phases.c, which walks, and relate.c, which joins what the walks found.
#ifndef GS_PHASES_PRIVATE_H
#define GS_PHASES_PRIVATE_H

#include "phases.h"

enum { MAX_TURN_DEPTH = 5 }; ///< deeper loops count as turned

/// How the innermost of several loops around a barrier was left since.
enum { INNER_STAYS, INNER_AT_ONCE, INNER_AFTER_ONE, INNER_LATER, INNER_COUNT };

typedef struct reach {
  uint32_t barrier; ///< GS_NONE = entry
  uint32_t depth;   ///< 0 = no back edge of a loop around the barrier
  bool many;
  uint32_t turned; ///< bit d: the loop at depth d has gone round since it was entered
  uint32_t left, inner; ///< see state
  bool clean, soft, hard; ///< paths without barriers, through soft ones, through hard ones
} reach;

typedef struct reach_list {
  reach *items;
  uint32_t count, capacity;
} reach_list;

struct gs_phases {
  const gs_program *program;
  gs_barrier_use *uses;     ///< by barrier
  uint32_t *barrier_block;  ///< by barrier
  uint32_t *access_block;   ///< by access
  reach_list *reached;      ///< by access
  gs_launch_term_fn launch_term;
  gs_refute_fn refute;
  void *user;
};

#endif
