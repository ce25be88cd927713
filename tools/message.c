// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tool.h"

#include <stdio.h>
#include <string.h>

int gs_fail(int code, const char *format, ...) {
  va_list args;
  va_start(args, format);
  fputs("gpusafe: error: ", stderr);
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  va_end(args);
  return code;
}

void gs_remark(const char *format, ...) {
  va_list args;
  va_start(args, format);
  fputs("gpusafe: note: ", stderr);
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  va_end(args);
}

enum { MAX_WORD = 32 };

/// Levenshtein distance of two short words, by rows.
static size_t distance(const char *a, const char *b) {
  size_t n = strlen(a), m = strlen(b), row[MAX_WORD + 1];
  if (n > MAX_WORD || m > MAX_WORD)
    return MAX_WORD;
  for (size_t j = 0; j <= m; j++)
    row[j] = j;
  for (size_t i = 1; i <= n; i++) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= m; j++) {
      size_t change = diagonal + (a[i - 1] != b[j - 1]);
      size_t insert = row[j - 1] + 1, erase = row[j] + 1;
      diagonal = row[j];
      row[j] = insert < erase ? insert : erase;
      if (change < row[j])
        row[j] = change;
    }
  }
  return row[m];
}

const char *gs_nearest(const char *word, const char *const *candidates) {
  const char *best = NULL;
  size_t least = strlen(word) / 3 + 1;
  for (; *candidates; candidates++) {
    size_t d = distance(word, *candidates);
    if (d <= least && (!best || d < least)) {
      least = d;
      best = *candidates;
    }
  }
  return best;
}
