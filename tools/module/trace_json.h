// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A run of a witness as JSON, from gpusafe-module to the gpusafe command. Fields: `kernel`
/// (mangled), `verdict` ("confirmed", "refuted", "refused", "none": no conflict in a launch
/// by hand), `end` (why it ended), `instructions`, `grid`, `block`, `dynamic_smem`,
/// `conflict` (null, or `rule`, `array`, `byte_offset`, `element_size`, `threads`: objects
/// `block`, `thread`, `line`, `write`, `atomic`), `steps` (for each thread a list of objects
/// `kind`, `file`, `line`, `phase`, and for accesses `array`, `offset`, `size`, `value`), `cut`
/// (for each thread, are the first steps left out), `cells` (objects `block`, `thread`,
/// `offset`, `size`, `line`, `write`, `atomic`), `parameters` (objects `name`, `size`,
/// `bytes` in hexadecimal, `pointers`: objects `offset`, `buffer`, `shift`), `buffers`
/// (objects `name`, `extent`), `memory` (objects `buffer`, `name`, `offset`, `bits`, `value`).
#ifndef GS_TRACE_JSON_H
#define GS_TRACE_JSON_H

#include "../mem.h"
#include "trace.h"

#include <jansson.h>

typedef struct gs_traced {
  const char *kernel;
  const gs_code *code;
  const char *const *params; ///< names of the kernel's parameters
  const gs_witness *witness;
  const gs_rerun_claim *claim;
  const gs_trace *trace; ///< NULL: no conflict was met
  const char *rule;
  const char *verdict;
  gs_replay_end end;
  uint64_t instructions;
} gs_traced;

/// \returns a new reference; NULL when memory is short.
json_t *gs_trace_to_json(gs_mem *mem, const gs_traced *traced);

/// What messages call a window: a variable's name, or the pointer whose buffer it is.
const char *gs_traced_name(gs_mem *mem, const gs_traced *traced, uint32_t window);

#endif
