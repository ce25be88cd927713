// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nvcc's command line as clang's, by what nvcc 13 was seen to do with -dryrun: options take
// their value after '=' or as the next word, and only those of one letter take it joined.
#include "translate.h"
#include "words.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef enum gs_takes { TAKES_NONE, TAKES_VALUE, TAKES_LIST } gs_takes;

typedef enum gs_means {
  MEANS_DROP,
  MEANS_NO_COMPILE,
  MEANS_RELOCATABLE,
  MEANS_RELOCATABLE_IF,
  MEANS_PRE_INCLUDE,
  MEANS_DEFINE,
  MEANS_UNDEFINE,
  MEANS_INCLUDE,
  MEANS_SYSTEM,
  MEANS_HOST_COMPILER,
  MEANS_HOST_FLAGS,
  MEANS_DEVICE_DEBUG,
  MEANS_TEMPLATE_DEPTH,
  MEANS_NO_EXCEPTIONS,
  MEANS_LANGUAGE,
  MEANS_STANDARD,
  MEANS_RELAXED,
  MEANS_LAMBDA,
  MEANS_ARCH,
  MEANS_CODE,
  MEANS_GENERATE,
  MEANS_FAST_MATH,
  MEANS_STREAM,
  MEANS_OPTIONS_FILE
} gs_means;

typedef struct gs_nvcc_option {
  const char *long_name, *short_name;
  gs_takes takes;
  gs_means means;
} gs_nvcc_option;

