// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "discover.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_file(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

static bool is_program(const char *path) { return is_file(path) && access(path, X_OK) == 0; }

/// The folder that holds the running tool. Linux only, as the plugin is.
static const char *own_folder(gs_mem *mem) {
  size_t size = 4096;
  char *path = gs_mem_alloc(mem, size);
  ssize_t length = readlink("/proc/self/exe", path, size - 1);
  if (length <= 0)
    return ".";
  path[length] = '\0';
  char *slash = strrchr(path, '/');
  if (slash)
    *slash = '\0';
  return path;
}

/// A path relative to the tool's folder; "../" in front is resolved, for people to read.
static const char *relative(gs_mem *mem, const char *name) {
  const char *folder = own_folder(mem), *slash = strrchr(folder, '/');
  if (gs_starts_with(name, "../") && slash && slash != folder)
    return gs_mem_printf(mem, "%.*s/%s", (int)(slash - folder), folder, name + strlen("../"));
  return gs_mem_printf(mem, "%s/%s", folder, name);
}

/// First of the candidates, relative to the tool's folder, that is a file.
static const char *beside(gs_mem *mem, const char *const *candidates) {
  for (; *candidates; candidates++) {
    const char *path = relative(mem, *candidates);
    if (is_file(path))
      return path;
  }
  return NULL;
}

/// Looks a program up on PATH, or takes it as a path when it has a slash.
const char *gs_find_program(gs_mem *mem, const char *name) {
  if (strchr(name, '/'))
    return is_program(name) ? name : NULL;
  const char *path = getenv("PATH");
  while (path && *path) {
    size_t length = strcspn(path, ":");
    const char *candidate = length ? gs_mem_printf(mem, "%.*s/%s", (int)length, path, name)
                                   : gs_mem_printf(mem, "./%s", name);
    if (is_program(candidate))
      return candidate;
    path += length + (path[length] == ':');
  }
  return NULL;
}

const char *gs_find_clang(gs_mem *mem, gs_toolchain *out, int *code) {
  const char *named = getenv("GPUSAFE_CLANG");
  if (named && *named) {
    out->clang = gs_find_program(mem, named);
    *code = GS_EXIT_INPUT;
    return out->clang ? NULL
                      : gs_mem_printf(mem, "GPUSAFE_CLANG names '%s', which is no program", named);
  }
  const char *const names[] = {"clang-" GPUSAFE_LLVM_VERSION,
                               "/usr/lib/llvm-" GPUSAFE_LLVM_VERSION "/bin/clang", "clang"};
  for (size_t i = 0; i < sizeof names / sizeof *names && !out->clang; i++)
    out->clang = gs_find_program(mem, names[i]);
  *code = GS_EXIT_INTERNAL;
  return out->clang ? NULL
                    : "no clang-" GPUSAFE_LLVM_VERSION " on PATH; install the package clang-"
                      GPUSAFE_LLVM_VERSION " or set GPUSAFE_CLANG to the compiler";
}

const char *gs_find_plugin(gs_mem *mem, gs_toolchain *out) {
  const char *const plugins[] = {"../lib/libgpusafe.so", "../" GPUSAFE_LIBDIR "/libgpusafe.so",
                                 NULL};
  const char *const headers[] = {"../include/gpusafe.h", NULL};
  out->plugin = beside(mem, plugins);
  if (!out->plugin)
    return gs_mem_printf(mem,
                         "the clang plugin is missing: no %s; build the target "
                         "'gpusafe', or install plugin and tool together",
                         relative(mem, plugins[0]));
  const char *header = beside(mem, headers);
  if (!header)
    return gs_mem_printf(mem, "gpusafe.h is missing: no %s", relative(mem, headers[0]));
  out->include = gs_mem_printf(mem, "%.*s", (int)(strlen(header) - strlen("/gpusafe.h")), header);
  return NULL;
}

const char *gs_find_runtime(gs_mem *mem) {
  const char *const libraries[] = {"../lib/libgpusafe_cuda.a",
                                   "../" GPUSAFE_LIBDIR "/libgpusafe_cuda.a",
                                   "../runtime/libgpusafe_cuda.a", NULL};
  const char *found = beside(mem, libraries);
  return found ? gs_mem_printf(mem, "%.*s", (int)(strrchr(found, '/') - found), found) : NULL;
}

static bool is_toolkit(gs_mem *mem, const char *path) {
  return is_file(gs_mem_printf(mem, "%s/include/cuda_runtime.h", path));
}

const char *gs_find_cuda(gs_mem *mem, const char *named, gs_toolchain *out) {
  if (named && !strcmp(named, "none"))
    return NULL;
  if (named) {
    if (!is_toolkit(mem, named))
      return gs_mem_printf(mem,
                           "'%s' is no CUDA toolkit: it has no include/cuda_runtime.h; "
                           "'--cuda-path=none' uses the bundled minimal declarations",
                           named);
    out->cuda = named;
    return NULL;
  }
  const char *const places[] = {getenv("CUDA_PATH"), getenv("CUDA_HOME"), "/usr/local/cuda",
                                "/usr/lib/cuda"};
  for (size_t i = 0; i < sizeof places / sizeof *places && !out->cuda; i++)
    if (places[i] && *places[i] && is_toolkit(mem, places[i]))
      out->cuda = places[i];
  return NULL;
}

int gs_discover_clang(gs_mem *mem, const char *cuda_path, gs_toolchain *out) {
  int code = GS_EXIT_INPUT;
  const char *problem = gs_find_cuda(mem, cuda_path, out);
  if (!problem)
    problem = gs_find_clang(mem, out, &code);
  if (!problem) {
    code = GS_EXIT_INTERNAL;
    problem = gs_find_plugin(mem, out);
  }
  return problem ? gs_fail(code, "%s", problem) : GS_EXIT_OK;
}

const char *gs_find_part(gs_mem *mem, const char *name) {
  const char *const tools[] = {name, gs_mem_printf(mem, "../libexec/gpusafe/%s", name), NULL};
  return beside(mem, tools);
}

int gs_discover_module_tool(gs_mem *mem, gs_toolchain *out) {
  out->module_tool = gs_find_part(mem, "gpusafe-module");
  if (!out->module_tool)
    return gs_fail(GS_EXIT_INTERNAL,
                   "gpusafe-module, which reads .ll and .bc files, is missing beside the tool");
  return GS_EXIT_OK;
}

int gs_discover_text_tool(gs_mem *mem, gs_toolchain *out) {
  out->text_tool = gs_find_part(mem, "gpusafe-text");
  if (!out->text_tool)
    return gs_fail(GS_EXIT_INTERNAL,
                   "gpusafe-text, which reads .gs files, is missing beside the tool");
  return GS_EXIT_OK;
}

const char *gs_discover_commands_tool(gs_mem *mem) {
  const char *tool = gs_find_part(mem, "gpusafe-commands");
  if (!tool)
    gs_fail(GS_EXIT_INTERNAL,
            "gpusafe-commands, which reads compile_commands.json, is missing beside the tool");
  return tool;
}

const char *gs_discover_wrappers(gs_mem *mem) {
  struct stat info;
  const char *folder = relative(mem, "../libexec/gpusafe/compilers");
  return stat(folder, &info) == 0 && S_ISDIR(info.st_mode) ? folder : NULL;
}
