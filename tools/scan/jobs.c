// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs.h"

#include "report.h"
#include "unit.h"
#include "words.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NICE = 5, FAILED_TO_START = 126 };

static bool matches(const gs_list *patterns, const char *path) {
  for (size_t i = 0; i < patterns->count; i++)
    if (!fnmatch(patterns->items[i], path, 0))
      return true;
  return false;
}

static const char *key_of(gs_mem *mem, const gs_compile *compile, const char *path) {
  const char *key = gs_mem_printf(mem, "%s\n%s", path, compile->directory);
  const gs_list *lists[] = {&compile->archs, &compile->flags};
  for (size_t l = 0; l < 2; l++)
    for (size_t i = 0; i < lists[l]->count; i++)
      key = gs_mem_printf(mem, "%s\n%s", key, lists[l]->items[i]);
  return key;
}

/// A source whose name does not say CUDA is included by one whose name does.
static const char *stand_in(gs_jobs *jobs, const char *stem, const char *path) {
  const char *name = gs_mem_printf(jobs->mem, "%s.cu", stem);
  FILE *file = fopen(name, "w");
  if (!file)
    return path;
  fprintf(file, "#include \"%s\"\n", path);
  return fclose(file) == 0 ? name : path;
}

void gs_jobs_add(gs_jobs *jobs, gs_sources *sources, const gs_compile *compile) {
  gs_mem *mem = jobs->mem;
  for (size_t f = 0; f < compile->file_count; f++) {
    const char *file = compile->files[f].name;
    const char *path = gs_sources_path(sources, compile->directory, file);
    if (matches(&jobs->options->skip, path) ||
        (jobs->options->only.count && !matches(&jobs->options->only, path)))
      continue;
    const char *key = key_of(mem, compile, path);
    size_t same = 0;
    while (same < jobs->count && strcmp(jobs->items[same]->key, key))
      same++;
    if (same < jobs->count)
      continue;
    gs_job **items = gs_mem_alloc(mem, (jobs->count + 1) * sizeof *items);
    if (jobs->count)
      memcpy(items, jobs->items, jobs->count * sizeof *items);
    gs_job *job = gs_mem_alloc(mem, sizeof *job);
    *job = (gs_job){.compile = compile, .file = file, .key = key,
                    .stem = gs_mem_printf(mem, "%s/%zu", jobs->folder, jobs->count),
                    .needs_name = compile->files[f].foreign_name &&
                                  gs_input_kind_of(file) != GS_INPUT_CUDA};
    items[jobs->count++] = job;
    jobs->items = items;
  }
}

/// The arguments of `gpusafe check` for a job.
static void arguments(gs_jobs *jobs, const gs_job *job, gs_list *argv) {
  gs_mem *mem = jobs->mem;
  const gs_scan_options *o = jobs->options;
  const gs_list *archs = &job->compile->archs;
  const char *cuda = o->cuda_path ? o->cuda_path : job->compile->cuda_path, *file = job->file;
  gs_list_add(mem, argv, jobs->self);
  gs_list_add(mem, argv, "check");
  gs_list_addf(mem, argv, "--json=%s.json", job->stem);
  gs_list_add(mem, argv, "--no-times");
  gs_list_add(mem, argv, "--quiet");
  gs_list_addf(mem, argv, "--host-rules=%s", o->host_rules);
  gs_list_add(mem, argv, "--color=never");
  const char *list = o->arch;
  for (size_t i = 0; i < archs->count && !o->arch; i++)
    list = gs_mem_printf(mem, "%s%s%s", list ? list : "", list ? "," : "", archs->items[i]);
  if (list)
    gs_list_addf(mem, argv, "--arch=%s", list);
  if (cuda)
    gs_list_addf(mem, argv, "--cuda-path=%s", cuda);
  gs_list_add_all(mem, argv, &o->check);
  if (job->needs_name)
    file = stand_in(jobs, job->stem, gs_words_path(mem, job->compile->directory, file));
  gs_list_addf(mem, argv, "%s%s", *file == '-' ? "./" : "", file);
  gs_list_add(mem, argv, "--");
  gs_list_add_all(mem, argv, &job->compile->flags);
  gs_list_add(mem, argv, "-ferror-limit=0");
}

