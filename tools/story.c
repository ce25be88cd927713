// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A run in words.
#include "story.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *text_of(const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  return text ? text : "";
}

static json_int_t number_of(const json_t *object, const char *key) {
  return json_integer_value(json_object_get(object, key));
}

static const json_t *conflict_of(const gs_story *s) { return json_object_get(s->trace, "conflict"); }

size_t gs_story_threads(const gs_story *s) {
  return json_array_size(json_object_get(conflict_of(s), "threads"));
}

static const char *dim_text(const gs_story *s, const json_t *dim, const char *separator) {
  return gs_mem_printf(s->mem, "%" PRId64 "%s%" PRId64 "%s%" PRId64,
                       (int64_t)json_integer_value(json_array_get(dim, 0)), separator,
                       (int64_t)json_integer_value(json_array_get(dim, 1)), separator,
                       (int64_t)json_integer_value(json_array_get(dim, 2)));
}

const char *gs_story_element(const gs_story *s, const char *array, json_int_t offset,
                             json_int_t size) {
  const json_t *conflict = conflict_of(s);
  json_int_t known = number_of(conflict, "element_size");
  if (known > 0 && strcmp(text_of(conflict, "array"), array) == 0)
    size = known;
  if (size > 0 && offset >= 0 && offset % size == 0)
    return gs_mem_printf(s->mem, "%s[%" PRId64 "]", array, (int64_t)(offset / size));
  return gs_mem_printf(s->mem, "%s (byte %" PRId64 ")", array, (int64_t)offset);
}

const char *gs_story_thread(const gs_story *s, size_t who) {
  const json_t *t = json_array_get(json_object_get(conflict_of(s), "threads"), who);
  return gs_mem_printf(s->mem, "thread (%s) of block (%s)", dim_text(s, json_object_get(t, "thread"), ","),
                       dim_text(s, json_object_get(t, "block"), ","));
}

// ---------------------------------------------------------------- source ----

/// A line of a file without what it is indented by; "" when it cannot be read.
static const char *source_line(const gs_story *s, const char *path, json_int_t line) {
  FILE *file = *path && line > 0 ? fopen(path, "r") : NULL;
  char *text = NULL;
  size_t room = 0;
  const char *out = "";
  for (json_int_t i = 0; file && i < line; i++)
    if (getline(&text, &room, file) < 0)
      line = 0;
  if (file && line > 0) {
    const char *begin = text + strspn(text, " \t");
    out = gs_mem_printf(s->mem, "%.*s", (int)strcspn(begin, "\r\n"), begin);
  }
  free(text);
  if (file)
    fclose(file);
  return out;
}

static const char *file_prefix(const gs_story *s, const json_t *step) {
  const char *path = text_of(step, "file"), *slash = strrchr(path, '/');
  const char *main_slash = strrchr(s->file, '/');
  const char *base = slash ? slash + 1 : path, *own = main_slash ? main_slash + 1 : s->file;
  return *base && strcmp(base, own) != 0 && !gs_ends_with(own, ".ll") && !gs_ends_with(own, ".bc")
             ? gs_mem_printf(s->mem, "%s:", base)
             : "";
}

// ------------------------------------------------------------------ rows ----

static const char *value_text(const gs_story *s, const json_t *step) {
  uint64_t word = strtoull(text_of(step, "value"), NULL, 0);
  json_int_t size = number_of(step, "size");
  if (size < 1 || size > 8)
    return gs_mem_printf(s->mem, "%" PRId64 " bytes", (int64_t)size);
  uint32_t unused = 64 - (uint32_t)size * 8;
  int64_t value = (int64_t)(word << unused) >> unused;
  double real = 0;
  float single = 0;
  if (size == 4)
    memcpy(&single, &word, sizeof single), real = (double)single;
  else if (size == 8)
    memcpy(&real, &word, sizeof real);
  double magnitude = real < 0 ? -real : real;
  if (size >= 4 && magnitude > 1e-6 && magnitude < 1e12) // hardly an integer
    return gs_mem_printf(s->mem, "%g", real);
  return gs_mem_printf(s->mem, "%" PRId64, value);
}

