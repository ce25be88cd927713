// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a file takes one more #include.
#include "edits.h"

#include <ctype.h>
#include <string.h>

typedef struct scanner {
  const char *text;
  size_t size, at; ///< of the line's first character
  int depth, guard; ///< of conditionals; those of an include guard
  const char *guard_name; ///< #ifndef was the first directive: its name
  size_t guard_length;
  size_t behind_include, behind_head; ///< 0: none
  bool any_directive;
} scanner;

static size_t end_of_line(const scanner *s, size_t at) {
  const char *end = memchr(s->text + at, '\n', s->size - at);
  return end ? (size_t)(end - s->text) + 1 : s->size;
}

static size_t skip_blanks(const scanner *s, size_t at, size_t end) {
  while (at < end && isspace((unsigned char)s->text[at]))
    at++;
  return at;
}

/// Behind a directive, with the lines that it goes on over.
static size_t end_of_directive(const scanner *s, size_t at) {
  for (;;) {
    size_t end = end_of_line(s, at), last = end;
    while (last > at && (s->text[last - 1] == '\n' || s->text[last - 1] == '\r'))
      last--;
    if (end == s->size || last == at || s->text[last - 1] != '\\')
      return end;
    at = end;
  }
}

static bool is_word(const scanner *s, size_t at, size_t end, const char *word) {
  size_t length = strlen(word);
  return end - at >= length && memcmp(s->text + at, word, length) == 0 &&
         (end - at == length || !(isalnum((unsigned char)s->text[at + length]) || s->text[at + length] == '_'));
}

static size_t name_length(const scanner *s, size_t at, size_t end) {
  size_t length = 0;
  while (at + length < end && (isalnum((unsigned char)s->text[at + length]) || s->text[at + length] == '_'))
    length++;
  return length;
}

static void take_define(scanner *s, size_t name, size_t end, size_t behind) {
  bool guards = s->guard_name && s->guard_length && name_length(s, name, end) == s->guard_length &&
                memcmp(s->text + name, s->guard_name, s->guard_length) == 0;
  if (!guards)
    return;
  s->guard = 1;
  s->guard_name = NULL;
  s->behind_head = behind;
}

/// \returns false when the leading block ends here.
static bool take_directive(scanner *s, size_t hash, size_t end) {
  size_t word = skip_blanks(s, hash + 1, end), length = name_length(s, word, end);
  size_t rest = skip_blanks(s, word + length, end);
  bool first = !s->any_directive;
  s->any_directive = true;
  if (is_word(s, word, end, "include") && s->depth == s->guard) {
    s->behind_include = end;
  } else if (is_word(s, word, end, "pragma") && is_word(s, rest, end, "once")) {
    s->behind_head = end;
  } else if (is_word(s, word, end, "define")) {
    take_define(s, rest, end, end);
    return true;
  } else if (length >= 2 && memcmp(s->text + word, "if", 2) == 0) {
    s->depth++;
    s->guard_name = first && is_word(s, word, end, "ifndef") ? s->text + rest : NULL;
    s->guard_length = name_length(s, rest, end);
    return true;
  } else if (is_word(s, word, end, "endif")) {
    return --s->depth >= s->guard;
  }
  s->guard_name = NULL;
  return true;
}

/// \returns where the comment that begins at `at` ends.
static size_t end_of_comment(const scanner *s, size_t at) {
  for (size_t i = at + 2; i + 1 < s->size; i++)
    if (s->text[i] == '*' && s->text[i + 1] == '/')
      return i + 2;
  return s->size;
}

static bool holds(const scanner *s, size_t from, size_t to, const char *word) {
  size_t length = strlen(word);
  for (size_t i = from; i + length <= to; i++)
    if (memcmp(s->text + i, word, length) == 0)
      return true;
  return false;
}

/// Before code: a comment right above it belongs to it, unless that is the file's head.
static size_t before_comment(const scanner *s, size_t comment, size_t code) {
  bool head = holds(s, comment, code, "SPDX-") || holds(s, comment, code, "opyright") || holds(s, comment, code, "icense");
  return head ? code : comment;
}

size_t gs_include_place(const char *text, size_t size, bool *blank) {
  scanner s = {.text = text, .size = size};
  size_t code = size, comment = size; // where the comment begins that reaches down to s.at
  if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
    s.at = 3;
  while (s.at < size) {
    size_t end = end_of_line(&s, s.at), first = skip_blanks(&s, s.at, end);
    bool comments = text[first < size ? first : s.at] == '/' && first + 1 < end &&
                    (text[first + 1] == '/' || text[first + 1] == '*');
    comment = !comments ? (first == end || text[first] == '#' ? size : comment) : comment == size ? s.at : comment;
    if (first == end || (comments && text[first + 1] == '/')) {
      s.at = end;
    } else if (comments) {
      s.at = end_of_comment(&s, first);
      if (skip_blanks(&s, s.at, end_of_line(&s, s.at)) == end_of_line(&s, s.at))
        s.at = end_of_line(&s, s.at);
    } else if (text[first] == '#') {
      end = end_of_directive(&s, first);
      if (!s.any_directive && !s.behind_head)
        code = s.at;
      if (!take_directive(&s, first, end))
        break;
      s.at = end;
    } else {
      size_t place = comment < s.at ? before_comment(&s, comment, s.at) : s.at;
      code = place < code ? place : code;
      break;
    }
  }
  *blank = !s.behind_include;
  return s.behind_include ? s.behind_include : s.behind_head ? s.behind_head : code;
}
