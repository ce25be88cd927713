// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What `gpusafe replay` shows of a run that gpusafe-module made (module/trace_json.h).
#ifndef GS_STORY_H
#define GS_STORY_H

#include "tool.h"

#include <jansson.h>
#include <stdio.h>

/// A run and where it comes from.
typedef struct gs_story {
  gs_mem *mem;
  const json_t *trace;
  const json_t *finding; ///< of a report; NULL for a launch by hand
  const char *kernel;    ///< as people call it
  const char *file;      ///< source or module
} gs_story;

/// One row of a thread's column.
typedef struct gs_story_row {
  const char *text;
  bool is_hit; ///< the access in question
} gs_story_row;

/// "s[1]", or "s (byte 4)" when that is no whole number of elements.
const char *gs_story_element(const gs_story *s, const char *array, json_int_t offset,
                             json_int_t size);
/// "thread (1,0,0) of block (0,0,0)"
const char *gs_story_thread(const gs_story *s, size_t who);
/// What a thread does from the barrier before to the access, a row each. \returns their number.
size_t gs_story_rows(const gs_story *s, size_t who, gs_story_row **out);
/// How many threads the conflict has, 0 when there is none.
size_t gs_story_threads(const gs_story *s);
/// The lines above the columns: what was found, the launch, the values.
void gs_story_head(const gs_story *s, gs_list *out);
/// The sentence below them: how the two meet.
const char *gs_story_verdict(const gs_story *s);

/// As text with two columns.
void gs_story_print(const gs_story *s, FILE *out);
/// As a page of HTML that needs nothing else, with a map of the memory in SVG.
void gs_story_html(const gs_story *s, FILE *out);
/// As a CUDA program that makes the launch, again and again, and compares what comes out.
/// \returns NULL, or why it cannot be written.
const char *gs_story_cuda(const gs_story *s, FILE *out);

#endif
