// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "words.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_blank(char c) { return c && strchr(" \t\r\n\v\f", c) != NULL; }

/// One word from *at, unquoted, into `word` (which has room for all of the text).
static void take_word(const char **at, char *word) {
  const char *p = *at;
  char quote = 0;
  for (; *p && (quote || !is_blank(*p)); p++) {
    bool escapes = *p == '\\' && p[1] && quote != '\'' &&
                   (!quote || p[1] == '"' || p[1] == '\\');
    if (escapes)
      *word++ = *++p;
    else if (!quote && (*p == '"' || *p == '\''))
      quote = *p;
    else if (quote && *p == quote)
      quote = 0;
    else
      *word++ = *p;
  }
  *word = '\0';
  *at = p;
}

void gs_words_split(gs_mem *mem, const char *text, gs_list *out) {
  char *word = gs_mem_alloc(mem, strlen(text) + 1);
  for (;;) {
    while (is_blank(*text))
      text++;
    if (!*text)
      return;
    take_word(&text, word);
    gs_list_add(mem, out, gs_mem_copy(mem, word));
  }
}

void gs_words_split_list(gs_mem *mem, const char *text, gs_list *out) {
  char *part = gs_mem_alloc(mem, strlen(text) + 1), *end = part;
  bool quoted = false;
  for (;; text++) {
    if (!*text || (*text == ',' && !quoted)) {
      *end = '\0';
      if (end != part)
        gs_list_add(mem, out, gs_mem_copy(mem, part));
      if (!*text)
        return;
      end = part;
      continue;
    }
    if (*text == '\\' && text[1])
      text++;
    else if (*text == '"')
      quoted = !quoted;
    *end++ = *text;
  }
}

char *gs_words_read_file(gs_mem *mem, const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file)
    return NULL;
  size_t size = 0, capacity = 4096, n;
  char *text = malloc(capacity);
  while (text && (n = fread(text + size, 1, capacity - size - 1, file)) > 0) {
    size += n;
    if (size + 1 < capacity)
      continue;
    char *more = realloc(text, capacity *= 2);
    if (!more)
      free(text);
    text = more;
  }
  bool broken = !text || ferror(file);
  int error = text ? errno : ENOMEM;
  fclose(file);
  if (broken) {
    free(text);
    errno = error;
    return NULL;
  }
  char *copy = gs_mem_alloc(mem, size + 1);
  for (size_t i = 0; i < size; i++)
    copy[i] = text[i] ? text[i] : '?';
  free(text);
  return copy;
}

const char *gs_words_path(gs_mem *mem, const char *directory, const char *path) {
  return *path == '/' ? path : gs_mem_printf(mem, "%s/%s", directory, path);
}

const char *gs_words_base(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

const char *gs_words_quote(gs_mem *mem, const char *word) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                              "0123456789_-+=./:,@%^";
  if (*word && strspn(word, plain) == strlen(word))
    return word;
  char *out = gs_mem_alloc(mem, 4 * strlen(word) + 3), *end = out;
  *end++ = '\'';
  for (; *word; word++) {
    if (*word == '\'') {
      memcpy(end, "'\\''", 4);
      end += 4;
    } else {
      *end++ = *word;
    }
  }
  *end = '\'';
  return out;
}
