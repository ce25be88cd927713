// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "handover.h"

#include "machine.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_RELEASES = 1 << 18 };

/// An update, and what its thread has to hand over.
typedef struct release {
  uint32_t block, thread, phase;
  uint32_t fences[2];      ///< that the thread has passed: of the device, of any kind
  uint32_t fence_phase[2]; ///< when it passed the last
  const uint32_t *settled[2]; ///< see block_state
} release;

/// A place that is updated.
typedef struct place {
  uint64_t address, size;
  uint32_t block; ///< shared memory: number + 1; else 0
  uint32_t *releases; ///< numbers, in order
  uint32_t count, capacity;
  uint32_t begin; ///< those before were lost by another write
} place;

/// A thread came to know the releases [begin, end) of a place.
typedef struct lesson {
  uint32_t place, begin, end, thread, phase, clock;
} lesson;

typedef struct block_state {
  uint32_t number;
  uint32_t *fences[2];      ///< that each thread has passed,
  uint32_t *fence_phase[2]; ///< when the last
  uint32_t *settled[2];     ///< and how many at the last barrier; of `arrays`
  bool shared;              ///< a release points to `settled`
  lesson *lessons;
  uint32_t lesson_count, lesson_capacity;
} block_state;

struct gs_handover {
  uint32_t thread_count;
  block_state *blocks, *at; ///< the one that runs
  uint32_t block_count, block_capacity;
  place *places;
  uint32_t place_count, place_capacity;
  release *releases;
  uint32_t release_count, release_capacity;
  uint32_t **arrays; ///< owned
  uint32_t array_count, array_capacity;
  bool failed;
};

/// Makes room for one more. \returns false when memory is short.
static bool grow(gs_handover *h, void **array, uint32_t count, uint32_t *capacity, size_t size) {
  if (count < *capacity)
    return true;
  uint32_t more = *capacity ? *capacity * 2 : 8;
  void *grown = realloc(*array, more * size);
  h->failed |= !grown;
  if (!grown)
    return false;
  *array = grown;
  *capacity = more;
  return true;
}

/// A number for each thread, 0 at first.
static uint32_t *new_array(gs_handover *h) {
  uint32_t *array = grow(h, (void **)&h->arrays, h->array_count, &h->array_capacity, sizeof *h->arrays)
                        ? calloc(h->thread_count, sizeof *array)
                        : NULL;
  h->failed |= !array;
  if (array)
    h->arrays[h->array_count++] = array;
  return array;
}

gs_handover *gs_handover_new(uint32_t thread_count) {
  gs_handover *h = calloc(1, sizeof *h);
  if (h)
    h->thread_count = thread_count;
  return h;
}

void gs_handover_free(gs_handover *h) {
  if (!h)
    return;
  for (uint32_t i = 0; i < h->array_count; i++)
    free(h->arrays[i]);
  for (uint32_t i = 0; i < h->block_count; i++)
    free(h->blocks[i].lessons);
  for (uint32_t i = 0; i < h->place_count; i++)
    free(h->places[i].releases);
  free(h->arrays);
  free(h->blocks);
  free(h->places);
  free(h->releases);
  free(h);
}

bool gs_handover_failed(const gs_handover *h) { return h->failed; }

void gs_handover_enter(gs_handover *h, uint32_t block) {
  h->at = NULL;
  for (uint32_t i = h->block_count; i > 0 && !h->at; i--)
    if (h->blocks[i - 1].number == block)
      h->at = &h->blocks[i - 1];
  if (h->at || !grow(h, (void **)&h->blocks, h->block_count, &h->block_capacity, sizeof *h->blocks))
    return;
  block_state b = {.number = block};
  for (int any = 0; any < 2; any++) {
    b.fences[any] = new_array(h);
    b.fence_phase[any] = new_array(h);
    b.settled[any] = new_array(h);
  }
  if (h->failed)
    return;
  h->at = &h->blocks[h->block_count++];
  *h->at = b;
}

void gs_handover_barrier(gs_handover *h) {
  block_state *b = h->at;
  size_t size = h->thread_count * sizeof(uint32_t);
  if (!b || memcmp(b->settled[1], b->fences[1], size) == 0)
    return;
  for (int any = 0; any < 2; any++) {
    uint32_t *settled = b->shared ? new_array(h) : b->settled[any];
    if (!settled)
      return;
    memcpy(settled, b->fences[any], size);
    b->settled[any] = settled;
  }
  b->shared = false;
}

void gs_handover_fence(gs_handover *h, const gs_date *date, bool narrow) {
  for (int any = narrow; any < 2 && h->at; any++) {
    h->at->fences[any][date->thread]++;
    h->at->fence_phase[any][date->thread] = date->phase;
  }
}

