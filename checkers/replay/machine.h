// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Private to replay/: the state of a run.
#ifndef GS_MACHINE_H
#define GS_MACHINE_H

#include "handover.h"
#include "memory.h"
#include "replay.h"

enum { GS_LANES = 32, GS_MAX_THREADS = 1024 };

typedef enum gs_thread_state {
  GS_THREAD_RUNS,
  GS_THREAD_AT_BARRIER,
  GS_THREAD_AT_WARP, ///< at a warp operation
  GS_THREAD_AT_GRID, ///< at a barrier of the grid
  GS_THREAD_EXITED
} gs_thread_state;

typedef struct gs_thread {
  uint32_t index; ///< number in its block
  gs_dim tid;
  uint32_t pc;
  gs_thread_state state;
  uint64_t *regs;
  uint32_t watched; ///< its number in the launch's `watch`, else GS_NOBODY
  uint64_t accesses; ///< made so far, when someone is told of them
  uint32_t *clock; ///< what it knows of the lanes of its warp, or of all threads (see memory.h)
} gs_thread;

/// Who came to a barrier and went on.
typedef struct gs_arrivals {
  uint32_t count;
  uint32_t *clock; ///< what they knew, all together
} gs_arrivals;

typedef struct gs_machine {
  const gs_code *code;
  const gs_replay_launch *launch;
  gs_replay_result *result;
  gs_memory *memory;
  gs_handover *handover; ///< NULL: the kernel has no fence
  uint32_t block; ///< number of the block that runs
  gs_dim ctaid;
  uint32_t phase; ///< block barriers passed
  uint32_t epoch; ///< barriers of the grid passed
  gs_thread *threads;
  uint32_t thread_count;
  gs_arrivals *arrivals; ///< GS_BARRIER_NUMBERS of them
  uint32_t clock_size; ///< entries of a clock
  uint64_t random; ///< state of the generator
  uint64_t budget;
  bool stop; ///< result->end is set
} gs_machine;

static inline uint64_t gs_mask_of(uint32_t width) {
  return width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
}
static inline int64_t gs_signed_of(uint64_t value, uint32_t width) {
  return width >= 64 ? (int64_t)value : (int64_t)(value << (64 - width)) >> (64 - width);
}
/// splitmix64: a well-mixed function of x.
static inline uint64_t gs_mix(uint64_t x) {
  x += UINT64_C(0x9E3779B97F4A7C15);
  x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
  return x ^ (x >> 31);
}
static inline uint64_t gs_random(gs_machine *m) { return gs_mix(m->random++); }

/// Where a thread's clock keeps what is known of another one, of its warp where clocks are short.
static inline uint32_t gs_clock_entry(const gs_code *code, uint32_t thread) {
  return code->wide ? thread : thread % GS_LANES;
}
/// Does a thread's clock know anything of the other one?
static inline bool gs_clock_covers(const gs_code *code, uint32_t a, uint32_t b) {
  return code->wide || a / GS_LANES == b / GS_LANES;
}

/// Ends the run.
void gs_machine_end(gs_machine *m, gs_replay_end end);
/// Notes that a run broke what a proof may have assumed.
void gs_machine_broke(gs_machine *m, gs_replay_event_kind kind, uint32_t line);
/// Computes an instruction without effects on memory and control.
void gs_machine_compute(gs_machine *m, const gs_code_insn *insn, uint64_t *regs);
/// SREG.
void gs_machine_special(gs_machine *m, const gs_code_insn *insn, const gs_thread *thread);
/// The floating-point part of it. \returns false for another instruction.
bool gs_machine_float(const gs_code_insn *insn, uint64_t *regs);
/// A load, store, atomic, copy or fill; may end the run.
void gs_machine_access(gs_machine *m, const gs_code_insn *insn, gs_thread *thread);
/// What an atomic operation makes of a value.
uint64_t gs_machine_updated(gs_code_atomic kind, uint64_t old, uint64_t value, uint32_t width);
/// Runs a thread until it waits, exits, or has made `accesses` accesses to memory.
void gs_machine_thread(gs_machine *m, gs_thread *thread, uint64_t accesses);
/// Lets waiting lanes and threads go on. \returns false when nothing could.
bool gs_machine_release(gs_machine *m);
/// A thread comes to a barrier and goes on.
void gs_machine_arrive(gs_machine *m, const gs_code_insn *insn, gs_thread *thread);

#endif