static const char *row_text(const gs_story *s, const json_t *step) {
  const char *kind = text_of(step, "kind");
  json_int_t line = number_of(step, "line");
  const char *place = gs_mem_printf(s->mem, "%s%" PRId64, file_prefix(s, step), (int64_t)line);
  const char *source = source_line(s, text_of(step, "file"), line);
  if (!strcmp(kind, "line"))
    return gs_mem_printf(s->mem, "%4s  %s", place, source);
  if (!strcmp(kind, "barrier"))
    return gs_mem_printf(s->mem, "%4s  %s  <- barrier", place, source);
  if (!strcmp(kind, "warp"))
    return gs_mem_printf(s->mem, "%4s  %s  <- with its warp", place, source);
  const char *element =
      gs_story_element(s, text_of(step, "array"), number_of(step, "offset"), number_of(step, "size"));
  const char *verb = !strcmp(kind, "read") ? "reads" : !strcmp(kind, "write") ? "writes" : "updates atomically";
  return gs_mem_printf(s->mem, "        %s %s = %s", verb, element, value_text(s, step));
}

size_t gs_story_rows(const gs_story *s, size_t who, gs_story_row **out) {
  const json_t *steps = json_array_get(json_object_get(s->trace, "steps"), who);
  size_t n = json_array_size(steps), count = 0;
  gs_story_row *rows = gs_mem_alloc(s->mem, (n + 2) * sizeof *rows);
  bool cut = json_is_true(json_array_get(json_object_get(s->trace, "cut"), who));
  bool barrier = n && !strcmp(text_of(json_array_get(steps, 0), "kind"), "barrier");
  if (cut)
    rows[count++].text = "      ... (earlier steps are left out)";
  else if (!barrier)
    rows[count++].text = "      (from the start of the kernel)";
  for (size_t i = 0; i < n; i++)
    rows[count++] = (gs_story_row){row_text(s, json_array_get(steps, i)), false};
  if (n && !strcmp(text_of(s->trace, "verdict"), "confirmed"))
    rows[count - 1].is_hit = true;
  *out = rows;
  return count;
}

// ----------------------------------------------------------------- words ----

static void add_values(const gs_story *s, gs_list *out) {
  const json_t *values = json_object_get(json_object_get(s->finding, "witness"), "values");
  const char *text = "";
  for (size_t i = 0; i < json_array_size(values); i++) {
    const json_t *v = json_array_get(values, i);
    text = gs_mem_printf(s->mem, "%s%s%s = %" PRId64, text, *text ? ", " : "", text_of(v, "name"),
                         (int64_t)number_of(v, "value"));
  }
  const json_t *memory = json_object_get(s->trace, "memory");
  for (size_t i = 0; i < json_array_size(memory); i++) {
    const json_t *m = json_array_get(memory, i);
    json_int_t bytes = (number_of(m, "bits") + 7) / 8;
    text = gs_mem_printf(s->mem, "%s%s%s = %s", text, *text ? ", " : "",
                         gs_story_element(s, text_of(m, "name"), number_of(m, "offset"), bytes),
                         text_of(m, "value"));
  }
  if (*text)
    gs_list_addf(s->mem, out, "with %s", text);
}

void gs_story_head(const gs_story *s, gs_list *out) {
  const json_t *conflict = conflict_of(s);
  json_int_t smem = number_of(s->trace, "dynamic_smem");
  if (s->finding)
    gs_list_addf(s->mem, out, "%s: %s", s->file, text_of(s->finding, "message"));
  else if (json_is_object(conflict))
    gs_list_addf(s->mem, out, "%s: %s on '%s'", s->file,
                 strcmp(text_of(conflict, "rule"), "out-of-bounds") ? "data race" : "out of bounds",
                 text_of(conflict, "array"));
  gs_list_addf(s->mem, out, "kernel %s, grid %s, block %s%s", s->kernel,
               dim_text(s, json_object_get(s->trace, "grid"), "x"),
               dim_text(s, json_object_get(s->trace, "block"), "x"),
               smem ? gs_mem_printf(s->mem, ", %" PRId64 " bytes of dynamic shared memory", (int64_t)smem) : "");
  add_values(s, out);
}

static const char *verb_of(const json_t *thread) {
  if (json_is_true(json_object_get(thread, "atomic")))
    return "updates atomically";
  return json_is_true(json_object_get(thread, "write")) ? "writes" : "reads";
}

