// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Clauses: building, copying, splitting a list of them, canonical printing.
#include "contract_parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

gs_clause *gs_clause_build(const char *text, size_t length, const gs_expr *nodes, uint32_t count) {
  gs_clause *clause = malloc(sizeof *clause + count * sizeof *nodes + length + 1);
  if (!clause)
    return NULL;
  clause->nodes = (gs_expr *)(clause + 1);
  clause->text = (char *)(clause->nodes + count);
  clause->count = count;
  memcpy(clause->nodes, nodes, count * sizeof *nodes);
  if (length > 0)
    memcpy(clause->text, text, length);
  clause->text[length] = '\0';
  return clause;
}

gs_clause *gs_clause_copy(const gs_clause *clause) {
  return gs_clause_build(clause->text, strlen(clause->text), clause->nodes, clause->count);
}

void gs_clause_free(gs_clause *clause) { free(clause); }

// ------------------------------------------------------------- splitting ----

/// One past a character or string literal that starts at `at`.
static size_t literal_end(const char *text, size_t length, size_t at) {
  char quote = text[at++];
  while (at < length && text[at] != quote)
    at += text[at] == '\\' && at + 1 < length ? 2 : 1;
  return at < length ? at + 1 : length;
}

/// One past the piece at `at`: a literal, a number (its ' is a separator), a
/// word, or one character.
static size_t piece_end(const char *text, size_t length, size_t at) {
  if (text[at] == '"' || text[at] == '\'')
    return literal_end(text, length, at);
  if (gs_is_digit(text[at]))
    return gs_number_end(text, length, at);
  if (!gs_is_word_start(text[at]))
    return at + 1;
  while (at < length && gs_is_word(text[at]))
    at++;
  return at;
}

static void add_span(const char *text, size_t begin, size_t end, size_t (*spans)[2],
                     size_t capacity, size_t index) {
  begin = gs_skip_blanks(text, end, begin);
  while (end > begin && gs_skip_blanks(text, end, end - 1) == end)
    end--;
  if (index < capacity) {
    spans[index][0] = begin;
    spans[index][1] = end;
  }
}

size_t gs_clause_split(const char *text, size_t length, size_t (*spans)[2], size_t capacity) {
  size_t count = 0, begin = 0, at = 0, depth = 0;
  if (gs_skip_blanks(text, length, 0) == length)
    return 0;
  while (at < length) {
    char c = text[at];
    size_t next = piece_end(text, length, at);
    if (c == '(' || c == '[' || c == '{')
      depth++;
    else if ((c == ')' || c == ']' || c == '}') && depth > 0)
      depth--;
    else if (c == ',' && depth == 0) {
      add_span(text, begin, at, spans, capacity, count++);
      begin = next;
    }
    at = next;
  }
  add_span(text, begin, length, spans, capacity, count++);
  return count;
}

// -------------------------------------------------------------- printing ----

typedef struct printer {
  const gs_clause *clause;
  char *buffer;
  size_t size;
  size_t length;
} printer;

static void put_char(printer *out, char c) {
  if (out->length + 1 < out->size)
    out->buffer[out->length] = c;
  out->length++;
}

static void put(printer *out, const char *text) {
  while (*text)
    put_char(out, *text++);
}

static void put_int(printer *out, int64_t value) {
  char digits[32];
  if (value == INT64_MIN) // its absolute value is no literal
    put(out, "(-9223372036854775807 - 1)");
  else {
    snprintf(digits, sizeof digits, value < 0 ? "(%lld)" : "%lld", (long long)value);
    put(out, digits);
  }
}

static void put_name(printer *out, const gs_expr *node) {
  static const char *const kinds[] = {
      "", "", "", "block", "grid", "cluster", "dynamic_smem", "cc", "warp_size", "cooperative"};
  const char *built_in = kinds[node->name.kind];
  put(out, built_in);
  if (node->name.kind == GS_NAME_BLOCK || node->name.kind == GS_NAME_GRID ||
      node->name.kind == GS_NAME_CLUSTER) {
    put_char(out, '.');
    put_char(out, (char)('x' + node->name.axis));
  }
  for (uint32_t i = node->begin; !*built_in && i < node->end; i++)
    if (gs_skip_blanks(out->clause->text, i + 1, i) == i)
      put_char(out, out->clause->text[i]);
}

