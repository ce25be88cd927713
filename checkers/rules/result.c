// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "result.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/// Makes room for one more element; the old array stays in the arena.
static void *room(gs_pool *arena, void *array, uint32_t count, uint32_t *capacity, size_t size) {
  if (count < *capacity)
    return array;
  uint32_t next = *capacity ? *capacity * 2 : 8;
  void *moved = gs_pool_alloc(arena, next * size);
  if (!moved)
    return NULL;
  if (count)
    memcpy(moved, array, count * size);
  *capacity = next;
  return moved;
}

gs_finding *gs_result_add(gs_result *r, const gs_finding *finding) {
  gs_finding *array =
      room(r->arena, r->findings, r->finding_count, &r->finding_capacity, sizeof *array);
  if (!array)
    return NULL;
  r->findings = array;
  array[r->finding_count] = *finding;
  return &array[r->finding_count++];
}

void gs_result_assume(gs_result *r, const char *text, bool checked, gs_loc loc) {
  for (uint32_t i = 0; i < r->assumption_count; i++)
    if (strcmp(r->assumptions[i].text, text) == 0)
      return;
  gs_assumption *array = room(r->arena, r->assumptions, r->assumption_count,
                              &r->assumption_capacity, sizeof *array);
  if (!array)
    return;
  r->assumptions = array;
  loc.file = gs_pool_text(r->arena, loc.file);
  array[r->assumption_count++] = (gs_assumption){gs_pool_text(r->arena, text), checked, loc};
}

static int by_number(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

const char *gs_result_lines(gs_pool *arena, uint32_t *lines, uint32_t count) {
  const char *text = "";
  uint32_t total = 0;
  if (count)
    qsort(lines, count, sizeof *lines, by_number);
  for (uint32_t i = 0; i < count; i++)
    if (!total || lines[total - 1] != lines[i])
      lines[total++] = lines[i];
  for (uint32_t i = 0; i < total; i++)
    text = gs_pool_format(arena, "%s%s%" PRIu32, text, i == 0 ? "" : i + 1 == total ? " and " : ", ",
                          lines[i]);
  return gs_pool_format(arena, total == 1 ? "line %s" : "lines %s", text);
}

void gs_result_note(gs_result *r, gs_finding *finding, gs_loc loc, const char *text) {
  gs_note *notes = gs_pool_alloc(r->arena, (finding->note_count + 1) * sizeof *notes);
  if (!notes)
    return;
  if (finding->note_count)
    memcpy(notes, finding->notes, finding->note_count * sizeof *notes);
  loc.file = gs_pool_text(r->arena, loc.file);
  notes[finding->note_count] = (gs_note){loc, gs_pool_text(r->arena, text)};
  finding->notes = notes;
  finding->note_count++;
}

static int order(const void *a, const void *b) {
  const gs_finding *x = a, *y = b;
  if (x->loc.line != y->loc.line)
    return x->loc.line < y->loc.line ? -1 : 1;
  if (x->loc.column != y->loc.column)
    return x->loc.column < y->loc.column ? -1 : 1;
  if (x->rule != y->rule)
    return x->rule < y->rule ? -1 : 1;
  return strcmp(x->message, y->message);
}

// A definite violation is the most useful verdict, then what is not known.
static const int rank[] = {[GS_PROVED] = 0, [GS_TRUSTED] = 1, [GS_POSSIBLE] = 2, [GS_UNKNOWN] = 3,
                           [GS_RACE] = 4};

bool gs_verdict_worse(gs_verdict a, gs_verdict b) { return rank[a] > rank[b]; }

gs_verdict gs_result_verdict(const gs_result *r) {
  gs_verdict worst = r->trusted ? GS_TRUSTED : GS_PROVED;
  for (uint32_t i = 0; i < r->finding_count; i++)
    if (gs_verdict_worse(r->findings[i].verdict, worst))
      worst = r->findings[i].verdict;
  return worst;
}

void gs_result_finish(gs_result *r, gs_kernel_result *out) {
  if (r->finding_count)
    qsort(r->findings, r->finding_count, sizeof *r->findings, order);
  out->verdict = gs_result_verdict(r);
  for (uint32_t i = 0; i < r->finding_count && !out->reason; i++)
    if (r->findings[i].verdict == out->verdict)
      out->reason = r->findings[i].reason;
  out->findings = r->findings;
  out->finding_count = r->finding_count;
  out->assumptions = r->assumptions;
  out->assumption_count = r->assumption_count;
  out->assumed = r->assumed;
  out->reaches_beyond = r->reaches_beyond;
}
