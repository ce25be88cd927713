// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "attack.h"

#include "gs_bytecode.h"
#include "gs_descriptor.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CLAUSES = 64, MAX_POINTERS = 64, MAX_VALUES = 64, TRIES = 3000, ZEROS = 5 };

typedef struct clause {
  uint8_t *code;
  size_t size;
} clause;

/// A pointer of the launch.
typedef struct pointer {
  uint32_t param, offset, elem_size;
} pointer;

typedef struct attacker {
  const gs_attack *attack;
  clause facts[MAX_CLAUSES], counts[MAX_CLAUSES];
  const gs_claim *claims[MAX_CLAUSES]; ///< of counts
  uint32_t fact_count, count_count;
  pointer pointers[MAX_POINTERS];
  uint32_t pointer_count;
  uint64_t interesting[MAX_VALUES]; ///< constants of the clauses
  uint32_t interesting_count;
  gs_replay_launch launch;
  gs_replay_memory memory[MAX_POINTERS];
  uint8_t *bytes;
  const void **args;
  uint64_t random, contents_seed;
  uint32_t contents; ///< of memory: which range of values
  bool from_zero; ///< counters are taken to begin with 0
} attacker;

/// splitmix64
static uint64_t next(attacker *a) {
  uint64_t x = a->random += UINT64_C(0x9E3779B97F4A7C15);
  x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
  return x ^ (x >> 31);
}

static uint64_t below(attacker *a, uint64_t n) { return next(a) % n; }

// ---------------------------------------------------------------- clauses ----

static bool compile(const gs_clause *from, clause *out) {
  if (gs_bytecode_compile(from, NULL, 0, &out->size) != GS_OK)
    return false;
  out->code = malloc(out->size);
  return out->code && gs_bytecode_compile(from, out->code, out->size, &out->size) == GS_OK;
}

static void note_constants(attacker *a, const gs_clause *c) {
  for (uint32_t i = 0; i < c->count && a->interesting_count + 3 < MAX_VALUES; i++)
    if (c->nodes[i].op == GS_EXPR_INT)
      for (int64_t d = -1; d <= 1; d++)
        a->interesting[a->interesting_count++] = (uint64_t)(c->nodes[i].value + d);
}

static bool read_contract(attacker *a) {
  const gs_kernel_desc *d = a->attack->desc;
  for (uint32_t i = 0; i < d->fact_count; i++) {
    if (a->fact_count == MAX_CLAUSES || !compile(d->facts[i].clause, &a->facts[a->fact_count]))
      return false;
    a->fact_count++;
    note_constants(a, d->facts[i].clause);
  }
  for (uint32_t i = 0; i < d->claim_count; i++) {
    if (!d->claims[i].count)
      continue;
    if (a->count_count == MAX_CLAUSES || !compile(d->claims[i].count, &a->counts[a->count_count]))
      return false;
    a->claims[a->count_count++] = &d->claims[i];
    note_constants(a, d->claims[i].count);
  }
  return true;
}

static void add_pointer(attacker *a, uint32_t param, uint32_t offset, uint32_t elem_size) {
  if (a->pointer_count < MAX_POINTERS)
    a->pointers[a->pointer_count++] = (pointer){param, offset, elem_size};
}

static void list_pointers(attacker *a) {
  const gs_kernel_desc *d = a->attack->desc;
  for (uint32_t i = 0; i < d->param_count; i++) {
    if (d->params[i].kind == GS_TYPE_POINTER)
      add_pointer(a, i, 0, d->params[i].elem_size);
    for (uint32_t j = 0; j < d->params[i].field_count; j++)
      if (d->params[i].fields[j].kind == GS_TYPE_POINTER)
        add_pointer(a, i, d->params[i].fields[j].offset, d->params[i].fields[j].elem_size);
  }
}

// --------------------------------------------------------------- launches ----

static bool assumes_one(const attacker *a, uint32_t bit) {
  return (a->attack->flat & bit) || (a->attack->result && (a->attack->result->assumed & bit));
}

