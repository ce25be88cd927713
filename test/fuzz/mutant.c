// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Changes are found by the look of the text: what does not compile is no mutant, and a
// kernel that compiles to the same instructions is none either.
#include "mutant.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct finder {
  const char *source;
  unsigned char *code; ///< for each character: 1 when it is code inside of a function
  size_t length;
  fz_edit *edits;
  size_t count, capacity;
} finder;

/// Marks what is no comment, literal or preprocessor line and stands in braces.
static void mark_code(finder *f) {
  const char *s = f->source;
  int depth = 0;
  bool line_start = true;
  for (size_t i = 0; i < f->length; i++) {
    if (s[i] == '/' && s[i + 1] == '/') {
      while (i + 1 < f->length && s[i + 1] != '\n')
        i++;
      continue;
    }
    if (s[i] == '/' && s[i + 1] == '*') {
      const char *end = strstr(s + i + 2, "*/");
      i = end ? (size_t)(end - s) + 1 : f->length;
      continue;
    }
    if (s[i] == '#' && line_start) {
      while (i + 1 < f->length && (s[i + 1] != '\n' || s[i] == '\\'))
        i++;
      continue;
    }
    if (s[i] == '"' || s[i] == '\'') {
      char quote = s[i];
      for (i++; i < f->length && s[i] != quote && s[i] != '\n'; i++)
        i += s[i] == '\\';
      continue;
    }
    line_start = s[i] == '\n' || (line_start && isspace((unsigned char)s[i]));
    depth += s[i] == '{';
    f->code[i] = depth > 0;
    depth -= s[i] == '}' && depth > 0;
  }
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/// Does this token stand at a place of code?
static bool at(const finder *f, size_t i, const char *token) {
  size_t n = strlen(token);
  if (!f->code[i] || strncmp(f->source + i, token, n) != 0)
    return false;
  bool begins = is_word(token[0]), ends = is_word(token[n - 1]);
  return !(begins && i && (is_word(f->source[i - 1]) || f->source[i - 1] == '.')) &&
         !(ends && is_word(f->source[i + n]));
}

static void add(finder *f, const char *kind, size_t begin, size_t end, const char *text, size_t move_to) {
  if (f->count == f->capacity) {
    size_t capacity = f->capacity ? f->capacity * 2 : 64;
    fz_edit *moved = realloc(f->edits, capacity * sizeof *moved);
    if (!moved)
      return;
    f->edits = moved;
    f->capacity = capacity;
  }
  fz_edit *e = &f->edits[f->count];
  *e = (fz_edit){.begin = begin, .end = end, .kind = kind, .move_to = move_to};
  if (snprintf(e->text, sizeof e->text, "%s", text) < (int)sizeof e->text)
    f->count++;
}

/// Where the parenthesis that opens at `i` closes; 0 when it does not.
static size_t closing(const finder *f, size_t i) {
  int depth = 0;
  for (size_t j = i; j < f->length; j++) {
    depth += f->source[j] == '(';
    depth -= f->source[j] == ')';
    if (!depth)
      return j;
  }
  return 0;
}

static void barriers(finder *f, size_t i) {
  static const char *const names[] = {"__syncthreads()", "__syncwarp()"};
  for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
    if (!at(f, i, names[n]))
      continue;
    size_t end = i + strlen(names[n]);
    add(f, "barrier dropped", i, end, "", SIZE_MAX);
    const char *next = strchr(f->source + end, ';');
    next = next ? strchr(next + 1, ';') : NULL;
    if (next && (size_t)(next - f->source) < f->length && f->code[next - f->source])
      add(f, "barrier moved", i, end, "", (size_t)(next - f->source) + 1);
  }
}

/// Operators with a blank on both sides: no templates, no pointers.
static void operators(finder *f, size_t i) {
  static const struct {
    const char *from, *kind, *to[2];
  } rows[] = {{" < ", "bound", {" <= ", " != "}}, {" <= ", "bound", {" < ", NULL}},
              {" > ", "bound", {" >= ", NULL}},  {" >= ", "bound", {" > ", NULL}},
              {" == ", "guard", {" != ", " <= "}}, {" != ", "guard", {" == ", NULL}},
              {" + ", "index", {" - ", " | "}},  {" - ", "index", {" + ", NULL}},
              {" * ", "index", {" + ", NULL}},   {" / ", "index", {" * ", " % "}},
              {" % ", "index", {" / ", NULL}},   {" << ", "index", {" >> ", NULL}},
              {" >> ", "index", {" << ", NULL}}, {" ^ ", "index", {" & ", NULL}},
              {" && ", "guard", {" || ", NULL}}, {" || ", "guard", {" && ", NULL}},
              {" += ", "stride", {" = ", NULL}},  {"++", "stride", {" += 2", NULL}},
              {" *= ", "stride", {" += ", NULL}}, {" /= ", "stride", {" -= ", NULL}},
              {" >>= 1", "stride", {" >>= 2", NULL}}, {" <<= 1", "stride", {" <<= 2", NULL}}};
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
    for (int k = 0; k < 2 && rows[r].to[k]; k++)
      if (f->code[i] && strncmp(f->source + i, rows[r].from, strlen(rows[r].from)) == 0)
        add(f, rows[r].kind, i, i + strlen(rows[r].from), rows[r].to[k], SIZE_MAX);
}

