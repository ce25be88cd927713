// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the rest of the core takes for granted of a kernel as a whole. Lowering gives
// it by construction; a text has to show it.
#include "text_read.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fail(gs_reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void fail(gs_reader *r, const char *format, ...) {
  char text[120];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  gs_read_fail_at(r, r->kernel_line, 1, "%s", text);
}

// --------------------------------------------------------------- events ----

/// Puts the rows of a table at the numbers that the events give them. `arrived` holds
/// those in order of arrival.
static void sort_rows(gs_reader *r, void *rows, const uint32_t *arrived, uint32_t count, size_t size,
                      const char *what) {
  unsigned char *seen = calloc(count + 1u, 1), *sorted = malloc((count + 1u) * size);
  if (!seen || !sorted)
    gs_read_no_memory(r);
  for (uint32_t i = 0; r->status == GS_OK && i < count; i++) {
    if (arrived[i] >= count || seen[arrived[i]])
      fail(r, "the numbers of %s are not 0 to %" PRIu32 ", once each", what, count - 1);
    else {
      seen[arrived[i]] = 1;
      memcpy(sorted + arrived[i] * size, (char *)rows + i * size, size);
    }
  }
  if (r->status == GS_OK && count)
    memcpy(rows, sorted, count * size);
  free(seen);
  free(sorted);
}

static void sort_events(gs_reader *r) {
  gs_program *p = r->program;
  uint32_t *accesses = malloc((p->access_count + 1u) * sizeof *accesses);
  uint32_t *barriers = malloc((p->barrier_count + 1u) * sizeof *barriers);
  uint32_t na = 0, nb = 0;
  if (!accesses || !barriers)
    gs_read_no_memory(r);
  for (uint32_t b = 0; r->status == GS_OK && b < p->block_count; b++)
    for (uint32_t e = 0; e < p->blocks[b].event_count; e++) {
      gs_event event = p->blocks[b].events[e];
      if (event.kind == GS_EVENT_ACCESS)
        accesses[na++] = event.index;
      else
        barriers[nb++] = event.index;
    }
  if (r->status == GS_OK) {
    sort_rows(r, p->accesses, accesses, na, sizeof *p->accesses, "accesses");
    sort_rows(r, p->barriers, barriers, nb, sizeof *p->barriers, "barriers");
  }
  free(accesses);
  free(barriers);
}

// --------------------------------------------------------- control flow ----

static bool holds(const gs_program *p, uint32_t loop, uint32_t block) {
  uint32_t l = p->blocks[block].loop;
  while (l != GS_NONE && l != loop)
    l = p->loops[l].parent;
  return l == loop;
}

static bool is_back_edge(const gs_program *p, uint32_t from, uint32_t to) {
  uint32_t loop = p->blocks[to].loop;
  return loop != GS_NONE && p->loops[loop].header == to && holds(p, loop, from);
}

/// Loops are entered one at a time, through their headers.
static void check_edge(gs_reader *r, uint32_t from, uint32_t to) {
  const gs_program *p = r->program;
  uint32_t loop = p->blocks[to].loop;
  if (loop == GS_NONE || holds(p, loop, from))
    return;
  uint32_t parent = p->loops[loop].parent;
  if (p->loops[loop].header != to || (parent != GS_NONE && !holds(p, parent, from)))
    fail(r, "the edge from block %" PRIu32 " to %" PRIu32 " enters a loop beside its header", from, to);
}

static void check_ranges(gs_reader *r) {
  const gs_program *p = r->program;
  for (uint32_t l = 0; l < p->loop_count; l++)
    if (p->loops[l].header >= p->block_count)
      fail(r, "loop %" PRIu32 " has no header", l);
  for (uint32_t b = 0; r->status == GS_OK && b < p->block_count; b++) {
    const gs_block *block = &p->blocks[b];
    if (block->loop != GS_NONE && block->loop >= p->loop_count)
      fail(r, "block %" PRIu32 " is in no loop %" PRIu32, b, block->loop);
    for (uint32_t s = 0; s < block->succ_count; s++)
      if (block->succ[s] >= p->block_count)
        fail(r, "block %" PRIu32 " is followed by no block %" PRIu32, b, block->succ[s]);
    if (block->branch && block->succ_count != 2)
      fail(r, "block %" PRIu32 " has a condition, but not two ways to go", b);
    if (block->exits && block->succ_count)
      fail(r, "block %" PRIu32 " exits and goes on", b);
  }
  for (uint32_t l = 0; r->status == GS_OK && l < p->loop_count; l++)
    if (p->blocks[p->loops[l].header].loop != l)
      fail(r, "the header of loop %" PRIu32 " is in another loop", l);
  if (r->status == GS_OK && p->block_count && p->blocks[0].loop != GS_NONE &&
      p->loops[p->blocks[0].loop].header != 0)
    fail(r, "the entry is in a loop");
}

