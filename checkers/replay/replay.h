// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Runs a decoded kernel: all threads of some blocks, with shadow memory that finds
/// data races by definition, accesses outside of objects, and barriers that not all
/// threads of a block reach. See README.md.
#ifndef GS_REPLAY_H
#define GS_REPLAY_H

#include "code.h"
#include "gs.h"

/// Memory that the launch hands to the kernel. Buffer i is at gs_replay_buffer(code, i).
typedef struct gs_replay_memory {
  void *after; ///< receives the first `after_size` bytes when the run ends; may be NULL
  uint64_t after_size;
  uint64_t size; ///< bytes, at most 2^38; UINT64_MAX: no bounds on either side
  bool owned;    ///< each thread should have its own bytes: neither barriers nor atomic
                 ///< operations excuse two threads there
} gs_replay_memory;

typedef enum gs_replay_order {
  GS_ORDER_FORWARD, ///< each thread runs to its next barrier, first thread first
  GS_ORDER_BACKWARD,
  GS_ORDER_RANDOM   ///< switches threads at any access to memory
} gs_replay_order;

/// How two threads met, or how one left an object.
typedef struct gs_replay_access {
  uint32_t block, thread; ///< numbers: x + size.x * (y + size.y * z)
  uint32_t line;
  bool is_write, is_atomic;
} gs_replay_access;

typedef struct gs_replay_conflict {
  gs_replay_access access[2]; ///< the later one first; BOUNDS: one
  uint32_t window;
  int64_t offset; ///< bytes from the beginning of the window's object
  uint32_t size;  ///< of the later access
} gs_replay_conflict;

/// What a proof may have taken for granted and this run did not keep.
typedef enum gs_replay_event_kind {
  GS_BROKE_SIGNED,   ///< overflow of arithmetic whose overflow is undefined in C
  GS_BROKE_UNSIGNED, ///< 32-bit arithmetic without such a flag wrapped as unsigned
  GS_BROKE_INT,      ///< the same arithmetic left the range of int
  GS_BROKE_WRAP,     ///< any other arithmetic, or a truncation, lost bits
  GS_BROKE_POINTER,  ///< of pointer arithmetic
  GS_BROKE_UNDEFINED ///< division by 0, shift by the width or more
} gs_replay_event_kind;

typedef struct gs_replay_event {
  gs_replay_event_kind kind;
  uint32_t line;
} gs_replay_event;

typedef enum gs_replay_end {
  GS_END_DONE,     ///< all threads returned
  GS_END_STOPPED,  ///< by the callback
  GS_END_BOUNDS,   ///< an access outside of its object, in `conflict`
  GS_END_DIVERGED, ///< threads of one block wait at different barriers
  GS_END_STUCK,    ///< lanes wait for others that never come
  GS_END_TRAPPED,  ///< trap, failed assertion, unreachable code
  GS_END_BUDGET,
  GS_END_MEMORY    ///< out of memory
} gs_replay_end;

enum { GS_MAX_EVENTS = 64 };

#define GS_NOBODY UINT32_MAX

/// One of the threads that a run is about.
typedef struct gs_replay_watch {
  gs_dim block, thread; ///< blockIdx, threadIdx
} gs_replay_watch;

/// An access of a watched thread: what it touched, and what it knew of the other one.
typedef struct gs_replay_touch {
  uint32_t who;       ///< 0 or 1: which of the watched threads; else GS_NOBODY
  gs_dim block;       ///< blockIdx
  uint32_t thread;    ///< number in its block
  uint64_t ordinal;   ///< of the thread's accesses, from 0
  uint32_t phase;     ///< block barriers that its block has passed
  uint32_t epoch;     ///< grid barriers
  uint32_t clock;     ///< of the thread
  uint32_t knows;     ///< the other thread's clock, as far as barriers of fewer threads tell; 0 = nothing
  uint64_t address;
  uint64_t size;      ///< bytes
  uint64_t value;     ///< read or written (atomics: before), when it is at most 8 bytes
  uint32_t window;
  int64_t offset;     ///< in the window
  uint32_t line, insn;
  bool is_write, is_atomic, block_scope;
} gs_replay_touch;

/// Do barriers order the two accesses of different threads? \param earlier came first.
bool gs_replay_ordered(const gs_replay_touch *earlier, const gs_replay_touch *later,
                       bool same_block);

typedef struct gs_replay_launch {
  gs_dim grid, block;
  const gs_dim *blocks; ///< the blocks to run, in this order; NULL: all in their order
  uint32_t block_count;
  uint64_t dynamic_smem;
  const void *const *args; ///< address of each argument, as cudaLaunchKernel takes them
  const gs_replay_memory *memory;
  uint32_t memory_count;
  gs_replay_order order;
  uint64_t seed;   ///< of the order and of values that are arbitrary
  uint64_t budget; ///< instructions; 0 = 10 million
  /// Gives bytes of memory that nothing initialises: global, shared and constant, the
  /// same in all blocks. NULL: arbitrary bytes, as local variables have.
  void (*fill)(void *user, uint32_t window, int64_t offset, uint8_t *bytes, size_t count);
  /// Called for conflicts of two threads: for each access all that the shadow still
  /// knows, at its first byte that has any. \returns true to stop. NULL: stop at once.
  bool (*met)(void *user, const gs_replay_conflict *conflict);
  /// When there are any, the run is about these alone: they go first in each phase, a
  /// block ends when its own have returned, no conflict of others is looked for, and what
  /// lies outside of an object is memory like any other.
  const gs_replay_watch *watch;
  uint32_t watch_count; ///< at most 2
  /// Called after each access of a watched thread. \returns true to stop.
  bool (*touched)(void *user, const gs_replay_touch *touch);
  bool everyone; ///< `touched` is called for all threads, and blocks run to their ends
  /// Called before each instruction of a watched thread, with its position. May be NULL.
  void (*stepped)(void *user, uint32_t who, uint32_t insn, uint32_t phase);
  void *user;
} gs_replay_launch;

typedef struct gs_replay_result {
  gs_replay_end end;
  uint64_t steps;
  bool raced; ///< a conflict of two threads was met
  gs_replay_conflict conflict; ///< the one that stopped the run, else the first
  gs_replay_event events[GS_MAX_EVENTS]; ///< different ones, in the order they happened
  uint32_t event_count; ///< at GS_MAX_EVENTS some may be missing
} gs_replay_result;

/// The address of buffer `index` of a launch.
uint64_t gs_replay_buffer(const gs_code *code, uint32_t index);

/// Runs the launch. Blocks run one after the other, their threads as `order` says.
/// Deterministic: equal launches give equal results.
void gs_replay_run(const gs_code *code, const gs_replay_launch *launch, gs_replay_result *out);

/// "a" for a window of the code, NULL for a buffer.
const char *gs_replay_window_name(const gs_code *code, uint32_t window);

#endif
