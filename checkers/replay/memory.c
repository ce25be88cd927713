// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory.h"

#include "handover.h"
#include "machine.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE = 64, BUCKETS = 4096 };

typedef struct entry {
  uint32_t block, thread, phase, clock, epoch, fences[2], update;
  uint32_t line; ///< + 1; 0 = empty
} entry;

typedef struct cell {
  entry own[GS_CLASS_COUNT][2];   ///< of the block that ran last, different threads
  entry first[GS_CLASS_COUNT][2]; ///< of different blocks
} cell;

typedef struct page {
  struct page *next;
  uint64_t number; ///< address / PAGE
  uint32_t instance;
  cell *cells; ///< PAGE of them, or NULL
  uint8_t data[PAGE];
} page;

struct gs_memory {
  const gs_code *code;
  const gs_replay_launch *launch;
  const uint8_t **inits; ///< for each window of the code; NULL = none
  page *buckets[BUCKETS];
  page *last;
  bool failed;
};

gs_memory *gs_memory_new(const gs_code *code, const gs_replay_launch *launch) {
  gs_memory *m = calloc(1, sizeof *m);
  if (!m)
    return NULL;
  m->code = code;
  m->launch = launch;
  m->inits = calloc(code->window_count + 1u, sizeof *m->inits);
  if (!m->inits) {
    free(m);
    return NULL;
  }
  for (uint32_t w = 0; w < code->window_count; w++)
    m->inits[w] = code->windows[w].init;
  for (uint32_t i = 0; i < code->param_count; i++)
    if (code->params[i].window != GS_NO_WINDOW)
      m->inits[code->params[i].window] = launch->args[i];
  return m;
}

void gs_memory_free(gs_memory *memory) {
  if (!memory)
    return;
  for (int i = 0; i < BUCKETS; i++)
    for (page *p = memory->buckets[i]; p;) {
      page *next = p->next;
      free(p->cells);
      free(p);
      p = next;
    }
  free(memory->inits);
  free(memory);
}

bool gs_memory_failed(const gs_memory *memory) { return memory->failed; }

static gs_window_kind kind_of(const gs_memory *m, uint32_t window) {
  return window < m->code->window_count ? m->code->windows[window].kind : GS_WINDOW_GLOBAL;
}

static uint64_t size_of(const gs_memory *m, uint32_t window) {
  uint32_t n = m->code->window_count;
  if (window >= n)
    return window - n < m->launch->memory_count ? m->launch->memory[window - n].size : 0;
  return m->code->windows[window].kind == GS_WINDOW_DYNAMIC ? m->launch->dynamic_smem
                                                            : m->code->windows[window].size;
}

bool gs_memory_inside(const gs_memory *memory, uint64_t address, uint64_t size, uint32_t *window,
                      int64_t *offset) {
  *window = gs_address_window(address);
  *offset = (int64_t)(address - gs_window_address(*window));
  uint64_t bytes = *window == UINT32_MAX ? 0 : size_of(memory, *window);
  if (memory->launch->watch_count)
    return size < UINT64_C(1) << (GS_WINDOW_BITS - 2);
  if (bytes == UINT64_MAX)
    return size < UINT64_C(1) << (GS_WINDOW_BITS - 2);
  return *offset >= 0 && size <= bytes && (uint64_t)*offset <= bytes - size;
}

// --------------------------------------------------------------- pages ----

static void fill_page(gs_memory *m, page *p, uint32_t window) {
  int64_t offset = (int64_t)(p->number * PAGE - gs_window_address(window));
  const uint8_t *init = window < m->code->window_count ? m->inits[window] : NULL;
  gs_window_kind kind = kind_of(m, window);
  uint64_t size = size_of(m, window);
  for (uint64_t i = 0; i < PAGE; i += 8) {
    uint64_t bits = gs_mix(gs_mix(p->number * PAGE + i) ^ gs_mix(m->launch->seed + p->instance));
    memcpy(p->data + i, &bits, 8);
  }
  if (init)
    for (uint64_t i = 0; i < PAGE && (uint64_t)offset + i < size; i++)
      p->data[i] = init[(uint64_t)offset + i];
  else if (m->launch->fill && kind != GS_WINDOW_LOCAL)
    m->launch->fill(m->launch->user, window, offset, p->data, PAGE);
}

