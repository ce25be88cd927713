// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `gpusafe annotate`: the strongest annotations that are proved, as a patch.
#include "session.h"

#include "child.h"
#include "temporary.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ------------------------------------------------------------------ standard error ----

static const char *annotation_of(gs_mem *mem, const json_t *param) {
  const char *claim = gs_report_text(param, "claim"), *count = gs_report_text(param, "count");
  const char *scope = gs_report_text(param, "scope");
  bool shown = *scope && strcmp(scope, "block") != 0;
  return gs_mem_printf(mem, "%s %s(%s%s%s%s)", gs_report_text(param, "name"), claim, count,
                       *count && shown ? ", " : "", shown ? "scope=" : "", shown ? scope : "");
}

/// "a extent(n), c disjoint(n); contract: block.x == 256"
static const char *words_for(gs_mem *mem, const json_t *kernel) {
  const char *text = "";
  size_t i;
  json_t *item;
  json_array_foreach(json_object_get(kernel, "params"), i, item)
    if (*gs_report_text(item, "claim"))
      text = gs_mem_printf(mem, "%s%s%s", text, *text ? ", " : "", annotation_of(mem, item));
  json_array_foreach(json_object_get(kernel, "contract"), i, item)
    text = gs_mem_printf(mem, "%s%s%s", text, i ? ", " : *text ? "; contract: " : "contract: ", json_string_value(item));
  return text;
}

static void tell_params(gs_mem *mem, const gs_proposal *p) {
  size_t i;
  json_t *item;
  json_array_foreach(json_object_get(p->json, "params"), i, item)
    if (*gs_report_text(item, "reason"))
      fprintf(stderr, "gpusafe:   %s: %s\n", gs_report_text(item, "name"), gs_report_text(item, "reason"));
  json_array_foreach(json_object_get(p->json, "problems"), i, item)
    fprintf(stderr, "gpusafe:   not written: %s\n", json_string_value(item));
  (void)mem;
}

static void tell(gs_session *s) {
  for (size_t i = 0; i < s->proposal_count && !s->options->quiet; i++) {
    const gs_proposal *p = &s->proposals[i];
    if (p->is_proposed)
      fprintf(stderr, "gpusafe: %s: %s: %s\n", p->place, p->name, words_for(s->mem, p->json));
    else if (p->left)
      fprintf(stderr, "gpusafe: %s: %s: left alone: %s\n", p->place, p->name, p->left);
    else
      fprintf(stderr, "gpusafe: %s: %s: nothing to add\n", p->place, p->name);
    if (p->is_proposed)
      tell_params(s->mem, p);
  }
}

// ------------------------------------------------------------------------- outputs ----

static int write_yaml(gs_session *s) {
  const char *name = s->options->yaml_file;
  FILE *out = name ? fopen(name, "w") : stdout;
  if (!out)
    return gs_fail(GS_EXIT_INPUT, "cannot write '%s': %s", name, strerror(errno));
  fprintf(out, "---\nMainSourceFile: '%s'\nReplacements:%s\n", s->source_count ? s->sources[0].file : "",
          s->patch_count ? "" : " []");
  for (size_t i = 0; i < s->patch_count; i++)
    gs_patch_yaml(&s->patches[i], out);
  fputs("...\n", out);
  if (name && fclose(out) != 0)
    return gs_fail(GS_EXIT_INPUT, "cannot write '%s': %s", name, strerror(errno));
  return GS_EXIT_OK;
}

static json_t *outcome(const gs_proposal *p) {
  json_t *out = json_pack("{s:s, s:s, s:s}", "name", p->name, "place", p->place, "outcome",
                          p->is_proposed ? "annotated" : p->left ? "left alone" : "nothing to add");
  if (p->left)
    json_object_set_new(out, "reason", json_string(p->left));
  static const char *const kept[] = {"params", "contract", "problems", "annotated", "instances", "trials"};
  for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
    json_object_set(out, kept[i], json_object_get(p->json, kept[i]));
  return out;
}

