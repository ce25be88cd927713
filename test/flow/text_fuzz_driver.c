// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The fuzzer without libFuzzer, from a fixed seed:
///     text_fuzz_driver COUNT SEED FILE...
/// takes lines and words of the files apart and puts them together again.
#include "text_fuzz.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FILES = 512, MAX_TEXT = 1 << 17 };

static uint64_t state;

/// xorshift64* (Vigna 2016): the same numbers everywhere.
static uint64_t next(void) {
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return state * 2685821657736338717u;
}

static size_t below(size_t n) { return n ? (size_t)(next() >> 33) % n : 0; }

typedef struct text {
  char *data;
  size_t size;
} text;

static text files[MAX_FILES];
static size_t file_count;
static char scratch[MAX_TEXT];

static void load(const char *name) {
  FILE *file = fopen(name, "rb");
  if (!file || file_count == MAX_FILES)
    exit(2);
  text *t = &files[file_count++];
  t->data = malloc(MAX_TEXT);
  t->size = t->data ? fread(t->data, 1, MAX_TEXT - 1, file) : 0;
  fclose(file);
}

/// A random token of a text: [*from, *to).
static void pick_token(const text *t, size_t *from, size_t *to) {
  size_t at = below(t->size);
  while (at < t->size && isspace((unsigned char)t->data[at]))
    at++;
  size_t end = at + (at < t->size);
  bool word = at < t->size && (isalnum((unsigned char)t->data[at]) || strchr("%@!.", t->data[at]));
  while (word && at > 0 && (isalnum((unsigned char)t->data[at - 1]) || strchr("%@!.", t->data[at - 1])))
    at--;
  while (word && end < t->size && (isalnum((unsigned char)t->data[end]) || t->data[end] == '.'))
    end++;
  *from = at;
  *to = end;
}

static void pick_line(const text *t, size_t *from, size_t *to) {
  size_t at = below(t->size), end = at;
  while (at > 0 && t->data[at - 1] != '\n')
    at--;
  while (end < t->size && t->data[end] != '\n')
    end++;
  *from = at;
  *to = end + (end < t->size);
}

/// Replaces [from, to) of t with bytes.
static void splice(text *t, size_t from, size_t to, const char *bytes, size_t count) {
  if (t->size - (to - from) + count >= MAX_TEXT)
    return;
  memmove(t->data + from + count, t->data + to, t->size - to);
  memcpy(t->data + from, bytes, count);
  t->size = t->size - (to - from) + count;
}

static const char *const pieces[] = {
    "true", "false", "none", "0:64", "1:64", "-1:64", "0:32", "-1:32", "31:32", "0", "1", "2", "7", "32",
    "64", "4294967295", "18446744073709551615", "add", "sub", "mul", "udiv", "sdiv", "urem", "srem",
    "shl", "lshr", "ashr", "and", "or", "xor", "eq", "ult", "slt", "ite", "nsw", "nuw", "grid",
    "block", "thread", "write", "read", "atomic", "opaque", "volatile", "warp", "named", "shared",
    "param", "unknown", "exits", "%threadIdx.x", "%blockIdx.x", "%blockDim.x"};

static void mutate(text *t) {
  const text *other = &files[below(file_count)];
  size_t a, b, c, d;
  switch (below(7)) {
  case 0: // a token becomes one of the same text
    pick_token(t, &a, &b), pick_token(t, &c, &d);
    memcpy(scratch, t->data + c, d - c);
    splice(t, a, b, scratch, d - c);
    break;
  case 1: { // or one of the language
    const char *piece = pieces[below(sizeof pieces / sizeof *pieces)];
    pick_token(t, &a, &b);
    splice(t, a, b, piece, strlen(piece));
    break;
  }
  case 2: // a number of another file
    pick_token(t, &a, &b), pick_token(other, &c, &d);
    splice(t, a, b, other->data + c, d - c);
    break;
  case 3: // a line is lost
    pick_line(t, &a, &b);
    splice(t, a, b, "", 0);
    break;
  case 4: // a line comes twice
    pick_line(t, &a, &b);
    memcpy(scratch, t->data + a, b - a);
    splice(t, b, b, scratch, b - a);
    break;
  case 5: { // a token more
    const char *piece = pieces[below(sizeof pieces / sizeof *pieces)];
    pick_token(t, &a, &b);
    splice(t, a, a, " ", 1);
    splice(t, a, a, piece, strlen(piece));
    break;
  }
  default: // a byte
    if (t->size)
      t->data[below(t->size)] = (char)next();
  }
}

int main(int argc, char **argv) {
  if (argc < 4)
    return 2;
  unsigned long count = strtoul(argv[1], NULL, 10), parsed = 0;
  state = strtoul(argv[2], NULL, 10) * 2 + 1;
  for (int i = 3; i < argc; i++)
    load(argv[i]);
  text t = {malloc(MAX_TEXT), 0};
  for (unsigned long i = 0; t.data && i < count; i++) {
    const text *from = &files[below(file_count)];
    memcpy(t.data, from->data, from->size);
    t.size = from->size;
    for (size_t n = 1 + below(3); n > 0; n--)
      mutate(&t);
    parsed += (unsigned long)fuzz_kernel_text((const uint8_t *)t.data, t.size);
  }
  printf("%lu of %lu texts parsed\n", parsed, count);
  free(t.data);
  for (size_t i = 0; i < file_count; i++)
    free(files[i].data);
  // A generator that stopped reaching the interesting part would prove nothing.
  return parsed * 20 >= count ? 0 : 1;
}
