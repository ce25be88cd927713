// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which no-wrap flags guards may rely on.
#ifndef GS_BELIEVE_H
#define GS_BELIEVE_H

#include "program.h"

/// Takes the flags off the terms (guards of an access in `block`, facts of its loops)
/// that are not to be believed. PTX wraps, so a branch that C calls undefined is taken
/// all the same: `if (x + 100 < x)`. Believed are flags of operations that the address
/// itself is made of, those of loop counters, those of the bounds that a counter in the
/// address is compared with (`j < (i + 1) * c`), and those of sizes that an index in it is
/// compared with (`if (i >= rows * cols) return`). \returns false when memory is short.
bool gs_believe(const gs_program *program, uint32_t access, uint32_t block, gs_term *terms,
                uint32_t count);

/// The same where there is no address: only flags of loop counters stay.
bool gs_believe_counters(const gs_program *program, gs_term *terms, uint32_t count);

/// Takes "32-bit index arithmetic does not wrap" off indices into shared memory. Arrays there are
/// small, and threads that wrap end in them beside those that do not.
void gs_believe_no_wraps_in_shared(gs_program *program);

#endif
