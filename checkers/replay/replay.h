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
