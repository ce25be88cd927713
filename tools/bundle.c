// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bundle.h"

#include "child.h"
#include "command_line.h"
#include "merge.h"
#include "temporary.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *text_of(const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  return text ? text : "";
}

// ----------------------------------------------------------------- write ----

const char *gs_bundle_problem(const gs_check_options *o) {
  gs_input_kind kind = o->files.count == 1 ? gs_input_kind_of(o->files.items[0]) : GS_INPUT_NONE;
  if (kind != GS_INPUT_CUDA && kind != GS_INPUT_C)
    return "--bundle takes one source";
  if (o->archs.count != 1)
    return "--bundle takes one architecture";
  return o->dump || o->ptx ? "--bundle goes with no --dump and no --ptx" : NULL;
}

/// Options that the check made use of and that kernels.gs does not hold.
static json_t *module_options(const gs_run *run) {
  const gs_check_options *o = run->options;
  json_t *list = json_array();
  if (o->verify)
    json_array_append_new(list, json_string("--verify"));
  if (o->strict)
    json_array_append_new(list, json_string("--strict"));
  if (o->rules)
    json_array_append_new(list, json_string(gs_mem_printf(run->mem, "--rules=%s", o->rules)));
  if (o->same_value)
    json_array_append_new(list, json_string(gs_mem_printf(run->mem, "--same-value=%s", o->same_value)));
  return list;
}

static json_t *manifest(const gs_run *run) {
  const gs_check_options *o = run->options;
  json_t *flags = json_array();
  for (size_t i = 0; i < o->clang_flags.count; i++)
    json_array_append_new(flags, json_string(o->clang_flags.items[i]));
  return json_pack("{s:i,s:s,s:s,s:s,s:s,s:o,s:o,s:i}", "version", 1, "generator", "gpusafe " GPUSAFE_VERSION,
                   "llvm", GPUSAFE_LLVM_VERSION, "file", o->files.items[0], "target", o->archs.items[0],
                   "module_options", module_options(run), "clang_flags", flags, "seed", 1);
}

static int write_module(const gs_run *run, const char *path) {
  gs_check_options options = *run->options;
  gs_run quiet = *run;
  gs_list argv = {0};
  gs_child child;
  options.module = path;
  quiet.options = &options;
  gs_command_line_clang(&quiet, options.files.items[0], options.archs.items[0], NULL, &argv);
  gs_child_run(run->mem, &argv, &child);
  if (!child.error && !child.signal && !child.exit_code && access(path, R_OK) == 0)
    return GS_EXIT_OK;
  return gs_fail(GS_EXIT_INPUT, "%s: no module could be written to '%s'", options.files.items[0], path);
}

int gs_bundle_write(const gs_run *run, const json_t *report) {
  const char *folder = run->options->bundle;
  if (mkdir(folder, 0777) != 0 && errno != EEXIST)
    return gs_fail(GS_EXIT_INPUT, "cannot make the folder '%s': %s", folder, strerror(errno));
  int code = write_module(run, gs_mem_printf(run->mem, "%s/kernels.ll", folder));
  json_t *about = manifest(run);
  if (!code)
    code = gs_json_write(about, gs_mem_printf(run->mem, "%s/bundle.json", folder));
  if (!code)
    code = gs_json_write(report, gs_mem_printf(run->mem, "%s/report.json", folder));
  json_decref(about);
  return code;
}

// ---------------------------------------------------------------- replay ----

typedef struct gs_opened {
  json_t *about, *report, *answer;
} gs_opened;

static json_t *load(gs_mem *mem, const char *folder, const char *name) {
  json_error_t error;
  const char *path = gs_mem_printf(mem, "%s/%s", folder, name);
  json_t *json = json_load_file(path, 0, &error);
  if (!json)
    gs_fail(GS_EXIT_INPUT, "%s: %s", path, error.text);
  return json;
}

