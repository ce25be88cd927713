// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `gpusafe emit-contracts`: the contracts of one source as C, for kernels that another
// compiler makes. clang and the plugin do it; this runs them.
#include "child.h"
#include "command_line.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int usage(void) {
  fputs("usage: gpusafe emit-contracts [options] FILE.cu [-o FILE.c] [-- clang flags]\n\n"
        "Proves FILE.cu and writes its kernels' contracts as C (default: FILE.contracts.c, here).\n"
        "Compile that and link it with what nvcc makes of FILE.cu, with libgpusafe_cuda.a, with\n"
        "libgpusafe_rt, and with the --wrap options that `gpusafe config --wrap` prints.\n\n"
        "options:\n"
        "  -o FILE          write to FILE\n"
        "  --arch=LIST      as for `gpusafe check`, like the next six\n"
        "  --assume=CLAUSE  a clause that holds of every launch; repeatable\n"
        "  --strict         make none of the default assumptions\n"
        "  --verify         treat every kernel as a claim\n"
        "  --rules=LIST     rules to check\n"
        "  --color[=WHEN]   auto (default), always or never\n"
        "  --cuda-path=DIR  CUDA toolkit\n"
        "  --help           print this text\n\n"
        "exit code: 0 written, 2 usage error, errors in the source or claims that are not proved,\n"
        "3 internal error.\n",
        stdout);
  return GS_EXIT_OK;
}

/// Takes `-o FILE` out of the arguments before `--`.
/// \returns false when the name is missing.
static bool take_output(int *argc, char **argv, const char **output) {
  int kept = 1, i = 1;
  for (; i < *argc && strcmp(argv[i], "--") != 0; i++) {
    if (strcmp(argv[i], "-o") != 0) {
      argv[kept++] = argv[i];
    } else if (i + 1 == *argc || !strcmp(argv[i + 1], "--")) {
      gs_fail(GS_EXIT_INPUT, "-o needs the name of a file");
      return false;
    } else {
      *output = argv[++i];
    }
  }
  for (; i < *argc; i++)
    argv[kept++] = argv[i];
  *argc = kept;
  return true;
}

static const char *default_output(gs_mem *mem, const char *file) {
  const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file;
  const char *dot = strrchr(base, '.');
  int length = (int)(dot && dot != base ? (size_t)(dot - base) : strlen(base));
  return gs_mem_printf(mem, "%.*s.contracts.c", length, base);
}

/// What these options and files are not for.
static const char *problem_of(const gs_check_options *options) {
  if (options->files.count != 1)
    return "emit-contracts takes one file";
  if (gs_input_kind_of(options->files.items[0]) != GS_INPUT_CUDA)
    return "emit-contracts takes a CUDA source";
  if (options->ptx || options->json || options->dump || options->stats || options->quiet ||
      options->block || options->grid)
    return "emit-contracts writes contracts only; see 'gpusafe emit-contracts --help'";
  if (access(options->files.items[0], R_OK) != 0)
    return "the file cannot be read";
  return NULL;
}

static int run_clang(const gs_run *run) {
  const char *file = run->options->files.items[0];
  gs_list argv = {0};
  gs_child child;
  gs_command_line_clang(run, file, NULL, NULL, &argv);
  gs_child_run(run->mem, &argv, &child);
  if (child.error)
    return gs_fail(GS_EXIT_INTERNAL, "cannot run '%s': %s", argv.items[0], strerror(child.error));
  fputs(child.errors, stderr);
  if (child.signal || child.exit_code > 1)
    return gs_fail(GS_EXIT_INTERNAL, "%s: '%s' broke down", file, argv.items[0]);
  if (child.exit_code && !child.errors[strspn(child.errors, " \n")])
    return gs_fail(GS_EXIT_INTERNAL, "'%s' failed and did not say why; is it clang %s?",
                   argv.items[0], GPUSAFE_LLVM_VERSION);
  if (child.exit_code)
    return gs_fail(GS_EXIT_INPUT, "%s: no contracts are written", file);
  return GS_EXIT_OK;
}

int gs_emit_main(gs_mem *mem, int argc, char **argv) {
  gs_check_options options;
  gs_toolchain tools = {0};
  const char *output = NULL;
  int code;
  for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
    if (!strcmp(argv[i], "--help"))
      return usage();
  if (!take_output(&argc, argv, &output))
    return GS_EXIT_INPUT;
  if (!gs_check_options_parse(mem, argc, argv, &options, &code))
    return code;
  const char *problem = problem_of(&options);
  if (problem)
    return gs_fail(GS_EXIT_INPUT, "%s", problem);
  options.contracts = output ? output : default_output(mem, options.files.items[0]);
  code = gs_discover_clang(mem, options.cuda_path, &tools);
  if (code != GS_EXIT_OK)
    return code;
  gs_run run = {.mem = mem, .options = &options, .tools = &tools};
  run.color = options.color == GS_COLOR_ALWAYS ||
              (options.color == GS_COLOR_AUTO && isatty(STDERR_FILENO));
  return run_clang(&run);
}
