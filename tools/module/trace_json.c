// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace_json.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static json_t *dim(gs_dim d) {
  return json_pack("[I,I,I]", (json_int_t)d.x, (json_int_t)d.y, (json_int_t)d.z);
}

static json_t *word(gs_mem *mem, uint64_t value) {
  return json_string(gs_mem_printf(mem, "0x%" PRIx64, value));
}

/// `_ZZ1kPiE4tile` is tile: the last <length><name> pair.
static const char *plain_name(gs_mem *mem, const char *name) {
  const char *found = name;
  if (strncmp(name, "_Z", 2) != 0)
    return name;
  for (const char *p = name + 2; *p; p++) {
    char *end = NULL;
    if (*p < '0' || *p > '9')
      continue;
    unsigned long length = strtoul(p, &end, 10);
    if (length && length <= strlen(end)) {
      found = gs_mem_printf(mem, "%.*s", (int)length, end);
      end += length;
    }
    p = end - 1;
  }
  return found;
}

static const char *pointer_name(gs_mem *mem, const gs_traced *t, const gs_actual *a) {
  const char *name = a->param < t->code->param_count ? t->params[a->param] : "?";
  return a->offset ? gs_mem_printf(mem, "%s+%" PRIu32, name, a->offset) : name;
}

const char *gs_traced_name(gs_mem *mem, const gs_traced *t, uint32_t window) {
  uint32_t n = t->code->window_count;
  if (window < n)
    return t->code->windows[window].kind == GS_WINDOW_LOCAL ? t->code->windows[window].name
                                                            : plain_name(mem, t->code->windows[window].name);
  if (window - n < t->witness->argument_count)
    return pointer_name(mem, t, &t->witness->arguments[window - n]);
  return "memory of unknown origin";
}

static json_t *step(gs_mem *mem, const gs_traced *t, const gs_trace_step *s) {
  static const char *const kinds[] = {"line", "read", "write", "atomic", "barrier", "warp"};
  const gs_code_insn *insn = &t->code->insns[s->insn];
  json_t *out = json_pack("{s:s,s:s,s:I,s:I}", "kind", kinds[s->kind], "file", t->code->files[insn->file],
                          "line", (json_int_t)insn->line, "phase", (json_int_t)s->phase);
  if (s->kind == GS_TRACE_READ || s->kind == GS_TRACE_WRITE || s->kind == GS_TRACE_ATOMIC) {
    json_object_set_new(out, "array", json_string(gs_traced_name(mem, t, s->window)));
    json_object_set_new(out, "offset", json_integer(s->offset));
    json_object_set_new(out, "size", json_integer((json_int_t)s->size));
    json_object_set_new(out, "value", word(mem, s->value));
  }
  return out;
}

static json_t *conflict(const gs_traced *t) {
  const gs_witness *w = t->witness;
  json_t *threads = json_array();
  for (uint32_t i = 0; i < w->thread_count; i++)
    json_array_append_new(threads,
                          json_pack("{s:o,s:o,s:I,s:b,s:b}", "block", dim(w->ctaid[i]), "thread",
                                    dim(w->thread[i]), "line", (json_int_t)t->claim->line[i], "write",
                                    t->claim->is_write[i], "atomic", t->claim->is_atomic[i]));
  return json_pack("{s:s,s:s,s:I,s:I,s:o}", "rule", t->rule, "array", w->array.name, "byte_offset",
                   (json_int_t)w->byte_offset, "element_size", (json_int_t)w->elem_size, "threads",
                   threads);
}

static void put_story(gs_mem *mem, const gs_traced *t, json_t *out) {
  json_t *steps = json_array(), *cut = json_array(), *cells = json_array();
  for (uint32_t who = 0; t->trace && who < t->witness->thread_count; who++) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < t->trace->count[who]; i++)
      json_array_append_new(list, step(mem, t, &t->trace->steps[who][i]));
    json_array_append_new(steps, list);
    json_array_append_new(cut, json_boolean(t->trace->cut[who]));
  }
  for (uint32_t i = 0; t->trace && i < t->trace->cell_count; i++) {
    const gs_trace_cell *c = &t->trace->cells[i];
    json_array_append_new(cells, json_pack("{s:I,s:I,s:I,s:I,s:I,s:b,s:b}", "block", (json_int_t)c->block,
                                           "thread", (json_int_t)c->thread, "offset",
                                           (json_int_t)c->offset, "size", (json_int_t)c->size, "line",
                                           (json_int_t)c->line, "write", c->is_write, "atomic",
                                           c->is_atomic));
  }
  json_object_set_new(out, "steps", steps);
  json_object_set_new(out, "cut", cut);
  json_object_set_new(out, "cells", cells);
}

