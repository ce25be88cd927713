// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Recursive-descent parser of the contract language.
///
/// Nodes are appended when an operator's operands are complete, so children
/// come before parents and the root comes last. A whole vector (block, dim(…))
/// exists only while parsing: a comparison turns it into one of its axes each.
#include "contract_parse.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- errors ----

static bool fail_as(gs_parser *p, gs_status status, size_t column, const char *format,
                    va_list arguments) {
  if (p->status != GS_OK)
    return false;
  p->status = status;
  if (p->error) {
    p->error->column = (uint32_t)column;
    vsnprintf(p->error->message, sizeof p->error->message, format, arguments);
  }
  return false;
}

bool gs_parser_fail(gs_parser *p, size_t column, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fail_as(p, GS_ERROR_INPUT, column, format, arguments);
  va_end(arguments);
  return false;
}

bool gs_parser_limit(gs_parser *p, size_t column, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fail_as(p, GS_ERROR_LIMIT, column, format, arguments);
  va_end(arguments);
  return false;
}

// ---------------------------------------------------------------- tokens ----

void gs_parser_advance(gs_parser *p) {
  p->last_end = p->token.end;
  p->token = gs_token_read(p->text, p->length, p->token.end);
  if (p->token.kind == GS_TOKEN_INVALID)
    gs_parser_fail(p, p->token.begin, "%s", p->token.problem);
}

bool gs_parser_at(const gs_parser *p, gs_punct punct) {
  return p->token.kind == GS_TOKEN_PUNCT && p->token.punct == punct;
}

bool gs_parser_accept(gs_parser *p, gs_punct punct) {
  if (!gs_parser_at(p, punct))
    return false;
  gs_parser_advance(p);
  return true;
}

gs_word gs_parser_word(const gs_parser *p) {
  return (gs_word){p->text + p->token.begin, p->token.end - p->token.begin};
}

// ----------------------------------------------------------------- nodes ----

static bool grow(gs_parser *p) {
  uint32_t capacity = p->capacity ? p->capacity * 2 : 32;
  gs_expr *nodes = realloc(p->nodes, capacity * sizeof *nodes);
  if (nodes)
    p->nodes = nodes;
  uint16_t *depths = realloc(p->depths, capacity * sizeof *depths);
  if (depths)
    p->depths = depths;
  if (!nodes || !depths) {
    p->status = p->status ? p->status : GS_ERROR_MEMORY;
    return false;
  }
  p->capacity = capacity;
  return true;
}

bool gs_parser_add(gs_parser *p, const gs_expr *node, uint32_t *index) {
  static const uint8_t arity[] = {
#define GS_EXPR(name, arity, text) arity,
#include "contract_ops.def"
  };
  if (p->status != GS_OK)
    return false;
  if (p->count >= GS_CLAUSE_MAX_NODES)
    return gs_parser_limit(p, node->begin, "the clause has more than %d parts; split it",
                           GS_CLAUSE_MAX_NODES);
  if (p->count == p->capacity && !grow(p))
    return false;
  unsigned depth = 1;
  for (unsigned i = 0; i < arity[node->op]; i++)
    if (p->depths[node->args[i]] >= depth)
      depth = p->depths[node->args[i]] + 1u;
  if (depth > GS_CLAUSE_MAX_DEPTH)
    return gs_parser_limit(p, node->begin, "the clause nests deeper than %d levels; split it",
                           GS_CLAUSE_MAX_DEPTH);
  p->depths[p->count] = (uint16_t)depth;
  p->nodes[p->count] = *node;
  *index = p->count++;
  return true;
}

/// A node over scalar operands a, b, c as far as its operator has them.
static bool make(gs_parser *p, gs_expr_op op, const gs_operand *a, const gs_operand *b,
                 const gs_operand *c, size_t begin, gs_operand *out) {
  gs_expr node = {.op = op, .begin = (uint32_t)begin, .end = (uint32_t)p->last_end};
  node.args[0] = a->node[0];
  node.args[1] = b ? b->node[0] : 0;
  node.args[2] = c ? c->node[0] : 0;
  *out = (gs_operand){.kind = GS_OPERAND_SCALAR, .begin = begin, .end = p->last_end, .top = op};
  return gs_parser_add(p, &node, &out->node[0]);
}

