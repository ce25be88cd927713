// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Mutants of CUDA sources: one small change each.
#ifndef FZ_MUTANT_H
#define FZ_MUTANT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Replaces text[begin, end).
typedef struct fz_edit {
  size_t begin, end;
  const char *kind; ///< "barrier dropped", "guard dropped", …
  char text[96];    ///< what stands there then
  size_t move_to;   ///< SIZE_MAX, or where the old text goes: after this place
} fz_edit;

/// Finds all changes that can be made in the bodies of functions. The lines stay the lines.
/// \returns their number; *out is owned by the caller: free.
size_t fz_find_edits(const char *source, fz_edit **out);

/// The source with the change. NULL when memory is short; free.
char *fz_apply_edit(const char *source, const fz_edit *edit);

#endif
