// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Tokens of the contract language. Locale-independent on purpose.
#include "contract_lex.h"

#include <string.h>

static const struct {
  const char *text;
  gs_punct punct;
} puncts[] = {
    // Longest first: the first match wins.
    {"<<=", GS_PUNCT_OPASSIGN}, {">>=", GS_PUNCT_OPASSIGN}, {"::", GS_PUNCT_SCOPE},
    {"<<", GS_PUNCT_SHL},       {">>", GS_PUNCT_SHR},       {"<=", GS_PUNCT_LE},
    {">=", GS_PUNCT_GE},        {"==", GS_PUNCT_EQ},        {"!=", GS_PUNCT_NE},
    {"&&", GS_PUNCT_ANDAND},    {"||", GS_PUNCT_OROR},      {"++", GS_PUNCT_INCREMENT},
    {"--", GS_PUNCT_INCREMENT}, {"+=", GS_PUNCT_OPASSIGN},  {"-=", GS_PUNCT_OPASSIGN},
    {"*=", GS_PUNCT_OPASSIGN},  {"/=", GS_PUNCT_OPASSIGN},  {"%=", GS_PUNCT_OPASSIGN},
    {"&=", GS_PUNCT_OPASSIGN},  {"|=", GS_PUNCT_OPASSIGN},  {"^=", GS_PUNCT_OPASSIGN},
    {"->", GS_PUNCT_ARROW},     {"//", GS_PUNCT_COMMENT},   {"/*", GS_PUNCT_COMMENT},
    {"(", GS_PUNCT_LPAREN},     {")", GS_PUNCT_RPAREN},     {"[", GS_PUNCT_LBRACKET},
    {"]", GS_PUNCT_RBRACKET},   {",", GS_PUNCT_COMMA},      {".", GS_PUNCT_DOT},
    {"?", GS_PUNCT_QUESTION},   {":", GS_PUNCT_COLON},      {"~", GS_PUNCT_TILDE},
    {"!", GS_PUNCT_BANG},       {"+", GS_PUNCT_PLUS},       {"-", GS_PUNCT_MINUS},
    {"*", GS_PUNCT_STAR},       {"/", GS_PUNCT_SLASH},      {"%", GS_PUNCT_PERCENT},
    {"<", GS_PUNCT_LT},         {">", GS_PUNCT_GT},         {"&", GS_PUNCT_AMP},
    {"^", GS_PUNCT_CARET},      {"|", GS_PUNCT_BAR},        {"=", GS_PUNCT_ASSIGN},
    {";", GS_PUNCT_SEMICOLON},
};

size_t gs_skip_blanks(const char *text, size_t length, size_t at) {
  while (at < length && (text[at] == ' ' || (text[at] >= '\t' && text[at] <= '\r')))
    at++;
  return at;
}

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static bool starts_radix(const char *text, size_t length, size_t at, char letter) {
  return at + 1 < length && text[at] == '0' && lower(text[at + 1]) == letter;
}

size_t gs_number_end(const char *text, size_t length, size_t at) {
  bool hex = starts_radix(text, length, at, 'x');
  while (at < length) {
    char c = text[at];
    bool exponent = hex ? lower(c) == 'p' : lower(c) == 'e';
    if (exponent && at + 1 < length && (text[at + 1] == '+' || text[at + 1] == '-'))
      at += 2;
    else if (gs_is_word(c) || c == '.' ||
             (c == '\'' && at + 1 < length && gs_is_word(text[at + 1])))
      at++;
    else
      break;
  }
  return at;
}

static bool looks_float(const char *digits, size_t length, bool hex) {
  for (size_t i = 0; i < length; i++)
    if (digits[i] == '.' || lower(digits[i]) == 'p' || (!hex && lower(digits[i]) == 'e'))
      return true;
  return !hex && length > 0 && lower(digits[length - 1]) == 'f';
}

