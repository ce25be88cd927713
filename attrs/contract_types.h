// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sizes of built-in types for sizeof; private to attrs/.
#ifndef GS_CONTRACT_TYPES_H
#define GS_CONTRACT_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A word of the text, not terminated.
typedef struct gs_word {
  const char *text;
  size_t length;
} gs_word;

/// Size in bytes of the type that the words spell ("unsigned", "long"), on
/// NVPTX and the LP64 hosts: long has 8 bytes.
/// \returns false when they spell no built-in type.
bool gs_type_size(const gs_word *words, size_t count, int64_t *size);

/// \returns true when the word can begin a built-in type: "unsigned", "float4".
bool gs_word_starts_type(gs_word word);

static inline bool gs_word_is(gs_word word, const char *text) {
  size_t i = 0;
  while (i < word.length && text[i] != '\0' && text[i] == word.text[i])
    i++;
  return i == word.length && text[i] == '\0';
}

#endif
