// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "command_line.h"

#include <string.h>
#include <sys/stat.h>

/// PTX is to be what clang makes of the source as it stands.
static bool speaks_nvcc(const gs_run *run) {
  const gs_check_options *o = run->options;
  return o->dialect == GS_DIALECT_NVCC || (o->dialect == GS_DIALECT_AUTO && !o->ptx);
}

/// What nvcc accepts and clang does not, or not without a flag.
static void add_dialect(const gs_run *run, gs_list *argv) {
  static const char *const flags[] = {"-Wno-register", "-Wno-narrowing",
                                      "-Wno-reserved-user-defined-literal", "-include"};
  if (!run->options->ptx && !run->options->contracts) // launches in kernels; other code
    gs_list_add(run->mem, argv, "-fgpu-rdc");
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
    gs_list_add(run->mem, argv, flags[i]);
  gs_list_addf(run->mem, argv, "%s/gpusafe_nvcc.h", run->tools->include);
}

/// The toolkit's headers through clang's wrapper; CUDA 13 keeps its C++ headers
/// in a folder that nvcc searches by itself and clang does not.
static void add_toolkit(const gs_run *run, gs_list *argv) {
  const char *cccl = gs_mem_printf(run->mem, "%s/include/cccl", run->tools->cuda);
  struct stat info;
  gs_list_addf(run->mem, argv, "--cuda-path=%s", run->tools->cuda);
  if (stat(cccl, &info) == 0 && S_ISDIR(info.st_mode)) {
    gs_list_add(run->mem, argv, "-isystem");
    gs_list_add(run->mem, argv, cccl);
  }
  if (speaks_nvcc(run))
    add_dialect(run, argv);
}

/// No toolkit: the bundled declarations. Without an SDK version clang refuses
/// launches, and without the feature it picks a PTX version too old for sm_90.
static void add_minimal(const gs_run *run, gs_list *argv) {
  static const char *const flags[] = {"-nocudainc", "-nocudalib", "-Xclang",
                                      "-target-sdk-version=12.9", "--cuda-feature=+ptx88",
                                      "-include"};
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
    gs_list_add(run->mem, argv, flags[i]);
  gs_list_addf(run->mem, argv, "%s/gpusafe_cuda_min.h", run->tools->include);
}

static void add_language(const gs_run *run, const char *file, const char *target, gs_list *argv) {
  if (gs_input_kind_of(file) == GS_INPUT_C) {
    gs_list_add(run->mem, argv, "--target=nvptx64-nvidia-cuda");
    gs_list_addf(run->mem, argv, "-march=%s", target);
    gs_list_add(run->mem, argv, "-ffreestanding");
    gs_list_add(run->mem, argv, "-nogpulib");
    gs_list_add(run->mem, argv, "-xc");
    return;
  }
  if (run->options->contracts) { // the host names the kernels, all targets prove them
    for (size_t i = 0; i < run->options->archs.count; i++)
      gs_list_addf(run->mem, argv, "--offload-arch=%s", run->options->archs.items[i]);
  } else {
    gs_list_add(run->mem, argv, "--cuda-device-only");
    gs_list_addf(run->mem, argv, "--offload-arch=%s", target);
  }
  if (gs_list_has(&run->options->clang_flags, "-nocudainc"))
    gs_list_add(run->mem, argv, "-nocudalib"); // the user brings the declarations
  else if (run->tools->cuda)
    add_toolkit(run, argv);
  else
    add_minimal(run, argv);
  gs_list_add(run->mem, argv, "-xcuda");
}

static void add_plugin_option(const gs_run *run, gs_list *argv, const char *name,
                              const char *value) {
  if (value)
    gs_list_addf(run->mem, argv, "-fplugin-arg-gpusafe-%s=%s", name, value);
  else
    gs_list_addf(run->mem, argv, "-fplugin-arg-gpusafe-%s", name);
}

static void add_plugin(const gs_run *run, const char *report, gs_list *argv) {
  const gs_check_options *o = run->options;
  gs_list_addf(run->mem, argv, "-fplugin=%s", run->tools->plugin);
  if (o->dump)
    add_plugin_option(run, argv, "dump", "accesses");
  else if (o->module)
    add_plugin_option(run, argv, "module", o->module);
  else if (o->annotate)
    add_plugin_option(run, argv, "annotate", o->annotate);
  else if (o->contracts)
    add_plugin_option(run, argv, "contracts", o->contracts);
  else
    add_plugin_option(run, argv, "report", report);
  if (o->verify)
    add_plugin_option(run, argv, "verify", NULL);
  if (o->strict)
    add_plugin_option(run, argv, "strict", NULL);
  if (o->block)
    add_plugin_option(run, argv, "block", o->block);
  if (o->grid)
    add_plugin_option(run, argv, "grid", o->grid);
  if (o->rules)
    add_plugin_option(run, argv, "rules", o->rules);
  if (o->same_value)
    add_plugin_option(run, argv, "same-value", o->same_value);
  for (size_t i = 0; i < o->assumes.count; i++)
    add_plugin_option(run, argv, "assume", o->assumes.items[i]);
}

/// The user's flags, without those that say what to produce: that is ours to say.
static void add_user_flags(const gs_run *run, gs_list *argv) {
  const gs_list *flags = &run->options->clang_flags;
  for (size_t i = 0; i < flags->count; i++) {
    const char *flag = flags->items[i];
    if (!strcmp(flag, "-c") || !strcmp(flag, "-S") || !strcmp(flag, "-E"))
      continue;
    if (!strcmp(flag, "-o"))
      i++;
    else if (!gs_starts_with(flag, "-o"))
      gs_list_add(run->mem, argv, flag);
  }
}

