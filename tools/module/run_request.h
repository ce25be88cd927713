// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Runs a witness, or a launch by hand, and writes down what its threads do.
#ifndef GS_MODULE_REPLAY_H
#define GS_MODULE_REPLAY_H

#include "module.h"

/// Answers options->replay (replay_request.h) with JSON in options->report (trace_json.h).
/// Prints a message on failure. \returns an exit code.
int gs_module_replay(gs_mem *mem, const gs_module_options *options, LLVMModuleRef module);

#endif
