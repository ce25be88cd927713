// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `gpusafe doctor`: does everything that gpusafe stands on fit together?
#include "doctor.h"

#include "child.h"
#include "temporary.h"
#include "unit.h"

#include <dlfcn.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PACKAGES_HELP "apt-get install clang-" GPUSAFE_LLVM_VERSION " libz3-4 libjansson4"

static int usage(void) {
  fputs("usage: gpusafe doctor [options]\n\n"
        "Looks at everything that gpusafe stands on: clang and plugin, by proving a kernel and\n"
        "refusing its racy twin; headers, the helper programs, the runtime's libraries, Z3; the CUDA\n"
        "toolkit and what clang makes of its version; the driver and the devices with their limits;\n"
        "the programs of the test suite. Each row is 'ok', 'note' (something that is not needed is\n"
        "missing) or 'BROKEN', and what is not ok says which command mends it.\n\n"
        "options:\n"
        "  --cuda-path=DIR  look at this CUDA toolkit; 'none' for none\n"
        "  --help           print this text\n\n"
        "exit code: 0 gpusafe works here, 1 a row is BROKEN, 2 usage error.\n",
        stdout);
  return GS_EXIT_OK;
}

void gs_doctor_row(gs_doctor *doctor, gs_health health, const char *part, const char *text,
                   const char *mend) {
  static const char *const words[] = {"ok", "note", "BROKEN"};
  printf("%-7s %-10s %s\n", words[health], part, text);
  if (mend)
    printf("        %-10s mend: %s\n", "", mend);
  doctor->notes += health == GS_HEALTH_NOTE;
  doctor->broken += health == GS_HEALTH_BROKEN;
}

// ------------------------------------------------------- clang and plugin ----

/// First line that a program writes to standard error with `-v`; "" when it does not start.
static const char *first_line(gs_mem *mem, const char *program) {
  gs_list argv = {0};
  gs_child child;
  gs_list_add(mem, &argv, program);
  gs_list_add(mem, &argv, "-v");
  gs_child_run(mem, &argv, &child);
  if (child.error || child.signal || !child.errors)
    return "";
  return gs_mem_printf(mem, "%.*s", (int)strcspn(child.errors, "\n"), child.errors);
}

static void look_at_clang(gs_doctor *d) {
  int code;
  const char *problem = gs_find_clang(d->mem, &d->tools, &code);
  if (problem) {
    gs_doctor_row(d, GS_HEALTH_BROKEN, "clang", problem,
                  getenv("GPUSAFE_CLANG") ? "unset GPUSAFE_CLANG" : PACKAGES_HELP);
    return;
  }
  const char *line = first_line(d->mem, d->tools.clang), *version = strstr(line, "version ");
  bool fits = version && atoi(version + strlen("version ")) == atoi(GPUSAFE_LLVM_VERSION);
  const char *text = gs_mem_printf(d->mem, "%s: %s", d->tools.clang, *line ? line : "does not start");
  if (fits)
    gs_doctor_row(d, GS_HEALTH_OK, "clang", text, NULL);
  else
    gs_doctor_row(d, GS_HEALTH_BROKEN, "clang",
                  gs_mem_printf(d->mem, "%s; gpusafe is built for clang " GPUSAFE_LLVM_VERSION, text),
                  getenv("GPUSAFE_CLANG") ? "unset GPUSAFE_CLANG" : PACKAGES_HELP);
}

static bool write_file(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  if (!file)
    return false;
  bool good = fputs(text, file) >= 0;
  return fclose(file) == 0 && good;
}

/// The verdict of one kernel, whose index is `index`; what clang said where there is none.
static const char *verdict_of(gs_doctor *d, const char *folder, const char *index,
                              const char *first_line_of_source) {
  gs_check_options options = {.color = GS_COLOR_NEVER};
  gs_run run = {.mem = d->mem, .options = &options, .tools = &d->tools, .folder = folder};
  gs_unit unit;
  const char *path = gs_mem_printf(d->mem, "%s/doctor.cu", folder);
  const char *source =
      gs_mem_printf(d->mem,
                    "%s\n#include <gpusafe.h>\nGS_LAUNCH_CONTRACT(n >= 0)\n"
                    "__global__ void k(int *p GS_DISJOINT(n), int n) {\n"
                    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                    "  if (i < n) p[%s] = i;\n}\n",
                    first_line_of_source, index);
  gs_list_add(d->mem, &options.archs, "sm_90");
  if (!write_file(path, source))
    return gs_mem_printf(d->mem, "cannot write to '%s'", path);
  gs_unit_run(&run, path, "sm_90", &unit);
  const json_t *kernels = json_object_get(unit.report, "kernels");
  const char *text = json_array_size(kernels)
                         ? gs_mem_copy(d->mem, gs_report_text(json_array_get(kernels, 0), "verdict"))
                     : unit.message ? unit.message
                                    : unit.diagnostics;
  json_decref(unit.report);
  unlink(path);
  return gs_mem_printf(d->mem, "%.*s", (int)strcspn(text, "\n"), text);
}

static void look_at_plugin(gs_doctor *d) {
  const char *problem = gs_find_plugin(d->mem, &d->tools);
  if (problem) {
    gs_doctor_row(d, GS_HEALTH_BROKEN, "plugin", problem, "cmake --build BUILD && cmake --install BUILD");
    return;
  }
  const char *folder = d->tools.clang ? gs_temporary_folder(d->mem, "gpusafe-doctor") : NULL;
  if (!folder)
    return;
  const char *good = verdict_of(d, folder, "i", ""), *bad = verdict_of(d, folder, "i / 2", "");
  rmdir(folder);
  if (!strcmp(good, "PROVED") && !strcmp(bad, "RACE"))
    gs_doctor_row(d, GS_HEALTH_OK, "plugin",
                  gs_mem_printf(d->mem, "%s: proves a kernel, refuses its racy twin", d->tools.plugin), NULL);
  else
    gs_doctor_row(d, GS_HEALTH_BROKEN, "plugin",
                  gs_mem_printf(d->mem, "%s: a kernel is %s, its racy twin %s", d->tools.plugin, good, bad),
                  "install clang-" GPUSAFE_LLVM_VERSION ", or build gpusafe for your clang: "
                  "cmake --preset release -DGPUSAFE_LLVM_VERSION=N");
  gs_doctor_row(d, GS_HEALTH_OK, "headers", d->tools.include, NULL);
}

