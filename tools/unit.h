// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// One analysis: one file for one architecture.
#ifndef GS_UNIT_H
#define GS_UNIT_H

#include "check_options.h"
#include "discover.h"
#include "report.h"

typedef enum gs_input_kind {
  GS_INPUT_CUDA,   ///< CUDA or C++ source, read as CUDA
  GS_INPUT_C,      ///< plain C kernels
  GS_INPUT_MODULE, ///< .ll or .bc
  GS_INPUT_TEXT,   ///< .gs: kernels in their text form
  GS_INPUT_NONE    ///< nothing the tool reads
} gs_input_kind;

/// By the end of the name.
gs_input_kind gs_input_kind_of(const char *file);

/// What all units of a run share.
typedef struct gs_run {
  gs_mem *mem;
  const gs_check_options *options;
  const gs_toolchain *tools;
  const char *folder; ///< temporary, for the report
  bool color;         ///< of diagnostics
} gs_run;

typedef struct gs_unit {
  const char *file;
  const char *target; ///< "sm_90"; NULL for a module that says it itself
  int status;         ///< GS_EXIT_OK when there is a report or a dump, else INPUT or INTERNAL
  const char *message; ///< why there is no report; NULL when clang has said it
  const char *diagnostics; ///< what clang wrote to standard error
  bool broken_launch; ///< a launch breaks a contract or a limit: a finding that is in no report
  const char *host;   ///< findings about host code, as diagnostics; "" or NULL: none
  const char *host_problem; ///< why host code was not looked at, though asked for; NULL
  json_t *report;     ///< owned; NULL when there is none, as with --dump
} gs_unit;

/// Analyses `file` and fills `out`. Prints nothing.
void gs_unit_run(const gs_run *run, const char *file, const char *target, gs_unit *out);

/// Looks for what the host rules find in the host code of `unit`'s file. Prints nothing.
void gs_unit_run_host(const gs_run *run, gs_unit *unit);

#endif