/// Only numbers have operators; says what to write for the rest.
static bool need_scalar(gs_parser *p, const gs_operand *operand) {
  int length = (int)(operand->end - operand->begin > 64 ? 64 : operand->end - operand->begin);
  const char *text = p->text + operand->begin;
  if (operand->kind == GS_OPERAND_SCALAR)
    return true;
  if (operand->kind == GS_OPERAND_POINTER)
    return gs_parser_fail(p, operand->begin,
                          "'%.*s' is a pointer; a contract can use aligned(%.*s, bytes), "
                          "extent(%.*s) or a fact about its data",
                          length, text, length, text, length, text);
  return gs_parser_fail(
      p, operand->begin,
      "'%.*s' has three axes; write .x, .y or .z, or compare it with dim(x, y, z)", length, text);
}

// ----------------------------------------------------- operators by level ----

typedef struct level_row {
  gs_punct punct;
  gs_expr_op op;
  int level; ///< binds tighter when larger; C 6.5
} level_row;

static const level_row binary[] = {
    {GS_PUNCT_OROR, GS_EXPR_OR, 1},    {GS_PUNCT_ANDAND, GS_EXPR_AND, 2},
    {GS_PUNCT_BAR, GS_EXPR_BITOR, 3},  {GS_PUNCT_CARET, GS_EXPR_BITXOR, 4},
    {GS_PUNCT_AMP, GS_EXPR_BITAND, 5}, {GS_PUNCT_EQ, GS_EXPR_EQ, 6},
    {GS_PUNCT_NE, GS_EXPR_NE, 6},      {GS_PUNCT_LT, GS_EXPR_LT, 7},
    {GS_PUNCT_LE, GS_EXPR_LE, 7},      {GS_PUNCT_GT, GS_EXPR_GT, 7},
    {GS_PUNCT_GE, GS_EXPR_GE, 7},      {GS_PUNCT_SHL, GS_EXPR_SHL, 8},
    {GS_PUNCT_SHR, GS_EXPR_SHR, 8},    {GS_PUNCT_PLUS, GS_EXPR_ADD, 9},
    {GS_PUNCT_MINUS, GS_EXPR_SUB, 9},  {GS_PUNCT_STAR, GS_EXPR_MUL, 10},
    {GS_PUNCT_SLASH, GS_EXPR_DIV, 10}, {GS_PUNCT_PERCENT, GS_EXPR_MOD, 10},
};

enum { LEVEL_EQUALITY = 6, LEVEL_RELATION = 7, LEVEL_FIRST = 1 };

static const level_row *binary_at(const gs_parser *p) {
  for (size_t i = 0; i < sizeof binary / sizeof *binary; i++)
    if (gs_parser_at(p, binary[i].punct))
      return &binary[i];
  return NULL;
}

static int level_of(gs_expr_op op) {
  for (size_t i = 0; i < sizeof binary / sizeof *binary; i++)
    if (binary[i].op == op)
      return binary[i].level;
  return 0;
}

/// `block == dim(32, 8)`: one comparison for each axis. All axes must agree
/// with an order or with ==; one that differs is enough for !=.
static bool compare_vectors(gs_parser *p, gs_expr_op op, const gs_operand *left,
                            const gs_operand *b, gs_operand *out) {
  gs_expr_op join = op == GS_EXPR_NE ? GS_EXPR_OR : GS_EXPR_AND;
  gs_operand copy = *left; // out may be left
  const gs_operand *a = &copy;
  for (int axis = 0; axis < 3; axis++) {
    gs_operand x = {.node = {a->node[axis]}}, y = {.node = {b->node[axis]}}, next;
    if (!make(p, op, &x, &y, NULL, a->begin, &next))
      return false;
    if (axis == 0)
      *out = next;
    else if (!make(p, join, out, &next, NULL, a->begin, out))
      return false;
  }
  // Stands for one comparison as far as chaining is concerned.
  out->top = op;
  return true;
}

/// `0 <= i < n` means (0 <= i) < n in C, which nobody wants.
static bool refuse_chain(gs_parser *p, const level_row *row, const gs_operand *left,
                         const gs_token *at) {
  bool relation = row->level == LEVEL_RELATION || row->level == LEVEL_EQUALITY;
  if (!relation || left->parenthesised || level_of(left->top) != row->level)
    return true;
  return gs_parser_fail(
      p, at->begin,
      "a chained comparison does not mean what it says in C; write "
      "'a %s b && b %s c'",
      row->level == LEVEL_RELATION ? "<=" : "==", row->level == LEVEL_RELATION ? "<" : "==");
}

