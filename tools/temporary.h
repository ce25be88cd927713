// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Files and folders that a command makes for itself, below TMPDIR.
#ifndef GS_TOOLS_TEMPORARY_H
#define GS_TOOLS_TEMPORARY_H

#include "mem.h"

/// A template for mkstemp and mkdtemp, `stem` and six letters to be replaced.
char *gs_temporary_template(gs_mem *mem, const char *stem);
/// Makes a folder. \returns NULL, with a message, when that fails.
const char *gs_temporary_folder(gs_mem *mem, const char *stem);

#endif