/// Without the back edges there is no way round (Kahn 1962).
static void check_order(gs_reader *r) {
  const gs_program *p = r->program;
  uint32_t *waits = calloc(p->block_count + 1u, sizeof *waits);
  uint32_t *ready = malloc((p->block_count + 1u) * sizeof *ready), count = 0, done = 0;
  if (!waits || !ready)
    gs_read_no_memory(r);
  for (uint32_t b = 0; r->status == GS_OK && b < p->block_count; b++)
    for (uint32_t s = 0; s < p->blocks[b].succ_count; s++)
      waits[p->blocks[b].succ[s]] += !is_back_edge(p, b, p->blocks[b].succ[s]);
  for (uint32_t b = 0; r->status == GS_OK && b < p->block_count; b++)
    if (!waits[b])
      ready[count++] = b;
  while (r->status == GS_OK && done < count) {
    uint32_t b = ready[done++];
    for (uint32_t s = 0; s < p->blocks[b].succ_count; s++) {
      uint32_t to = p->blocks[b].succ[s];
      if (!is_back_edge(p, b, to) && --waits[to] == 0)
        ready[count++] = to;
    }
  }
  if (r->status == GS_OK && done < p->block_count)
    fail(r, "the blocks go round without a loop");
  free(waits);
  free(ready);
}

// -------------------------------------------------------------- symbols ----

static void check_symbols(gs_reader *r) {
  const gs_program *p = r->program;
  uint32_t params = p->desc ? p->desc->param_count : UINT32_MAX;
  for (uint32_t s = 0; r->status == GS_OK && s < gs_sym_count(p->terms); s++) {
    const gs_sym *sym = gs_sym_get(p->terms, s);
    if (sym->loop > p->loop_count)
      fail(r, "symbol '%.40s' is in no loop %" PRIu32, sym->name, sym->loop - 1);
    if (sym->kind == GS_SYM_PARAM && sym->index >= params)
      fail(r, "symbol '%.40s' is of no parameter %" PRIu32, sym->name, sym->index);
    if (sym->kind == GS_SYM_BASE && sym->index >= p->object_count)
      fail(r, "symbol '%.40s' is the base of no object %" PRIu32, sym->name, sym->index);
    if (sym->kind == GS_SYM_LOOP && sym->index >= p->loop_count)
      fail(r, "symbol '%.40s' is of no loop %" PRIu32, sym->name, sym->index);
    else if (sym->kind == GS_SYM_LOOP && !sym->copy && p->loops[sym->index].trip_sym != s)
      fail(r, "symbol '%.40s' is not the trip of loop %" PRIu32, sym->name, sym->index);
  }
}

static void check_objects(gs_reader *r) {
  const gs_program *p = r->program;
  uint32_t params = p->desc ? p->desc->param_count : UINT32_MAX;
  for (uint32_t i = 0; r->status == GS_OK && i < p->object_count; i++) {
    const gs_object *o = &p->objects[i];
    if ((o->kind == GS_OBJECT_PARAM || o->kind == GS_OBJECT_BYVAL) && o->param >= params)
      fail(r, "object %" PRIu32 " is of no parameter %" PRIu32, i, o->param);
  }
}

void gs_text_validate(gs_reader *r) {
  if (r->status == GS_OK)
    check_ranges(r);
  if (r->status == GS_OK)
    sort_events(r);
  for (uint32_t b = 0; r->status == GS_OK && b < r->program->block_count; b++)
    for (uint32_t s = 0; s < r->program->blocks[b].succ_count; s++)
      check_edge(r, b, r->program->blocks[b].succ[s]);
  if (r->status == GS_OK)
    check_order(r);
  if (r->status == GS_OK)
    check_symbols(r);
  if (r->status == GS_OK)
    check_objects(r);
}
