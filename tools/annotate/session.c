// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Search in each source, then a check of all of them with what was found in place.
#include "session.h"

#include "child.h"
#include "command_line.h"
#include "words.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// ------------------------------------------------------------------- compiles ----

/// A compile happens in its folder.
static bool enter(const gs_source *source, int *back) {
  *back = -1;
  if (!source->directory)
    return true;
  *back = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  return *back >= 0 && chdir(source->directory) == 0;
}

static void leave(int back) {
  if (back >= 0 && fchdir(back) != 0)
    gs_remark("the folder where gpusafe was started is gone");
  if (back >= 0)
    close(back);
}

static gs_run run_of(const gs_session *s, const gs_source *source) {
  return (gs_run){.mem = s->mem, .options = &source->options, .tools = &source->tools, .folder = s->folder};
}

static int search_source(gs_session *s, gs_source *source) {
  const char *path = gs_mem_printf(s->mem, "%s/found.json", s->folder);
  gs_list argv = {0};
  gs_child child;
  int back;
  source->options.annotate = path;
  gs_run run = run_of(s, source);
  gs_command_line_clang(&run, source->file, source->options.archs.items[0], NULL, &argv);
  if (!enter(source, &back))
    return gs_fail(GS_EXIT_INPUT, "%s: the folder '%s' is gone", source->file, source->directory);
  gs_child_run(s->mem, &argv, &child);
  leave(back);
  source->options.annotate = NULL;
  if (child.error || child.signal || child.exit_code > 1)
    return gs_fail(GS_EXIT_INTERNAL, "%s: '%s' broke down", source->file, argv.items[0]);
  json_error_t error;
  source->found = access(path, F_OK) == 0 ? json_load_file(path, 0, &error) : NULL;
  unlink(path);
  if (source->found)
    return GS_EXIT_OK;
  fputs(child.errors, stderr);
  return gs_fail(GS_EXIT_INPUT, "%s: not searched, as it does not compile", source->file);
}

// ------------------------------------------------------------------- proposals ----

static const char *base_name(gs_mem *mem, const char *name) {
  return gs_mem_printf(mem, "%.*s", (int)strcspn(name, "<("), name);
}

gs_proposal *gs_session_find(gs_session *session, const char *name) {
  const char *base = base_name(session->mem, name);
  for (size_t i = 0; i < session->proposal_count; i++)
    if (!strcmp(session->proposals[i].name, base))
      return &session->proposals[i];
  return NULL;
}

static bool is_wanted(const gs_annotate_options *o, const char *name) {
  const char *last = strrchr(name, ':');
  for (size_t i = 0; i < o->kernels.count; i++)
    if (!strcmp(o->kernels.items[i], name) || (last && !strcmp(o->kernels.items[i], last + 1)))
      return true;
  return !o->kernels.count;
}

static const char *place_of(gs_mem *mem, const json_t *kernel) {
  const json_t *location = json_object_get(kernel, "location");
  return gs_mem_printf(mem, "%s:%lld", gs_report_text(location, "file"),
                       (long long)json_integer_value(json_object_get(location, "line")));
}

/// Why what is proved cannot be written.
static const char *first_problem(const json_t *kernel) {
  const char *problem = json_string_value(json_array_get(json_object_get(kernel, "problems"), 0));
  return problem ? problem : "nothing of what is proved can be written";
}

static void add_proposal(gs_session *s, const json_t *kernel) {
  const char *name = gs_report_text(kernel, "name"), *place = place_of(s->mem, kernel);
  const char *state = gs_report_text(kernel, "state");
  for (size_t i = 0; i < s->proposal_count; i++)
    if (!strcmp(s->proposals[i].name, name) && !strcmp(s->proposals[i].place, place))
      return; // a header's, found in another source
  if (!is_wanted(s->options, name))
    return;
  if (s->proposal_count == s->proposal_capacity) {
    s->proposal_capacity = s->proposal_capacity ? 2 * s->proposal_capacity : 32;
    gs_proposal *more = gs_mem_alloc(s->mem, s->proposal_capacity * sizeof *more);
    if (s->proposal_count)
      memcpy(more, s->proposals, s->proposal_count * sizeof *more);
    s->proposals = more;
  }
  gs_proposal *p = &s->proposals[s->proposal_count++];
  *p = (gs_proposal){.place = place, .name = name, .json = kernel};
  p->is_proposed = !strcmp(state, "proposed") && json_array_size(json_object_get(kernel, "edits"));
  if (!strcmp(state, "refused"))
    p->left = gs_report_text(kernel, "reason");
  else if (!strcmp(state, "proposed") && !p->is_proposed)
    p->left = first_problem(kernel);
}

