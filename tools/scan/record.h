// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How the calls of a build reach the scan: each as one file in a folder.
///
/// A record is a sequence of texts, each ended by NUL: "gpusafe-call 1", the working
/// directory, the compiler's path, NVCC_PREPEND_FLAGS, NVCC_APPEND_FLAGS, then argv.
/// It is written under another name and renamed, so that a reader sees all or nothing.
#ifndef GS_SCAN_RECORD_H
#define GS_SCAN_RECORD_H

#include "translate.h"

/// Names the folder for the compilers that a build starts; unset outside of a scan.
#define GS_SCAN_FOLDER "GPUSAFE_SCAN_FOLDER"

/// Writes a record as `name`.call. \returns false when it cannot.
bool gs_record_save(gs_mem *mem, const char *name, const gs_call *call);

/// Loads a record. \returns false when the file is none.
bool gs_record_load(gs_mem *mem, const char *path, gs_call *out);

/// Runs as the compiler that argv[0] names: makes a record if a scan asks for one, and
/// becomes the compiler of that name that is on PATH behind gpusafe's own.
/// \returns only when there is none: the exit code a shell would give, 127 or 126.
int gs_compiler_main(gs_mem *mem, int argc, char **argv);

/// The first program `name` on PATH that is not gpusafe itself; NULL: none.
const char *gs_real_compiler(gs_mem *mem, const char *name);

#endif
