// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// disjoint: a byte of the parameter that is written, atomics included, belongs to
// one thread of the grid for the whole launch. The page is disjoint.md.
#include "pairs.h"

void gs_rule_disjoint(gs_kernel *kernel) {
  for (uint32_t i = 0; kernel->desc && i < kernel->desc->claim_count; i++) {
    const gs_claim *claim = &kernel->desc->claims[i];
    if (claim->kind != GS_CLAIM_DISJOINT)
      continue;
    gs_pair_query query = {.rule = GS_RULE_DISJOINT,
                           .what = "that each thread has its own elements of",
                           .headline = "disjointness is broken on",
                           .param = claim->param,
                           .claim = claim->loc,
                           .atomics_count = true,
                           .inside_block = true,
                           .across_blocks = true};
    gs_check_pairs(kernel, &query, 1);
  }
}
