// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Memory and text of the tool: everything lives until the command ends.
#ifndef GS_POOL_H
#define GS_POOL_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/// Owns all allocations of one run of the tool.
typedef struct gs_pool gs_pool;

gs_pool *gs_pool_create(void);
void gs_pool_free(gs_pool *pool);

/// Zeroed memory. Never NULL: the tool ends with exit code 3 when memory is short.
void *gs_pool_alloc(gs_pool *pool, size_t size);
char *gs_pool_copy(gs_pool *pool, const char *text);
char *gs_pool_printf(gs_pool *pool, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *gs_pool_vprintf(gs_pool *pool, const char *format, va_list args);

/// A growing list of texts, always followed by a NULL (as execv wants it).
typedef struct gs_list {
  const char **items; ///< NULL while the list is empty
  size_t count;
  size_t capacity;
} gs_list;

void gs_list_add(gs_pool *pool, gs_list *list, const char *item);
void gs_list_addf(gs_pool *pool, gs_list *list, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void gs_list_add_all(gs_pool *pool, gs_list *list, const gs_list *more);
bool gs_list_has(const gs_list *list, const char *item);

bool gs_starts_with(const char *text, const char *prefix);
bool gs_ends_with(const char *text, const char *suffix);

#endif
