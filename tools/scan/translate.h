// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What of a compiler's call is to be analysed, and with which flags of clang.
#ifndef GS_SCAN_TRANSLATE_H
#define GS_SCAN_TRANSLATE_H

#include "mem.h"

/// One call of a compiler, as the build made it.
typedef struct gs_call {
  const char *directory; ///< working directory, absolute
  const char *compiler;  ///< path of the program that was called; "" when unknown
  gs_list argv;          ///< argv[0] included
  const char *prepend;   ///< NVCC_PREPEND_FLAGS of the call, or ""
  const char *append;    ///< NVCC_APPEND_FLAGS
} gs_call;

/// One source of a call.
typedef struct gs_source_file {
  const char *name; ///< as the build wrote it
  bool foreign_name; ///< `-x cu` makes it CUDA, whatever its name ends in
} gs_source_file;

/// The CUDA sources of a call, and how to read them.
typedef struct gs_compile {
  const char *directory;
  gs_source_file *files;
  size_t file_count;
  gs_list archs;          ///< "sm_80"; empty: the tool's default
  gs_list flags;          ///< of clang
  const char *cuda_path;  ///< the toolkit of that nvcc, or NULL
  gs_list remarks;        ///< what could not be translated as it is
  const char *problem;    ///< the call cannot be read at all: why; else NULL
} gs_compile;

/// Translates a call of nvcc or clang. No files and no problem: there is no CUDA in it.
void gs_translate(gs_mem *mem, const gs_call *call, gs_compile *out);

// The two kinds, for gs_translate.
void gs_translate_nvcc(gs_mem *mem, const gs_call *call, gs_compile *out);
void gs_translate_clang(gs_mem *mem, const gs_call *call, gs_compile *out);

/// Flags of a host compiler that change how a source reads: -I, -D, -U, -include, -std,
/// -fopenmp and their like. All others are left out.
void gs_translate_host_flags(gs_mem *mem, const gs_list *words, gs_compile *out);

/// Adds a source; `by_language` when `-x` says that it is CUDA.
void gs_translate_add_file(gs_mem *mem, gs_compile *out, const char *name, bool by_language);

/// Adds an architecture once.
void gs_translate_add_arch(gs_mem *mem, gs_compile *out, const char *arch);

/// First line that a program prints; NULL when it fails.
const char *gs_translate_ask(gs_mem *mem, const gs_list *argv);

/// True for the names of programs that gs_translate knows: nvcc, clang, clang++-22.
bool gs_is_nvcc(const char *program);
bool gs_is_clang(const char *program);

#endif
