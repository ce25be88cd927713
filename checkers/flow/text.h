// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The text form of lowered kernels: what `gpusafe check --dump=accesses` prints and
/// `gpusafe check FILE.gs` reads. text.md describes it. Printing what was parsed gives
/// the same bytes, and checking what was parsed gives the same findings.
#ifndef GS_TEXT_H
#define GS_TEXT_H

#include "program.h"

/// A parsed file: kernels with their descriptions.
typedef struct gs_text gs_text;

typedef struct gs_text_error {
  uint32_t line, column; ///< 1-based
  char message[200];
} gs_text_error;

/// Parses `length` bytes (no terminator needed). What it accepts is well-formed in every
/// respect that the rest of the core relies on: indices, widths, control flow, loops.
/// \param error filled unless GS_OK; may be NULL.
/// \returns GS_ERROR_INPUT for what is malformed, GS_ERROR_MEMORY.
gs_status gs_text_parse(const char *text, size_t length, gs_text **out, gs_text_error *error);
void gs_text_free(gs_text *text);

uint32_t gs_text_kernel_count(const gs_text *text);
/// Owned by the text; checking it adds terms and symbols, so it can be done once.
gs_program *gs_text_kernel(const gs_text *text, uint32_t kernel);
const char *gs_text_target(const gs_text *text); ///< "sm_90"; NULL when it does not say
bool gs_text_is_optimised(const gs_text *text);

/// Prints a file: a header, then each kernel. A kernel must be as it was lowered or
/// parsed, before anything was checked.
/// \param target may be NULL. \returns NULL when memory is short; free with free().
char *gs_text_print(gs_program *const *kernels, uint32_t count, const char *target,
                    bool is_optimised);

#endif
