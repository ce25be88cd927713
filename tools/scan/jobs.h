// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The analyses of a scan: one `gpusafe check` for each source of each compile, a few at a time.
#ifndef GS_SCAN_JOBS_H
#define GS_SCAN_JOBS_H

#include "collect.h"
#include "scan_options.h"
#include "translate.h"

#include <sys/types.h>

typedef struct gs_job {
  const gs_compile *compile;
  const char *file;   ///< as the build wrote it
  const char *key;    ///< what makes two jobs the same, and orders them
  const char *stem;   ///< of its files in the scan's folder
  bool needs_name;    ///< `gpusafe check` would not take it by its own
  pid_t pid;          ///< 0: not started or ended
  bool ended;
  const char *problem; ///< why it has no report, when that is not clang's to say
} gs_job;

typedef struct gs_jobs {
  gs_mem *mem;
  const gs_scan_options *options;
  const char *self;   ///< path of this program
  const char *clang;  ///< absolute path
  const char *folder; ///< for reports and messages
  gs_job **items;
  size_t count, started, ended, running;
  size_t findings; ///< printed so far; the report counts those of several architectures once
} gs_jobs;

/// Adds the sources of a compile that the options do not leave out, each once.
/// \param sources tells the names that --only and --skip see.
void gs_jobs_add(gs_jobs *jobs, gs_sources *sources, const gs_compile *compile);

/// Starts what may start, and takes note of what ended. Does not wait.
/// \returns a job that just ended; NULL: none.
const gs_job *gs_jobs_step(gs_jobs *jobs);

/// Ends what runs.
void gs_jobs_stop(gs_jobs *jobs);

/// Hands all results to the collector, in an order that does not depend on time.
void gs_jobs_collect(gs_jobs *jobs, gs_collector *collector);

#endif
