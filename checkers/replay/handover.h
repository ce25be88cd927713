// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Private to replay/: what threads tell each other by fences and counters or locks.
///
/// A thread that has passed a fence of the device and then updates a place atomically hands
/// over what came before the fence: its own accesses, and those of its block's threads
/// before a barrier, if they or the thread itself passed a fence behind them. Who updates the
/// place later, or reads it as an atomic, knows all that, and so do the threads of its block
/// behind their next barrier. The updates themselves need no fence. Updates hand on what earlier ones did; any other write starts anew.
/// Threads of one block do with fences of the block, and may update shared memory. This is how the CUDA programming guide has blocks sum up (`__threadfence`, then `atomicInc`),
/// less what PTX's model of memory would allow besides: nothing is handed on by third blocks.
#ifndef GS_HANDOVER_H
#define GS_HANDOVER_H

#include "memory.h"

typedef struct gs_handover gs_handover;

/// NULL when memory is short.
gs_handover *gs_handover_new(uint32_t thread_count);
void gs_handover_free(gs_handover *h);
bool gs_handover_failed(const gs_handover *h);

/// Block number `block` runs from here on.
void gs_handover_enter(gs_handover *h, uint32_t block);
/// All threads of the block that runs passed a barrier.
void gs_handover_barrier(gs_handover *h);
/// A thread passed a fence, of the device or (`narrow`) of its block.
void gs_handover_fence(gs_handover *h, const gs_date *date, bool narrow);
/// How many fences a thread has passed: of the device, of any kind.
uint32_t gs_handover_fences(const gs_handover *h, uint32_t thread, bool any);
/// A number for an update that is about to be made.
uint32_t gs_handover_next(const gs_handover *h);

/// An access to global memory, or (`shared`) to the block's was made. \param class  what it was; updates are GS_CLASS_ATOMIC
/// \param reads   is it an update: does it also read?
/// \param clock   of the thread (gs_date)
void gs_handover_note(gs_handover *h, const gs_date *date, uint64_t address, uint64_t size,
                      gs_access_class class, bool shared, bool reads, uint32_t clock);

/// An access of another thread.
typedef struct gs_handed {
  uint32_t block, thread, phase;
  uint32_t fences[2]; ///< passed by its thread: of the device, of any kind
  uint32_t update; ///< gs_handover_next() of an update, else 0
} gs_handed;

/// Does the thread that `date` is about know that the access was made?
bool gs_handover_knows(const gs_handover *h, const gs_code *code, const gs_handed *access,
                       const gs_date *date);

#endif
