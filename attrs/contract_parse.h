// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// State and helpers of the contract parser; private to attrs/.
#ifndef GS_CONTRACT_PARSE_H
#define GS_CONTRACT_PARSE_H

#include "contract_lex.h"
#include "contract_types.h"

typedef enum gs_operand_kind {
  GS_OPERAND_SCALAR,
  GS_OPERAND_VECTOR, ///< block, grid, cluster or dim(…): a node for each axis
  GS_OPERAND_POINTER
} gs_operand_kind;

/// A parsed operand that is not part of the tree yet.
typedef struct gs_operand {
  gs_operand_kind kind;
  uint32_t node[3];
  size_t begin, end; ///< of the text, parentheses included
  gs_expr_op top;    ///< operator at the top
  bool parenthesised;
} gs_operand;

typedef struct gs_parser {
  const char *text;
  size_t length;
  gs_resolver resolve;
  void *user;
  gs_parse_error *error; ///< may be NULL
  gs_status status;
  gs_token token;  ///< the one to look at
  size_t last_end; ///< end of the token before it
  gs_expr *nodes;
  uint16_t *depths; ///< height of the tree below each node
  uint32_t count, capacity;
  unsigned nesting; ///< recursion of the parser
} gs_parser;

#if defined(__GNUC__)
#define GS_PRINTF_LIKE __attribute__((format(printf, 3, 4)))
#else
#define GS_PRINTF_LIKE
#endif

/// Records the first error. \returns false, for `return gs_parser_fail(…)`.
bool gs_parser_fail(gs_parser *p, size_t column, const char *format, ...) GS_PRINTF_LIKE;
/// The same with GS_ERROR_LIMIT.
bool gs_parser_limit(gs_parser *p, size_t column, const char *format, ...) GS_PRINTF_LIKE;

void gs_parser_advance(gs_parser *p);
bool gs_parser_at(const gs_parser *p, gs_punct punct);
bool gs_parser_accept(gs_parser *p, gs_punct punct);
gs_word gs_parser_word(const gs_parser *p);
bool gs_parser_add(gs_parser *p, const gs_expr *node, uint32_t *index);
/// Any expression, possibly a vector or a pointer.
bool gs_parser_expression(gs_parser *p, gs_operand *out);
/// An expression that is a number.
bool gs_parser_scalar(gs_parser *p, gs_operand *out);
/// A name, a call, sizeof, true or false (contract_names.c).
bool gs_parser_primary(gs_parser *p, gs_operand *out);

/// One allocation that holds the clause, its nodes and its text.
gs_clause *gs_clause_build(const char *text, size_t length, const gs_expr *nodes, uint32_t count);

#endif
