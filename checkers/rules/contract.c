// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// contract: clauses that contradict each other or the device. The page is
// contract.md.
#include "rule.h"

void gs_rule_contract(gs_kernel *k) {
  if (!k->desc || !k->desc->fact_count)
    return;
  gs_case c = {0};
  c.facts = gs_scene_launch_facts(k->scene, &c.fact_count);
  gs_model model = {0};
  gs_answer answer = gs_prover_decide(k->prover, &c, false, GS_NO_TERM, &model);
  gs_model_free(&model);
  if (answer != GS_ANSWER_NO)
    return;
  gs_finding f = {.rule = GS_RULE_CONTRACT,
                  .verdict = GS_RACE,
                  .is_error = true,
                  .loc = k->desc->facts[0].loc,
                  .message = "no launch can satisfy this contract: its clauses contradict each "
                             "other or the limits of the device (1,024 threads per block, "
                             "grid.y and grid.z up to 65,535), so a proof would say nothing",
                  .instances = 1};
  f.loc.file = gs_pool_text(k->result->arena, f.loc.file);
  gs_result_add(k->result, &f);
}
