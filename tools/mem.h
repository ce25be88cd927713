// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Memory and text of the tool: everything lives until the command ends.
#ifndef GS_MEM_H
#define GS_MEM_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/// Owns all allocations of one run of the tool.
typedef struct gs_mem gs_mem;

gs_mem *gs_mem_create(void);
void gs_mem_free(gs_mem *mem);

/// Zeroed memory. Never NULL: the tool ends with exit code 3 when memory is short.
void *gs_mem_alloc(gs_mem *mem, size_t size);
char *gs_mem_copy(gs_mem *mem, const char *text);
char *gs_mem_printf(gs_mem *mem, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *gs_mem_vprintf(gs_mem *mem, const char *format, va_list args);

/// A growing list of texts, always followed by a NULL (as execv wants it).
typedef struct gs_list {
  const char **items; ///< NULL while the list is empty
  size_t count;
  size_t capacity;
} gs_list;

void gs_list_add(gs_mem *mem, gs_list *list, const char *item);
void gs_list_addf(gs_mem *mem, gs_list *list, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void gs_list_add_all(gs_mem *mem, gs_list *list, const gs_list *more);
bool gs_list_has(const gs_list *list, const char *item);

bool gs_starts_with(const char *text, const char *prefix);
bool gs_ends_with(const char *text, const char *suffix);

#endif
