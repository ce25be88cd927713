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

/// First of the candidates, relative to the tool's folder, that is a file.
static const char *beside(gs_mem *mem, const char *const *candidates) {
  const char *folder = own_folder(mem);
  for (; *candidates; candidates++) {
    const char *path = gs_mem_printf(mem, "%s/%s", folder, *candidates);
    if (is_file(path))
      return path;
  }
  return NULL;
}

/// Looks a program up on PATH, or takes it as a path when it has a slash.
static const char *find_program(gs_mem *mem, const char *name) {
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

static int find_clang(gs_mem *mem, gs_toolchain *out) {
  const char *named = getenv("GPUSAFE_CLANG");
  if (named && *named) {
    out->clang = find_program(mem, named);
    if (!out->clang)
      return gs_fail(GS_EXIT_INPUT, "GPUSAFE_CLANG names '%s', which is no program", named);
    return GS_EXIT_OK;
  }
  const char *const names[] = {"clang-" GPUSAFE_LLVM_VERSION,
                               "/usr/lib/llvm-" GPUSAFE_LLVM_VERSION "/bin/clang", "clang"};
  for (size_t i = 0; i < sizeof names / sizeof *names && !out->clang; i++)
    out->clang = find_program(mem, names[i]);
  if (!out->clang)
    return gs_fail(GS_EXIT_INTERNAL,
                   "no clang-" GPUSAFE_LLVM_VERSION " on PATH; install the package clang-"
                   GPUSAFE_LLVM_VERSION " or set GPUSAFE_CLANG to the compiler");
  return GS_EXIT_OK;
}

static int find_plugin(gs_mem *mem, gs_toolchain *out) {
  const char *const plugins[] = {"../lib/libgpusafe.so", "../" GPUSAFE_LIBDIR "/libgpusafe.so",
                                 NULL};
  const char *const headers[] = {"../include/gpusafe.h", NULL};
  out->plugin = beside(mem, plugins);
  if (!out->plugin)
    return gs_fail(GS_EXIT_INTERNAL,
                   "the clang plugin is missing: no %s/../lib/libgpusafe.so; build the target "
                   "'gpusafe', or install plugin and tool together",
                   own_folder(mem));
  const char *header = beside(mem, headers);
  if (!header)
    return gs_fail(GS_EXIT_INTERNAL, "gpusafe.h is missing: no %s/../include/gpusafe.h",
                   own_folder(mem));
  out->include = gs_mem_printf(mem, "%.*s", (int)(strlen(header) - strlen("/gpusafe.h")), header);
  return GS_EXIT_OK;
}

static bool is_toolkit(gs_mem *mem, const char *path) {
  return is_file(gs_mem_printf(mem, "%s/include/cuda_runtime.h", path));
}

static int find_cuda(gs_mem *mem, const char *named, gs_toolchain *out) {
  if (named && !strcmp(named, "none"))
    return GS_EXIT_OK;
  if (named) {
    if (!is_toolkit(mem, named))
      return gs_fail(GS_EXIT_INPUT,
                     "'%s' is no CUDA toolkit: it has no include/cuda_runtime.h; "
                     "'--cuda-path=none' uses the bundled minimal declarations",
                     named);
    out->cuda = named;
    return GS_EXIT_OK;
  }
  const char *const places[] = {getenv("CUDA_PATH"), getenv("CUDA_HOME"), "/usr/local/cuda",
                                "/usr/lib/cuda"};
  for (size_t i = 0; i < sizeof places / sizeof *places && !out->cuda; i++)
    if (places[i] && *places[i] && is_toolkit(mem, places[i]))
      out->cuda = places[i];
  return GS_EXIT_OK;
}

int gs_discover_clang(gs_mem *mem, const char *cuda_path, gs_toolchain *out) {
  int code = find_cuda(mem, cuda_path, out);
  if (code == GS_EXIT_OK)
    code = find_clang(mem, out);
  if (code == GS_EXIT_OK)
    code = find_plugin(mem, out);
  return code;
}

int gs_discover_module_tool(gs_mem *mem, gs_toolchain *out) {
  const char *const tools[] = {"gpusafe-module", "../libexec/gpusafe/gpusafe-module", NULL};
  out->module_tool = beside(mem, tools);
  if (!out->module_tool)
    return gs_fail(GS_EXIT_INTERNAL,
                   "gpusafe-module, which reads .ll and .bc files, is missing beside the tool");
  return GS_EXIT_OK;
}

int gs_discover_text_tool(gs_mem *mem, gs_toolchain *out) {
  const char *const tools[] = {"gpusafe-text", "../libexec/gpusafe/gpusafe-text", NULL};
  out->text_tool = beside(mem, tools);
  if (!out->text_tool)
    return gs_fail(GS_EXIT_INTERNAL,
                   "gpusafe-text, which reads .gs files, is missing beside the tool");
  return GS_EXIT_OK;
}

const char *gs_discover_commands_tool(gs_mem *mem) {
  const char *const tools[] = {"gpusafe-commands", "../libexec/gpusafe/gpusafe-commands", NULL};
  const char *tool = beside(mem, tools);
  if (!tool)
    gs_fail(GS_EXIT_INTERNAL,
            "gpusafe-commands, which reads compile_commands.json, is missing beside the tool");
  return tool;
}

const char *gs_discover_wrappers(gs_mem *mem) {
  struct stat info;
  const char *folder = gs_mem_printf(mem, "%s/../libexec/gpusafe/compilers", own_folder(mem));
  return stat(folder, &info) == 0 && S_ISDIR(info.st_mode) ? folder : NULL;
}
