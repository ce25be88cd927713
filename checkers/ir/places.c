// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Source places, reasons to believe a flag, and causes of UNKNOWN.
#include "lower.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *gs_lower_text(gs_lowering *low, const char *text) {
  for (uint32_t i = 0; i < low->text_count; i++)
    if (strcmp(low->texts[i], text) == 0)
      return low->texts[i];
  if (!gs_lower_grow(low, (void **)&low->texts, &low->text_capacity, low->text_count + 1,
                     sizeof *low->texts))
    return "";
  char *copy = strdup(text);
  if (!copy) {
    low->failed = true;
    return "";
  }
  low->texts[low->text_count++] = copy;
  return copy;
}

static const char *file_of(gs_lowering *low, LLVMMetadataRef location) {
  LLVMMetadataRef scope = LLVMDILocationGetScope(location);
  LLVMMetadataRef file = scope ? LLVMDIScopeGetFile(scope) : NULL;
  unsigned length = 0, dir_length = 0;
  const char *name = file ? LLVMDIFileGetFilename(file, &length) : NULL;
  if (!name || !length)
    return NULL;
  const char *dir = LLVMDIFileGetDirectory(file, &dir_length);
  char path[4096];
  if (name[0] == '/' || !dir || !dir_length || length + dir_length + 2 > sizeof path)
    snprintf(path, sizeof path, "%.*s", (int)length, name);
  else
    snprintf(path, sizeof path, "%.*s/%.*s", (int)dir_length, dir, (int)length, name);
  return gs_lower_text(low, path);
}

// Large kernels have tens of thousands of places: they are found by hash.

enum { CHAINS = 4096 };

bool gs_lower_chains_start(gs_lowering *low) {
  low->place_heads = calloc(CHAINS, sizeof *low->place_heads);
  low->origin_heads = calloc(CHAINS, sizeof *low->origin_heads);
  return low->place_heads && low->origin_heads;
}

static uint32_t chain_of(uint32_t a, uint32_t b, uint32_t c) {
  uint32_t h = (a * 0x9E3779B1u ^ b) * 0x85EBCA6Bu ^ c * 0xC2B2AE35u;
  return (h ^ h >> 15) % CHAINS;
}

static bool same_place(const gs_place *a, const gs_place *b) {
  return a->loc.file == b->loc.file && a->loc.line == b->loc.line &&
         a->loc.column == b->loc.column && a->inlined_at == b->inlined_at;
}

static uint32_t add_place(gs_lowering *low, gs_place place) {
  gs_program *program = low->program;
  uint32_t at = program->place_count;
  uint32_t *head = &low->place_heads[chain_of(place.loc.line, place.loc.column, place.inlined_at)];
  for (uint32_t i = *head; i; i = low->place_next[i])
    if (same_place(&program->places[i], &place))
      return i;
  if (!gs_lower_grow(low, (void **)&program->places, &low->place_capacity, at + 1, sizeof place) ||
      !gs_lower_grow(low, (void **)&low->place_next, &low->place_next_capacity, at + 1,
                     sizeof *low->place_next))
    return 0;
  program->places[at] = place;
  program->place_count++;
  low->place_next[at] = *head;
  *head = at;
  return at;
}

static uint32_t place_of(gs_lowering *low, LLVMMetadataRef location, int depth) {
  if (!location || depth > 64)
    return 0;
  LLVMMetadataRef call = LLVMDILocationGetInlinedAt(location);
  gs_place place = {.loc = {file_of(low, location), LLVMDILocationGetLine(location),
                            LLVMDILocationGetColumn(location)},
                    .inlined_at = call ? place_of(low, call, depth + 1) : GS_NONE};
  return add_place(low, place);
}

uint32_t gs_lower_place(gs_lowering *low, LLVMValueRef inst) {
  if (!inst || !LLVMIsAInstruction(inst))
    return 0;
  return place_of(low, LLVMInstructionGetDebugLoc(inst), 0);
}

uint32_t gs_lower_origin(gs_lowering *low, gs_origin_kind kind, LLVMValueRef inst) {
  uint32_t place = gs_lower_place(low, inst);
  gs_program *program = low->program;
  uint32_t at = program->origin_count, *head = &low->origin_heads[chain_of(place, (uint32_t)kind, 0)];
  for (uint32_t i = *head; i; i = low->origin_next[i])
    if (program->origins[i].kind == kind && program->origins[i].place == place)
      return i;
  if (!gs_lower_grow(low, (void **)&program->origins, &low->origin_capacity, at + 1,
                     sizeof *program->origins) ||
      !gs_lower_grow(low, (void **)&low->origin_next, &low->origin_next_capacity, at + 1,
                     sizeof *low->origin_next))
    return 0;
  program->origins[at] = (gs_origin){kind, place};
  program->origin_count++;
  low->origin_next[at] = *head;
  *head = at;
  return at;
}

void gs_lower_gap(gs_lowering *low, const char *text, LLVMValueRef inst) {
  gs_program *program = low->program;
  uint32_t place = gs_lower_place(low, inst);
  const char *kept = gs_lower_text(low, text);
  for (uint32_t i = 0; i < program->gap_count; i++)
    if (program->gaps[i].text == kept)
      return;
  if (gs_lower_grow(low, (void **)&program->gaps, &low->gap_capacity, program->gap_count + 1,
                    sizeof *program->gaps))
    program->gaps[program->gap_count++] = (gs_gap){kept, place};
}
