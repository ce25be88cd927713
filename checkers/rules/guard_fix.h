// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The condition that is missing in front of an access.
#ifndef GS_GUARD_FIX_H
#define GS_GUARD_FIX_H

#include "rule.h"

/// What an index may not leave, in elements of `object`.
typedef struct gs_index_bound {
  const gs_object *object;
  const gs_clause *count; ///< as declared; NULL: `elements`
  uint64_t elements;      ///< of an array of known size
} gs_index_bound;

/// Finds the place for `if (i < n) ` in front of the statement of an access, where the
/// condition certainly keeps the access inside, and adds it to the finding as a fix-it with
/// its note.
/// \param below  the index may be below 0
/// \param past   it may be past the end
void gs_offer_guard(gs_kernel *kernel, gs_finding *finding, uint32_t access,
                    const gs_index_bound *bound, bool below, bool past);

#endif
