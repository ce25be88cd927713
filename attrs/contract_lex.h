// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Tokens of the contract language; private to attrs/.
#ifndef GS_CONTRACT_LEX_H
#define GS_CONTRACT_LEX_H

#include "gs_contract.h"

typedef enum gs_token_kind {
  GS_TOKEN_END,
  GS_TOKEN_INT,    ///< value is the number
  GS_TOKEN_WORD,   ///< identifier or keyword
  GS_TOKEN_PUNCT,  ///< operator or bracket; punct says which
  GS_TOKEN_INVALID ///< problem says what is wrong with it
} gs_token_kind;

/// The punctuation that the language has, and what it refuses with words.
typedef enum gs_punct {
  GS_PUNCT_LPAREN,
  GS_PUNCT_RPAREN,
  GS_PUNCT_LBRACKET,
  GS_PUNCT_RBRACKET,
  GS_PUNCT_COMMA,
  GS_PUNCT_DOT,
  GS_PUNCT_SCOPE,
  GS_PUNCT_QUESTION,
  GS_PUNCT_COLON,
  GS_PUNCT_TILDE,
  GS_PUNCT_BANG,
  GS_PUNCT_PLUS,
  GS_PUNCT_MINUS,
  GS_PUNCT_STAR,
  GS_PUNCT_SLASH,
  GS_PUNCT_PERCENT,
  GS_PUNCT_SHL,
  GS_PUNCT_SHR,
  GS_PUNCT_LT,
  GS_PUNCT_LE,
  GS_PUNCT_GT,
  GS_PUNCT_GE,
  GS_PUNCT_EQ,
  GS_PUNCT_NE,
  GS_PUNCT_AMP,
  GS_PUNCT_CARET,
  GS_PUNCT_BAR,
  GS_PUNCT_ANDAND,
  GS_PUNCT_OROR,
  GS_PUNCT_ASSIGN,    ///< =
  GS_PUNCT_OPASSIGN,  ///< += and the like
  GS_PUNCT_INCREMENT, ///< ++ --
  GS_PUNCT_ARROW,     ///< ->
  GS_PUNCT_COMMENT,   ///< // or the start of a block comment
  GS_PUNCT_SEMICOLON
} gs_punct;

typedef struct gs_token {
  gs_token_kind kind;
  gs_punct punct;
  size_t begin, end;   ///< characters of the text
  int64_t value;       ///< INT
  const char *problem; ///< INVALID: a static text
} gs_token;

/// Reads the token that starts at or after `at`; blanks are skipped.
gs_token gs_token_read(const char *text, size_t length, size_t at);

/// \returns the first position at or after `at` that is not blank.
size_t gs_skip_blanks(const char *text, size_t length, size_t at);

/// \returns one past the number (digits, separators, suffix) that starts at `at`.
size_t gs_number_end(const char *text, size_t length, size_t at);

static inline bool gs_is_digit(char c) { return c >= '0' && c <= '9'; }
static inline bool gs_is_word_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
static inline bool gs_is_word(char c) { return gs_is_word_start(c) || gs_is_digit(c); }

#endif