static void make_sizes(attacker *a) {
  static const uint32_t one[] = {1, 2, 3, 8, 16, 31, 32, 33, 40, 64, 96, 128, 200, 256, 512, 1024};
  static const uint32_t more[] = {1, 1, 2, 3, 4, 8, 16, 32};
  static const uint32_t bits[] = {GS_DESC_ASSUME_BLOCK_Y_ONE, GS_DESC_ASSUME_BLOCK_Z_ONE,
                                  GS_DESC_ASSUME_GRID_Y_ONE, GS_DESC_ASSUME_GRID_Z_ONE};
  gs_dim *block = &a->launch.block, *grid = &a->launch.grid;
  bool cube = below(a, 2); // else everything is in one axis, as it mostly is
  uint32_t *axes[] = {&block->y, &block->z, &grid->y, &grid->z};
  block->x = one[below(a, sizeof one / sizeof *one)];
  grid->x = 1 + (uint32_t)below(a, 4);
  for (int i = 0; i < 4; i++)
    *axes[i] = assumes_one(a, bits[i]) || !cube ? 1 : i < 2 ? more[below(a, 8)] : 1 + (uint32_t)below(a, 2);
  uint32_t *all[] = {&block->x, &grid->x, &block->y, &block->z, &grid->y, &grid->z};
  for (int i = 0; i < 6 && a->interesting_count; i++) {
    uint64_t v = a->interesting[below(a, a->interesting_count)];
    if (below(a, 3) == 0 && v >= 1 && v <= 1024 && (i < 2 || !assumes_one(a, bits[i - 2])))
      *all[i] = (uint32_t)v;
  }
}

static uint64_t scalar(attacker *a, uint32_t bits) {
  const gs_dim *b = &a->launch.block, *g = &a->launch.grid;
  uint64_t x = (uint64_t)g->x * b->x, y = (uint64_t)g->y * b->y, all = x * y * g->z * b->z;
  if (a->interesting_count && below(a, 4) == 0)
    return a->interesting[below(a, a->interesting_count)];
  switch (below(a, 14)) {
  case 0: return 0;
  case 1: return 1;
  case 2: return b->x;
  case 3: return x;
  case 4: return x - 1;
  case 5: return all + 1;
  case 6: return x * 2;
  case 7: return y;
  case 8: return UINT64_C(1) << below(a, 8);
  case 9: return (UINT64_C(1) << below(a, bits)) + below(a, 3) - 1;
  case 10: return b->x * (uint64_t)b->y;
  default: return below(a, below(a, 2) ? 12 : 150);
  }
}

static void make_args(attacker *a) {
  const gs_kernel_desc *d = a->attack->desc;
  const gs_code *code = a->attack->code;
  for (uint32_t i = 0; i < code->param_count; i++) {
    memset((uint8_t *)(uintptr_t)a->args[i], 0, code->params[i].size);
    for (uint32_t j = 0; i < d->param_count && j < d->params[i].field_count; j++) {
      const gs_field *f = &d->params[i].fields[j];
      uint64_t value = scalar(a, f->bits);
      float real = (float)(int64_t)(value % 1000);
      double wide = (double)real;
      if (f->kind == GS_TYPE_FLOAT)
        memcpy(&value, f->bits == 32 ? (void *)&real : (void *)&wide, f->bits / 8);
      if (f->bits == 1)
        value &= 1;
      if (f->kind != GS_TYPE_POINTER && (uint64_t)f->offset + (f->bits + 7) / 8 <= code->params[i].size)
        memcpy((uint8_t *)(uintptr_t)a->args[i] + f->offset, &value, (f->bits + 7) / 8);
    }
  }
  for (uint32_t i = 0; i < a->pointer_count; i++) {
    const pointer *p = &a->pointers[i];
    uint64_t address = gs_replay_buffer(code, i);
    a->memory[i] = (gs_replay_memory){.size = UINT64_MAX};
    if ((uint64_t)p->offset + 8 <= code->params[p->param].size)
      memcpy((uint8_t *)(uintptr_t)a->args[p->param] + p->offset, &address, 8);
  }
}

static bool allowed(attacker *a) {
  const gs_replay_launch *l = &a->launch;
  gs_eval_env env = {.block = {l->block.x, l->block.y, l->block.z},
                     .grid = {l->grid.x, l->grid.y, l->grid.z},
                     .cluster = {1, 1, 1},
                     .dynamic_smem = (int64_t)l->dynamic_smem,
                     .cc = 90,
                     .warp_size = 32,
                     .params = a->args,
                     .param_count = a->attack->code->param_count};
  gs_eval_result r;
  uint64_t threads = (uint64_t)l->block.x * l->block.y * l->block.z;
  uint32_t most = a->attack->desc->max_threads ? a->attack->desc->max_threads : 1024;
  if (threads > most || l->block.z > 64)
    return false;
  for (uint32_t i = 0; i < a->fact_count; i++) {
    gs_bytecode_eval(a->facts[i].code, a->facts[i].size, &env, &r);
    if (r.code != GS_EVAL_OK || !r.value)
      return false;
  }
  for (uint32_t i = 0; i < a->count_count; i++) {
    gs_bytecode_eval(a->counts[i].code, a->counts[i].size, &env, &r);
    if (r.code != GS_EVAL_OK || r.value < 0 || r.value > INT64_C(1) << 32)
      return false;
    for (uint32_t p = 0; p < a->pointer_count; p++)
      if ((int32_t)a->pointers[p].param == a->claims[i]->param && !a->pointers[p].offset) {
        uint64_t size = (uint64_t)r.value * (a->pointers[p].elem_size ? a->pointers[p].elem_size : 1);
        a->memory[p].size = size < a->memory[p].size ? size : a->memory[p].size;
        a->memory[p].owned |= a->claims[i]->kind == GS_CLAIM_DISJOINT;
      }
  }
  return true;
}

