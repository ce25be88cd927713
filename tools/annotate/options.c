// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "session.h"

#include <stdio.h>
#include <string.h>

static void print_help(void) {
  fputs("usage: gpusafe annotate [options] FILE... [-- clang flags]\n"
        "       gpusafe annotate [options] -p DIR\n\n"
        "Searches for each kernel the strongest annotations that are proved: who owns what each pointer\n"
        "leads to, how large it is, and the weakest contract that makes it so. Prints a unified diff; a\n"
        "line for each kernel goes to standard error. What cannot be proved is left alone, with the reason.\n\n"
        "options:\n"
        "  --write              change the sources instead of printing a diff\n"
        "  --yaml[=FILE]        print (or write) the insertions for clang-apply-replacements\n"
        "  --json=FILE          write what becomes of each kernel as JSON as well\n"
        "  --kernel=NAME        only this kernel; repeatable\n"
        "  --build-folder=DIR   take sources and flags from DIR/compile_commands.json; -p DIR\n"
        "  --check-launches     print the launches that would break a contract that is proposed\n"
        "  --report[=FILE]      print how much of the sources is proved, annotated, trusted and refused, by\n"
        "                       file, and a badge; add it to the history in FILE (JSON)\n"
        "  --arch=NAME          architecture to search for (default sm_90)\n"
        "  --assume=CLAUSE      a clause that holds of every launch; repeatable\n"
        "  --rules=LIST         as for 'gpusafe check', like the next four\n"
        "  --strict             make none of the default assumptions\n"
        "  --same-value=LEVEL   unordered writes of one constant: error, note or off\n"
        "  --cuda-path=DIR      CUDA toolkit; 'none' for the bundled minimal declarations\n"
        "  --dialect=NAME       nvcc or clang\n"
        "  --quiet              print no line for each kernel\n"
        "  --help               print this text\n\n"
        "exit code: 0 done, whatever was found; 1 with --check-launches when a launch would break a\n"
        "contract; 2 usage error, or a source that does not compile; 3 internal error.\n",
        stdout);
}

/// The value of `--name=x` or `--name x`; NULL, with a message, when there is none.
static const char *value_of(const char *name, int argc, char **argv, int *at) {
  const char *equal = strchr(argv[*at], '=');
  if (equal && equal[1])
    return equal + 1;
  if (!equal && *at + 1 < argc && strcmp(argv[*at + 1], "--") != 0)
    return argv[++*at];
  gs_fail(GS_EXIT_INPUT, "%s needs a value; see 'gpusafe annotate --help'", name);
  return NULL;
}

static bool is_option(const char *word, const char *name) {
  size_t length = strlen(name);
  return !strncmp(word, name, length) && (!word[length] || word[length] == '=');
}

/// Takes one option of annotate's own. \returns 1 when it was, 0 when it is another's, -1 when
/// it is wrong.
static int take(gs_mem *mem, int argc, char **argv, int *at, gs_annotate_options *o) {
  const char *word = argv[*at], *equal = strchr(word, '='), *value;
  if (!strcmp(word, "--write"))
    return o->write = true;
  if (!strcmp(word, "--check-launches"))
    return o->launches = true;
  if (!strcmp(word, "--quiet"))
    return o->quiet = true;
  if (is_option(word, "--yaml")) {
    o->yaml_file = equal && strcmp(equal, "=-") != 0 ? equal + 1 : NULL;
    return o->yaml = true;
  }
  if (is_option(word, "--json"))
    return (o->json_file = value_of("--json", argc, argv, at)) ? 1 : -1;
  if (is_option(word, "--report")) {
    o->history = equal ? equal + 1 : NULL;
    return o->report = true;
  }
  if (is_option(word, "--kernel")) {
    if (!(value = value_of("--kernel", argc, argv, at)))
      return -1;
    gs_list_add(mem, &o->kernels, value);
    return 1;
  }
  if (!strcmp(word, "-p") || is_option(word, "--build-folder"))
    return (o->build_folder = value_of("--build-folder", argc, argv, at)) ? 1 : -1;
  return 0;
}

static bool agree(const gs_annotate_options *o) {
  const gs_check_options *c = &o->check;
  if ((o->write + o->yaml + o->launches + o->report) > 1)
    gs_fail(GS_EXIT_INPUT, "--write, --yaml, --check-launches and --report go one at a time");
  else if (c->ptx || c->json || c->dump || c->bundle || c->stats || c->verify || c->block || c->grid || c->host_rules)
    gs_fail(GS_EXIT_INPUT, "annotate takes options that change what is proved of every launch; see 'gpusafe annotate --help'");
  else if (c->archs.count > 1)
    gs_fail(GS_EXIT_INPUT, "annotate searches for one architecture; 'gpusafe check --arch=LIST' checks all of them");
  else if (o->yaml_file && !*o->yaml_file)
    gs_fail(GS_EXIT_INPUT, "--yaml= needs the name of a file");
  else if (o->history && !*o->history)
    gs_fail(GS_EXIT_INPUT, "--report= needs the name of a file");
  else
    return true;
  return false;
}

bool gs_annotate_options_parse(gs_mem *mem, int argc, char **argv, gs_annotate_options *out,
                               int *exit_code) {
  static char dummy[] = "a.cu"; // of a build folder, files are found later
  char **rest = gs_mem_alloc(mem, ((size_t)argc + 2) * sizeof *rest);
  int kept = 0, i = 1;
  *out = (gs_annotate_options){.write = false};
  *exit_code = GS_EXIT_INPUT;
  rest[kept++] = argv[0];
  for (; i < argc && strcmp(argv[i], "--") != 0; i++) {
    if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
      print_help();
      *exit_code = GS_EXIT_OK;
      return false;
    }
    int taken = take(mem, argc, argv, &i, out);
    if (taken < 0)
      return false;
    if (!taken)
      rest[kept++] = argv[i];
  }
  if (out->build_folder)
    rest[kept++] = dummy;
  for (; i < argc; i++)
    rest[kept++] = argv[i];
  if (!gs_check_options_parse(mem, kept, rest, &out->check, exit_code))
    return false;
  *exit_code = GS_EXIT_INPUT;
  if (out->build_folder && out->check.files.count > 1) {
    gs_fail(GS_EXIT_INPUT, "-p takes its sources from the build folder; name no files beside it");
    return false;
  }
  if (out->build_folder)
    out->check.files.count = 0;
  return agree(out);
}
