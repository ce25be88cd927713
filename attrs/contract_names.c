// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Names, functions and sizeof of the contract language.
#include "contract_parse.h"

#include <stdio.h>
#include <string.h>

enum { NAME_MAX_LENGTH = 255 };

static bool word_then(const gs_parser *p, gs_punct punct) {
  gs_token next = gs_token_read(p->text, p->length, p->token.end);
  return next.kind == GS_TOKEN_PUNCT && next.punct == punct;
}

static bool add_name(gs_parser *p, const gs_name *name, size_t begin, gs_operand *out) {
  gs_expr node = {.op = GS_EXPR_NAME, .name = *name};
  node.begin = (uint32_t)begin;
  node.end = (uint32_t)p->last_end;
  *out = (gs_operand){.begin = begin, .end = p->last_end, .top = GS_EXPR_NAME};
  if (name->kind == GS_NAME_POINTER)
    out->kind = GS_OPERAND_POINTER;
  return gs_parser_add(p, &node, &out->node[0]);
}

// -------------------------------------------------------------- built in ----

static const struct {
  const char *name;
  gs_name_kind kind;
  bool vector;
} builtins[] = {
    {"block", GS_NAME_BLOCK, true},
    {"grid", GS_NAME_GRID, true},
    {"cluster", GS_NAME_CLUSTER, true},
    {"dynamic_smem", GS_NAME_DYNAMIC_SMEM, false},
    {"cc", GS_NAME_CC, false},
    {"warp_size", GS_NAME_WARP_SIZE, false},
    {"cooperative", GS_NAME_COOPERATIVE, false},
};

bool gs_name_is_builtin(const char *name, size_t length) {
  for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
    if (gs_word_is((gs_word){name, length}, builtins[i].name))
      return true;
  return false;
}

/// `.x` after block, grid or cluster.
static bool parse_axis(gs_parser *p, gs_name *name, const char *vector) {
  gs_parser_advance(p);
  gs_word word = gs_parser_word(p);
  if (p->status != GS_OK)
    return false;
  if (word.length != 1 || word.text[0] < 'x' || word.text[0] > 'z')
    return gs_parser_fail(p, p->token.begin, "%s has the axes x, y and z", vector);
  name->axis = (uint32_t)(word.text[0] - 'x');
  gs_parser_advance(p);
  return true;
}

static bool parse_builtin(gs_parser *p, size_t which, gs_operand *out) {
  gs_name name = {.kind = builtins[which].kind, .bits = 32};
  size_t begin = p->token.begin;
  gs_parser_advance(p);
  if (gs_parser_at(p, GS_PUNCT_LPAREN))
    return gs_parser_fail(p, p->token.begin, "'%s' is a value, not a function",
                          builtins[which].name);
  if (!builtins[which].vector)
    return add_name(p, &name, begin, out);
  if (gs_parser_at(p, GS_PUNCT_DOT))
    return parse_axis(p, &name, builtins[which].name) && add_name(p, &name, begin, out);
  gs_operand axis[3];
  for (uint32_t i = 0; i < 3; i++) {
    name.axis = i;
    if (!add_name(p, &name, begin, &axis[i]))
      return false;
  }
  *out = (gs_operand){.kind = GS_OPERAND_VECTOR,
                      .begin = begin,
                      .end = p->last_end,
                      .node = {axis[0].node[0], axis[1].node[0], axis[2].node[0]}};
  return true;
}

static bool parse_truth(gs_parser *p, int64_t value, gs_operand *out) {
  gs_expr node = {.op = GS_EXPR_INT, .value = value};
  node.begin = (uint32_t)p->token.begin;
  node.end = (uint32_t)p->token.end;
  *out = (gs_operand){.begin = node.begin, .end = node.end, .top = GS_EXPR_INT};
  gs_parser_advance(p);
  return gs_parser_add(p, &node, &out->node[0]);
}

// --------------------------------------------------------------- resolved ----