uint32_t gs_handover_next(const gs_handover *h) { return h->release_count + 1; }

uint32_t gs_handover_fences(const gs_handover *h, uint32_t thread, bool any) {
  return h->at ? h->at->fences[any][thread] : 0;
}

// --------------------------------------------------------------- places ----

static bool overlap(const place *p, uint32_t block, uint64_t address, uint64_t size) {
  return p->block == block && address < p->address + p->size && p->address < address + size;
}

/// The place of this address and size, a new one where there is none.
static place *find_place(gs_handover *h, uint32_t block, uint64_t address, uint64_t size) {
  for (uint32_t i = 0; i < h->place_count; i++)
    if (h->places[i].block == block && h->places[i].address == address && h->places[i].size == size)
      return &h->places[i];
  if (!grow(h, (void **)&h->places, h->place_count, &h->place_capacity, sizeof *h->places))
    return NULL;
  h->places[h->place_count] = (place){.address = address, .size = size, .block = block};
  return &h->places[h->place_count++];
}

static void learn(gs_handover *h, const gs_date *date, const place *p, uint32_t clock) {
  block_state *b = h->at;
  if (p->begin == p->count ||
      !grow(h, (void **)&b->lessons, b->lesson_count, &b->lesson_capacity, sizeof *b->lessons))
    return;
  b->lessons[b->lesson_count++] = (lesson){(uint32_t)(p - h->places), p->begin, p->count, date->thread, date->phase, clock};
}

static void hand_over(gs_handover *h, const gs_date *date, place *p) {
  block_state *b = h->at;
  if (!grow(h, (void **)&h->releases, h->release_count, &h->release_capacity, sizeof *h->releases) ||
      !grow(h, (void **)&p->releases, p->count, &p->capacity, sizeof *p->releases))
    return;
  h->failed |= h->release_count >= MAX_RELEASES;
  b->shared = true;
  release *r = &h->releases[h->release_count];
  *r = (release){.block = b->number, .thread = date->thread, .phase = date->phase};
  for (int any = 0; any < 2; any++) {
    r->fences[any] = b->fences[any][date->thread];
    r->fence_phase[any] = b->fence_phase[any][date->thread];
    r->settled[any] = b->settled[any];
  }
  p->releases[p->count++] = h->release_count++;
}

void gs_handover_note(gs_handover *h, const gs_date *date, uint64_t address, uint64_t size,
                      gs_access_class class, bool shared, bool reads, uint32_t clock) {
  bool writes = gs_class_writes(class), wide = class == GS_CLASS_ATOMIC || class == GS_CLASS_ATOMIC_READ;
  if (!h->at || h->failed)
    return;
  uint32_t block = shared ? h->at->number + 1 : 0;
  wide |= shared && gs_class_is_atomic(class);
  for (uint32_t i = 0; writes && i < h->place_count; i++) {
    place *p = &h->places[i];
    bool exact = p->address == address && p->size == size;
    if (overlap(p, block, address, size) && !(wide && reads && exact))
      p->begin = p->count;
  }
  place *p = wide ? find_place(h, block, address, size) : NULL;
  if (p && (reads || !writes))
    learn(h, date, p, clock);
  if (p && writes)
    hand_over(h, date, p);
}

// ------------------------------------------------------------ knowledge ----

/// Did the access come before the release, with a fence between? The update itself needs none.
static bool covers(const gs_handover *h, uint32_t number, const gs_handed *access, bool any) {
  const release *r = &h->releases[number];
  if (access->update == number + 1)
    return true;
  if (r->block != access->block)
    return false;
  if (r->thread == access->thread)
    return r->fences[any] > access->fences[any];
  return r->phase > access->phase &&
         (r->settled[any][access->thread] > access->fences[any] ||
          (r->fences[any] && r->fence_phase[any] > access->phase));
}

static bool has_lesson(const gs_code *code, const lesson *l, const gs_date *date) {
  if (l->thread == date->thread || l->phase < date->phase)
    return true;
  return gs_clock_covers(code, l->thread, date->thread) && date->clock[gs_clock_entry(code, l->thread)] >= l->clock;
}

bool gs_handover_knows(const gs_handover *h, const gs_code *code, const gs_handed *access, const gs_date *date) {
  const block_state *b = h->at;
  for (uint32_t i = 0; b && i < b->lesson_count; i++) {
    const lesson *l = &b->lessons[i];
    const place *p = &h->places[l->place];
    for (uint32_t j = l->begin; j < l->end && has_lesson(code, l, date); j++)
      if (covers(h, p->releases[j], access, access->block == date->block))
        return true;
  }
  return false;
}