const char *gs_story_verdict(const gs_story *s) {
  const json_t *conflict = conflict_of(s), *threads = json_object_get(conflict, "threads");
  const char *verdict = text_of(s->trace, "verdict"), *end = text_of(s->trace, "end");
  int64_t run = (int64_t)number_of(s->trace, "instructions");
  if (!strcmp(verdict, "none"))
    return gs_mem_printf(s->mem, "no conflict in this launch (%" PRId64 " instructions%s%s)", run,
                         *end ? ", ended early: " : "", end);
  if (!strcmp(verdict, "refuted"))
    return gs_mem_printf(s->mem, "refuted: the threads return without that conflict (%" PRId64 " instructions)", run);
  if (!strcmp(verdict, "refused"))
    return gs_mem_printf(s->mem, "not shown: %s (%" PRId64 " instructions)", end, run);
  const char *element = gs_story_element(s, text_of(conflict, "array"), number_of(conflict, "byte_offset"), 1);
  const json_t *a = json_array_get(threads, 0), *b = json_array_get(threads, 1);
  if (!b)
    return gs_mem_printf(s->mem, "confirmed: %s %s %s at line %" PRId64 ", which is outside of the array",
                         gs_story_thread(s, 0), verb_of(a), element, (int64_t)number_of(a, "line"));
  bool same_block = json_equal((json_t *)(uintptr_t)json_object_get(a, "block"),
                               (json_t *)(uintptr_t)json_object_get(b, "block"));
  const char *why = !strcmp(text_of(conflict, "rule"), "disjoint")
                        ? "each thread should have elements of its own"
                    : same_block ? "no barrier is between the two, so either may come first"
                                 : "no barrier orders threads of different blocks, so either may come first";
  return gs_mem_printf(s->mem, "confirmed: at %s, A %s at line %" PRId64 " and B %s at line %" PRId64 "; %s",
                       element, verb_of(a), (int64_t)number_of(a, "line"), verb_of(b),
                       (int64_t)number_of(b, "line"), why);
}

// ------------------------------------------------------------------ text ----

enum { WIDTH = 56 };

/// One cell of a column, cut where it does not fit.
static void put_cell(FILE *out, const gs_story_row *row, bool last) {
  const char *text = row ? row->text : "", *mark = row && row->is_hit ? " <==" : "    ";
  if (last)
    fprintf(out, "%s%s\n", text, row && row->is_hit ? mark : "");
  else if (strlen(text) <= WIDTH)
    fprintf(out, "%-*s%s | ", WIDTH, text, mark);
  else
    fprintf(out, "%.*s...%s | ", WIDTH - 3, text, mark);
}

static void print_two(const gs_story *s, FILE *out) {
  gs_story_row *rows[2], heads[2], rule[2];
  size_t count[2];
  for (size_t who = 0; who < 2; who++) {
    count[who] = gs_story_rows(s, who, &rows[who]);
    heads[who] = (gs_story_row){gs_mem_printf(s->mem, "%c: %s", who ? 'B' : 'A', gs_story_thread(s, who)), false};
    rule[who] = (gs_story_row){"--------------------------------------------------------", false};
  }
  put_cell(out, &heads[0], false);
  put_cell(out, &heads[1], true);
  put_cell(out, &rule[0], false);
  put_cell(out, &rule[1], true);
  size_t most = count[0] > count[1] ? count[0] : count[1];
  for (size_t i = 0; i < most; i++) {
    put_cell(out, i < count[0] ? &rows[0][i] : NULL, false);
    put_cell(out, i < count[1] ? &rows[1][i] : NULL, true);
  }
}

void gs_story_print(const gs_story *s, FILE *out) {
  gs_list head = {0};
  gs_story_head(s, &head);
  for (size_t i = 0; i < head.count; i++)
    fprintf(out, "%s\n", head.items[i]);
  size_t threads = gs_story_threads(s);
  if (threads)
    fprintf(out, "\n");
  if (threads == 2) {
    print_two(s, out);
  } else if (threads == 1) {
    gs_story_row *rows;
    size_t count = gs_story_rows(s, 0, &rows);
    fprintf(out, "%s\n", gs_story_thread(s, 0));
    for (size_t i = 0; i < count; i++)
      put_cell(out, &rows[i], true);
  }
  fprintf(out, "\n%s\n", gs_story_verdict(s));
}
