// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the threads of a witness do, step by step, for people to follow.
#ifndef GS_TRACE_H
#define GS_TRACE_H

#include "rerun.h"

typedef enum gs_trace_kind {
  GS_TRACE_LINE,   ///< comes to another line
  GS_TRACE_READ,
  GS_TRACE_WRITE,
  GS_TRACE_ATOMIC, ///< value: what was there before
  GS_TRACE_BARRIER, ///< of the block
  GS_TRACE_WARP     ///< waits for lanes of its warp
} gs_trace_kind;

typedef struct gs_trace_step {
  gs_trace_kind kind;
  uint32_t insn;  ///< position in the code, which knows the line
  uint32_t phase; ///< block barriers passed
  // Accesses:
  uint32_t window;
  int64_t offset;
  uint64_t size, value;
} gs_trace_step;

/// Somebody touches the array in the phase of the meeting.
typedef struct gs_trace_cell {
  uint32_t block;  ///< 0 or 1: of the witness's blocks
  uint32_t thread; ///< number in its block
  int64_t offset;  ///< bytes into the array
  uint32_t size, line;
  bool is_write, is_atomic;
} gs_trace_cell;

typedef struct gs_trace {
  gs_rerun_verdict verdict;
  gs_replay_end end;
  uint64_t run;              ///< instructions
  gs_trace_step *steps[2];   ///< of each thread since the barrier before, its access last
  uint32_t count[2];
  bool cut[2];               ///< the first steps are left out
  gs_trace_cell *cells;
  uint32_t cell_count;
  bool cells_cut;
  uint64_t *extents; ///< by argument of the witness that is a pointer: bytes touched by the
                     ///< blocks that ran
} gs_trace;

/// Runs the witness twice: to find the accesses, and to write down what leads to them.
/// \param budget instructions of each run
/// \returns GS_ERROR_MEMORY; GS_ERROR_INPUT when the witness does not fit the kernel.
gs_status gs_trace_make(const gs_code *code, const gs_witness *witness, const gs_rerun_claim *claim,
                        uint64_t budget, gs_trace *out);
void gs_trace_free(gs_trace *trace);

#endif
