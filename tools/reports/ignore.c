// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Suppressions in comments, for code that cannot be annotated:
//
//   // gpusafe-ignore(data-race): every thread stores the same flag
//   // gpusafe-ignore(data-race, out-of-bounds): reason
#include "policy.h"
#include "report.h"

#include <string.h>

static const char marker[] = "gpusafe-ignore(";

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

static const char *skip(const char *text) {
  while (is_blank(*text))
    text++;
  return text;
}

/// Only comments are in the line, as far as its beginning shows.
static bool is_comment_line(const char *line) {
  line = skip(line);
  return gs_starts_with(line, "//") || gs_starts_with(line, "/*");
}

/// The marker of a line, if a comment opens before it.
static const char *find_marker(const char *line) {
  const char *at = strstr(line, marker), *slashes = strstr(line, "//"), *star = strstr(line, "/*");
  bool commented = at && ((slashes && slashes < at) || (star && star < at));
  return commented ? at + strlen(marker) : NULL;
}

/// Is `rule` in the list up to `)`? *end is left behind it.
static bool names_rule(const char *list, const char *rule, const char **end) {
  const char *close = strchr(list, ')');
  size_t length = strlen(rule);
  if (!close)
    return false;
  *end = close + 1;
  while (list < close) {
    list = skip(list);
    size_t word = strcspn(list, ", \t)");
    if ((word == length && !memcmp(list, rule, length)) || (word == 1 && *list == '*'))
      return true;
    list += word;
    while (list < close && (is_blank(*list) || *list == ','))
      list++;
  }
  return false;
}

/// What follows the colon, without the end of a block comment.
static const char *reason_of(gs_mem *mem, const char *text) {
  text = skip(text);
  if (*text != ':')
    return "";
  text = skip(text + 1);
  const char *end = strstr(text, "*/");
  size_t length = end ? (size_t)(end - text) : strlen(text);
  while (length && (is_blank(text[length - 1]) || text[length - 1] == '\r'))
    length--;
  return gs_mem_printf(mem, "%.*s", (int)length, text);
}

bool gs_ignore_find(gs_sources *sources, const json_t *object, const char *rule,
                    json_int_t *where, const char **reason) {
  const json_t *location = json_object_get(object, "location");
  const char *file = gs_report_text(location, "file");
  json_int_t line = json_integer_value(json_object_get(location, "line"));
  for (json_int_t n = line; n >= 1; n--) {
    const char *text = gs_sources_line(sources, file, n), *end;
    if (!text || (n != line && !is_comment_line(text)))
      return false;
    const char *list = find_marker(text);
    if (list && names_rule(list, rule, &end)) {
      *where = n;
      *reason = reason_of(sources->mem, end);
      return true;
    }
  }
  return false;
}
