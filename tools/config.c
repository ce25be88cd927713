// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `gpusafe config`: what a command line or a build system needs to know of this installation.
#include "discover.h"

#include <stdio.h>
#include <string.h>

static int usage(void) {
  fputs("usage: gpusafe config OPTION...\n\n"
        "Prints, one line for each option, what a compiler's command line needs:\n\n"
        "  clang++-" GPUSAFE_LLVM_VERSION " -x cuda --cuda-gpu-arch=sm_90 $(gpusafe config --cflags) k.cu \\\n"
        "    $(gpusafe config --libs) -lcudart_static -ldl -lrt -lpthread\n\n"
        "options:\n"
        "  --cflags      -fplugin= and the folder of gpusafe.h\n"
        "  --libs        the runtime that checks launches; stands in front of CUDA's\n"
        "  --plugin      path of libgpusafe.so\n"
        "  --include     folder of gpusafe.h\n"
        "  --libdir      folder of the runtime's libraries\n"
        "  --clang       the clang that gpusafe runs\n"
        "  --cuda        the CUDA toolkit that it uses; an empty line when there is none\n"
        "  --wrap        for the linker, where nvcc compiles the launches\n"
        "  --version     the version, as 'gpusafe --version'\n"
        "  --help        print this text\n\n"
        "exit code: 0; 2 usage error; 3 a part of the installation is missing.\n",
        stdout);
  return GS_EXIT_OK;
}

static const char wraps[] =
    "-Xlinker --wrap=cudaLaunchKernel,--wrap=cudaLaunchCooperativeKernel,"
    "--wrap=cudaLaunchKernelExC,--wrap=__cudaLaunchKernel,--wrap=cudaGetKernel,"
    "--wrap=__cudaGetKernel";

/// \returns the line for one option; NULL when there is no such option.
static const char *line_of(gs_mem *mem, const char *option, const gs_toolchain *tools) {
  const char *libdir = gs_find_runtime(mem);
  if (!strcmp(option, "--cflags"))
    return gs_mem_printf(mem, "-fplugin=%s -I%s", tools->plugin, tools->include);
  if (!strcmp(option, "--libs"))
    return libdir ? gs_mem_printf(mem, "-L%s -lgpusafe_cuda -l:libgpusafe_rt.a", libdir) : "";
  if (!strcmp(option, "--plugin"))
    return tools->plugin;
  if (!strcmp(option, "--include"))
    return tools->include;
  if (!strcmp(option, "--libdir"))
    return libdir ? libdir : "";
  if (!strcmp(option, "--clang"))
    return tools->clang;
  if (!strcmp(option, "--cuda"))
    return tools->cuda ? tools->cuda : "";
  return !strcmp(option, "--wrap") ? wraps : NULL;
}

int gs_config_main(gs_mem *mem, int argc, char **argv) {
  gs_toolchain tools = {0};
  if (argc < 2)
    return gs_fail(GS_EXIT_INPUT, "config takes options; see 'gpusafe config --help'");
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))
      return usage();
    if (!strcmp(argv[i], "--version")) {
      gs_print_version();
      return GS_EXIT_OK;
    }
  }
  int code = gs_discover_clang(mem, NULL, &tools);
  for (int i = 1; i < argc && !code; i++) {
    const char *line = line_of(mem, argv[i], &tools);
    if (!line)
      return gs_fail(GS_EXIT_INPUT, "unknown option '%s'; see 'gpusafe config --help'", argv[i]);
    puts(line);
  }
  return code;
}