/// A buffer for each pointer that shares none with an earlier one.
static uint32_t buffer_of(const gs_traced *t, gs_rerun *r, uint32_t argument, uint64_t *shift) {
  const gs_actual *a = &t->witness->arguments[argument];
  gs_array_ref array = {.kind = GS_ARRAY_PARAM, .param = a->param, .offset = a->offset};
  uint64_t address = 0;
  *shift = 0;
  if (!gs_rerun_address(r, &array, &address) || !address)
    return UINT32_MAX;
  uint32_t window = gs_address_window(address);
  *shift = address - gs_window_address(window);
  return window - t->code->window_count;
}

static void put_parameters(gs_mem *mem, const gs_traced *t, gs_rerun *r, json_t *out) {
  const gs_witness *w = t->witness;
  json_t *parameters = json_array();
  for (uint32_t i = 0; i < t->code->param_count; i++) {
    uint32_t size = t->code->params[i].size;
    const uint8_t *bytes = gs_rerun_launch(r)->args[i];
    char *hex = gs_mem_alloc(mem, size * 2u + 1u);
    json_t *pointers = json_array();
    for (uint32_t b = 0; b < size; b++) {
      hex[2 * b] = "0123456789abcdef"[bytes[b] >> 4];
      hex[2 * b + 1] = "0123456789abcdef"[bytes[b] & 15];
    }
    for (uint32_t j = 0; j < w->argument_count; j++) {
      uint64_t shift = 0;
      if (!w->arguments[j].is_pointer || w->arguments[j].param != i)
        continue;
      uint32_t buffer = buffer_of(t, r, j, &shift);
      json_array_append_new(pointers, json_pack("{s:I,s:I,s:I}", "offset",
                                                (json_int_t)w->arguments[j].offset, "buffer",
                                                buffer == UINT32_MAX ? (json_int_t)-1 : (json_int_t)buffer,
                                                "shift", (json_int_t)shift));
    }
    json_array_append_new(parameters, json_pack("{s:s,s:I,s:s,s:o}", "name", t->params[i], "size",
                                                (json_int_t)size, "bytes", hex, "pointers", pointers));
  }
  json_object_set_new(out, "parameters", parameters);
}

static void put_memory(gs_mem *mem, const gs_traced *t, gs_rerun *r, json_t *out) {
  const gs_witness *w = t->witness;
  json_t *buffers = json_array(), *memory = json_array();
  for (uint32_t i = 0; i < w->argument_count; i++)
    json_array_append_new(buffers,
                          json_pack("{s:s,s:I}", "name", pointer_name(mem, t, &w->arguments[i]), "extent",
                                    (json_int_t)(t->trace ? t->trace->extents[i] : 0)));
  for (uint32_t i = 0; i < w->cell_count; i++) {
    const gs_cell *c = &w->cells[i];
    uint64_t address = 0;
    if (!gs_rerun_address(r, &c->array, &address) || !address)
      continue;
    uint32_t window = gs_address_window(address), n = t->code->window_count;
    int64_t at = (int64_t)(address - gs_window_address(window)) + c->offset;
    json_array_append_new(
        memory, json_pack("{s:I,s:s,s:s,s:I,s:I,s:o}", "buffer",
                          window < n ? (json_int_t)-1 : (json_int_t)(window - n), "name",
                          gs_traced_name(mem, t, window), "symbol", window < n ? t->code->windows[window].name : "",
                          "offset", (json_int_t)at, "bits", (json_int_t)c->bits, "value",
                          word(mem, c->value)));
  }
  json_object_set_new(out, "buffers", buffers);
  json_object_set_new(out, "memory", memory);
}

json_t *gs_trace_to_json(gs_mem *mem, const gs_traced *t) {
  gs_rerun *r = gs_rerun_new(t->code, t->witness);
  json_t *out = json_pack("{s:s,s:s,s:s,s:I,s:o,s:o,s:I}", "kernel", t->kernel, "verdict", t->verdict,
                          "end", t->trace || t->end != GS_END_DONE ? gs_replay_end_words(t->end) : "",
                         "instructions",
                          (json_int_t)t->instructions, "grid", dim(t->witness->grid), "block",
                          dim(t->witness->block), "dynamic_smem", (json_int_t)t->witness->dynamic_smem);
  if (r && out) {
    json_object_set_new(out, "conflict", t->trace ? conflict(t) : json_null());
    put_story(mem, t, out);
    put_parameters(mem, t, r, out);
    put_memory(mem, t, r, out);
  }
  gs_rerun_free(r);
  return out;
}