/// ~ of what is allowed is negative, and these operators refuse negatives:
/// such a clause could never hold.
static bool refuse_negative(gs_parser *p, const level_row *row, const gs_operand *a,
                            const gs_operand *b) {
  bool bitwise = (row->level >= 3 && row->level <= 5) || row->level == 8;
  bool left = a->top == GS_EXPR_BITNOT;
  if (!bitwise || (!left && b->top != GS_EXPR_BITNOT))
    return true;
  return gs_parser_fail(p, left ? a->begin : b->begin,
                        "'~' gives a negative number, which bit operations and shifts do not "
                        "take; write n - n %% 8 for n & ~7");
}

static bool combine(gs_parser *p, const level_row *row, const gs_token *at, gs_operand *left,
                    const gs_operand *right) {
  bool comparison = row->level == LEVEL_RELATION || row->level == LEVEL_EQUALITY;
  if (!refuse_chain(p, row, left, at) || !refuse_negative(p, row, left, right))
    return false;
  if (comparison && left->kind == GS_OPERAND_VECTOR && right->kind == GS_OPERAND_VECTOR)
    return compare_vectors(p, row->op, left, right, left);
  if (!need_scalar(p, left) || !need_scalar(p, right))
    return false;
  return make(p, row->op, left, right, NULL, left->begin, left);
}

static bool parse_unary(gs_parser *p, gs_operand *out);

static bool parse_binary(gs_parser *p, int lowest, gs_operand *out) {
  if (!parse_unary(p, out))
    return false;
  const level_row *row;
  while ((row = binary_at(p)) != NULL && row->level >= lowest) {
    gs_token at = p->token;
    gs_operand right;
    gs_parser_advance(p);
    if (!parse_binary(p, row->level + 1, &right) || !combine(p, row, &at, out, &right))
      return false;
  }
  return p->status == GS_OK;
}

static bool parse_conditional(gs_parser *p, gs_operand *out) {
  gs_operand yes, no;
  if (!parse_binary(p, LEVEL_FIRST, out))
    return false;
  if (!gs_parser_accept(p, GS_PUNCT_QUESTION))
    return p->status == GS_OK;
  if (!need_scalar(p, out) || !gs_parser_expression(p, &yes) || !need_scalar(p, &yes))
    return false;
  if (!gs_parser_accept(p, GS_PUNCT_COLON))
    return gs_parser_fail(p, p->token.begin, "expected ':' of the '?' before it");
  if (!gs_parser_expression(p, &no) || !need_scalar(p, &no))
    return false;
  return make(p, GS_EXPR_COND, out, &yes, &no, out->begin, out);
}

bool gs_parser_expression(gs_parser *p, gs_operand *out) {
  if (p->nesting >= GS_CLAUSE_MAX_DEPTH)
    return gs_parser_limit(p, p->token.begin, "the clause nests deeper than %d levels; split it",
                           GS_CLAUSE_MAX_DEPTH);
  p->nesting++;
  bool ok = parse_conditional(p, out);
  p->nesting--;
  return ok;
}

bool gs_parser_scalar(gs_parser *p, gs_operand *out) {
  return gs_parser_expression(p, out) && need_scalar(p, out);
}

// ---------------------------------------------------------------- unary -----

static bool parse_parenthesis(gs_parser *p, gs_operand *out) {
  size_t begin = p->token.begin;
  gs_parser_advance(p);
  if (p->token.kind == GS_TOKEN_WORD && gs_word_starts_type(gs_parser_word(p))) {
    gs_token after = gs_token_read(p->text, p->length, p->token.end);
    if (after.kind == GS_TOKEN_WORD ||
        (after.kind == GS_TOKEN_PUNCT &&
         (after.punct == GS_PUNCT_RPAREN || after.punct == GS_PUNCT_STAR)))
      return gs_parser_fail(p, begin,
                            "a cast has no meaning here: contracts compute with mathematical "
                            "integers, without widths");
  }
  if (!gs_parser_expression(p, out))
    return false;
  if (gs_parser_at(p, GS_PUNCT_COMMA))
    return gs_parser_fail(p, p->token.begin, "a contract has no comma operator");
  if (!gs_parser_accept(p, GS_PUNCT_RPAREN))
    return gs_parser_fail(p, begin, "this '(' has no ')'");
  out->parenthesised = true;
  out->begin = begin;
  out->end = p->last_end;
  return true;
}

