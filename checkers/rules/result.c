// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "result.h"

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

/// Makes room for one more element; the old array stays in the arena.
static void *room(gs_pool *arena, void *array, uint32_t count, uint32_t *capacity, size_t size) {
  if (count < *capacity)
    return array;
  uint32_t next = *capacity ? *capacity * 2 : 8;
  void *moved = gs_pool_alloc(arena, next * size);
  if (!moved)
    return NULL;
  if (count)
    memcpy(moved, array, count * size);
  *capacity = next;
  return moved;
}

gs_finding *gs_result_add(gs_result *r, const gs_finding *finding) {
  gs_finding *array =
      room(r->arena, r->findings, r->finding_count, &r->finding_capacity, sizeof *array);
  if (!array)
    return NULL;
  r->findings = array;
  array[r->finding_count] = *finding;
  return &array[r->finding_count++];
}

void gs_result_assume(gs_result *r, const char *text, bool checked, gs_loc loc) {
  for (uint32_t i = 0; i < r->assumption_count; i++)
    if (strcmp(r->assumptions[i].text, text) == 0)
      return;
  gs_assumption *array = room(r->arena, r->assumptions, r->assumption_count,
                              &r->assumption_capacity, sizeof *array);
  if (!array)
    return;
  r->assumptions = array;
  loc.file = gs_pool_text(r->arena, loc.file);
  array[r->assumption_count++] = (gs_assumption){gs_pool_text(r->arena, text), checked, loc};
}

void gs_result_note(gs_result *r, gs_finding *finding, gs_loc loc, const char *text) {
  gs_note *notes = gs_pool_alloc(r->arena, (finding->note_count + 1) * sizeof *notes);
  if (!notes)
    return;
  if (finding->note_count)
    memcpy(notes, finding->notes, finding->note_count * sizeof *notes);
  loc.file = gs_pool_text(r->arena, loc.file);
  notes[finding->note_count] = (gs_note){loc, gs_pool_text(r->arena, text)};
  finding->notes = notes;
  finding->note_count++;
}

static int order(const void *a, const void *b) {
  const gs_finding *x = a, *y = b;
  if (x->loc.line != y->loc.line)
    return x->loc.line < y->loc.line ? -1 : 1;
  if (x->loc.column != y->loc.column)
    return x->loc.column < y->loc.column ? -1 : 1;
  if (x->rule != y->rule)
    return x->rule < y->rule ? -1 : 1;
  return strcmp(x->message, y->message);
}

void gs_result_finish(gs_result *r, gs_kernel_result *out) {
  gs_verdict worst = r->trusted ? GS_TRUSTED : GS_PROVED;
  // A definite violation is the most useful verdict, then what is not known.
  static const int rank[] = {[GS_PROVED] = 0, [GS_TRUSTED] = 1, [GS_POSSIBLE] = 2,
                             [GS_UNKNOWN] = 3, [GS_RACE] = 4};
  if (r->finding_count)
    qsort(r->findings, r->finding_count, sizeof *r->findings, order);
  for (uint32_t i = 0; i < r->finding_count; i++)
    if (rank[r->findings[i].verdict] > rank[worst]) {
      worst = r->findings[i].verdict;
      out->reason = r->findings[i].reason;
    }
  out->verdict = worst;
  out->findings = r->findings;
  out->finding_count = r->finding_count;
  out->assumptions = r->assumptions;
  out->assumption_count = r->assumption_count;
}
