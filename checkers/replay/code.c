// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "code.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

void gs_code_free(gs_code *code) {
  if (!code)
    return;
  for (uint32_t i = 0; i < code->window_count; i++) {
    free(code->windows[i].name);
    free(code->windows[i].init);
  }
  for (uint32_t i = 0; i < code->param_count && code->params; i++) {
    free(code->params[i].offsets);
    free(code->params[i].widths);
  }
  for (uint32_t i = 0; i < code->file_count; i++)
    free(code->files[i]);
  free(code->files);
  free(code->insns);
  free(code->image);
  free(code->windows);
  free(code->params);
  free(code);
}

static const char *const names[] = {
#define GS_CODE(name, text) text,
#include "opcodes.def"
};

static size_t print_insn(const gs_code *code, uint32_t i, char *buffer, size_t size) {
  const gs_code_insn *n = &code->insns[i];
  return (size_t)snprintf(buffer, size,
                          "%5" PRIu32 ": %-10s i%-2u r%" PRIu32 " = r%" PRIu32 " r%" PRIu32
                          " r%" PRIu32 " #%" PRIu64 " flags %u line %" PRIu32 "\n",
                          i, names[n->op], n->width, n->dst, n->a, n->b, n->c, n->imm, n->flags,
                          n->line);
}

char *gs_code_dump(const gs_code *code) {
  size_t total = 1, at = 0;
  for (uint32_t i = 0; i < code->insn_count; i++)
    total += print_insn(code, i, NULL, 0);
  char *text = malloc(total);
  if (!text)
    return NULL;
  text[0] = 0;
  for (uint32_t i = 0; i < code->insn_count; i++)
    at += print_insn(code, i, text + at, total - at);
  return text;
}
