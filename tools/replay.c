// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `gpusafe replay`: runs the witness of a finding, or a launch given by hand, and shows it.
#include "story.h"

#include "bundle.h"
#include "child.h"
#include "command_line.h"
#include "temporary.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct gs_replay_options {
  const char *input; ///< report, source or module
  const char *kernel, *grid, *block, *html, *cuda, *arch, *cuda_path;
  gs_list arguments, memory, clang_flags;
  unsigned long finding; ///< 1 is the first; 0: the first definite one
  unsigned long long smem, budget, runs;
  const char *seed;
} gs_replay_options;

static int usage(void) {
  fputs("usage: gpusafe replay REPORT.json [--finding=N] [options] [-- clang flags]\n"
        "       gpusafe replay FILE --kernel=NAME --grid=G --block=B [options] [-- clang flags]\n"
        "       gpusafe replay BUNDLE [--runs=N] [--seed=N]\n\n"
        "Runs a kernel as a finding of a report (--json=REPORT.json of `gpusafe check` or `scan`) says, or as the\n"
        "command line says, and shows what the two threads of a conflict do. FILE is a CUDA source,\n"
        "or a .ll or .bc module. BUNDLE is a folder that `gpusafe check --bundle=BUNDLE` made: it is\n"
        "checked again, and what is proved is attacked with random launches of its contract.\n\n"
        "options:\n"
        "  --finding=N       the Nth finding with a witness (default: the first definite one)\n"
        "  --kernel=NAME     the kernel, or a part of its mangled name\n"
        "  --grid=XxYxZ      blocks of the launch (default 1)\n"
        "  --block=XxYxZ     threads of a block\n"
        "  --smem=BYTES      dynamic shared memory\n"
        "  --arg=NAME=VALUE  a parameter (default 0; pointers get a buffer of zeros, or are 'null').\n"
        "                    NAME+8=VALUE is what is 8 bytes into a struct, NAME+8:64=VALUE 64 bits,\n"
        "                    NAME+8=buffer a pointer there\n"
        "  --memory=A[I]=V   contents of memory, 32 bits wide; A[I]:64=V for another width\n"
        "  --html=FILE       write a page with a map of the memory (\"-\": standard output)\n"
        "  --cuda=FILE       write a CUDA program that makes this launch on a GPU\n"
        "  --budget=N        instructions to run (default 200 million)\n"
        "  --runs=N          launches to try for each proved kernel of a bundle (default 200)\n"
        "  --seed=N          of those launches (default: that of the bundle)\n"
        "  --arch=sm_90      as for `gpusafe check`\n"
        "  --cuda-path=DIR   as for `gpusafe check`\n"
        "  --help            print this text\n\n"
        "exit code: 0 no conflict is shown, 1 one is (or a verdict of a bundle does not hold),\n"
        "2 usage or input error, 3 internal error.\n",
        stdout);
  return GS_EXIT_OK;
}

// --------------------------------------------------------------- options ----

enum { KERNEL = 256, GRID, BLOCK, SMEM, ARG, MEMORY, HTML, CUDA, BUDGET, ARCH, CUDA_PATH, FINDING, RUNS, SEED, HELP };

static const struct option long_options[] = {
    {"kernel", required_argument, NULL, KERNEL}, {"grid", required_argument, NULL, GRID},
    {"block", required_argument, NULL, BLOCK},   {"smem", required_argument, NULL, SMEM},
    {"arg", required_argument, NULL, ARG},       {"memory", required_argument, NULL, MEMORY},
    {"html", required_argument, NULL, HTML},     {"cuda", required_argument, NULL, CUDA},
    {"budget", required_argument, NULL, BUDGET}, {"arch", required_argument, NULL, ARCH},
    {"cuda-path", required_argument, NULL, CUDA_PATH}, {"finding", required_argument, NULL, FINDING},
    {"runs", required_argument, NULL, RUNS},     {"seed", required_argument, NULL, SEED},
    {"help", no_argument, NULL, HELP},           {NULL, 0, NULL, 0}};

static bool number(const char *text, unsigned long long most, unsigned long long *out) {
  char *end;
  errno = 0;
  *out = strtoull(text, &end, 10);
  return *text && *text != '-' && !*end && !errno && *out <= most;
}

