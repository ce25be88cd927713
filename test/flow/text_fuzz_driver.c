// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The fuzzer without libFuzzer, from a fixed seed:
///     text_fuzz_driver COUNT SEED FILE...
/// changes words and lines of the files, mostly so that the text still parses.
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

static bool is_word(char c) { return isalnum((unsigned char)c) || (c && strchr("%@!.~_", c)); }

/// What may stand where a token stands: a text that parses is worth more than a wild one.
typedef enum kind { TERM, NUMBER, CONSTANT, OPERATOR, OTHER } kind;

static kind kind_of(const text *t, size_t from, size_t to) {
  if (t->data[from] == '%')
    return TERM;
  if (isdigit((unsigned char)t->data[from]))
    return to < t->size && t->data[to] == ':' ? CONSTANT : NUMBER;
  return from > 0 && t->data[from - 1] == '(' ? OPERATOR : OTHER;
}

/// A random token of a text: [*from, *to).
static void pick_token(const text *t, size_t *from, size_t *to) {
  size_t at = below(t->size);
  while (at < t->size && isspace((unsigned char)t->data[at]))
    at++;
  size_t end = at + (at < t->size);
  bool word = at < t->size && is_word(t->data[at]);
  while (word && at > 0 && is_word(t->data[at - 1]))
    at--;
  while (word && end < t->size && is_word(t->data[end]))
    end++;
  *from = at;
  *to = end;
}

/// Two tokens of one kind, if there is luck. \returns whether.
static bool pick_pair(const text *t, const text *u, size_t *a, size_t *b, size_t *c, size_t *d) {
  for (int i = 0; i < 40; i++) {
    pick_token(t, a, b), pick_token(u, c, d);
    if (*b > *a && *d > *c && kind_of(t, *a, *b) != OTHER && kind_of(t, *a, *b) == kind_of(u, *c, *d))
      return true;
  }
  return false;
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
    "true", "false", "none", "0:64", "1:64", "-1:64", "0:32", "-1:32", "31:32", "nsw", "nuw", "grid",
    "block", "thread", "atomic", "opaque", "volatile", "warp", "named", "shared", "param",
    "unknown", "exits", "%threadIdx.x", "%blockIdx.x", "%blockDim.x"};
static const char *const numbers[] = {"0",  "1",   "2",    "3",          "7",  "31", "32",
                                      "63", "255", "1024", "4294967295", "64", "8",
                                      "9223372036854775808", "18446744073709551615"};
static const char *const operators[] = {"add", "sub",  "mul",  "udiv", "sdiv", "urem", "srem",
                                        "shl", "lshr", "ashr", "and",  "or",   "xor"};
static const char *const relations[] = {"eq", "ult", "ule", "slt", "sle"};

#define PICK(table) table[below(sizeof(table) / sizeof *(table))]

/// Another word of the same kind.
static void change_token(text *t) {
  size_t a, b;
  pick_token(t, &a, &b);
  kind k = b > a ? kind_of(t, a, b) : OTHER;
  const char *piece = PICK(pieces);
  if (k == NUMBER || k == CONSTANT)
    piece = PICK(numbers);
  else if (k == OPERATOR)
    piece = t->data[a] == 'e' || t->data[a] == 'u' || t->data[a] == 's' ? PICK(relations)
                                                                       : PICK(operators);
  splice(t, a, b, piece, strlen(piece));
}

static void change_line(text *t) {
  size_t a, b;
  pick_line(t, &a, &b);
  memcpy(scratch, t->data + a, b - a);
  if (below(2))
    splice(t, a, b, "", 0);
  else
    splice(t, b, b, scratch, b - a);
}

static void mutate(text *t) {
  const text *other = &files[below(file_count)];
  size_t a, b, c, d, what = below(10);
  if (what < 4 && pick_pair(t, t, &a, &b, &c, &d)) {
    memcpy(scratch, t->data + c, d - c);
    splice(t, a, b, scratch, d - c);
  } else if (what < 5 && pick_pair(t, other, &a, &b, &c, &d)) {
    splice(t, a, b, other->data + c, d - c);
  } else if (what < 8) {
    change_token(t);
  } else if (what < 9) {
    change_line(t);
  } else if (t->size) {
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
    bool good = false;
    for (int tries = 0; !good && tries < 12; tries++) {
      memcpy(t.data, from->data, from->size);
      t.size = from->size;
      for (size_t n = 1 + below(3); n > 0; n--)
        mutate(&t);
      good = fuzz_kernel_text((const uint8_t *)t.data, t.size);
    }
    parsed += good;
  }
  printf("%lu of %lu texts parsed\n", parsed, count);
  free(t.data);
  for (size_t i = 0; i < file_count; i++)
    free(files[i].data);
  // A generator that stopped reaching the interesting part would prove nothing.
  return parsed * 2 >= count ? 0 : 1;
}
