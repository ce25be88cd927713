// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The parts of `gpusafe annotate`.
#ifndef GS_ANNOTATE_SESSION_H
#define GS_ANNOTATE_SESSION_H

#include "edits.h"
#include "unit.h"

#include <jansson.h>

typedef struct gs_annotate_options {
  gs_check_options check; ///< files, and what changes a verdict
  const char *build_folder; ///< of -p; NULL: files are named
  gs_list kernels;          ///< --kernel; none: all
  bool write, yaml, launches, quiet;
  bool report;
  const char *yaml_file, *history; ///< NULL: standard output; no history
  const char *json_file;           ///< NULL: none
} gs_annotate_options;

/// One source and how it is compiled.
typedef struct gs_source {
  const char *file;      ///< as it was named
  const char *directory; ///< where it is compiled; NULL: here
  gs_check_options options;
  gs_toolchain tools;
  json_t *found;         ///< what the plugin proposes; NULL: it failed
  json_t *report;        ///< of the check, with what is proposed in place
} gs_source;

/// A kernel of the source, and what becomes of it.
typedef struct gs_proposal {
  const char *place;  ///< "file:line"
  const char *name;   ///< without template arguments
  const json_t *json; ///< as the plugin found it; owned by the source
  bool is_proposed;   ///< there are insertions, and none was found wrong
  const char *left;   ///< why it is left alone; NULL
  const char *verdict; ///< "PROVED" … with what is proposed; NULL: not checked yet
} gs_proposal;

typedef struct gs_session {
  gs_mem *mem;
  const gs_annotate_options *options;
  const char *folder; ///< temporary
  gs_source *sources;
  size_t source_count;
  gs_proposal *proposals; ///< each kernel once, in the order of files and lines
  size_t proposal_count, proposal_capacity;
  gs_patch *patches;      ///< by file; made anew by gs_session_patch
  size_t patch_count, patch_capacity;
  gs_list broken; ///< launches that break what is proposed: "file:line:column: text"
} gs_session;

/// Parses the command line. \returns true to go on; else *exit_code says how the tool ends.
bool gs_annotate_options_parse(gs_mem *mem, int argc, char **argv, gs_annotate_options *out,
                               int *exit_code);

/// Takes the sources of a compile database. \returns an exit code.
int gs_session_read_build(gs_session *session);

/// Asks the plugin for proposals, and takes them together. \returns an exit code.
int gs_session_search(gs_session *session);
/// Checks all sources as they are, for their verdicts. \returns an exit code.
int gs_session_check(gs_session *session);
/// Checks all sources as if they were patched, and leaves kernels alone that are not proved
/// then, until all that is left is proved. \returns an exit code.
int gs_session_verify(gs_session *session);
/// Makes the patches of what is proposed.
void gs_session_patch(gs_session *session);
/// The kernel of a report or message, by its name; NULL: none.
gs_proposal *gs_session_find(gs_session *session, const char *name);

/// The coverage of the code base. \returns an exit code.
int gs_session_report(gs_session *session);

#endif