/// CUDA's own names and C's null: what to write instead.
static const char *advice(gs_word word) {
  static const struct {
    const char *name, *text;
  } rows[] = {
      {"threadIdx", "a contract speaks of the whole launch, not of one thread"},
      {"blockIdx", "a contract speaks of the whole launch, not of one block"},
      {"blockDim", "write block.x, block.y, block.z"},
      {"gridDim", "write grid.x, grid.y, grid.z"},
      {"warpSize", "write warp_size"},
      {"NULL", "a contract does not compare pointers; an extent of 0 permits null"},
      {"nullptr", "a contract does not compare pointers; an extent of 0 permits null"},
      {"this", "a contract knows parameters and constants only"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (word.length >= strlen(rows[i].name) && gs_word_is(word, rows[i].name))
      return rows[i].text;
  return NULL;
}

static bool unknown_name(gs_parser *p, size_t begin, const char *name, gs_word first,
                         const char *hint) {
  const char *why = hint ? hint : advice(first);
  if (why && why[0] == '\'') // speaks of the name itself: a sentence on its own
    return gs_parser_fail(p, begin, "%s", why);
  int shown = strlen(name) > 64 ? 64 : (int)strlen(name);
  if (why)
    return gs_parser_fail(p, begin, "unknown name '%.*s'; %s", shown, name, why);
  return gs_parser_fail(p, begin, "unknown name '%.*s'", shown, name);
}

static bool append(gs_parser *p, char *name, size_t *length, gs_token token) {
  size_t n = token.end - token.begin;
  if (*length + n > NAME_MAX_LENGTH)
    return gs_parser_limit(p, token.begin, "a name of more than %d characters", NAME_MAX_LENGTH);
  memcpy(name + *length, p->text + token.begin, n);
  *length += n;
  name[*length] = '\0';
  gs_parser_advance(p);
  return p->status == GS_OK;
}

/// `[3]` inside the path of a field.
static bool append_index(gs_parser *p, char *name, size_t *length) {
  size_t begin = p->token.begin;
  gs_parser_advance(p);
  if (p->status != GS_OK)
    return false;
  if (p->token.kind != GS_TOKEN_INT)
    return gs_parser_fail(p, begin,
                          "a contract cannot read memory; only elements of arrays in "
                          "by-value structs have names here, with constant indices");
  char index[32];
  int n = snprintf(index, sizeof index, "[%lld]", (long long)p->token.value);
  if (*length + (size_t)n > NAME_MAX_LENGTH)
    return gs_parser_limit(p, begin, "a name of more than %d characters", NAME_MAX_LENGTH);
  memcpy(name + *length, index, (size_t)n + 1);
  *length += (size_t)n;
  gs_parser_advance(p);
  if (p->status == GS_OK && !gs_parser_accept(p, GS_PUNCT_RBRACKET))
    return gs_parser_fail(p, begin, "this '[' has no ']'");
  return p->status == GS_OK;
}

/// Reads `ns::name.field[2]` without its blanks.
static bool parse_path(gs_parser *p, char *name, size_t *length) {
  if (gs_parser_at(p, GS_PUNCT_SCOPE) && !append(p, name, length, p->token))
    return false;
  while (p->status == GS_OK) {
    if (p->token.kind != GS_TOKEN_WORD)
      return gs_parser_fail(p, p->token.begin, "expected a name after '%s'", name);
    if (!append(p, name, length, p->token))
      return false;
    while (gs_parser_at(p, GS_PUNCT_LBRACKET))
      if (!append_index(p, name, length))
        return false;
    if (gs_parser_at(p, GS_PUNCT_ARROW))
      return gs_parser_fail(p, p->token.begin, "a contract cannot read memory through a pointer");
    if (!gs_parser_at(p, GS_PUNCT_DOT) && !gs_parser_at(p, GS_PUNCT_SCOPE))
      return true;
    if (!append(p, name, length, p->token))
      return false;
  }
  return false;
}

static bool parse_name(gs_parser *p, gs_operand *out) {
  char name[NAME_MAX_LENGTH + 1] = "";
  size_t length = 0, begin = p->token.begin;
  gs_word first = gs_parser_word(p);
  if (!parse_path(p, name, &length))
    return false;
  gs_name found = {.kind = GS_NAME_PARAM};
  const char *hint = NULL;
  if (!p->resolve || !p->resolve(p->user, name, length, &found, &hint))
    return unknown_name(p, begin, name, first, hint);
  if (found.kind == GS_NAME_PARAM && (found.bits < 1 || found.bits > 64))
    return gs_parser_fail(p, begin, "'%.64s' has %u bits; contracts take 1 to 64", name,
                          (unsigned)found.bits);
  return add_name(p, &found, begin, out);
}

// -------------------------------------------------------------- functions ----

typedef struct function_row {
  const char *name;
  gs_expr_op op;
  unsigned arity;
  bool pointer; ///< the first argument is a pointer
  const char *form;
} function_row;

static const function_row functions[] = {
    {"min", GS_EXPR_MIN, 2, false, "min(a, b)"},
    {"max", GS_EXPR_MAX, 2, false, "max(a, b)"},
    {"abs", GS_EXPR_ABS, 1, false, "abs(a)"},
    {"ceil_div", GS_EXPR_CEIL_DIV, 2, false, "ceil_div(a, b)"},
    {"is_pow2", GS_EXPR_IS_POW2, 1, false, "is_pow2(a)"},
    {"aligned", GS_EXPR_ALIGNED, 2, true, "aligned(pointer, bytes)"},
    {"extent", GS_EXPR_EXTENT, 1, true, "extent(pointer)"},
    {"injective", GS_EXPR_INJECTIVE, 2, true, "injective(pointer, n)"},
    {"monotone", GS_EXPR_MONOTONE, 2, true, "monotone(pointer, n)"},
    {"strictly_monotone", GS_EXPR_STRICTLY_MONOTONE, 2, true, "strictly_monotone(pointer, n)"},
    {"in_range", GS_EXPR_IN_RANGE, 4, true, "in_range(pointer, n, low, high)"},
};

/// Parses up to `capacity` arguments, from the '(' to the ')'.
static bool parse_arguments(gs_parser *p, const char *form, unsigned least, unsigned most,
                            gs_operand *arguments, unsigned *count) {
  size_t begin = p->token.begin;
  gs_parser_advance(p);
  *count = 0;
  while (p->status == GS_OK && !gs_parser_at(p, GS_PUNCT_RPAREN)) {
    if (*count == most)
      return gs_parser_fail(p, p->token.begin, "too many arguments; write %s", form);
    if (!gs_parser_expression(p, &arguments[*count]))
      return false;
    ++*count;
    if (gs_parser_at(p, GS_PUNCT_RPAREN))
      break;
    if (p->token.kind == GS_TOKEN_END)
      return gs_parser_fail(p, begin, "this '(' has no ')'");
    if (!gs_parser_accept(p, GS_PUNCT_COMMA))
      return gs_parser_fail(p, p->token.begin, "expected ',' or ')'; write %s", form);
    if (gs_parser_at(p, GS_PUNCT_RPAREN))
      return gs_parser_fail(p, p->token.begin, "expected an argument after ','; write %s", form);
  }
  if (p->status == GS_OK && *count < least)
    return gs_parser_fail(p, p->token.begin, "too few arguments; write %s", form);
  gs_parser_advance(p);
  return p->status == GS_OK;
}

static bool check_argument(gs_parser *p, const gs_operand *argument, bool pointer,
                           const char *form) {
  if (pointer && (argument->kind != GS_OPERAND_POINTER || argument->parenthesised))
    return gs_parser_fail(p, argument->begin,
                          "the first argument must be a pointer parameter; "
                          "write %s",
                          form);
  if (!pointer && argument->kind != GS_OPERAND_SCALAR)
    return gs_parser_fail(p, argument->begin, "this argument must be a number; write %s", form);
  return true;
}

static bool parse_function(gs_parser *p, const function_row *row, gs_operand *out) {
  gs_operand arguments[4];
  unsigned count;
  size_t begin = p->token.begin;
  gs_parser_advance(p);
  if (!parse_arguments(p, row->form, row->arity, row->arity, arguments, &count))
    return false;
  gs_expr node = {.op = row->op, .begin = (uint32_t)begin, .end = (uint32_t)p->last_end};
  for (unsigned i = 0; i < count; i++) {
    if (!check_argument(p, &arguments[i], row->pointer && i == 0, row->form))
      return false;
    node.args[i] = arguments[i].node[0];
  }
  *out = (gs_operand){.begin = begin, .end = p->last_end, .top = row->op};
  return gs_parser_add(p, &node, &out->node[0]);
}

/// dim(x), dim(x, y) or dim(x, y, z); what is left out is 1, as in dim3.
static bool parse_dim(gs_parser *p, gs_operand *out) {
  static const char form[] = "dim(x, y, z)";
  gs_operand arguments[3];
  unsigned count;
  size_t begin = p->token.begin;
  gs_parser_advance(p);
  if (!parse_arguments(p, form, 1, 3, arguments, &count))
    return false;
  *out = (gs_operand){.kind = GS_OPERAND_VECTOR, .begin = begin, .end = p->last_end};
  gs_expr one = {
      .op = GS_EXPR_INT, .value = 1, .begin = (uint32_t)begin, .end = (uint32_t)p->last_end};
  for (unsigned i = 0; i < 3; i++) {
    if (i < count && !check_argument(p, &arguments[i], false, form))
      return false;
    if (i < count)
      out->node[i] = arguments[i].node[0];
    else if (!gs_parser_add(p, &one, &out->node[i]))
      return false;
  }
  return true;
}

static bool unknown_function(gs_parser *p) {
  gs_word word = gs_parser_word(p);
  if (word.length > 64)
    word.length = 64;
  return gs_parser_fail(p, p->token.begin,
                        "unknown function '%.*s'; there are min, max, abs, ceil_div, is_pow2, "
                        "aligned, extent, dim, injective, monotone, strictly_monotone, in_range",
                        (int)word.length, word.text);
}

// ----------------------------------------------------------------- sizeof ----

enum { MAX_TYPE_WORDS = 6 };

/// A type that is not built in may be known to the resolver, as "sizeof(T)".
static bool resolve_sizeof(gs_parser *p, const gs_word *words, size_t count, int64_t *size) {
  char name[NAME_MAX_LENGTH + 1];
  gs_name found = {.kind = GS_NAME_PARAM};
  const char *hint = NULL;
  if (!p->resolve || count != 1 || words[0].length > NAME_MAX_LENGTH - 8)
    return false;
  int n = snprintf(name, sizeof name, "sizeof(%.*s)", (int)words[0].length, words[0].text);
  if (!p->resolve(p->user, name, (size_t)n, &found, &hint) || found.kind != GS_NAME_CONSTANT)
    return false;
  *size = found.value;
  return true;
}

static bool parse_sizeof(gs_parser *p, gs_operand *out) {
  gs_word words[MAX_TYPE_WORDS];
  size_t count = 0, begin = p->token.begin, pointers = 0;
  gs_parser_advance(p);
  if (!gs_parser_accept(p, GS_PUNCT_LPAREN))
    return gs_parser_fail(p, p->token.begin, "write sizeof(type)");
  size_t at = p->token.begin;
  while (p->status == GS_OK && p->token.kind == GS_TOKEN_WORD && count < MAX_TYPE_WORDS) {
    if (!gs_word_is(gs_parser_word(p), "const"))
      words[count++] = gs_parser_word(p);
    gs_parser_advance(p);
  }
  for (; gs_parser_accept(p, GS_PUNCT_STAR); pointers++)
    ;
  gs_expr node = {.op = GS_EXPR_INT, .begin = (uint32_t)begin};
  bool is_void = count == 1 && pointers > 0 && gs_word_is(words[0], "void");
  bool known = is_void || gs_type_size(words, count, &node.value) ||
               resolve_sizeof(p, words, count, &node.value);
  if (p->status != GS_OK)
    return false;
  if (!known || !gs_parser_at(p, GS_PUNCT_RPAREN))
    return gs_parser_fail(p, at, "sizeof takes a built-in type, as in sizeof(float)");
  gs_parser_advance(p);
  if (pointers > 0)
    node.value = 8;
  node.end = (uint32_t)p->last_end;
  *out = (gs_operand){.begin = begin, .end = p->last_end, .top = GS_EXPR_INT};
  return gs_parser_add(p, &node, &out->node[0]);
}

bool gs_parser_primary(gs_parser *p, gs_operand *out) {
  gs_word word = gs_parser_word(p);
  if (p->token.kind == GS_TOKEN_WORD) {
    if (gs_word_is(word, "true") || gs_word_is(word, "false"))
      return parse_truth(p, gs_word_is(word, "true"), out);
    if (gs_word_is(word, "sizeof"))
      return parse_sizeof(p, out);
    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
      if (gs_word_is(word, builtins[i].name))
        return parse_builtin(p, i, out);
    if (word_then(p, GS_PUNCT_LPAREN)) {
      if (gs_word_is(word, "dim"))
        return parse_dim(p, out);
      for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (gs_word_is(word, functions[i].name))
          return parse_function(p, &functions[i], out);
      return unknown_function(p);
    }
  }
  return parse_name(p, out);
}
