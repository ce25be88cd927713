// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "query_cache.h"

#include <stdlib.h>

static uint64_t mix(uint64_t h, uint64_t v) {
  h ^= v + 0x9E3779B97F4A7C15u + (h << 6) + (h >> 2);
  return h * 0xBF58476D1CE4E5B9u ^ h >> 29;
}

gs_query_key gs_query_key_of(const gs_case *c, bool overlap, gs_term extra) {
  uint64_t sum = 0, other = 0;
  for (size_t i = 0; i < c->fact_count; i++) {
    sum += mix(1, c->facts[i]);
    other ^= mix(7, c->facts[i]);
  }
  uint64_t shape = mix(mix(overlap, extra), c->distinct_count);
  for (uint32_t i = 0; i < c->distinct_count; i++)
    shape = mix(mix(shape, c->distinct[i][0]), c->distinct[i][1]);
  if (overlap)
    for (int who = 0; who < 2; who++)
      shape = mix(mix(shape, c->offset[who]), c->size[who]);
  uint64_t first = mix(shape, sum);
  return (gs_query_key){{first ? first : 1, mix(other, shape)}};
}

static gs_cached *slot_of(const gs_query_cache *cache, gs_query_key key) {
  uint32_t slot = (uint32_t)key.word[0] & (cache->capacity - 1);
  while (cache->slots[slot].key.word[0] && (cache->slots[slot].key.word[0] != key.word[0] ||
                                            cache->slots[slot].key.word[1] != key.word[1]))
    slot = (slot + 1) & (cache->capacity - 1);
  return &cache->slots[slot];
}

bool gs_query_cache_find(const gs_query_cache *cache, gs_query_key key, gs_answer *answer) {
  if (!cache->capacity)
    return false;
  const gs_cached *slot = slot_of(cache, key);
  *answer = slot->answer;
  return slot->key.word[0] != 0;
}

static bool grow(gs_query_cache *cache) {
  gs_query_cache larger = {.count = cache->count,
                           .capacity = cache->capacity ? cache->capacity * 2 : 256};
  larger.slots = calloc(larger.capacity, sizeof *larger.slots);
  if (!larger.slots)
    return false;
  for (uint32_t i = 0; i < cache->capacity; i++)
    if (cache->slots[i].key.word[0])
      *slot_of(&larger, cache->slots[i].key) = cache->slots[i];
  free(cache->slots);
  *cache = larger;
  return true;
}

void gs_query_cache_add(gs_query_cache *cache, gs_query_key key, gs_answer answer) {
  if (cache->count * 2 >= cache->capacity && !grow(cache))
    return;
  gs_cached *slot = slot_of(cache, key);
  cache->count += !slot->key.word[0];
  *slot = (gs_cached){key, answer};
}

void gs_query_cache_free(gs_query_cache *cache) {
  free(cache->slots);
  *cache = (gs_query_cache){0};
}
