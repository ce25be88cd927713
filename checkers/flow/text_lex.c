// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tokens of the text form.
#include "text_read.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fail(gs_reader *r, gs_status status, uint32_t line, uint32_t column) {
  r->status = status;
  r->at = r->end;
  r->token = (gs_token){.kind = GS_TOKEN_END, .line = line, .column = column};
}

void gs_read_fail_at(gs_reader *r, uint32_t line, uint32_t column, const char *format, ...) {
  if (r->status != GS_OK)
    return;
  fail(r, GS_ERROR_INPUT, line, column);
  r->error->line = line;
  r->error->column = column;
  va_list args;
  va_start(args, format);
  vsnprintf(r->error->message, sizeof r->error->message, format, args);
  va_end(args);
}

void gs_read_fail(gs_reader *r, const char *format, ...) {
  if (r->status != GS_OK)
    return;
  r->error->line = r->token.line;
  r->error->column = r->token.column;
  va_list args;
  va_start(args, format);
  vsnprintf(r->error->message, sizeof r->error->message, format, args);
  va_end(args);
  fail(r, GS_ERROR_INPUT, r->token.line, r->token.column);
}

void gs_read_no_memory(gs_reader *r) {
  if (r->status == GS_OK)
    fail(r, GS_ERROR_MEMORY, r->token.line, r->token.column);
}

// ---------------------------------------------------------------- lexer ----

static bool is_word_char(char c) { return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '~'; }

static void skip_blanks(gs_reader *r) {
  for (; r->at < r->end; r->at++) {
    if (*r->at == ';')
      while (r->at + 1 < r->end && r->at[1] != '\n')
        r->at++;
    else if (*r->at == '\n' && r->brackets) {
      r->line++;
      r->line_start = r->at + 1;
    } else if (*r->at != ' ' && *r->at != '\t' && *r->at != '\r')
      return;
  }
}

