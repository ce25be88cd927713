// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Words of command lines, as shells, compilers and nvcc cut them.
#ifndef GS_SCAN_WORDS_H
#define GS_SCAN_WORDS_H

#include "mem.h"

/// Cuts `text` at blanks. Single and double quotes hold words together, a backslash takes
/// the next character as it is (inside of double quotes only before `"` and `\`). That is
/// how shells, nvcc's option files and clang's response files agree to read plain cases.
void gs_words_split(gs_mem *mem, const char *text, gs_list *out);

/// Cuts the value of an nvcc option that takes a list at commas. A comma in double quotes
/// or after a backslash does not cut; backslashes go, quotes stay (as nvcc -dryrun shows).
void gs_words_split_list(gs_mem *mem, const char *text, gs_list *out);

/// Reads a whole file as text; NUL bytes become '?'.
/// \returns NULL when it cannot be read; `errno` says why.
char *gs_words_read_file(gs_mem *mem, const char *path);

/// `path` as seen from `directory`: itself when it is absolute.
const char *gs_words_path(gs_mem *mem, const char *directory, const char *path);

/// The last part of a path.
const char *gs_words_base(const char *path);

/// Appends `word` to a line for people, quoted for a shell where needed.
const char *gs_words_quote(gs_mem *mem, const char *word);

#endif