const char *gs_ptx_name(const gs_run *run, const char *file, const char *target) {
  if (run->options->ptx_file)
    return run->options->ptx_file;
  const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file;
  const char *dot = strrchr(base, '.');
  int length = (int)(dot && dot != base ? (size_t)(dot - base) : strlen(base));
  if (run->options->archs.count > 1)
    return gs_mem_printf(run->mem, "%.*s.%s.ptx", length, base, target);
  return gs_mem_printf(run->mem, "%.*s.ptx", length, base);
}

void gs_command_line_clang(const gs_run *run, const char *file, const char *target,
                           const char *report, gs_list *argv) {
  gs_mem *mem = run->mem;
  gs_list_add(mem, argv, run->tools->clang);
  // A file that breaks clang is the user's already: no copy of it in /tmp.
  gs_list_add(mem, argv, "-fno-crash-diagnostics");
  gs_list_add(mem, argv, "-Qunused-arguments");
  gs_list_add(mem, argv, "-Wno-unknown-cuda-version");
  gs_list_add(mem, argv, run->color ? "-fcolor-diagnostics" : "-fno-color-diagnostics");
  gs_list_addf(mem, argv, "-I%s", run->tools->include);
  add_plugin(run, report, argv);
  if (run->options->overlay) {
    gs_list_add(mem, argv, "-ivfsoverlay");
    gs_list_add(mem, argv, run->options->overlay);
  }
  if (run->options->ptx)
    gs_list_add(mem, argv, "-O3"); // as nvcc does; a later -O wins
  add_language(run, file, target, argv);
  add_user_flags(run, argv);
  if (run->options->ptx) {
    gs_list_add(mem, argv, "-S");
    gs_list_add(mem, argv, "-o");
    gs_list_add(mem, argv, gs_ptx_name(run, file, target));
  } else {
    gs_list_add(mem, argv, "-fsyntax-only");
  }
  gs_list_add(mem, argv, "--");
  gs_list_add(mem, argv, file);
}

/// The checkers of a choice, by name: those about kernels have run already.
static const char *host_checkers(gs_mem *mem, const char *choice) {
  static const struct {
    const char *name, *package;
  } rules[] = {
#define HOST_RULE(id, name, package, model, summary) {name, package},
#include "host/host_rules.def"
  };
  const char *list = "";
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
    if (!strcmp(choice, "all") || !strcmp(rules[i].package, "gpusafe"))
      list = gs_mem_printf(mem, "%s%s%s.%s", list, *list ? "," : "", rules[i].package, rules[i].name);
  return list;
}

void gs_command_line_host(const gs_run *run, const char *file, gs_list *argv) {
  gs_mem *mem = run->mem;
  static const char *const flags[] = {"-fno-crash-diagnostics", "-Qunused-arguments", "-w",
                                      "-Wno-unknown-cuda-version", "-fno-color-diagnostics",
                                      "--cuda-host-only", "--analyze", "--analyzer-output", "text",
                                      "-Xclang"};
  gs_list_add(mem, argv, run->tools->clang);
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
    gs_list_add(mem, argv, flags[i]);
  gs_list_addf(mem, argv, "-analyzer-checker=%s", host_checkers(mem, run->options->host_rules));
  gs_list_addf(mem, argv, "-fplugin=%s", run->tools->plugin);
  gs_list_addf(mem, argv, "-I%s", run->tools->include);
  gs_list_addf(mem, argv, "--offload-arch=%s", run->options->archs.items[0]);
  if (gs_list_has(&run->options->clang_flags, "-nocudainc"))
    gs_list_add(mem, argv, "-nocudalib");
  else if (run->tools->cuda)
    add_toolkit(run, argv);
  else
    add_minimal(run, argv);
  gs_list_add(mem, argv, "-xcuda");
  add_user_flags(run, argv);
  gs_list_add(mem, argv, "--");
  gs_list_add(mem, argv, file);
}

static void add_module_option(const gs_run *run, gs_list *argv, const char *name,
                              const char *value) {
  if (value)
    gs_list_addf(run->mem, argv, "--%s=%s", name, value);
}

void gs_command_line_module(const gs_run *run, const char *file, const char *target,
                            const char *report, gs_list *argv) {
  const gs_check_options *o = run->options;
  bool is_text = gs_input_kind_of(file) == GS_INPUT_TEXT;
  gs_list_add(run->mem, argv, is_text ? run->tools->text_tool : run->tools->module_tool);
  if (o->dump)
    add_module_option(run, argv, "dump", "accesses");
  else
    add_module_option(run, argv, "report", report);
  add_module_option(run, argv, "arch", target);
  add_module_option(run, argv, "block", o->block);
  add_module_option(run, argv, "grid", o->grid);
  add_module_option(run, argv, "rules", o->rules);
  add_module_option(run, argv, "same-value", o->same_value);
  for (size_t i = 0; i < o->assumes.count; i++)
    add_module_option(run, argv, "assume", o->assumes.items[i]);
  if (o->verify)
    gs_list_add(run->mem, argv, "--verify");
  if (o->strict)
    gs_list_add(run->mem, argv, "--strict");
  gs_list_add(run->mem, argv, "--");
  gs_list_add(run->mem, argv, file);
}
