// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sources and flags from a compile database, as `gpusafe scan -p` reads it.
#include "session.h"

#include "child.h"
#include "record.h"
#include "words.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int by_name(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static gs_list records(gs_mem *mem, const char *folder) {
  gs_list names = {0};
  DIR *dir = opendir(folder);
  for (struct dirent *entry; dir && (entry = readdir(dir));)
    if (gs_ends_with(entry->d_name, ".call"))
      gs_list_addf(mem, &names, "%s/%s", folder, entry->d_name);
  if (dir)
    closedir(dir);
  if (names.count)
    qsort(names.items, names.count, sizeof *names.items, by_name);
  return names;
}

/// \returns an exit code.
static int add_source(gs_session *s, const gs_compile *compile, const char *file, size_t *capacity) {
  const gs_check_options *o = &s->options->check;
  const char *cuda = o->cuda_path ? o->cuda_path : compile->cuda_path;
  gs_source source = {.file = file, .directory = compile->directory, .options = *o};
  int code = gs_discover_clang(s->mem, cuda, &source.tools);
  if (code != GS_EXIT_OK)
    return code;
  if (!o->archs_given && compile->archs.count) {
    source.options.archs = (gs_list){0};
    gs_list_add(s->mem, &source.options.archs, compile->archs.items[compile->archs.count - 1]);
  }
  source.options.clang_flags = (gs_list){0};
  gs_list_add_all(s->mem, &source.options.clang_flags, &compile->flags);
  gs_list_add_all(s->mem, &source.options.clang_flags, &o->clang_flags);
  if (s->source_count == *capacity) {
    *capacity = *capacity ? 2 * *capacity : 16;
    gs_source *more = gs_mem_alloc(s->mem, *capacity * sizeof *more);
    if (s->source_count)
      memcpy(more, s->sources, s->source_count * sizeof *more);
    s->sources = more;
  }
  s->sources[s->source_count++] = source;
  return GS_EXIT_OK;
}

static bool is_there(const gs_session *s, const gs_compile *compile, const char *file) {
  for (size_t i = 0; i < s->source_count; i++)
    if (!strcmp(s->sources[i].file, file) && !strcmp(s->sources[i].directory, compile->directory))
      return true;
  return false;
}

static int take_record(gs_session *s, const char *path, size_t *capacity) {
  gs_call call;
  gs_compile compile = {0};
  int code = GS_EXIT_OK;
  if (!gs_record_load(s->mem, path, &call))
    return code;
  gs_translate(s->mem, &call, &compile);
  if (compile.problem)
    gs_remark("not searched: a call of %s in %s: %s", call.argv.items[0], call.directory, compile.problem);
  for (size_t f = 0; f < compile.file_count && !compile.problem && code == GS_EXIT_OK; f++)
    if (!is_there(s, &compile, compile.files[f].name))
      code = add_source(s, &compile, compile.files[f].name, capacity);
  return code;
}

int gs_session_read_build(gs_session *session) {
  gs_mem *mem = session->mem;
  const char *reader = gs_discover_commands_tool(mem);
  const char *calls = gs_mem_printf(mem, "%s/calls", session->folder);
  gs_list argv = {0};
  gs_child child;
  size_t capacity = 0;
  if (!reader || mkdir(calls, 0700) != 0)
    return GS_EXIT_INTERNAL;
  gs_list_add(mem, &argv, reader);
  gs_list_add(mem, &argv, session->options->build_folder);
  gs_list_add(mem, &argv, calls);
  gs_child_run(mem, &argv, &child);
  fputs(child.errors, stderr);
  int code = child.error || child.signal ? GS_EXIT_INTERNAL : child.exit_code;
  gs_list names = records(mem, calls);
  for (size_t i = 0; i < names.count; i++) {
    if (code == GS_EXIT_OK)
      code = take_record(session, names.items[i], &capacity);
    unlink(names.items[i]);
  }
  rmdir(calls);
  if (code == GS_EXIT_OK && !session->source_count)
    return gs_fail(GS_EXIT_INPUT, "%s/compile_commands.json lists no CUDA source", session->options->build_folder);
  return code;
}
