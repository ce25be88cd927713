// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit.h"

#include "child.h"
#include "command_line.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

gs_input_kind gs_input_kind_of(const char *file) {
  static const char *const cuda[] = {".cu", ".cuh", ".cpp", ".cc", ".cxx", ".hpp", ".h"};
  for (size_t i = 0; i < sizeof cuda / sizeof *cuda; i++)
    if (gs_ends_with(file, cuda[i]))
      return GS_INPUT_CUDA;
  if (gs_ends_with(file, ".c"))
    return GS_INPUT_C;
  if (gs_ends_with(file, ".ll") || gs_ends_with(file, ".bc"))
    return GS_INPUT_MODULE;
  if (gs_ends_with(file, ".gs"))
    return GS_INPUT_TEXT;
  return GS_INPUT_NONE;
}

/// clang ends with 1 after errors in the source; crashes have other codes.
static const char *broken_child(const gs_run *run, const char *program, const gs_child *child) {
  if (child->error)
    return gs_mem_printf(run->mem, "cannot run '%s': %s", program, strerror(child->error));
  if (child->signal)
    return gs_mem_printf(run->mem, "'%s' was killed by signal %d (%s)", program, child->signal,
                          strsignal(child->signal));
  if (child->exit_code > 1)
    return gs_mem_printf(run->mem, "'%s' broke down with exit code %d", program,
                          child->exit_code);
  // clang says what its errors are: this is something else.
  if (child->exit_code && !child->errors[strspn(child->errors, " \n")])
    return gs_mem_printf(run->mem, "'%s' failed and did not say why; is it clang %s?", program,
                          GPUSAFE_LLVM_VERSION);
  return NULL;
}

static void give_up(gs_unit *out, int status, const char *message) {
  out->status = status;
  out->message = message;
  json_decref(out->report);
  out->report = NULL;
}

/// Are there errors, and all of them the plugin's? Those that are in no report are about
/// launches.
static bool only_our_errors(const char *text) {
  bool any = false;
  for (const char *line = text; line && *line;) {
    const char *end = strchr(line, '\n'), *stop = end ? end : line + strlen(line);
    const char *error = strstr(line, "error: "), *rule = strstr(line, "[gpusafe-");
    if (error && error < stop) {
      if (!rule || rule >= stop)
        return false;
      any = true;
    }
    line = end ? end + 1 : NULL;
  }
  return any;
}

/// The child ended by itself: is there a report, and does it fit the exit code?
static void take_report(const gs_run *run, const char *path, const gs_child *child,
                        gs_unit *out) {
  if (run->options->dump || run->options->contracts) {
    if (child->exit_code)
      give_up(out, GS_EXIT_INPUT, NULL);
    return;
  }
  if (access(path, F_OK) != 0) {
    // Under clang only the plugin's loader speaks like that (plugin/loader.cpp).
    gs_input_kind kind = gs_input_kind_of(out->file);
    bool under_clang = kind == GS_INPUT_CUDA || kind == GS_INPUT_C;
    if (strstr(child->errors, "unable to load plugin") ||
        (under_clang && strstr(child->errors, "gpusafe: error: ")))
      give_up(out, GS_EXIT_INTERNAL,
              gs_mem_printf(run->mem, "clang cannot load '%s'; is '%s' clang %s?",
                             run->tools->plugin, run->tools->clang, GPUSAFE_LLVM_VERSION));
    else if (child->exit_code)
      give_up(out, GS_EXIT_INPUT, NULL); // clang's own errors stand
    else
      give_up(out, GS_EXIT_INTERNAL, "clang ended well, but the plugin wrote no report");
    return;
  }
  const char *problem = NULL;
  out->report = gs_report_load(run->mem, path, &problem);
  if (!out->report)
    give_up(out, GS_EXIT_INTERNAL, gs_mem_printf(run->mem, "the report is corrupt: %s", problem));
  else if (child->exit_code && !gs_report_findings(out->report)) {
    out->broken_launch = only_our_errors(child->errors);
    if (!out->broken_launch)
      give_up(out, GS_EXIT_INPUT, NULL);
  }
}

void gs_unit_run(const gs_run *run, const char *file, const char *target, gs_unit *out) {
  memset(out, 0, sizeof *out);
  out->file = file;
  out->target = target;
  const char *path = gs_mem_printf(run->mem, "%s/report.json", run->folder);
  gs_list argv = {0};
  gs_input_kind kind = gs_input_kind_of(file);
  if (kind == GS_INPUT_MODULE || kind == GS_INPUT_TEXT)
    gs_command_line_module(run, file, target, path, &argv);
  else
    gs_command_line_clang(run, file, target, path, &argv);
  gs_child child;
  gs_child_run(run->mem, &argv, &child);
  out->diagnostics = child.errors;
  const char *broken = broken_child(run, argv.items[0], &child);
  if (broken)
    give_up(out, GS_EXIT_INTERNAL, broken);
  else
    take_report(run, path, &child, out);
  unlink(path);
}