/// How tightly an operator binds, as in C; a call or a name binds tightest.
static int level(gs_expr_op op) {
  switch (op) {
  case GS_EXPR_COND:
    return 0;
  case GS_EXPR_OR:
    return 1;
  case GS_EXPR_AND:
    return 2;
  case GS_EXPR_BITOR:
    return 3;
  case GS_EXPR_BITXOR:
    return 4;
  case GS_EXPR_BITAND:
    return 5;
  case GS_EXPR_EQ:
  case GS_EXPR_NE:
    return 6;
  case GS_EXPR_LT:
  case GS_EXPR_LE:
  case GS_EXPR_GT:
  case GS_EXPR_GE:
    return 7;
  case GS_EXPR_SHL:
  case GS_EXPR_SHR:
    return 8;
  case GS_EXPR_ADD:
  case GS_EXPR_SUB:
    return 9;
  case GS_EXPR_MUL:
  case GS_EXPR_DIV:
  case GS_EXPR_MOD:
    return 10;
  case GS_EXPR_NEG:
  case GS_EXPR_NOT:
  case GS_EXPR_BITNOT:
    return 11;
  case GS_EXPR_INT:
  case GS_EXPR_NAME:
  case GS_EXPR_MIN:
  case GS_EXPR_MAX:
  case GS_EXPR_ABS:
  case GS_EXPR_CEIL_DIV:
  case GS_EXPR_IS_POW2:
  case GS_EXPR_ALIGNED:
  case GS_EXPR_EXTENT:
  case GS_EXPR_INJECTIVE:
  case GS_EXPR_MONOTONE:
  case GS_EXPR_STRICTLY_MONOTONE:
  case GS_EXPR_IN_RANGE:
    return 12;
  }
  return 12;
}

static const char *spelling(gs_expr_op op) {
  static const char *const texts[] = {
#define GS_EXPR(name, arity, text) text,
#include "contract_ops.def"
  };
  return texts[op];
}

/// Prints a node where at least `lowest` must bind; recursion is bounded by
/// GS_CLAUSE_MAX_DEPTH.
static void put_node(printer *out, uint32_t index, int lowest);

static void put_binary(printer *out, const gs_expr *node) {
  int own = level(node->op);
  // The parser refuses a comparison whose left side is a bare one of its kind.
  bool comparison = own == 6 || own == 7;
  put_node(out, node->args[0], comparison ? own + 1 : own);
  put_char(out, ' ');
  put(out, spelling(node->op));
  put_char(out, ' ');
  put_node(out, node->args[1], own + 1);
}

static void put_call(printer *out, const gs_expr *node) {
  put(out, spelling(node->op));
  put_char(out, '(');
  for (unsigned i = 0; i < gs_expr_op_arity(node->op); i++) {
    put(out, i ? ", " : "");
    put_node(out, node->args[i], 0);
  }
  put_char(out, ')');
}

static void put_prefix(printer *out, const gs_expr *node) {
  // "- -x" without the parentheses would read as a decrement.
  bool twice = node->op == GS_EXPR_NEG && out->clause->nodes[node->args[0]].op == GS_EXPR_NEG;
  put(out, spelling(node->op));
  put_node(out, node->args[0], twice ? 12 : 11);
}

static void put_conditional(printer *out, const gs_expr *node) {
  put_node(out, node->args[0], 1);
  put(out, " ? ");
  put_node(out, node->args[1], 0);
  put(out, " : ");
  put_node(out, node->args[2], 0);
}

static void put_node(printer *out, uint32_t index, int lowest) {
  const gs_expr *node = &out->clause->nodes[index];
  int own = level(node->op);
  bool wrap = own < lowest;
  if (wrap)
    put_char(out, '(');
  if (node->op == GS_EXPR_INT)
    put_int(out, node->value);
  else if (node->op == GS_EXPR_NAME)
    put_name(out, node);
  else if (own == 0)
    put_conditional(out, node);
  else if (own == 11)
    put_prefix(out, node);
  else if (own == 12)
    put_call(out, node);
  else
    put_binary(out, node);
  if (wrap)
    put_char(out, ')');
}

size_t gs_clause_print(const gs_clause *clause, char *buffer, size_t size) {
  printer out = {.clause = clause, .buffer = buffer, .size = size};
  put_node(&out, clause->count - 1, 0);
  if (size > 0)
    buffer[out.length < size ? out.length : size - 1] = '\0';
  return out.length;
}
