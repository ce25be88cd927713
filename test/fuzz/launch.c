// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch.h"

#include "gs_bytecode.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static uint8_t *compile(const gs_clause *clause, size_t *size) {
  if (gs_bytecode_compile(clause, NULL, 0, size) != GS_OK)
    return NULL;
  uint8_t *code = malloc(*size);
  if (code && gs_bytecode_compile(clause, code, *size, size) != GS_OK) {
    free(code);
    return NULL;
  }
  return code;
}

bool fz_contract_make(const gs_kernel_desc *desc, fz_contract *out) {
  bool fine = true;
  memset(out, 0, sizeof *out);
  for (uint32_t i = 0; i < desc->fact_count && fine; i++) {
    out->facts[i] = compile(desc->facts[i].clause, &out->fact_sizes[i]);
    fine = out->facts[i] != NULL;
    out->fact_count = i + 1;
  }
  for (uint32_t i = 0; i < desc->claim_count && fine; i++) {
    out->counts[i] = compile(desc->claims[i].count, &out->count_sizes[i]);
    fine = out->counts[i] != NULL;
    out->claim_count = i + 1;
  }
  return fine;
}

void fz_contract_free(fz_contract *c) {
  for (uint32_t i = 0; i < c->fact_count; i++)
    free(c->facts[i]);
  for (uint32_t i = 0; i < c->claim_count; i++)
    free(c->counts[i]);
}

// -------------------------------------------------------------- contents ----

static void fill(void *user, uint32_t window, int64_t offset, uint8_t *bytes, size_t count) {
  const fz_launch *l = user;
  const fz_kernel *k = l->kernel;
  uint32_t n = l->code->window_count, buffer = 0;
  fz_type elem = FZ_U8;
  char name[24], local[16];
  for (uint32_t i = 0; i < k->array_count; i++) {
    bool is_buffer = k->arrays[i].space == FZ_PARAM || k->arrays[i].space == FZ_FIELD;
    snprintf(name, sizeof name, "a%u_%u", i, k->index);
    const char *known = window < n ? l->code->windows[window].name : "";
    snprintf(local, sizeof local, "2a%u", i); // ends the mangled name of a shared variable
    size_t length = strlen(known), tail = strlen(local);
    if (is_buffer ? window == n + buffer
                  : strcmp(known, name) == 0 || (length > tail && strcmp(known + length - tail, local) == 0))
      elem = k->arrays[i].elem;
    buffer += is_buffer;
  }
  static const uint64_t ranges[] = {2, 8, 40, 200, UINT32_MAX, 1};
  uint32_t size = fz_type_size(elem);
  bool shared = window < n && (l->code->windows[window].kind == GS_WINDOW_SHARED ||
                               l->code->windows[window].kind == GS_WINDOW_DYNAMIC);
  uint64_t seed = l->seed + (shared && l->other);
  for (size_t at = 0; at + size <= count; at += size) {
    fz_random r = {seed ^ (uint64_t)(offset + (int64_t)at) * 7919 ^ (uint64_t)window << 50};
    uint64_t range = ranges[l->contents % FZ_COUNT(ranges)], v = fz_next(&r);
    v = range == UINT32_MAX ? v : v % range;
    float f = (float)(int64_t)(v % 1000);
    double d = (double)f;
    memcpy(bytes + at, elem == FZ_F32 ? (void *)&f : elem == FZ_F64 ? (void *)&d : (void *)&v, size);
  }
}

// -------------------------------------------------------------- launches ----

static uint64_t scalar_value(fz_random *r, const gs_replay_launch *l, uint32_t bits) {
  uint64_t threads = (uint64_t)l->grid.x * l->block.x, total = threads * l->grid.y * l->block.y;
  switch (fz_below(r, 16)) {
  case 0: return 0;
  case 11: return 7;
  case 1: return 1;
  case 2: return l->block.x;
  case 3: return threads;
  case 4: return threads - 1;
  case 5: return total + 1;
  case 6: return threads * 2;
  case 7: return (uint64_t)1 << fz_below(r, 8);
  case 8: return fz_chance(r, 50) ? (uint64_t)-1 : 0 - (uint64_t)fz_below(r, 40);
  case 12: // powers and their neighbours, up to the top of the type
    return (UINT64_C(1) << fz_below(r, bits)) + fz_below(r, 3) - 1;
  case 9:
    if (fz_chance(r, 30))
      return fz_chance(r, 50) ? (UINT64_C(1) << (bits - 1)) - 1 - fz_below(r, 4)
                              : (UINT64_C(1) << (bits - 1)) + fz_below(r, 4);
    return fz_below(r, 400);
  case 10: return l->block.x * (uint64_t)l->block.y;
  default: return fz_below(r, fz_chance(r, 50) ? 12 : 150);
  }
}

