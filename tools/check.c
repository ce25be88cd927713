// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `gpusafe check`: each file for each architecture, then one line per kernel.
#include "bundle.h"
#include "child.h"
#include "command_line.h"
#include "merge.h"
#include "print.h"
#include "temporary.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct gs_units {
  gs_unit *items;
  size_t count;
} gs_units;

static bool use_color(gs_color wish, int descriptor) {
  const char *term = getenv("TERM"), *no_color = getenv("NO_COLOR");
  if (wish != GS_COLOR_AUTO)
    return wish == GS_COLOR_ALWAYS;
  return isatty(descriptor) && !(no_color && *no_color) && term && strcmp(term, "dumb") != 0;
}

/// \returns what is wrong with an input file before anything runs, or NULL.
static const char *input_problem(const char *file) {
  struct stat info;
  if (!strcmp(file, "-"))
    return "standard input is not read; name a file";
  if (stat(file, &info) != 0)
    return strerror(errno);
  if (S_ISDIR(info.st_mode))
    return "is a directory; name the files in it";
  if (access(file, R_OK) != 0)
    return strerror(errno);
  if (S_ISREG(info.st_mode) && info.st_size == 0)
    return "the file is empty";
  if (gs_input_kind_of(file) == GS_INPUT_NONE)
    return "the name must end in .cu (or another C++ ending), .c, .ll, .bc or .gs";
  return NULL;
}

/// What cannot be done with this file under these options.
static const char *option_problem(const gs_run *run, const char *file) {
  gs_input_kind kind = gs_input_kind_of(file);
  if (run->options->ptx && (kind == GS_INPUT_MODULE || kind == GS_INPUT_TEXT))
    return "--ptx needs a source file";
  return NULL;
}

/// Finds what the inputs need. A tool that is not needed may be missing.
static int discover(gs_mem *mem, const gs_check_options *options, gs_toolchain *tools) {
  bool sources = false, modules = false, texts = false;
  for (size_t i = 0; i < options->files.count; i++) {
    gs_input_kind kind = gs_input_kind_of(options->files.items[i]);
    modules |= kind == GS_INPUT_MODULE;
    texts |= kind == GS_INPUT_TEXT;
    sources |= kind == GS_INPUT_CUDA || kind == GS_INPUT_C;
  }
  int code = sources ? gs_discover_clang(mem, options->cuda_path, tools) : GS_EXIT_OK;
  if (code == GS_EXIT_OK && modules)
    code = gs_discover_module_tool(mem, tools);
  if (code == GS_EXIT_OK && texts)
    code = gs_discover_text_tool(mem, tools);
  return code;
}

/// A module or a text says its target itself, and its findings are ours to show.
static bool is_module(const char *file) {
  gs_input_kind kind = gs_input_kind_of(file);
  return kind == GS_INPUT_MODULE || kind == GS_INPUT_TEXT;
}

/// Length of what clang said, without its last line if that counts errors and names the
/// architecture.
static size_t said(const char *text) {
  size_t length = strlen(text), start = length;
  while (start && (start == length || text[start - 1] != '\n'))
    start--;
  return strstr(text + start, " generated when compiling for ") ? start : length;
}

static bool say_the_same(const char *a, const char *b) {
  return said(a) == said(b) && !memcmp(a, b, said(a));
}

/// Shows what clang said, once when several architectures say the same.
static void show_diagnostics(const gs_run *run, const gs_units *units) {
  const gs_unit *unit = &units->items[units->count - 1];
  bool repeated = false;
  for (size_t i = 0; i + 1 < units->count; i++)
    repeated |= units->items[i].file == unit->file && units->items[i].diagnostics &&
                say_the_same(units->items[i].diagnostics, unit->diagnostics);
  if (*unit->diagnostics && !repeated) {
    fflush(stdout);
    if (run->options->archs.count > 1)
      fprintf(stderr, "%s for %s:\n", unit->file, unit->target ? unit->target : "its target");
    fputs(unit->diagnostics, stderr);
  }
  if (is_module(unit->file) && unit->report)
    gs_print_findings(run->mem, unit->report, run->color);
}

static void explain_failure(const gs_run *run, const gs_unit *unit) {
  if (unit->message)
    gs_fail(unit->status, "%s: %s", unit->file, unit->message);
  else if (!run->tools->cuda && gs_input_kind_of(unit->file) == GS_INPUT_CUDA &&
           (strstr(unit->diagnostics, "file not found") ||
            strstr(unit->diagnostics, "gpusafe_cuda_min")))
    gs_remark("no CUDA toolkit was used, only the bundled minimal declarations; "
            "--cuda-path=DIR names one");
}

