// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Questions that were answered before. Private to the prover.
#ifndef GS_QUERY_CACHE_H
#define GS_QUERY_CACHE_H

#include "scene.h"
#include "smt.h"

/// 128 bits of hash stand for a question; the first word is never 0.
typedef struct gs_query_key {
  uint64_t word[2];
} gs_query_key;

typedef struct gs_cached {
  gs_query_key key;
  gs_answer answer;
} gs_cached;

/// Open addressing. Starts as all zeros.
typedef struct gs_query_cache {
  gs_cached *slots;
  uint32_t count, capacity;
} gs_query_cache;

/// Facts are a set: their order does not matter.
gs_query_key gs_query_key_of(const gs_case *c, bool overlap, gs_term extra);

bool gs_query_cache_find(const gs_query_cache *cache, gs_query_key key, gs_answer *answer);
/// Forgets the answer when memory is short.
void gs_query_cache_add(gs_query_cache *cache, gs_query_key key, gs_answer answer);
void gs_query_cache_free(gs_query_cache *cache);

#endif