static const gs_value *wished(const fz_wish *wish, const char *a, const char *b) {
  char name[64];
  snprintf(name, sizeof name, "%s%s%s", a, *b ? "." : "", b);
  for (uint32_t i = 0; wish->witness && i < wish->witness->value_count; i++)
    if (strcmp(wish->witness->values[i].name, name) == 0)
      return &wish->witness->values[i];
  return NULL;
}

static void make_sizes(const fz_kernel *k, const fz_wish *wish, fz_random *r, gs_replay_launch *l) {
  static const uint32_t sizes[] = {1, 2, 3, 8, 16, 31, 32, 33, 40, 64, 70, 96, 128, 200, 256};
  static const uint32_t small[] = {1, 2, 3, 4, 5, 8, 16};
  l->block.x = k->block[0]  ? k->block[0]
               : k->flat    ? sizes[fz_below(r, FZ_COUNT(sizes))]
                            : small[fz_below(r, FZ_COUNT(small))];
  bool flat_y = (k->flat && !wish->strict) || wish->flat;
  l->block.y = k->block[1] ? k->block[1] : flat_y ? 1 : small[fz_below(r, FZ_COUNT(small))];
  l->block.z = wish->strict && fz_chance(r, 30) ? 1 + fz_below(r, 3) : 1;
  l->grid.x = k->grid[0] ? k->grid[0] : 1 + fz_below(r, 4);
  l->grid.y = flat_y ? 1 : 1 + fz_below(r, 2);
  l->grid.z = wish->strict && fz_chance(r, 30) ? 1 + fz_below(r, 2) : 1;
  if (wish->witness) {
    l->block = wish->witness->block;
    l->grid = wish->witness->grid;
  }
}

/// In which buffer an array without bounds is: now and then in that of an earlier one.
static uint32_t overlapping(const fz_kernel *k, uint32_t array, const uint32_t *buffer_of, fz_random *r,
                            uint64_t *shift) {
  for (uint32_t j = 0; j < array && k->arrays[array].claim == FZ_NO_CLAIM; j++) {
    const fz_array *other = &k->arrays[j];
    if ((other->space == FZ_PARAM || other->space == FZ_FIELD) && other->claim == FZ_NO_CLAIM &&
        fz_chance(r, 40)) {
      *shift = 8 * (uint64_t)fz_below(r, 6);
      return buffer_of[j];
    }
  }
  return UINT32_MAX;
}

static void make_args(const fz_kernel *k, const gs_kernel_desc *d, const fz_wish *wish, fz_random *r,
                      fz_launch *out) {
  uint32_t buffer_of[FZ_MAX_ARRAYS] = {0}, buffers = 0;
  uint64_t address_of[FZ_MAX_ARRAYS] = {0};
  for (uint32_t i = 0; i < k->array_count; i++)
    if (k->arrays[i].space == FZ_PARAM || k->arrays[i].space == FZ_FIELD) {
      out->memory[buffers] = (gs_replay_memory){.size = UINT64_MAX};
      buffer_of[i] = buffers++;
      uint64_t shift = 0;
      uint32_t shared = wish->strict ? overlapping(k, i, buffer_of, r, &shift) : UINT32_MAX;
      address_of[i] = gs_replay_buffer(out->code, shared != UINT32_MAX ? shared : buffer_of[i]) + shift;
    }
  out->launch.memory_count = buffers;
  for (uint32_t i = 0; i < d->param_count; i++) {
    const gs_param_desc *p = &d->params[i];
    bool record = p->kind == GS_TYPE_RECORD;
    out->args[i] = out->bytes[i];
    memset(out->bytes[i], 0, sizeof out->bytes[i]);
    if (p->kind == GS_TYPE_POINTER) {
      uint64_t address = address_of[strtoul(p->name + 1, NULL, 10)];
      memcpy(out->bytes[i], &address, 8);
    }
    for (uint32_t j = 0; j < p->field_count; j++) {
      const gs_field *f = &p->fields[j];
      const gs_value *v = wished(wish, p->name, record ? f->path : "");
      uint64_t value = f->kind == GS_TYPE_POINTER
                           ? address_of[strtoul(f->path + 1, NULL, 10)]
                       : v ? (uint64_t)v->value : scalar_value(r, &out->launch, f->bits);
      memcpy(out->bytes[i] + f->offset, &value, f->bits / 8);
    }
  }
}

