// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The command line of `gpusafe check`.
#ifndef GS_CHECK_OPTIONS_H
#define GS_CHECK_OPTIONS_H

#include "tool.h"

typedef enum gs_color { GS_COLOR_AUTO, GS_COLOR_ALWAYS, GS_COLOR_NEVER } gs_color;

/// Whose CUDA the sources are written in, where the toolkit's headers are used.
typedef enum gs_dialect {
  GS_DIALECT_AUTO, ///< nvcc's, unless PTX is made
  GS_DIALECT_NVCC,
  GS_DIALECT_CLANG
} gs_dialect;

typedef struct gs_check_options {
  gs_list files;
  gs_list clang_flags; ///< after `--`, without the architectures
  gs_list archs;       ///< at least one; no duplicates
  bool archs_given;    ///< false: archs is the default
  gs_list assumes;
  const char *block;     ///< NULL: not given; also the next four
  const char *grid;
  const char *rules;
  const char *cuda_path; ///< from --cuda-path here or among the clang flags
  const char *contracts; ///< emit-contracts: the C file; NULL: this is a check
  const char *module;    ///< write the LLVM module of the kernels there; NULL: this is a check
  const char *annotate;  ///< write proposals of annotations there; NULL: this is a check
  const char *overlay;   ///< files that clang reads in place of others (-ivfsoverlay); NULL: none
  const char *bundle;    ///< folder (bundle.h); NULL: none
  const char *ptx_file;  ///< "-" is standard output
  const char *json_file; ///< "-" is standard output
  const char *same_value; ///< level; NULL = the default
  bool ptx, json;        ///< asked for, with or without a file
  bool verify, strict, stats, quiet, no_times;
  bool dump; ///< print the text form of the kernels, check nothing
  gs_color color;
  const char *host_rules; ///< "on" or "all"; NULL: none
  gs_dialect dialect;
} gs_check_options;

/// Parses the command line. Prints a message when it is wrong, or the text
/// that --help or --version ask for.
/// \returns true to go on; else *exit_code says how the tool ends.
bool gs_check_options_parse(gs_mem *mem, int argc, char **argv, gs_check_options *out,
                            int *exit_code);

#endif