static int hex_digit(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  c = (char)tolower((unsigned char)c);
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/// One escape after a backslash; -1 when it is none.
static int escape(gs_reader *r) {
  if (r->at < r->end && (*r->at == '"' || *r->at == '\\'))
    return *r->at++;
  if (r->end - r->at < 3 || *r->at != 'x')
    return -1;
  int high = hex_digit(r->at[1]), low = hex_digit(r->at[2]);
  r->at += 3;
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

static void lex_string(gs_reader *r) {
  const char *start = ++r->at;
  while (r->at < r->end && *r->at != '"' && *r->at != '\n')
    r->at += *r->at == '\\' && r->at + 1 < r->end ? 2 : 1;
  size_t most = (size_t)((r->at < r->end ? r->at : r->end) - start), used = 0;
  char *copy = malloc(most + 1);
  if (!copy) {
    gs_read_no_memory(r);
    return;
  }
  for (r->at = start; r->at < r->end && *r->at != '"' && *r->at != '\n';) {
    int c = (unsigned char)*r->at++;
    if (c == '\\')
      c = escape(r);
    if (c <= 0) {
      free(copy);
      gs_read_fail(r, "strings know the escapes \\\" \\\\ and \\x01 to \\xFF");
      return;
    }
    copy[used++] = (char)c;
  }
  copy[used] = 0;
  const gs_name_slot *slot = gs_name_map_add(r, &r->strings, copy, used, 0);
  free(copy);
  if (r->at == r->end || *r->at != '"') {
    gs_read_fail(r, "the string does not end");
  } else if (slot) {
    r->at++;
    r->token.kind = GS_TOKEN_STRING;
    r->token.text = slot->text;
    r->token.length = used;
  }
}

static void lex_number(gs_reader *r) {
  gs_token *t = &r->token;
  t->kind = GS_TOKEN_NUMBER;
  t->negative = *r->at == '-';
  r->at += t->negative;
  bool hex = r->end - r->at > 2 && r->at[0] == '0' && r->at[1] == 'x';
  unsigned base = hex ? 16 : 10;
  r->at += hex ? 2 : 0;
  const char *start = r->at;
  for (; r->at < r->end; r->at++) {
    int digit = hex_digit(*r->at);
    if (digit < 0 || (unsigned)digit >= base)
      break;
    if (t->value > (UINT64_MAX - (unsigned)digit) / base) {
      gs_read_fail(r, "the number does not fit 64 bits");
      return;
    }
    t->value = t->value * base + (unsigned)digit;
  }
  if (r->at == start || (r->at < r->end && is_word_char(*r->at)))
    gs_read_fail(r, "not a number");
}

static void lex_word(gs_reader *r, gs_token_kind kind) {
  const char *start = r->at;
  while (r->at < r->end && is_word_char(*r->at))
    r->at++;
  r->token.kind = kind;
  r->token.text = start;
  r->token.length = (size_t)(r->at - start);
  if (r->at == start)
    gs_read_fail(r, "a name is missing");
}

static void lex_reference(gs_reader *r, gs_token_kind kind) {
  r->at++;
  if (r->at == r->end || !isdigit((unsigned char)*r->at)) {
    gs_read_fail(r, "a number is missing");
    return;
  }
  lex_number(r);
  if (r->status == GS_OK)
    r->token.kind = kind;
}

void gs_read_next(gs_reader *r) {
  if (r->status != GS_OK)
    return;
  skip_blanks(r);
  r->token = (gs_token){.line = r->line, .column = (uint32_t)(r->at - r->line_start) + 1};
  if (r->at == r->end)
    return;
  char c = *r->at;
  if (c == '\n') {
    r->token.kind = GS_TOKEN_LINE;
    r->line_start = ++r->at;
    r->line++;
  } else if (c == '"') {
    lex_string(r);
  } else if (c == '%') {
    r->at++;
    lex_word(r, GS_TOKEN_TERM);
  } else if (c == '@' || c == '!') {
    lex_reference(r, c == '@' ? GS_TOKEN_PLACE : GS_TOKEN_ORIGIN);
  } else if (c == '-' && r->end - r->at > 1 && r->at[1] == '>') {
    r->token.kind = GS_TOKEN_ARROW;
    r->at += 2;
  } else if (isdigit((unsigned char)c) || c == '-') {
    lex_number(r);
  } else if (isalpha((unsigned char)c)) {
    lex_word(r, GS_TOKEN_WORD);
  } else if (c && strchr("()[],:=+", c)) {
    r->token.kind = GS_TOKEN_CHAR;
    r->token.value = (unsigned char)c;
    r->at++;
    r->brackets += c == '(';
    r->brackets -= c == ')' && r->brackets;
  } else {
    gs_read_fail(r, "no such character here");
  }
}

// ---------------------------------------------------------------- parts ----

bool gs_read_is_char(const gs_reader *r, char c) {
  return r->token.kind == GS_TOKEN_CHAR && r->token.value == (unsigned char)c;
}

bool gs_read_is_word(const gs_reader *r, const char *word) {
  return r->token.kind == GS_TOKEN_WORD && r->token.length == strlen(word) &&
         memcmp(r->token.text, word, r->token.length) == 0;
}

bool gs_read_char(gs_reader *r, char c) {
  bool is = gs_read_is_char(r, c);
  if (is)
    gs_read_next(r);
  return is;
}

bool gs_read_word(gs_reader *r, const char *word) {
  bool is = gs_read_is_word(r, word);
  if (is)
    gs_read_next(r);
  return is;
}

void gs_read_expect(gs_reader *r, char c) {
  if (!gs_read_char(r, c))
    gs_read_fail(r, "'%c' is missing", c);
}

void gs_read_end_line(gs_reader *r) {
  if (r->token.kind == GS_TOKEN_LINE)
    gs_read_next(r);
  else if (r->token.kind == GS_TOKEN_WORD)
    gs_read_fail(r, "'%.*s' does not belong here", (int)(r->token.length < 60 ? r->token.length : 60),
                 r->token.text);
  else if (r->token.kind != GS_TOKEN_END)
    gs_read_fail(r, "the line should end here");
}

uint64_t gs_read_number(gs_reader *r, uint64_t most, const char *what) {
  uint64_t value = r->token.value;
  if (r->token.kind != GS_TOKEN_NUMBER)
    gs_read_fail(r, "%s is missing", what);
  else if (r->token.negative || value > most)
    gs_read_fail(r, "%s is at most %" PRIu64, what, most);
  gs_read_next(r);
  return r->status == GS_OK ? value : 0;
}

uint32_t gs_read_u32(gs_reader *r, const char *what) {
  return (uint32_t)gs_read_number(r, UINT32_MAX, what);
}

uint64_t gs_read_signed(gs_reader *r, uint8_t width) {
  bool negative = r->token.negative;
  uint64_t value = r->token.value, half = UINT64_C(1) << (width - 1);
  if (r->token.kind != GS_TOKEN_NUMBER)
    gs_read_fail(r, "a number is missing");
  else if (negative ? value > half : value > gs_mask(width))
    gs_read_fail(r, "the number does not fit %u bits", (unsigned)width);
  gs_read_next(r);
  return negative ? (0 - value) & gs_mask(width) : value;
}

uint32_t gs_read_one_of(gs_reader *r, gs_words words, const char *what) {
  for (uint32_t i = 0; i < words.count; i++)
    if (gs_read_word(r, words.items[i]))
      return i;
  gs_read_fail(r, "%s is missing, as in '%s'", what, words.items[0]);
  return 0;
}

const char *gs_read_string(gs_reader *r) {
  const char *text = r->token.text;
  if (gs_read_word(r, "none"))
    return NULL;
  if (r->token.kind != GS_TOKEN_STRING)
    gs_read_fail(r, "a text in quotes is missing");
  gs_read_next(r);
  return text;
}

gs_loc gs_read_loc(gs_reader *r) {
  gs_loc loc = {.file = gs_read_string(r)};
  gs_read_expect(r, ':');
  loc.line = gs_read_u32(r, "a line");
  gs_read_expect(r, ':');
  loc.column = gs_read_u32(r, "a column");
  return loc;
}

uint32_t gs_read_place(gs_reader *r) {
  uint64_t place = r->token.value;
  if (r->token.kind != GS_TOKEN_PLACE)
    return 0;
  if (place >= r->program->place_count)
    gs_read_fail(r, "there is no place @%" PRIu64 " yet", place);
  gs_read_next(r);
  return (uint32_t)place;
}

void *gs_read_room(gs_reader *r, void *array, uint32_t count, uint32_t *capacity, size_t size) {
  if (r->status != GS_OK)
    return NULL;
  if (count < *capacity)
    return array;
  uint32_t next = *capacity ? *capacity * 2 : 8;
  void *moved = realloc(array, next * size);
  if (!moved) {
    gs_read_no_memory(r);
    return NULL;
  }
  *capacity = next;
  return moved;
}

// ---------------------------------------------------------------- names ----

static uint32_t hash(const char *text, size_t length) {
  uint32_t h = 2166136261u; // FNV-1a
  for (size_t i = 0; i < length; i++)
    h = (h ^ (unsigned char)text[i]) * 16777619u;
  return h;
}

static gs_name_slot *find(const gs_name_map *map, const char *text, size_t length) {
  uint32_t at = hash(text, length) & (map->capacity - 1);
  while (map->slots[at].text && (map->slots[at].length != length ||
                                 memcmp(map->slots[at].text, text, length) != 0))
    at = (at + 1) & (map->capacity - 1);
  return &map->slots[at];
}

static bool grow(gs_reader *r, gs_name_map *map) {
  gs_name_map next = {.count = map->count, .capacity = map->capacity ? map->capacity * 2 : 64};
  next.slots = calloc(next.capacity, sizeof *next.slots);
  if (!next.slots) {
    gs_read_no_memory(r);
    return false;
  }
  for (uint32_t i = 0; i < map->capacity; i++)
    if (map->slots[i].text)
      *find(&next, map->slots[i].text, map->slots[i].length) = map->slots[i];
  free(map->slots);
  *map = next;
  return true;
}

const gs_name_slot *gs_name_map_find(const gs_name_map *map, const char *text, size_t length) {
  const gs_name_slot *slot = map->capacity ? find(map, text, length) : NULL;
  return slot && slot->text ? slot : NULL;
}

const gs_name_slot *gs_name_map_add(gs_reader *r, gs_name_map *map, const char *text,
                                    size_t length, uint32_t value) {
  if (r->status != GS_OK || (map->count * 2 >= map->capacity && !grow(r, map)))
    return NULL;
  gs_name_slot *slot = find(map, text, length);
  if (slot->text)
    return slot;
  char *copy = gs_pool_alloc(r->text->pool, length + 1);
  if (!copy) {
    gs_read_no_memory(r);
    return NULL;
  }
  memcpy(copy, text, length);
  copy[length] = 0;
  *slot = (gs_name_slot){copy, length, value};
  map->count++;
  return slot;
}

void gs_name_map_free(gs_name_map *map) {
  free(map->slots);
  *map = (gs_name_map){0};
}
