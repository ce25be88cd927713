// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which accesses of two threads of one block can be unordered by barriers.
///
/// A barrier instance is a block barrier with the iteration vector of the loops
/// around it; the kernel's entry is one too. Two accesses are co-phase when one
/// instance reaches both by barrier-free paths. See phases.md.
#ifndef GS_PHASES_H
#define GS_PHASES_H

#include "program.h"

/// Why a barrier orders nothing in a proof.
typedef enum gs_barrier_use {
  GS_BARRIER_ORDERS,       ///< all threads of the block reach it alike
  GS_BARRIER_ORDERS_LIVE,  ///< the same, if threads that returned count as arrived
  GS_BARRIER_DIVERGES,     ///< reached under a condition not shown to be uniform, or
                           ///< another barrier of the kernel is: the hardware only counts
                           ///< arrivals, so one divergent barrier spoils all
  GS_BARRIER_UNMODELLED    ///< warp, named or other barrier: orders nothing here
} gs_barrier_use;

/// How the iteration vectors of two co-phase accesses are related. The `tied`
/// outermost common loops are in the same iteration for both. At the next common
/// loop the trip numbers are related by `step`; everything further in is free.
typedef enum gs_step {
  GS_STEP_FREE,      ///< no relation
  GS_STEP_SECOND_NEXT, ///< second = first + 1
  GS_STEP_FIRST_NEXT,  ///< first = second + 1
  GS_STEP_SECOND_LATER, ///< second > first
  GS_STEP_FIRST_LATER   ///< first > second
} gs_step;

/// What follows for a thread inside of a loop when the other thread has left it.
typedef enum gs_ending {
  GS_ENDING_OPEN,   ///< nothing
  GS_ENDING_HERE,   ///< this iteration is the last
  GS_ENDING_NEXT,   ///< the next iteration is the last
  GS_ENDING_BEFORE  ///< the iteration before was the last: impossible
} gs_ending;

typedef struct gs_cophase {
  uint32_t tied;
  gs_step step;
  uint32_t zero[2]; ///< bit d: the loop of depth d around the access is in its first
                    ///< iteration since it was entered (depths above `tied`)
  gs_ending ending[2];     ///< where the loop of depth `ending_depth` around the access
  uint32_t ending_depth[2]; ///< ends: the other thread has left it, and all leave it alike
  gs_ending inner_ending[2]; ///< the same for the innermost loop around the barrier, at
  uint32_t inner_depth;      ///< this depth, when that is another
  bool exact; ///< no other barrier can stand between: a model is a real interleaving
  uint32_t barrier; ///< one barrier that reaches both; GS_NONE = the entry
  uint32_t doubtful; ///< !exact: a barrier that may stand between, GS_NONE = unknown which
} gs_cophase;

typedef struct gs_phases gs_phases;

/// Can these terms (width 1) not all hold for one thread? A "no" costs little and is
/// certain without believing any flag.
typedef bool (*gs_refute_fn)(void *user, const gs_term *terms, size_t count);

/// Puts what is known of every launch into a term (block.x == 256).
typedef gs_term (*gs_launch_term_fn)(void *user, gs_term t);

/// Paths that a loop's first iteration cannot take are left out: with the trip
/// numbers of loops entered since the barrier at 0, some branches are decided.
/// \param refute may be NULL: then only branches whose condition folds are.
/// \returns NULL when memory is short.
gs_phases *gs_phases_new(const gs_program *program, gs_launch_term_fn launch_term,
                         gs_refute_fn refute, void *user);
void gs_phases_free(gs_phases *phases);

/// Do all threads of a block agree on when they come to block `block` of the program, with
/// none having returned before?
bool gs_phases_reached_alike(const gs_program *program, uint32_t block);

gs_barrier_use gs_phases_barrier_use(const gs_phases *phases, uint32_t barrier);

enum { GS_MAX_COPHASES = 24 };

/// All relations in which access `first` of one thread and `second` of another
/// thread of the same block are co-phase. \returns their number; 0 = always
/// ordered by a barrier. More than GS_MAX_COPHASES collapse into one free relation.
uint32_t gs_phases_relate(const gs_phases *phases, uint32_t first, uint32_t second,
                          gs_cophase out[GS_MAX_COPHASES]);

/// Adds to `mask` (one byte for each barrier) the barriers that order accesses.
void gs_phases_used(const gs_phases *phases, unsigned char *mask);

/// Block that holds an access; loops around it, outermost first.
uint32_t gs_phases_block(const gs_phases *phases, uint32_t access);

#endif