static int by_place(const void *a, const void *b) {
  const gs_proposal *x = a, *y = b;
  const char *end_x = strrchr(x->place, ':'), *end_y = strrchr(y->place, ':');
  size_t length_x = (size_t)(end_x - x->place), length_y = (size_t)(end_y - y->place);
  int files = strncmp(x->place, y->place, length_x < length_y ? length_x : length_y);
  if (files || length_x != length_y)
    return files ? files : length_x < length_y ? -1 : 1;
  long line_x = strtol(end_x + 1, NULL, 10), line_y = strtol(end_y + 1, NULL, 10);
  return line_x != line_y ? (line_x > line_y) - (line_x < line_y) : strcmp(x->name, y->name);
}

int gs_session_search(gs_session *session) {
  int code = GS_EXIT_OK;
  for (size_t i = 0; i < session->source_count && !gs_child_interrupted(); i++) {
    int one = search_source(session, &session->sources[i]);
    code = one > code ? one : code;
    size_t k;
    json_t *kernel;
    json_array_foreach(json_object_get(session->sources[i].found, "kernels"), k, kernel)
      add_proposal(session, kernel);
  }
  if (session->proposal_count)
    qsort(session->proposals, session->proposal_count, sizeof *session->proposals, by_place);
  return gs_child_interrupted() ? GS_EXIT_INTERNAL : code;
}

// --------------------------------------------------------------------- patches ----

/// The file as people say it: relative to here where it is below.
static const char *shown_path(gs_mem *mem, const char *path) {
  char here[PATH_MAX];
  size_t length = getcwd(here, sizeof here) ? strlen(here) : 0;
  if (length > 1 && !strncmp(path, here, length) && path[length] == '/')
    return gs_mem_copy(mem, path + length + 1);
  return path;
}

static gs_patch *patch_of(gs_session *s, const char *path) {
  for (size_t i = 0; i < s->patch_count; i++)
    if (!strcmp(s->patches[i].path, path))
      return &s->patches[i];
  if (s->patch_count == s->patch_capacity) {
    s->patch_capacity = s->patch_capacity ? 2 * s->patch_capacity : 8;
    gs_patch *more = gs_mem_alloc(s->mem, s->patch_capacity * sizeof *more);
    if (s->patch_count)
      memcpy(more, s->patches, s->patch_count * sizeof *more);
    s->patches = more;
  }
  gs_patch *patch = &s->patches[s->patch_count];
  if (!gs_patch_open(s->mem, path, shown_path(s->mem, path), patch))
    return NULL;
  s->patch_count++;
  return patch;
}

static void add_edits(gs_session *s, gs_proposal *p) {
  size_t i;
  json_t *edit;
  json_array_foreach(json_object_get(p->json, "edits"), i, edit) {
    const char *path = gs_report_text(edit, "path");
    gs_patch *patch = *path ? patch_of(s, path) : NULL;
    size_t offset = (size_t)json_integer_value(json_object_get(edit, "offset"));
    if (!patch || offset > patch->size || access(path, W_OK) != 0)
      p->left = gs_mem_printf(s->mem, "'%s' cannot be written", *path ? shown_path(s->mem, path) : "its source");
    else if (!gs_patch_add(s->mem, patch, offset, gs_report_text(edit, "insert"), p))
      p->left = "another kernel wants something else at the same place";
    if (p->left) {
      p->is_proposed = false;
      return;
    }
  }
}

void gs_session_patch(gs_session *session) {
  bool again;
  do {
    again = false;
    session->patch_count = 0;
    for (size_t i = 0; i < session->proposal_count; i++) {
      if (!session->proposals[i].is_proposed)
        continue;
      add_edits(session, &session->proposals[i]);
      again |= !session->proposals[i].is_proposed; // half of it is in the patches
    }
  } while (again);
  for (size_t i = 0; i < session->patch_count; i++)
    gs_patch_finish(session->mem, &session->patches[i]);
}

