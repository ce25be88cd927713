// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `gpusafe explain --why FILE KERNEL`: what a proof lacks, or what stopped it.
#include "why.h"

#include "temporary.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/// What helps against a cause, by words that are in it. The first that fits counts.
static const struct {
  const char *words, *help;
} helps[] = {
    {"budget", "fix what the contract leaves open (block.x == 256, bounds of sizes), or split the kernel; "
               "--stats of gpusafe check shows where the work goes"},
    {"iterations of a loop", "bound the loop by a constant, or by a parameter that the contract bounds"},
    {"an earlier loop", "bound the loop by what all threads share"},
    {"fences together", "a barrier, or GS_TRUSTED with the reason why the protocol orders them"},
    {"that the contract may exclude", "say more of what the arrays hold: injective, monotone, in_range"},
    {"no term for", "write the clause without aligned() and extent()"},
    {"the size of the block", "say it: GS_LAUNCH_CONTRACT(block.x == N), or --block=N"},
    {"a barrier that is not modelled", "a barrier that all threads of the block reach, outside of conditions that differ "
                                       "between threads"},
    {"result of an atomic", "slots of a counter are distinct where every access adds one constant "
                            "(checkers/flow/tickets.md); else GS_TRUSTED"},
    {"read from memory", "a fact about what the array holds (injective, monotone, in_range), and a const pointer that "
                         "nothing in the kernel writes through"},
    {"value of '", "a fact about what the array holds (injective, monotone, in_range)"},
    {"result of a call", "a definition that clang can inline, or a function that the analysis knows"},
    {"inline", "the same in CUDA's own functions: inline PTX is known in part only"},
    {"address that is not known", "an index into a parameter instead of a pointer from memory"},
    {"no extent", "GS_EXTENT(count) on the parameter"},
};

static const char *help_for(const char *cause) {
  for (size_t i = 0; i < sizeof helps / sizeof *helps; i++)
    if (strstr(cause, helps[i].words))
      return helps[i].help;
  return "checkers/README.md lists what is not modelled yet; GS_TRUSTED(rule, \"reason\") vouches for the rest";
}

// ---------------------------------------------------------------- printing ----

static void print_line_of(gs_mem *mem, const json_t *location) {
  const char *file = json_string_value(json_object_get(location, "file"));
  json_int_t wanted = json_integer_value(json_object_get(location, "line"));
  char *line = gs_mem_alloc(mem, 4096);
  FILE *source = file && wanted > 0 ? fopen(file, "r") : NULL;
  json_int_t at = 0;
  while (source && at < wanted && fgets(line, 4096, source))
    at += strchr(line, '\n') != NULL;
  if (source && at == wanted)
    printf("  %6lld | %.*s\n", (long long)wanted, (int)strcspn(line, "\n"), line);
  if (source)
    fclose(source);
}

/// The notes that name a missing fact or a missing barrier. \returns how many there are.
static size_t print_facts(gs_mem *mem, const json_t *finding) {
  static const char *const proofs[] = {" the kernel is proved", " this is proved"};
  size_t i, count = 0;
  json_t *note;
  json_array_foreach(json_object_get(finding, "notes"), i, note) {
    const char *text = gs_report_text(note, "text"), *end = NULL;
    for (size_t p = 0; p < sizeof proofs / sizeof *proofs && !end; p++)
      end = strstr(text, proofs[p]);
    bool barrier = strstr(text, "orders them") != NULL;
    if (!barrier && (!gs_starts_with(text, "with ") || !end))
      continue;
    const char *place = gs_report_place(mem, note);
    if (barrier)
      printf("   would finish it: %s%s%s\n", text, *place ? ", at " : "", place);
    else
      printf("   would finish it: %.*s%s\n", (int)(end - text - 5), text + 5,
             strstr(end, "kernel") ? " (then the kernel is proved)" : "");
    count++;
  }
  return count;
}

static void print_fixes(gs_mem *mem, const json_t *finding) {
  size_t i;
  json_t *fix;
  json_array_foreach(json_object_get(finding, "fixits"), i, fix)
    printf("   fix: insert '%.*s' at %s\n", (int)strcspn(gs_report_text(fix, "insert"), "\n"),
           gs_report_text(fix, "insert"), gs_report_place(mem, fix));
}

static void print_finding(gs_mem *mem, size_t number, const json_t *finding) {
  const char *cause = gs_report_text(finding, "reason");
  const json_t *accesses = json_object_get(finding, "accesses"), *location = json_object_get(finding, "location");
  bool definite = gs_report_verdict(finding) == GS_RACE;
  size_t i;
  json_t *access, *note;
  printf("\n%zu. %s, %s: %s\n", number, gs_report_place(mem, finding), gs_report_text(finding, "rule"),
         gs_report_text(finding, "message"));
  json_array_foreach(accesses, i, access)
    print_line_of(mem, json_object_get(access, "location"));
  if (!json_array_size(accesses))
    print_line_of(mem, location);
  if (*cause)
    printf("   stopped by: %s\n", cause);
  size_t facts = print_facts(mem, finding);
  if (definite && !facts)
    puts("   no proof is missing: it is broken for certain");
  if (*cause && !facts)
    printf("   what helps: %s\n", help_for(cause));
  json_array_foreach(json_object_get(finding, "notes"), i, note)
    if (definite && !facts)
      printf("   note: %s\n", gs_report_text(note, "text"));
  if (definite && !facts)
    print_fixes(mem, finding);
}

