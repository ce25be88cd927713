// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches of random kernels for a device: what test/gpu/run.c reads.
//
// A launch is taken when replay runs it to its end without breaking an assumption, touches no
// more memory than can be carried along, and does so in another order, too, and with other
// contents of memory that nobody wrote. All numbers are little-endian, 64 bits each:
//   kernel, grid.x .y .z, block.x .y .z, bytes of dynamic shared memory,
//   arguments; of each: its size, and its bytes (up to a multiple of 8),
//   buffers; of each: where the pointer lies from its begin, its size, and its bytes (likewise),
//   pointers; of each: argument, offset in it, buffer,
//   device variables; of each: buffer, and its name (24 bytes)
#include "gpu.h"

#include "gs_descriptor.h"
#include "launch.h"

#include <stdlib.h>
#include <string.h>

enum { LAUNCHES = 3, TRIES = 40, MOST = 1 << 16, ALIGN = 64, MAX_WINDOWS = 40 };

typedef struct range {
  int64_t low, high; ///< bytes that were touched, from the window's begin
  bool any;
} range;

typedef struct survey {
  fz_launch launch; ///< first: `user` of the run's callbacks is it
  range ranges[MAX_WINDOWS];
} survey;

static bool touched(void *user, const gs_replay_touch *t) {
  survey *s = user;
  if (t->window >= MAX_WINDOWS)
    return true;
  range *r = &s->ranges[t->window];
  int64_t end = t->offset + (int64_t)t->size;
  r->low = !r->any || t->offset < r->low ? t->offset : r->low;
  r->high = !r->any || end > r->high ? end : r->high;
  r->any = true;
  return false;
}

static bool go_on(void *user, const gs_replay_conflict *c) {
  (void)user;
  (void)c;
  return false;
}

static void number(FILE *f, uint64_t value) { fwrite(&value, 8, 1, f); }

static void bytes(FILE *f, const void *data, size_t size) {
  static const uint8_t zeros[8] = {0};
  number(f, size);
  fwrite(data, 1, size, f);
  fwrite(zeros, 1, (8 - size % 8) % 8, f);
}

/// Bytes [low, low + size) of a window as they are before the launch.
static void buffer(FILE *f, fz_launch *l, uint32_t window, int64_t low, uint64_t size) {
  uint8_t *data = calloc(size + ALIGN, 1);
  if (!data)
    abort();
  for (uint64_t at = 0; at < size; at += ALIGN)
    l->launch.fill(l, window, low + (int64_t)at, data + at, ALIGN);
  number(f, (uint64_t)-low);
  bytes(f, data, size);
  free(data);
}

/// What of a buffer is carried: all of it where its size is claimed.
static bool extent(const survey *s, uint32_t window, int64_t *low, uint64_t *size) {
  const range *r = &s->ranges[window];
  uint64_t claimed = s->launch.memory[window - s->launch.code->window_count].size;
  int64_t high = r->any ? r->high : 0;
  *low = r->any ? (r->low < 0 ? r->low - ALIGN : r->low) / ALIGN * ALIGN : 0;
  if (claimed != UINT64_MAX) {
    *low = 0;
    high = (int64_t)claimed;
  }
  *size = (uint64_t)(high - *low);
  return high - *low <= MOST;
}

static bool is_variable(const gs_code *code, uint32_t window) {
  gs_window_kind kind = code->windows[window].kind;
  return kind == GS_WINDOW_GLOBAL || kind == GS_WINDOW_CONSTANT;
}

