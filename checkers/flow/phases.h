// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which accesses of two threads can be unordered by barriers.
///
/// A barrier instance is a block barrier with the iteration vector of the loops
/// around it; the kernel's entry is one too. Two accesses are co-phase when one
/// instance reaches both by barrier-free paths. See phases.md.
#ifndef GS_PHASES_H
#define GS_PHASES_H

#include "program.h"
#include "teams.h"

/// Why a barrier orders nothing in a proof.
typedef enum gs_barrier_use {
  GS_BARRIER_ORDERS,       ///< all threads of the block reach it alike
  GS_BARRIER_ORDERS_LIVE,  ///< the same, if threads that returned count as arrived
  GS_BARRIER_DIVERGES,     ///< reached under a condition not shown to be uniform, or
                           ///< another barrier of the kernel is: the hardware only counts
                           ///< arrivals, so one divergent barrier spoils all
  GS_BARRIER_UNMODELLED,   ///< warp, named or other barrier: orders nothing here
  GS_BARRIER_ELSEWHERE     ///< certainly ties no two threads of the kind that is asked about
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

/// Do both say the same of the iterations?
bool gs_cophase_same(const gs_cophase *a, const gs_cophase *b);

typedef struct gs_phases gs_phases;

typedef struct gs_phases_options {
  gs_launch_term_fn launch_term;
  gs_refute_fn refute;        ///< may be NULL: then only conditions that fold are decided
  gs_refute_fn refute_launch; ///< the same, with all that is known of launches; may be NULL
  bool doubt_blocks; ///< no opaque value is one for the block (gs_phases_votes_hold)
  void *user;
} gs_phases_options;

/// Paths that a loop's first iteration cannot take are left out: with the trip
/// numbers of loops entered since the barrier at 0, some branches are decided.
/// \returns NULL when memory is short.
gs_phases *gs_phases_new(const gs_program *program, const gs_phases_options *options);
void gs_phases_free(gs_phases *phases);

/// Do all threads of a block agree on when they come to block `block` of the program, with
/// none having returned before?
bool gs_phases_reached_alike(const gs_program *program, uint32_t block);

/// What it does for those threads that it ties most closely.
gs_barrier_use gs_phases_barrier_use(const gs_phases *phases, uint32_t barrier);
/// The same of this barrier alone, whatever others of the kernel are like.
gs_barrier_use gs_phases_own_use(const gs_phases *phases, uint32_t barrier);
/// Block of the program that holds a barrier.
uint32_t gs_phases_barrier_block(const gs_phases *phases, uint32_t barrier);

/// Is a value of level GS_LEVEL_WARP one for the warp, and an opaque one of level
/// GS_LEVEL_BLOCK one for the block? Both come from votes, which must be reached alike, or
/// from reads of shared memory (common_reads.h).
bool gs_phases_votes_hold(const gs_phases *phases, gs_level level);

/// May threads of a block have different values of a term of the block's level, because it
/// has opaque parts of that level and gs_phases_options.doubt_blocks is set?
bool gs_phases_doubts(const gs_phases *phases, gs_term t);

/// Do the threads of each team of 2^shift agree on a term, in one iteration of the loops around?
/// No flag is believed.
bool gs_phases_team_agrees(const gs_phases *phases, gs_term t, uint32_t shift);

/// One way in which two threads can be unordered. Threads of one block are told apart
/// where a barrier of less than a block orders some of them.
typedef struct gs_encounter {
  bool across;   ///< threads of different blocks
  bool in_phase; ///< `phase` says how their iterations are related
  uint8_t same;  ///< threads of one team of 2^same of a warp (teams.h); 0 = of any
  uint8_t apart; ///< ... and of different teams of 2^apart; 0 = of any
  uint8_t group; ///< both are of this group (gs_phases_group), from 1; 0 = nothing is said;
                 ///< GS_NO_GROUP = no group has both
  gs_cophase phase;
} gs_encounter;

enum { GS_MAX_GROUPS = 2, GS_NO_GROUP = 255, GS_MAX_KINDS = 24 };
enum { GS_MAX_COPHASES = 24, GS_MAX_ENCOUNTERS = GS_MAX_KINDS * GS_MAX_COPHASES };

/// All ways in which access `first` of one thread and `second` of another are co-phase.
/// \returns their number; 0 = always ordered by a barrier. More than GS_MAX_COPHASES
/// relations for one kind of pairs collapse into one free relation.
/// \param across of different blocks, else of one
uint32_t gs_phases_relate(const gs_phases *phases, bool across, uint32_t first, uint32_t second,
                          gs_encounter out[GS_MAX_ENCOUNTERS]);

/// Is a thread one of group `g` (from 0), which one of the block's barriers waits for? Of
/// width 1, made of the thread's indices. GS_NO_TERM: there is no such group.
gs_term gs_phases_group(const gs_phases *phases, uint32_t g);

/// Adds to `mask` (one byte for each barrier) the barriers that order accesses.
void gs_phases_used(const gs_phases *phases, unsigned char *mask);

/// Block that holds an access; loops around it, outermost first.
uint32_t gs_phases_block(const gs_phases *phases, uint32_t access);

#endif