static void check_unit(const gs_run *run, gs_units *units, const char *file, const char *target) {
  gs_unit *unit = &units->items[units->count++];
  gs_unit_run(run, file, target, unit);
  if (gs_child_interrupted())
    return;
  show_diagnostics(run, units);
  // Host code is the same for all targets.
  bool first = units->count == 1 || units->items[units->count - 2].file != file;
  if (unit->status == GS_EXIT_OK && first && run->options->host_rules && !run->options->dump &&
      gs_input_kind_of(file) == GS_INPUT_CUDA) {
    gs_unit_run_host(run, unit);
    fputs(unit->host, stderr);
    if (unit->host_problem)
      gs_remark("%s: host code was not analysed: %s", file, unit->host_problem);
  }
  if (unit->status != GS_EXIT_OK)
    explain_failure(run, unit);
  else if (unit->report && !json_array_size(json_object_get(unit->report, "kernels")))
    gs_remark("%s: no kernels", file);
}

static void check_file(const gs_run *run, gs_units *units, const char *file) {
  const gs_list *archs = &run->options->archs;
  const char *problem = input_problem(file);
  if (!problem)
    problem = option_problem(run, file);
  if (problem) {
    gs_unit *unit = &units->items[units->count++];
    *unit = (gs_unit){.file = file, .status = GS_EXIT_INPUT, .message = problem};
    unit->diagnostics = "";
    gs_fail(GS_EXIT_INPUT, "%s: %s", file, problem);
    return;
  }
  if (is_module(file) && !run->options->archs_given) {
    check_unit(run, units, file, NULL);
    return;
  }
  for (size_t i = 0; i < archs->count && !gs_child_interrupted(); i++)
    check_unit(run, units, file, archs->items[i]);
}

static int worst_status(const gs_units *units) {
  int code = GS_EXIT_OK;
  for (size_t i = 0; i < units->count; i++) {
    int status = units->items[i].status;
    if (status == GS_EXIT_OK &&
        (units->items[i].broken_launch || (units->items[i].host && *units->items[i].host) ||
         gs_report_findings(units->items[i].report)))
      status = GS_EXIT_FINDINGS;
    if (status > code)
      code = status;
  }
  return code;
}

static int report_all(const gs_run *run, const gs_units *units) {
  const gs_check_options *options = run->options;
  int code = worst_status(units);
  gs_groups groups;
  gs_groups_build(run->mem, units->items, units->count, &groups);
  gs_print_options print = {.color = use_color(options->color, STDOUT_FILENO),
                            .times = !options->no_times,
                            .stats = options->stats};
  bool json_to_stdout = options->json && !strcmp(options->json_file, "-");
  bool ptx_to_stdout = options->ptx_file && !strcmp(options->ptx_file, "-");
  if (groups.count && !options->quiet && !json_to_stdout && !ptx_to_stdout)
    gs_print_groups(run->mem, &groups, &print);
  if (!options->json && !options->bundle)
    return code;
  json_t *merged =
      gs_merge(units->items, units->count, &groups, code, !options->no_times);
  int written = options->json ? gs_json_write(merged, options->json_file) : GS_EXIT_OK;
  int bundled = options->bundle && code < GS_EXIT_INPUT ? gs_bundle_write(run, merged) : GS_EXIT_OK;
  json_decref(merged);
  written = bundled > written ? bundled : written;
  return written > code ? written : code;
}

/// An interrupted run ends as the signal asks, after the temporary folder is gone.
static void end_as_asked(void) {
  int signal_number = gs_child_interrupted();
  if (!signal_number)
    return;
  signal(signal_number, SIG_DFL);
  raise(signal_number);
}

int gs_check_main(gs_mem *mem, int argc, char **argv) {
  gs_check_options options;
  gs_toolchain tools = {0};
  int code;
  if (!gs_check_options_parse(mem, argc, argv, &options, &code))
    return code;
  const char *problem = options.bundle ? gs_bundle_problem(&options) : NULL;
  if (problem)
    return gs_fail(GS_EXIT_INPUT, "%s", problem);
  code = discover(mem, &options, &tools);
  if (code != GS_EXIT_OK)
    return code;
  gs_run run = {.mem = mem, .options = &options, .tools = &tools};
  run.color = use_color(options.color, STDERR_FILENO);
  run.folder = gs_temporary_folder(mem, "gpusafe");
  if (!run.folder)
    return GS_EXIT_INTERNAL;
  gs_units units = {0};
  units.items = gs_mem_alloc(mem, options.files.count * options.archs.count * sizeof(gs_unit));
  for (size_t i = 0; i < options.files.count && !gs_child_interrupted(); i++)
    check_file(&run, &units, options.files.items[i]);
  rmdir(run.folder);
  end_as_asked();
  code = report_all(&run, &units);
  for (size_t i = 0; i < units.count; i++)
    json_decref(units.items[i].report);
  return code;
}