/// Which copy of a window the thread sees.
static uint32_t instance_of(const gs_memory *m, const gs_date *date, uint32_t window) {
  switch (kind_of(m, window)) {
  case GS_WINDOW_GLOBAL:
  case GS_WINDOW_CONSTANT: return 0;
  case GS_WINDOW_SHARED:
  case GS_WINDOW_DYNAMIC: return date->block + 1;
  case GS_WINDOW_LOCAL: break;
  }
  return (uint32_t)gs_mix((uint64_t)date->block << 32 | date->thread) | 1;
}

static page *find_page(gs_memory *m, const gs_date *date, uint64_t address) {
  uint64_t number = address / PAGE;
  uint32_t window = gs_address_window(address), instance = instance_of(m, date, window);
  if (m->last && m->last->number == number && m->last->instance == instance)
    return m->last;
  page **bucket = &m->buckets[gs_mix(number ^ (uint64_t)instance << 40) % BUCKETS];
  for (page *p = *bucket; p; p = p->next)
    if (p->number == number && p->instance == instance)
      return m->last = p;
  page *p = calloc(1, sizeof *p);
  if (!p) {
    m->failed = true;
    return NULL;
  }
  *p = (page){.next = *bucket, .number = number, .instance = instance};
  fill_page(m, p, window);
  *bucket = p;
  return m->last = p;
}

bool gs_memory_read(gs_memory *memory, const gs_date *date, uint64_t address, void *bytes,
                    uint64_t size) {
  uint8_t *to = bytes;
  while (size) {
    page *p = find_page(memory, date, address);
    uint64_t at = address % PAGE, n = PAGE - at < size ? PAGE - at : size;
    if (!p)
      return false;
    memcpy(to, p->data + at, n);
    to += n;
    address += n;
    size -= n;
  }
  return true;
}

bool gs_memory_write(gs_memory *memory, const gs_date *date, uint64_t address, const void *bytes,
                     uint64_t size) {
  const uint8_t *from = bytes;
  while (size) {
    page *p = find_page(memory, date, address);
    uint64_t at = address % PAGE, n = PAGE - at < size ? PAGE - at : size;
    if (!p)
      return false;
    memcpy(p->data + at, from, n);
    from += n;
    address += n;
    size -= n;
  }
  return true;
}

// -------------------------------------------------------------- shadow ----

static bool kinds_conflict(gs_access_class a, gs_access_class b, bool same_block, bool owned) {
  if (!gs_class_writes(a) && !gs_class_writes(b))
    return false;
  if (owned || !gs_class_is_atomic(a) || !gs_class_is_atomic(b))
    return true;
  return !same_block && (a >= GS_CLASS_BLOCK_READ || b >= GS_CLASS_BLOCK_READ);
}

/// Is the earlier access ordered before `date` by what its thread waited for?
static bool is_ordered(const gs_code *code, const entry *e, const gs_date *date) {
  if (e->thread == date->thread || e->phase != date->phase)
    return true;
  return e->clock && gs_clock_covers(code, e->thread, date->thread) &&
         date->clock[gs_clock_entry(code, e->thread)] >= e->clock;
}

/// Did the thread that made the access hand it over to the thread of `date`?
static bool is_handed(const gs_code *code, const entry *e, const gs_date *date) {
  gs_handed access = {e->block, e->thread, e->phase, {e->fences[0], e->fences[1]}, e->update};
  return date->handover && gs_handover_knows(date->handover, code, &access, date);
}

