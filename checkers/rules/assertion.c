// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// assertion: a device assert that can fail under the contract. The page is assertion.md.
#include "lone.h"

#include <stdlib.h>

/// Does the way to the block depend on what memory contains at entry?
static bool depends_on_memory(const gs_program *p, uint32_t block) {
  size_t size = gs_terms_count(p->terms);
  unsigned char *nodes = calloc(size + 1u, 1);
  bool depends = false;
  if (nodes) {
    gs_term_mark(p->terms, p->blocks[block].guard, nodes);
    for (uint32_t l = p->blocks[block].loop; l != GS_NONE; l = p->loops[l].parent)
      gs_term_mark(p->terms, p->loops[l].entry, nodes);
  }
  for (size_t t = 1; nodes && t < size && !depends; t++)
    depends = nodes[t] && gs_term_is(p->terms, (gs_term)t, GS_OP_LOAD);
  free(nodes);
  return depends;
}

static void check(gs_kernel *k, uint32_t block) {
  const gs_program *p = k->program;
  gs_loc loc = gs_place_loc(p, p->blocks[block].place);
  gs_lone lone;
  gs_finding f;
  if (!gs_lone_is_new(k, GS_RULE_ASSERTION, loc))
    return;
  gs_answer answer = gs_lone_block(k, GS_RULE_ASSERTION, block, false, GS_NO_TERM, &lone);
  if (lone.exact && depends_on_memory(p, block)) {
    lone.exact = false;
    lone.reason = "the contents of memory, of which the contract says nothing";
  }
  if (answer == GS_ANSWER_DONT_KNOW)
    gs_report_unknown(k, GS_RULE_ASSERTION, loc, "that this assertion holds",
                      "the solver gave up within its budget");
  else if (answer == GS_ANSWER_YES && gs_lone_finding(k, &lone, loc, NULL, &f)) {
    f.message = gs_pool_format(k->result->arena, "%sfailed assertion: it does not hold for %s, when launched with %s",
                               gs_lone_doubt(&f), gs_words_thread(k, f.witness, 0),
                               gs_words_launch(k, f.witness));
    gs_lone_report(k, &f, "state in GS_LAUNCH_CONTRACT(...) what makes it hold, or handle the case");
  }
  gs_lone_free(&lone);
}

void gs_rule_assertion(gs_kernel *k) {
  // An assertion of a kernel that claims nothing is the contract that it has.
  for (uint32_t b = 0; k->is_claim && b < k->program->block_count; b++)
    if (k->program->blocks[b].asserts)
      check(k, b);
}
