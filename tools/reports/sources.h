// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The source files that findings point into: paths as reports show them, and their lines.
#ifndef GS_REPORTS_SOURCES_H
#define GS_REPORTS_SOURCES_H

#include "mem.h"

#include <jansson.h>

typedef struct gs_source gs_source;

/// All files of one report. Paths are relative to `root` where they lie below it.
typedef struct gs_sources {
  gs_mem *mem;
  const char *root; ///< absolute, without links
  gs_source *first;
} gs_sources;

/// \param root a folder, or NULL for the working directory.
void gs_sources_init(gs_mem *mem, const char *root, gs_sources *out);

/// The path as the report shows it.
/// \param directory where a relative `file` was meant; NULL: the root.
const char *gs_sources_path(gs_sources *sources, const char *directory, const char *file);

/// Line `line` (1-based) of a file by its path in the report, without its end.
/// \returns NULL when there is none.
const char *gs_sources_line(gs_sources *sources, const char *path, json_int_t line);

/// A text as a JSON string; bytes that are not UTF-8 become '?'.
json_t *gs_json_text(gs_mem *mem, const char *text);
/// The same, null for NULL.
json_t *gs_json_optional(gs_mem *mem, const char *text);

#endif
