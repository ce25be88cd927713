// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `gpusafe explain RULE`: the page of a rule.
#include "gs.h"
#include "pages.h"
#include "tool.h"
#include "why.h"

#include <stdio.h>
#include <string.h>

static int usage(void) {
  fputs("usage: gpusafe explain RULE\n"
        "       gpusafe explain --why FILE [KERNEL] [options] [-- clang flags]\n\n"
        "Prints the page of a rule: what it finds, an example, the fix, what it assumes and what\n"
        "it does not find. RULE is the name in the brackets of a message; 'gpusafe-' in front\n"
        "does not matter.\n\n"
        "With --why: for each thing that is not proved of a kernel (of all kernels when none is named),\n"
        "which fact would finish the proof, or what stopped it and what helps against that.\n\n"
        "options:\n"
        "  --why            a file, a kernel and options of 'gpusafe check' follow: --arch, --block, --grid,\n"
        "                   --assume, --rules, --strict, --same-value, --cuda-path, --dialect\n"
        "  --help           print this text\n\nrules:\n",
        stdout);
  for (size_t i = 0; i < gs_page_count; i++) {
    gs_rule rule;
    if (gs_rule_by_name(gs_pages[i].rule, strlen(gs_pages[i].rule), &rule))
      printf("  %-22s %s\n", gs_pages[i].rule, gs_rule_summary(rule));
  }
  fputs("\nexit code: 0; with --why 1 when something is not proved, 2 usage or input error,\n"
        "3 internal error.\n",
        stdout);
  return GS_EXIT_OK;
}

int gs_explain_main(gs_mem *mem, int argc, char **argv) {
  static const char prefix[] = "gpusafe-";
  if (argc == 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")))
    return usage();
  if (argc > 1 && !strcmp(argv[1], "--why"))
    return argc > 2 && strcmp(argv[2], "--help") != 0 ? gs_why_main(mem, argc - 1, argv + 1) : usage();
  if (argc != 2)
    return gs_fail(GS_EXIT_INPUT, "explain takes the name of one rule; see 'gpusafe explain --help'");
  const char *name = argv[1];
  if (!strncmp(name, prefix, sizeof prefix - 1))
    name += sizeof prefix - 1;
  const char **names = gs_mem_alloc(mem, (gs_page_count + 1) * sizeof *names);
  for (size_t i = 0; i < gs_page_count; i++) {
    if (!strcmp(gs_pages[i].rule, name)) {
      fwrite(gs_pages[i].text, 1, gs_pages[i].length, stdout);
      return GS_EXIT_OK;
    }
    names[i] = gs_pages[i].rule;
  }
  names[gs_page_count] = NULL;
  const char *near = gs_nearest(name, names);
  if (near)
    return gs_fail(GS_EXIT_INPUT, "unknown rule '%s'; did you mean '%s'?", name, near);
  return gs_fail(GS_EXIT_INPUT, "unknown rule '%s'; 'gpusafe explain --help' lists the rules", name);
}
