// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The pages of the rules, built into the command.
#ifndef GS_PAGES_H
#define GS_PAGES_H

#include <stddef.h>

typedef struct gs_page {
  const char *rule;          ///< its name, as in messages
  const unsigned char *text; ///< Markdown, UTF-8, with a NUL behind it
  size_t length;             ///< bytes without the NUL
} gs_page;

extern const gs_page gs_pages[]; ///< in the order of rules.def
extern const size_t gs_page_count;

#endif
