// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sizes of built-in types, CUDA's vector types included.
#include "contract_types.h"

typedef struct type_row {
  const char *name;
  int64_t size;
} type_row;

/// Words that combine ("unsigned long long int").
static const char *const basic[] = {"char",     "short", "int",    "long", "signed",
                                    "unsigned", "float", "double", "bool", "_Bool"};

static const type_row single[] = {
    {"int8_t", 1},    {"uint8_t", 1},   {"int16_t", 2},       {"uint16_t", 2},
    {"int32_t", 4},   {"uint32_t", 4},  {"int64_t", 8},       {"uint64_t", 8},
    {"size_t", 8},    {"ptrdiff_t", 8}, {"intptr_t", 8},      {"uintptr_t", 8},
    {"uchar", 1},     {"ushort", 2},    {"uint", 4},          {"ulong", 8},
    {"__half", 2},    {"half", 2},      {"__half2", 4},       {"half2", 4},
    {"_Float16", 2},  {"__bf16", 2},    {"__nv_bfloat16", 2}, {"__nv_bfloat162", 4},
    {"__int128", 16},
};

/// Element types of CUDA's vectors: uchar4, float2, longlong3 and so on.
static const type_row vectors[] = {
    {"char", 1}, {"uchar", 1}, {"short", 2}, {"ushort", 2},   {"int", 4},       {"uint", 4},
    {"long", 8}, {"ulong", 8}, {"float", 4}, {"longlong", 8}, {"ulonglong", 8}, {"double", 8},
};

static bool vector_size(gs_word word, int64_t *size) {
  if (word.length < 2)
    return false;
  char last = word.text[word.length - 1];
  if (last < '1' || last > '4')
    return false;
  gs_word element = {word.text, word.length - 1};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
    if (gs_word_is(element, vectors[i].name)) {
      *size = vectors[i].size * (last - '0');
      return true;
    }
  return false;
}

static bool single_size(gs_word word, int64_t *size) {
  for (size_t i = 0; i < sizeof single / sizeof *single; i++)
    if (gs_word_is(word, single[i].name)) {
      *size = single[i].size;
      return true;
    }
  if (gs_word_is(word, "dim3") || gs_word_is(word, "uint3")) {
    *size = 12;
    return true;
  }
  return vector_size(word, size);
}

/// How often `name` occurs.
static unsigned occurrences(const gs_word *words, size_t count, const char *name) {
  unsigned sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += gs_word_is(words[i], name);
  return sum;
}

static bool is_basic(gs_word word) {
  for (size_t i = 0; i < sizeof basic / sizeof *basic; i++)
    if (gs_word_is(word, basic[i]))
      return true;
  return false;
}

/// The combinations of C 6.7.2, in any order.
static bool basic_size(const gs_word *words, size_t count, int64_t *size) {
  for (size_t i = 0; i < count; i++)
    if (!is_basic(words[i]))
      return false;
  unsigned sign = occurrences(words, count, "signed") + occurrences(words, count, "unsigned");
  unsigned longs = occurrences(words, count, "long"), ints = occurrences(words, count, "int");
  unsigned chars = occurrences(words, count, "char"), shorts = occurrences(words, count, "short");
  unsigned floats = occurrences(words, count, "float");
  unsigned doubles = occurrences(words, count, "double");
  unsigned bools = occurrences(words, count, "bool") + occurrences(words, count, "_Bool");
  if (sign > 1 || ints > 1 || longs > 2)
    return false;
  if (floats + doubles + bools > 0) {
    *size = floats ? 4 : doubles ? (longs ? 16 : 8) : 1;
    return floats + doubles + bools == 1 && sign + ints + chars + shorts == 0 && longs <= doubles;
  }
  *size = chars ? 1 : shorts ? 2 : longs ? 8 : 4;
  return chars + shorts + (longs > 0) <= 1 && (chars == 0 || ints == 0);
}

bool gs_type_size(const gs_word *words, size_t count, int64_t *size) {
  if (count == 0)
    return false;
  return (count == 1 && single_size(words[0], size)) || basic_size(words, count, size);
}

bool gs_word_starts_type(gs_word word) {
  int64_t size;
  return is_basic(word) || single_size(word, &size);
}