static const gs_nvcc_option options[] = {
#define NVCC_OPTION(long_name, short_name, takes, means)                                           \
  {long_name, short_name, TAKES_##takes, MEANS_##means},
#include "nvcc_options.def"
};
enum { OPTIONS = sizeof options / sizeof *options, DEPTH = 8 };

/// Letters whose value may follow at once.
static const char joined[] = "IDULlOtm";

typedef struct gs_reader {
  gs_mem *mem;
  const gs_call *call;
  gs_compile *out;
  gs_list words;          ///< of the whole call, option files still to be read
  gs_list host;           ///< flags for the host compiler
  const char *language;   ///< of -x, or NULL
  const char *arch;       ///< of -arch, or NULL
  gs_list codes;          ///< of -code
  const char *standard;
  const char *host_compiler;
  bool compiles;
} gs_reader;

static void fail(gs_reader *r, const char *problem) {
  if (!r->out->problem)
    r->out->problem = problem;
}

/// Replaces --options-file by what is in it. \returns false when a file cannot be read.
static void expand(gs_reader *r, const gs_list *words, int depth) {
  for (size_t i = 0; i < words->count; i++) {
    const char *word = words->items[i], *value = NULL;
    static const char *const names[] = {"--options-file", "-options-file", "-optf", "--optf"};
    for (size_t n = 0; n < sizeof names / sizeof *names && !value; n++) {
      size_t length = strlen(names[n]);
      if (!strcmp(word, names[n]))
        value = i + 1 < words->count ? words->items[++i] : "";
      else if (gs_starts_with(word, names[n]) && word[length] == '=')
        value = word + length + 1;
    }
    if (!value) {
      gs_list_add(r->mem, &r->words, word);
      continue;
    }
    gs_list files = {0};
    gs_words_split_list(r->mem, value, &files);
    for (size_t f = 0; f < files.count; f++) {
      const char *path = gs_words_path(r->mem, r->call->directory, files.items[f]);
      const char *text = depth < DEPTH ? gs_words_read_file(r->mem, path) : NULL;
      gs_list more = {0};
      if (!text) {
        fail(r, gs_mem_printf(r->mem, "the option file '%s' cannot be read", files.items[f]));
        continue;
      }
      gs_words_split(r->mem, text, &more);
      expand(r, &more, depth + 1);
    }
  }
}

static const gs_nvcc_option *find(const char *name, size_t length) {
  for (size_t i = 0; i < OPTIONS; i++)
    if ((strlen(options[i].long_name) == length && !memcmp(options[i].long_name, name, length)) ||
        (strlen(options[i].short_name) == length && !memcmp(options[i].short_name, name, length)))
      return &options[i];
  return NULL;
}

/// The option of `word` and the value that is joined to it (else NULL).
static const gs_nvcc_option *recognise(const char *word, const char **value) {
  const char *name = word + (word[1] == '-' ? 2 : 1);
  size_t length = strcspn(name, "=");
  const gs_nvcc_option *option = find(name, length);
  *value = NULL;
  if (option && name[length] == '=')
    *value = name + length + 1;
  if (option || word[1] == '-' || !strchr(joined, word[1]))
    return option;
  *value = word + 2 + (word[2] == '=');
  return find(word + 1, 1);
}

/// "compute_80", "sm_90a", "lto_80" -> "sm_80", ...
static bool add_arch(gs_reader *r, const char *name) {
  const char *digits = strchr(name, '_');
  if (!digits || digits[1] < '0' || digits[1] > '9')
    return false;
  gs_translate_add_arch(r->mem, r->out, gs_mem_printf(r->mem, "sm_%s", digits + 1));
  return true;
}

/// -gencode arch=compute_80,code=[sm_80,compute_80]: the body is compiled for arch.
static void generate(gs_reader *r, const char *value) {
  const char *arch = strstr(value, "arch=");
  size_t length = arch ? strcspn(arch + 5, ",") : 0;
  if (!arch || !add_arch(r, gs_mem_printf(r->mem, "%.*s", (int)length, arch + 5)))
    fail(r, gs_mem_printf(r->mem, "-gencode '%s' names no architecture", value));
}

static void add_each(gs_reader *r, const char *flag, const char *value, bool apart) {
  gs_list parts = {0};
  gs_words_split_list(r->mem, value, &parts);
  for (size_t i = 0; i < parts.count; i++) {
    if (apart) {
      gs_list_add(r->mem, &r->out->flags, flag);
      gs_list_add(r->mem, &r->out->flags, parts.items[i]);
    } else {
      gs_list_addf(r->mem, &r->out->flags, "%s%s", flag, parts.items[i]);
    }
  }
}

/// nvcc pastes each part into the host compiler's line, which a shell cuts again.
static void host_flags(gs_reader *r, const char *value) {
  gs_list parts = {0};
  gs_words_split_list(r->mem, value, &parts);
  for (size_t i = 0; i < parts.count; i++)
    gs_words_split(r->mem, parts.items[i], &r->host);
}

static void per_thread_stream(gs_reader *r, const char *value) {
  if (!strcmp(value, "per-thread"))
    gs_list_add(r->mem, &r->out->flags, "-fgpu-default-stream=per-thread");
}

static void apply(gs_reader *r, gs_means means, const char *value) {
  gs_list *flags = &r->out->flags;
  switch (means) {
  case MEANS_DROP:
  case MEANS_OPTIONS_FILE:
    return;
  case MEANS_NO_COMPILE:
    r->compiles = false;
    return;
  case MEANS_RELOCATABLE_IF:
    if (strcmp(value, "true"))
      return;
    gs_list_add(r->mem, flags, "-fgpu-rdc");
    return;
  case MEANS_RELOCATABLE:
    gs_list_add(r->mem, flags, "-fgpu-rdc");
    return;
  case MEANS_PRE_INCLUDE:
    add_each(r, "-include", value, true);
    return;
  case MEANS_DEFINE:
    add_each(r, "-D", value, false);
    return;
  case MEANS_UNDEFINE:
    add_each(r, "-U", value, false);
    return;
  case MEANS_INCLUDE:
    add_each(r, "-I", value, false);
    return;
  case MEANS_SYSTEM:
    add_each(r, "-isystem", value, true);
    return;
  case MEANS_HOST_COMPILER:
    r->host_compiler = value;
    return;
  case MEANS_HOST_FLAGS:
    host_flags(r, value);
    return;
  case MEANS_DEVICE_DEBUG:
    gs_list_add(r->mem, flags, "-D__CUDACC_DEBUG__=1");
    return;
  case MEANS_TEMPLATE_DEPTH:
    gs_list_addf(r->mem, flags, "-ftemplate-depth=%s", value);
    return;
  case MEANS_NO_EXCEPTIONS:
    gs_list_add(r->mem, flags, "-fno-exceptions");
    return;
  case MEANS_LANGUAGE:
    r->language = value;
    return;
  case MEANS_STANDARD:
    r->standard = value;
    return;
  case MEANS_RELAXED:
    gs_list_add(r->mem, flags, "-D__CUDACC_RELAXED_CONSTEXPR__=1");
    return;
  case MEANS_LAMBDA:
    gs_list_add(r->mem, flags, "-D__CUDACC_EXTENDED_LAMBDA__=1");
    return;
  case MEANS_ARCH:
    r->arch = value;
    return;
  case MEANS_CODE:
    gs_words_split_list(r->mem, value, &r->codes);
    return;
  case MEANS_GENERATE:
    generate(r, value);
    return;
  case MEANS_FAST_MATH:
    gs_list_add(r->mem, flags, "-ffast-math");
    return;
  case MEANS_STREAM:
    per_thread_stream(r, value);
    return;
  }
}

static void read_words(gs_reader *r) {
  // -x counts for all inputs, wherever it stands: first the options, then the files.
  gs_list inputs = {0};
  for (size_t i = 0; i < r->words.count; i++) {
    const char *word = r->words.items[i], *value;
    if (word[0] != '-' || !word[1]) {
      gs_list_add(r->mem, &inputs, word);
      continue;
    }
    const gs_nvcc_option *option = recognise(word, &value);
    if (!option) { // --forward-unknown-to-host-compiler, or nvcc refuses it anyway
      gs_list_add(r->mem, &r->host, word);
      continue;
    }
    if (option->takes != TAKES_NONE && !value && i + 1 < r->words.count)
      value = r->words.items[++i];
    apply(r, option->means, value ? value : "");
  }
  if (!r->compiles)
    return;
  bool is_cuda = r->language && !strcmp(r->language, "cu");
  for (size_t i = 0; i < inputs.count; i++)
    if (is_cuda || (!r->language && gs_ends_with(inputs.items[i], ".cu")))
      gs_translate_add_file(r->mem, r->out, inputs.items[i], is_cuda);
}

static bool is_file(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

/// The toolkit that the called nvcc belongs to, when it lies in one.
static void find_toolkit(gs_reader *r) {
  const char *path = r->call->compiler, *base = gs_words_base(path);
  if (base == path)
    return;
  const char *top = gs_mem_printf(r->mem, "%.*s..", (int)(base - path), path);
  char *real = realpath(top, NULL);
  if (!real)
    return;
  top = gs_mem_copy(r->mem, real);
  free(real);
  if (is_file(gs_mem_printf(r->mem, "%s/include/cuda_runtime.h", top)))
    r->out->cuda_path = top;
}

/// CUDA_VERSION of a toolkit, e.g. 13000; 0 when unknown.
static int toolkit_version(gs_reader *r) {
  if (!r->out->cuda_path)
    return 0;
  const char *text =
      gs_words_read_file(r->mem, gs_mem_printf(r->mem, "%s/include/cuda.h", r->out->cuda_path));
  const char *line = text ? strstr(text, "#define CUDA_VERSION ") : NULL;
  return line ? atoi(line + strlen("#define CUDA_VERSION ")) : 0;
}

static void choose_archs(gs_reader *r, int version) {
  if (r->arch && gs_starts_with(r->arch, "all"))
    gs_list_addf(r->mem, &r->out->remarks, "-arch=%s: read for the default architecture alone",
                 r->arch);
  else if (r->arch && !strcmp(r->arch, "native"))
    gs_list_add(r->mem, &r->out->remarks,
                "-arch=native: read for the default architecture, whatever is in this machine");
  else if (r->arch && !add_arch(r, r->arch))
    fail(r, gs_mem_printf(r->mem, "'%s' is no architecture", r->arch));
  for (size_t i = 0; i < r->codes.count && !r->arch && !r->out->archs.count; i++)
    add_arch(r, r->codes.items[i]);
  if (!r->arch && !r->out->archs.count && version)
    gs_translate_add_arch(r->mem, r->out, version >= 13000 ? "sm_75" : "sm_52");
}

/// CUDA 13's headers want C++17, which is clang's and nvcc's default.
static void choose_standard(gs_reader *r, int version) {
  if (!r->standard || !gs_starts_with(r->standard, "c++"))
    return;
  bool old = !strcmp(r->standard, "c++03") || !strcmp(r->standard, "c++11") ||
             !strcmp(r->standard, "c++14");
  if (old && (version >= 13000 || !version))
    gs_list_addf(r->mem, &r->out->remarks, "-std=%s: read as C++17", r->standard);
  else
    gs_list_addf(r->mem, &r->out->flags, "-std=%s", r->standard);
}

/// The standard library that -ccbin chooses: that of the GCC it names.
static void choose_library(gs_reader *r) {
  if (!r->host_compiler)
    return;
  const char *name = r->host_compiler;
  struct stat info;
  const char *path = strchr(name, '/') ? gs_words_path(r->mem, r->call->directory, name) : name;
  if (strchr(name, '/') && stat(path, &info) == 0 && S_ISDIR(info.st_mode))
    path = gs_mem_printf(r->mem, "%s/g++", path);
  if (strstr(gs_words_base(path), "clang"))
    return; // takes the library that our clang takes
  gs_list argv = {0};
  gs_list_add(r->mem, &argv, path);
  gs_list_add(r->mem, &argv, "-print-libgcc-file-name");
  const char *library = gs_translate_ask(r->mem, &argv);
  const char *base = library ? gs_words_base(library) : NULL;
  if (!base || base == library || !strstr(library, "/gcc/")) {
    gs_list_addf(r->mem, &r->out->remarks, "-ccbin %s: its standard library is not known", name);
    return;
  }
  gs_list_addf(r->mem, &r->out->flags, "--gcc-install-dir=%.*s", (int)(base - library - 1),
               library);
}

void gs_translate_nvcc(gs_mem *mem, const gs_call *call, gs_compile *out) {
  gs_reader r = {.mem = mem, .call = call, .out = out, .compiles = true};
  gs_list words = {0}, tail = {0};
  gs_words_split(mem, call->prepend, &words);
  for (size_t i = 1; i < call->argv.count; i++)
    gs_list_add(mem, &words, call->argv.items[i]);
  gs_words_split(mem, call->append, &tail);
  gs_list_add_all(mem, &words, &tail);
  expand(&r, &words, 0);
  read_words(&r);
  if (!out->file_count)
    return;
  gs_translate_host_flags(mem, &r.host, out);
  find_toolkit(&r);
  int version = toolkit_version(&r);
  choose_archs(&r, version);
  choose_standard(&r, version);
  choose_library(&r);
}
