// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the threads of a team agree on. A team is 2^shift threads in a row of one warp,
/// beginning at a multiple of 2^shift: a warp is the team of shift 5.
///
/// Terms are told apart by how many of their low bits may differ inside of a team ("vary"):
/// 0 is a value that all agree on; threadIdx.x has 5 in a warp, threadIdx.x >> 3 has 2,
/// threadIdx.x < 64 has 0. See phases.md, "Warps".
#ifndef GS_TEAMS_H
#define GS_TEAMS_H

#include "program.h"

enum { GS_WARP_SHIFT = 5, GS_WARP_LANES = 32 };

/// Puts what is known of every launch into a term (block.x == 256).
typedef gs_term (*gs_launch_term_fn)(void *user, gs_term t);
/// Can these terms (width 1) not all hold for one thread? A "no" costs little and is
/// certain without believing any flag.
typedef bool (*gs_refute_fn)(void *user, const gs_term *terms, size_t count);

typedef struct gs_teams gs_teams;

/// \param refute with all that is known of launches; may be NULL.
/// \returns NULL when memory is short.
gs_teams *gs_teams_new(const gs_program *program, gs_launch_term_fn launch_term,
                       gs_refute_fn refute, void *user);
void gs_teams_free(gs_teams *teams);

/// From now on results of votes of this level (GS_LEVEL_WARP or GS_LEVEL_BLOCK), and what
/// follows from them, are not taken to be one value.
void gs_teams_distrust(gs_teams *teams, gs_level level);

/// How many low bits of the term may differ between threads of one team of 2^shift, in
/// one iteration of the loops around. The width of the term when nothing is known.
uint32_t gs_teams_vary(gs_teams *teams, gs_term t, uint32_t shift);

/// The value of a term for each lane of a warp, when it depends on the lane alone.
/// \param lanes receives bit l when some thread has lane l.
bool gs_teams_by_lane(gs_teams *teams, gs_term t, uint32_t out[GS_WARP_LANES], uint32_t *lanes);

/// Threads of a block by their number: bit `number % 32` of warp `number / 32`.
typedef struct gs_thread_set {
  uint32_t warp[GS_WARP_LANES];
} gs_thread_set;

/// The threads for which a term is not 0, when it depends on the thread's indices alone and
/// the size of the block is known.
bool gs_teams_by_thread(gs_teams *teams, gs_term t, gs_thread_set *out);

/// Is a thread whose lane is in `lanes` never where all of `terms` hold?
bool gs_teams_never(gs_teams *teams, const gs_term *terms, size_t count, uint32_t lanes);

#endif