static void fill(void *user, uint32_t window, int64_t offset, uint8_t *bytes, size_t count) {
  static const uint64_t ranges[] = {2, 8, 40, 200, UINT32_MAX, 1};
  const attacker *a = user;
  uint32_t n = a->attack->code->window_count, size = 4;
  if (window >= n && window - n < a->pointer_count && a->pointers[window - n].elem_size)
    size = a->pointers[window - n].elem_size;
  size = size == 1 || size == 2 || size == 8 ? size : 4;
  for (size_t at = 0; at + size <= count; at += size) {
    attacker own = {.random = a->contents_seed ^ (uint64_t)(offset + (int64_t)at) * 7919 ^ (uint64_t)window << 50};
    uint64_t v = next(&own), range = ranges[a->contents];
    v = range == UINT32_MAX ? v : v % range;
    memcpy(bytes + at, &v, size);
  }
}

static bool make_launch(attacker *a) {
  static const gs_replay_order orders[] = {GS_ORDER_FORWARD, GS_ORDER_BACKWARD, GS_ORDER_RANDOM};
  static const uint64_t smem[] = {1 << 20, 0, 1024, 4096, 16384, 49152};
  for (int i = 0; i < TRIES; i++) {
    a->contents = a->from_zero ? ZEROS : (uint32_t)below(a, ZEROS + 1);
    a->contents_seed = next(a);
    a->launch = (gs_replay_launch){.dynamic_smem = smem[below(a, 2) ? 0 : below(a, 6)],
                                   .args = a->args,
                                   .memory = a->memory,
                                   .memory_count = a->pointer_count,
                                   .order = orders[below(a, 3)],
                                   .seed = next(a),
                                   .budget = a->attack->budget,
                                   .fill = fill,
                                   .user = a};
    make_sizes(a);
    make_args(a);
    if (allowed(a))
      return true;
  }
  return false;
}

// ------------------------------------------------------------------- runs ----

static bool lists(const gs_kernel_result *result, const char *text, uint32_t line) {
  char whole[160];
  snprintf(whole, sizeof whole, line ? "%s (line %" PRIu32 ")" : "%s", text, line);
  for (uint32_t i = 0; i < result->assumption_count; i++)
    if (strncmp(result->assumptions[i].text, whole, strlen(whole)) == 0)
      return true;
  return false;
}

/// Did the run break something that the verdict takes for granted?
static bool excused(const gs_attack *attack, const gs_replay_result *run) {
  static const char *const texts[] = {"signed arithmetic does not overflow", "32-bit index arithmetic does not wrap",
                                      "32-bit index arithmetic does not wrap", "a no-wrap flag of the compiler holds",
                                      "pointer arithmetic stays inside of the array's memory"};
  for (uint32_t i = 0; i < run->event_count; i++) {
    const gs_replay_event *e = &run->events[i];
    if (!attack->result)
      return true;
    if (e->kind == GS_BROKE_UNDEFINED ? lists(attack->result, "divisors are not 0 and shifts are in range", 0)
                                      : lists(attack->result, texts[e->kind], e->line) ||
                                            lists(attack->result, "the loop's counter does not wrap when it passes its bound", e->line))
      return true;
  }
  return false;
}

/// An access past dynamic shared memory or a buffer without a count breaks no claim.
static bool is_bounded(const attacker *a, uint32_t window) {
  uint32_t n = a->attack->code->window_count;
  if (window < n)
    return a->attack->code->windows[window].kind != GS_WINDOW_DYNAMIC;
  return window - n < a->pointer_count && a->memory[window - n].size != UINT64_MAX;
}

