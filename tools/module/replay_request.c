// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "replay_request.h"

#include "gs.h"

#include <stdlib.h>
#include <string.h>

static const char *text_of(const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  return text ? text : "";
}

static uint64_t number_of(const json_t *object, const char *key) {
  json_int_t n = json_integer_value(json_object_get(object, key));
  return n < 0 ? 0 : (uint64_t)n;
}

static uint64_t word_of(const json_t *object, const char *key) {
  return strtoull(text_of(object, key), NULL, 0);
}

static bool dim_of(const json_t *array, gs_dim *out) {
  uint32_t *axes[] = {&out->x, &out->y, &out->z};
  for (size_t i = 0; i < 3; i++) {
    const json_t *n = json_array_get(array, i);
    if (!json_is_integer(n) || json_integer_value(n) < 0 || json_integer_value(n) > UINT32_MAX)
      return false;
    *axes[i] = (uint32_t)json_integer_value(n);
  }
  return true;
}

static gs_array_ref array_of(const json_t *json) {
  static const char *const kinds[] = {"parameter", "variable", "dynamic", "private"};
  gs_array_ref ref = {.kind = GS_ARRAY_PRIVATE, .name = text_of(json, "name"),
                      .param = (uint32_t)number_of(json, "parameter"),
                      .offset = (uint32_t)number_of(json, "offset")};
  for (int i = 0; i < 4; i++)
    if (strcmp(text_of(json, "kind"), kinds[i]) == 0)
      ref.kind = (gs_array_kind)i;
  if (ref.kind == GS_ARRAY_VARIABLE)
    ref.symbol = text_of(json, "symbol");
  return ref;
}

static void read_run(gs_mem *mem, const json_t *run, gs_witness *w) {
  const json_t *arguments = json_object_get(run, "arguments");
  const json_t *memory = json_object_get(run, "memory"), *shared = json_object_get(run, "one_buffer");
  w->array = array_of(json_object_get(run, "array"));
  w->elem_size = (uint32_t)number_of(run, "element_size");
  w->dynamic_smem = number_of(run, "dynamic_smem");
  gs_actual *args = gs_mem_alloc(mem, (json_array_size(arguments) + 1) * sizeof *args);
  gs_cell *cells = gs_mem_alloc(mem, (json_array_size(memory) + 1) * sizeof *cells);
  gs_alias *aliases = gs_mem_alloc(mem, (json_array_size(shared) + 1) * sizeof *aliases);
  size_t i;
  json_t *it;
  json_array_foreach((json_t *)(uintptr_t)arguments, i, it)
    args[w->argument_count++] = (gs_actual){.param = (uint32_t)number_of(it, "parameter"),
                                              .offset = (uint32_t)number_of(it, "offset"),
                                              .bits = (uint8_t)number_of(it, "bits"),
                                              .is_pointer = json_is_true(json_object_get(it, "pointer")),
                                              .value = word_of(it, "value")};
  json_array_foreach((json_t *)(uintptr_t)memory, i, it)
    cells[w->cell_count++] = (gs_cell){.array = array_of(json_object_get(it, "array")),
                                       .offset = json_integer_value(json_object_get(it, "offset")),
                                       .bits = (uint8_t)number_of(it, "bits"),
                                       .value = word_of(it, "value")};
  json_array_foreach((json_t *)(uintptr_t)shared, i, it)
    aliases[w->alias_count++] =
        (gs_alias){.of = (uint32_t)json_integer_value(json_array_get(it, 0)),
                   .param = (uint32_t)json_integer_value(json_array_get(it, 1)),
                   .exact = true};
  w->arguments = args;
  w->cells = cells;
  w->aliases = aliases;
}

static const char *read_finding(gs_mem *mem, const json_t *finding, gs_replay_request *out) {
  const json_t *witness = json_object_get(finding, "witness");
  const json_t *threads = json_object_get(witness, "threads");
  const json_t *accesses = json_object_get(finding, "accesses");
  gs_witness *w = &out->witness;
  if (!json_is_object(json_object_get(witness, "run")))
    return "the finding has no witness that can be run";
  w->thread_count = (uint32_t)json_array_size(threads);
  if (!dim_of(json_object_get(witness, "grid"), &w->grid) ||
      !dim_of(json_object_get(witness, "block"), &w->block) || w->thread_count < 1 ||
      w->thread_count > 2 || json_array_size(accesses) < w->thread_count)
    return "the witness is not complete";
  for (size_t i = 0; i < w->thread_count; i++) {
    const json_t *thread = json_array_get(threads, i), *access = json_array_get(accesses, i);
    if (!dim_of(json_object_get(thread, "thread"), &w->thread[i]) ||
        !dim_of(json_object_get(thread, "block"), &w->ctaid[i]))
      return "the witness is not complete";
    out->claim.line[i] = (uint32_t)number_of(json_object_get(access, "location"), "line");
    out->claim.is_write[i] = json_is_true(json_object_get(access, "write"));
    out->claim.is_atomic[i] = json_is_true(json_object_get(access, "atomic"));
  }
  w->byte_offset = json_integer_value(json_object_get(witness, "byte_offset"));
  out->claim.barriers_order = strcmp(text_of(finding, "rule"), "disjoint") != 0;
  read_run(mem, json_object_get(witness, "run"), w);
  return NULL;
}

const char *gs_replay_request_read(gs_mem *mem, const json_t *json, gs_replay_request *out) {
  memset(out, 0, sizeof *out);
  out->kernel = text_of(json, "kernel");
  out->budget = number_of(json, "budget");
  const json_t *finding = json_object_get(json, "finding");
  if (finding)
    return read_finding(mem, finding, out);
  out->launch = json_object_get(json, "launch");
  gs_witness *w = &out->witness;
  if (!dim_of(json_object_get(out->launch, "grid"), &w->grid) ||
      !dim_of(json_object_get(out->launch, "block"), &w->block))
    return "the launch has no grid and block";
  w->dynamic_smem = number_of(out->launch, "dynamic_smem");
  out->claim.barriers_order = true;
  return NULL;
}