static void print_proved(const json_t *kernel) {
  size_t i;
  json_t *assumption;
  puts("nothing is missing. It is proved for every launch within the contract and these assumptions:");
  json_array_foreach(json_object_get(kernel, "assumptions"), i, assumption)
    printf("  %-17s %s\n", json_is_true(json_object_get(assumption, "checked")) ? "checked at launch" : "unchecked",
           gs_report_text(assumption, "text"));
}

static void print_kernel(gs_mem *mem, const json_t *kernel, const char *target) {
  size_t i, number = 0;
  json_t *finding;
  printf("%s  %s  %s for %s\n", gs_report_text(kernel, "name"), gs_report_place(mem, kernel),
         gs_report_text(kernel, "verdict"), target);
  json_array_foreach(json_object_get(kernel, "findings"), i, finding)
    if (gs_report_verdict(finding) != GS_PROVED)
      print_finding(mem, ++number, finding);
  if (!number)
    print_proved(kernel);
}

// -------------------------------------------------------------------- run ----

static bool is_named(const json_t *kernel, const char *name) {
  const char *readable = gs_report_text(kernel, "name");
  size_t length = strlen(name);
  return !strcmp(readable, name) || !strcmp(gs_report_text(kernel, "mangled"), name) ||
         (!strncmp(readable, name, length) && strchr("<(", readable[length]));
}

/// \returns an exit code.
static int show(gs_mem *mem, const gs_unit *unit, const char *name) {
  const json_t *kernels = json_object_get(unit->report, "kernels");
  size_t i, shown = 0;
  json_t *kernel;
  int code = GS_EXIT_OK;
  json_array_foreach(kernels, i, kernel) {
    if (name && !is_named(kernel, name))
      continue;
    if (shown++)
      puts("");
    print_kernel(mem, kernel, unit->target);
    if (gs_report_verdict(kernel) != GS_PROVED && gs_report_verdict(kernel) != GS_TRUSTED)
      code = GS_EXIT_FINDINGS;
  }
  if (shown)
    return code;
  const char *known = "";
  json_array_foreach(kernels, i, kernel)
    known = gs_mem_printf(mem, "%s%s%s", known, *known ? ", " : "", gs_report_text(kernel, "name"));
  return gs_fail(GS_EXIT_INPUT, "%s has no kernel '%s'; there are: %s", unit->file, name ? name : "", known);
}

static int run(gs_mem *mem, gs_check_options *options, const char *name) {
  gs_toolchain tools = {0};
  gs_unit unit;
  const char *file = options->files.items[0];
  gs_input_kind kind = gs_input_kind_of(file);
  bool module = kind == GS_INPUT_MODULE;
  if (kind == GS_INPUT_NONE || kind == GS_INPUT_TEXT)
    return gs_fail(GS_EXIT_INPUT, "%s: the name must end in .cu (or another C++ ending), .c, .ll or .bc", file);
  int code = module ? gs_discover_module_tool(mem, &tools) : gs_discover_clang(mem, options->cuda_path, &tools);
  const char *folder = code ? NULL : gs_temporary_folder(mem, "gpusafe");
  if (!folder)
    return code ? code : GS_EXIT_INTERNAL;
  gs_run run = {.mem = mem, .options = options, .tools = &tools, .folder = folder};
  gs_unit_run(&run, file, module && !options->archs_given ? NULL : options->archs.items[0], &unit);
  rmdir(folder);
  if (!unit.report) {
    fputs(unit.diagnostics, stderr);
    return unit.message ? gs_fail(unit.status, "%s: %s", file, unit.message) : unit.status;
  }
  if (!unit.target)
    unit.target = gs_report_text(unit.report, "target");
  code = show(mem, &unit, name);
  json_decref(unit.report);
  return code;
}

int gs_why_main(gs_mem *mem, int argc, char **argv) {
  gs_check_options options;
  const char *name = NULL;
  int code;
  if (!gs_check_options_parse(mem, argc, argv, &options, &code))
    return code;
  if (options.ptx || options.json || options.dump || options.bundle || options.files.count > 2)
    return gs_fail(GS_EXIT_INPUT, "explain --why takes a file, a kernel, and options that change a verdict");
  if (options.files.count == 2) {
    name = options.files.items[1];
    options.files.count = 1;
  }
  if (access(options.files.items[0], R_OK) != 0)
    return gs_fail(GS_EXIT_INPUT, "%s: the file cannot be read", options.files.items[0]);
  options.verify = true;
  return run(mem, &options, name);
}
