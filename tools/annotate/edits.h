// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Insertions into source files, and how they are handed over: as a diff, as a file, as YAML.
#ifndef GS_ANNOTATE_EDITS_H
#define GS_ANNOTATE_EDITS_H

#include "mem.h"

#include <stdio.h>

typedef struct gs_edit {
  size_t offset;    ///< in front of that byte
  const char *text; ///< lines end in \n; the file's own ends are used
  const void *owner; ///< whose it is, for the caller
} gs_edit;

/// A file and what is inserted into it.
typedef struct gs_patch {
  const char *path;  ///< absolute
  const char *shown; ///< as people are told
  const char *before;
  size_t size;
  gs_edit *edits; ///< after gs_patch_finish in the order of their offsets
  size_t count, capacity;
  const char *after;
  size_t after_size;
} gs_patch;

/// Reads the file. \returns false, and `errno` says why, when it cannot be read.
bool gs_patch_open(gs_mem *mem, const char *path, const char *shown, gs_patch *out);
/// Adds an insertion unless the same is there. \returns false when another one is at the place.
bool gs_patch_add(gs_mem *mem, gs_patch *patch, size_t offset, const char *text, const void *owner);
/// Adds the #include where there is none, and makes the new text.
void gs_patch_finish(gs_mem *mem, gs_patch *patch);

void gs_patch_diff(gs_mem *mem, const gs_patch *patch, FILE *out);
/// As clang-apply-replacements reads it, the entries of one file.
void gs_patch_yaml(const gs_patch *patch, FILE *out);
/// Replaces the file. \returns false, and `errno` says why, when that fails.
bool gs_patch_write(gs_mem *mem, const gs_patch *patch, const char *path);

/// Where an #include goes: behind the last one of the leading block.
/// \param blank receives whether a blank line is to follow
size_t gs_include_place(const char *text, size_t size, bool *blank);

#endif
