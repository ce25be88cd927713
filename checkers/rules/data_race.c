// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// data-race: two threads access one location, at least one writes, and nothing
// orders them. The page is data-race.md.
#include "pairs.h"

void gs_rule_data_race(gs_kernel *kernel) {
  gs_pair_query query = {.rule = GS_RULE_DATA_RACE,
                         .what = "absence of data races on",
                         .headline = "data race on",
                         .param = -1,
                         .barriers_order = true,
                         .inside_block = true,
                         .across_blocks = true,
                         .mix = gs_rule_is_on(kernel, GS_RULE_ATOMIC_MIX) ? GS_MIX_PLAIN : GS_MIX_ALL};
  gs_check_pairs(kernel, &query, 1);
}