static int write_json(gs_session *s) {
  json_t *kernels = json_array(), *all = json_pack("{s:i, s:o}", "version", 1, "kernels", kernels);
  for (size_t i = 0; i < s->proposal_count; i++)
    json_array_append_new(kernels, outcome(&s->proposals[i]));
  int failed = json_dump_file(all, s->options->json_file, JSON_INDENT(2));
  json_decref(all);
  return failed ? gs_fail(GS_EXIT_INPUT, "cannot write '%s'", s->options->json_file) : GS_EXIT_OK;
}

static int put_out(gs_session *s) {
  int code = GS_EXIT_OK;
  if (s->options->yaml)
    return write_yaml(s);
  for (size_t i = 0; i < s->patch_count; i++) {
    const gs_patch *patch = &s->patches[i];
    if (!s->options->write)
      gs_patch_diff(s->mem, patch, stdout);
    else if (!gs_patch_write(s->mem, patch, patch->path))
      code = gs_fail(GS_EXIT_INPUT, "cannot write '%s': %s", patch->shown, strerror(errno));
  }
  return code;
}

static int tell_launches(gs_session *s) {
  for (size_t i = 0; i < s->broken.count; i++)
    printf("%s\n", s->broken.items[i]);
  if (!s->broken.count)
    puts("every launch in these sources satisfies what is proposed, or leaves it to the check at launch");
  return s->broken.count ? GS_EXIT_FINDINGS : GS_EXIT_OK;
}

static int run(gs_session *s) {
  int searched = gs_session_search(s);
  if (searched == GS_EXIT_INTERNAL)
    return searched;
  int code = s->options->report ? gs_session_check(s) : gs_session_verify(s);
  if (code == GS_EXIT_OK && s->options->report)
    code = gs_session_report(s);
  if (code != GS_EXIT_OK || s->options->report)
    return searched > code ? searched : code;
  tell(s);
  if (s->options->json_file && write_json(s) != GS_EXIT_OK)
    return GS_EXIT_INPUT;
  if (s->options->launches)
    code = tell_launches(s);
  else
    code = put_out(s);
  return searched > code ? searched : code;
}

// ------------------------------------------------------------------------- sources ----

static int take_files(gs_session *s) {
  const gs_check_options *o = &s->options->check;
  s->sources = gs_mem_alloc(s->mem, (o->files.count + 1) * sizeof *s->sources);
  gs_toolchain tools = {0};
  int code = gs_discover_clang(s->mem, o->cuda_path, &tools);
  for (size_t i = 0; i < o->files.count && code == GS_EXIT_OK; i++) {
    const char *file = o->files.items[i];
    gs_input_kind kind = gs_input_kind_of(file);
    if (access(file, R_OK) != 0)
      return gs_fail(GS_EXIT_INPUT, "%s: %s", file, strerror(errno));
    if (kind != GS_INPUT_CUDA && kind != GS_INPUT_C)
      return gs_fail(GS_EXIT_INPUT, "%s: annotations are written into sources: the name must end in .cu "
                                    "(or another C++ ending) or .c", file);
    s->sources[s->source_count++] = (gs_source){.file = file, .options = *o, .tools = tools};
  }
  return code;
}

int gs_annotate_main(gs_mem *mem, int argc, char **argv) {
  gs_annotate_options options;
  gs_session session = {.mem = mem, .options = &options};
  int code;
  if (!gs_annotate_options_parse(mem, argc, argv, &options, &code))
    return code;
  session.folder = gs_temporary_folder(mem, "gpusafe-annotate");
  if (!session.folder)
    return GS_EXIT_INTERNAL;
  code = options.build_folder ? gs_session_read_build(&session) : take_files(&session);
  if (code == GS_EXIT_OK)
    code = run(&session);
  for (size_t i = 0; i < session.source_count; i++) {
    json_decref(session.sources[i].found);
    json_decref(session.sources[i].report);
  }
  rmdir(session.folder);
  int interrupted = gs_child_interrupted();
  if (interrupted) {
    signal(interrupted, SIG_DFL);
    raise(interrupted);
  }
  return code;
}
