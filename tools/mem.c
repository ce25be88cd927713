// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct gs_block {
  struct gs_block *next;
  max_align_t data[];
} gs_block;

struct gs_mem {
  gs_block *blocks;
};

static void *need(void *memory) {
  if (!memory) {
    fputs("gpusafe: error: out of memory\n", stderr);
    exit(3);
  }
  return memory;
}

gs_mem *gs_mem_create(void) { return need(calloc(1, sizeof(gs_mem))); }

void gs_mem_free(gs_mem *mem) {
  if (!mem)
    return;
  for (gs_block *block = mem->blocks, *next; block; block = next) {
    next = block->next;
    free(block);
  }
  free(mem);
}

void *gs_mem_alloc(gs_mem *mem, size_t size) {
  gs_block *block = need(calloc(1, sizeof(gs_block) + size));
  block->next = mem->blocks;
  mem->blocks = block;
  return block->data;
}

char *gs_mem_copy(gs_mem *mem, const char *text) {
  size_t size = strlen(text) + 1;
  return memcpy(gs_mem_alloc(mem, size), text, size);
}

char *gs_mem_vprintf(gs_mem *mem, const char *format, va_list args) {
  va_list again;
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, format, args);
  size_t size = length < 0 ? 1 : (size_t)length + 1;
  char *text = gs_mem_alloc(mem, size);
  vsnprintf(text, size, format, again);
  va_end(again);
  return text;
}

char *gs_mem_printf(gs_mem *mem, const char *format, ...) {
  va_list args;
  va_start(args, format);
  char *text = gs_mem_vprintf(mem, format, args);
  va_end(args);
  return text;
}

void gs_list_add(gs_mem *mem, gs_list *list, const char *item) {
  if (list->count + 1 >= list->capacity) {
    size_t capacity = list->capacity ? 2 * list->capacity : 8;
    const char **items = gs_mem_alloc(mem, capacity * sizeof *items);
    if (list->count)
      memcpy(items, list->items, list->count * sizeof *items);
    list->items = items;
    list->capacity = capacity;
  }
  list->items[list->count++] = item;
  list->items[list->count] = NULL;
}

void gs_list_addf(gs_mem *mem, gs_list *list, const char *format, ...) {
  va_list args;
  va_start(args, format);
  gs_list_add(mem, list, gs_mem_vprintf(mem, format, args));
  va_end(args);
}

void gs_list_add_all(gs_mem *mem, gs_list *list, const gs_list *more) {
  for (size_t i = 0; i < more->count; i++)
    gs_list_add(mem, list, more->items[i]);
}

bool gs_list_has(const gs_list *list, const char *item) {
  for (size_t i = 0; i < list->count; i++)
    if (strcmp(list->items[i], item) == 0)
      return true;
  return false;
}

bool gs_starts_with(const char *text, const char *prefix) {
  return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool gs_ends_with(const char *text, const char *suffix) {
  size_t length = strlen(text), end = strlen(suffix);
  return length >= end && strcmp(text + length - end, suffix) == 0;
}
