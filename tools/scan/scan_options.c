// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan_options.h"

#include "merge.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef enum gs_scan_option {
#define SCAN_OPTION(id, where, name, argument, meta, help) OPTION_##id,
#include "scan_options.def"
  OPTION_COUNT
} gs_scan_option;

enum { WHERE_SCAN, WHERE_BOTH, ARGUMENT_NONE, ARGUMENT_REQUIRED };

static const struct {
  const char *name;
  int where, argument;
  const char *meta, *help;
} rows[OPTION_COUNT] = {
#define SCAN_OPTION(id, where, name, argument, meta, help)                                         \
  {name, WHERE_##where, ARGUMENT_##argument, meta, help},
#include "scan_options.def"
};

static void print_rows(bool is_scan) {
  for (size_t i = 0; i < OPTION_COUNT; i++) {
    char left[40];
    if (rows[i].where == WHERE_SCAN && !is_scan)
      continue;
    snprintf(left, sizeof left, rows[i].meta ? "--%s=%s" : "--%s", rows[i].name, rows[i].meta);
    printf("  %-22s %s\n", left, rows[i].help);
  }
}

static void print_help(bool is_scan) {
  if (is_scan)
    fputs("usage: gpusafe scan [options] -- BUILD COMMAND\n"
          "       gpusafe scan [options] -p DIR\n\n"
          "Analyses the CUDA sources that a build compiles with nvcc or clang, beside the build\n"
          "and without touching what it makes, or those that DIR/compile_commands.json lists.\n\n"
          "options:\n",
          stdout);
  else
    fputs("usage: gpusafe report [options] --format=FORMAT IN.json...\n\n"
          "Makes one report of those that 'gpusafe scan --json', 'gpusafe check --json' or the\n"
          "plugin wrote. FORMAT: html, sarif, plist, json or text, written to --output=FILE\n"
          "(default: standard output).\n\noptions:\n",
          stdout);
  print_rows(is_scan);
  fputs("\nexit code: 0 nothing that --fail-on names, 1 findings, 2 usage or input error", stdout);
  fputs(is_scan ? "\nor no CUDA source found, 3 internal error" : ",\n3 internal error", stdout);
  fputs(is_scan ? "; that of the build where the build fails (128 + N after signal N).\n" : ".\n",
        stdout);
}

static gs_scan_option find_row(const char *name, size_t length, bool is_scan) {
  size_t i = 0;
  while (i < OPTION_COUNT && (strlen(rows[i].name) != length || memcmp(rows[i].name, name, length) ||
                              (rows[i].where == WHERE_SCAN && !is_scan)))
    i++;
  return (gs_scan_option)i;
}

static bool set_jobs(gs_scan_options *o, const char *value) {
  char *end;
  unsigned long n = strtoul(value, &end, 10);
  if (!isdigit((unsigned char)*value) || *end || !n || n > 4096) {
    gs_fail(GS_EXIT_INPUT, "--jobs takes a number from 1 to 4096, not '%s'", value);
    return false;
  }
  o->jobs = n;
  return true;
}

static void pass(gs_mem *mem, gs_scan_options *o, gs_scan_option id, const char *value) {
  if (value)
    gs_list_addf(mem, &o->check, "--%s=%s", rows[id].name, value);
  else
    gs_list_addf(mem, &o->check, "--%s", rows[id].name);
}

static bool apply(gs_mem *mem, gs_scan_options *o, gs_scan_option id, const char *value) {
  switch (id) {
  case OPTION_BUILD_FOLDER:
    o->build_folder = value;
    return true;
  case OPTION_JOBS:
    return set_jobs(o, value);
  case OPTION_HTML:
    o->outputs[GS_FORMAT_HTML] = value;
    return true;
  case OPTION_SARIF:
    o->outputs[GS_FORMAT_SARIF] = value;
    return true;
  case OPTION_PLIST:
    o->outputs[GS_FORMAT_PLIST] = value;
    return true;
  case OPTION_JSON:
    o->outputs[GS_FORMAT_JSON] = value;
    return true;
  case OPTION_TEXT:
    o->outputs[GS_FORMAT_TEXT] = value;
    return true;
  case OPTION_BASELINE:
    o->baseline = value;
    return true;
  case OPTION_WRITE_BASELINE:
    o->write_baseline = value;
    return true;
  case OPTION_FAIL_ON:
    return gs_policy_fail_on(mem, value, &o->fail_on);
  case OPTION_SUPPRESSIONS:
    o->suppressions = value;
    return true;
  case OPTION_ROOT:
    o->root = value;
    return true;
  case OPTION_ONLY:
    gs_list_add(mem, &o->only, value);
    return true;
  case OPTION_SKIP:
    gs_list_add(mem, &o->skip, value);
    return true;
  case OPTION_ARCH:
    o->arch = value;
    return true;
  case OPTION_CUDA_PATH:
    o->cuda_path = value;
    return true;
  case OPTION_RULES:
  case OPTION_VERIFY:
  case OPTION_STRICT:
  case OPTION_ASSUME:
  case OPTION_BLOCK:
  case OPTION_GRID:
  case OPTION_SAME_VALUE:
    pass(mem, o, id, value);
    return true;
  case OPTION_HOST_RULES:
    if (strcmp(value, "on") && strcmp(value, "all") && strcmp(value, "off")) {
      gs_fail(GS_EXIT_INPUT, "--host-rules is on, all or off, not '%s'", value);
      return false;
    }
    o->host_rules = value;
    return true;
  case OPTION_QUIET:
    return o->quiet = true;
  case OPTION_VERBOSE:
    return o->verbose = true;
  case OPTION_HELP:
  case OPTION_COUNT:
    break;
  }
  return true;
}

static bool unknown_option(const char *word, size_t length) {
  const char *names[OPTION_COUNT + 1] = {NULL};
  char name[64];
  for (size_t i = 0; i < OPTION_COUNT; i++)
    names[i] = rows[i].name;
  snprintf(name, sizeof name, "%.*s", (int)length, word + strspn(word, "-"));
  const char *near = gs_nearest(name, names);
  if (near)
    gs_fail(GS_EXIT_INPUT, "unknown option '%s'; did you mean '--%s'?", word, near);
  else
    gs_fail(GS_EXIT_INPUT, "unknown option '%s'", word);
  return false;
}

/// --format and --output, which only `report` has.
static bool report_option(gs_scan_options *o, const char *name, size_t length, const char *value,
                          bool *good) {
  bool is_format = length == 6 && !memcmp(name, "format", 6);
  if (!is_format && !(length == 6 && !memcmp(name, "output", 6)))
    return false;
  *good = value && *value;
  if (!*good)
    gs_fail(GS_EXIT_INPUT, "option '--%.*s' needs a value", (int)length, name);
  else if (!is_format)
    o->output = value;
  else if (!gs_format_by_name(value, &o->format)) {
    gs_fail(GS_EXIT_INPUT, "--format is html, sarif, plist, json or text, not '%s'", value);
    *good = false;
  }
  return true;
}

/// One option at argv[*i].
static bool parse_option(gs_mem *mem, int argc, char **argv, int *i, gs_scan_options *o,
                         int *exit_code) {
  const char *word = argv[*i], *name = word + 2, *value = NULL;
  bool is_scan = !strcmp(argv[0], "scan"), good;
  if (is_scan && (gs_starts_with(word, "-p") || gs_starts_with(word, "-j")) && word[1] != '-') {
    name = word[1] == 'p' ? "build-folder" : "jobs";
    value = word[2] ? word + 2 : NULL;
  } else if (!strcmp(word, "-h")) {
    name = "help";
  } else if (!gs_starts_with(word, "--")) {
    return unknown_option(word, strlen(word));
  }
  size_t length = strcspn(name, "=");
  if (name[length] == '=')
    value = name + length + 1;
  gs_scan_option id = find_row(name, length, is_scan);
  bool wants = id == OPTION_COUNT ? !is_scan : rows[id].argument == ARGUMENT_REQUIRED;
  if (wants && !value && *i + 1 < argc && strcmp(argv[*i + 1], "--"))
    value = argv[++*i];
  if (id == OPTION_COUNT)
    return !is_scan && report_option(o, name, length, value, &good)
               ? good
               : unknown_option(word, strcspn(word, "="));
  if (id == OPTION_HELP) {
    print_help(is_scan);
    *exit_code = GS_EXIT_OK;
    return false;
  }
  if (wants != (value && *value)) {
    gs_fail(GS_EXIT_INPUT, wants ? "option '--%s' needs a value" : "option '--%s' takes no value",
            rows[id].name);
    return false;
  }
  return apply(mem, o, id, value);
}

static bool is_consistent(gs_scan_options *o, bool is_scan) {
  const char *problem = NULL;
  size_t to_stdout = 0, outputs = 0;
  for (size_t f = 0; f < GS_FORMATS; f++) {
    outputs += o->outputs[f] != NULL;
    to_stdout += o->outputs[f] && !strcmp(o->outputs[f], "-");
  }
  if (is_scan && !o->command.count && !o->build_folder)
    problem = "no build command; write 'gpusafe scan [options] -- make', or '-p DIR'";
  else if (is_scan && o->command.count && o->build_folder)
    problem = "a build command and -p exclude each other";
  else if (!is_scan && !o->files.count)
    problem = "no input; write 'gpusafe report --format=html in.json'";
  else if (!is_scan && o->output && o->format == GS_FORMATS)
    problem = "--output needs --format";
  else if (to_stdout > 1)
    problem = "two reports cannot both go to standard output";
  else if ((o->fail_on & GS_FAIL_NEW) && !o->baseline)
    problem = "--fail-on=new needs --baseline";
  if (problem) {
    gs_fail(GS_EXIT_INPUT, "%s", problem);
    return false;
  }
  if (!is_scan && (o->format != GS_FORMATS || !outputs)) {
    gs_format format = o->format == GS_FORMATS ? GS_FORMAT_TEXT : o->format;
    o->outputs[format] = o->output ? o->output : "-";
  } else if (!o->outputs[GS_FORMAT_TEXT] && !to_stdout && is_scan) {
    o->outputs[GS_FORMAT_TEXT] = "-";
  }
  return true;
}

bool gs_scan_options_parse(gs_mem *mem, int argc, char **argv, gs_scan_options *out,
                           int *exit_code) {
  bool is_scan = !strcmp(argv[0], "scan");
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  *out = (gs_scan_options){.fail_on = GS_FAIL_DEFINITE | GS_FAIL_CLAIM | GS_FAIL_PATH,
                           .jobs = cores > 0 ? (size_t)cores : 1,
                           .format = GS_FORMATS,
                           .host_rules = "on"};
  *exit_code = GS_EXIT_INPUT;
  bool files_only = false;
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--") && is_scan) {
      while (++i < argc)
        gs_list_add(mem, &out->command, argv[i]);
    } else if (!strcmp(argv[i], "--") && !files_only) {
      files_only = true;
    } else if (!files_only && argv[i][0] == '-' && argv[i][1]) {
      if (!parse_option(mem, argc, argv, &i, out, exit_code))
        return false;
    } else if (is_scan) {
      gs_fail(GS_EXIT_INPUT, "'%s' is no option; the build command goes after '--'", argv[i]);
      return false;
    } else {
      gs_list_add(mem, &out->files, argv[i]);
    }
  }
  return is_consistent(out, is_scan);
}

int gs_scan_publish(gs_mem *mem, const gs_scan_options *o, gs_sources *sources, json_t *report) {
  gs_policy policy = {.suppressions = o->suppressions, .fail_on = o->fail_on};
  json_t *baseline = NULL;
  if (o->baseline) {
    baseline = gs_baseline_load(mem, o->baseline);
    if (!baseline)
      return GS_EXIT_INPUT;
    policy.baseline = baseline;
  }
  int code = gs_policy_apply(mem, &policy, sources, report);
  json_decref(baseline);
  if (code > GS_EXIT_FINDINGS)
    return code;
  for (size_t f = 0; f < GS_FORMATS; f++) {
    int written = o->outputs[f] ? gs_render(mem, report, (gs_format)f, o->outputs[f]) : GS_EXIT_OK;
    code = written > code ? written : code;
  }
  if (o->write_baseline) {
    json_t *made = gs_baseline_make(report);
    int written = gs_json_write(made, o->write_baseline);
    code = written > code ? written : code;
    json_decref(made);
  }
  return code;
}
