// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `gpusafe scan`: runs a build, listens to the compilers that it calls, and analyses beside
// it what they compile.
#include "discover.h"
#include "jobs.h"
#include "record.h"
#include "temporary.h"
#include "words.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef struct gs_scan {
  gs_mem *mem;
  const gs_scan_options *options;
  const char *folder, *calls; ///< temporary; `calls` is in `folder`
  gs_sources sources;
  gs_jobs jobs;
  gs_list problems; ///< calls that cannot be read
  size_t compiles;  ///< calls with CUDA in them
  bool told;        ///< progress is on the last line of the terminal
} gs_scan;

// Handlers have no other way to tell the loop.
static volatile sig_atomic_t interrupted;

static void remember(int signal_number) { interrupted = signal_number; }

static void watch_signals(void) {
  struct sigaction action = {.sa_handler = remember};
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}

// ------------------------------------------------------------------ folders ----

static void remove_files(gs_mem *mem, const char *folder) {
  DIR *dir = opendir(folder);
  for (struct dirent *entry; dir && (entry = readdir(dir));)
    if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
      unlink(gs_mem_printf(mem, "%s/%s", folder, entry->d_name));
  if (dir)
    closedir(dir);
  rmdir(folder);
}

static bool make_folders(gs_scan *scan) {
  const char *folder = gs_temporary_folder(scan->mem, "gpusafe-scan");
  if (!folder)
    return false;
  scan->folder = folder;
  scan->calls = gs_mem_printf(scan->mem, "%s/calls", folder);
  scan->jobs.folder = gs_mem_printf(scan->mem, "%s/work", folder);
  return mkdir(scan->calls, 0700) == 0 && mkdir(scan->jobs.folder, 0700) == 0;
}

static void drop_folders(gs_scan *scan) {
  remove_files(scan->mem, scan->calls);
  remove_files(scan->mem, scan->jobs.folder);
  rmdir(scan->folder);
}

// -------------------------------------------------------------------- calls ----

static void take_call(gs_scan *scan, const char *path) {
  gs_call call;
  gs_compile *compile = gs_mem_alloc(scan->mem, sizeof *compile);
  if (!gs_record_load(scan->mem, path, &call))
    return;
  gs_translate(scan->mem, &call, compile);
  if (compile->problem) {
    gs_list_addf(scan->mem, &scan->problems, "a call of %s in %s: %s", call.argv.items[0],
                 call.directory, compile->problem);
    return;
  }
  scan->compiles += compile->file_count > 0;
  gs_jobs_add(&scan->jobs, &scan->sources, compile);
}

