// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Values that one thread of a block gives to all through shared memory, and the tickets that
/// the blocks of a grid take to learn which of them is the last: broadcast.md.
#ifndef GS_BROADCAST_H
#define GS_BROADCAST_H

#include "program.h"

/// gs_sym.copy of a value that one thread of the block has, as all see it.
enum { GS_COPY_OF_BLOCK = 4 };

/// Rewrites the program: what is read is what was stored. That stores and reads are ordered is
/// for the rule about races to prove, so it must be on. Does nothing the second time.
/// \param strict pointer arguments may overlap, and axes that are not read may be longer than 1
/// \returns false when memory is short.
bool gs_broadcasts_find(gs_program *program, bool strict);

/// "The block's ticket is the highest": it is the last block.
gs_term gs_last_is_last(gs_program *program, const gs_last *last);

#endif
