// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What all parts of the gpusafe command share: exit codes, messages, and the
/// shape of a subcommand.
#ifndef GS_TOOL_H
#define GS_TOOL_H

#include "mem.h"

/// Exit codes; when several inputs end differently the largest wins.
enum {
  GS_EXIT_OK = 0,      ///< proved, or nothing found
  GS_EXIT_FINDINGS = 1,
  GS_EXIT_INPUT = 2,   ///< usage or input error
  GS_EXIT_INTERNAL = 3 ///< clang or gpusafe failed
};

/// A subcommand: a row of the table in main.c.
typedef struct gs_command {
  const char *name;
  const char *summary; ///< one line, for --help
  int (*run)(gs_mem *mem, int argc, char **argv); ///< argv[0] is the subcommand
} gs_command;

int gs_check_main(gs_mem *mem, int argc, char **argv);
int gs_replay_main(gs_mem *mem, int argc, char **argv);
int gs_emit_main(gs_mem *mem, int argc, char **argv);
int gs_scan_main(gs_mem *mem, int argc, char **argv);
int gs_convert_main(gs_mem *mem, int argc, char **argv);
int gs_explain_main(gs_mem *mem, int argc, char **argv);
int gs_doctor_main(gs_mem *mem, int argc, char **argv);
int gs_annotate_main(gs_mem *mem, int argc, char **argv);
int gs_config_main(gs_mem *mem, int argc, char **argv);

/// Prints the version, and what this build was made from and for.
void gs_print_version(void);

/// Prints "gpusafe: error: ..." to stderr. \returns `code`, to be returned on.
int gs_fail(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));
/// Prints "gpusafe: note: ..." to stderr.
void gs_remark(const char *format, ...) __attribute__((format(printf, 1, 2)));

/// \returns the candidate that is nearest to `word` when it is near enough to
/// be a slip of the fingers, else NULL. `candidates` ends with NULL.
const char *gs_nearest(const char *word, const char *const *candidates);

#endif
