// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A run as a page of HTML: the map of the memory, and the two columns.
#include "story.h"

#include <inttypes.h>
#include <string.h>

enum { COLUMNS = 32, MAX_ELEMENTS = 512, CELL = 24, LIST_MOST = 12 };

/// Text from sources and reports: nothing in it is markup.
static void put_text(FILE *out, const char *text) {
  for (; *text; text++)
    switch (*text) {
    case '&': fputs("&amp;", out); break;
    case '<': fputs("&lt;", out); break;
    case '>': fputs("&gt;", out); break;
    case '"': fputs("&quot;", out); break;
    case '\'': fputs("&#39;", out); break;
    default: fputc((unsigned char)*text < 0x20 && *text != '\t' ? ' ' : *text, out); break;
    }
}

static json_int_t number_of(const json_t *object, const char *key) {
  return json_integer_value(json_object_get(object, key));
}

// -------------------------------------------------------------------- map ----

typedef struct map {
  const gs_story *story;
  const json_t *conflict, *cells;
  const char *array;
  json_int_t size, first, last, hit; ///< of an element, and which elements are shown
} map;

/// Floor of a / b.
static json_int_t element_at(json_int_t a, json_int_t b) { return a >= 0 ? a / b : -((b - 1 - a) / b); }

/// The part of the array that is shown: what is touched, near the conflict.
static void survey(map *m) {
  m->hit = element_at(number_of(m->conflict, "byte_offset"), m->size);
  m->first = m->last = m->hit;
  size_t i;
  json_t *c;
  json_array_foreach((json_t *)(uintptr_t)m->cells, i, c) {
    json_int_t a = element_at(number_of(c, "offset"), m->size);
    json_int_t b = element_at(number_of(c, "offset") + number_of(c, "size") - 1, m->size);
    m->first = a < m->first ? a : m->first;
    m->last = b > m->last ? b : m->last;
  }
  if (m->first < m->hit - MAX_ELEMENTS / 2)
    m->first = m->hit - MAX_ELEMENTS / 2;
  m->first = element_at(m->first, COLUMNS) * COLUMNS; // whole rows
  if (m->last >= m->first + MAX_ELEMENTS)
    m->last = m->first + MAX_ELEMENTS - 1;
}

typedef struct usage {
  size_t reads, writes;
  bool mixed; ///< by more than one thread, one of them writing
} usage;

static bool touches(const map *m, const json_t *c, json_int_t element) {
  json_int_t begin = number_of(c, "offset"), end = begin + number_of(c, "size");
  return begin < (element + 1) * m->size && end > element * m->size;
}

static usage usage_of(const map *m, json_int_t element) {
  usage u = {0};
  json_int_t who = -1;
  bool several = false;
  size_t i;
  json_t *c;
  json_array_foreach((json_t *)(uintptr_t)m->cells, i, c) {
    if (!touches(m, c, element))
      continue;
    json_int_t thread = number_of(c, "thread") * 2 + number_of(c, "block");
    several |= who >= 0 && who != thread;
    who = thread;
    if (json_is_true(json_object_get(c, "write")))
      u.writes++;
    else
      u.reads++;
  }
  u.mixed = several && u.writes;
  return u;
}

static const char *thread_text(const map *m, const json_t *cell) {
  const json_t *block = json_object_get(m->story->trace, "block");
  const json_t *threads = json_object_get(m->conflict, "threads");
  json_int_t n = number_of(cell, "thread"), x = json_integer_value(json_array_get(block, 0));
  json_int_t y = json_integer_value(json_array_get(block, 1)), which = number_of(cell, "block");
  const json_t *b = json_object_get(json_array_get(threads, (size_t)which), "block");
  x = x > 0 ? x : 1, y = y > 0 ? y : 1;
  return gs_mem_printf(m->story->mem, "thread (%" PRId64 ",%" PRId64 ",%" PRId64 ") of block (%" PRId64 ",%" PRId64 ",%" PRId64 ")",
                       (int64_t)(n % x), (int64_t)(n / x % y), (int64_t)(n / x / y),
                       (int64_t)json_integer_value(json_array_get(b, 0)),
                       (int64_t)json_integer_value(json_array_get(b, 1)),
                       (int64_t)json_integer_value(json_array_get(b, 2)));
}

/// Who touches the element: shown when the mouse is over it.
static void put_title(const map *m, json_int_t element, FILE *out) {
  size_t listed = 0, i;
  json_t *c;
  fputs("<title>", out);
  put_text(out, gs_story_element(m->story, m->array, element * m->size, m->size));
  json_array_foreach((json_t *)(uintptr_t)m->cells, i, c) {
    if (!touches(m, c, element) || listed++ >= LIST_MOST)
      continue;
    bool write = json_is_true(json_object_get(c, "write"));
    fprintf(out, "\n%s at line %" PRId64 " by ",
            json_is_true(json_object_get(c, "atomic")) ? "updated atomically" : write ? "written" : "read",
            (int64_t)number_of(c, "line"));
    put_text(out, thread_text(m, c));
  }
  if (listed > LIST_MOST)
    fprintf(out, "\nand %zu more", listed - LIST_MOST);
  fputs("</title>", out);
}

