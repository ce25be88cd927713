// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Private to replay/: sparse memory with a shadow that finds conflicts by definition.
///
/// An access has a date: block, thread, numbers of grid and of block barriers its block has
/// passed, and the thread's own clock, which counts the barriers of fewer threads. Two
/// accesses are ordered by a grid barrier exactly when the numbers differ, in one block
/// by a block barrier just so, and in one warp also when the later thread knows the earlier
/// one's clock (as in FastTrack, Flanagan and Freund 2009, with vectors of one warp; of
/// the whole block where the kernel has barriers of several warps). For each byte and kind of access
/// the shadow keeps the last accesses of two threads of the block that runs and the
/// first of two blocks: whoever comes next, a conflict with any access is one with
/// these. Where blocks hand over to each other (handover.h), it keeps the first block's last
/// access and that of the last other block; an earlier one may be forgotten there.
#ifndef GS_MEMORY_H
#define GS_MEMORY_H

#include "replay.h"

typedef struct gs_memory gs_memory;
struct gs_handover;

typedef enum gs_access_class {
  GS_CLASS_READ,
  GS_CLASS_WRITE,
  GS_CLASS_ATOMIC_READ, ///< an atomic load, of a scope that holds the grid
  GS_CLASS_ATOMIC,      ///< any other atomic operation of such a scope
  GS_CLASS_BLOCK_READ,  ///< the same of block scope
  GS_CLASS_BLOCK_ATOMIC,
  GS_CLASS_COUNT
} gs_access_class;

static inline bool gs_class_writes(gs_access_class c) {
  return c == GS_CLASS_WRITE || c == GS_CLASS_ATOMIC || c == GS_CLASS_BLOCK_ATOMIC;
}
static inline bool gs_class_is_atomic(gs_access_class c) { return c >= GS_CLASS_ATOMIC_READ; }

enum { GS_MAX_CONFLICTS = GS_CLASS_COUNT * 4 };

/// Who accesses, and when.
typedef struct gs_date {
  uint32_t block, thread, phase, line;
  const uint32_t *clock; ///< of its warp's lanes, or of all threads
  uint32_t epoch;        ///< grid barriers passed
  uint32_t fences[2];    ///< passed by the thread, where threads hand over (gs_handed)
  uint32_t update;       ///< see gs_handed
  const struct gs_handover *handover; ///< NULL: nothing orders blocks but the grid's barriers
} gs_date;

/// \param args see gs_replay_launch. NULL when memory is short.
gs_memory *gs_memory_new(const gs_code *code, const gs_replay_launch *launch);
void gs_memory_free(gs_memory *memory);

/// \returns true when the bytes lie in one object; sets *window and *offset always.
bool gs_memory_inside(const gs_memory *memory, uint64_t address, uint64_t size, uint32_t *window,
                      int64_t *offset);
/// Moves bytes that are inside. \returns false when memory is short.
bool gs_memory_read(gs_memory *memory, const gs_date *date, uint64_t address, void *bytes,
                    uint64_t size);
bool gs_memory_write(gs_memory *memory, const gs_date *date, uint64_t address, const void *bytes,
                     uint64_t size);
/// Notes an access to bytes that are inside.
/// \param out   receives conflicts with earlier accesses, of the first byte that has any.
/// \returns how many, at most GS_MAX_CONFLICTS.
uint32_t gs_memory_note(gs_memory *memory, const gs_date *date, uint64_t address, uint64_t size,
                        gs_access_class class, gs_replay_conflict *out);
bool gs_memory_failed(const gs_memory *memory);

#endif