// --------------------------------------------------------------------- overlay ----

static void json_text(const char *text, FILE *out) {
  fputc('"', out);
  for (const char *c = text; *c; c++)
    fprintf(out, "%s%c", *c == '"' || *c == '\\' ? "\\" : "", *c);
  fputc('"', out);
}

/// Clang reads the patched texts in place of the files. \returns NULL when that cannot be set up.
static const char *write_overlay(gs_session *s) {
  const char *name = gs_mem_printf(s->mem, "%s/overlay.json", s->folder);
  FILE *out = fopen(name, "w");
  bool fine = out != NULL;
  if (fine)
    fputs("{\"version\": 0, \"use-external-names\": false, \"roots\": [", out);
  for (size_t i = 0; i < s->patch_count && fine; i++) {
    const char *copy = gs_mem_printf(s->mem, "%s/patched-%zu", s->folder, i);
    FILE *file = fopen(copy, "wb");
    fine = file && fwrite(s->patches[i].after, 1, s->patches[i].after_size, file) == s->patches[i].after_size;
    fine = file && fclose(file) == 0 && fine;
    fputs(i ? ",\n{\"type\": \"file\", \"name\": " : "\n{\"type\": \"file\", \"name\": ", out);
    json_text(s->patches[i].path, out);
    fputs(", \"external-contents\": ", out);
    json_text(copy, out);
    fputs("}", out);
  }
  if (out)
    fputs("]}\n", out);
  fine = out && fclose(out) == 0 && fine;
  return fine ? name : NULL;
}

static void drop_overlay(gs_session *s) {
  for (size_t i = 0; i < s->patch_count; i++)
    unlink(gs_mem_printf(s->mem, "%s/patched-%zu", s->folder, i));
  unlink(gs_mem_printf(s->mem, "%s/overlay.json", s->folder));
}

// ---------------------------------------------------------------------- verify ----

static bool leave_alone(gs_proposal *p, const char *why) {
  if (!p || !p->is_proposed)
    return false;
  p->is_proposed = false;
  p->left = why;
  return true;
}

static const char *first_reason(gs_mem *mem, const json_t *kernel) {
  size_t i;
  json_t *finding;
  json_array_foreach(json_object_get(kernel, "findings"), i, finding)
    if (gs_report_verdict(finding) != GS_PROVED)
      return gs_mem_printf(mem, "not proved once it is annotated: %s", gs_report_text(finding, "message"));
  return "not proved once it is annotated";
}

static void note_verdict(gs_proposal *p, gs_verdict verdict) {
  if (!p->verdict || gs_verdict_badness(verdict) > 0) // the worst of its instances
    p->verdict = gs_verdict_name(verdict);
}

static void note_verdicts(gs_session *s, const json_t *report) {
  size_t i;
  json_t *kernel;
  json_array_foreach(json_object_get(report, "kernels"), i, kernel) {
    gs_proposal *p = gs_session_find(s, gs_report_text(kernel, "name"));
    if (p)
      note_verdict(p, gs_report_verdict(kernel));
  }
}

/// \returns true when a kernel was left alone.
static bool judge_report(gs_session *s, const json_t *report) {
  bool left = false;
  size_t i;
  json_t *kernel;
  json_array_foreach(json_object_get(report, "kernels"), i, kernel) {
    gs_proposal *p = gs_session_find(s, gs_report_text(kernel, "name"));
    gs_verdict verdict = gs_report_verdict(kernel);
    if (!p)
      continue;
    note_verdict(p, verdict);
    if (verdict != GS_PROVED && verdict != GS_TRUSTED)
      left |= leave_alone(p, first_reason(s->mem, kernel));
  }
  return left;
}

