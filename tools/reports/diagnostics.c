// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang's diagnostics as text: "file:line:column: error: message [gpusafe-rule]".
#include "collect.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/// "FILE:LINE:COLUMN" at the start of a line, which ends at `end`. File names may hold
/// colons, so it is read from the back.
static bool read_place(gs_mem *mem, const char *line, const char *end, gs_diagnostic *out) {
  const char *colon = end;
  json_int_t numbers[2] = {0, 0};
  for (int n = 0; n < 2; n++) {
    const char *digits = colon;
    while (digits > line && isdigit((unsigned char)digits[-1]))
      digits--;
    if (digits == colon || digits <= line + 1 || digits[-1] != ':')
      return false;
    numbers[n] = strtoll(digits, NULL, 10);
    colon = digits - 1;
  }
  out->file = gs_mem_printf(mem, "%.*s", (int)(colon - line), line);
  out->column = numbers[0];
  out->line = numbers[1];
  return true;
}

/// Cuts " [gpusafe-rule]" off the message.
static void take_rule(gs_mem *mem, gs_diagnostic *out) {
  size_t length = strlen(out->message);
  const char *open = NULL;
  for (const char *p = out->message; (p = strstr(p, " [gpusafe-")); p++)
    open = p;
  if (!open || out->message[length - 1] != ']')
    return;
  const char *rule = open + strlen(" [gpusafe-");
  out->rule = gs_mem_printf(mem, "%.*s", (int)(out->message + length - 1 - rule), rule);
  out->message = gs_mem_printf(mem, "%.*s", (int)(open - out->message), out->message);
}

static bool read_line(gs_mem *mem, const char *line, gs_diagnostic *out) {
  static const struct {
    const char *text;
    bool is_error, is_note;
  } kinds[] = {{": fatal error: ", true, false}, {": error: ", true, false},
               {": warning: ", false, false},    {": note: ", false, true}};
  *out = (gs_diagnostic){0};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    const char *kind = strstr(line, kinds[i].text);
    if (!kind || !read_place(mem, line, kind, out))
      continue;
    out->is_error = kinds[i].is_error;
    out->is_note = kinds[i].is_note;
    out->message = kind + strlen(kinds[i].text);
    take_rule(mem, out);
    return true;
  }
  return false;
}

bool gs_diagnostic_next(gs_mem *mem, const char **text, gs_diagnostic *out) {
  while (**text) {
    size_t length = strcspn(*text, "\n");
    const char *line = gs_mem_printf(mem, "%.*s", (int)length, *text);
    *text += length + ((*text)[length] == '\n');
    if (read_line(mem, line, out))
      return true;
  }
  return false;
}
