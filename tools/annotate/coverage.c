// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much of a code base is proved, file by file, and how that changed.
#include "session.h"

#include "report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct numbers {
  const char *file; ///< "" for all of them
  size_t kernels, annotated, proved, trusted, refused;
  size_t covered; ///< annotated, and proved or trusted
} numbers;

static int percent(const numbers *n) { return n->kernels ? (int)(100 * n->covered / n->kernels) : 100; }

static void count(numbers *n, const gs_proposal *p) {
  bool annotated = json_is_true(json_object_get(p->json, "annotated"));
  bool proved = p->verdict && !strcmp(p->verdict, "PROVED"), trusted = p->verdict && !strcmp(p->verdict, "TRUSTED");
  n->kernels++;
  n->annotated += annotated;
  n->proved += proved;
  n->trusted += trusted;
  n->refused += !strcmp(gs_report_text(p->json, "state"), "refused");
  n->covered += annotated && (proved || trusted);
}

/// Proposals are in the order of their files.
static size_t count_files(gs_session *s, numbers *files, numbers *all) {
  size_t n = 0;
  for (size_t i = 0; i < s->proposal_count; i++) {
    const gs_proposal *p = &s->proposals[i];
    const char *file = gs_mem_printf(s->mem, "%.*s", (int)(strrchr(p->place, ':') - p->place), p->place);
    if (!n || strcmp(files[n - 1].file, file) != 0)
      files[n++] = (numbers){.file = file};
    count(&files[n - 1], p);
    count(all, p);
  }
  return n;
}

static void print_row(const numbers *n) {
  printf("%3d %%  %7zu  %9zu  %6zu  %7zu  %7zu  %s\n", percent(n), n->kernels, n->annotated, n->proved, n->trusted,
         n->refused, n->file);
}

static const char *color(const numbers *n) {
  return percent(n) >= 90 ? "brightgreen" : percent(n) >= 60 ? "yellow" : percent(n) >= 30 ? "orange" : "red";
}

// ------------------------------------------------------------------------ history ----

static json_t *pack(const numbers *n) {
  json_t *out = json_pack("{s:I,s:I,s:I,s:I,s:I,s:I}", "kernels", (json_int_t)n->kernels, "annotated",
                          (json_int_t)n->annotated, "proved", (json_int_t)n->proved, "trusted",
                          (json_int_t)n->trusted, "refused", (json_int_t)n->refused, "covered",
                          (json_int_t)n->covered);
  if (*n->file)
    json_object_set_new(out, "file", json_string(n->file));
  return out;
}

/// Today, or what SOURCE_DATE_EPOCH says, for builds that are to repeat.
static const char *today(gs_mem *mem) {
  const char *epoch = getenv("SOURCE_DATE_EPOCH");
  time_t now = epoch && *epoch ? (time_t)strtoll(epoch, NULL, 10) : time(NULL);
  struct tm parts;
  char *text = gs_mem_alloc(mem, 32);
  if (gmtime_r(&now, &parts))
    strftime(text, 32, "%Y-%m-%d", &parts);
  return text;
}

/// \returns NULL, with a message, when the file is something else.
static json_t *load_history(const char *path) {
  json_error_t error;
  if (access(path, F_OK) != 0)
    return json_pack("{s:i,s:s,s:[],s:[]}", "version", 1, "kind", "coverage", "history", "findings");
  json_t *history = json_load_file(path, 0, &error);
  if (history && json_is_array(json_object_get(history, "history")))
    return history;
  json_decref(history);
  gs_fail(GS_EXIT_INPUT, "'%s' is no history of coverage; name another file", path);
  return NULL;
}

/// An entry is added when a number has changed: the same sources leave the file as it is.
static int add_to_history(gs_session *s, const char *path, const numbers *files, size_t count, const numbers *all) {
  json_t *history = load_history(path);
  if (!history)
    return GS_EXIT_INPUT;
  json_t *entries = json_object_get(history, "history"), *entry = pack(all), *list = json_array();
  for (size_t i = 0; i < count; i++)
    json_array_append_new(list, pack(&files[i]));
  json_object_set_new(entry, "files", list);
  json_t *last = json_copy(json_array_get(entries, json_array_size(entries) - 1));
  json_object_del(last, "date");
  bool changed = !last || !json_equal(last, entry);
  json_decref(last);
  json_object_set_new(entry, "date", json_string(today(s->mem)));
  if (changed)
    json_array_append(entries, entry);
  json_decref(entry);
  json_object_set_new(history, "coverage", pack(all));
  json_object_set_new(history, "badge",
                      json_pack("{s:i,s:s,s:o,s:s}", "schemaVersion", 1, "label", "gpusafe", "message",
                                json_sprintf("%d %%", percent(all)), "color", color(all)));
  int failed = json_dump_file(history, path, JSON_INDENT(1));
  json_decref(history);
  return failed ? gs_fail(GS_EXIT_INPUT, "cannot write '%s': %s", path, strerror(errno)) : GS_EXIT_OK;
}

int gs_session_report(gs_session *session) {
  numbers *files = gs_mem_alloc(session->mem, (session->proposal_count + 1) * sizeof *files), all = {.file = ""};
  size_t n = count_files(session, files, &all);
  puts("covered  kernels  annotated  proved  trusted  refused  file");
  for (size_t i = 0; i < n; i++)
    print_row(&files[i]);
  all.file = "all";
  print_row(&all);
  all.file = "";
  printf("badge: gpusafe | %zu of %zu kernels, %d %% | %s\n", all.covered, all.kernels, percent(&all), color(&all));
  return session->options->history ? add_to_history(session, session->options->history, files, n, &all) : GS_EXIT_OK;
}