static void write_launch(FILE *f, survey *s, const fz_kernel *k, const gs_kernel_desc *desc) {
  fz_launch *l = &s->launch;
  const gs_code *code = l->code;
  uint32_t pointers = 0, variables = 0;
  number(f, k->index);
  for (int i = 0; i < 6; i++) {
    const gs_dim *d = i < 3 ? &l->launch.grid : &l->launch.block;
    number(f, i % 3 == 0 ? d->x : i % 3 == 1 ? d->y : d->z);
  }
  const range *dynamic = NULL;
  for (uint32_t w = 0; w < code->window_count; w++) {
    variables += is_variable(code, w);
    if (code->windows[w].kind == GS_WINDOW_DYNAMIC)
      dynamic = &s->ranges[w];
  }
  number(f, dynamic && dynamic->any ? (uint64_t)dynamic->high : 0);
  number(f, desc->param_count);
  for (uint32_t i = 0; i < desc->param_count; i++) {
    bytes(f, l->args[i], code->params[i].size);
    for (uint32_t j = 0; j < desc->params[i].field_count; j++)
      pointers += desc->params[i].fields[j].kind == GS_TYPE_POINTER;
    pointers += desc->params[i].kind == GS_TYPE_POINTER && !desc->params[i].field_count;
  }
  number(f, l->launch.memory_count + variables);
  for (uint32_t i = 0; i < l->launch.memory_count; i++) {
    int64_t low = 0;
    uint64_t size = 0;
    extent(s, code->window_count + i, &low, &size);
    buffer(f, l, code->window_count + i, low, size);
  }
  for (uint32_t w = 0; w < code->window_count; w++)
    if (is_variable(code, w))
      buffer(f, l, w, 0, code->windows[w].size);
  number(f, pointers);
  for (uint32_t i = 0; i < desc->param_count; i++) {
    const gs_param_desc *p = &desc->params[i];
    uint32_t count = p->field_count ? p->field_count : 1;
    for (uint32_t j = 0; j < count; j++) {
      uint32_t at = p->field_count ? p->fields[j].offset : 0;
      uint64_t address = 0;
      if ((p->field_count ? p->fields[j].kind : p->kind) != GS_TYPE_POINTER)
        continue;
      memcpy(&address, (const uint8_t *)l->args[i] + at, 8);
      number(f, i);
      number(f, at);
      number(f, gs_address_window(address) - code->window_count);
    }
  }
  number(f, variables);
  for (uint32_t w = 0, n = l->launch.memory_count; w < code->window_count; w++)
    if (is_variable(code, w)) {
      char name[24] = "";
      snprintf(name, sizeof name, "%s", code->windows[w].name);
      number(f, n++);
      fwrite(name, 1, sizeof name, f);
    }
}

static bool fits(const survey *s) {
  const gs_code *code = s->launch.code;
  for (uint32_t w = 0; w < code->window_count; w++)
    if (code->windows[w].kind == GS_WINDOW_DYNAMIC && s->ranges[w].any &&
        (s->ranges[w].low < 0 || s->ranges[w].high > 49152 - 8192))
      return false;
  for (uint32_t i = 0; i < s->launch.launch.memory_count; i++) {
    int64_t low = 0;
    uint64_t size = 0;
    if (!extent(s, code->window_count + i, &low, &size))
      return false;
  }
  return true;
}

/// One run, and what it touched. \returns whether it went to its end without an event.
static bool look(survey *s, uint64_t *steps) {
  gs_replay_result run;
  memset(s->ranges, 0, sizeof s->ranges);
  s->launch.launch.touched = touched;
  s->launch.launch.everyone = true;
  s->launch.launch.met = go_on;
  gs_replay_run(s->launch.code, &s->launch.launch, &run);
  *steps = run.steps;
  return run.end == GS_END_DONE && !run.event_count;
}

static bool is_steady(survey *s) {
  range before[MAX_WINDOWS];
  gs_replay_launch plain = s->launch.launch;
  uint64_t steps[2] = {0};
  bool fine = look(s, &steps[0]);
  memcpy(before, s->ranges, sizeof before);
  s->launch.other = true;
  s->launch.launch.seed++;
  s->launch.launch.order = plain.order == GS_ORDER_FORWARD ? GS_ORDER_BACKWARD : GS_ORDER_FORWARD;
  fine = fine && look(s, &steps[1]) && steps[0] == steps[1] && memcmp(before, s->ranges, sizeof before) == 0;
  s->launch.other = false;
  s->launch.launch.seed = plain.seed;
  return fine;
}

uint32_t fz_gpu_launches(FILE *f, const fz_kernel *k, const gs_kernel_desc *desc,
                         const gs_kernel_result *result, const gs_code *code) {
  enum { FLAT = GS_DESC_ASSUME_BLOCK_Y_ONE | GS_DESC_ASSUME_BLOCK_Z_ONE | GS_DESC_ASSUME_GRID_Y_ONE |
                GS_DESC_ASSUME_GRID_Z_ONE };
  fz_contract contract = {0};
  fz_random r = {k->seed * 131 + 7};
  fz_wish wish = {.flat = (result->assumed & FLAT) != 0};
  uint32_t made = 0;
  if (code->window_count + FZ_MAX_ARRAYS >= MAX_WINDOWS || !fz_contract_make(desc, &contract))
    return 0;
  survey *s = calloc(1, sizeof *s);
  for (int i = 0; s && i < TRIES && made < LAUNCHES; i++) {
    if (!fz_launch_make(k, desc, &contract, code, &wish, &r, &s->launch))
      break;
    if (!is_steady(s) || !fits(s))
      continue;
    write_launch(f, s, k, desc);
    made++;
  }
  free(s);
  fz_contract_free(&contract);
  return made;
}