static void become(const gs_jobs *jobs, const gs_job *job, const gs_list *argv,
                   const char *errors) {
  int nothing = open("/dev/null", O_RDWR);
  int file = open(errors, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (nothing < 0 || file < 0)
    _exit(FAILED_TO_START);
  dup2(nothing, STDIN_FILENO);
  dup2(nothing, STDOUT_FILENO);
  dup2(file, STDERR_FILENO);
  setpriority(PRIO_PROCESS, 0, NICE); // the build comes first
  setenv("GPUSAFE_CLANG", jobs->clang, 1); // as it is seen from here
  if (chdir(job->compile->directory) != 0)
    _exit(FAILED_TO_START);
  execv(argv->items[0], (char *const *)(void *)argv->items);
  _exit(FAILED_TO_START);
}

static void show(gs_mem *mem, const gs_job *job, const gs_list *argv) {
  fprintf(stderr, "gpusafe: in %s:", job->compile->directory);
  for (size_t i = 0; i < argv->count; i++)
    fprintf(stderr, " %s", gs_words_quote(mem, argv->items[i]));
  fputc('\n', stderr);
}

static void start(gs_jobs *jobs, gs_job *job) {
  gs_list argv = {0};
  arguments(jobs, job, &argv);
  if (jobs->options->verbose)
    show(jobs->mem, job, &argv);
  const char *errors = gs_mem_printf(jobs->mem, "%s.err", job->stem);
  fflush(NULL);
  pid_t pid = fork();
  if (pid == 0)
    become(jobs, job, &argv, errors);
  if (pid < 0) {
    job->problem = gs_mem_printf(jobs->mem, "cannot start the analysis: %s", strerror(errno));
    job->ended = true;
    jobs->ended++;
    return;
  }
  job->pid = pid;
  jobs->running++;
}

/// What an analysis has printed so far: for the progress, not for the report.
static size_t printed_findings(gs_mem *mem, const gs_job *job) {
  const char *text = gs_words_read_file(mem, gs_mem_printf(mem, "%s.err", job->stem));
  gs_diagnostic d;
  size_t n = 0;
  while (text && gs_diagnostic_next(mem, &text, &d))
    n += !d.is_note && d.rule;
  return n;
}

static void take_end(gs_jobs *jobs, gs_job *job, int state) {
  jobs->findings += printed_findings(jobs->mem, job);
  job->pid = 0;
  job->ended = true;
  jobs->running--;
  jobs->ended++;
  if (WIFSIGNALED(state))
    job->problem = gs_mem_printf(jobs->mem, "the analysis was killed by signal %d (%s)",
                                 WTERMSIG(state), strsignal(WTERMSIG(state)));
  else if (WEXITSTATUS(state) == FAILED_TO_START)
    job->problem = gs_mem_printf(jobs->mem, "the folder '%s' is gone", job->compile->directory);
}

const gs_job *gs_jobs_step(gs_jobs *jobs) {
  while (jobs->started < jobs->count && jobs->running < jobs->options->jobs)
    start(jobs, jobs->items[jobs->started++]);
  for (size_t i = 0; i < jobs->started; i++) {
    int state;
    gs_job *job = jobs->items[i];
    if (!job->pid || waitpid(job->pid, &state, WNOHANG) != job->pid)
      continue;
    take_end(jobs, job, state);
    return job;
  }
  return NULL;
}

void gs_jobs_stop(gs_jobs *jobs) {
  for (size_t i = 0; i < jobs->started; i++)
    if (jobs->items[i]->pid)
      kill(jobs->items[i]->pid, SIGTERM);
  for (size_t i = 0; i < jobs->started; i++)
    if (jobs->items[i]->pid)
      waitpid(jobs->items[i]->pid, NULL, 0);
}

/// The merged report of a job; NULL with the problem set, when it is none.
static json_t *load(gs_mem *mem, gs_job *job) {
  const char *path = gs_mem_printf(mem, "%s.json", job->stem);
  if (job->problem || access(path, F_OK) != 0)
    return NULL;
  json_error_t error;
  json_t *merged = json_load_file(path, 0, &error);
  if (!merged)
    job->problem = gs_mem_printf(mem, "the report is corrupt: %s", error.text);
  return merged;
}

static int compare_jobs(const void *a, const void *b) {
  const gs_job *const *x = a, *const *y = b;
  return strcmp((*x)->key, (*y)->key);
}

void gs_jobs_collect(gs_jobs *jobs, gs_collector *collector) {
  if (jobs->count)
    qsort(jobs->items, jobs->count, sizeof *jobs->items, compare_jobs);
  for (size_t i = 0; i < jobs->count; i++) {
    gs_job *job = jobs->items[i];
    json_t *merged = load(jobs->mem, job);
    const char *errors = gs_words_read_file(jobs->mem, gs_mem_printf(jobs->mem, "%s.err", job->stem));
    if (job->problem)
      errors = gs_mem_printf(jobs->mem, "error: %s\n", job->problem);
    gs_result result = {job->file, job->compile->directory, merged, errors ? errors : "",
                        &job->compile->remarks};
    gs_collector_add(collector, &result);
    json_decref(merged);
  }
}
