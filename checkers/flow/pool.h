// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Memory that is freed all at once.
#ifndef GS_POOL_H
#define GS_POOL_H

#include <stdbool.h>
#include <stddef.h>

typedef struct gs_pool gs_pool;

gs_pool *gs_pool_new(void);
void gs_pool_free(gs_pool *arena);
/// Zeroed memory, aligned for anything. NULL when memory is short (then failed).
void *gs_pool_alloc(gs_pool *arena, size_t size);
bool gs_pool_failed(const gs_pool *arena);
/// A copy; NULL stays NULL.
const char *gs_pool_text(gs_pool *arena, const char *text);
const char *gs_pool_format(gs_pool *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