static int run_attack(gs_mem *mem, const char *folder, unsigned long runs, const char *seed, gs_opened *o) {
  gs_toolchain tools = {0};
  gs_list argv = {0};
  gs_child child;
  int code = gs_discover_module_tool(mem, &tools);
  char *answer = gs_temporary_template(mem, "gpusafe");
  int file = code ? -1 : mkstemp(answer);
  if (file < 0)
    return code ? code : gs_fail(GS_EXIT_INTERNAL, "cannot make a temporary file: %s", strerror(errno));
  close(file);
  gs_list_add(mem, &argv, tools.module_tool);
  const json_t *options = json_object_get(o->about, "module_options");
  for (size_t i = 0; i < json_array_size(options); i++) {
    const char *option = json_string_value(json_array_get(options, i));
    gs_list_add(mem, &argv, option && gs_starts_with(option, "--") && option[2] ? option : "--unknown");
  }
  gs_list_addf(mem, &argv, "--arch=%s", text_of(o->about, "target"));
  gs_list_addf(mem, &argv, "--describe=%s/kernels.gs", folder);
  gs_list_addf(mem, &argv, "--attack=%lu", runs);
  if (seed)
    gs_list_addf(mem, &argv, "--seed=%s", seed);
  else
    gs_list_addf(mem, &argv, "--seed=%lld", (long long)json_integer_value(json_object_get(o->about, "seed")));
  gs_list_addf(mem, &argv, "--report=%s", answer);
  gs_list_add(mem, &argv, "--");
  gs_list_addf(mem, &argv, "%s/kernels.ll", folder);
  gs_child_run(mem, &argv, &child);
  if (child.error || child.signal || child.exit_code) {
    fputs(child.error ? strerror(child.error) : child.errors, stderr);
    code = child.exit_code == 1 || child.exit_code == GS_EXIT_INPUT ? GS_EXIT_INPUT : GS_EXIT_INTERNAL;
  } else {
    o->answer = json_load_file(answer, 0, NULL);
    code = o->answer ? GS_EXIT_OK : gs_fail(GS_EXIT_INTERNAL, "%s: there is no answer", folder);
  }
  unlink(answer);
  return code;
}

/// The verdict that the bundle's report has for a kernel; "" when it has none.
static const char *verdict_before(const json_t *report, const char *mangled) {
  size_t i, j;
  json_t *unit, *kernel;
  json_array_foreach(json_object_get(report, "reports"), i, unit)
    json_array_foreach(json_object_get(unit, "kernels"), j, kernel)
      if (!strcmp(text_of(kernel, "mangled"), mangled))
        return text_of(kernel, "verdict");
  return "";
}

/// One line for a kernel. \returns false when its verdict is another one, or does not hold.
static bool show(gs_mem *mem, const json_t *report, const json_t *kernel) {
  const char *verdict = text_of(kernel, "verdict"), *before = verdict_before(report, text_of(kernel, "mangled"));
  const char *attack = text_of(kernel, "attack");
  bool same = !strcmp(verdict, before), broken = !strcmp(attack, "breaks");
  const char *what = attack;
  if (json_object_get(kernel, "launches"))
    what = gs_mem_printf(mem, "%s: %lld launches, %lld of them unclear", attack,
                         (long long)json_integer_value(json_object_get(kernel, "launches")),
                         (long long)json_integer_value(json_object_get(kernel, "unclear")));
  printf("%-9s %s  %s", verdict, text_of(kernel, "name"), what);
  if (broken)
    printf(" -- %s", text_of(kernel, "text"));
  if (!same)
    printf(" -- the report of the bundle says %s", *before ? before : "nothing");
  printf("\n");
  return same && !broken;
}

int gs_bundle_replay(gs_mem *mem, const char *folder, unsigned long runs, const char *seed) {
  gs_opened o = {0};
  int code = GS_EXIT_INPUT;
  o.about = load(mem, folder, "bundle.json");
  o.report = o.about ? load(mem, folder, "report.json") : NULL;
  if (o.report)
    code = run_attack(mem, folder, runs, seed, &o);
  size_t i;
  json_t *kernel;
  if (!code)
    printf("%s of %s, made by %s with LLVM %s\n", text_of(o.about, "target"), text_of(o.about, "file"),
           text_of(o.about, "generator"), text_of(o.about, "llvm"));
  json_array_foreach(json_object_get(o.answer, "kernels"), i, kernel)
    if (!show(mem, o.report, kernel))
      code = GS_EXIT_FINDINGS;
  json_decref(o.about);
  json_decref(o.report);
  json_decref(o.answer);
  return code;
}