static void words(finder *f, size_t i) {
  static const struct {
    const char *from, *kind, *to[3];
  } rows[] = {{"threadIdx.x", "index", {"(threadIdx.x / 2)", "(threadIdx.x ^ 1)", "0"}},
              {"threadIdx.y", "index", {"0", NULL, NULL}},
              {"blockIdx.x", "index", {"0", "(blockIdx.x / 2)", NULL}},
              {"blockIdx.y", "index", {"0", NULL, NULL}},
              {"blockDim.x", "stride", {"(blockDim.x - 1)", "1", NULL}},
              {"gridDim.x", "stride", {"1", NULL, NULL}},
              {"int", "width", {"short", "unsigned char", "long long"}},
              {"unsigned", "width", {"unsigned short", NULL, NULL}},
              {"long", "width", {"int", NULL, NULL}}};
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
    for (int k = 0; k < 3 && rows[r].to[k]; k++)
      if (at(f, i, rows[r].from))
        add(f, rows[r].kind, i, i + strlen(rows[r].from), rows[r].to[k], SIZE_MAX);
}

static void constants(finder *f, size_t i) {
  if (!f->code[i] || !isdigit((unsigned char)f->source[i]) || (i && (is_word(f->source[i - 1]) || f->source[i - 1] == '.')))
    return;
  char *end;
  unsigned long value = strtoul(f->source + i, &end, 10);
  char text[32];
  if (is_word(*end) || *end == '.' || value > 1 << 20)
    return;
  snprintf(text, sizeof text, "%lu", value + 1);
  add(f, "constant", i, (size_t)(end - f->source), text, SIZE_MAX);
  if (value) {
    snprintf(text, sizeof text, "%lu", value - 1);
    add(f, "constant", i, (size_t)(end - f->source), text, SIZE_MAX);
    snprintf(text, sizeof text, "%lu", value * 2);
    add(f, "constant", i, (size_t)(end - f->source), text, SIZE_MAX);
  }
}

static void guards(finder *f, size_t i) {
  if (!at(f, i, "if"))
    return;
  size_t open = i + 2 + strspn(f->source + i + 2, " ");
  size_t close = f->source[open] == '(' ? closing(f, open) : 0;
  if (close)
    add(f, "guard dropped", open + 1, close, "true", SIZE_MAX);
}

/// atomicAdd(p, v) as *(p) += v
static void atomics(finder *f, size_t i) {
  if (!at(f, i, "atomicAdd"))
    return;
  size_t open = i + strlen("atomicAdd"), close = f->source[open] == '(' ? closing(f, open) : 0;
  int depth = 0;
  for (size_t j = open; j < close; j++) {
    depth += f->source[j] == '(' || f->source[j] == '[';
    depth -= f->source[j] == ')' || f->source[j] == ']';
    char text[96];
    if (f->source[j] != ',' || depth != 1)
      continue;
    if (snprintf(text, sizeof text, "(*(%.*s) += %.*s)", (int)(j - open - 1), f->source + open + 1,
                 (int)(close - j - 1), f->source + j + 1) < (int)sizeof text)
      add(f, "atomic dropped", i, close + 1, text, SIZE_MAX);
    return;
  }
}

size_t fz_find_edits(const char *source, fz_edit **out) {
  finder f = {.source = source, .length = strlen(source)};
  f.code = calloc(f.length + 1, 1);
  *out = NULL;
  if (!f.code)
    return 0;
  mark_code(&f);
  for (size_t i = 0; i < f.length; i++) {
    barriers(&f, i);
    operators(&f, i);
    words(&f, i);
    constants(&f, i);
    guards(&f, i);
    atomics(&f, i);
  }
  free(f.code);
  *out = f.edits;
  return f.count;
}

char *fz_apply_edit(const char *source, const fz_edit *e) {
  size_t length = strlen(source), old = e->end - e->begin, added = strlen(e->text);
  size_t lines = 0, at = 0;
  char *out = malloc(length + added + old + 2);
  if (!out)
    return NULL;
  memcpy(out, source, e->begin);
  at = e->begin;
  memcpy(out + at, e->text, added);
  at += added;
  for (size_t i = e->begin; i < e->end; i++) // the lines stay the lines
    if (source[i] == '\n' && lines++ < length)
      out[at++] = '\n';
  size_t rest = e->end;
  if (e->move_to != SIZE_MAX) {
    memcpy(out + at, source + rest, e->move_to - rest);
    at += e->move_to - rest;
    memcpy(out + at, source + e->begin, old);
    at += old;
    out[at++] = ';';
    rest = e->move_to;
  }
  memcpy(out + at, source + rest, length - rest);
  out[at + length - rest] = 0;
  return out;
}
