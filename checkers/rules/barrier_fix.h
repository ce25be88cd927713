// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Where one more block barrier would remove a data race.
#ifndef GS_BARRIER_FIX_H
#define GS_BARRIER_FIX_H

#include "pairs.h"

/// A race inside of a block that a barrier may order.
typedef struct gs_missing_barrier {
  gs_cause cause;
  uint32_t first, second; ///< accesses, in the order in which the two execute them
  bool later;             ///< `second` belongs to a later iteration of a loop around both
  bool next;              ///< to the next one
  bool in_warp;           ///< the two threads are of one warp
} gs_missing_barrier;

enum { GS_MAX_FIXES = 2 };

typedef enum gs_barrier_help {
  GS_BARRIER_USELESS, ///< threads of different blocks conflict as well
  GS_BARRIER_UNSURE,  ///< no place is shown to do
  GS_BARRIER_FOUND
} gs_barrier_help;

/// What a kernel's conflicts may cost once they are known. It has a prover of its own:
/// neither its work nor what it relies on is the verdict's.
typedef struct gs_mender gs_mender;

/// Kernel and query must outlive it. NULL when memory is short.
gs_mender *gs_mender_new(gs_kernel *kernel, const gs_pair_query *query);
void gs_mender_free(gs_mender *mender);
gs_prover *gs_mender_prover(gs_mender *mender);

/// Looks for places between two statements of the kernel where a `__syncthreads();` is
/// reached by all threads of the block alike, and where one, or two together, take away
/// every conflict of the cause. That is proved, by phases with the barriers put in and the
/// questions asked anew. Nearby places come first, and a few are tried.
/// \param out on FOUND receives what to insert, from the top down; its texts are in the
///            report's arena.
gs_barrier_help gs_find_barriers(gs_mender *mender, const gs_missing_barrier *missing,
                                 gs_fixit out[GS_MAX_FIXES], uint32_t *count);

/// "no barrier between the write at line 12 and the read at line 14; ..."
/// \param exact no barrier at all stands there, not even one that some threads miss
/// \param fixes what was found; the note stands at the first
const char *gs_barrier_words(gs_kernel *kernel, const gs_missing_barrier *missing, bool exact,
                             const gs_fixit *fixes, uint32_t count);

#endif
