// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Feeds the fuzzers without libFuzzer, from a fixed seed:
///     contract_fuzz_driver [texts] [programs] [seed]
/// Half of the inputs follow the grammar, the rest are damaged.
#include "contract_fuzz.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state;

/// xorshift64* (Vigna 2016): the same numbers everywhere.
static uint64_t next(void) {
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return state * 2685821657736338717u;
}

static unsigned below(unsigned n) { return (unsigned)(next() >> 33) % n; }

typedef struct buffer {
  uint8_t bytes[2048];
  size_t size;
} buffer;

static void put(buffer *b, uint8_t byte) {
  if (b->size < sizeof b->bytes)
    b->bytes[b->size++] = byte;
}

static void write_text(buffer *b, const char *text) {
  while (*text)
    put(b, (uint8_t)*text++);
}

#define PICK(table) table[below((unsigned)(sizeof(table) / sizeof *(table)))]

// -------------------------------------------------------------------- text ----

static const char *const atoms[] = {"n",
                                    "m",
                                    "big",
                                    "u",
                                    "p.width",
                                    "p.dims[2]",
                                    "TILE",
                                    "Mode::Fast",
                                    "block.x",
                                    "grid.y",
                                    "cluster.z",
                                    "dynamic_smem",
                                    "cc",
                                    "warp_size",
                                    "cooperative",
                                    "0",
                                    "1",
                                    "2",
                                    "31",
                                    "0x40",
                                    "63",
                                    "1000",
                                    "9223372036854775807",
                                    "true",
                                    "sizeof(float)",
                                    "017",
                                    "0b11u",
                                    "extent(a)"};
static const char *const operators[] = {
    " + ", " - ", "*",  "/", "%",  "<<", ">>", "&", "|",   "^",    "&&",
    "||",  "==",  "!=", "<", "<=", ">",  ">=", "+", " * ", " && ", " == "};
static const char *const prefixes[] = {"-", "!", "~", "+", "- "};
static const char *const calls[] = {"min", "max", "ceil_div"};
static const char *const damage[] = {"(",
                                     ")",
                                     ",",
                                     "?",
                                     ":",
                                     "=",
                                     "++",
                                     "block",
                                     "dim(",
                                     "a",
                                     "'",
                                     "\"",
                                     "1.5",
                                     "[",
                                     "]",
                                     ".",
                                     "::",
                                     " ",
                                     "\n",
                                     "->",
                                     "//",
                                     "$",
                                     "0x",
                                     "99999999999999999999",
                                     "in_range(c, n, 0, ",
                                     "sizeof("};

static void expression(buffer *b, unsigned depth) {
  unsigned what = depth == 0 ? 0 : below(12);
  if (what < 3)
    write_text(b, PICK(atoms));
  else if (what < 7) {
    bool wrap = below(2);
    write_text(b, wrap ? "(" : "");
    expression(b, depth - 1);
    write_text(b, PICK(operators));
    expression(b, depth - 1);
    write_text(b, wrap ? ")" : "");
  } else if (what == 7) {
    write_text(b, PICK(prefixes));
    expression(b, depth - 1);
  } else if (what == 8) {
    write_text(b, PICK(calls));
    write_text(b, "(");
    expression(b, depth - 1);
    write_text(b, ", ");
    expression(b, depth - 1);
    write_text(b, ")");
  } else if (what == 9) {
    write_text(b, below(2) ? "is_pow2(" : below(2) ? "abs(" : "aligned(a, ");
    expression(b, depth - 1);
    write_text(b, ")");
  } else if (what == 10) {
    expression(b, depth - 1);
    write_text(b, " ? ");
    expression(b, depth - 1);
    write_text(b, " : ");
    expression(b, depth - 1);
  } else {
    write_text(b, below(2) ? "block == dim(" : "(grid <= dim(");
    expression(b, depth - 1);
    write_text(b, b->bytes[0] == '(' ? "))" : ")");
  }
}

static void random_text(buffer *b) {
  b->size = 0;
  if (below(8) == 0)
    write_text(b, below(2) ? "injective(c, n) && " : "in_range(a, n, 0, m) || ");
  expression(b, below(6));
  for (unsigned i = below(2) ? below(4) : 0; i > 0; i--) {
    size_t at = below((unsigned)b->size + 1), end = b->size;
    buffer copy = *b;
    b->size = at;
    write_text(b, PICK(damage));
    for (at += below(3); at < end; at++)
      put(b, copy.bytes[at]);
  }
}

// ---------------------------------------------------------------- programs ----

enum {
  INT = 0,
  NAME = 1,
  FIRST = 2,
  AND = 15,
  OR = 16,
  COND = 17,
  EQ = 18,
  IS_POW2 = 28,
  ALIGNED = 29,
  EXTENT = 30,
  IN_RANGE = 34,
  BOOL = 0xF0,
  JUMP = 0xF1
};