static int apply(gs_mem *mem, gs_replay_options *o, int id) {
  unsigned long long n = 0;
  switch (id) {
  case KERNEL: o->kernel = optarg; break;
  case GRID: o->grid = optarg; break;
  case BLOCK: o->block = optarg; break;
  case ARG: gs_list_add(mem, &o->arguments, optarg); break;
  case MEMORY: gs_list_add(mem, &o->memory, optarg); break;
  case HTML: o->html = optarg; break;
  case CUDA: o->cuda = optarg; break;
  case ARCH: o->arch = optarg; break;
  case CUDA_PATH: o->cuda_path = optarg; break;
  case SMEM:
    if (!number(optarg, 1 << 24, &o->smem))
      return gs_fail(GS_EXIT_INPUT, "--smem is a number of bytes, not '%s'", optarg);
    break;
  case BUDGET:
    if (!number(optarg, UINT64_C(1) << 40, &o->budget) || !o->budget)
      return gs_fail(GS_EXIT_INPUT, "--budget is a number of instructions, not '%s'", optarg);
    break;
  case RUNS:
    if (!number(optarg, 1000000, &o->runs) || !o->runs)
      return gs_fail(GS_EXIT_INPUT, "--runs is a number of launches, not '%s'", optarg);
    break;
  case SEED:
    if (!number(optarg, UINT64_MAX, &n))
      return gs_fail(GS_EXIT_INPUT, "--seed is a number, not '%s'", optarg);
    o->seed = optarg;
    break;
  case FINDING:
    if (!number(optarg, 1000000, &n) || !n)
      return gs_fail(GS_EXIT_INPUT, "--finding is a number from 1, not '%s'", optarg);
    o->finding = (unsigned long)n;
    break;
  default: return gs_fail(GS_EXIT_INPUT, "see 'gpusafe replay --help'");
  }
  return GS_EXIT_OK;
}

/// \param done receives true when there is nothing more to do
static int parse(gs_mem *mem, int argc, char **argv, gs_replay_options *o, bool *done) {
  int own = 1, id;
  while (own < argc && strcmp(argv[own], "--") != 0)
    own++;
  for (int i = own + 1; i < argc; i++)
    gs_list_add(mem, &o->clang_flags, argv[i]);
  optind = 1;
  while ((id = getopt_long(own, argv, "h", long_options, NULL)) != -1) {
    if (id == HELP || id == 'h') {
      *done = true;
      return usage();
    }
    int code = apply(mem, o, id);
    if (code)
      return code;
  }
  if (own - optind != 1)
    return gs_fail(GS_EXIT_INPUT, "replay takes one file; see 'gpusafe replay --help'");
  o->input = argv[optind];
  o->arch = o->arch ? o->arch : "sm_90";
  return access(o->input, R_OK) == 0 ? GS_EXIT_OK
                                     : gs_fail(GS_EXIT_INPUT, "%s: %s", o->input, strerror(errno));
}

// --------------------------------------------------------------- request ----

/// What is to be run.
typedef struct gs_subject {
  const char *file, *target, *kernel; ///< kernel: as people call it
  const json_t *finding;              ///< borrowed; NULL: by hand
  json_t *request;                    ///< owned
} gs_subject;

static const char *text_of(const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  return text ? text : "";
}

static bool can_run(const json_t *finding) {
  return json_is_object(json_object_get(json_object_get(finding, "witness"), "run"));
}

/// Takes the Nth finding that can be run, if that is the one: the `wanted`th, or the first
/// definite one.
static void take(unsigned long n, unsigned long wanted, json_t *finding, const gs_subject *it, const char *mangled,
                 gs_subject *out) {
  bool race = !strcmp(text_of(finding, "verdict"), "RACE");
  if (wanted ? n != wanted : !race || out->finding != NULL)
    return;
  json_decref(out->request);
  *out = *it;
  out->finding = finding;
  out->request = json_pack("{s:s,s:O}", "kernel", mangled, "finding", finding);
}

