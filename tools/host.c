// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host rules: clang's static analyzer runs them, and what it prints is theirs and its own.
#include "child.h"
#include "command_line.h"

#include <string.h>

typedef struct gs_filter {
  gs_mem *mem;
  const char *said; ///< what the compiler has printed
  const char *kept;
  bool keeps; ///< the diagnostic that is being read is ours
} gs_filter;

/// "... [gpusafe.use-after-free]" as all findings end: "... [gpusafe-use-after-free]".
static const char *renamed(gs_mem *mem, const char *line) {
  static const char *const packages[] = {"[gpusafe.", "[gpusafe_extra."};
  for (size_t i = 0; i < sizeof packages / sizeof *packages; i++) {
    const char *at = strstr(line, packages[i]);
    if (at)
      return gs_mem_printf(mem, "%.*s[gpusafe-%s", (int)(at - line), line,
                           at + strlen(packages[i]));
  }
  return NULL;
}

/// The compiler has said something of the launch on that line of the source.
static bool is_said(const gs_filter *f, const char *line) {
  if (!strstr(line, "[gpusafe-launch-contract]") && !strstr(line, "[gpusafe-exclusive-alias]") &&
      !strstr(line, "[gpusafe-launch-limits]"))
    return false;
  size_t place = strcspn(line, ":"); // "k.cu:12:" of "k.cu:12:3: warning: ..."
  place += line[place] == ':';
  place += strcspn(line + place, ":");
  for (const char *at = f->said; at && *at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL) {
    size_t length = strcspn(at, "\n");
    if (length > place && !strncmp(at, line, place) && at[place] == ':' &&
        strstr(gs_mem_printf(f->mem, "%.*s", (int)length, at), "[gpusafe-launch-contract]"))
      return true;
  }
  return false;
}

/// "2 warnings generated."
static bool is_count(const char *line) {
  return strstr(line, " generated") && line[0] >= '0' && line[0] <= '9' && !strchr(line, ':');
}

static void take_line(gs_filter *f, const char *line) {
  if (strstr(line, ": warning: ") || strstr(line, ": error: ")) {
    const char *ours = renamed(f->mem, line);
    f->keeps = ours && !is_said(f, ours);
    line = ours ? ours : line;
  }
  if (f->keeps && !is_count(line))
    f->kept = gs_mem_printf(f->mem, "%s%s\n", f->kept, line);
}

/// The analyzer's own findings are not asked for: they go, and so does what the compiler said.
static const char *only_ours(gs_mem *mem, const char *text, const char *said) {
  gs_filter f = {.mem = mem, .said = said, .kept = ""};
  while (*text) {
    size_t length = strcspn(text, "\n");
    take_line(&f, gs_mem_printf(mem, "%.*s", (int)length, text));
    text += length + (text[length] == '\n');
  }
  return f.kept;
}

static const char *first_error(gs_mem *mem, const char *text) {
  const char *error = strstr(text, "error: ");
  if (!error)
    return "the analyzer failed";
  error += strlen("error: ");
  return gs_mem_printf(mem, "%.*s", (int)strcspn(error, "\n"), error);
}

void gs_unit_run_host(const gs_run *run, gs_unit *unit) {
  gs_list argv = {0};
  gs_child child;
  gs_command_line_host(run, unit->file, &argv);
  gs_child_run(run->mem, &argv, &child);
  unit->host = only_ours(run->mem, child.errors, unit->diagnostics);
  if (child.error)
    unit->host_problem = strerror(child.error);
  else if (child.signal)
    unit->host_problem = gs_mem_printf(run->mem, "the analyzer was killed by signal %d",
                                       child.signal);
  else if (child.exit_code)
    unit->host_problem = first_error(run->mem, child.errors);
}
