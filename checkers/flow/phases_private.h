// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Private to phases.c, which walks, and relate.c, which joins what the walks found.
#ifndef GS_PHASES_PRIVATE_H
#define GS_PHASES_PRIVATE_H

#include "phases.h"

enum { MAX_TURN_DEPTH = 5 }; ///< deeper loops count as turned

/// Two blocks of one loop; of more blocks nothing is asked.
enum { COMPATIBLE = 1, EXCLUSIVE, MAX_EXCLUSIVE = 600 };

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

/// Which pairs: those of gs_encounter.
typedef struct kinship {
  bool across;
  uint8_t same, apart, group;
} kinship;

/// Threads of a block that one of its barriers waits for, where these are not all.
typedef struct group {
  gs_term member;    ///< is a thread one of them?
  gs_thread_set set;
} group;

/// Pairs of one kind: what the barriers do for them, and what a walk from each instance
/// of those that order has met.
typedef struct view {
  kinship kind;
  gs_barrier_use *uses; ///< by barrier
  reach_list *reached;  ///< by access
} view;

struct gs_phases {
  const gs_program *program;
  gs_teams *teams; ///< NULL: nothing is asked about warps
  gs_barrier_use *wide[2]; ///< by barrier: what it does alone, for a block and for the grid
  gs_barrier_use *best;    ///< by barrier: its closest use
  view views[GS_MAX_KINDS + 1];
  uint32_t view_count; ///< of one block; views[view_count] is for different blocks
  group groups[GS_MAX_GROUPS];
  uint8_t group_count;
  uint8_t *group_of;   ///< by barrier: the number of its group, from 1; 0 = none
  bool order_blocks;   ///< barriers order such pairs
  bool across_doubt;   ///< some barrier may
  bool warps_agree, blocks_agree; ///< see gs_phases_votes_hold
  uint8_t *exclusive;       ///< by two blocks: EXCLUSIVE, COMPATIBLE, or not asked; may be NULL
  uint32_t *barrier_block;  ///< by barrier
  uint32_t *access_block;   ///< by access
  gs_phases_options options;
};

static inline bool gs_use_orders(gs_barrier_use use) {
  return use == GS_BARRIER_ORDERS || use == GS_BARRIER_ORDERS_LIVE;
}

enum { GS_MAX_WALK_DEPTH = 64 }; ///< barriers in deeper loops order nothing

/// Is the term one value for all threads of a block (or of the grid) in one iteration?
bool gs_phases_common(const gs_phases *phases, gs_term t, gs_level level);

/// Finds the groups (groups.c); wide and teams are there.
void gs_phases_find_groups(gs_phases *phases);

/// Which way all threads of the view's group go at a branch: `open` when they do not agree,
/// or the view is of no group.
unsigned char gs_phases_group_branch(const gs_phases *phases, const view *v, gs_term branch,
                                     unsigned char open, unsigned char first, unsigned char second);

/// Finds the views and what each barrier does in them (converge.c). \returns false when
/// memory is short.
bool gs_phases_converge(gs_phases *phases);

#endif