static void leaf(buffer *b) {
  static const uint8_t sizes[] = {8, 8, 4, 4, 8, 8, 8};
  unsigned what = below(8);
  if (what < 3) {
    put(b, INT);
    for (unsigned i = below(9) == 0 ? 9 : below(3); i > 0; i--)
      put(b, (uint8_t)(0x80 | below(128)));
    put(b, (uint8_t)(1 + below(1 + below(64))));
  } else if (what < 6) {
    unsigned param = below(7), wide = sizes[param] == 8 && below(2);
    put(b, NAME), put(b, 0), put(b, (uint8_t)param);
    put(b, (uint8_t)(below(20) ? below(sizes[param] - (wide ? 7u : 3u)) : below(9)));
    put(b, (uint8_t)((wide ? 63u : below(32)) | (below(2) << 6)));
  } else if (what == 6) {
    put(b, NAME), put(b, (uint8_t)(3 + below(3))), put(b, (uint8_t)below(3));
  } else
    put(b, NAME), put(b, (uint8_t)(6 + below(4)));
}

static void program(buffer *b, unsigned depth);

/// Appends what skips over a part that is written to a buffer of its own.
static void append(buffer *b, const buffer *part) {
  for (size_t i = 0; i < part->size; i++)
    put(b, part->bytes[i]);
}

static void put_skip(buffer *b, size_t skip) {
  if (skip > 127)
    put(b, (uint8_t)(skip | 0x80));
  put(b, (uint8_t)(skip > 127 ? skip >> 7 : skip));
}

static void branch(buffer *b, unsigned depth, unsigned op) {
  static buffer parts[8][2]; // one pair for each depth: no recursion reuses it
  buffer *yes = &parts[depth][0], *no = &parts[depth][1];
  program(b, depth - 1);
  yes->size = no->size = 0;
  program(yes, depth - 1);
  if (op == COND) {
    program(no, depth - 1);
    put(yes, JUMP);
    put_skip(yes, no->size);
  } else
    put(yes, BOOL);
  put(b, (uint8_t)op);
  put_skip(b, yes->size);
  append(b, yes);
  append(b, no);
}

static void program(buffer *b, unsigned depth) {
  static const uint8_t unary[] = {12, 13, 14, 26, IS_POW2};
  unsigned what = depth == 0 ? 0 : below(10);
  if (what < 2)
    leaf(b);
  else if (what == 2) {
    program(b, depth - 1);
    put(b, PICK(unary));
  } else if (what == 3) {
    unsigned op = ALIGNED + below(6);
    for (unsigned i = op == EXTENT ? 0 : op == IN_RANGE ? 3 : 1; i > 0; i--)
      program(b, depth - 1);
    put(b, (uint8_t)op), put(b, (uint8_t)below(2)), put(b, 0);
  } else if (what < 6)
    branch(b, depth, AND + below(3));
  else {
    program(b, depth - 1);
    program(b, depth - 1);
    put(b, (uint8_t)(below(2) ? EQ + below(8) : FIRST + below(10)));
  }
}

static void random_program(buffer *b) {
  b->size = 0;
  put(b, 1);
  put(b, (uint8_t)(below(16) ? 200 : below(4)));
  if (below(16) == 0)
    for (unsigned i = below(40); i > 0; i--)
      put(b, (uint8_t)(below(3) ? below(36) : next()));
  else
    program(b, below(7));
  for (unsigned i = below(2) ? below(4) : 0; i > 0 && b->size > 0; i--) {
    size_t at = below((unsigned)b->size);
    if (below(4) == 0)
      b->size = at;
    else
      b->bytes[at] = (uint8_t)(below(2) ? b->bytes[at] + 1u : below(40));
  }
}

static uint64_t argument(int argc, char **argv, int index, uint64_t fallback) {
  return argc > index ? strtoull(argv[index], NULL, 10) : fallback;
}

int main(int argc, char **argv) {
  static buffer b;
  uint64_t texts = argument(argc, argv, 1, 20000), programs = argument(argc, argv, 2, 100000);
  uint64_t parsed = 0, verified = 0;
  state = argument(argc, argv, 3, 1) * 2 + 1;
  for (uint64_t i = 0; i < texts; i++) {
    random_text(&b);
    parsed += (uint64_t)fuzz_text(b.bytes, b.size);
  }
  for (uint64_t i = 0; i < programs; i++) {
    random_program(&b);
    verified += (uint64_t)fuzz_code(b.bytes, b.size);
  }
  printf("%llu of %llu texts parsed, %llu of %llu programs verified\n", (unsigned long long)parsed,
         (unsigned long long)texts, (unsigned long long)verified, (unsigned long long)programs);
  // A generator that stopped reaching the interesting part would prove nothing.
  return parsed * 10 >= texts && verified * 10 >= programs ? 0 : 1;
}