static void put_element(const map *m, json_int_t element, FILE *out) {
  usage u = usage_of(m, element);
  json_int_t at = element - m->first;
  bool hit = element == m->hit;
  const char *kind = hit ? "hit" : u.mixed ? "mixed" : u.writes ? "written" : u.reads ? "read" : "free";
  int x = 64 + (int)(at % COLUMNS) * CELL, y = 4 + (int)(at / COLUMNS) * CELL;
  fprintf(out, "<g class=\"%s\"><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>", kind, x, y, CELL - 2, CELL - 2);
  const char *letter = u.writes && u.reads ? "rw" : u.writes ? "w" : u.reads ? "r" : "";
  fprintf(out, "<text x=\"%d\" y=\"%d\">%s</text>", x + CELL / 2 - 1, y + CELL / 2 + 3, letter);
  put_title(m, element, out);
  fputs("</g>\n", out);
}

static void put_map(const gs_story *s, FILE *out) {
  map m = {.story = s, .conflict = json_object_get(s->trace, "conflict"),
           .cells = json_object_get(s->trace, "cells")};
  if (!json_is_object(m.conflict) || !json_array_size(m.cells))
    return;
  m.array = json_string_value(json_object_get(m.conflict, "array"));
  m.array = m.array ? m.array : "";
  m.size = number_of(m.conflict, "element_size");
  m.size = m.size > 0 ? m.size : 4;
  survey(&m);
  int rows = (int)((m.last - m.first) / COLUMNS) + 1;
  fputs("<h2>Who touches ", out);
  put_text(out, m.array);
  fprintf(out, " in that phase</h2>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" role=\"img\">\n",
          72 + COLUMNS * CELL, rows * CELL + 8);
  for (int row = 0; row < rows; row++)
    fprintf(out, "<text class=\"index\" x=\"58\" y=\"%d\">%" PRId64 "</text>\n", 4 + row * CELL + CELL / 2 + 3,
            (int64_t)(m.first + row * COLUMNS));
  for (json_int_t e = m.first; e <= m.last; e++)
    put_element(&m, e, out);
  fputs("</svg>\n<p class=\"legend\"><span class=\"hit\">the conflict</span> <span class=\"mixed\">by several "
        "threads, one writes</span> <span class=\"written\">written by one</span> <span class=\"read\">only read"
        "</span>; point at an element to see by whom</p>\n", out);
}

// ------------------------------------------------------------------- page ----

static const char style[] =
    "body{font:15px/1.5 system-ui,sans-serif;margin:2em auto;max-width:70em;padding:0 1em;color:#1b1b1b}"
    "h1{font-size:1.3em}h2{font-size:1.05em;margin-top:1.6em}"
    "table{border-collapse:collapse;width:100%;table-layout:fixed}td,th{text-align:left;vertical-align:top;"
    "padding:1px 8px;border-left:3px solid #ddd}td{font:13px/1.5 ui-monospace,monospace;white-space:pre-wrap}"
    "td.hit{background:#ffd7d2;border-left-color:#c62828}"
    "svg text{font:11px ui-monospace,monospace;text-anchor:middle}svg text.index{text-anchor:end;fill:#666}"
    "svg rect{stroke:#bbb;fill:#fff}.read rect{fill:#d6e8fb}.written rect{fill:#ffe3b3}"
    ".mixed rect{fill:#f7b2a8}.hit rect{fill:#e53935;stroke:#7f0000;stroke-width:2}.hit text{fill:#fff}"
    ".legend span{padding:1px 6px;border:1px solid #bbb}.legend .read{background:#d6e8fb}"
    ".legend .written{background:#ffe3b3}.legend .mixed{background:#f7b2a8}.legend .hit{background:#e53935;color:#fff}"
    ".verdict{border-left:4px solid #c62828;padding:.4em .8em;background:#faf3f2}";

static void put_table(const gs_story *s, FILE *out) {
  gs_story_row *rows[2] = {NULL, NULL};
  size_t count[2] = {0, 0}, threads = gs_story_threads(s), most = 0;
  fputs("<h2>What the threads do, from the barrier before</h2>\n<table>\n<tr>", out);
  for (size_t who = 0; who < threads && who < 2; who++) {
    count[who] = gs_story_rows(s, who, &rows[who]);
    most = count[who] > most ? count[who] : most;
    fprintf(out, "<th>%c: ", who ? 'B' : 'A');
    put_text(out, gs_story_thread(s, who));
    fputs("</th>", out);
  }
  fputs("</tr>\n", out);
  for (size_t i = 0; i < most; i++) {
    fputs("<tr>", out);
    for (size_t who = 0; who < threads && who < 2; who++) {
      fputs(i < count[who] && rows[who][i].is_hit ? "<td class=\"hit\">" : "<td>", out);
      put_text(out, i < count[who] ? rows[who][i].text : "");
      fputs("</td>", out);
    }
    fputs("</tr>\n", out);
  }
  fputs("</table>\n", out);
}

void gs_story_html(const gs_story *s, FILE *out) {
  gs_list head = {0};
  gs_story_head(s, &head);
  fputs("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>gpusafe replay: ", out);
  put_text(out, s->kernel);
  fprintf(out, "</title>\n<style>%s</style></head><body>\n<h1>", style);
  put_text(out, head.count ? head.items[0] : s->kernel);
  fputs("</h1>\n", out);
  for (size_t i = 1; i < head.count; i++) {
    fputs("<p>", out);
    put_text(out, head.items[i]);
    fputs("</p>\n", out);
  }
  fputs("<p class=\"verdict\">", out);
  put_text(out, gs_story_verdict(s));
  fputs("</p>\n", out);
  put_map(s, out);
  if (gs_story_threads(s))
    put_table(s, out);
  fputs("</body></html>\n", out);
}