static bool allowed(const fz_kernel *k, const gs_kernel_desc *d, const fz_contract *c, fz_launch *l) {
  gs_eval_env env = {.block = {l->launch.block.x, l->launch.block.y, l->launch.block.z},
                     .grid = {l->launch.grid.x, l->launch.grid.y, l->launch.grid.z},
                     .cluster = {1, 1, 1},
                     .dynamic_smem = (int64_t)l->launch.dynamic_smem,
                     .cc = 90,
                     .warp_size = 32,
                     .params = l->args,
                     .param_count = d->param_count};
  gs_eval_result result;
  if ((uint64_t)l->launch.block.x * l->launch.block.y * l->launch.block.z > 1024)
    return false;
  for (uint32_t i = 0; i < c->fact_count; i++) {
    gs_bytecode_eval(c->facts[i], c->fact_sizes[i], &env, &result);
    if (result.code != GS_EVAL_OK || !result.value)
      return false;
  }
  for (uint32_t i = 0; i < c->claim_count; i++) {
    const gs_claim *claim = &d->claims[i];
    uint32_t array = (uint32_t)strtoul(d->params[claim->param].name + 1, NULL, 10), buffer = 0;
    for (uint32_t j = 0; j < array; j++)
      buffer += k->arrays[j].space == FZ_PARAM || k->arrays[j].space == FZ_FIELD;
    gs_bytecode_eval(c->counts[i], c->count_sizes[i], &env, &result);
    if (result.code != GS_EVAL_OK || result.value < 0 || (result.value > INT64_C(1) << 33 && !l->any_size))
      return false;
    uint64_t most = UINT64_C(1) << 34;
    l->memory[buffer].size = ((uint64_t)result.value < most ? (uint64_t)result.value : most) *
                             fz_type_size(k->arrays[array].elem);
    l->memory[buffer].owned = claim->kind == GS_CLAIM_DISJOINT;
  }
  return true;
}

bool fz_launch_make(const fz_kernel *k, const gs_kernel_desc *desc, const fz_contract *contract,
                    const gs_code *code, const fz_wish *wish, fz_random *r, fz_launch *out) {
  enum { TRIES = 400 };
  static const gs_replay_order orders[] = {GS_ORDER_FORWARD, GS_ORDER_BACKWARD, GS_ORDER_RANDOM};
  for (int i = 0; i < TRIES; i++) {
    memset(out, 0, sizeof *out);
    out->kernel = k;
    out->code = code;
    out->any_size = wish->witness != NULL;
    out->seed = fz_next(r);
    out->contents = fz_below(r, 6);
    out->launch = (gs_replay_launch){.dynamic_smem = 1 << 20,
                                     .args = out->args,
                                     .memory = out->memory,
                                     .order = orders[fz_below(r, 3)],
                                     .seed = fz_next(r),
                                     .budget = 400000,
                                     .fill = fill,
                                     .user = out};
    make_sizes(k, wish, r, &out->launch);
    make_args(k, desc, wish, r, out);
    if (allowed(k, desc, contract, out))
      return true;
  }
  return false;
}

void fz_launch_text(const fz_launch *l, const gs_kernel_desc *desc, char *text, size_t size) {
  gs_dim g = l->launch.grid, b = l->launch.block;
  size_t at = (size_t)snprintf(text, size, "grid %ux%u block %ux%u order %d contents %u", g.x, g.y, b.x,
                               b.y, (int)l->launch.order, l->contents);
  for (uint32_t i = 0; i < desc->param_count && at < size; i++)
    for (uint32_t j = 0; j < desc->params[i].field_count && at < size; j++) {
      const gs_field *f = &desc->params[i].fields[j];
      uint64_t value = 0;
      memcpy(&value, l->bytes[i] + f->offset, f->bits / 8);
      int64_t shown = f->is_signed && f->bits < 64 ? (int64_t)(value << (64 - f->bits)) >> (64 - f->bits)
                                                   : (int64_t)value;
      if (f->kind == GS_TYPE_INT)
        at += (size_t)snprintf(text + at, size - at, " %s%s%s=%" PRId64, desc->params[i].name,
                               f->path[0] ? "." : "", f->path, shown);
    }
}