// -------------------------------------------------------------- the parts ----

static void look_at_parts(gs_doctor *d) {
  static const char *const parts[] = {"gpusafe-module", "gpusafe-text", "gpusafe-commands"};
  static const char *const uses[] = {"check .ll and .bc files, replay", "check .gs files", "scan -p"};
  const char *missing = "";
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (!gs_find_part(d->mem, parts[i]))
      missing = gs_mem_printf(d->mem, "%s%s%s (to %s)", missing, *missing ? ", " : "", parts[i], uses[i]);
  if (!gs_discover_wrappers(d->mem))
    missing = gs_mem_printf(d->mem, "%s%slibexec/gpusafe/compilers (to scan -- BUILD COMMAND)", missing,
                            *missing ? ", " : "");
  if (*missing)
    gs_doctor_row(d, GS_HEALTH_BROKEN, "helpers", gs_mem_printf(d->mem, "missing: %s", missing),
                  "cmake --build BUILD && cmake --install BUILD");
  else
    gs_doctor_row(d, GS_HEALTH_OK, "helpers", "gpusafe-module, gpusafe-text, gpusafe-commands; scan's compilers",
                  NULL);
  const char *libraries = gs_find_runtime(d->mem);
  if (libraries)
    gs_doctor_row(d, GS_HEALTH_OK, "runtime", libraries, NULL);
  else
    gs_doctor_row(d, GS_HEALTH_NOTE, "runtime",
                  "no libgpusafe_cuda.a, libgpusafe_rt: launches cannot be checked",
                  "cmake --build BUILD && cmake --install BUILD");
}

static void look_at_z3(gs_doctor *d) {
  const char *(*version)(void) = NULL;
  void *library = dlopen("libz3.so.4", RTLD_LAZY | RTLD_LOCAL);
  void *symbol = library ? dlsym(library, "Z3_get_full_version") : NULL;
  memcpy(&version, &symbol, sizeof version);
  if (version)
    gs_doctor_row(d, GS_HEALTH_OK, "Z3", gs_mem_copy(d->mem, version()), NULL);
  else
    gs_doctor_row(d, GS_HEALTH_BROKEN, "Z3", "no libz3.so.4", "apt-get install libz3-4");
  if (library)
    dlclose(library);
  gs_doctor_row(d, GS_HEALTH_OK, "jansson", jansson_version_str(), NULL);
}

static void look_at_test_tools(gs_doctor *d) {
  static const char *const names[] = {"lit", "FileCheck", "cmake", "ninja", "python3"};
  const char *missing = "";
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *in_llvm = gs_mem_printf(d->mem, "/usr/lib/llvm-" GPUSAFE_LLVM_VERSION "/bin/%s", names[i]);
    if (!gs_find_program(d->mem, names[i]) && !gs_find_program(d->mem, in_llvm))
      missing = gs_mem_printf(d->mem, "%s%s%s", missing, *missing ? ", " : "", names[i]);
  }
  if (*missing)
    gs_doctor_row(d, GS_HEALTH_NOTE, "suite", gs_mem_printf(d->mem, "to build and test gpusafe: no %s", missing),
                  "scripts/setup");
  else
    gs_doctor_row(d, GS_HEALTH_OK, "suite", "lit, FileCheck, cmake, ninja, python3", NULL);
}

/// A kernel on the headers of the toolkit.
static void try_toolkit(gs_doctor *d) {
  if (!d->tools.cuda || !d->tools.clang || !d->tools.plugin)
    return;
  const char *folder = gs_temporary_folder(d->mem, "gpusafe-doctor");
  const char *verdict = folder ? verdict_of(d, folder, "i", "#include <cuda_runtime.h>") : "";
  if (folder)
    rmdir(folder);
  if (strcmp(verdict, "PROVED") != 0)
    gs_doctor_row(d, GS_HEALTH_BROKEN, "CUDA",
                  gs_mem_printf(d->mem, "a kernel that includes <cuda_runtime.h> is not proved: %s", verdict),
                  "gpusafe check --cuda-path=DIR with another toolkit, or --cuda-path=none");
}

int gs_doctor_main(gs_mem *mem, int argc, char **argv) {
  gs_doctor d = {.mem = mem};
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))
      return usage();
    if (!gs_starts_with(argv[i], "--cuda-path="))
      return gs_fail(GS_EXIT_INPUT, "unknown option '%s'; see 'gpusafe doctor --help'", argv[i]);
    d.cuda_path = strchr(argv[i], '=') + 1;
  }
  gs_print_version();
  look_at_clang(&d);
  look_at_plugin(&d);
  look_at_parts(&d);
  look_at_z3(&d);
  gs_doctor_toolkit(&d);
  try_toolkit(&d);
  gs_doctor_driver(&d);
  look_at_test_tools(&d);
  if (d.broken)
    printf("%u broken: gpusafe does not work here\n", d.broken);
  else
    printf("gpusafe works here%s\n", d.notes ? "; what a note speaks of is not needed for that" : "");
  return d.broken ? GS_EXIT_FINDINGS : GS_EXIT_OK;
}
