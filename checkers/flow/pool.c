// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pool.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 16384 };

typedef struct chunk {
  struct chunk *next;
  size_t used, size;
} chunk;

struct gs_pool {
  chunk *chunks;
  bool failed;
};

gs_pool *gs_pool_new(void) { return calloc(1, sizeof(gs_pool)); }
bool gs_pool_failed(const gs_pool *arena) { return arena->failed; }

void gs_pool_free(gs_pool *arena) {
  if (!arena)
    return;
  for (chunk *c = arena->chunks; c;) {
    chunk *next = c->next;
    free(c);
    c = next;
  }
  free(arena);
}

void *gs_pool_alloc(gs_pool *arena, size_t size) {
  size = (size + 15) & ~(size_t)15;
  chunk *c = arena->chunks;
  if (!c || c->size - c->used < size) {
    size_t room = size > CHUNK ? size : CHUNK, head = (sizeof(chunk) + 15) & ~(size_t)15;
    c = calloc(1, head + room);
    if (!c) {
      arena->failed = true;
      return NULL;
    }
    *c = (chunk){arena->chunks, head, head + room};
    arena->chunks = c;
  }
  void *memory = (char *)c + c->used;
  c->used += size;
  return memory;
}

const char *gs_pool_text(gs_pool *arena, const char *text) {
  if (!text)
    return NULL;
  size_t size = strlen(text) + 1;
  char *copy = gs_pool_alloc(arena, size);
  return copy ? memcpy(copy, text, size) : "";
}

const char *gs_pool_format(gs_pool *arena, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int n = vsnprintf(NULL, 0, format, args);
  va_end(args);
  char *text = n < 0 ? NULL : gs_pool_alloc(arena, (size_t)n + 1);
  if (text)
    vsnprintf(text, (size_t)n + 1, format, again);
  va_end(again);
  return text ? text : "";
}