/// The line of an error that names a kernel between quotes. \returns true when one was left alone.
static bool judge_line(gs_session *s, const char *line, size_t length) {
  const char *text = gs_mem_printf(s->mem, "%.*s", (int)length, line);
  const char *launch = strstr(text, "[gpusafe-launch-contract]"), *named = strstr(text, "launch of '");
  if (!launch || !named || !strstr(text, "error: "))
    return false;
  named += strlen("launch of '");
  const char *name = gs_mem_printf(s->mem, "%.*s", (int)strcspn(named, "'"), named);
  gs_proposal *p = gs_session_find(s, name);
  if (p && p->is_proposed && !gs_list_has(&s->broken, text))
    gs_list_add(s->mem, &s->broken, text);
  return leave_alone(p, gs_mem_printf(s->mem, "a launch would break it: %s", text));
}

static bool judge_launches(gs_session *s, const char *errors) {
  bool left = false;
  for (const char *line = errors; *line;) {
    size_t length = strcspn(line, "\n");
    left |= judge_line(s, line, length);
    line += length + (line[length] != '\0');
  }
  return left;
}

/// Some proposal does not compile, and nothing says which: none of this source is written.
static bool leave_source(gs_session *s, const gs_source *source, const char *errors) {
  const char *error = strstr(errors, "error: ");
  const char *why = gs_mem_printf(s->mem, "the annotated source does not compile: %.*s",
                                  error ? (int)strcspn(error + 7, "\n") : 0, error ? error + 7 : "");
  bool left = false;
  size_t i;
  json_t *kernel;
  json_array_foreach(json_object_get(source->found, "kernels"), i, kernel)
    left |= leave_alone(gs_session_find(s, gs_report_text(kernel, "name")), why);
  return left;
}

static int verify_source(gs_session *s, gs_source *source, const char *overlay, bool *left) {
  gs_unit unit;
  int back;
  source->options.overlay = overlay;
  gs_run run = run_of(s, source);
  if (!enter(source, &back))
    return GS_EXIT_INPUT;
  gs_unit_run(&run, source->file, source->options.archs.items[0], &unit);
  leave(back);
  source->options.overlay = NULL;
  json_decref(source->report);
  source->report = unit.report;
  if (unit.status == GS_EXIT_INTERNAL)
    return gs_fail(unit.status, "%s: %s", source->file, unit.message ? unit.message : "the check failed");
  *left |= judge_launches(s, unit.diagnostics);
  if (unit.report)
    *left |= judge_report(s, unit.report);
  else
    *left |= leave_source(s, source, unit.diagnostics);
  return GS_EXIT_OK;
}

int gs_session_check(gs_session *session) {
  int code = GS_EXIT_OK;
  for (size_t i = 0; i < session->source_count && code != GS_EXIT_INTERNAL && !gs_child_interrupted(); i++) {
    gs_source *source = &session->sources[i];
    gs_unit unit;
    int back;
    gs_run run = run_of(session, source);
    if (!source->found || !enter(source, &back))
      continue;
    gs_unit_run(&run, source->file, source->options.archs.items[0], &unit);
    leave(back);
    if (unit.report)
      note_verdicts(session, unit.report);
    else
      code = gs_fail(unit.status, "%s: not checked: %s", source->file, unit.message ? unit.message : "see above");
    json_decref(unit.report);
  }
  return gs_child_interrupted() ? GS_EXIT_INTERNAL : code;
}

int gs_session_verify(gs_session *session) {
  enum { MOST_ROUNDS = 4 };
  int code = GS_EXIT_OK;
  bool left = true;
  for (int round = 0; left && code == GS_EXIT_OK && !gs_child_interrupted(); round++) {
    left = false;
    if (round == MOST_ROUNDS) // nothing is written that was not checked as it is
      for (size_t i = 0; i < session->proposal_count; i++)
        leave_alone(&session->proposals[i], "the proposals of its source disagree");
    gs_session_patch(session);
    const char *overlay = session->patch_count ? write_overlay(session) : NULL;
    if (session->patch_count && !overlay)
      code = gs_fail(GS_EXIT_INTERNAL, "cannot write to '%s': %s", session->folder, strerror(errno));
    for (size_t i = 0; i < session->source_count && code == GS_EXIT_OK && !gs_child_interrupted(); i++)
      if (session->sources[i].found && overlay)
        code = verify_source(session, &session->sources[i], overlay, &left);
    drop_overlay(session);
  }
  return gs_child_interrupted() ? GS_EXIT_INTERNAL : code;
}
