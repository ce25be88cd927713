// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clang's own command lines: everything stays but what writes files, chooses the output,
// links, or would load gpusafe a second time.
#include "translate.h"
#include "words.h"

#include <string.h>

enum { DEPTH = 8 };

/// Flags whose value is the next word, and is kept.
static const char *const keep_next[] = {
    "-I",        "-D",         "-U",       "-include", "-isystem", "-iquote",  "-idirafter",
    "-imacros",  "-isysroot",  "-Xclang",  "-mllvm",   "-target",  "-iprefix", "-iwithprefix",
    "-cxx-isystem", "--sysroot", "-Xarch_device", "-Xarch_host", "-Xpreprocessor", "-F",
    "-iframework", "-working-directory", "--param"};
/// Flags whose value is the next word, and goes with them.
static const char *const drop_next[] = {
    "-o",  "-MF", "-MT", "-MQ", "-MJ", "-L", "-l", "-Xlinker", "-Xassembler", "-Xcuda-ptxas",
    "-Xcuda-fatbinary", "-T", "-u", "-z", "-e", "-include-pch", "--serialize-diagnostics",
    "-dependency-file", "-framework", "-rpath", "-current_version", "-Xoffload-linker"};
/// Flags that go, by how they begin: outputs, dependencies, linking, time traces.
static const char *const drop_prefix[] = {
    "-o", "-MD", "-MMD", "-MP", "-MG", "-MF", "-MT", "-MQ", "-MJ", "-MV", "-L", "-l", "-Wl,", "-Wa,",
    "-save-temps", "--save-temps", "-ftime-trace", "-fprofile-", "-fcoverage-", "--coverage",
    "-gsplit-dwarf", "-fcrash-diagnostics-dir", "-fopt", "-fsave-optimization-record",
    "-foptimization-record-", "-fdiagnostics-", "-fcolor-diagnostics", "-fno-color-diagnostics",
    "-Werror", "-emit-", "-c-isystem-after", "-shared", "-static", "-rdynamic", "-fuse-ld",
    "--driver-mode=", "-pipe", "-v", "-fplugin-arg-gpusafe-report", "-fplugin-arg-gpusafe-dump",
    "-fplugin-arg-gpusafe-contracts", "-fplugin-arg-gpusafe-stats", "-flto", "-fmodule-output"};
static const char *const drop_whole[] = {"-c", "-S", "-fsyntax-only", "-s", "-w", "-r", "-g"};
/// The call makes nothing that is run: preprocessing, questions, precompiled headers.
static const char *const no_compile[] = {"-E",        "-M",         "-MM",   "--version", "-###",
                                         "--help",    "-cc1",       "-cc1as", "-dM",  "-dumpversion",
                                         "-dumpmachine", "--precompile", "--analyze"};

typedef struct gs_reader {
  gs_mem *mem;
  const gs_call *call;
  gs_compile *out;
  gs_list words;
} gs_reader;

static bool is_one(const char *word, const char *const *list, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!strcmp(word, list[i]))
      return true;
  return false;
}

static bool begins(const char *word, const char *const *list, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (gs_starts_with(word, list[i]))
      return true;
  return false;
}
#define IS_ONE(word, list) is_one(word, list, sizeof list / sizeof *list)

/// Replaces @file by what is in it, as clang does; a file that is none stays a word.
static void expand(gs_reader *r, const gs_list *words, size_t from, int depth) {
  for (size_t i = from; i < words->count; i++) {
    const char *word = words->items[i];
    const char *text = NULL;
    if (word[0] == '@' && word[1] && depth < DEPTH)
      text = gs_words_read_file(r->mem, gs_words_path(r->mem, r->call->directory, word + 1));
    if (!text) {
      gs_list_add(r->mem, &r->words, word);
      continue;
    }
    gs_list more = {0};
    gs_words_split(r->mem, text, &more);
    expand(r, &more, 0, depth + 1);
  }
}

/// The architectures are taken out: the tool loops over them.
static bool take_arch(gs_reader *r, const char *word, const char *next, size_t *i) {
  static const char *const names[] = {"--cuda-gpu-arch", "--offload-arch"};
  for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
    size_t length = strlen(names[n]);
    if (!gs_starts_with(word, names[n]) || (word[length] != '=' && word[length]))
      continue;
    const char *value = word[length] ? word + length + 1 : next;
    *i += !word[length];
    gs_list parts = {0};
    gs_words_split_list(r->mem, value ? value : "", &parts);
    for (size_t p = 0; p < parts.count; p++)
      if (gs_starts_with(parts.items[p], "sm_"))
        gs_translate_add_arch(r->mem, r->out, parts.items[p]);
      else
        gs_list_addf(r->mem, &r->out->remarks, "%s=%s: read for the default architecture",
                     names[n], parts.items[p]);
    return true;
  }
  return false;
}

static bool is_our_plugin(const char *word) {
  return (gs_starts_with(word, "-fplugin=") || gs_starts_with(word, "-fpass-plugin=")) &&
         strstr(word, "libgpusafe.so");
}

/// `-x LANGUAGE` counts for what follows it.
static bool take_language(const char *word, const char *next, size_t *i, const char **language) {
  if (strncmp(word, "-x", 2) || !strcmp(word, "-xc++-header"))
    return false;
  *language = word[2] ? word + 2 : next ? next : "none";
  *i += !word[2];
  if (!strcmp(*language, "none"))
    *language = NULL;
  return true;
}

void gs_translate_clang(gs_mem *mem, const gs_call *call, gs_compile *out) {
  gs_reader r = {.mem = mem, .call = call, .out = out};
  expand(&r, &call->argv, 1, 0);
  const char *language = NULL;
  bool options = true;
  for (size_t i = 0; i < r.words.count; i++) {
    const char *word = r.words.items[i], *next = r.words.items[i + 1];
    if (!options || word[0] != '-' || !word[1]) {
      bool by_language = language && !strcmp(language, "cuda");
      if (by_language || (!language && gs_ends_with(word, ".cu")))
        gs_translate_add_file(mem, out, word, by_language);
      continue;
    }
    if (IS_ONE(word, no_compile)) {
      out->file_count = 0;
      return;
    }
    if (!strcmp(word, "--"))
      options = false;
    else if (IS_ONE(word, drop_next))
      i++;
    else if (IS_ONE(word, keep_next) && next) {
      gs_list_add(mem, &out->flags, word);
      gs_list_add(mem, &out->flags, r.words.items[++i]);
    } else if (take_language(word, next, &i, &language) || take_arch(&r, word, next, &i))
      continue;
    else if (gs_starts_with(word, "--cuda-path="))
      out->cuda_path = strchr(word, '=') + 1;
    else if (!IS_ONE(word, drop_whole) && !is_our_plugin(word) &&
             !begins(word, drop_prefix, sizeof drop_prefix / sizeof *drop_prefix))
      gs_list_add(mem, &out->flags, word);
  }
  if (out->cuda_path)
    out->cuda_path = gs_words_path(mem, call->directory, out->cuda_path);
}