static bool parse_prefix(gs_parser *p, gs_expr_op op, gs_operand *out) {
  size_t begin = p->token.begin;
  if (p->nesting >= GS_CLAUSE_MAX_DEPTH)
    return gs_parser_limit(p, begin, "the clause nests deeper than %d levels; split it",
                           GS_CLAUSE_MAX_DEPTH);
  p->nesting++;
  gs_parser_advance(p);
  bool ok = parse_unary(p, out) && need_scalar(p, out);
  p->nesting--;
  if (!ok)
    return false;
  if (op == GS_EXPR_INT) { // unary plus: nothing to do
    out->begin = begin;
    return true;
  }
  if (op == GS_EXPR_BITNOT && out->top == GS_EXPR_BITNOT)
    return gs_parser_fail(p, begin, "'~' of a negative number; bit operations do not take one");
  return make(p, op, out, NULL, NULL, begin, out);
}

/// What a reader may try at the start of an operand, and what to write instead.
static bool refuse_operand(gs_parser *p) {
  size_t at = p->token.begin;
  if (p->token.kind == GS_TOKEN_END)
    return gs_parser_fail(
        p, at, p->length ? "the clause ends where a value is expected" : "the clause is empty");
  if (gs_parser_at(p, GS_PUNCT_INCREMENT))
    return gs_parser_fail(p, at,
                          "'++' and '--' change a value; a contract only reads "
                          "(write - -n for a double minus)");
  if (gs_parser_at(p, GS_PUNCT_AMP))
    return gs_parser_fail(p, at,
                          "a contract takes no address; write aligned(p, bytes) for "
                          "the alignment of p");
  if (gs_parser_at(p, GS_PUNCT_STAR))
    return gs_parser_fail(p, at, "a contract cannot read memory through a pointer");
  if (gs_parser_at(p, GS_PUNCT_COMMENT))
    return gs_parser_fail(p, at, "comments are not part of a clause");
  return gs_parser_fail(p, at, "expected a value before '%.*s'",
                        (int)(p->token.end - p->token.begin), p->text + at);
}

static bool parse_number(gs_parser *p, gs_operand *out) {
  gs_expr node = {.op = GS_EXPR_INT, .value = p->token.value};
  node.begin = (uint32_t)p->token.begin;
  node.end = (uint32_t)p->token.end;
  *out = (gs_operand){.begin = p->token.begin, .end = p->token.end, .top = GS_EXPR_INT};
  gs_parser_advance(p);
  return gs_parser_add(p, &node, &out->node[0]);
}

static bool parse_unary(gs_parser *p, gs_operand *out) {
  if (p->status != GS_OK)
    return false;
  if (p->token.kind == GS_TOKEN_INT)
    return parse_number(p, out);
  if (p->token.kind == GS_TOKEN_WORD || gs_parser_at(p, GS_PUNCT_SCOPE))
    return gs_parser_primary(p, out);
  if (gs_parser_at(p, GS_PUNCT_LPAREN))
    return parse_parenthesis(p, out);
  if (gs_parser_at(p, GS_PUNCT_MINUS))
    return parse_prefix(p, GS_EXPR_NEG, out);
  if (gs_parser_at(p, GS_PUNCT_PLUS))
    return parse_prefix(p, GS_EXPR_INT, out);
  if (gs_parser_at(p, GS_PUNCT_BANG))
    return parse_prefix(p, GS_EXPR_NOT, out);
  if (gs_parser_at(p, GS_PUNCT_TILDE))
    return parse_prefix(p, GS_EXPR_BITNOT, out);
  return refuse_operand(p);
}

// --------------------------------------------------------------- a clause ---

