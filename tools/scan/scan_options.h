// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The command lines of `gpusafe scan` and `gpusafe report`.
#ifndef GS_SCAN_OPTIONS_H
#define GS_SCAN_OPTIONS_H

#include "policy.h"
#include "render.h"
#include "tool.h"

typedef struct gs_scan_options {
  const char *outputs[GS_FORMATS]; ///< files, "-" for standard output; NULL: not asked for
  const char *build_folder;        ///< scan: of -p; NULL: a command is run
  const char *baseline, *write_baseline, *suppressions, *root;
  const char *arch, *cuda_path;
  const char *host_rules; ///< "on", "all" or "off"
  unsigned fail_on;
  size_t jobs;
  gs_list only, skip;
  gs_list check;   ///< scan: options that go to `gpusafe check` as they are
  gs_list command; ///< scan: after `--`
  gs_list files;   ///< report: the inputs
  gs_format format; ///< report: of --format; GS_FORMATS: not given
  const char *output; ///< report: of --output
  bool quiet, verbose;
} gs_scan_options;

/// Parses either command line (argv[0] is "scan" or "report"). Prints a message when it is
/// wrong, or the help. \returns true to go on; else *exit_code says how the tool ends.
bool gs_scan_options_parse(gs_mem *mem, int argc, char **argv, gs_scan_options *out,
                           int *exit_code);

/// Applies baseline and suppressions to a report and writes what the options ask for.
/// \param sources NULL: comments in sources are not looked for.
/// \returns the exit code.
int gs_scan_publish(gs_mem *mem, const gs_scan_options *options, gs_sources *sources,
                    json_t *report);

#endif
