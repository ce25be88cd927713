// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "text_write.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool reserve(gs_out *out, size_t more) {
  if (out->failed || out->used + more + 1 <= out->size)
    return !out->failed;
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

void gs_out_put(gs_out *out, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int n = vsnprintf(NULL, 0, format, args);
  va_end(args);
  if (n >= 0 && reserve(out, (size_t)n)) {
    vsnprintf(out->data + out->used, (size_t)n + 1, format, again);
    out->used += (size_t)n;
  }
  va_end(again);
}

void gs_out_quote_part(gs_out *out, const char *text, size_t length) {
  gs_out_put(out, "\"");
  for (size_t i = 0; i < length; i++) {
    unsigned char c = (unsigned char)text[i];
    if (c == '"' || c == '\\')
      gs_out_put(out, "\\%c", c);
    else if (c < ' ' || c == 0x7F)
      gs_out_put(out, "\\x%02X", c);
    else
      gs_out_put(out, "%c", c);
  }
  gs_out_put(out, "\"");
}

void gs_out_quote(gs_out *out, const char *text) {
  if (text)
    gs_out_quote_part(out, text, strlen(text));
  else
    gs_out_put(out, "none");
}

void gs_out_loc(gs_out *out, const char *word, gs_loc loc) {
  if (!loc.file && !loc.line && !loc.column)
    return;
  gs_out_put(out, " %s ", word);
  gs_out_quote(out, loc.file);
  gs_out_put(out, ":%" PRIu32 ":%" PRIu32, loc.line, loc.column);
}
