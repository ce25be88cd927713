// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Private to the text form: growing text, and the printer of terms.
#ifndef GS_TEXT_WRITE_H
#define GS_TEXT_WRITE_H

#include "text_names.h"

typedef struct gs_out {
  char *data; ///< NUL-terminated once something was put; free with free()
  size_t used, size;
  bool failed;
} gs_out;

void gs_out_put(gs_out *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
/// In quotes, with escapes. NULL is written as none.
void gs_out_quote(gs_out *out, const char *text);
void gs_out_quote_part(gs_out *out, const char *text, size_t length);
/// ` at "file":line:column`, with the given word; nothing when the place is not known.
void gs_out_loc(gs_out *out, const char *word, gs_loc loc);

/// How the terms of one program are shown.
typedef struct gs_term_names gs_term_names;

/// Chooses what is named and what stands inside of what. NULL when memory is short.
gs_term_names *gs_term_names_new(const gs_program *program);
void gs_term_names_free(gs_term_names *names);

/// One line for each symbol and named term, operands first, in the order in which they
/// were made: comparisons of indices come out alike after parsing.
void gs_out_definitions(gs_out *out, const gs_term_names *names);
/// A constant or a name; `none` for GS_NO_TERM.
void gs_out_term(gs_out *out, const gs_term_names *names, gs_term t);

/// Everything about the source: name, parameters, claims, facts.
void gs_out_description(gs_out *out, const gs_kernel_desc *desc);

#endif
