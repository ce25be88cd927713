// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text form of a lowered kernel.
#include "program.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct text {
  char *data;
  size_t used, size;
  bool failed;
} text;

static bool reserve(text *out, size_t more) {
  if (out->used + more + 1 <= out->size)
    return true;
  size_t size = (out->used + more + 1) * 2;
  char *data = realloc(out->data, size);
  if (!data) {
    out->failed = true;
    return false;
  }
  out->data = data;
  out->size = size;
  return true;
}

static void put(text *out, const char *format, ...) {
  va_list args;
  va_start(args, format);
  va_list again;
  va_copy(again, args);
  int n = vsnprintf(NULL, 0, format, args);
  va_end(args);
  if (n > 0 && reserve(out, (size_t)n)) {
    vsnprintf(out->data + out->used, (size_t)n + 1, format, again);
    out->used += (size_t)n;
  }
  va_end(again);
}

static void put_term(text *out, const gs_program *p, gs_term t) {
  if (!t) {
    put(out, "-");
    return;
  }
  size_t n = gs_term_print(p->terms, t, NULL, 0);
  n = n > 4000 ? 4000 : n;
  if (reserve(out, n)) {
    gs_term_print(p->terms, t, out->data + out->used, n + 1);
    out->used += n;
  }
}

static const char *const object_kinds[] = {"param",    "shared", "dynamic", "global", "constant",
                                           "local",    "byval",  "loaded",  "unknown"};

static void dump_access(text *out, const gs_program *p, const gs_access *a) {
  put(out, "    %s%s%s %u", a->is_atomic ? "atomic " : "", a->is_volatile ? "volatile " : "",
      a->is_write ? "write" : "read", a->size);
  put(out, " line %" PRIu32 "\n", p->places[a->place].loc.line);
  for (uint32_t i = 0; i < a->target_count; i++) {
    const gs_object *object = &p->objects[a->targets[i].object];
    put(out, "      %s %s + ", object_kinds[object->kind], object->name ? object->name : "?");
    put_term(out, p, a->targets[i].offset);
    put(out, " if ");
    put_term(out, p, a->targets[i].guard);
    put(out, "\n");
  }
}

char *gs_program_dump(const gs_program *p) {
  text out = {0};
  put(&out, "kernel %s\n", p->mangled);
  for (uint32_t i = 0; i < p->object_count; i++)
    put(&out, "  object %" PRIu32 ": %s %s, %" PRIu64 " bytes%s\n", i,
        object_kinds[p->objects[i].kind], p->objects[i].name ? p->objects[i].name : "?",
        p->objects[i].size, p->objects[i].written ? ", written" : "");
  for (uint32_t l = 0; l < p->loop_count; l++) {
    put(&out, "  loop %" PRIu32 ": depth %" PRIu32 ", header block %" PRIu32 ", entered if ", l,
        p->loops[l].depth, p->loops[l].header);
    put_term(&out, p, p->loops[l].entry);
    put(&out, ", again if ");
    put_term(&out, p, p->loops[l].again);
    put(&out, "\n");
  }
  for (uint32_t b = 0; b < p->block_count; b++) {
    const gs_block *block = &p->blocks[b];
    put(&out, "  block %" PRIu32, b);
    if (block->loop != GS_NONE)
      put(&out, " in loop %" PRIu32, block->loop);
    put(&out, ": if ");
    put_term(&out, p, block->guard);
    put(&out, " ->");
    for (uint32_t s = 0; s < block->succ_count; s++)
      put(&out, " %" PRIu32, block->succ[s]);
    put(&out, "\n");
    for (uint32_t e = 0; e < block->event_count; e++)
      if (block->events[e].kind == GS_EVENT_ACCESS)
        dump_access(&out, p, &p->accesses[block->events[e].index]);
      else
        put(&out, "    barrier kind %d line %" PRIu32 "\n",
            (int)p->barriers[block->events[e].index].kind,
            p->places[p->barriers[block->events[e].index].place].loc.line);
  }
  for (uint32_t f = 0; f < p->fact_count; f++) {
    put(&out, "  fact of %s: ", gs_sym_get(p->terms, p->facts[f].sym)->name);
    put_term(&out, p, p->facts[f].fact);
    put(&out, "\n");
  }
  for (uint32_t g = 0; g < p->gap_count; g++)
    put(&out, "  gap: %s\n", p->gaps[g].text);
  if (out.failed) {
    free(out.data);
    return NULL;
  }
  return out.data;
}
