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

static uint32_t place_of(gs_lowering *low, LLVMMetadataRef location, int depth) {
  if (!location || depth > 64)
    return 0;
  LLVMMetadataRef call = LLVMDILocationGetInlinedAt(location);
  gs_place place = {.loc = {file_of(low, location), LLVMDILocationGetLine(location),
                            LLVMDILocationGetColumn(location)},
                    .inlined_at = call ? place_of(low, call, depth + 1) : GS_NONE};
  gs_program *program = low->program;
  for (uint32_t i = program->place_count; i-- > 1;) { // recent ones first
    const gs_place *known = &program->places[i];
    if (known->loc.file == place.loc.file && known->loc.line == place.loc.line &&
        known->loc.column == place.loc.column && known->inlined_at == place.inlined_at)
      return i;
  }
  if (!gs_lower_grow(low, (void **)&program->places, &low->place_capacity,
                     program->place_count + 1, sizeof place))
    return 0;
  program->places[program->place_count] = place;
  return program->place_count++;
}

uint32_t gs_lower_place(gs_lowering *low, LLVMValueRef inst) {
  if (!inst || !LLVMIsAInstruction(inst))
    return 0;
  return place_of(low, LLVMInstructionGetDebugLoc(inst), 0);
}

uint32_t gs_lower_origin(gs_lowering *low, gs_origin_kind kind, LLVMValueRef inst) {
  uint32_t place = gs_lower_place(low, inst);
  gs_program *program = low->program;
  for (uint32_t i = program->origin_count; i-- > 1;)
    if (program->origins[i].kind == kind && program->origins[i].place == place)
      return i;
  if (!gs_lower_grow(low, (void **)&program->origins, &low->origin_capacity,
                     program->origin_count + 1, sizeof *program->origins))
    return 0;
  program->origins[program->origin_count] = (gs_origin){kind, place};
  return program->origin_count++;
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