/// The same in a report of `gpusafe scan`: each finding says where it was found.
static unsigned long find_in_scan(const json_t *report, unsigned long wanted, gs_subject *out) {
  size_t i;
  json_t *finding;
  unsigned long n = 0;
  json_array_foreach(json_object_get(report, "findings"), i, finding) {
    const char *file = json_string_value(json_array_get(json_object_get(finding, "units"), 0));
    const char *target = json_string_value(json_array_get(json_object_get(finding, "targets"), 0));
    if (!can_run(finding) || !file || !target)
      continue;
    gs_subject it = {.file = file, .target = target, .kernel = text_of(finding, "kernel")};
    take(++n, wanted, finding, &it, text_of(finding, "mangled"), out);
  }
  return n;
}

/// Goes through the findings that can be run. \returns how many there are.
static unsigned long find(const json_t *report, unsigned long wanted, unsigned long before, gs_subject *out) {
  size_t i, j;
  json_t *kernel, *finding;
  unsigned long n = before;
  json_array_foreach(json_object_get(report, "kernels"), i, kernel) {
    json_array_foreach(json_object_get(kernel, "findings"), j, finding) {
      gs_subject it = {.file = text_of(report, "file"), .target = text_of(report, "target"),
                       .kernel = text_of(kernel, "name")};
      if (can_run(finding))
        take(++n, wanted, finding, &it, text_of(kernel, "mangled"), out);
    }
  }
  return n;
}

static int from_report(const gs_replay_options *o, json_t **report, gs_subject *out) {
  json_error_t error;
  *report = json_load_file(o->input, 0, &error);
  if (!*report)
    return gs_fail(GS_EXIT_INPUT, "%s:%d:%d: %s", o->input, error.line, error.column, error.text);
  const json_t *reports = json_object_get(*report, "reports");
  unsigned long wanted = o->finding, count = 0;
  for (int round = 0; round < 2 && !out->finding; round++) {
    count = strcmp(text_of(*report, "kind"), "scan") ? find(*report, wanted, 0, out)
                                                     : find_in_scan(*report, wanted, out);
    for (size_t i = 0; i < json_array_size(reports); i++)
      count = find(json_array_get(reports, i), wanted, count, out);
    wanted = wanted ? wanted : 1; // none is definite
  }
  if (out->finding)
    return GS_EXIT_OK;
  if (count)
    return gs_fail(GS_EXIT_INPUT, "%s: there are %lu findings with a witness", o->input, count);
  return gs_fail(GS_EXIT_INPUT, "%s: there is no finding with a witness that can be run", o->input);
}

static json_t *dim_json(const char *text) {
  unsigned long axes[3] = {1, 1, 1};
  for (int i = 0; text && i < 3; i++) {
    char *end;
    axes[i] = strtoul(text, &end, 10);
    if (end == text || axes[i] < 1 || axes[i] > 0x7FFFFFFF || (*end && *end != 'x'))
      return NULL;
    text = *end ? end + 1 : NULL;
  }
  return text ? NULL
              : json_pack("[I,I,I]", (json_int_t)axes[0], (json_int_t)axes[1], (json_int_t)axes[2]);
}

/// "n=3", "p+8=3", "p+8:64=3"
static json_t *argument_json(gs_mem *mem, const char *text) {
  const char *equals = strchr(text, '=');
  if (!equals || equals == text || !equals[1])
    return NULL;
  char *name = gs_mem_printf(mem, "%.*s", (int)(equals - text), text), *colon = strchr(name, ':');
  unsigned long long bits = 0;
  if (colon && (!number(colon + 1, 64, &bits) || (bits != 8 && bits != 16 && bits != 32 && bits != 64)))
    return NULL;
  if (colon)
    *colon = 0;
  return json_pack("{s:s,s:I,s:s}", "name", name, "bits", (json_int_t)bits, "value", equals + 1);
}

/// "a[3]=7", "a[3]:64=7"
static json_t *memory_json(gs_mem *mem, const char *text) {
  const char *open = strchr(text, '['), *close = strchr(text, ']'), *equals = strchr(text, '=');
  unsigned long long index = 0, bits = 32;
  if (!open || !close || !equals || open == text || close < open || equals < close || !equals[1])
    return NULL;
  if (!number(gs_mem_printf(mem, "%.*s", (int)(close - open - 1), open + 1), UINT32_MAX, &index))
    return NULL;
  if (close + 1 != equals &&
      (close[1] != ':' || !number(gs_mem_printf(mem, "%.*s", (int)(equals - close - 2), close + 2), 64, &bits) ||
       (bits != 8 && bits != 16 && bits != 32 && bits != 64)))
    return NULL;
  return json_pack("{s:s,s:I,s:I,s:s}", "array", gs_mem_printf(mem, "%.*s", (int)(open - text), text), "index",
                   (json_int_t)index, "bits", (json_int_t)bits, "value", equals + 1);
}

