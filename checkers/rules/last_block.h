// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GS_LAST_BLOCK_H
#define GS_LAST_BLOCK_H

#include "rule.h"

/// What holds of threads of two blocks that conflict, as each block takes one ticket: the
/// tickets differ, and what one does behind its own while the other has released what it did
/// is not done by the last block. About the scene's latest case; may be none.
/// \param ordered false: only that the tickets differ
gs_term gs_last_block_fact(gs_kernel *kernel, const gs_meeting *meeting, uint32_t a, uint32_t b, bool ordered);

#endif
