// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "matrix.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORDS = 16 };

typedef struct word {
  const char *at;
  size_t length;
} word;

typedef struct words {
  word all[MAX_WORDS];
  uint32_t count;
} words;

static bool is(word w, const char *text) {
  return w.length == strlen(text) && memcmp(w.at, text, w.length) == 0;
}

static void split(const char *text, size_t length, words *out) {
  const char *end = text + length;
  out->count = 0;
  for (const char *p = text; p < end && out->count < MAX_WORDS; p++) {
    const char *start = p;
    while (p < end && *p != '.' && *p != ':')
      p++;
    if (p > start)
      out->all[out->count++] = (word){start, (size_t)(p - start)};
  }
}

static bool has(const words *w, const char *text) {
  for (uint32_t i = 0; i < w->count; i++)
    if (is(w->all[i], text))
      return true;
  return false;
}

/// "m16n16k16"
static bool read_shape(const words *w, uint32_t *m, uint32_t *n, uint32_t *k) {
  for (uint32_t i = 0; i < w->count; i++) {
    word s = w->all[i];
    uint32_t *const sizes[] = {m, n, k};
    size_t at = 0, which = 0;
    for (; which < 3 && at < s.length && s.at[at] == "mnk"[which]; which++) {
      *sizes[which] = 0;
      for (at++; at < s.length && isdigit((unsigned char)s.at[at]); at++)
        *sizes[which] = *sizes[which] * 10 + (uint32_t)(s.at[at] - '0');
    }
    if (which == 3 && at == s.length && *m && *n && *k && *m <= 64 && *n <= 256 && *k <= 256)
      return true;
  }
  return false;
}

static uint32_t bits_of(const words *w) {
  static const struct {
    const char *name;
    uint32_t bits;
  } types[] = {{"f16", 16}, {"bf16", 16}, {"f32", 32}, {"tf32", 32}, {"f64", 64}, {"s8", 8},
               {"u8", 8},   {"s32", 32},  {"s4", 4},   {"u4", 4},    {"b1", 1}};
  for (uint32_t i = 0; i < w->count; i++)
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
      if (is(w->all[i], types[t].name))
        return types[t].bits;
  return 0;
}

static bool read_rows(const words *w, gs_matrix *out) {
  out->is_rows = true;
  out->is_write = has(w, "stmatrix");
  out->lanes = has(w, "x4") ? 32 : has(w, "x2") ? 16 : has(w, "x1") ? 8 : 0;
  out->key = 1;
  return out->lanes && has(w, "m8n8") && has(w, "b16");
}

static bool read_tile(const words *w, gs_matrix *out) {
  uint32_t m = 0, n = 0, k = 0;
  bool a = has(w, "a"), b = has(w, "b"), row = has(w, "row");
  out->is_write = has(w, "store");
  out->has_stride = has(w, "stride");
  out->bits = bits_of(w);
  if (has(w, "load") == out->is_write || (!a && !b && !has(w, "c") && !has(w, "d")) ||
      row == has(w, "col") || !out->bits || !read_shape(w, &m, &n, &k))
    return false;
  uint32_t rows = b ? k : m, columns = a ? k : n;
  out->outer = row ? rows : columns;
  out->inner = row ? columns : rows;
  out->key = ((m * 257 + n) * 257 + k) * 64 + out->bits % 61;
  out->key = out->key * 8 + (a ? 2 : b ? 4 : 0) + row + 1;
  return out->inner * out->bits % 8 == 0;
}

bool gs_matrix_read(const char *text, size_t length, gs_matrix *out) {
  words w;
  split(text, length, &w);
  memset(out, 0, sizeof *out);
  if (has(&w, "ldmatrix") || has(&w, "stmatrix"))
    return read_rows(&w, out);
  return has(&w, "wmma") && read_tile(&w, out);
}