static int by_hand(gs_mem *mem, const gs_replay_options *o, gs_subject *out) {
  json_t *grid = dim_json(o->grid ? o->grid : "1"), *block = dim_json(o->block);
  json_t *arguments = json_array(), *memory = json_array();
  int code = GS_EXIT_OK;
  if (!o->kernel || !o->block)
    code = gs_fail(GS_EXIT_INPUT, "a launch by hand needs --kernel, --block and --grid");
  else if (!grid || !block)
    code = gs_fail(GS_EXIT_INPUT, "'%s' is no size; write 256, 16x16 or 8x8x4", grid ? o->block : o->grid);
  for (size_t i = 0; i < o->arguments.count && !code; i++)
    if (json_array_append_new(arguments, argument_json(mem, o->arguments.items[i])) != 0)
      code = gs_fail(GS_EXIT_INPUT, "--arg is NAME=VALUE, not '%s'", o->arguments.items[i]);
  for (size_t i = 0; i < o->memory.count && !code; i++)
    if (json_array_append_new(memory, memory_json(mem, o->memory.items[i])) != 0)
      code = gs_fail(GS_EXIT_INPUT, "--memory is ARRAY[INDEX]=VALUE, not '%s'", o->memory.items[i]);
  out->request = json_pack("{s:s,s:{s:o,s:o,s:I,s:o,s:o}}", "kernel", o->kernel ? o->kernel : "", "launch",
                           "grid", grid ? grid : json_null(), "block", block ? block : json_null(),
                           "dynamic_smem", (json_int_t)o->smem, "arguments", arguments, "memory", memory);
  out->file = o->input;
  out->target = o->arch;
  out->kernel = o->kernel;
  return code;
}

// ------------------------------------------------------------------- run ----

/// Runs a program; what it says is shown when it fails.
static int run_child(gs_mem *mem, const gs_list *argv, const char *file) {
  gs_child child;
  gs_child_run(mem, argv, &child);
  if (child.error)
    return gs_fail(GS_EXIT_INTERNAL, "cannot run '%s': %s", argv->items[0], strerror(child.error));
  if (child.signal || child.exit_code > 1)
    return gs_fail(GS_EXIT_INTERNAL, "%s: '%s' broke down\n%s", file, argv->items[0], child.errors);
  if (child.exit_code)
    fputs(child.errors, stderr);
  return child.exit_code ? GS_EXIT_INPUT : GS_EXIT_OK;
}

/// The module of a source, as the core gets it.
static int make_module(gs_mem *mem, const gs_replay_options *o, const gs_subject *s, const char *path) {
  gs_check_options options = {.clang_flags = o->clang_flags, .module = path};
  gs_toolchain tools = {0};
  gs_list argv = {0};
  int code = gs_discover_clang(mem, o->cuda_path, &tools);
  if (code)
    return code;
  gs_run run = {.mem = mem, .options = &options, .tools = &tools};
  gs_command_line_clang(&run, s->file, s->target, NULL, &argv);
  code = run_child(mem, &argv, s->file);
  if (!code && access(path, R_OK) != 0)
    code = gs_fail(GS_EXIT_INPUT, "%s: there are no kernels", s->file);
  return code;
}

