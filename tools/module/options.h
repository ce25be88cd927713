// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The command line that gpusafe-module and gpusafe-text share, and their report.
#ifndef GS_MODULE_OPTIONS_H
#define GS_MODULE_OPTIONS_H

#include "../tool.h"
#include "gs.h"

typedef struct gs_module_options {
  const char *file;
  const char *report; ///< file to write; NULL when dumping
  const char *replay; ///< request (replay_request.h); NULL: this is a check
  const char *descriptions; ///< text form that says what the source does of the kernels
  uint32_t attack;    ///< launches to try for each proved kernel; 0: this is a check
  uint64_t seed;      ///< of them
  bool dump;          ///< print the kernels in their text form, check nothing
  const char *arch;   ///< NULL: as the module says
  gs_list facts;      ///< clauses from --block and --grid
  gs_list assumes;    ///< clauses from --assume
  gs_options core;
} gs_module_options;

/// Parses the command line. Prints a message when it is wrong.
/// \returns an exit code.
int gs_module_options_parse(gs_mem *mem, int argc, char **argv, gs_module_options *out);

/// Writes the report to options->report. Prints a message on failure.
/// \returns an exit code.
int gs_module_write_report(const gs_module_options *options, const gs_report *report);

/// Prints the text of a dump, which is freed, to standard output. \returns an exit code.
int gs_module_print_dump(char *text);

/// Exit code of both programs when the input is wrong; 0 when a report was written, 3 when
/// something broke. The messages are on standard error.
enum { GS_INPUT_IS_WRONG = 1 };

#endif