static void remember(const gs_code *code, cell *c, const gs_date *date, gs_access_class class) {
  entry now = {date->block, date->thread, date->phase, date->clock[gs_clock_entry(code, date->thread)],
               date->epoch, {date->fences[0], date->fences[1]}, date->update, date->line + 1};
  entry *own = c->own[class], *first = c->first[class];
  if (own->block != now.block || own->phase != now.phase || !own->line) {
    own[0] = now;
    own[1].line = 0;
  } else if (own->thread == now.thread) {
    own[0] = now;
  } else {
    own[1] = now;
  }
  if (!first[0].line || first[0].epoch != now.epoch) {
    first[0] = now;
    first[1].line = 0;
  } else if (date->handover && first[0].block == now.block) {
    first[0] = now;
  } else if ((date->handover || !first[1].line) && first[0].block != now.block) {
    first[1] = now;
  }
}

typedef struct noted {
  const gs_date *date;
  gs_access_class class;
  bool owned;
  gs_replay_conflict *out;
  uint32_t count;
  const gs_code *code;
} noted;

static void compare(noted *n, const entry *e, gs_access_class with, bool first) {
  const gs_date *date = n->date;
  bool same_block = e->block == date->block;
  if (!e->line || e->epoch != date->epoch || (first && same_block) || (!first && !same_block) ||
      !kinds_conflict(n->class, with, same_block, n->owned) || (!first && is_ordered(n->code, e, date)) || is_handed(n->code, e, date))
    return;
  gs_replay_conflict *c = &n->out[n->count++];
  c->access[0] = (gs_replay_access){date->block, date->thread, date->line,
                                    gs_class_writes(n->class), gs_class_is_atomic(n->class)};
  c->access[1] = (gs_replay_access){e->block, e->thread, e->line - 1, gs_class_writes(with),
                                    gs_class_is_atomic(with)};
}

static void find_conflicts(noted *n, const cell *c) {
  for (int k = 0; k < GS_CLASS_COUNT; k++)
    for (int i = 0; i < 2; i++) {
      compare(n, &c->own[k][i], (gs_access_class)k, false);
      compare(n, &c->first[k][i], (gs_access_class)k, true);
    }
}

/// Memory of which each thread should have its own bytes: no barrier orders there.
static bool is_owned(const gs_memory *m, uint32_t window) {
  uint32_t n = m->code->window_count;
  return window >= n && window - n < m->launch->memory_count && m->launch->memory[window - n].owned;
}

static cell *find_cell(gs_memory *memory, const gs_date *date, uint64_t address) {
  page *p = find_page(memory, date, address);
  if (p && !p->cells)
    p->cells = calloc(PAGE, sizeof *p->cells);
  if (!p || !p->cells) {
    memory->failed = true;
    return NULL;
  }
  return &p->cells[address % PAGE];
}

uint32_t gs_memory_note(gs_memory *memory, const gs_date *date, uint64_t address, uint64_t size,
                        gs_access_class class, gs_replay_conflict *out) {
  static const uint32_t no_clock[GS_MAX_THREADS] = {0}; // nobody knows of anyone
  uint32_t window = gs_address_window(address);
  gs_window_kind kind = kind_of(memory, window);
  gs_date timeless = {.block = date->block, .thread = date->thread, .line = date->line, .clock = no_clock};
  noted n = {.date = date, .class = class, .owned = is_owned(memory, window), .out = out,
             .code = memory->code};
  if (kind == GS_WINDOW_LOCAL || kind == GS_WINDOW_CONSTANT)
    return 0;
  if (n.owned)
    n.date = &timeless;
  for (uint64_t i = 0; i < size; i++) {
    cell *c = find_cell(memory, date, address + i);
    if (!c)
      return 0;
    if (!n.count) {
      find_conflicts(&n, c);
      for (uint32_t j = 0; j < n.count; j++) {
        out[j].window = window;
        out[j].offset = (int64_t)(address + i - gs_window_address(window));
        out[j].size = (uint32_t)size;
      }
    }
    remember(memory->code, c, n.date, class);
  }
  return n.count;
}