static void describe(const attacker *a, const gs_replay_result *run, gs_attack_report *out) {
  const gs_replay_launch *l = &a->launch;
  const gs_replay_conflict *c = &run->conflict;
  const char *name = gs_replay_window_name(a->attack->code, c->window);
  bool outside = run->end == GS_END_BOUNDS, diverged = run->end == GS_END_DIVERGED && !run->raced;
  char buffer[32];
  snprintf(buffer, sizeof buffer, "buffer %" PRIu32, c->window - a->attack->code->window_count);
  size_t at = (size_t)(
      diverged ? snprintf(out->text, sizeof out->text, "threads of one block wait at different barriers")
               : snprintf(out->text, sizeof out->text,
                          "%s '%s', byte %" PRId64 ": thread %" PRIu32 " of block %" PRIu32 " %s at line %" PRIu32,
                          outside ? "outside of" : "conflict in", name ? name : buffer, c->offset, c->access[0].thread,
                          c->access[0].block, c->access[0].is_write ? "writes" : "reads", c->access[0].line));
  if (!outside && !diverged && at < sizeof out->text)
    at += (size_t)snprintf(out->text + at, sizeof out->text - at,
                           ", thread %" PRIu32 " of block %" PRIu32 " %s at line %" PRIu32, c->access[1].thread,
                           c->access[1].block, c->access[1].is_write ? "writes" : "reads", c->access[1].line);
  if (at < sizeof out->text)
    at += (size_t)snprintf(out->text + at, sizeof out->text - at,
                           "; grid %" PRIu32 "x%" PRIu32 "x%" PRIu32 " block %" PRIu32 "x%" PRIu32 "x%" PRIu32, l->grid.x, l->grid.y,
                           l->grid.z, l->block.x, l->block.y, l->block.z);
  const gs_kernel_desc *d = a->attack->desc;
  for (uint32_t i = 0; i < d->param_count && i < a->attack->code->param_count; i++)
    for (uint32_t j = 0; j < d->params[i].field_count && at < sizeof out->text; j++) {
      const gs_field *f = &d->params[i].fields[j];
      uint64_t value = 0;
      if (f->kind != GS_TYPE_INT || (uint64_t)f->offset + (f->bits + 7) / 8 > a->attack->code->params[i].size)
        continue;
      memcpy(&value, (const uint8_t *)a->args[i] + f->offset, (f->bits + 7) / 8);
      int64_t shown = f->is_signed && f->bits < 64 ? (int64_t)(value << (64 - f->bits)) >> (64 - f->bits) : (int64_t)value;
      at += (size_t)snprintf(out->text + at, sizeof out->text - at, " %s%s%s=%" PRId64, d->params[i].name,
                             f->path[0] ? "." : "", f->path, shown);
    }
}

static bool prepare(attacker *a) {
  const gs_code *code = a->attack->code;
  size_t total = 8, at = 0;
  for (uint32_t i = 0; i < code->param_count; i++)
    total += ((size_t)code->params[i].size + 15) / 8 * 8;
  a->bytes = calloc(total, 1);
  a->args = calloc(code->param_count + 1u, sizeof *a->args);
  if (!a->bytes || !a->args || code->param_count != a->attack->desc->param_count)
    return false;
  for (uint32_t i = 0; i < code->param_count; i++) {
    a->args[i] = a->bytes + at;
    at += ((size_t)code->params[i].size + 15) / 8 * 8;
  }
  list_pointers(a);
  return read_contract(a);
}

void gs_attack_run(const gs_attack *attack, gs_attack_report *out) {
  attacker *a = calloc(1, sizeof *a);
  *out = (gs_attack_report){.outcome = GS_ATTACK_UNRUN};
  if (!a)
    return;
  a->attack = attack;
  a->random = attack->seed * 77 + 5;
  a->from_zero = attack->result && lists(attack->result, "the counter that line ", 0);
  bool ready = prepare(a);
  for (uint32_t i = 0; ready && i < attack->runs && out->outcome != GS_ATTACK_BREAKS; i++) {
    gs_replay_result run;
    if (!make_launch(a))
      break;
    gs_replay_run(attack->code, &a->launch, &run);
    out->runs++;
    out->outcome = GS_ATTACK_HOLDS;
    bool breaks = run.raced || run.end == GS_END_DIVERGED || (run.end == GS_END_BOUNDS && is_bounded(a, run.conflict.window));
    bool broke = excused(attack, &run);
    out->unclear += broke || run.end != GS_END_DONE;
    if (!breaks || broke)
      continue;
    out->outcome = GS_ATTACK_BREAKS;
    describe(a, &run, out);
  }
  for (uint32_t i = 0; i < a->fact_count; i++)
    free(a->facts[i].code);
  for (uint32_t i = 0; i < a->count_count; i++)
    free(a->counts[i].code);
  free(a->bytes);
  free(a->args);
  free(a);
}
