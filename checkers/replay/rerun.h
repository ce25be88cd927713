// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A witness as a launch that can be run.
#ifndef GS_RERUN_H
#define GS_RERUN_H

#include "replay.h"

typedef struct gs_rerun gs_rerun;

/// Makes arguments, buffers and contents of memory as the witness says; what it does not
/// fix is 0, and each pointer that it names has a buffer of its own. The launch runs the
/// witness's blocks and watches its threads; all blocks, when it names no threads.
/// \param code, witness must outlive it.
/// \returns NULL when memory is short or the witness does not fit the kernel.
gs_rerun *gs_rerun_new(const gs_code *code, const gs_witness *witness);
void gs_rerun_free(gs_rerun *rerun);

/// The launch, to set `budget` and `touched` (with gs_rerun_set_user) and to run. Owned by
/// the rerun, which is the launch's `user`.
gs_replay_launch *gs_rerun_launch(gs_rerun *rerun);
/// What the callbacks of the launch find by gs_rerun_user(their user).
void gs_rerun_set_user(gs_rerun *rerun, void *user);
void *gs_rerun_user(void *rerun);

/// Where an array of the witness begins. \returns false for private and unknown ones.
bool gs_rerun_address(const gs_rerun *rerun, const gs_array_ref *array, uint64_t *address);

/// What happened to the byte that a witness is about.
typedef enum gs_rerun_verdict {
  GS_RERUN_CONFIRMED, ///< the run shows it
  GS_RERUN_REFUTED,   ///< the threads ran to their end without it
  GS_RERUN_REFUSED    ///< the run did not come so far
} gs_rerun_verdict;

/// What a run should show.
typedef struct gs_rerun_claim {
  uint32_t line[2];    ///< of the accesses
  bool is_write[2], is_atomic[2];
  bool barriers_order; ///< accesses that barriers order are no conflict
} gs_rerun_claim;

/// Where in the run the accesses are.
typedef struct gs_rerun_hit {
  uint64_t ordinal[2]; ///< of the thread's accesses
  uint32_t phase[2];
} gs_rerun_hit;

/// Runs the witness: one thread touches its byte, or both do so without an order between.
/// \param budget instructions \param steps receives how many were run
/// \param end    receives how the run ended
/// \param hit    receives, when confirmed, which accesses they are; may be NULL
gs_rerun_verdict gs_rerun_confirm(const gs_code *code, const gs_witness *witness,
                                  const gs_rerun_claim *claim, uint64_t budget, uint64_t *steps,
                                  gs_replay_end *end, gs_rerun_hit *hit);

/// Where a witness that is about no byte has its threads.
typedef enum gs_rerun_stop {
  GS_STOP_ACCESS,  ///< at an access to memory
  GS_STOP_BARRIER, ///< at a barrier of the block
  GS_STOP_WARP,    ///< at a warp operation
  GS_STOP_TRAP     ///< at a trap, or a failed assertion
} gs_rerun_stop;

/// What a run should show that is about no byte.
typedef struct gs_rerun_place {
  gs_rerun_stop stop;
  uint32_t line;
  uint32_t branch; ///< line at which two threads part; 0 = not known
} gs_rerun_place;

/// Runs the witness: its one thread comes to such an instruction at the line, or its two threads
/// do not come to the same of these, one after the other, or not each time when they were at the
/// branch equally often.
/// \param budget, steps, end as above
gs_rerun_verdict gs_rerun_visit(const gs_code *code, const gs_witness *witness, const gs_rerun_place *place,
                                uint64_t budget, uint64_t *steps, gs_replay_end *end);

/// Runs the witness, all of its block: its thread reads its byte at the line, and nobody ever
/// writes that.
/// \param budget, steps, end as above
gs_rerun_verdict gs_rerun_unwritten(const gs_code *code, const gs_witness *witness, uint32_t line,
                                    uint64_t budget, uint64_t *steps, gs_replay_end *end);

/// "after 4,000,000 instructions", in a sentence's place after "refused: ".
const char *gs_replay_end_words(gs_replay_end end);

#endif