/// What may stand after a complete clause is nothing.
static bool refuse_rest(gs_parser *p) {
  size_t at = p->token.begin;
  gs_word word = gs_parser_word(p);
  if (gs_parser_at(p, GS_PUNCT_ASSIGN))
    return gs_parser_fail(p, at, "'=' assigns; write '==' to compare");
  if (gs_parser_at(p, GS_PUNCT_OPASSIGN))
    return gs_parser_fail(p, at, "'%.*s' assigns; a contract only reads", (int)word.length,
                          word.text);
  if (gs_parser_at(p, GS_PUNCT_INCREMENT))
    return gs_parser_fail(p, at, "'++' and '--' change a value; a contract only reads");
  if (gs_parser_at(p, GS_PUNCT_RPAREN))
    return gs_parser_fail(p, at, "this ')' has no '('");
  if (gs_parser_at(p, GS_PUNCT_COMMA))
    return gs_parser_fail(p, at,
                          "one clause ends here; ',' separates the clauses of "
                          "launch_contract");
  if (gs_parser_at(p, GS_PUNCT_ARROW) || gs_parser_at(p, GS_PUNCT_LBRACKET))
    return gs_parser_fail(p, at, "a contract cannot read memory through a pointer");
  if (gs_parser_at(p, GS_PUNCT_COMMENT))
    return gs_parser_fail(p, at, "comments are not part of a clause");
  if (gs_word_is(word, "and") || gs_word_is(word, "or"))
    return gs_parser_fail(p, at, "write '%s' for '%.*s'", gs_word_is(word, "and") ? "&&" : "||",
                          (int)word.length, word.text);
  if (word.length > 32)
    word.length = 32;
  return gs_parser_fail(p, at, "expected an operator before '%.*s'", (int)word.length, word.text);
}

static bool is_data_fact(gs_expr_op op) {
  return op == GS_EXPR_INJECTIVE || op == GS_EXPR_MONOTONE || op == GS_EXPR_STRICTLY_MONOTONE ||
         op == GS_EXPR_IN_RANGE;
}

/// A fact about data may be taken on trust at run time, so it must stand where
/// "true" can only weaken the clause: under && and ||, or chosen by ?:.
static bool check_facts(gs_parser *p) {
  for (uint32_t i = 0; i < p->count; i++)
    p->depths[i] = 0; // from here on: "may be a fact"
  p->depths[p->count - 1] = 1;
  for (uint32_t i = p->count; i-- > 0;) {
    const gs_expr *node = &p->nodes[i];
    if (is_data_fact(node->op) && !p->depths[i])
      return gs_parser_fail(p, node->begin,
                            "a fact about data may stand alone or under && and ||, not inside "
                            "another operation");
    bool joins = node->op == GS_EXPR_AND || node->op == GS_EXPR_OR;
    if (!p->depths[i] || (!joins && node->op != GS_EXPR_COND))
      continue;
    if (joins)
      p->depths[node->args[0]] = 1;
    p->depths[node->args[1]] = 1;
    if (!joins)
      p->depths[node->args[2]] = 1;
  }
  return true;
}

static bool parse_all(gs_parser *p) {
  gs_operand root;
  if (p->length > GS_CLAUSE_MAX_TEXT)
    return gs_parser_limit(p, 0, "the clause is longer than %d characters; split it",
                           GS_CLAUSE_MAX_TEXT);
  gs_parser_advance(p);
  if (p->status == GS_OK && p->token.kind == GS_TOKEN_END)
    return gs_parser_fail(p, 0, "the clause is empty");
  if (!gs_parser_expression(p, &root))
    return false;
  if (p->token.kind != GS_TOKEN_END)
    return refuse_rest(p);
  return need_scalar(p, &root) && check_facts(p);
}

gs_status gs_clause_parse(const char *text, size_t length, gs_resolver resolve, void *user,
                          gs_clause **out, gs_parse_error *error) {
  gs_parser p = {.text = text, .length = length, .resolve = resolve, .user = user, .error = error};
  *out = NULL;
  if (error)
    *error = (gs_parse_error){0};
  if (parse_all(&p)) {
    *out = gs_clause_build(text, length, p.nodes, p.count);
    p.status = *out ? GS_OK : GS_ERROR_MEMORY;
  }
  free(p.nodes);
  free(p.depths);
  if (p.status == GS_ERROR_MEMORY && error)
    snprintf(error->message, sizeof error->message, "out of memory");
  return p.status;
}
