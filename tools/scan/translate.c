// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "translate.h"
#include "words.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/// "clang", "clang-22", "clang++-22": the name, then perhaps a version.
static bool is_named(const char *program, const char *name) {
  const char *base = gs_words_base(program);
  size_t length = strlen(name);
  if (strncmp(base, name, length))
    return false;
  base += length;
  if (*base == '-' && isdigit((unsigned char)base[1]))
    base += 1 + strspn(base + 1, "0123456789.");
  return !*base;
}

bool gs_is_nvcc(const char *program) { return is_named(program, "nvcc"); }

bool gs_is_clang(const char *program) {
  return is_named(program, "clang") || is_named(program, "clang++");
}

void gs_translate_add_file(gs_mem *mem, gs_compile *out, const char *name, bool by_language) {
  gs_source_file *files = gs_mem_alloc(mem, (out->file_count + 1) * sizeof *files);
  if (out->file_count)
    memcpy(files, out->files, out->file_count * sizeof *files);
  bool foreign = by_language && !gs_ends_with(name, ".cu");
  files[out->file_count++] = (gs_source_file){name, foreign};
  out->files = files;
}

void gs_translate_add_arch(gs_mem *mem, gs_compile *out, const char *arch) {
  if (!gs_list_has(&out->archs, arch))
    gs_list_add(mem, &out->archs, arch);
}

/// Host flags that a parser sees and whose value may be the next word.
static const char *const with_value[] = {"-I",      "-D",          "-U",        "-include",
                                         "-isystem", "-iquote", "-idirafter", "-imacros"};
/// Host flags that are kept as they are. The standard is nvcc's to say, with -std.
static const char *const alone[] = {"-fopenmp",       "-fno-exceptions", "-fno-rtti",
                                    "-pthread",       "-fms-extensions", "-funsigned-char",
                                    "-fsigned-char",  "-fshort-wchar",   "-fchar8_t"};

void gs_translate_host_flags(gs_mem *mem, const gs_list *words, gs_compile *out) {
  for (size_t i = 0; i < words->count; i++) {
    const char *word = words->items[i];
    bool next = false, keep = false;
    for (size_t n = 0; n < sizeof with_value / sizeof *with_value; n++) {
      keep |= gs_starts_with(word, with_value[n]);
      next |= !strcmp(word, with_value[n]);
    }
    for (size_t n = 0; n < sizeof alone / sizeof *alone; n++)
      keep |= !strcmp(word, alone[n]);
    if (keep)
      gs_list_add(mem, &out->flags, word);
    if (next && i + 1 < words->count)
      gs_list_add(mem, &out->flags, words->items[++i]);
  }
}

const char *gs_translate_ask(gs_mem *mem, const gs_list *argv) {
  const char *line = "";
  for (size_t i = 0; i < argv->count; i++)
    line = gs_mem_printf(mem, "%s%s%s", line, i ? " " : "", gs_words_quote(mem, argv->items[i]));
  FILE *pipe = popen(gs_mem_printf(mem, "%s 2>/dev/null </dev/null", line), "r");
  if (!pipe)
    return NULL;
  char text[4096];
  const char *answer = fgets(text, sizeof text, pipe) ? gs_mem_copy(mem, text) : NULL;
  if (pclose(pipe) != 0 || !answer)
    return NULL;
  return gs_mem_printf(mem, "%.*s", (int)strcspn(answer, "\n"), answer);
}

void gs_translate(gs_mem *mem, const gs_call *call, gs_compile *out) {
  memset(out, 0, sizeof *out);
  out->directory = call->directory;
  if (!call->argv.count)
    return;
  if (gs_is_nvcc(call->argv.items[0]))
    gs_translate_nvcc(mem, call, out);
  else if (gs_is_clang(call->argv.items[0]))
    gs_translate_clang(mem, call, out);
}
