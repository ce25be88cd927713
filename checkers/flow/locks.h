// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Locks: which accesses a thread makes while it holds one. See locks.md.
#ifndef GS_LOCKS_H
#define GS_LOCKS_H

#include "program.h"

typedef struct gs_locks gs_locks;

/// Finds the operations that take a lock, and where they are held. \returns NULL when memory is
/// short. The program must outlive it.
/// \param strict objects in global memory may overlap
/// \param races_checked plain writes that are not ordered against atomic ones are findings
gs_locks *gs_locks_new(const gs_program *program, bool strict, bool races_checked);
void gs_locks_free(gs_locks *locks);

/// A lock that is held at an access.
typedef struct gs_held {
  uint32_t taker;  ///< the access that took it
  uint32_t object; ///< where the lock lies,
  gs_term offset;  ///< and at which byte: the lock's name
} gs_held;

enum { GS_MAX_HELD = 4 };

/// The locks that are held at an access whenever it is made, and handed over with fences of at
/// least this scope, BLOCK or GRID. Each answer is found once. \returns how many.
uint32_t gs_locks_held(gs_locks *locks, uint32_t access, gs_scope fence, gs_held out[GS_MAX_HELD]);

#endif
