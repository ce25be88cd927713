// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Runs another program and waits for it.
#ifndef GS_CHILD_H
#define GS_CHILD_H

#include "mem.h"

typedef struct gs_child {
  int error;         ///< errno when it could not be started, else 0
  int exit_code;     ///< when it ended by itself
  int signal;        ///< that killed it, else 0
  const char *errors; ///< all it wrote to standard error
} gs_child;

/// Runs argv[0] with an empty standard input; standard output is inherited.
/// SIGINT and SIGTERM are passed on to it, and gs_child_interrupted tells of them.
void gs_child_run(gs_mem *mem, const gs_list *argv, gs_child *out);

/// \returns the signal that asked the tool to end while a child ran, or 0.
int gs_child_interrupted(void);

#endif