/// u, l, ll, z and their combinations; both l of one case, as in C.
static bool is_suffix(const char *text, size_t length) {
  static const char *const known[] = {"",    "u",  "l",  "ll",  "z", "ul",
                                      "ull", "uz", "lu", "llu", "zu"};
  char folded[4] = {0};
  if (length > 3)
    return false;
  for (size_t i = 0; i < length; i++) {
    folded[i] = lower(text[i]);
    if (i > 0 && folded[i] == 'l' && folded[i - 1] == 'l' && text[i] != text[i - 1])
      return false;
  }
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(folded, known[i]) == 0)
      return true;
  return false;
}

static uint64_t digit_value(char c) {
  if (gs_is_digit(c))
    return (uint64_t)(c - '0');
  c = lower(c);
  return c >= 'a' && c <= 'f' ? (uint64_t)(c - 'a' + 10) : 16;
}

/// Reads digits of `base` (separated by ' where wanted) and the suffix.
/// \returns NULL, or what is wrong.
static const char *read_digits(const char *text, size_t length, uint64_t base, int64_t *value) {
  uint64_t sum = 0;
  size_t i = 0;
  bool any = false, big = false;
  for (; i < length; i++) {
    uint64_t digit = digit_value(text[i]);
    if (text[i] == '\'' && any)
      continue;
    if (digit >= base)
      break;
    any = true;
    big = big || sum > ((uint64_t)INT64_MAX - digit) / base;
    sum = big ? 0 : sum * base + digit;
  }
  if (!any)
    return "a number without digits";
  if (base == 8 && i < length && gs_is_digit(text[i]))
    return "8 and 9 are not octal digits; the leading 0 makes this number octal";
  if (!is_suffix(text + i, length - i))
    return "malformed number: bad digit or suffix";
  if (big)
    return "the number does not fit into 64 signed bits";
  *value = (int64_t)sum;
  return NULL;
}

static const char *read_number(const char *text, size_t length, int64_t *value) {
  bool hex = starts_radix(text, length, 0, 'x');
  if (looks_float(text, length, hex))
    return "contracts compute with integers; a floating-point number has no meaning here";
  if (hex)
    return read_digits(text + 2, length - 2, 16, value);
  if (starts_radix(text, length, 0, 'b'))
    return read_digits(text + 2, length - 2, 2, value);
  return read_digits(text, length, text[0] == '0' ? 8 : 10, value);
}

static gs_token invalid(gs_token token, const char *problem) {
  token.kind = GS_TOKEN_INVALID;
  token.problem = problem;
  return token;
}

static gs_token read_other(const char *text, size_t length, gs_token token) {
  for (size_t i = 0; i < sizeof puncts / sizeof *puncts; i++) {
    size_t n = strlen(puncts[i].text);
    if (length - token.begin >= n && memcmp(text + token.begin, puncts[i].text, n) == 0) {
      token.kind = GS_TOKEN_PUNCT;
      token.punct = puncts[i].punct;
      token.end = token.begin + n;
      return token;
    }
  }
  token.end = token.begin + 1;
  if (text[token.begin] == '"')
    return invalid(token, "a string has no meaning in a contract");
  if (text[token.begin] == '\'')
    return invalid(token, "a character has no meaning in a contract; write its number");
  if (text[token.begin] == '\0')
    return invalid(token, "a NUL character in the text");
  return invalid(token, "unexpected character");
}

gs_token gs_token_read(const char *text, size_t length, size_t at) {
  gs_token token = {.kind = GS_TOKEN_END};
  token.begin = token.end = gs_skip_blanks(text, length, at);
  if (token.begin >= length)
    return token;
  char c = text[token.begin];
  bool fraction = c == '.' && token.begin + 1 < length && gs_is_digit(text[token.begin + 1]);
  if (gs_is_digit(c) || fraction) {
    token.kind = GS_TOKEN_INT;
    token.end = gs_number_end(text, length, token.begin);
    const char *problem = read_number(text + token.begin, token.end - token.begin, &token.value);
    return problem ? invalid(token, problem) : token;
  }
  if (gs_is_word_start(c)) {
    token.kind = GS_TOKEN_WORD;
    while (token.end < length && gs_is_word(text[token.end]))
      token.end++;
    return token;
  }
  return read_other(text, length, token);
}
