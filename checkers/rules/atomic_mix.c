// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// atomic-mix: a data race in which an atomic operation takes part. The page is
// atomic-mix.md.
#include "pairs.h"

void gs_rule_atomic_mix(gs_kernel *kernel) {
  gs_pair_query query = {.rule = GS_RULE_ATOMIC_MIX,
                         .what = "that atomic and plain accesses are ordered on",
                         .headline = "atomic and plain access without order on",
                         .param = -1,
                         .barriers_order = true,
                         .inside_block = true,
                         .across_blocks = true,
                         .mix = GS_MIX_ATOMIC};
  gs_check_pairs(kernel, &query, 1);
}
