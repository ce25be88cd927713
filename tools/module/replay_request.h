// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What `gpusafe replay` asks of gpusafe-module: a finding of a report, or a launch by hand.
#ifndef GS_REPLAY_REQUEST_H
#define GS_REPLAY_REQUEST_H

#include "../mem.h"
#include "rerun.h"

#include <jansson.h>

typedef struct gs_replay_request {
  const char *kernel;   ///< its name in the module, or for a launch by hand a part of it
  gs_witness witness;   ///< thread_count 0: look for a conflict
  gs_rerun_claim claim;
  const json_t *launch; ///< by hand: its values have names that the module must tell
  uint64_t budget;
} gs_replay_request;

/// Reads a request, {"kernel": …, "budget": …, "finding": a finding of a report} or
/// {"kernel": …, "budget": …, "launch": {"grid", "block", "dynamic_smem", "arguments",
/// "memory"}}.
/// \param out points into the JSON and the mem.
/// \returns NULL, or what is wrong.
const char *gs_replay_request_read(gs_mem *mem, const json_t *json, gs_replay_request *out);

#endif
