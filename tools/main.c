// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The gpusafe command: a table of subcommands.
#include "record.h"
#include "tool.h"

#include <stdio.h>
#include <string.h>

static const gs_command commands[] = {
    {"check", "prove the kernels of CUDA sources or LLVM modules, or show how they break",
     gs_check_main},
    {"annotate", "find the annotations under which kernels are proved, and write them", gs_annotate_main},
    {"scan", "analyse what a build compiles, and write reports", gs_scan_main},
    {"report", "make HTML, SARIF, plist or text of JSON reports", gs_convert_main},
    {"replay", "run a witness, or a launch by hand, and show what its threads do", gs_replay_main},
    {"explain", "print the page of a rule, or with --why what the proof of a kernel lacks", gs_explain_main},
    {"doctor", "look at everything that gpusafe stands on, and say what mends what is missing", gs_doctor_main},
    {"config", "print what a compiler's command line needs: flags, libraries, paths", gs_config_main},
    {"emit-contracts", "write contracts as C, for kernels that nvcc compiles", gs_emit_main},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static int usage(FILE *file, int code) {
  fputs("usage: gpusafe COMMAND [options]\n\ncommands:\n", file);
  for (size_t i = 0; i < COMMANDS; i++)
    fprintf(file, "  %-16s %s\n", commands[i].name, commands[i].summary);
  fputs("\n`gpusafe COMMAND --help` describes a command; `gpusafe --version` prints the version.\n",
        file);
  return code;
}

static int unknown(const char *word) {
  const char *names[COMMANDS + 1] = {NULL};
  for (size_t i = 0; i < COMMANDS; i++)
    names[i] = commands[i].name;
  const char *near = gs_nearest(word, names);
  if (gs_ends_with(word, ".cu") || gs_ends_with(word, ".ll") || gs_ends_with(word, ".bc"))
    return gs_fail(GS_EXIT_INPUT, "'%s' is not a command; did you mean 'gpusafe check %s'?", word,
                   word);
  if (near)
    return gs_fail(GS_EXIT_INPUT, "unknown command '%s'; did you mean '%s'?", word, near);
  return gs_fail(GS_EXIT_INPUT, "unknown command '%s'; see 'gpusafe --help'", word);
}

static int dispatch(gs_mem *mem, int argc, char **argv) {
  const char *word = argv[1];
  if (!strcmp(word, "--help") || !strcmp(word, "-h") || !strcmp(word, "help"))
    return usage(stdout, GS_EXIT_OK);
  if (!strcmp(word, "--version")) {
    gs_print_version();
    return GS_EXIT_OK;
  }
  for (size_t i = 0; i < COMMANDS; i++)
    if (!strcmp(word, commands[i].name))
      return commands[i].run(mem, argc - 1, argv + 1);
  return unknown(word);
}

/// Under the name of a compiler the tool stands in for it (scan/record.h).
static bool is_stand_in(const char *name) { return gs_is_nvcc(name) || gs_is_clang(name); }

int main(int argc, char **argv) {
  if (!argc || (argc < 2 && !is_stand_in(argv[0])))
    return usage(stderr, GS_EXIT_INPUT);
  gs_mem *mem = gs_mem_create();
  int code = is_stand_in(argv[0]) ? gs_compiler_main(mem, argc, argv) : dispatch(mem, argc, argv);
  gs_mem_free(mem);
  // A report that never reached its reader is not a success.
  if (fflush(stdout) != 0 || ferror(stdout))
    code = gs_fail(GS_EXIT_INTERNAL, "cannot write to standard output");
  return code;
}