static int run_module(gs_mem *mem, const gs_replay_options *o, const gs_subject *s, const char *folder,
                      json_t **trace) {
  gs_toolchain tools = {0};
  gs_list argv = {0};
  gs_input_kind kind = gs_input_kind_of(s->file);
  const char *module = gs_mem_printf(mem, "%s/kernels.ll", folder);
  const char *request = gs_mem_printf(mem, "%s/request.json", folder);
  const char *answer = gs_mem_printf(mem, "%s/trace.json", folder);
  int code = gs_discover_module_tool(mem, &tools);
  if (!code && kind != GS_INPUT_MODULE && kind != GS_INPUT_CUDA && kind != GS_INPUT_C)
    code = gs_fail(GS_EXIT_INPUT, "%s: only sources and LLVM modules can be run", s->file);
  if (!code && access(s->file, R_OK) != 0)
    code = gs_fail(GS_EXIT_INPUT, "%s: %s", s->file, strerror(errno));
  if (!code && kind != GS_INPUT_MODULE)
    code = make_module(mem, o, s, module);
  if (o->budget)
    json_object_set_new(s->request, "budget", json_integer((json_int_t)o->budget));
  if (!code && json_dump_file(s->request, request, 0) != 0)
    code = gs_fail(GS_EXIT_INTERNAL, "cannot write '%s'", request);
  gs_list_add(mem, &argv, tools.module_tool);
  gs_list_addf(mem, &argv, "--replay=%s", request);
  gs_list_addf(mem, &argv, "--report=%s", answer);
  gs_list_add(mem, &argv, "--");
  gs_list_add(mem, &argv, kind == GS_INPUT_MODULE ? s->file : module);
  code = code ? code : run_child(mem, &argv, s->file);
  *trace = code ? NULL : json_load_file(answer, 0, NULL);
  unlink(module);
  unlink(gs_mem_printf(mem, "%s/kernels.gs", folder));
  unlink(request);
  unlink(answer);
  return code || *trace ? code : gs_fail(GS_EXIT_INTERNAL, "%s: the run wrote no answer", s->file);
}

// ------------------------------------------------------------------ show ----

static int write_file(const gs_story *story, const char *path, bool cuda) {
  bool to_stdout = !strcmp(path, "-");
  FILE *file = to_stdout ? stdout : fopen(path, "w");
  const char *problem = NULL;
  if (!file)
    return gs_fail(GS_EXIT_INPUT, "cannot write '%s': %s", path, strerror(errno));
  if (cuda)
    problem = gs_story_cuda(story, file);
  else
    gs_story_html(story, file);
  bool good = !ferror(file);
  if (!to_stdout && fclose(file) != 0)
    good = false;
  if (problem)
    return gs_fail(GS_EXIT_INPUT, "%s: %s", story->file, problem);
  return good ? GS_EXIT_OK : gs_fail(GS_EXIT_INPUT, "cannot write '%s'", path);
}

static bool is_dash(const char *path) { return path && !strcmp(path, "-"); }

static int show(const gs_replay_options *o, const gs_story *story) {
  bool shown = !strcmp(text_of(story->trace, "verdict"), "confirmed");
  int code = shown ? GS_EXIT_FINDINGS : GS_EXIT_OK;
  if (!is_dash(o->html) && !is_dash(o->cuda))
    gs_story_print(story, stdout);
  int html = o->html ? write_file(story, o->html, false) : GS_EXIT_OK;
  int cuda = o->cuda ? write_file(story, o->cuda, true) : GS_EXIT_OK;
  code = html > code ? html : code;
  return cuda > code ? cuda : code;
}

int gs_replay_main(gs_mem *mem, int argc, char **argv) {
  gs_replay_options options = {0};
  gs_subject subject = {0};
  json_t *report = NULL, *trace = NULL;
  bool done = false;
  int code = parse(mem, argc, argv, &options, &done);
  if (code || done)
    return code;
  struct stat info;
  if (stat(options.input, &info) == 0 && S_ISDIR(info.st_mode))
    return gs_bundle_replay(mem, options.input, options.runs ? (unsigned long)options.runs : 200, options.seed);
  code = gs_ends_with(options.input, ".json") ? from_report(&options, &report, &subject)
                                              : by_hand(mem, &options, &subject);
  const char *folder = code ? NULL : gs_temporary_folder(mem, "gpusafe");
  if (!code)
    code = folder ? run_module(mem, &options, &subject, folder, &trace) : GS_EXIT_INTERNAL;
  if (folder)
    rmdir(folder);
  gs_story story = {.mem = mem, .trace = trace, .finding = subject.finding, .kernel = subject.kernel,
                    .file = subject.file};
  if (trace)
    code = show(&options, &story);
  json_decref(trace);
  json_decref(subject.request);
  json_decref(report);
  return code;
}
