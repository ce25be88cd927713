// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Finds what the tool runs: clang, the plugin, the headers, the CUDA toolkit.
///
/// The pieces of gpusafe lie relative to the tool, in a build tree as in an
/// installation: bin/gpusafe, lib/libgpusafe.so, include/gpusafe.h.
#ifndef GS_DISCOVER_H
#define GS_DISCOVER_H

#include "tool.h"

typedef struct gs_toolchain {
  const char *clang;      ///< path of the compiler
  const char *plugin;     ///< path of libgpusafe.so
  const char *include;    ///< folder of gpusafe.h and the minimal declarations
  const char *cuda;       ///< CUDA toolkit; NULL: none, use the declarations
  const char *module_tool; ///< path of gpusafe-module, which reads .ll and .bc
  const char *text_tool;   ///< path of gpusafe-text, which reads .gs
} gs_toolchain;

/// Finds clang, plugin, headers and toolkit. Prints a message on failure.
/// \param cuda_path what the user named, "none", or NULL.
/// \returns GS_EXIT_OK, GS_EXIT_INPUT when what the user named is not there,
/// GS_EXIT_INTERNAL when a part of the installation is missing.
int gs_discover_clang(gs_mem *mem, const char *cuda_path, gs_toolchain *out);

/// Each looks for one part and prints nothing. \returns NULL, or what is wrong and what helps.
/// \param code receives the exit code that it means
const char *gs_find_clang(gs_mem *mem, gs_toolchain *out, int *code);
const char *gs_find_plugin(gs_mem *mem, gs_toolchain *out);
/// None is found, and that is no problem, where nobody named one.
const char *gs_find_cuda(gs_mem *mem, const char *named, gs_toolchain *out);

/// Looks a program up on PATH, or takes it as a path when it has a slash. \returns NULL: none.
const char *gs_find_program(gs_mem *mem, const char *name);
/// The folder of libgpusafe_cuda.a and libgpusafe_rt. \returns NULL when it is missing.
const char *gs_find_runtime(gs_mem *mem);

/// A helper program of the tool, by its name. \returns NULL when it is missing.
const char *gs_find_part(gs_mem *mem, const char *name);

/// Finds gpusafe-module only. \returns as above.
int gs_discover_module_tool(gs_mem *mem, gs_toolchain *out);

/// Finds gpusafe-text only. \returns as above.
int gs_discover_text_tool(gs_mem *mem, gs_toolchain *out);

/// Finds gpusafe-commands, which reads compile_commands.json. \returns NULL with a message.
const char *gs_discover_commands_tool(gs_mem *mem);

/// The folder whose subfolders each hold one program that stands in for a compiler of that
/// name while a build is watched. \returns NULL when it is missing.
const char *gs_discover_wrappers(gs_mem *mem);

#endif
