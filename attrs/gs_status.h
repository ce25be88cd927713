// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Result codes shared by every gpusafe library. The numbers are pinned: they
/// are part of the ABI and never change meaning.
#ifndef GS_STATUS_H
#define GS_STATUS_H

typedef enum gs_status {
  GS_OK = 0,
  GS_ERROR_INPUT = 1,    ///< malformed text, IR or arguments; a message says what
  GS_ERROR_MEMORY = 2,   ///< out of memory
  GS_ERROR_LIMIT = 3,    ///< a documented limit was exceeded
  GS_ERROR_INTERNAL = 4, ///< a bug in gpusafe
  GS_ERROR_IO = 5        ///< a file could not be read or written
} gs_status;

#endif