static int by_name(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/// Reads the records that are new, in the order in which they were made.
static void take_calls(gs_scan *scan) {
  gs_list names = {0};
  DIR *dir = opendir(scan->calls);
  for (struct dirent *entry; dir && (entry = readdir(dir));)
    if (gs_ends_with(entry->d_name, ".call"))
      gs_list_add(scan->mem, &names, gs_mem_copy(scan->mem, entry->d_name));
  if (dir)
    closedir(dir);
  if (names.count)
    qsort(names.items, names.count, sizeof *names.items, by_name);
  for (size_t i = 0; i < names.count; i++) {
    const char *path = gs_mem_printf(scan->mem, "%s/%s", scan->calls, names.items[i]);
    take_call(scan, path);
    unlink(path);
  }
}

// -------------------------------------------------------------------- build ----

/// PATH with gpusafe's stand-ins in front, for those compilers that are there: what a build
/// finds or does not find stays the same.
static const char *path_with_stand_ins(gs_mem *mem) {
  const char *path = getenv("PATH"), *root = gs_discover_wrappers(mem);
  const char *added = "";
  DIR *dir = root ? opendir(root) : NULL;
  gs_list names = {0};
  for (struct dirent *entry; dir && (entry = readdir(dir));)
    if (entry->d_name[0] != '.' && gs_real_compiler(mem, entry->d_name))
      gs_list_add(mem, &names, gs_mem_copy(mem, entry->d_name));
  if (dir)
    closedir(dir);
  if (names.count)
    qsort(names.items, names.count, sizeof *names.items, by_name);
  for (size_t i = 0; i < names.count; i++)
    added = gs_mem_printf(mem, "%s%s/%s:", added, root, names.items[i]);
  return gs_mem_printf(mem, "%s%s", added, path ? path : "/usr/bin:/bin");
}

static pid_t start(gs_scan *scan, const gs_list *argv, const char *path) {
  fflush(NULL);
  pid_t pid = fork();
  if (pid)
    return pid;
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  if (path) {
    setenv("PATH", path, 1);
    setenv(GS_SCAN_FOLDER, scan->calls, 1);
  }
  execvp(argv->items[0], (char *const *)(void *)argv->items);
  gs_fail(GS_EXIT_INPUT, "cannot run '%s': %s", argv->items[0], strerror(errno));
  _exit(errno == ENOENT ? 127 : 126);
}

// ----------------------------------------------------------------- progress ----

static void forget_progress(gs_scan *scan) {
  if (scan->told)
    fputs("\r\033[K", stderr);
  scan->told = false;
}

/// On a terminal one line that is written over, once the build no longer writes there; in a
/// log a line for each source.
static void tell(gs_scan *scan, const gs_job *job, bool building) {
  if (scan->options->quiet)
    return;
  if (!isatty(STDERR_FILENO)) {
    if (job)
      fprintf(stderr, "gpusafe: analysed %s (%zu of %zu so far, %zu findings)\n", job->file,
              scan->jobs.ended, scan->jobs.count, scan->jobs.findings);
    return;
  }
  if (building || !scan->jobs.count)
    return;
  fprintf(stderr, "\r\033[Kgpusafe: %zu of %zu sources, %zu findings", scan->jobs.ended,
          scan->jobs.count, scan->jobs.findings);
  fflush(stderr);
  scan->told = true;
}

/// Runs until the build and all analyses have ended. \returns the state of the build.
static int run(gs_scan *scan, pid_t build) {
  int state = 0;
  for (;;) {
    if (interrupted && build > 0)
      kill(build, SIGTERM);
    if (interrupted)
      return state;
    if (build > 0 && waitpid(build, &state, WNOHANG) == build)
      build = 0;
    take_calls(scan);
    const gs_job *job = gs_jobs_step(&scan->jobs);
    if (job)
      tell(scan, job, build > 0);
    else if (!build && scan->jobs.ended == scan->jobs.count)
      return state;
    else
      nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
  }
}

// ------------------------------------------------------------------- report ----

static int publish(gs_scan *scan) {
  gs_collector *collector = gs_collector_create(scan->mem, &scan->sources);
  gs_jobs_collect(&scan->jobs, collector);
  json_t *report = gs_collector_finish(collector);
  if (!report)
    return gs_fail(GS_EXIT_INTERNAL, "out of memory while making the report");
  int code = gs_scan_publish(scan->mem, scan->options, &scan->sources, report);
  json_decref(report);
  return code;
}

static int exit_code_of(int state) {
  return WIFSIGNALED(state) ? 128 + WTERMSIG(state) : WEXITSTATUS(state);
}

/// A scan of nothing would pass every gate: it is an error. \returns the exit code.
static int tell_problems(gs_scan *scan) {
  for (size_t i = 0; i < scan->problems.count; i++)
    gs_remark("not analysed: %s", scan->problems.items[i]);
  if (scan->jobs.count)
    return GS_EXIT_OK;
  if (scan->compiles)
    return gs_fail(GS_EXIT_INPUT, "no source was analysed: --only and --skip leave out all that "
                                  "the build compiles");
  if (scan->options->build_folder)
    return gs_fail(GS_EXIT_INPUT,
                   "no source was analysed: %s/compile_commands.json lists no CUDA source",
                   scan->options->build_folder);
  return gs_fail(GS_EXIT_INPUT,
                 "no source was analysed: the build called no nvcc or clang for a CUDA source "
                 "through PATH; if nothing was left to build, clean it first; if it names the "
                 "compiler by its path, write 'gpusafe scan -p DIR' or make the build take the "
                 "compiler from PATH");
}

/// What is run first: the build, or the reader of compile commands.
static pid_t start_first(gs_scan *scan) {
  if (!scan->options->build_folder)
    return start(scan, &scan->options->command, path_with_stand_ins(scan->mem));
  gs_list argv = {0};
  const char *reader = gs_discover_commands_tool(scan->mem);
  if (!reader)
    return -1;
  gs_list_add(scan->mem, &argv, reader);
  gs_list_add(scan->mem, &argv, scan->options->build_folder);
  gs_list_add(scan->mem, &argv, scan->calls);
  return start(scan, &argv, NULL);
}

static int scan_all(gs_scan *scan) {
  watch_signals();
  pid_t first = start_first(scan);
  if (first < 0)
    return GS_EXIT_INTERNAL;
  int state = run(scan, first);
  forget_progress(scan);
  if (interrupted) {
    gs_jobs_stop(&scan->jobs);
    return GS_EXIT_INTERNAL;
  }
  int built = exit_code_of(state);
  if (built && scan->options->build_folder)
    return built; // the reader has said why
  int found = tell_problems(scan), code = publish(scan);
  if (built)
    return gs_fail(built, "the build ended with exit code %d; that is what this one is", built);
  return found > code ? found : code;
}

int gs_scan_main(gs_mem *mem, int argc, char **argv) {
  gs_scan_options options;
  gs_toolchain tools = {0};
  gs_scan scan = {.mem = mem, .options = &options};
  char self[PATH_MAX];
  int code;
  if (!gs_scan_options_parse(mem, argc, argv, &options, &code))
    return code;
  code = gs_discover_clang(mem, options.cuda_path, &tools);
  if (code != GS_EXIT_OK)
    return code;
  ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  if (length <= 0)
    return gs_fail(GS_EXIT_INTERNAL, "the tool does not find itself: %s", strerror(errno));
  self[length] = '\0';
  gs_sources_init(mem, options.root, &scan.sources);
  char *here = getcwd(NULL, 0);
  scan.jobs = (gs_jobs){.mem = mem, .options = &options, .self = self,
                        .clang = gs_words_path(mem, here ? here : ".", tools.clang)};
  free(here);
  if (!make_folders(&scan))
    return GS_EXIT_INTERNAL;
  code = scan_all(&scan);
  drop_folders(&scan);
  if (interrupted) {
    signal(interrupted, SIG_DFL);
    raise(interrupted);
  }
  return code;
}
